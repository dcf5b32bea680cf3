"""The driver of a reader that sends one line for each card. It sends nothing to the reader.

A line is one card, or it is doubt. On a line without check digits damage and a strange label look
alike, so a label that is in no table is doubt as well: the table asks for the count, which is right
for both.
"""

from collections.abc import Iterator
from typing import Final

from drivers import labels
from drivers.commands import DeviceCommand, NewShoe
from drivers.contract import NOTHING, Settings, Step
from drivers.errors import FrameError, UnsupportedCommand
from drivers.events import BadFrame, Event
from drivers.labels import LabelledShoe, TableSettings
from drivers.shoe_line_reader.codec import CHARACTERS, Framing, ReaderLines, around

NAME: Final = "shoe_line_reader"
BREAKS_OFF: Final = "a line that breaks off"
TOO_LONG: Final = "a line longer than any label: perhaps two cards"


class LineReader:
    def __init__(self, settings: Settings) -> None:
        given = TableSettings(NAME, CHARACTERS, settings)
        check = str(settings["check"])
        self._shoe = LabelledShoe(given, given.own() or _table(settings), proven=check != "none")
        prefix, suffix = (around(settings[key], NAME, key) for key in ("prefix", "suffix"))
        self._framing = Framing(prefix, suffix, check)
        self._lines = ReaderLines(str(settings["end"]))
        self._silence_s = float(str(settings["silence_s"]))
        self._heard_at = 0.0

    def hello(self, at: float) -> Step:
        return Step(tuple(self._given_up()))

    def feed(self, data: bytes, at: float) -> Step:
        return Step(tuple(self._fed(data, at))) if data else NOTHING

    def ask(self, command: DeviceCommand, at: float) -> Step:
        if not isinstance(command, NewShoe):
            raise UnsupportedCommand(f"a reader takes no commands, so no {type(command).__name__}")
        self._shoe.new_shoe()
        return NOTHING

    def tick(self, at: float) -> Step:
        return Step(tuple(self._after_silence(at)))

    def deadline(self) -> float | None:
        return self._heard_at + self._silence_s if self._lines.begun else None

    def _fed(self, data: bytes, at: float) -> Iterator[Event]:
        yield from self._after_silence(at)
        self._heard_at = at
        for line in self._lines.feed(data):
            if line is None:
                yield BadFrame(TOO_LONG, may_be_card=True)
            elif line.strip():
                yield from self._line(line)

    def _after_silence(self, at: float) -> Iterator[Event]:
        due = self.deadline()
        if due is not None and at >= due:
            yield from self._given_up()

    def _given_up(self) -> Iterator[Event]:
        begun, had = self._lines.begun, self._lines.forget()
        if begun:
            yield BadFrame(BREAKS_OFF, had, may_be_card=True)

    def _line(self, line: bytes) -> Iterator[Event]:
        try:
            label = self._framing.label(line)
        except FrameError as error:
            yield BadFrame(str(error), line, may_be_card=True)
            return
        if self._shoe.too_long(label):
            yield BadFrame(TOO_LONG, line, may_be_card=True)
        else:
            yield from self._shoe.label_events(label, line)


def _table(settings: Settings) -> labels.Labels:
    found, digit = labels.spelled(str(settings["table"])), settings["deck_digit"]
    if digit == "none":
        return found
    return labels.with_deck(found, int(str(settings["decks"])), first=digit == "first")
