"""Faults on a real wire, with the table's own program: no card doubled, none lost in silence.

One pair of programs plays round after round, each with another fault. At the end of every round the
dealer compares the hands with what lies on the layout; see `faults_at_a_table`.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.journal.audit import read
from drivers.registry import find, names
from drivers.testing.bench.emulated import emulated
from scenario.faults_at_a_table import NAMES, SENDS_AGAIN, AtATable, at_a_table
from simulators import registry as emulators
from support.devices.angel_frames import drawn, frame
from support.devices.live_table import LiveTable, Wire

SERIAL = ("shoe_angel_eye", "shoe_bee_tek", "shoe_line_reader")
CUT = (*SERIAL, "shoe_feed")
BYTES = {"shoe_angel_eye": 135, "shoe_bee_tek": 76, "shoe_line_reader": 20, "shoe_feed": 100}
"""A round on the line: three copies of four cards, result and stand-by; or four messages."""
BYTES_A_RUN = 10
FLOOD = 100_000
ONE_FIRST = [
    name if name == "shoe_bee_tek" else pytest.param(name, marks=pytest.mark.second_tier)
    for name in CUT
]
"""Each serial shoe; only one of them in the first tier."""


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AtATable]:
    with at_a_table(request.param, tmp_path) as found:
        yield found


def each_round_cut(table: AtATable, places: list[int]) -> None:
    for place in places:
        cards = table.begin()
        table.shoe.do("cut", after=place)
        for card in cards:
            table.draw(card)
        table.finish()
        if table.shoe.ready["ready"] == SENDS_AGAIN:
            assert not {"count", "enter", "decide"} & set(table.stopped_for), "it costs nothing"
        if table.shoe.state()["connected"] is False:  # it came out behind the last card
            table.plug_again()


# --- F-08: unplugged and plugged in again -------------------------------------------------------


@pytest.mark.parametrize("table", ONE_FIRST, indirect=True)
def test_cable_out_after_some_bytes_of_a_round(
    table: AtATable, request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.params["table"]
    each_round_cut(table, [0, *random.Random(name).sample(range(1, BYTES[name]), 4)])


def every_byte() -> list[pytest.ParameterSet]:
    """In short runs, so that whoever waits sees how far it has come."""
    return [
        pytest.param(
            name, range(start, min(start + BYTES_A_RUN, BYTES[name])), id=f"{name}-{start}"
        )
        for name in CUT
        for start in range(0, BYTES[name], BYTES_A_RUN)
    ]


@pytest.mark.second_tier
@pytest.mark.parametrize(("table", "places"), every_byte(), indirect=["table"])
def test_cable_out_after_every_byte_of_a_round(table: AtATable, places: range) -> None:
    each_round_cut(table, list(places))


def test_every_shoe_on_a_line_has_its_cable_pulled() -> None:
    """A scanner has none of its own: its reports are cut in test_unplugged.py."""
    sheets = [find(name).sheet for name in names()]
    assert set(CUT) == {
        each.name for each in sheets if each.kind == "shoe" and each.link == "serial"
    }


@pytest.mark.parametrize("name", ["shoe_bee_tek", "shoe_line_reader"])
def test_a_round_is_as_long_as_it_is_cut(name: str) -> None:
    shoe = emulators.make(name)
    for card in ("9S", "2S", "KS", "5S"):
        shoe.words["draw"].do(card=card)
    assert len(shoe.step(1.0)) == BYTES[name]


@pytest.mark.parametrize("table", NAMES, indirect=True)
def test_cards_drawn_while_the_cable_is_out(table: AtATable) -> None:
    for number in range(4):
        cards = table.begin()
        for place, card in enumerate(cards):
            if place == number:
                table.shoe.do("unplug")
                table.hear("link_lost")
                table.shoe.do("draw", card=card, extra=True)
                table.layout.append(card)
                table.shoe.do("plug")
                table.hear("link_up")
                if table.shoe.ready["ready"] == SENDS_AGAIN:
                    table.hear("card")
            else:
                table.draw(card)
        table.finish()
        assert table.stopped_for


# --- F-10: lost, doubled, out of order, counted anew --------------------------------------------


@pytest.mark.parametrize("table", ONE_FIRST, indirect=True)
@pytest.mark.parametrize("fault", ["drop", "double", "reorder", "flip"])
def test_bytes_lost_doubled_reordered_flipped(fault: str, table: AtATable) -> None:
    for place in (0, 2, 11):
        cards = table.begin()
        for number, card in enumerate(cards):
            if number == 1:
                given = {"bit": 7} if fault == "flip" else {"count": 1}
                table.shoe.do(fault, after=place, **given)
            strike(table, card)
        table.finish()


def strike(table: AtATable, card: str) -> None:
    """Drawn; it is told, by one of its copies where it has some, or it is asked for."""
    table.layout.append(card)
    table.shoe.do("draw", card=card, extra=True)
    copies = table.shoe.ready["ready"] == "shoe_angel_eye"
    words = ("card",) if copies else ("card", "events_lost", "read_failed")
    table.now = table.table.until(lambda step: step.get("what") in words)


@pytest.mark.parametrize("table", ["shoe_barcode_usb"], indirect=True)
@pytest.mark.parametrize("fault", ["drop_report", "double_report"])
def test_reports_lost_and_doubled(fault: str, table: AtATable) -> None:
    for count in (1, 2):
        cards = table.begin()
        for number, card in enumerate(cards):
            if number == 1:
                table.shoe.do(fault, count=count)
            strike(table, card)
        table.finish()


@pytest.mark.parametrize("table", ["shoe_angel_eye"], indirect=True)
@pytest.mark.parametrize("counter", ["reset", "kept"])
def test_shoe_restarts_in_mid_round(counter: str, table: AtATable) -> None:
    cards = table.begin()
    for number, card in enumerate(cards):
        if number == 2:
            table.shoe.do("restart", counter=counter)
            table.hear("started")
        table.draw(card)
    table.finish()
    assert "count" in table.stopped_for


@pytest.mark.parametrize("table", ["shoe_angel_eye"], indirect=True)
def test_events_lost_with_all_their_copies(table: AtATable) -> None:
    for card in table.begin():  # the shoe's numbers are known from here on
        table.draw(card)
    table.finish()
    for number in range(4):
        cards = table.begin()
        for place, card in enumerate(cards):
            if place == number:
                table.shoe.do("lose")
                table.shoe.do("draw", card=card, extra=True)
                table.layout.append(card)
            else:
                table.draw(card)
        table.finish()
        assert table.stopped_for


@pytest.mark.parametrize("table", ["shoe_angel_eye"], indirect=True)
def test_the_very_first_card_of_a_shoe_is_lost(table: AtATable) -> None:
    """No number has been heard before it: the next card is for another hand than the table says."""
    cards = table.begin()
    table.shoe.do("lose")
    table.shoe.do("draw", card=cards[0])
    table.layout.append(cards[0])
    table.draw(cards[1])
    assert [hold["code"] for hold in table.now["held"]] == ["place_says_otherwise"]
    assert table.table.pit("resume")["code"] == "count_first"
    for card in cards[2:]:
        table.draw(card)
    table.finish()
    assert table.stopped_for == ["count", "approve", "enter", "approve"]


# --- what the shoe says, byte by byte ---------------------------------------------------------


class AtAWire:
    """A table's program at the end of a wire, and the shoe's events by their numbers."""

    def __init__(self, live: LiveTable, wire: Wire) -> None:
        self.live, self.wire = live, wire
        self.now: dict[str, Any] = {}

    def shoe(self, number: int, data: bytes, word: str = "card") -> dict[str, Any]:
        self.wire.send(frame(str(number), data) * 3)
        self.now = self.live.what(word)
        return self.now

    def say(self, do: str, who: str = "dan", **given: Any) -> dict[str, Any]:
        role = "dealer" if who == "dan" else "pit_supervisor"
        self.now = self.live.say(do, who, role, **given)
        assert self.now["accepted"], self.now
        return self.now

    def by_two(self, do: str, **given: Any) -> dict[str, Any]:
        """Said by the dealer and approved by the pit."""
        self.say(do, **given)
        return self.say("approve", "pia")

    def next_round(self) -> None:
        """Where the shoe saw the round otherwise than people did it tells no end of it here."""
        self.say("announce")
        self.say("settle")
        if self.live.say("open_betting", "dan", "dealer").get("code") == "end_round_at_shoe":
            self.say("put_aside", "pia", reason="looked at the shoe")
            self.say("open_betting")
        self.say("close_betting")

    @property
    def holds(self) -> list[str]:
        return [hold["text"] for hold in self.now["held"]]


@pytest.fixture
def at_a_wire(tmp_path: Path) -> Iterator[AtAWire]:
    wire = Wire()
    live = LiveTable(wire.port, tmp_path / "table.db", shoe="shoe_angel_eye")
    try:
        live.open()
        yield AtAWire(live, wire)
        assert live.end() == 0
    finally:
        live.close()
        wire.close()


P1, B1, P2, B2 = drawn("P", 1, "9H"), drawn("B", 1, "2C"), drawn("P", 2, "KD"), drawn("B", 2, "5S")
HANDS = {"player": ["9H", "KD"], "banker": ["2C", "5S"]}


def test_event_zero_is_lost_while_the_turn_is_learned(at_a_wire: AtAWire) -> None:
    """Nine then one is how another shoe counts: only the place tells that a card is missing."""
    table = at_a_wire
    for number, data in enumerate((P1, B1, P2, B2), 4):
        table.shoe(number, data)
    table.shoe(8, b"G\x90", "result")
    table.next_round()
    table.wire.send(frame("9", b"P") * 3)
    told = table.shoe(1, B1)
    assert [ask["ask"] for ask in told["asks"]] == ["count"]
    says = "Shoe dealt Banker's card 1; Player's card 1 was due. A card may be missing"
    assert table.holds == [says]
    table.shoe(2, P2)
    table.shoe(3, B2)
    table.shoe(4, b"G\x90", "result")
    table.by_two("count", cards=4)
    done = table.by_two("enter_card", card="9H")
    assert (done["state"], done["hands"]) == ("outcome", HANDS)


def test_the_pair_bits_find_a_king_read_as_a_queen(at_a_wire: AtAWire) -> None:
    table = at_a_wire
    cards = drawn("P", 1, "KH"), drawn("B", 1, "2C"), drawn("P", 2, "QD"), drawn("B", 2, "6S")
    for number, data in enumerate(cards, 1):
        table.shoe(number, data)
    told = table.shoe(5, b"G\xc1", "result")  # the Banker wins, and the Player has a pair
    assert told["state"] == "halted"
    assert table.holds == [
        "Shoe says Player pair; the cards on the table are none. A card may be misread"
    ]
    assert table.say("resume", "pia")["state"] == "halted"
    assert table.live.pit("approve")["code"] == "takes_two"
    assert table.say("refuse", "paul")["state"] == "halted"
    done = table.by_two("correct", n=3, card="KD", reason="it is a king")
    assert (done["state"], done["held"]) == ("outcome", [])


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (3, "a button was pressed at the wrong time"),
        (7, "the card stayed in the slot too long"),
    ],
)
def test_what_must_be_cleared_at_the_shoe_is_said(code: int, says: str, at_a_wire: AtAWire) -> None:
    table = at_a_wire
    table.shoe(1, P1)
    told = table.shoe(2, b"E" + bytes([0xC0 | code]), "error")
    assert told["state"] == "halted"
    assert told["prompt"]["do"] == f"At the shoe, clear error {code}: {says}"
    over = table.shoe(3, b"e" + bytes([0x80 | code]), "error_cleared")
    assert (over["state"], over["held"]) == ("dealing", [])


def test_a_question_about_an_error_shows_it(at_a_wire: AtAWire) -> None:
    table = at_a_wire
    table.shoe(1, P1)
    told = table.shoe(2, b"E\xc4", "error")
    (ask,) = told["asks"]
    assert ask["ask"] == "order_known"
    assert ask["device"]["text"] == ("The shoe reports error 4: a card was pushed back at the exit")


def counted_before_it_came(table: AtAWire) -> None:
    """A device server keeps the fourth card; two people have counted and entered it."""
    for number, data in enumerate((P1, B1, P2), 1):
        table.shoe(number, data)
    table.by_two("count", cards=4)
    assert table.by_two("enter_card", card="5S")["state"] == "outcome"


@pytest.mark.parametrize("settled", [False, True])
def test_a_counted_card_that_comes_after_all_is_one_card(settled: bool, at_a_wire: AtAWire) -> None:
    table = at_a_wire
    counted_before_it_came(table)
    if settled:
        table.next_round()
    told = table.shoe(4, B2)
    assert (told["state"], told["held"]) == ("dealing" if settled else "outcome", [])
    assert told["hands"] == ({"player": [], "banker": []} if settled else HANDS)


def test_one_that_is_another_than_was_entered_holds_the_table(at_a_wire: AtAWire) -> None:
    table = at_a_wire
    counted_before_it_came(table)
    told = table.shoe(4, drawn("B", 2, "6S"))
    assert told["state"] == "halted"
    assert table.holds == [
        "Shoe read card 4 as 6S, the table has 5S: correct it, or request to resume"
    ]
    done = table.by_two("correct", n=4, card="6S", reason="it is a six")
    assert (done["state"], done["hands"]["banker"]) == ("outcome", ["2C", "6S"])


def test_a_counted_loss_is_not_asked_again_at_the_next_number(at_a_wire: AtAWire) -> None:
    """The fourth card, the result and stand-by were lost, and the card was counted."""
    table = at_a_wire
    counted_before_it_came(table)
    table.next_round()
    told = table.shoe(7, P1)
    assert (told["state"], told["asks"]) == ("dealing", [])
    assert told["hands"]["player"] == ["9H"]


def test_a_loss_behind_the_count_is_asked(at_a_wire: AtAWire) -> None:
    table = at_a_wire
    counted_before_it_came(table)
    table.next_round()
    told = table.shoe(8, B1)
    assert [ask["ask"] for ask in told["asks"]] == ["count"]
    table.shoe(9, P2)
    table.shoe(1, B2)
    table.by_two("count", cards=4)
    done = table.by_two("enter_card", card="9H")
    assert (done["state"], done["hands"]) == ("outcome", HANDS)


# --- F-11: a flood of garbage, then silence -----------------------------------------------------


def told(name: str, card: str, number: int) -> bytes:
    if name == "shoe_angel_eye":
        return frame(str(number), drawn("PB"[(number - 1) % 2], (number + 1) // 2, card)) * 3
    if name == "shoe_line_reader":
        return f"\r\n{card[1]}{card[0]}1\r\n".encode()  # behind what the noise has begun
    return f" [Game]<Card:{card}> \r\n".encode()


@pytest.mark.parametrize("name", SERIAL)
def test_garbage_and_then_a_round(name: str, tmp_path: Path) -> None:
    wire, journal = Wire(), tmp_path / "table.db"
    live = LiveTable(wire.port, journal, shoe=name)
    try:
        live.open()
        noise = random.Random(name).randbytes(FLOOD)
        for start in range(0, FLOOD, 1000):
            wire.send(noise[start : start + 1000])
        live.until(lambda step: any(ask["ask"] == "count" for ask in step.get("asks", [])))
        cards = ("9H", "2C", "KD", "5S")
        for number, card in enumerate(cards, 1):
            wire.send(told(name, card, number))
            live.what("card")
        done = live.say("count", cards=4)
        assert done["state"] == "outcome"
        assert done["hands"] == {"player": ["9H", "KD"], "banker": ["2C", "5S"]}
        assert live.end() == 0
    finally:
        live.close()
        wire.close()
    assert sum(1 for _ in read(journal)) < 100, "a noisy line does not fill the journal"


# --- F-14: another shoe, a jam, a lid in mid-round ----------------------------------------------


@pytest.mark.parametrize("name", SERIAL)
def test_another_shoe_in_mid_round(name: str, tmp_path: Path) -> None:
    with at_a_table(name, tmp_path) as table:
        cards = table.begin()
        for card in cards[:2]:
            table.draw(card)
        table.shoe.stop()
        table.hear("link_lost")
        options = (
            ("--pace", "none", "--set=burn=no", "--set=spacing_s=0")
            if name == "shoe_angel_eye"
            else ()
        )
        with emulated(name, "--pty", table.shoe.port, *options) as other:
            table.shoe = other
            table.hear("link_up")
            for card in cards[2:]:
                table.draw(card)
            table.finish()
            assert table.stopped_for


@pytest.mark.parametrize("table", NAMES, indirect=True)
def test_a_jam_and_an_open_lid_in_mid_round(table: AtATable) -> None:
    """A card that does not come out is no card, and the next one is the one that is due."""
    cards = table.begin()
    table.draw(cards[0])
    for word, field in (("jam", "on"), ("lid", "open")):
        table.shoe.do(word, **{field: True})
        table.shoe.do(word, **{field: False})
    for card in cards[1:]:
        table.draw(card)
    table.finish()
    assert table.stopped_for == []
