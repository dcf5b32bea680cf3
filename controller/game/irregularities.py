"""What a book does when something goes wrong: rows of facts, steps and clauses.

An irregularity has one or more rulings; the first whose facts hold is carried out, step by step. A
fact is either computed from what lies exposed or asked of a person. What a book is silent about has
no row and goes to the book's `uncovered` role.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from controller.game.roles import Role


class Fact(Enum):
    """What a ruling turns on. The value is the question put to a person, where it is asked."""

    INITIAL_DEAL = "is one of the cards among the first four?"
    OUTCOME_ESTABLISHED = "has any available wager been decided by exposed cards?"
    FIRST_CARD_DEALT = "has the first card of the round been dealt?"
    CARD_EXPOSED = "is a card of this round exposed?"
    BETS_CLOSED = "have bets been closed?"
    PLAYER_DRAWS = "does a player draw the cards?"
    ORDER_KNOWN = "is the order of the cards known?"
    RECONSTRUCTABLE = "can the cards be put back in their order?"
    VALUE_KNOWN = "does the device or surveillance know the cards?"
    DEALT_FACE_UP = "was the card dealt face up?"
    BELONGS = "does the card belong to the cards in use?"
    UNSHUFFLED = "were unshuffled cards used?"
    NEXT_ROUND_COMMENCED = "had the next round commenced when it was noticed?"
    INTERRUPTED = "was play interrupted?"
    MAY_WITHDRAW = "does the dealer let players withdraw their wagers?"


COMPUTED = frozenset(
    {
        Fact.INITIAL_DEAL,
        Fact.OUTCOME_ESTABLISHED,
        Fact.FIRST_CARD_DEALT,
        Fact.CARD_EXPOSED,
        Fact.BETS_CLOSED,
        Fact.PLAYER_DRAWS,
        Fact.NEXT_ROUND_COMMENCED,
    }
)


class Step(Enum):
    """One thing that is done about an irregularity."""

    VOID = "void"
    VOID_IF_SETTLED_TOO = "void_if_settled_too"
    """Also after the settlement, as long as the next round has not commenced."""
    GO_ON = "go_on"
    REFUSE = "refuse"
    STANDS = "stands"
    NO_EFFECT = "no_effect"
    RECONSTRUCT = "reconstruct"
    SET_ASIDE = "set_aside"
    SAY_ORDER = "say_order"
    TAKE_BACK = "take_back"
    DEALER_EXPOSES = "dealer_exposes"
    REBET = "rebet"
    DECIDE = "decide"
    MAY_REPLACE_CARDS = "may_replace_cards"
    MUST_REPLACE_CARDS = "must_replace_cards"
    KEEP_TWO = "keep_two"
    """With SORT, what is done before the missing cards can be told."""
    SORT = "sort"
    MISSING_CARDS = "missing_cards"
    TAKE_EQUAL_CARDS = "take_equal_cards"
    ENTER_CARD = "enter_card"
    ENTER_UNREAD = "enter_unread"
    PUT_RIGHT = "put_right"
    OFFER_EACH = "offer_each"
    OFFER_ALL = "offer_all"
    OFFER_REMAINING = "offer_remaining"
    OFFER_DEALING_ERROR = "offer_dealing_error"


@dataclass(frozen=True)
class Then:
    """A step with the clause it comes from and, where one is named, the role it needs."""

    step: Step
    clause: str
    role: Role | None = None
    returns: str | None = None
    """The clause by which an offer gives a wager back, where it is another than the offer's."""
    plays_on: str | None = None
    """The clause by which a wager stays, where it is another than the offer's."""


@dataclass(frozen=True)
class Ruling:
    """What is done when these facts hold; the clause is the one shown for the whole."""

    clause: str
    then: tuple[Then, ...]
    when: Mapping[Fact, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Irregularity:
    id: str
    name: str
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True)
class Uncovered:
    """Who decides what the book does not cover; `clause` None where even that is not said."""

    role: Role
    clause: str | None
