"""The shape of what is told, as structs: for the documents that promise it.

The views are made as plain data, once a step; a test holds every answer of every story to these.
"""

import msgspec

from controller.messages.sentence import Param
from controller.table.state import Paid

Params = dict[str, Param]


class SentenceShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence, by its code and in English."""

    code: str
    gaps: Params
    text: str


class HoldShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that holds the table: what happened, since when, who can end it, what to do."""

    kind: str
    what: str
    code: str
    gaps: Params
    text: str
    since: float
    role: str | None
    word: str | None
    clause: str | None
    second: bool
    """It takes somebody else than whoever asks."""
    round: int | None
    remedy: SentenceShape
    ends: SentenceShape
    detail: SentenceShape | None
    """The maker's own words and number."""


class NextActShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The word of a person that does what the prompt says."""

    word: str
    hand: str | None
    player: str | None
    face: bool
    """It says which card it is: the card lies open."""


class PromptShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the dealer does and says next."""

    do: str
    say: str | None
    clause: str | None
    code: str
    gaps: Params
    say_code: str | None
    say_gaps: Params | None
    act: NextActShape | None
    """Null where the next act is at a device, or a question."""
    card_to: str | None
    """The hand that the next card of the shoe goes to, where the prompt asks for one."""


class LeadShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where one answer leads."""

    clause: str | None
    steps: list[str]
    """Of the ruling that it comes under."""
    asks: SentenceShape | None
    """One more question."""
    decides: str | None
    """The role that decides what the book does not cover."""


class LeadsShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    yes: LeadShape
    no: LeadShape


class AskShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question that has to be answered before the table goes on."""

    case: str
    ask: str
    says: str
    code: str
    gaps: Params
    do: str
    role: str | None
    second: bool
    """It takes somebody else than whoever asked for it."""
    there: bool
    """Whoever approves it has looked at the table itself: nobody does so from the floor."""
    clause: str | None
    device: SentenceShape | None
    """The device's error that it is about, in the driver's words."""
    leads: LeadsShape | None
    """Of a question of fact."""
    since: float | None
    """Since when it waits, in seconds since 1970."""


class OfferShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An option that a player has not answered yet."""

    to: str
    choices: list[str]
    kind: str
    clause: str | None
    by: dict[str, str | None]


class HandsShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Both hands; a card that lies face down is null."""

    player: list[str | None]
    banker: list[str | None]


class AnswerShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a step led to."""

    accepted: bool
    reason: str | None
    code: str | None
    gaps: Params | None
    clause: str | None
    state: str
    phase: str
    ref: str | None
    """What the round is called elsewhere, where it was given a name."""
    held: list[HoldShape]
    prompt: PromptShape
    asks: list[AskShape]
    offers: list[OfferShape]
    hands: HandsShape
    settlements: list[Paid]
    notes: list[SentenceShape]
    """What the table has told since the round commenced: which card went where, for one."""
