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
    ROUND_IN_PLAY = "round_in_play"
    AFTER_THE_CALL = "after_the_call"
    """A round is in play and "No more bets" has been called in it."""
    HANDS_COMPLETE = "hands_complete"
    """Exposed cards alone complete both hands."""
    NUMBER_WRONG = "number_wrong"
    """A hand has more or fewer cards than it should, as they were said to lie."""
    ONLY_CARDS_TOO_MANY = "only_cards_too_many"
    """Exposed cards complete both hands, and what lies wrong are cards too many."""
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
    INTERRUPTED = "interrupted"
    MAY_WITHDRAW = "may_withdraw"
    IN_USE = "in_use"
    """An error of an earlier round concerns the cards that are played with now."""


COMPUTED = frozenset(
    {
        Fact.INITIAL_DEAL,
        Fact.OUTCOME_ESTABLISHED,
        Fact.ROUND_IN_PLAY,
        Fact.AFTER_THE_CALL,
        Fact.HANDS_COMPLETE,
        Fact.NUMBER_WRONG,
        Fact.ONLY_CARDS_TOO_MANY,
        Fact.FIRST_CARD_DEALT,
        Fact.CARD_EXPOSED,
        Fact.BETS_CLOSED,
        Fact.PLAYER_DRAWS,
    }
)


class Precondition(Enum):
    """What must be so for a report to be true at all. The table computes it and refuses what did
    not happen; what happened and lies outside the clause is told apart by the rulings' facts."""

    __hash__ = object.__hash__

    ROUND = "round"
    """A round has been played, or is: there is something to report about."""
    NOT_VOID = "not_void"
    """There is a round it may be about, and that has not been declared void already."""
    VOID = "void"
    AFTER_THE_CALL = "after_the_call"
    CARDS_DEALT = "cards_dealt"
    TWO_CARDS_TOGETHER = "two_cards_together"
    """The cards that came out together are two or more, drawn one after the other, and an order
    that is said is of those cards and no others."""
    CARD_ASIDE = "card_aside"
    """A card lies on neither hand."""
    LIES_ELSEWHERE = "lies_elsewhere"
    """Some card lies elsewhere than the table shows; where cards lie is asked if not said."""
    NUMBER_WRONG = "number_wrong"
    """A hand has another number of cards than it should; likewise."""
    CARD_DUE = "card_due"
    """The hands are not complete yet."""
    SHOE_RUNS_SHORT = "shoe_runs_short"
    """By the ledger the shoe has fewer cards left than the round takes whatever comes."""
    CARDS_SHOWN = "cards_shown"
    """The report names cards that were shown, or some lie open already; where cards are dealt face
    up, it names one that nobody had seen yet."""
    PLAYERS_HANDLE = "players_handle"
    """Players may handle the cards as this round is dealt, and somebody does or should handle the
    hand that is named."""
    NOT_WITH_ITS_PLAYER = "not_with_its_player"
    """The hand that is named has not been taken by the player whose it is."""
    ASIDE_NOT_RULED = "aside_not_ruled"
    """Of the cards that lie aside one has not been asked about yet."""
    NOT_RULED_YET = "not_ruled_yet"
    """No ruling of this round was about these very cards."""
    NOT_DECIDED_YET = "not_decided_yet"
    """Nobody has decided this in their own words in this round: what the role that the book names
    has decided is not undone by two of a lower one who report it again."""
    NOT_RUNNING = "not_running"
    """A round has been played before, and the one in play is not named."""
    UNDER_MINIMUM = "under_minimum"
    OVER_MAXIMUM = "over_maximum"
    DIFFERENTIAL_EXCEEDED = "differential_exceeded"
    EARLIER_ROUND = "earlier_round"
    """The report names a round before the last one."""


ASKS_WHERE_CARDS_LIE = frozenset({Precondition.LIES_ELSEWHERE, Precondition.NUMBER_WRONG})
"""What cannot be computed before somebody has said where cards lie."""


class RulingStep(StrEnum):
    """One thing that is done about an irregularity, by its name. What each does is in
    `controller.cases.steps`; one that a single book has may be named in its row alone."""

    VOID = "void"
    VOID_IF_SETTLED_TOO = "void_if_settled_too"
    """Also after the settlement, as long as the next round has not commenced."""
    GO_ON = "go_on"
    PLAY_ON = "play_on"
    """The round is played to its end; of one that has ended nothing is left to be done."""
    REFUSE = "refuse"
    STANDS = "stands"
    NO_EFFECT = "no_effect"
    RECONSTRUCT = "reconstruct"
    SET_ASIDE = "set_aside"
    SAY_ORDER = "say_order"
    TAKE_BACK = "take_back"
    DEALER_EXPOSES = "dealer_exposes"
    REBET = "rebet"
    AS_THEY_LIE = "as_they_lie"
    """The hands are what people see them to be; where that puts an exposed card on another hand
    than the table showed, a second person approves first."""
    STRIKE = "strike"
    """Wagers that the report names are not honoured; a second person approves first."""
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


CHANGES = frozenset(
    {
        RulingStep.VOID,
        RulingStep.PLAY_ON,
        RulingStep.RECONSTRUCT,
        RulingStep.SET_ASIDE,
        RulingStep.AS_THEY_LIE,
        RulingStep.SAY_ORDER,
        RulingStep.STRIKE,
        RulingStep.TAKE_BACK,
        RulingStep.DEALER_EXPOSES,
        RulingStep.REBET,
        RulingStep.KEEP_TWO,
        RulingStep.PUT_RIGHT,
        RulingStep.OFFER_EACH,
        RulingStep.OFFER_ALL,
        RulingStep.OFFER_REMAINING,
        RulingStep.OFFER_DEALING_ERROR,
    }
)
"""What changes hands or wagers of a round in play, or plays it on. Of one that is over no ruling
does it by itself: that is for the role that decides what the book does not cover."""


LEAVES_CARDS_ALONE = frozenset(
    {RulingStep.NO_EFFECT, RulingStep.STANDS, RulingStep.REFUSE, RulingStep.VOID_IF_SETTLED_TOO}
)
"""What may still be done about a round whose cards left with their shoe; the rest is for the same
role."""


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


def one_step(
    clause: str, step: str, when: Mapping[Fact, bool] = {}, role: Role | None = None
) -> Ruling:
    """A ruling of a single step, both by the same clause."""
    return Ruling(clause, (Then(step, clause, role),), when)


@dataclass(frozen=True)
class Irregularity:
    id: str
    name: str
    rulings: tuple[Ruling, ...]
    needs: tuple[Precondition, ...] = ()
    """What must be so of the round it is about. Of an earlier round nothing is asked: what a book
    does about one is in its row `late_error`."""
    fields: tuple[str, ...] = ()
    """The fields of a report of it in addition to those of `controller.table.commands.reports`."""
    facts: tuple[str, ...] = ()
    ruled_anew: bool = False
    """While it waits for people, cards that are shown all the same have it ruled again."""
    earlier: tuple[Ruling, ...] = ()
    """What is done about one of an earlier round, where the book speaks of that; else what its row
    `late_error` says."""
    described_by: str = ""
    """The clause that says what it is, where that is not the one of its last ruling: a report of
    what did not happen is refused by it."""


@dataclass(frozen=True)
class Uncovered:
    """Who decides what the book does not cover; `clause` None where even that is not said."""

    role: Role
    clause: str | None
