"""A host's requests to the machine, and their refusals."""

from collections.abc import Callable
from typing import Final

from simulators.shuffler_batch.device import (
    CONTENT_UNKNOWN,
    JAM_FAULTS,
    LID_OPEN,
    WRONG_PACK,
    Machine,
    Motion,
)
from simulators.shuffler_batch.pack import Found

AT_THE_MACHINE: Final = 10_000
"""The request's number for the machine's own button."""
EMPTY_IN_SPITE_OF: Final = (CONTENT_UNKNOWN, WRONG_PACK)


class No(Exception):
    """A refusal; the reason is a word of the machine's protocol."""


class Orders:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def ask(self, word: str, number: int, fields: tuple[object, ...]) -> None:
        """Execute a request; raises `No`."""
        machine = self._machine
        if machine.state in ("BOOTING", "SELF_TEST") and machine.motion is None:
            raise No("STATE")
        asked: dict[str, Callable[..., None]] = {
            "START": self._start,
            "OPEN": self._open,
            "DEAL": self._deal,
            "EMPTY": self._empty,
            "HOME": self._home,
            "PAUSE": self._pause,
            "RESUME": self._resume,
            "ABORT": self._abort,
            "CLEAR": self._clear,
        }
        asked[word](number, *fields)

    def _may_move(self, in_spite_of: tuple[int, ...] = ()) -> None:
        machine = self._machine
        if machine.needs_service:
            raise No("SERVICE")
        if machine.motion is not None:
            raise No("BUSY")
        if machine.lid_open or machine.door_open:
            raise No("DOOR")
        if machine.fault is not None and machine.fault[0] not in in_spite_of:
            raise No("STATE")

    def _start(self, number: int, mode: str, decks: int) -> None:
        machine = self._machine
        self._may_move()
        cards = [*machine.hopper, *machine.inside]
        if not cards:
            raise No("NO_CARDS")
        machine.run = machine.run % 9999 + 1
        machine.hopper, machine.pack, machine.aside = [], [], []
        machine.moved_in = machine.moved_out = 0
        machine.verified, machine.report = False, Found()
        machine.content, machine.decks_now = "UNKNOWN", decks
        machine.begin(Motion("START", number, mode, decks, cards), machine.times.card)

    def _open(self, number: int) -> None:
        machine = self._machine
        self._may_move()
        if not machine.verified:
            raise No("UNVERIFIED")
        machine.begin(Motion("OPEN", number), machine.times.home)

    def _deal(self, number: int, hands: int, cards: int) -> None:
        machine = self._machine
        self._may_move()
        if machine.state not in ("READY", "DEALING"):
            raise No("STATE")
        if machine.state == "READY" and not machine.verified:
            raise No("UNVERIFIED")
        if hands * cards > len(machine.pack):
            raise No("NO_CARDS")
        machine.unverify()
        machine.content = "COUNTED"
        dealt = machine.pack[: hands * cards]
        machine.begin(Motion("DEAL", number, to_move=dealt), machine.times.card)

    def _empty(self, number: int) -> None:
        machine = self._machine
        self._may_move(EMPTY_IN_SPITE_OF)
        cards = [*machine.hopper, *machine.inside]
        if not cards:
            raise No("NO_CARDS")
        machine.fault = None
        machine.unverify()
        machine.content = "UNKNOWN"
        machine.hopper, machine.pack, machine.aside = [], [], []
        machine.moved_out = 0
        machine.begin(Motion("EMPTY", number, to_move=cards), machine.times.card / 4)

    def _home(self, number: int) -> None:
        machine = self._machine
        self._may_move()
        machine.begin(Motion("HOME", number), machine.times.home)

    def _pause(self, _number: int) -> None:
        machine = self._machine
        if machine.motion is None or machine.state in ("PAUSED", "FAULT_OPERATOR", "FAULT_SERVICE"):
            raise No("STATE")
        machine.hold()
        machine.enter("PAUSED")

    def _resume(self, _number: int) -> None:
        machine = self._machine
        if machine.motion is None or machine.state != "PAUSED":
            raise No("STATE")
        machine.go_on()

    def _abort(self, _number: int) -> None:
        machine = self._machine
        if machine.motion is None:
            raise No("STATE")
        machine.stop()
        machine.rest()

    def _clear(self, _number: int, code: int) -> None:
        machine = self._machine
        if machine.fault is None or machine.fault[0] != code or code == WRONG_PACK:
            raise No("STATE")
        if machine.needs_service:
            raise No("SERVICE")
        if code == LID_OPEN and (machine.lid_open or machine.door_open):
            raise No("DOOR")
        if machine.jammed is not None and code == JAM_FAULTS[machine.jammed.where]:
            raise No("STATE")
        machine.fault = None
        machine.rest()
