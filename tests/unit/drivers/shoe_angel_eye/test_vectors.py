"""Every vector: whole, byte by byte, cut everywhere, with garbage before and after."""

import re
from typing import Any

from drivers.cards import Card
from drivers.commands import (
    ClearError,
    ConfirmGame,
    DeviceCommand,
    DiscardExcess,
    KeepExcess,
    Lock,
    Unlock,
)
from drivers.contract import Step
from drivers.error_meaning import ErrorMeaning
from drivers.events import (
    BadFrame,
    CardRead,
    CommandDone,
    CommandRefused,
    CutCard,
    DeviceResult,
    ErrorCleared,
    ErrorRaised,
    Event,
    ExcessCard,
    LockChanged,
    Notice,
    ReadFailed,
    StandBy,
    Started,
    Where,
    Winner,
)
from drivers.shoe_angel_eye.meaning import ERRORS
from drivers.testing.cuts import cuts
from drivers.testing.vectors import vectors_of
from support.devices.angel_frames import Bench, shoe
from support.rows import each_row

VECTORS = vectors_of("shoe_angel_eye")
EVENTS = [each for each in VECTORS if each["hex"].startswith("05") and each["decoded"]]
WHERE = {
    "player": Where.PLAYER,
    "banker": Where.BANKER,
    "burn": Where.BURN,
    "first": Where.FIRST,
}
WINNERS = {"forcequit": Winner.GIVEN_UP} | {each.value: each for each in Winner}
ALONE: dict[str, Event] = {"S": Started(), "P": StandBy(), "C": CutCard()}
MEANS = {code: ErrorMeaning(means) for each in VECTORS for code, means in each.get("means", ())}
GARBAGE = [b"\x00\xff\x41\x03", b"\x05", b"\x02", b"\x05\x31\x44", b"\x05\x31\x44\x81\xb8\x03\x34"]


def _card(word: str) -> Card | None:
    return None if word == "None" else Card.parse(word)


def _drawn(what: str, index: str, word: str, raw: bytes) -> list[Event]:
    card = _card(word)
    if what == "burncount" and card is None:
        return [Notice(f"the shoe says that {int(index[1:])} cards are burned")]
    if card is None:
        return [ReadFailed(raw)]
    return [CardRead(card, WHERE.get(what, Where.BURN), int(index[1:]), raw)]


def _expected(text: str, raw: bytes) -> list[Event]:
    """What the vector's own words mean to a table, by the contract of the events."""
    match text.split():
        case [letter] if letter in ALONE:
            return [ALONE[letter]]
        case ["D", what, index, word]:
            return _drawn(what, index, word, raw)
        case ["R", _, _, word]:
            return [ExcessCard(_card(word), "carried", raw)]
        case ["d", mode, _, word]:
            return [ExcessCard(_card(word), {"lock": "locked"}.get(mode, mode), raw)]
    return _without_card(text) or _error(text, raw)


def _without_card(text: str) -> list[Event]:
    match text.split():
        case ["G", winner, pair]:
            bits = int(pair[-1])
            if WINNERS[winner] is Winner.GIVEN_UP:
                return [DeviceResult(Winner.GIVEN_UP)]
            return [DeviceResult(WINNERS[winner], bool(bits & 1), bool(bits & 2))]
        case ["L", state]:
            return [LockChanged(state == "locked")]
        case ["M", address, value]:
            return [Notice(f"setting {address[5:]} of the shoe was changed to {value[4:]}")]
    return []


def _error(text: str, raw: bytes) -> list[Event]:
    code = int(text[-1])
    if text.startswith("e "):
        return [ErrorCleared(code)]
    raised = ErrorRaised(code, ERRORS[code], "mode=1" in text, MEANS[code])
    told: dict[int, list[Event]] = {
        1: [raised, ReadFailed()],
        2: [ExcessCard(frame=raw), raised],
        6: [raised, ReadFailed()],
    }
    return told.get(code, [raised])


def _of_the_frame(events: list[Event]) -> list[Event]:
    """Without what is said about the line: damage, bit 7 clear, a place that cannot be."""
    beside = re.compile("bit 7|which cannot be")
    return [
        event
        for event in events
        if not isinstance(event, BadFrame)
        and not (isinstance(event, Notice) and beside.search(event.says))
    ]


def _heard(*pieces: bytes) -> list[Event]:
    bench = Bench()
    for piece in pieces:
        bench.hear(piece)
    bench.wait(30)
    return _of_the_frame(bench.events)


@each_row("vector", EVENTS)
def test_event_means_the_same_however_it_comes(vector: dict[str, Any]) -> None:
    raw = bytes.fromhex(vector["hex"])
    expected = _expected(vector["decoded"][0][2], raw)
    for pieces in cuts(raw):
        assert _heard(*pieces) == expected
    for garbage in GARBAGE:
        assert _heard(garbage + raw) == expected
        assert _heard(raw + garbage) == expected
        assert _heard(raw, *(bytes((byte,)) for byte in garbage), raw) == expected


def test_there_are_vectors_for_every_event() -> None:
    codes = {bytes.fromhex(each["hex"])[2:3] for each in EVENTS}
    assert codes == {each.encode() for each in "SPCGDdREeLM"}
    assert len(EVENTS) == 107


def test_a_frame_that_never_ends_is_no_event() -> None:
    (cut,) = [each for each in VECTORS if each["n"] == 28]
    assert _heard(bytes.fromhex(cut["hex"])) == []


COMMANDS: list[tuple[DeviceCommand, int]] = [
    (Lock(), 126),
    (Unlock(), 128),
    (ClearError(), 130),
    (KeepExcess(), 132),
    (DiscardExcess(), 134),
    (ConfirmGame(), 136),
]


@each_row("command, number", COMMANDS)
def test_command_has_the_bytes_of_its_vector(command: DeviceCommand, number: int) -> None:
    for rule, n in (("with_stx", number), ("without_stx", number + 1)):
        (vector,) = [each for each in VECTORS if each["n"] == n]
        driver = shoe({"read_only": False, "command_bcc": rule})
        assert driver.ask(command, 1.0) == Step(send=bytes.fromhex(vector["hex"]))


def test_lock_is_by_default_what_the_manual_prints() -> None:
    (printed,) = [each for each in VECTORS if each["n"] == 27]
    assert shoe({"read_only": False}).ask(Lock(), 0.0).send.hex().upper() == printed["hex"]


ANSWERS = [each for each in VECTORS if each["hex"][:2] in ("06", "15")]


@each_row("vector", ANSWERS)
def test_answer_is_read_only_while_a_command_waits(vector: dict[str, Any]) -> None:
    raw = bytes.fromhex(vector["hex"])
    for pieces in cuts(raw):
        bench = Bench({"read_only": False})
        bench.driver.ask(Lock(), 0.0)
        for piece in pieces:
            bench.hear(piece)
        (answer,) = bench.events
        if raw == b"\x06":
            assert answer == CommandDone("Lock")
        else:
            assert isinstance(answer, CommandRefused)
            assert (answer.command, answer.code) == ("Lock", raw[1])
    assert _heard(raw) == []


def test_commands_of_another_program_on_the_line_are_no_cards() -> None:
    for vector in VECTORS:
        if vector["hex"].startswith("02"):
            events = _heard(bytes.fromhex(vector["hex"]))
            assert all(isinstance(event, Notice) for event in events)
