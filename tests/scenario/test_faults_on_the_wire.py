"""Faults on a real wire, with the table's own program: no card doubled, none lost in silence.

One pair of programs plays round after round, each with another fault. At the end of every round the
dealer compares the hands with what lies on the layout; see `faults_at_a_table`.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal.audit import read
from faults_at_a_table import NAMES, AtATable, at_a_table
from support.devices.angel_frames import drawn, frame
from support.devices.emulated import emulated
from support.devices.live_table import LiveTable, Wire

SERIAL = ("shoe_angel_eye", "shoe_bee_tek")
BYTES = {"shoe_angel_eye": 135, "shoe_bee_tek": 64}
"""A round on the line: three copies of four cards, result and stand-by; or four messages."""
FLOOD = 100_000


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
        if table.shoe.state()["connected"] is False:  # it came out behind the last card
            table.plug_again()


# --- F-08: unplugged and plugged in again -------------------------------------------------------


@pytest.mark.parametrize("table", SERIAL, indirect=True)
def test_cable_out_after_some_bytes_of_a_round(
    table: AtATable, request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.params["table"]
    each_round_cut(table, [0, *random.Random(name).sample(range(1, BYTES[name]), 4)])


@pytest.mark.torture
@pytest.mark.parametrize("table", SERIAL, indirect=True)
def test_cable_out_after_every_byte_of_a_round(
    table: AtATable, request: pytest.FixtureRequest
) -> None:
    each_round_cut(table, list(range(BYTES[request.node.callspec.params["table"]])))


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
            else:
                table.draw(card)
        table.finish()
        assert table.stopped_for


# --- F-10: lost, doubled, out of order, counted anew --------------------------------------------


@pytest.mark.parametrize("table", SERIAL, indirect=True)
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
    table.draw(cards[1])
    assert table.now["state"] == "halted"
    assert [hold["what"] for hold in table.now["held"]] == ["device_disagrees"]


# --- F-11: a flood of garbage, then silence -----------------------------------------------------


def bee_tek(card: str) -> bytes:
    return f" [Game]<Card:{card}> \r\n".encode()


def angel_eye(card: str, number: int) -> bytes:
    return frame(str(number), drawn("PB"[(number - 1) % 2], (number + 1) // 2, card)) * 3


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
            wire.send(angel_eye(card, number) if name == "shoe_angel_eye" else bee_tek(card))
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
        options = ("--pace", "none", "--set=burn=no") if name == "shoe_angel_eye" else ()
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
