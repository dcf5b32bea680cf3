"""Sequence numbers: which event is new, which is a copy, and how many are missing.

The shoe sends every event three times and numbers its events with one character. Public sources
disagree on how the number wraps (9 then 1, or 9 then 0) and on whether the start event has a number
of its own, so by default both are learned from the shoe, the first time the line was undisturbed
around them. Until then a wrap that noise or a lost link makes doubtful counts as a loss: an
unnecessary count costs a minute, an unnoticed card costs the round.

A loss of exactly one cycle (nine or ten events) cannot be detected.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

from drivers.events import Event, EventsLost, Notice
from drivers.shoe_angel_eye.codec import EventCode, EventFrame

REMEMBERED: Final = 3
"""How many events may be in progress at once, with mixed copies, and still count once each. It must
stay well below the nine events of a cycle."""

RETURN_WINDOW_S: Final = 3.0
"""A device server may keep the other copies while the link is away. For three seconds a repeated
event can only be a copy: no dealer draws a whole cycle of cards in that time."""

# Enum members are looked up at each access; these are needed at every card.
_START, _CUT_CARD = EventCode.START, EventCode.CUT_CARD

_AWAY: Final = "the link was away, and no number tells what was said meanwhile"
_TURNS: Final = {"1-9": "123456789", "0-9": "0123456789"}
_NINE, _ZERO, _ONE = b"901"


def _following(turn: str, first: set[int]) -> dict[int, frozenset[int]]:
    """Return which numbers may follow each one; `first` are those that may follow the nine."""
    numbers = {ord(digit): frozenset({ord(digit) + 1}) for digit in turn}
    return {**numbers, _NINE: frozenset(first)}


_AFTER: Final = {
    None: _following(_TURNS["0-9"], {_ZERO, _ONE}),
    _TURNS["1-9"]: _following(_TURNS["1-9"], {_ONE}),
    _TURNS["0-9"]: _following(_TURNS["0-9"], {_ZERO}),
}
"""The successors by how the counter wraps; None: not known yet."""
_NOTHING: Final = frozenset[int]()


@dataclass(frozen=True, slots=True)
class Judged:
    """The result for one event: whether it is new, and the events to report before it (`says`)."""

    is_new: bool
    says: tuple[Event, ...] = ()
    late: bool = False
    """Its number is in a gap that was reported before."""


_NEW: Final = Judged(is_new=True)
_COPY: Final = Judged(is_new=False)


@dataclass(slots=True)
class _Heard:
    frame: EventFrame
    at: float
    copies: int = 1


class Sequence:
    def __init__(self, turn: str, start_counts: str, window_s: float, copies: int) -> None:
        self._numbered = turn != "any"
        self._learns_turn = turn == "learn"
        self._turn: str | None = _TURNS.get(turn)
        self._start_counts: bool | None = {"yes": True, "no": False}.get(start_counts)
        self._window_s = window_s
        self._copies = copies
        self._recent: deque[_Heard] = deque(maxlen=REMEMBERED)
        self._gap: set[int] = set()
        """Numbers that were reported as lost and may still come."""
        self._since_gap = 0
        self._late: deque[_Heard] = deque(maxlen=REMEMBERED)
        self._opened = self._link_was_away = False
        self._late_told = False
        self._cut_card_out = False

    def link_up(self) -> None:
        self._link_was_away, self._opened = self._opened, True
        self._gap.clear()  # a device server delivers stored events in order

    def unheard_bytes(self, at: float) -> int:
        """Return how many bytes damaged at this time the missing copies of the last event
        explain."""
        if not self._recent or at - self._recent[-1].at > self._window_s:
            return 0
        last = self._recent[-1]
        return max(0, self._copies - last.copies) * len(last.frame.raw)

    @property
    def shows_losses(self) -> bool:
        """Return whether the number of the next event will show a loss before it."""
        return self._numbered and bool(self._recent)

    def other_copies(self, frame: EventFrame) -> int:
        """Return how many bytes the other copies of an event have."""
        return (self._copies - 1) * len(frame.raw)

    def judge(self, frame: EventFrame, at: float, *, clean: bool) -> Judged:
        """Judge one event. `clean`: since the last event no bytes were damaged except its own
        copies."""
        before, code = self._heard_before(frame), frame.code
        if before is not None and at - before.at <= self._copy_window_s(before):
            before.copies += 1
            return _COPY
        if before is not None and code != _START:
            return self._late_copy()
        if frame.seq in self._gap and code != _START:
            self._gap.discard(frame.seq)
            self._late.append(_Heard(frame, at))
            return Judged(is_new=True, late=True)
        self._since_gap += 1
        if self._since_gap >= REMEMBERED:
            self._gap.clear()
        text = self._doubt(frame, clean=clean and not self._link_was_away)
        self._recent.append(_Heard(frame, at))
        self._link_was_away = self._late_told = False
        if code in (_START, _CUT_CARD):
            self._cut_card_out = code == _CUT_CARD
        return Judged(is_new=True, says=text) if text else _NEW

    def _heard_before(self, frame: EventFrame) -> _Heard | None:
        """Return the same event as it was last received."""
        for heard in reversed((*self._late, *self._recent)):
            if heard.frame.seq == frame.seq and heard.frame.data == frame.data:
                return heard
        return None

    def _copy_window_s(self, heard: _Heard) -> float:
        last_before_loss = self._link_was_away and heard is self._recent[-1]
        return max(self._window_s, RETURN_WINDOW_S if last_before_loss else 0.0)

    def _late_copy(self) -> Judged:
        """Handle a repeated event that is too late for a copy. It is not counted twice; it may be
        an equal event one cycle later, so people are asked. Only once: a shoe that repeats itself
        for ever is one doubt."""
        if self._late_told:
            return _COPY
        self._late_told = True
        why = "the shoe sent an event again, too late for a copy of it"
        return Judged(is_new=False, says=(EventsLost(why),))

    def _doubt(self, frame: EventFrame, *, clean: bool) -> tuple[Event, ...]:
        """Return the doubts about what came between the last event and this new one."""
        if not self._recent:
            self._learn_range(frame.seq)
            return (EventsLost(_AWAY),) if self._link_was_away else ()
        if frame.code == _START:
            return self._restarted(frame, clean=clean)
        if not self._numbered:
            return (EventsLost(_AWAY),) if self._link_was_away else ()
        return self._followed(frame, clean=clean)

    def _restarted(self, frame: EventFrame, *, clean: bool) -> tuple[Event, ...]:
        """Return the doubts about a start. With the next number it lost nothing, unless a reset
        begins with that number.

        After the cutting card, between rounds, a restart is the change of the shoe, and the cards
        of the old one no longer matter.
        """
        in_order = self._numbered and frame.seq in self._expected() and frame.seq > ord("1")
        last = self._recent[-1].frame.code
        between = last in (EventCode.STAND_BY, EventCode.RESULT, EventCode.START)
        if in_order or (self._cut_card_out and between and clean):
            return ()
        return (EventsLost("the shoe restarted; what it said before that may be lost"),)

    def _followed(self, frame: EventFrame, *, clean: bool) -> tuple[Event, ...]:
        last = self._recent[-1].frame
        expected, seq = self._expected(), frame.seq
        if seq in expected:
            if len(expected) == 1 or clean or self._certain(seq):
                self._learn(seq)
                return ()
            turned = "one event may be missing where the shoe's counter turned"
            return (EventsLost(turned, by_number=True),)
        if seq == last.seq and clean:
            twice = f"the shoe used number {_shown(seq)} twice for different events"
            # Two faces with one number: either may be damage that the checksum did not detect.
            both_cards = last.code in WITH_CARD and frame.code in WITH_CARD
            return (EventsLost(f"{twice}, and both are cards") if both_cards else Notice(twice),)
        missing = self._missing(seq, expected)
        self._gap_before(seq, missing)
        self._learn_range(seq)
        return (EventsLost(self._why(seq), missing, by_number=True),)

    def _expected(self) -> frozenset[int]:
        """Return which numbers may follow."""
        last = self._recent[-1].frame
        following = _AFTER[self._turn].get(last.seq, _NOTHING)
        if last.code != _START or self._start_counts is True:
            return following
        same = frozenset({last.seq})
        return same if self._start_counts is False else same | following

    def _certain(self, seq: int) -> bool:
        """Return whether this number has one meaning: a start that repeats its number, or a
        zero."""
        last = self._recent[-1].frame
        return seq == last.seq if last.code == _START else seq == _ZERO

    def _learn(self, seq: int) -> None:
        last = self._recent[-1].frame
        if last.code == _START and self._start_counts is None:
            self._start_counts = seq != last.seq
        if self._turn is None and last.seq == _NINE and seq == _ONE:
            self._turn = _TURNS["1-9"]
        self._learn_range(seq)

    def _learn_range(self, seq: int) -> None:
        """Learn from a zero that the counter has ten numbers."""
        if self._learns_turn and seq == _ZERO:
            self._turn = _TURNS["0-9"]

    def _missing(self, seq: int, expected: frozenset[int]) -> int | None:
        """Return how many events are missing, if it is known how the counter wraps."""
        if len(expected) != 1 or not chr(seq).isdigit():
            return None
        (due,) = expected
        if self._turn is None:
            return seq - due if seq > due else None
        if chr(seq) not in self._turn or chr(due) not in self._turn:
            return None
        return (seq - due) % len(self._turn)

    def _gap_before(self, seq: int, missing: int | None) -> None:
        """Store which numbers were skipped, as long as each can only be a late event: until it is
        due again one cycle later."""
        turn = self._turn or _TURNS["0-9"]
        self._gap.clear()
        if missing is None or missing + REMEMBERED >= len(turn) - 1:
            return
        place = turn.index(chr(seq))
        self._gap = {ord(turn[place - back]) for back in range(1, missing + 1)}
        self._since_gap = 0

    def _why(self, seq: int) -> str:
        last = _shown(self._recent[-1].frame.seq)
        why = f"event {_shown(seq)} came after event {last}"
        if chr(seq) not in (self._turn or _TURNS["0-9"]):
            why += "; if this shoe counts otherwise, change the setting sequence"
        return why


WITH_CARD: Final = (EventCode.CARD, EventCode.CARD_OUTSIDE, EventCode.CARRIED)


def _shown(seq: int) -> str:
    return chr(seq) if 0x20 < seq < 0x7F else f"{seq:02X}h"
