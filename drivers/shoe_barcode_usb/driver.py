"""The driver of a barcode reader at the mouth of a shoe: keys to events.

One scan is the keys up to Enter. It is one card, or it is doubt: an incomplete scan, a key that is
in no label, two labels without an Enter between them. A whole label that is in no table is a card
as well, one that does not belong. Texts never quote a label: it names a card.
"""

from collections.abc import Iterator
from typing import Final

from drivers import labels
from drivers.commands import DeviceCommand, NewShoe
from drivers.contract import NOTHING, Settings, Step
from drivers.errors import FrameError, UnsupportedCommand
from drivers.events import BadFrame, Event
from drivers.labels import LABEL_LONGEST, LabelledShoe, TableSettings
from drivers.shoe_barcode_usb.codec import CHARACTERS, REPORT_BYTES, Key, Keyboard, KeyboardReport

MAX_PRESSES: Final = 256
"""A scan that does not end is dropped after this number of keys."""
RAW_KEPT: Final = 256

BREAKS_OFF: Final = "a scan that breaks off"
NO_LABEL: Final = "an Enter without a label"
BAD_PACKET: Final = "a packet that is not made of whole reports"
OTHER_KEY: Final = "a scan with a key that is in no label"
TOO_LONG: Final = "a scan longer than any label: perhaps two cards"


LINE_END_S: Final = 0.1
"""A reader that is set to end a label with CR and LF sends two Enters at once."""


class _Scan:
    """The keys since the last Enter."""

    def __init__(self) -> None:
        self.label = ""
        self.presses = 0
        self.trouble = ""
        self.raw = bytearray()

    @property
    def begun(self) -> bool:
        return self.presses > 0 or bool(self.trouble)

    def press(self, key: str | Key) -> None:
        self.presses += 1
        if key is Key.ENTER:
            return
        if not isinstance(key, str):
            self.trouble = self.trouble or OTHER_KEY
        elif len(self.label) < LABEL_LONGEST:
            self.label += key
        else:
            self.trouble = self.trouble or TOO_LONG

    def keep(self, data: bytes) -> None:
        """Store the report unchanged for the record; a report without a change is not stored."""
        if self.raw[-REPORT_BYTES:] != data:
            self.raw += data[: RAW_KEPT - len(self.raw)]


class BarcodeReader:
    def __init__(self, settings: Settings) -> None:
        given = TableSettings("shoe_barcode_usb", CHARACTERS, settings)
        self._shoe = LabelledShoe(given, given.own() or _table(settings), proven=True)
        self._silence_s = float(str(settings["silence_s"]))
        self._keyboard = Keyboard()
        self._scan = _Scan()
        self._pressed_at = 0.0
        self._ended_at: float | None = None
        """When an Enter ended a label, until the next key."""

    def hello(self, at: float) -> Step:
        self._keyboard.release()
        return _step(self._give_up(BREAKS_OFF))

    def feed(self, data: bytes, at: float) -> Step:
        return _step(self._fed(data, at)) if data else NOTHING

    def ask(self, command: DeviceCommand, at: float) -> Step:
        if not isinstance(command, NewShoe):
            raise UnsupportedCommand(
                f"a barcode reader takes no commands, so no {type(command).__name__}"
            )
        self._shoe.new_shoe()
        return NOTHING

    def tick(self, at: float) -> Step:
        return _step(self._after_silence(at))

    def deadline(self) -> float | None:
        return self._pressed_at + self._silence_s if self._scan.begun else None

    def _fed(self, data: bytes, at: float) -> Iterator[Event]:
        yield from self._after_silence(at)
        if len(data) % REPORT_BYTES:
            self._in_trouble(BAD_PACKET, data, at)
            return
        for start in range(0, len(data), REPORT_BYTES):
            yield from self._report(data[start : start + REPORT_BYTES], at)

    def _after_silence(self, at: float) -> Iterator[Event]:
        due = self.deadline()
        if due is not None and at >= due:
            yield from self._give_up(BREAKS_OFF)

    def _report(self, data: bytes, at: float) -> Iterator[Event]:
        try:
            report = KeyboardReport.from_bytes(data)
        except FrameError as error:
            self._in_trouble(str(error), data, at)
            return
        for key in self._keyboard.pressed(report):
            self._pressed_at = at
            self._scan.press(key)
            self._scan.keep(data)
            if key is Key.ENTER:
                yield from self._entered(at)
            elif self._scan.presses == MAX_PRESSES:
                yield from self._give_up(TOO_LONG)
        if self._scan.begun:
            self._scan.keep(data)

    def _in_trouble(self, why: str, data: bytes, at: float) -> None:
        """Ignore the keys up to the next Enter or a pause: they cannot be trusted."""
        if not self._scan.trouble:
            self._pressed_at = at
        self._scan.trouble = self._scan.trouble or why
        self._scan.keep(data)

    def _give_up(self, why: str) -> Iterator[Event]:
        scan, self._scan = self._scan, _Scan()
        if scan.begun:
            yield BadFrame(scan.trouble or why, bytes(scan.raw), may_be_card=True)

    def _entered(self, at: float) -> Iterator[Event]:
        scan = self._scan
        ended_at, self._ended_at = self._ended_at, None
        if scan.presses == 1 and not scan.trouble and _is_line_end(ended_at, at):
            self._scan = _Scan()
            return
        too_long = self._shoe.too_long(scan.label)
        if scan.trouble or too_long or not scan.label:
            yield from self._give_up(TOO_LONG if too_long else NO_LABEL)
            return
        self._scan, self._ended_at = _Scan(), at
        yield from self._shoe.label_events(scan.label, bytes(scan.raw))


def _is_line_end(ended_at: float | None, at: float) -> bool:
    return ended_at is not None and at - ended_at <= LINE_END_S


def _table(settings: Settings) -> labels.Labels:
    if settings["table"] == "suit_rank_deck":
        return labels.with_deck(labels.spelled("suit_rank"), int(str(settings["decks"])))
    return labels.spelled(str(settings["table"]))


def _step(events: Iterator[Event]) -> Step:
    """Return the events with adjacent bad frames joined: they are one doubt with one count."""
    reported: list[Event] = []
    for event in events:
        if not (isinstance(event, BadFrame) and reported and isinstance(reported[-1], BadFrame)):
            reported.append(event)
    return Step(tuple(reported))
