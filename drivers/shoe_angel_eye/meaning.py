"""The meaning of the shoe's events for a table.

Every card that leaves the shoe must be reported exactly once, with its face or without. The public
sources leave three things open that decide how; each has a setting:

* whether an unreadable card brings an error, a card without a face, or both;
* whether a burn count is one announcement or one message for each burned card;
* whether a card kept after an overdraw is dealt once more when its round begins.

Masks and numbers are those of PROTOCOL.md. No sentence in this module contains a face.
"""

from collections.abc import Callable, Mapping
from typing import Final

from drivers.cards import Card, Rank, Suit
from drivers.error_meaning import meaning_of
from drivers.events import (
    CardRead,
    CutCard,
    DeviceResult,
    ErrorCleared,
    ErrorRaised,
    Event,
    EventsLost,
    ExcessCard,
    ExcessDiscarded,
    ExcessNamed,
    LockChanged,
    Notice,
    ReadFailed,
    StandBy,
    Started,
    Where,
    Winner,
)
from drivers.shoe_angel_eye.codec import EventCode, EventFrame

UNREADABLE, OVERDRAW, WRONG_CODE = 1, 2, 6
ERRORS: Final[Mapping[int, str]] = {
    UNREADABLE: "the card cannot be read",
    OVERDRAW: "one card too many was drawn",
    3: "a button was pressed at the wrong time",
    4: "a card was pushed back at the exit",
    5: "a card was pulled part of the way and pushed back",
    WRONG_CODE: "the card's code is not valid",
    7: "the card stayed in the slot too long",
}

MAX_BURN: Final = 10
ONE_CARD_S: Final = 1.0
"""An error and a card without a face within one second are one card. A kept card is named within
one second of the end of its error; otherwise it was thrown away."""

_SUITS: Final = {1: Suit.DIAMONDS, 2: Suit.CLUBS, 3: Suit.SPADES, 4: Suit.HEARTS}
_RANKS: Final = dict(enumerate(Rank, start=1))
_CARDS: Final = {
    suit << 4 | rank: Card(_RANKS[rank].value + _SUITS[suit].value)
    for suit in _SUITS
    for rank in _RANKS
}
_HANDS: Final = {0: Where.PLAYER, 1: Where.BANKER}
_BURN, _FIRST, _BURN_COUNT = 2, 4, 5
_WHERE: Final = {**_HANDS, _BURN: Where.BURN, _FIRST: Where.FIRST}
_WINNERS: Final = {1: Winner.PLAYER, 2: Winner.TIE, 4: Winner.BANKER, 7: Winner.GIVEN_UP}
_OUTSIDE: Final = {0: "locked", 1: "error", 2: "setting"}


# Enum members are looked up at each access; these are needed at every card.
_CARD, _CARRIED, _PRESET = EventCode.CARD, EventCode.CARRIED, EventCode.PRESET
_OF_A_HAND: Final = frozenset(_HANDS.values())


def card_of(byte: int) -> Card | None:
    """Return the card of a card byte; None if it names none of the 52."""
    return _CARDS.get(byte & 0x7F)


class Meaning:
    """Converts the shoe's events to the table's. Stores what one event leaves open for the next."""

    def __init__(self, r_event: str, burn_count: str, *, unread_is_one_card: bool) -> None:
        self._r_event = r_event
        self._burn_count = burn_count
        self._unread_is_one_card = unread_is_one_card
        self._unread_since: float | None = None
        """When an error reported that a card cannot be read; its card may follow."""
        self._unread_holds = False
        """That error holds the shoe: no other card of the game comes before it is cleared."""
        self._faceless_at: float | None = None
        """When the last event was a card without a face; its error may follow."""
        self._excess = 0
        """Overdrawn cards that were counted and may still be named."""
        self._settled_at: float | None = None
        """When the error of an overdrawn card ended: the card is named next, or was thrown away."""
        self._thrown = False
        """The last overdrawn card was reported as thrown away."""
        self._carried: dict[int, Card | None] = {}
        """The cards that were carried over, by their places in the next round."""
        self._carried_in_play = False
        self._to_burn: int | None = None
        """A burn count without a face: this number of cards, or one of them."""
        self._count_each = False
        """This shoe sends a count for each burned card."""
        self._bit7_told = False

    def deadline(self) -> float | None:
        times = [at for at in (self._unread_since, self._settled_at) if at is not None]
        return min(times) + ONE_CARD_S if times else None

    def overdue(self, at: float) -> list[Event]:
        """Return the events that one second of silence implies."""
        since, settled, reported = self._unread_since, self._settled_at, list[Event]()
        if since is not None and since + ONE_CARD_S <= at:
            reported += self.unread()
        if settled is not None and settled + ONE_CARD_S <= at:
            reported += self._thrown_away()
        return reported

    def _thrown_away(self) -> list[Event]:
        """Report an overdrawn card as thrown away: it was not named after the end of its error."""
        if self._settled_at is None:
            return []
        self._settled_at, self._thrown = None, True
        count, self._excess = self._excess, 0
        return [ExcessDiscarded()] * count

    def link_up(self) -> None:
        """Forget the end of an overdraw: the card may have been named while the link was down."""
        self._settled_at = None

    def unread(self) -> list[Event]:
        """Report the unread card of an error that no card followed."""
        if self._unread_since is None:
            return []
        self._unread_since = None
        return [ReadFailed()]

    def gap(self) -> list[Event]:
        """Forget what is open: events were lost, so those before and after are not related."""
        self._faceless_at = self._settled_at = None
        return self.unread()

    def of(self, frame: EventFrame, at: float) -> list[Event]:
        """Return the events for the table of a new event of the shoe."""
        reported, code = self._bit7(frame), frame.code
        if code != _CARD:
            reported += self.unread()
        if self._settled_at is not None and code != _CARRIED:
            reported += self._thrown_away()
        faceless_at, self._faceless_at = self._faceless_at, None
        if code == _CARD:
            return reported + self._card(frame, at)
        if code == EventCode.ERROR:
            return reported + self._error(frame, at, faceless_at)
        if code == EventCode.ERROR_OVER:
            return reported + self._error_over(frame, at)
        say = self._WORDS.get(code)
        return reported + (say(self, frame) if say else [_unknown(frame)])

    def _bit7(self, frame: EventFrame) -> list[Event]:
        """Report a clear bit 7 once: by the sources it is set, and one of them sends it clear in
        tests."""
        if self._bit7_told or frame.code == _PRESET or min(frame.data[1:], default=0x80) >= 0x80:
            return []
        self._bit7_told = True
        return [Notice("the shoe sends data with bit 7 clear; it is read all the same")]

    # --- cards --------------------------------------------------------------------------------

    def _card(self, frame: EventFrame, at: float) -> list[Event]:
        """Return the events of a card of the game or of a burned card."""
        intention, index, card = _parted(frame)
        if intention == _BURN_COUNT:
            return self.unread() + self._count(frame, index, card)
        reported: list[Event] = []
        if intention in _HANDS:
            reported += self._burned_unseen()
            self._excess, self._thrown = 0, False
            if self._is_carried(frame, card):
                return reported + self.unread()
        else:
            self._to_burn = None
        if self._unread_since is not None:
            if not (self._unread_is_one_card and (card is None or self._unread_holds)):
                reported += self.unread()
            self._unread_since = None
        self._faceless_at = at if card is None else None
        return reported + _read(frame, intention, index, card)

    def _is_carried(self, frame: EventFrame, card: Card | None) -> bool:
        """Return whether this is a card carried over from the last round, which was reported
        then."""
        self._carried_in_play = True
        return card is not None and self._carried.pop(frame.data[1] & 0x7F, None) is card

    def _count(self, frame: EventFrame, index: int, card: Card | None) -> list[Event]:
        """Return the events of a burn count: how many are burned, or one of them. The sources allow
        both. It is never a card of the game."""
        if self._burn_count == "each_card":
            return _read(frame, _BURN, index, card)
        one_only = card is None and self._to_burn is None and not self._count_each
        if self._burn_count == "announced" or one_only:
            return self._announced(index)
        # A second count, or one with a face: this shoe sends one for each burned card.
        before: list[Event] = [] if self._to_burn is None else [ReadFailed()]
        self._to_burn, self._count_each = None, True
        return before + _read(frame, _BURN, index, card)

    def _announced(self, count: int) -> list[Event]:
        if count > MAX_BURN:
            return [EventsLost(f"the shoe says that {count} cards are burned, which cannot be")]
        self._to_burn = count
        return [Notice(f"the shoe says that {count} cards are burned")]

    def _burned_unseen(self) -> list[Event]:
        """Return the events of a count that no burned card followed: this number left unread."""
        count = self._to_burn or 0
        self._to_burn, self._count_each = None, False
        return [ReadFailed()] * count if count else []

    def _outside(self, frame: EventFrame) -> list[Event]:
        mode, _, card = _parted(frame)
        why = _OUTSIDE.get(mode)
        reported: list[Event] = [ExcessCard(card, why or "outside a game", frame.raw)]
        return (
            reported
            if why
            else [*reported, Notice(f"a card left the shoe in an unknown mode, {mode}")]
        )

    def _carry(self, frame: EventFrame) -> list[Event]:
        intention, index, card = _parted(frame)
        if self._r_event == "report_only":
            return [Notice("the shoe says that a card is carried to the next round")]
        if self._r_event == "redeal_clear":
            return [Notice("the shoe deals the round anew"), DeviceResult(Winner.GIVEN_UP)]
        self._settled_at = None
        self._carried[frame.data[1] & 0x7F] = card
        self._carried_in_play = False
        if not self._excess and self._thrown:
            return [EventsLost("the shoe carries a card that it seemed to have thrown away")]
        if not self._excess:
            return [ExcessCard(card, "carried", frame.raw)]
        self._excess -= 1
        if card is None:
            return [Notice("the shoe carries a card to the next round and does not name it")]
        return [ExcessNamed(card, _HANDS.get(intention), index, frame.raw)]

    # --- everything else ----------------------------------------------------------------------

    def _error(self, frame: EventFrame, at: float, faceless_at: float | None) -> list[Event]:
        code, must_clear = frame.data[1] & 0x3F, bool(frame.data[1] & 0x40)
        text = ERRORS.get(code, f"error {code}, which no public source explains")
        raised = ErrorRaised(code, text, must_clear, meaning_of(code))
        if code == OVERDRAW:
            self._excess, self._thrown = self._excess + 1, False
            return [ExcessCard(frame=frame.raw), raised]
        if code in (UNREADABLE, WRONG_CODE):
            together = faceless_at is not None and at - faceless_at <= ONE_CARD_S
            if not (together and self._unread_is_one_card):
                self._unread_since, self._unread_holds = at, must_clear
        return [raised]

    def _started(self, _: EventFrame) -> list[Event]:
        burning = bool(self._burned_unseen())
        self._excess, self._thrown = 0, False
        self._carried.clear()
        if burning:
            return [EventsLost("the shoe restarted while cards were burned"), Started()]
        return [Started()]

    def _stand_by(self, _: EventFrame) -> list[Event]:
        return [*self._burned_unseen(), StandBy()]

    def _cut(self, _: EventFrame) -> list[Event]:
        return [CutCard()]

    def _result(self, frame: EventFrame) -> list[Event]:
        if self._carried_in_play:
            self._carried.clear()
        winner = _WINNERS.get(frame.data[1] >> 4 & 7)
        if winner is None:
            return [*self._burned_unseen(), Notice("the shoe sent a result that is none")]
        if winner is Winner.GIVEN_UP:  # no source documents its pair bits
            return [*self._burned_unseen(), DeviceResult(winner)]
        pairs = frame.data[1]
        return [*self._burned_unseen(), DeviceResult(winner, bool(pairs & 1), bool(pairs & 2))]

    def _error_over(self, frame: EventFrame, at: float) -> list[Event]:
        code = frame.data[1] & 0x7F
        if code == OVERDRAW and self._excess and self._r_event == "next_round_card":
            self._settled_at = at
        return [ErrorCleared(code)]

    def _lock(self, frame: EventFrame) -> list[Event]:
        return [LockChanged(bool(frame.data[1] & 1))]

    def _preset(self, frame: EventFrame) -> list[Event]:
        text = frame.data[1:].decode("ascii", "replace")
        if not text.isalnum():
            return [Notice("a setting of the shoe was changed; which one cannot be read")]
        return [Notice(f"setting {text[:2]} of the shoe was changed to {text[2:]}")]

    _WORDS: Final[Mapping[int, Callable[["Meaning", EventFrame], list[Event]]]] = {
        EventCode.START: _started,
        EventCode.STAND_BY: _stand_by,
        EventCode.CUT_CARD: _cut,
        EventCode.RESULT: _result,
        EventCode.CARD_OUTSIDE: _outside,
        EventCode.CARRIED: _carry,
        EventCode.LOCK: _lock,
        EventCode.PRESET: _preset,
    }


def _parted(frame: EventFrame) -> tuple[int, int, Card | None]:
    """Return bits 6-4 and 3-0 of the first byte and the card of the second; bit 7 has no
    meaning."""
    first, second = frame.data[1], frame.data[2]
    return first >> 4 & 7, first & 15, card_of(second)


def _read(frame: EventFrame, intention: int, index: int, card: Card | None) -> list[Event]:
    """Return the events of a card that left the shoe for any purpose."""
    where = _WHERE.get(intention)
    reported: list[Event] = [
        ReadFailed(frame.raw) if card is None else CardRead(card, where, index, frame.raw)
    ]
    if where is None:
        reported.append(Notice(f"the shoe drew a card for a purpose nobody explains, {intention}"))
    elif index not in (1, 2, 3) and where in _OF_A_HAND:
        reported.append(
            Notice(f"the shoe says a card is number {index} of a hand, which cannot be")
        )
    return reported


def _unknown(frame: EventFrame) -> Event:
    return Notice(f"the shoe sent an unknown event, {frame.code:02X}h, of {len(frame.data)} bytes")
