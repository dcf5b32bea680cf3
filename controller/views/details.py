"""Details for the console's pages: cards by number, turns, open cases.

Everything here is computed from exposed cards, from wagers and from what people entered. A sealed
card is only a number and a place.
"""

from collections import defaultdict
from typing import Final, Literal

from msgspec import convert
from msgspec.structs import replace

from controller.cases import facts, offers
from controller.game.hands import Outcome, Side
from controller.game.irregularities import Fact
from controller.game.rulebook import Rulebook
from controller.round import decks, methods, position, round_end
from controller.table.agenda import order
from controller.table.agenda.order import has_holds
from controller.table.case import (
    AwaitsApproval,
    AwaitsFact,
    AwaitsOrder,
    Case,
    PendingDecision,
    ReportedFacts,
    awaited_name,
)
from controller.table.decks import DeckCount, DeckStage
from controller.table.phases import Phase
from controller.table.rules import Rules
from controller.table.state import BettingStage, ByHand, Paid, Round, Shoe, ShoeRound, Table
from controller.views.structs.cards import CardView, EnteredView, card_view, face_of
from controller.views.structs.parts import (
    ByHandView,
    CaseView,
    CountdownView,
    DecisionView,
    DeckCountView,
    DeckSetView,
    LeftAtShoeView,
    ReportedView,
    ShoeView,
    Tag,
    TagsView,
    TotalsView,
    TurnView,
    WithdrawableView,
)
from drivers.cards import DECK


def by_hand(mode: ByHand | None) -> ByHandView | None:
    return None if mode is None else convert(mode, ByHandView, from_attributes=True)


def left_at_shoe(left: ShoeRound | None) -> LeftAtShoeView | None:
    """The steps of the last round that remain at the shoe before the next may open."""
    return None if left is None else convert(left, LeftAtShoeView, from_attributes=True)


def deck_sets(table: Table) -> list[DeckSetView]:
    """Every deck set on hand: its stage of life, and its last count."""
    return [
        DeckSetView(
            name=name,
            decks=known.decks,
            stage=known.stage,
            shoes=known.shoes,
            step=known.steps[-1] if known.steps else None,
            to_be_counted=decks.needs_count(table, name),
            count=None if known.count is None else _deck_count(known.count),
        )
        for name, known in table.decks.sets.items()
        if known.stage is not DeckStage.DESTROYED
    ]


def _deck_count(count: DeckCount) -> DeckCountView:
    return convert(count, DeckCountView, from_attributes=True)


def cards(table: Table) -> list[CardView]:
    """Every card of the round in drawn order, with its place, and its face once exposed."""
    round_ = table.round
    laid = round_.cards if round_ else ()
    known = {drawn.n for drawn in laid}
    # A card that the last round set aside is still there, and begins the next round.
    carried = [drawn for drawn in table.carried if drawn.n not in known]
    return [card_view(drawn) for drawn in (*laid, *carried)]


def totals(table: Table, book: Rulebook) -> TotalsView:
    """The total of each hand, once all of its cards are exposed."""
    return TotalsView(
        player=_total(table.round, Side.PLAYER, book), banker=_total(table.round, Side.BANKER, book)
    )


def _total(round_: Round | None, side: Side, book: Rulebook) -> int | None:
    laid = position.hand(round_, side) if round_ else []
    known = laid and all(drawn.exposed and drawn.card is not None for drawn in laid)
    return position.total(book, laid) if known else None


def tags(table: Table, book: Rulebook) -> TagsView:
    """The tags of each hand, `natural` or `pair`, once its first two cards are exposed."""
    return TagsView(
        player=_tags(table.round, Side.PLAYER, book), banker=_tags(table.round, Side.BANKER, book)
    )


def _tags(round_: Round | None, side: Side, book: Rulebook) -> list[Tag]:
    first = position.hand(round_, side)[:2] if round_ else []
    cards = [drawn.card for drawn in first if drawn.exposed and drawn.card is not None]
    if len(cards) < 2:
        return []
    found: list[Tag] = []
    if book.play.is_natural(book.play.total(cards)):
        found.append("natural")
    if cards[0].rank is cards[1].rank:
        found.append("pair")
    return found


def outcome(table: Table, book: Rulebook) -> Outcome | None:
    """The outcome, once every card is exposed and no more is due; None for a void round."""
    round_ = table.round
    if round_ is None or round_.void_by is not None:
        return None
    if table.phase not in (Phase.OUTCOME, Phase.SETTLING) and not round_.over:
        return None
    if any(_total(round_, side, book) is None for side in Side):
        return None
    return position.dealt_round(book, round_).outcome


def passing(table: Table, rules: Rules) -> dict[Side, TurnView]:
    """For each hand that can be handled: who takes it next, and by which clause. A hand without a
    card can be passed only if the rulebook allows a squeeze request before it is dealt. An exposed
    hand cannot be passed, because nothing is left to look at."""
    round_ = table.round
    if round_ is None or round_.over or round_.betting or has_holds(table):
        return {}
    if not methods.can_handle(rules, round_):
        return {}
    before = rules.method(round_.method).squeeze is not None
    return {
        side: _turn(round_, side, rules)
        for side in Side
        if side not in round_.handling.handlers and _has_to_be_turned(round_, side, before)
    }


def _has_to_be_turned(round_: Round, side: Side, before_any_card: bool) -> bool:
    cards = position.hand(round_, side)
    return any(not each.exposed for each in cards) if cards else before_any_card


def _turn(round_: Round, side: Side, rules: Rules) -> TurnView:
    owner = methods.turn(rules, round_, side)
    return TurnView(
        to=owner.player,
        clause=owner.clause,
        named_by_supervisor=methods.is_refused_by_all(rules, round_, side),
        asked_by=round_.handling.squeeze_asked.get(side),
        may_take=methods.can_still_accept(rules, round_, side),
        may_leave=methods.can_refuse(rules, round_, side),
    )


def case_view(table: Table) -> CaseView | None:
    """The open irregularity: the answers so far, and what it waits for."""
    case = table.case
    if case is None:
        return None
    return CaseView(
        id=case.id,
        reported_by=case.reported_by,
        asker=case.asker,
        facts=case.facts,
        clause=case.clause,
        role=order.role_of(case),
        waits_for=awaited_name(case.awaits) if case.awaits else None,
        approves=case.awaits.of if isinstance(case.awaits, AwaitsApproval) else None,
        concerns=_concerns(table.round, case),
        card=case.n,
        entered=_entered(table, case),
        kept=len(case.kept),
        answers={} if case.offer is None else case.offer.answers,
        text=case.text,
        disputed=case.disputed,
        about=_about(case.about),
        decision=None if case.decision is None else _decision(case.decision),
    )


def _about(answer: ReportedFacts) -> ReportedView:
    return ReportedView(
        cards=answer.cards,
        order=answer.order,
        lies=answer.lies,
        wagers=answer.wagers,
        round=answer.round,
        text=answer.text,
    )


def _decision(decided: PendingDecision) -> DecisionView:
    return DecisionView(decided.outcome, decided.remove, decided.order)


def _concerns(round_: Round | None, case: Case) -> list[int]:
    """The numbers of the cards that an open question or approval concerns."""
    match case.awaits:
        case AwaitsFact(Fact.ORDER_KNOWN) | AwaitsOrder():
            return list(facts.affected_cards(round_, case))
        case AwaitsApproval("moved_card" | "doubt") if Fact.ORDER_KNOWN.value in case.facts:
            return list(facts.affected_cards(round_, case))
    return []


def _entered(table: Table, case: Case) -> EnteredView | None:
    """The entered card that a second person approves; its face only if the card is exposed."""
    entered = case.entered
    if entered is None:
        return None
    laid = table.round.cards if table.round else ()
    card = next((drawn for drawn in laid if drawn.n == entered.n), None)
    face = None if card is None else face_of(replace(card, card=entered.card))
    return EnteredView(entered.n, face)


def withdrawable(table: Table, rules: Rules) -> dict[str, WithdrawableView]:
    """For each player with an open option: which wagers may be withdrawn, and whether one by
    one."""
    offer, round_ = table.case.offer if table.case else None, table.round
    if offer is None or round_ is None:
        return {}
    each = offer.kind in offers.EACH_BY_ITSELF
    laid: dict[str, list[str]] = defaultdict(list)
    for wager in offers.undecided_wagers(round_, rules, offer.in_doubt):
        laid[wager.player].append(wager.id)
    return {
        player: WithdrawableView(laid.get(player, []), each)
        for player in offer.open_to
        if player not in offer.answers
    }


def payouts(table: Table, rules: Rules) -> tuple[Paid, ...]:
    """The payout of every wager, once the outcome is announced; the dealer pays from it."""
    round_ = table.round
    if table.phase is not Phase.SETTLING or has_holds(table) or round_ is None:
        return ()
    paid, _ = round_end.settlement(table, position.dealt_round(rules.book, round_), rules)
    return paid


def countdown(table: Table, rules: Rules) -> CountdownView | None:
    """The start and length of the running clock. None if the house has set no time, and while the
    table is held, because a running clock would suggest that players can bet."""
    house, round_ = rules.house, table.round
    offer = table.case.offer if table.case else None
    if table.clocks.stopped_at is not None:
        return None
    if offer is not None:
        return _running("option", offer.at, house.option_timeout_s)
    stage = None if round_ is None else round_.stage
    if isinstance(stage, BettingStage) and not has_holds(table):
        return _running("betting", stage.opened_at, house.betting_s)
    return None


def _running(
    what: Literal["betting", "option"], since: float, seconds: float | None
) -> CountdownView | None:
    return None if seconds is None else CountdownView(what, since, seconds)


_TENTHS: Final = 10


def shoe_view(shoe: Shoe | None) -> ShoeView | None:
    """The shoe for staff: its progress in tenths, for a bar on a screen. The number of cards left
    is withheld on purpose."""
    if shoe is None:
        return None
    return ShoeView(
        number=shoe.number,
        deck_set=shoe.deck_set,
        decks=shoe.decks,
        verified_by=shoe.verified_by,
        burn_left=shoe.burn_left,
        gone=min(_TENTHS, _TENTHS * shoe.drawn // (len(DECK) * shoe.decks)),
        cut_card_out=shoe.cut_card is not None,
        rounds_after_cut=0 if shoe.cut_card is None else shoe.cut_card.rounds_after,
    )
