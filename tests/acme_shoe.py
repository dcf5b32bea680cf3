"""A maker's package written for the first driver contract: never changed since.

Only names that contract had are used here, in the ways it allowed. The shoe says one line an event:
`$card 9H player 1`, `$unread`, `$error 6 text`, `$held 105 text`, `$over 105`, `$cut`, `$won tie`.
"""

from drivers.cards import Card, NotACard
from drivers.commands import ClearError, DeviceCommand, NewShoe
from drivers.contract import NOTHING, DataSheet, Setting, Settings, Step
from drivers.errors import UnsupportedCommand
from drivers.events import (
    BadFrame,
    CardRead,
    CommandDone,
    CutCard,
    DeviceResult,
    ErrorCleared,
    ErrorRaised,
    Event,
    LinkUp,
    ReadFailed,
    Where,
    Winner,
)
from drivers.framing import ReceiveBuffer
from drivers.lines import Lines
from drivers.registry import checked

__all__ = ["SHEET", "Driver", "ReceiveBuffer"]

MAX_LINE_BYTES = 64
SHEET = DataSheet(
    "acme_shoe",
    "shoe",
    "Acme",
    "One",
    "serial",
    False,
    "nothing: a line is taken as it is",
    False,
    plays_rounds=True,
    baud=9600,
    commands=(ClearError, NewShoe),
    settings={
        "obeys": Setting(False, (True, False), "whether it is told anything"),
        "pause_s": Setting(0.5, None, "how long it may be silent", "s", (0.1, 9.0)),
    },
    unknown=("Whether anybody uses it.",),
)
SINCE_START = LinkUp(first=True, numbered=True)
"""A driver has no use for it, and its constructor took these."""


class Driver:
    def __init__(self, settings: Settings) -> None:
        self._obeys = checked(SHEET, settings)["obeys"]
        self._lines = Lines(b"\n", MAX_LINE_BYTES)

    def hello(self, _at: float) -> Step:
        self._lines.forget()
        return NOTHING

    def feed(self, data: bytes, _at: float) -> Step:
        told = [event for line in self._lines.feed(data) for event in _events(line)]
        return Step(tuple(told)) if told else NOTHING

    def ask(self, command: DeviceCommand, _at: float) -> Step:
        if isinstance(command, NewShoe):
            return NOTHING
        if not isinstance(command, ClearError) or not self._obeys:
            raise UnsupportedCommand("acme_shoe: do it at the shoe")
        return Step((CommandDone("clear"),), b"$clear\n")

    def tick(self, _at: float) -> Step:
        return NOTHING

    def deadline(self) -> float | None:
        return None


def _events(line: bytes | None) -> tuple[Event, ...]:
    try:
        word, *rest = (line or b"").decode("ascii").split(" ")
        return _said(word, rest, line or b"")
    except (UnicodeDecodeError, NotACard, ValueError, IndexError):
        return (BadFrame("no line of this shoe", line or b"", may_be_card=True),)


def _said(word: str, rest: list[str], line: bytes) -> tuple[Event, ...]:
    told: Event
    match word:
        case "$card":
            told = CardRead(Card.parse(rest[0]), Where(rest[1]), int(rest[2]), line)
        case "$unread":
            told = ReadFailed(line)
        case "$error":
            told = ErrorRaised(int(rest[0]), " ".join(rest[1:]))
        case "$held":
            told = ErrorRaised(int(rest[0]), says=" ".join(rest[1:]), must_clear=True)
        case "$over":
            told = ErrorCleared(int(rest[0]))
        case "$cut":
            told = CutCard()
        case "$won":
            told = DeviceResult(Winner(rest[0]), player_pair=False)
        case _:
            raise ValueError(word)
    return (told,)
