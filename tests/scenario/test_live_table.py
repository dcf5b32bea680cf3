"""`sabot table` as a real process with an Angel Eye's bytes on a pseudo-terminal."""

import os
import random
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.config.file import DEMO
from controller.journal.audit import verify
from controller.runtime.open_table import replay_table
from support.devices.angel_frames import ROUND, drawn, frame, numbered
from support.devices.live_table import LiveTable, Wire

NATURAL = [drawn("P", 1, "9H"), drawn("B", 1, "2C"), drawn("P", 2, "KD"), drawn("B", 2, "5S")]


@pytest.fixture
def wire() -> Iterator[Wire]:
    cable = Wire()
    yield cable
    cable.close()


def shown(table: LiveTable, player: list[str | None], banker: list[str | None]) -> dict[str, Any]:
    return table.until(lambda step: step.get("hands") == {"player": player, "banker": banker})


def test_round_from_the_wire_in_json_lines(wire: Wire, tmp_path: Path) -> None:
    table = LiveTable(wire.port, tmp_path / "table.db")
    try:
        assert table.what("opened")["state"] == "closed"
        assert table.open()["state"] == "dealing"
        for each in numbered(NATURAL):
            wire.send(each * 3)
        last = shown(table, ["9H", "KD"], ["2C", "5S"])
        assert (last["unasked"], last["what"], last["state"]) == (True, "card", "outcome")
        table.say("announce")
        assert table.say("settle")["state"] == "ready"
        assert table.end(signal.SIGINT) == 0
    finally:
        table.close()
    assert verify(tmp_path / "table.db").good
    kept = replay_table(DEMO.rules(), tmp_path / "table.db")
    assert kept.shoe is not None
    assert kept.shoe.drawn == 4


def test_what_the_shoe_says_comes_from_the_shoe(wire: Wire) -> None:
    table = LiveTable(wire.port, None)
    try:
        table.open()
        for source in ("shoe", "system"):
            table.write(f'{{"from": "{source}", "event": "card", "card": "9H"}}')
            assert "comes from the" in table.until(lambda step: "error" in step)["error"]
        table.write("nonsense")
        assert table.until(lambda step: "error" in step)["line"] == 8
        assert table.end() == 1
    finally:
        table.close()


# --- killed while bytes arrive ----------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_killed_while_cards_arrive_each_is_there_once_or_asked_for(
    seed: int, wire: Wire, tmp_path: Path
) -> None:
    kill_in_mid_round(random.Random(seed), wire, tmp_path)


@pytest.mark.second_tier
@pytest.mark.parametrize("seed", range(2, 60))
def test_killed_many_times_each_card_is_there_once_or_asked_for(
    seed: int, wire: Wire, tmp_path: Path
) -> None:
    kill_in_mid_round(random.Random(seed), wire, tmp_path)


def kill_in_mid_round(rng: random.Random, wire: Wire, tmp_path: Path) -> None:
    """Six cards, a kill somewhere among their bytes, and the count that is asked afterwards."""
    journal = tmp_path / "table.db"
    cards = numbered(ROUND[:6])
    first = LiveTable(wire.port, journal)
    try:
        first.open()
        # Some cards are known to be durable, then bytes are on their way while it dies.
        sure = rng.randrange(0, 4)
        for each in cards[:sure]:
            wire.send(each)
        if sure:
            first.until(lambda step: lying(step) == sure)
        underway = rng.randrange(1, 6 - sure + 1)
        wire.send(b"".join(cards[sure : sure + underway])[: rng.randrange(1, 8 * underway + 1)])
        first.kill()
    finally:
        first.close()
    kept = replay_table(DEMO.rules(), journal)
    assert kept.round is not None
    known = [each.card for each in kept.round.cards]
    assert known == ["2C", "3H", "3D", "KS", "4C", "6S"][: len(known)]
    assert len(known) >= sure, "what was told is on disk"
    second = LiveTable(wire.port, journal)
    try:
        asked = second.until(lambda step: any(a["ask"] == "count" for a in step.get("asks", [])))
        assert asked["state"] == "suspended"
        assert not second.pit("answer", value=False)["accepted"]
        if len(known) == sure:
            # Nothing more was read: the dealer sees one card more than the table knows.
            second.say("count", cards=len(known) + 1)
            second.pit("approve")
            assert second.pit("answer", value=False)["asks"][0]["ask"] == "enter"
        else:
            second.say("count", cards=len(known))
            assert second.pit("answer", value=False)["state"] != "suspended"
        assert second.end() == 0
    finally:
        second.close()
    assert verify(journal).good
    replay_table(DEMO.rules(), journal)


def lying(step: dict[str, Any]) -> int:
    return sum(len(hand) for hand in step.get("hands", {}).values())


# --- people -----------------------------------------------------------------------------------

SPOKEN = """pia is pit_supervisor
open table pia
load shoe blue by pia
approve pia
open betting
bet ann 2000 player 1
close betting"""


def words(table: LiveTable, wanted: str) -> list[str]:
    """Read until a line has these words; everything up to it."""
    found: list[str] = []
    while not found or not re.search(wanted, found[-1]):
        line = table.line()
        assert line, f"never said {wanted!r}: {found}"
        found.append(line.decode())
    return found


def test_table_in_a_terminal_is_played_by_words(wire: Wire) -> None:
    table = LiveTable(wire.port, None, jsonl=False)
    try:
        words(table, "link up")
        table.write(SPOKEN)
        words(table, "do: Draw a card for the Player")
        for each in numbered(NATURAL):
            wire.send(each * 3)
        words(table, "do: Announce the outcome")
        assert "player: 9H KD   banker: 2C 5S" in words(table, "player: 9H KD")[-1]
        wire.send(frame("5", b"E\xc3") * 3)
        words(table, "note: .*error 3")
        table.write("dance\nresume\nannounce\ndevices")
        assert "unknown command" in words(table, "dance")[-1]
        words(table, "refused: Needs a pit supervisor or above")
        words(table, r"refused: Not possible now: table held \(outcome\)")
        words(table, f"shoe_angel_eye at {wire.port}, up")
        assert table.line() == b"    LinkUp 1, CardRead 4, ErrorRaised 1"
        wrong_time = b"error 3: a button was pressed at the wrong time"
        assert table.line() == b"    " + wrong_time + b", clear it at the device"
        wire.send(frame("6", b"e\x83") * 3)
        words(table, "error cleared: outcome")
        table.write("announce\nsettle\nhelp\ndevices")
        words(table, r"money: ann's Player at 1 \(w1\): win, paid 20, back 20")
        words(table, "count 3")
        words(table, f"shoe_angel_eye at {wire.port}, up")
        table.write("quit")
        assert table.line() == b"    LinkUp 1, CardRead 4, ErrorRaised 1, ErrorCleared 1"
        assert table.line() == b""
        assert table.process.wait(60) == 0
    finally:
        table.close()


def test_sealed_cards_lie_face_down_in_the_terminal(wire: Wire, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(
        '[table]\nrulebook = "mbs-baccarat-8"\nburn = "none"\ndeal_face = "down"\n'
        "[money]\nchip_unit = 100\n"
    )
    table = LiveTable(wire.port, None, "--config", str(config), jsonl=False)
    try:
        words(table, "link up")
        table.write(SPOKEN)
        words(table, "do: Draw a card for the Player")
        wire.send(b"".join(numbered(NATURAL)))
        said = words(table, "player: ## ##   banker: ## ##")
        assert not re.search("9H|2C|KD|5S", "\n".join(said))
        table.write("expose player")
        words(table, "player: 9H KD   banker: ## ##")
        assert table.end() == 0
    finally:
        table.close()


def test_cable_comes_out_and_goes_back_in(tmp_path: Path) -> None:
    """The numbers of the shoe show by themselves that nothing is missing; a card that is missing
    shows with the next one."""
    link = tmp_path / "shoe"
    first, second = Wire(), Wire()
    link.symlink_to(first.port)
    table = LiveTable(str(link), None)
    try:
        table.open()
        first.send(frame("1", NATURAL[0]))
        shown(table, ["9H"], [])
        link.unlink()
        first.close()
        assert table.what("link_lost")["state"] == "halted"
        link.symlink_to(second.port)
        table.what("link_up")
        assert table.pit("resume")["state"] == "dealing"
        second.send(frame("3", NATURAL[2]))  # number 2 went by while the cable was out
        asked = table.until(lambda step: bool(step.get("asks")))
        assert asked["asks"][0]["ask"] == "count"
        table.say("count", cards=3)
        table.pit("approve")
        table.say("enter_card", card="2C")
        done = table.pit("approve")
        assert done["hands"] == {"player": ["9H", "KD"], "banker": ["2C"]}
        assert table.end() == 0
    finally:
        table.close()
        second.close()
        os.unlink(link)


def test_shoe_that_is_two_cards_ahead_in_the_same_hand_holds_the_table(wire: Wire) -> None:
    """After a whole turn of its counter the number fits again; the place it names does not."""
    table = LiveTable(wire.port, None)
    try:
        table.open()
        wire.send(frame("1", NATURAL[0]))
        assert shown(table, ["9H"], [])["state"] == "dealing"
        wire.send(frame("2", NATURAL[3]))
        held = table.until(lambda step: bool(step.get("asks")))
        assert (held["state"], held["hands"]) == ("halted", {"player": ["9H"], "banker": []})
        assert [hold["code"] for hold in held["held"]] == ["place_says_otherwise"]
        assert [ask["ask"] for ask in held["asks"]] == ["count"]
        resumed = table.pit("resume")
        assert (resumed["accepted"], resumed["state"]) == (False, "halted"), "it is counted first"
        assert table.end() == 0
    finally:
        table.close()
