"""The driver of the Bee-Tek shoe. It sends nothing: the shoe accepts no input.

The shoe numbers and repeats nothing, so two equal messages are two cards, and unreadable bytes may
have been a card: the table then asks for the count. It also does so after every return of the link;
the driver does not request that.
"""

import re
from collections.abc import Iterable
from typing import Final

from drivers.commands import DeviceCommand
from drivers.contract import NOTHING, Settings, Step
from drivers.error_meaning import ErrorMeaning
from drivers.errors import BadSetting, UnsupportedCommand
from drivers.events import (
    BadFrame,
    CardRead,
    ErrorCleared,
    ErrorRaised,
    Event,
    EventsLost,
    ModeChanged,
    Notice,
    ReadFailed,
    Where,
)
from drivers.shoe_bee_tek.codec import (
    Alarm,
    CardSeen,
    Form,
    GameWord,
    LabelOrder,
    Message,
    Stream,
    TextRules,
    UnreadableText,
    Warned,
)

ALARMS_FROM: Final = 100
"""Alarm E5 is error 105, as in records that were written before errors had meanings."""
NO_NUMBER: Final = 99


class BeeTek:
    def __init__(self, settings: Settings) -> None:
        form = str(settings["format"])
        reading = TextRules(
            form=None if form == "auto" else Form(form),
            order=LabelOrder(settings["order"]),
            short_form=bool(settings["short_form"]),
            checksum=settings["checksum"] == "enforce",
            echo=bool(settings["echo"]),
        )
        self._stream = Stream(reading)
        self._not_read = _phrases(settings["not_read_alarms"])
        self._game_word = settings["game_word"]
        self._silence_s = float(str(settings["silence_s"]))
        self._heard_at = 0.0

    def hello(self, at: float) -> Step:
        self._heard_at = at
        return Step(self._told(self._stream.restart()))

    def feed(self, data: bytes, at: float) -> Step:
        if not data:
            return NOTHING
        before = self._overdue(at)
        self._heard_at = at
        return Step(before + self._told(self._stream.feed(data)))

    def ask(self, command: DeviceCommand, at: float) -> Step:
        raise UnsupportedCommand(
            f"a Bee-Tek shoe takes no commands, so no {type(command).__name__}: act at the shoe"
        )

    def tick(self, at: float) -> Step:
        events = self._overdue(at)
        return Step(events) if events else NOTHING

    def deadline(self) -> float | None:
        return self._heard_at + self._silence_s if self._stream.pending else None

    def _overdue(self, at: float) -> tuple[Event, ...]:
        """Return the events that a silence implies."""
        if at < self._heard_at + self._silence_s:
            return ()
        return self._told(self._stream.silence())

    def _told(self, found: Iterable[Message | UnreadableText]) -> tuple[Event, ...]:
        return tuple([event for each in found for event in self._events(each)])

    def _events(self, found: Message | UnreadableText) -> tuple[Event, ...]:
        match found:
            case CardSeen():
                where = Where.BURN if found.burn else None
                return (CardRead(found.card, where, frame=found.frame),)
            case Alarm():
                return self._alarm(found)
            case GameWord():
                return self._game(found)
            case Warned():
                return (Notice(f"the shoe warns: W{found.number:02X}"),)
            case UnreadableText():
                return (BadFrame(found.why, found.data, may_be_card=True),)

    def _alarm(self, alarm: Alarm) -> tuple[Event, ...]:
        """Report a card that was not read, or an alarm that no source documents: a person must
        look.

        The text is not passed on, because it may name a card. The shoe never reports the end of an
        alarm, so it is reported as over at once; the table stays held until somebody clears it. The
        meaning of the alarm is unknown, so the table asks for the count as well.
        """
        if any(phrase.search(alarm.text) for phrase in self._not_read):
            return (ReadFailed(alarm.frame),)
        number = NO_NUMBER if alarm.number is None else ALARMS_FROM + alarm.number
        name = "alarm" if alarm.number is None else f"alarm E{alarm.number}"
        return (
            ErrorRaised(number, f"{name} of the shoe: see its display", means=ErrorMeaning.OTHER),
            ErrorCleared(number),
            EventsLost(f"{name} of the shoe: a card may have left it unread"),
        )

    def _game(self, word: GameWord) -> tuple[Event, ...]:
        if self._game_word == "not_read":
            return (ReadFailed(word.frame),)
        if self._game_word == "mode":
            return (ModeChanged(word.mode),)
        return (EventsLost("<Game> of the shoe: a card may have left it unread"),)


def _phrases(value: object) -> tuple[re.Pattern[str], ...]:
    phrases = value if isinstance(value, tuple) else ()
    for phrase in phrases:
        if not isinstance(phrase, str) or not phrase.strip():
            raise BadSetting(f"shoe_bee_tek: not_read_alarms has {phrase!r}: it takes texts only")
    return tuple(re.compile(rf"\b{re.escape(each.strip())}\b", re.IGNORECASE) for each in phrases)
