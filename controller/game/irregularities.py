"""A rulebook's reactions to irregularities: rows of facts, steps and clauses.

An irregularity has one or more rulings; the first whose facts hold is carried out, step by step. A
fact is either computed from the exposed cards or asked of a person. An irregularity without a row
goes to the book's `uncovered` role.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from controller.game.roles import Role


class Fact(Enum):
    """A condition of a ruling; the catalogue has the question for facts that a person answers."""

    __hash__ = object.__hash__

    INITIAL_DEAL = "initial_deal"
    OUTCOME_ESTABLISHED = "outcome_established"
    ROUND_IN_PLAY = "round_in_play"
    AFTER_THE_CALL = "after_the_call"
    """A round is in play and "No more bets" has been called in it."""
    HANDS_COMPLETE = "hands_complete"
    """Exposed cards alone complete both hands."""
    NUMBER_WRONG = "number_wrong"
    """A hand has more or fewer cards than it should, by the reported positions."""
    ONLY_CARDS_TOO_MANY = "only_cards_too_many"
    """Exposed cards complete both hands, and the misplaced cards are excess cards."""
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
    """An error of an earlier round concerns the cards in play now."""


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
    """A condition without which a report cannot be true. The table computes it and refuses a report
    that contradicts it; the rulings' facts identify true reports outside the clause."""

    __hash__ = object.__hash__

    ROUND = "round"
    """A round has been played, or is in play."""
    NOT_VOID = "not_void"
    """There is a round that the report can be about, and it is not void already."""
    VOID = "void"
    AFTER_THE_CALL = "after_the_call"
    CARDS_DEALT = "cards_dealt"
    TWO_CARDS_TOGETHER = "two_cards_together"
    """The cards that came out together are two or more, drawn one after the other; a reported order
    contains exactly those cards."""
    CARD_ASIDE = "card_aside"
    """A card is on neither hand."""
    LIES_ELSEWHERE = "lies_elsewhere"
    """Some card is not where the table shows it; positions are asked for if not given."""
    NUMBER_WRONG = "number_wrong"
    """A hand has another number of cards than it should; positions are asked for if not given."""
    CARD_DUE = "card_due"
    """The hands are not complete yet."""
    SHOE_RUNS_SHORT = "shoe_runs_short"
    """By the ledger the shoe has fewer cards left than the round may need."""
    CARDS_SHOWN = "cards_shown"
    """The report names cards that were shown, or some are exposed already. Where cards are dealt
    face up, it names a card that was not visible before."""
    PLAYERS_HANDLE = "players_handle"
    """Players may handle the cards in this round, and a player handles, or should handle, the named
    hand."""
    NOT_WITH_ITS_PLAYER = "not_with_its_player"
    """The named hand has not been taken by its player."""
    ASIDE_NOT_RULED = "aside_not_ruled"
    """One of the cards set aside has not been asked about yet."""
    NOT_RULED_YET = "not_ruled_yet"
    """No ruling of this round concerned these cards."""
    NOT_DECIDED_YET = "not_decided_yet"
    """There is no free decision on this in the round: what the role named by the book has decided
    is not undone by a new report of two people of a lower role."""
    NOT_RUNNING = "not_running"
    """A round has been played before, and the round in play is not named."""
    UNDER_MINIMUM = "under_minimum"
    OVER_MAXIMUM = "over_maximum"
    DIFFERENTIAL_EXCEEDED = "differential_exceeded"
    EARLIER_ROUND = "earlier_round"
    """The report names a round before the last one."""


ASKS_WHERE_CARDS_LIE = frozenset({Precondition.LIES_ELSEWHERE, Precondition.NUMBER_WRONG})
"""Facts that cannot be computed before the positions of cards are reported."""


class RulingStep(StrEnum):
    """One step of a ruling, by name. `controller.cases.steps` has the implementations; a step of a
    single book may be named in its row alone."""

    VOID = "void"
    VOID_IF_SETTLED_TOO = "void_if_settled_too"
    """Also after the settlement, until the next round commences."""
    GO_ON = "go_on"
    PLAY_ON = "play_on"
    """The round is played to its end; for a finished round nothing remains to be done."""
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
    """The hands are as people report them. If that moves an exposed card to another hand than the
    table showed, a second person approves first."""
    STRIKE = "strike"
    """Wagers named in the report are not honoured; a second person approves first."""
    DECIDE = "decide"
    MAY_REPLACE_CARDS = "may_replace_cards"
    MUST_REPLACE_CARDS = "must_replace_cards"
    KEEP_TWO = "keep_two"
    """With SORT, the step before the missing cards can be identified."""
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
"""Steps that change hands or wagers of a round in play, or continue it. No ruling does so for a
finished round: the role that decides what the book does not cover decides that."""


LEAVES_CARDS_ALONE = frozenset(
    {RulingStep.NO_EFFECT, RulingStep.STANDS, RulingStep.REFUSE, RulingStep.VOID_IF_SETTLED_TOO}
)
"""Steps still possible for a round whose cards left with their shoe; the same role decides the
rest."""


@dataclass(frozen=True)
class Then:
    """A step with its clause and, if given, the role it needs."""

    step: str
    clause: str
    role: Role | None = None
    returns: str | None = None
    """The clause by which an offer returns a wager, if it differs from the offer's."""
    plays_on: str | None = None
    """The clause by which a wager stays, if it differs from the offer's."""


@dataclass(frozen=True)
class Ruling:
    """The steps for a set of facts; the clause is the one shown for the whole."""

    clause: str
    then: tuple[Then, ...]
    when: Mapping[Fact, bool] = field(default_factory=dict)


def one_step(
    clause: str, step: str, when: Mapping[Fact, bool] = {}, role: Role | None = None
) -> Ruling:
    """Build a ruling of a single step with the same clause."""
    return Ruling(clause, (Then(step, clause, role),), when)


@dataclass(frozen=True)
class Irregularity:
    id: str
    name: str
    rulings: tuple[Ruling, ...]
    needs: tuple[Precondition, ...] = ()
    """Conditions on the reported round. They do not apply to an earlier round, which the book's row
    `late_error` covers."""
    fields: tuple[str, ...] = ()
    """Fields of its report in addition to those of `controller.table.commands.reports`."""
    facts: tuple[str, ...] = ()
    ruled_anew: bool = False
    """Whether cards exposed while it waits for people cause a new ruling."""
    earlier: tuple[Ruling, ...] = ()
    """The ruling for an earlier round, if the book has one; otherwise its row `late_error`
    applies."""
    described_by: str = ""
    """The clause that defines it, if that is not the one of its last ruling: a false report is
    refused by this clause."""


@dataclass(frozen=True)
class Uncovered:
    """The role that decides what the book does not cover; `clause` is None if the book names no
    role."""

    role: Role
    clause: str | None
