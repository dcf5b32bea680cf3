"""What a book does when something goes wrong: rows of facts, steps and clauses.

An irregularity has one or more rulings; the first whose facts hold is carried out, step by step. A
fact is either computed from what lies exposed or asked of a person. What a book is silent about has
no row and goes to the book's `uncovered` role.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from controller.game.roles import Role


class Fact(Enum):
    """What a ruling turns on; where a person is asked, the catalogue has the question."""

    __hash__ = object.__hash__

    INITIAL_DEAL = "initial_deal"
    OUTCOME_ESTABLISHED = "outcome_established"
    FIRST_CARD_DEALT = "first_card_dealt"
    CARD_EXPOSED = "card_exposed"
    BETS_CLOSED = "bets_closed"
    PLAYER_DRAWS = "player_draws"
    ORDER_KNOWN = "order_known"
    RECONSTRUCTABLE = "reconstructable"
    VALUE_KNOWN = "value_known"
    DEALT_FACE_UP = "dealt_face_up"
    BELONGS = "belongs"
    UNSHUFFLED = "unshuffled"
    NEXT_ROUND_COMMENCED = "next_round_commenced"
    INTERRUPTED = "interrupted"
    MAY_WITHDRAW = "may_withdraw"


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


class RulingStep(StrEnum):
    """One thing that is done about an irregularity, by its name. What each does is in
    `controller.cases.steps`; one that a single book has may be named in its row alone."""

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

    step: str
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
    fields: tuple[str, ...] = ()
    """What a report of it tells, where no common form (`controller.table.words.reports`) says."""
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Uncovered:
    """Who decides what the book does not cover; `clause` None where even that is not said."""

    role: Role
    clause: str | None
