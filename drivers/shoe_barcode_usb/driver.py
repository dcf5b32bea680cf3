"""What a barcode reader at the mouth of a shoe types, as events.

One scan is the keys up to Enter. It is one card, or it is doubt: a scan that breaks off, a key that
is in no label, two labels without an Enter between them. A whole label that is in no table is a
card as well, one that does not belong. Texts never quote a label: it names a card.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

from drivers.commands import Command, NewShoe
from drivers.contract import NOTHING, Settings, Step
from drivers.error_meaning import ErrorMeaning
from drivers.errors import BadSetting, FrameError, UnsupportedCommand
from drivers.events import (
    BadFrame,
    CardRead,
    CutCard,
    ErrorRaised,
    Event,
    Notice,
    ReadFailed,
)
from drivers.shoe_barcode_usb import labels
from drivers.shoe_barcode_usb.codec import REPORT_BYTES, Key, Keyboard, Report

BELONGS_TO_NO_SHOE: Final = 6
"""A reader has no errors of its own: the number other shoes give a code that is none of ours."""
PRESSES_MOST: Final = 256
"""A scan that does not end is given up after so many keys."""
RAW_KEPT: Final = 256
FOREIGN_KEPT: Final = 64

BREAKS_OFF: Final = "a scan that breaks off"
NO_LABEL: Final = "an Enter without a label"
BAD_PACKET: Final = "a packet that is not made of whole reports"
OTHER_KEY: Final = "a scan with a key that is in no label"
TOO_LONG: Final = "a scan longer than any label: perhaps two cards"
OUT_BEFORE: Final = "a label that has left this shoe before: one card, or two that are marked alike"
FOREIGN_BEFORE: Final = "a label that is not in the table, once more: perhaps another card"


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
        elif len(self.label) < labels.LABEL_LONGEST:
            self.label += key
        else:
            self.trouble = self.trouble or TOO_LONG

    def keep(self, data: bytes) -> None:
        """The report as it came, for the record; a report that says nothing new is not kept."""
        if self.raw[-REPORT_BYTES:] != data:
            self.raw += data[: RAW_KEPT - len(self.raw)]


class BarcodeReader:
    def __init__(self, settings: Settings) -> None:
        self._labels = _table(settings)
        self._cut_label = _label(settings, "cut_label", self._labels)
        self._no_read = _label(settings, "no_read_label", self._labels)
        if self._cut_label and self._cut_label == self._no_read:
            raise BadSetting("shoe_barcode_usb: cut_label and no_read_label are the same")
        self._silence_s = float(str(settings["silence_s"]))
        self._keyboard = Keyboard()
        self._scan = _Scan()
        self._pressed_at = 0.0
        self._last = ""
        self._out: set[str] = set()
        self._foreign: deque[str] = deque(maxlen=FOREIGN_KEPT)

    def hello(self, at: float) -> Step:
        self._keyboard.release()
        return _step(self._give_up(BREAKS_OFF))

    def feed(self, data: bytes, at: float) -> Step:
        return _step(self._fed(data, at)) if data else NOTHING

    def ask(self, command: Command, at: float) -> Step:
        if not isinstance(command, NewShoe):
            raise UnsupportedCommand(
                f"a barcode reader takes no commands, so no {type(command).__name__}"
            )
        self._last = ""
        self._out.clear()
        self._foreign.clear()
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
            report = Report.from_bytes(data)
        except FrameError as error:
            self._in_trouble(str(error), data, at)
            return
        for key in self._keyboard.pressed(report):
            self._pressed_at = at
            self._scan.press(key)
            self._scan.keep(data)
            if key is Key.ENTER:
                yield from self._entered()
            elif self._scan.presses == PRESSES_MOST:
                yield from self._give_up(TOO_LONG)
        if self._scan.begun:
            self._scan.keep(data)

    def _in_trouble(self, why: str, data: bytes, at: float) -> None:
        """What is typed cannot be trusted up to the next Enter, or until nothing is typed."""
        if not self._scan.trouble:
            self._pressed_at = at
        self._scan.trouble = self._scan.trouble or why
        self._scan.keep(data)

    def _give_up(self, why: str) -> Iterator[Event]:
        scan, self._scan = self._scan, _Scan()
        if scan.begun:
            yield BadFrame(scan.trouble or why, bytes(scan.raw), may_be_card=True)

    def _entered(self) -> Iterator[Event]:
        scan = self._scan
        known = scan.label in (self._cut_label, self._no_read)
        too_long = not known and len(scan.label) > self._labels.longest
        if scan.trouble or too_long or not scan.label:
            yield from self._give_up(TOO_LONG if too_long else NO_LABEL)
            return
        self._scan = _Scan()
        again, self._last = scan.label == self._last, scan.label
        yield from self._told(scan.label, bytes(scan.raw), again)

    def _told(self, label: str, raw: bytes, again: bool) -> Iterator[Event]:
        card = self._labels.find(label)
        once = self._labels.one_card_each
        if label == self._cut_label:
            yield Notice("the cutting card was scanned twice") if again else CutCard()
        elif label == self._no_read:
            yield ReadFailed(raw)
        elif card is None:
            yield from self._not_ours(label, raw)
        elif once and label in self._out:
            twice = Notice("a card was scanned twice: it counts once")
            yield twice if again else BadFrame(OUT_BEFORE, raw, may_be_card=True)
        else:
            if once:
                self._out.add(label)
            yield CardRead(card, frame=raw)

    def _not_ours(self, label: str, raw: bytes) -> Iterator[Event]:
        """A card has left that belongs to no shoe of ours, or whose label was misread."""
        if self._labels.one_card_each and label in self._foreign:
            yield BadFrame(FOREIGN_BEFORE, raw, may_be_card=True)
            return
        self._foreign.append(label)
        yield ErrorRaised(
            BELONGS_TO_NO_SHOE,
            "a card whose label is in no table",
            means=ErrorMeaning.DOES_NOT_BELONG,
        )
        yield ReadFailed(raw)


def _table(settings: Settings) -> labels.Labels:
    name, given = settings["table"], settings["labels"]
    assert isinstance(given, dict)
    if name == "own":
        return labels.own(given, one_card_each=settings["own_label_on"] == "one_card")
    if given:
        raise BadSetting(f"shoe_barcode_usb: labels are given, but table is {name!r}, not 'own'")
    if name == "suit_rank_deck":
        return labels.suit_rank_deck(int(str(settings["decks"])))
    return labels.four_digits() if name == "four_digits" else labels.four_characters()


def _label(settings: Settings, key: str, table: labels.Labels) -> str:
    """A label that is no card's; empty where the setting is."""
    if settings[key] == "":
        return ""
    label = labels.proper(settings[key], key)
    if table.find(label) is not None:
        raise BadSetting(f"shoe_barcode_usb: {key} = {label!r} is the label of a card")
    return label


def _step(events: Iterator[Event]) -> Step:
    """Neighbouring bad frames are one doubt: the count is asked once."""
    told: list[Event] = []
    for event in events:
        if not (isinstance(event, BadFrame) and told and isinstance(told[-1], BadFrame)):
            told.append(event)
    return Step(tuple(told))
