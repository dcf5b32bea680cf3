"""The emulated batch shuffler, judged by the vectors and by the rules of its PROTOCOL.md."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from drivers.testing.cuts import flips, same_however_cut
from simulators.kit.contract import Refused
from simulators.registry import make
from simulators.shuffler_batch.interface import BatchShuffler
from simulators.wire.unit import Unit
from support.devices.batch_lines import sealed, texts
from support.rows import each_row

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[4] / "drivers/shuffler_batch/vectors.json").read_text()
)


class Host:
    """A bench host: sends lines, reads lines."""

    def __init__(self, **settings: object) -> None:
        made = make("shuffler_batch", {"card_s": 0.1, **settings}, seed=5)
        assert isinstance(made, BatchShuffler)
        self.shuffler = made
        self.number = 0
        self.boot = texts(made.step(10.0))
        self._told: list[str] = []

    def ask(self, text: str) -> str:
        """The answer; events that came with it are kept for `run`."""
        self.number += 1
        self.shuffler.hear(sealed(f"Q{self.number:04d} {text}"))
        said = texts(self.shuffler.step(0.0))
        answers = [line for line in said if line.startswith(f"A{self.number:04d} ")]
        assert len(answers) == 1
        self._told += [line.partition(" ")[2] for line in said if line.startswith("E")]
        return answers[0].partition(" ")[2]

    def run(self, seconds: float) -> list[str]:
        """Events until the end of that time, without their numbers."""
        lines = texts(self.shuffler.step(seconds))
        told, self._told = self._told, []
        return told + [line.partition(" ")[2] for line in lines]

    def hand(self, word: str, **given: object) -> Any:
        return Unit(self.shuffler).do(word, **given)

    def loaded(self, decks: int = 1) -> "Host":
        self.hand("load", decks=decks)
        assert self.run(0.0) == ["STATE LOADING"]
        return self

    def shuffled(self, decks: int = 1, mode: str = "SHUFFLE_VERIFY") -> list[str]:
        assert self.ask(f"START {mode} {decks}") == "OK"
        return self.run(200.0)

    def status(self) -> list[str]:
        word, *fields = self.ask("STATUS").split()
        assert word == "ST"
        return fields


def test_it_starts_with_boot_and_comes_to_rest() -> None:
    host = Host()
    assert host.boot == ["E0000 BOOT EMPTY", "E0001 STATE SELF_TEST", "E0002 STATE IDLE_EMPTY"]
    assert host.ask("STATUS") == "ST IDLE_EMPTY 0 0 416 0 0 EMPTY 0 0 2"
    assert host.ask("REPORT") == "RP 0 0 NOT_VERIFIED 0 - - 0 0"
    assert host.ask("IDENTIFY") == "ID 1 Sabot Emulated-Batch SIM-0001 1.0.0"


@each_row("vector", [v for v in VECTORS if v["text"].startswith("Q")])
def test_it_takes_every_request_of_the_vectors_however_it_is_cut(vector: dict[str, Any]) -> None:
    def read(pieces: Iterable[bytes]) -> list[str]:
        host = Host()
        for piece in pieces:
            host.shuffler.hear(piece)
        return texts(host.shuffler.step(0.0))

    (answer, *_) = same_however_cut(b"garbage\n" + bytes.fromhex(vector["hex"]) + b"more", read)
    assert answer.startswith(f"A{vector['text'][1:5]} ")
    assert not answer.endswith("BAD")


def test_what_it_says_is_in_the_vectors_to_the_byte() -> None:
    """Each of these lines can be had from the machine; its bytes must be the vector's."""
    by_text = {v["text"]: bytes.fromhex(v["hex"]) for v in VECTORS if v["expect"] == "line"}
    host = Host(decks=8)
    host.shuffler.hear(by_text["Q0001 IDENTIFY"])
    assert host.shuffler.step(0.0) == by_text["A0001 ID 1 Sabot Emulated-Batch SIM-0001 1.0.0"]
    host.shuffler.hear(by_text["Q9999 REPORT"])
    assert host.shuffler.step(0.0) == by_text["A9999 RP 0 0 NOT_VERIFIED 0 - - 0 0"]
    host.shuffler.hear(by_text["Q0008 OPEN"])
    assert host.shuffler.step(0.0) == by_text["A0008 NO UNVERIFIED"]
    restarted = make("shuffler_batch", {}, 0)
    restarted.words["load"].do(decks=1)
    restarted.step(10.0)
    restarted.words["press"].do()
    restarted.step(2.0)
    restarted.words["restart"].do()
    said = restarted.step(2.5)
    assert said == by_text["E0000 BOOT UNKNOWN"] + by_text["E0001 STATE SELF_TEST"]


def test_a_damaged_request_is_not_answered_and_does_nothing() -> None:
    host = Host().loaded()
    request = sealed("Q0001 START SHUFFLE_VERIFY 1")
    for damaged in flips(request):
        if damaged[-1:] == b"\n":
            host.shuffler.hear(damaged)
    assert host.shuffler.step(1.0) == b""


def test_a_request_that_comes_twice_is_done_once_and_answered_twice() -> None:
    host = Host().loaded()
    host.shuffler.hear(sealed("Q0001 START SHUFFLE_VERIFY 1") * 2)
    lines = texts(host.shuffler.step(0.0))
    assert lines[:2] == ["A0001 OK", "A0001 OK"]
    assert host.shuffler.machine.run == 1


def test_a_right_pack_is_shuffled_verified_and_given_out() -> None:
    host = Host().loaded(8)
    before = list(host.shuffler.shown()["hopper"])
    told = host.shuffled(8)
    assert told[0] == "STATE SHUFFLING"
    assert [line for line in told if line.startswith("PROGRESS")][-1] == "PROGRESS 416 0 416"
    assert told[-5:] == [
        "STATE VERIFYING",
        "VERIFIED 1 8 OK 416 - - 0 0",
        "STATE READY",
        "READY 1 416",
        "DONE 1",
    ]
    assert host.ask("REPORT") == "RP 1 8 OK 416 - - 0 0"
    assert host.ask("OPEN") == "OK"
    assert host.run(5.0) == [
        "STATE UNLOADING",
        "PROGRESS 416 416 416",
        "DOOR OUTPUT OPEN",
        "STATE DOOR_OPEN",
        "DONE 3",
    ]
    assert host.ask("START VERIFY 8") == "NO DOOR"
    pack = host.hand("take")
    assert Counter(pack) == Counter(before)
    assert pack != before
    assert host.run(2.0) == ["TAKEN", "DOOR OUTPUT CLOSED", "STATE IDLE_EMPTY"]
    assert host.ask("REPORT") == "RP 1 8 OK 416 - - 0 0", "the record of the run stays"
    assert host.status()[5] == "0", "but nothing verified is inside"


def test_a_pack_nobody_takes_is_a_notice() -> None:
    host = Host().loaded()
    host.shuffled()
    host.ask("OPEN")
    assert "FAULT 9 NOTICE" in host.run(100.0)


def test_seeds_decide_the_order() -> None:
    def order(seed: int) -> object:
        shuffler = make("shuffler_batch", {"decks": 1}, seed)
        shuffler.step(10.0)
        shuffler.words["load"].do(decks=1)
        shuffler.words["press"].do(button="start")
        shuffler.step(100.0)
        return shuffler.shown()["pack"]

    assert order(1) == order(1) != order(2)


def test_sorting_and_verifying_without_a_shuffle() -> None:
    host = Host().loaded()
    host.shuffled()
    shuffled = host.shuffler.shown()["pack"]
    host.shuffled(mode="VERIFY")
    assert host.shuffler.shown()["pack"] == shuffled
    host.shuffled(mode="SORT")
    assert host.shuffler.shown()["pack"][:3] == ["AS", "2S", "3S"]


@each_row(
    "hands, told",
    [
        ([("take_out", "9H")], "WRONG 51 9H:1 - 0 0"),
        ([("add", "KC")], "WRONG 53 - KC:1 0 0"),
        ([("take_out", "9H"), ("add", "KC")], "WRONG 52 9H:1 KC:1 0 0"),
        ([("unreadable", "2D")], "WRONG 52 2D:1 - 1 0"),
        ([("foreign", "2D")], "WRONG 52 2D:1 - 0 1"),
        ([("take_out", "3C"), ("take_out", "AS")], "WRONG 50 AS:1,3C:1 - 0 0"),
    ],
)
def test_a_wrong_pack_is_named_and_must_be_emptied(hands: list[tuple[str, str]], told: str) -> None:
    host = Host().loaded()
    for word, card in hands:
        host.hand(word, card=card)
    events = host.shuffled()
    assert f"VERIFIED 1 1 {told}" in events
    assert events[-3:] == ["FAULT 20 OPERATOR", "STATE FAULT_OPERATOR", "DONE 1"]
    for request in ("OPEN", "START VERIFY 1", "CLEAR 20", "HOME", "DEAL 1 1"):
        assert host.ask(request).startswith("NO")
    assert host.ask("EMPTY") == "OK"
    host.run(100.0)
    assert host.ask("REPORT") == f"RP 1 1 {told}", "what was wrong stays on record"
    host.hand("take")
    assert host.run(2.0)[-1] == "STATE IDLE_EMPTY"


def test_card_faults_are_told_without_naming_a_card() -> None:
    host = Host().loaded()
    host.hand("unreadable", card="2D")
    host.hand("foreign", card="3D")
    host.hand("add", card="KC")
    host.hand("cut_card")
    events = host.shuffled()
    for event in ("UNREADABLE", "WRONG_SET", "DUPLICATE"):
        assert f"CARD_FAULT {event}" in events
    assert "CUT_CARD" in events


def test_the_cutting_card_is_no_card_of_the_pack() -> None:
    host = Host().loaded()
    host.hand("cut_card")
    assert "VERIFIED 1 1 OK 52 - - 0 0" in host.shuffled()
    host.ask("OPEN")
    host.run(10.0)
    assert host.hand("take")[-1] == "CUT"
    assert host.run(2.0)[-1] == "STATE IDLE_EMPTY"


@pytest.mark.parametrize(
    ("settings", "mode"), [({"reads": "count"}, "SHUFFLE_VERIFY"), ({}, "SHUFFLE")]
)
def test_a_count_is_not_a_verification(settings: dict[str, object], mode: str) -> None:
    host = Host(**settings).loaded()
    assert "VERIFIED 1 1 COUNT_ONLY 52 - - 0 0" in host.shuffled(mode=mode)
    assert host.ask("OPEN") == "NO UNVERIFIED"
    assert host.ask("DEAL 1 1") == "NO UNVERIFIED"


def test_a_count_that_is_wrong() -> None:
    host = Host(reads="count").loaded()
    host.hand("take_out", card="9H")
    assert "VERIFIED 1 1 WRONG 51 - - 0 0" in host.shuffled()


def test_the_lid_stops_everything_and_ends_the_verification() -> None:
    host = Host().loaded()
    host.shuffled()
    host.hand("lid")
    assert host.run(0.0) == ["DOOR LID OPEN", "FAULT 18 OPERATOR", "STATE FAULT_OPERATOR"]
    assert host.ask("OPEN") == "NO DOOR"
    assert host.ask("CLEAR 18") == "NO DOOR"
    host.hand("lid", open="no")
    assert host.ask("CLEAR 18") == "OK"
    assert host.status()[:1] + host.status()[5:7] == ["LOADING", "0", "UNKNOWN"]
    assert host.ask("OPEN") == "NO UNVERIFIED"
    assert "VERIFIED 2 1 OK 52 - - 0 0" in host.shuffled(mode="VERIFY"), "counted again"


def test_the_lid_in_the_middle_of_a_shuffle_loses_no_card() -> None:
    host = Host().loaded()
    host.ask("START SHUFFLE_VERIFY 1")
    host.run(2.0)
    host.hand("lid")
    assert "DONE 1" in host.run(60.0)
    host.hand("lid", open=False)
    host.ask("CLEAR 18")
    assert "VERIFIED 2 1 OK 52 - - 0 0" in host.shuffled()


def test_a_forced_door_is_no_better_than_a_lid() -> None:
    host = Host().loaded()
    host.shuffled()
    host.hand("door")
    assert host.run(0.0)[0] == "DOOR OUTPUT OPEN"
    assert host.status()[5:7] == ["0", "UNKNOWN"]
    host.hand("door", open="no")
    assert host.ask("CLEAR 18") == "OK"


def test_one_motion_at_a_time_and_none_while_booting() -> None:
    host = Host().loaded()
    host.ask("START SHUFFLE 1")
    assert host.ask("HOME") == "NO BUSY"
    assert host.ask("EMPTY") == "NO BUSY"
    assert host.status()[8] == "1", "the request that moves"
    host.hand("restart")
    assert host.ask("HOME") == "NO STATE"
    assert host.ask("STATUS").startswith("ST BOOTING")


def test_home_takes_its_time() -> None:
    host = Host()
    assert host.ask("HOME") == "OK"
    assert host.ask("START VERIFY 1") == "NO BUSY"
    assert host.run(10.0) == ["STATE SELF_TEST", "STATE IDLE_EMPTY", "DONE 1"]
    assert host.ask("EMPTY") == "NO NO_CARDS"
    assert host.ask("START VERIFY 1") == "NO NO_CARDS"


def test_pause_resume_and_abort() -> None:
    host = Host().loaded()
    assert host.ask("PAUSE") == "NO STATE"
    assert host.ask("RESUME") == "NO STATE"
    assert host.ask("ABORT") == "NO STATE"
    host.ask("START SHUFFLE_VERIFY 1")
    host.run(2.0)
    assert host.ask("PAUSE") == "OK"
    assert host.run(100.0) == ["STATE PAUSED"]
    assert host.ask("RESUME") == "OK"
    assert host.run(100.0)[-1] == "DONE 4"
    host.ask("START SHUFFLE_VERIFY 1")
    host.run(2.0)
    assert host.ask("ABORT") == "OK"
    assert host.run(0.0) == ["DONE 7", "STATE LOADING"]
    assert host.status()[6] == "UNKNOWN"


def test_a_jam_that_frees_itself_costs_no_card() -> None:
    host = Host().loaded()
    host.hand("jam", where="elevator", clears_after=2)
    events = host.shuffled()
    at = events.index("JAM ELEVATOR 1")
    assert events[at - 1 : at + 4] == [
        "STATE RECOVERING_JAM",
        "JAM ELEVATOR 1",
        "JAM ELEVATOR 2",
        "JAM_CLEARED ELEVATOR",
        "STATE SHUFFLING",
    ]
    assert "VERIFIED 1 1 OK 52 - - 0 0" in events


@each_row(
    "where, code",
    [("infeed", 2), ("reader", 13), ("elevator", 11), ("compartment", 13), ("exit", 3)],
)
def test_a_jam_that_stays_calls_somebody_and_goes_on_with_the_count(where: str, code: int) -> None:
    host = Host().loaded()
    host.ask("START SHUFFLE_VERIFY 1")
    host.run(2.0)
    host.hand("jam", where=where)
    assert host.run(60.0)[-3:] == [
        f"JAM {where.upper()} 3",
        f"FAULT {code} OPERATOR",
        "STATE FAULT_OPERATOR",
    ]
    assert host.ask(f"CLEAR {code}") == "NO STATE", "the card still sticks"
    host.hand("clear_jam")
    assert host.run(0.0) == [f"JAM_CLEARED {where.upper()}"]
    assert host.ask(f"CLEAR {code}") == "OK"
    assert host.run(10.0) == ["STATE PAUSED"]
    assert host.ask("RESUME") == "OK"
    assert "VERIFIED 1 1 OK 52 - - 0 0" in host.run(100.0)


def test_a_hand_that_clears_a_jam_while_the_machine_still_tries() -> None:
    host = Host().loaded()
    host.hand("jam")
    host.ask("START SHUFFLE_VERIFY 1")
    host.run(0.2)
    host.hand("clear_jam")
    assert "VERIFIED 1 1 OK 52 - - 0 0" in host.run(100.0)


def test_a_power_cut_in_the_middle_leaves_the_content_unknown() -> None:
    host = Host().loaded()
    host.ask("START SHUFFLE_VERIFY 1")
    host.run(2.0)
    host.hand("power_cut")
    assert host.run(10.0) == []
    host.shuffler.hear(sealed("Q0001 STATUS"))
    assert host.run(10.0) == []
    host.hand("power_on")
    assert host.run(10.0) == [
        "BOOT UNKNOWN",
        "STATE SELF_TEST",
        "FAULT 19 OPERATOR",
        "STATE FAULT_OPERATOR",
    ]
    assert host.ask("OPEN") == "NO STATE"
    assert host.ask("CLEAR 19") == "OK"
    assert host.ask("OPEN") == "NO UNVERIFIED"
    assert "VERIFIED 2 1 OK 52 - - 0 0" in host.shuffled(), "no card was lost"


@each_row("then", ["START SHUFFLE_VERIFY 1", "EMPTY", "OPEN", "DEAL 2 5", "HOME"])
@each_row("after_s", [0.05, 1.0, 2.9])
def test_a_power_cut_at_any_time_keeps_every_card(then: str, after_s: float) -> None:
    host = Host().loaded()
    host.shuffled()
    assert host.ask(then) == "OK"
    host.run(after_s)
    host.hand("restart")
    host.run(10.0)
    machine = host.shuffler.machine
    everywhere = [*machine.hopper, *machine.inside, *machine.output]
    assert len(everywhere) == 52
    assert not machine.verified


def test_a_verified_pack_does_not_outlive_a_power_cut() -> None:
    host = Host().loaded()
    host.shuffled()
    host.hand("restart")
    host.run(10.0)
    assert host.status()[5:7] == ["0", "UNKNOWN"]
    assert host.ask("REPORT") == "RP 0 0 NOT_VERIFIED 0 - - 0 0"


def test_dealing_breaks_the_pack() -> None:
    host = Host().loaded()
    assert host.ask("DEAL 2 5") == "NO STATE"
    host.shuffled()
    assert host.ask("DEAL 20 20") == "NO NO_CARDS"
    assert host.ask("DEAL 2 5") == "OK"
    assert host.run(60.0)[0] == "STATE DEALING"
    assert len(host.hand("take_dealt")) == 10
    assert host.ask("OPEN") == "NO UNVERIFIED"
    assert host.ask("DEAL 1 2") == "OK"
    host.run(60.0)
    assert host.ask("EMPTY") == "OK"
    host.run(60.0)
    assert len(host.hand("take")) == 42


def test_a_service_fault_needs_a_technician() -> None:
    host = Host().loaded()
    host.ask("START SHUFFLE 1")
    host.run(1.0)
    host.hand("fault", code=15)
    assert host.run(0.0) == ["DONE 1", "FAULT 15 SERVICE", "STATE FAULT_SERVICE"]
    for request in ("CLEAR 15", "START VERIFY 1", "EMPTY", "HOME"):
        assert host.ask(request) == "NO SERVICE"
    host.hand("repair")
    assert host.ask("START VERIFY 1") == "OK"
    host.hand("fault", code=22, kind="notice")
    assert host.run(0.0) == ["STATE LOADING", "STATE VERIFYING", "FAULT 22 NOTICE"]


def test_requests_the_protocol_does_not_have() -> None:
    host = Host()
    for text in (
        "SING",
        "START RIFFLE 8",
        "START VERIFY 0",
        "START VERIFY 11",
        "START VERIFY",
        "DEAL 0 1",
        "CLEAR X",
        "HOME 1",
    ):
        assert host.ask(text) == "NO BAD"


def test_a_line_too_long_is_thrown_away() -> None:
    host = Host()
    host.shuffler.hear(b"x" * 800 + b"\n" + sealed("Q0001 STATUS"))
    assert len(texts(host.shuffler.step(0.0))) == 1
    for _ in range(100):
        host.shuffler.hear(b"x" * 65536)
    assert len(host.shuffler._heard) <= 768


def test_event_numbers_go_round() -> None:
    host = Host()
    lid = host.shuffler.words["lid"].do
    for _ in range(5000):
        lid()
        lid(open=False)
    numbers = [int(line[1:5]) for line in texts(host.shuffler.step(0.0))]
    assert numbers[0] == 3
    assert 9999 in numbers
    assert 0 not in numbers
    assert numbers[-1] == (2 + len(numbers) - 1) % 9999 + 1


def test_a_machine_that_should_not_be_tells_the_order() -> None:
    host = Host(tells_order=True).loaded()
    assert any(event.startswith("ORDER ") for event in host.shuffled())


def test_a_pack_can_be_shuffled_and_taken_with_the_buttons_alone() -> None:
    host = Host(decks=1).loaded()
    with pytest.raises(Refused):
        host.hand("press", button="open")
    host.hand("press")
    assert "DONE 10000" in host.run(60.0)
    host.hand("press", button="open")
    assert "DOOR OUTPUT OPEN" in host.run(10.0)
    assert len(host.hand("take")) == 52
    host.run(5.0)
    host.loaded()
    host.hand("press", button="empty")
    host.run(60.0)
    assert len(host.hand("take")) == 52


def test_hands_are_refused_what_cannot_be() -> None:
    host = Host()
    for word, given in (
        ("take", {}),
        ("take_dealt", {}),
        ("take_out", {"card": "9H"}),
        ("unreadable", {"card": "9H"}),
        ("clear_jam", {}),
        ("repair", {}),
        ("power_on", {}),
        ("lid", {"open": "no"}),
        ("press", {"button": "stop"}),
        ("press", {"button": "start"}),
        ("jam", {"where": "moon"}),
        ("load", {"decks": "11"}),
        ("add", {"card": "1Z"}),
    ):
        with pytest.raises(Refused):
            host.hand(word, **given)
    host.hand("load", decks=10)
    with pytest.raises(Refused):
        host.hand("load", decks=1)
    host.hand("press")
    with pytest.raises(Refused):
        host.hand("add", card="9H")
    host.hand("press", button="stop")
    host.hand("power_cut")
    with pytest.raises(Refused):
        host.hand("power_cut")
    host.hand("lid")
    host.hand("power_on")
    assert "FAULT 18 OPERATOR" in host.run(10.0), "opened while it was off"
