"""What the console's pages need beyond the words: cards by number, whose turn it is, what is open.

Everything here is worked out from what lies exposed, from wagers and from what people said. A
sealed card is a number and a place, and nothing else.
"""

from collections import defaultdict
from typing import Final

from msgspec import to_builtins

from controller.cases import facts, offers
from controller.game.hands import Side
from controller.game.irregularities import Fact
from controller.game.rulebook import Rulebook
from controller.round import decks, methods, position, round_end
from controller.table import approvals
from controller.table.agenda import order
from controller.table.agenda.order import has_holds, legal_commands
from controller.table.approvals import Approval
from controller.table.cards import Drawn
from controller.table.case import (
    AwaitsApproval,
    AwaitsFact,
    AwaitsOrder,
    Case,
    PendingDecision,
    ReportedFacts,
    awaited_name,
)
from controller.table.commands.registry import REGISTRY, takes_own_pin
from controller.table.commands.reports import IDS
from controller.table.decks import DeckCount, DeckStage
from controller.table.phases import Phase
from controller.table.rules import Rules
from controller.table.state import (
    BettingStage,
    ByHand,
    Round,
    Shoe,
    ShoeRound,
    Table,
    VerifiedDecks,
)
from controller.views.rows import paid_rows
from controller.views.sentence_views import View
from drivers.cards import DECK


def on_the_table(table: Table, rules: Rules) -> View:
    """For the people who run the round."""
    return {
        "can": legal_commands(table, rules),
        "cards": _cards(table),
        "passing": _passing(table, rules),
        "case": _case(table),
        "withdrawable": _withdrawable(table, rules),
        "payouts": _payouts(table, rules),
        "outcome": _outcome(table, rules.book),
        "shoe_in_use": shoe_view(table.shoe),
        "shoe_due": table.shoe is None or table.change_shoe,
        "verified": isinstance(table.decks.shuffler, VerifiedDecks),
        "deck_sets": _deck_sets(table),
        "rest_passed": None if table.decks.rest is None else table.decks.rest.cards,
        "latches": [hold.kind.value for hold in table.latches],
        "left_at_shoe": _left_at_shoe(table.devices.left_at_shoe),
        "by_hand": _by_hand(table.devices.by_hand),
        "ended_at": None if table.round is None else table.round.log.ended or None,
    }


def _by_hand(mode: ByHand | None) -> View | None:
    if mode is None:
        return None
    return {name: getattr(mode, name) for name in mode.__struct_fields__}


def _left_at_shoe(left: ShoeRound | None) -> View | None:
    """What the last round has left to be done at the shoe before the next may open."""
    if left is None:
        return None
    fields = ("round", "since", "by_hand", "ended_by", "aside_by", "reason", "to_be_ended")
    return {name: getattr(left, name) for name in fields}


def _deck_sets(table: Table) -> list[View]:
    """Every set that is still there: where it is in its life, and what was last counted of it."""
    return [
        {
            "name": name,
            "decks": known.decks,
            "stage": known.stage.value,
            "shoes": known.shoes,
            "step": to_builtins(known.steps[-1]) if known.steps else None,
            "to_be_counted": decks.needs_count(table, name),
            "count": None if known.count is None else _deck_count(known.count),
        }
        for name, known in table.decks.sets.items()
        if known.stage is not DeckStage.DESTROYED
    ]


def _deck_count(count: DeckCount) -> View:
    return {**to_builtins(count), "short": count.short, "whole": count.whole}


def _cards(table: Table) -> list[View]:
    """Every card of the round in drawn order, where it lies, and its face once exposed."""
    round_ = table.round
    laid = round_.cards if round_ else ()
    known = {drawn.n for drawn in laid}
    # What the last round left aside lies in it still, and begins the next.
    carried = [drawn for drawn in table.carried if drawn.n not in known]
    return [_card(drawn) for drawn in (*laid, *carried)]


def _card(drawn: Drawn) -> View:
    return {
        "n": drawn.n,
        "hand": drawn.hand.value if drawn.hand else None,
        "card": drawn.card if drawn.exposed else None,
        "exposed": drawn.exposed,
    }


def totals(table: Table, book: Rulebook) -> View:
    """What each hand comes to, once all of it lies open."""
    return {side.value: _total(table.round, side, book) for side in Side}


def _total(round_: Round | None, side: Side, book: Rulebook) -> int | None:
    laid = position.hand(round_, side) if round_ else []
    known = laid and all(drawn.exposed and drawn.card is not None for drawn in laid)
    return position.total(book, laid) if known else None


def tags(table: Table, book: Rulebook) -> View:
    """What is worth a word of each hand: `natural`, `pair`. Only of a hand whose first two cards
    lie open."""
    return {side.value: _tags(table.round, side, book) for side in Side}


def _tags(round_: Round | None, side: Side, book: Rulebook) -> list[str]:
    first = position.hand(round_, side)[:2] if round_ else []
    cards = [drawn.card for drawn in first if drawn.exposed and drawn.card is not None]
    if len(cards) < 2:
        return []
    natural = book.play.is_natural(book.play.total(cards))
    pair = cards[0].rank is cards[1].rank
    return [*(["natural"] if natural else []), *(["pair"] if pair else [])]


def _outcome(table: Table, book: Rulebook) -> str | None:
    """Who has won, once every card lies open and no more is due; None of a void round."""
    round_ = table.round
    if round_ is None or round_.void_by is not None:
        return None
    if table.phase not in (Phase.OUTCOME, Phase.SETTLING) and not round_.over:
        return None
    if any(_total(round_, side, book) is None for side in Side):
        return None
    return position.dealt_round(book, round_).outcome.value


def _passing(table: Table, rules: Rules) -> View:
    """For each hand that somebody may handle: who takes it next, and by which clause. Nobody is
    passed a hand that has no card yet, unless the book lets a squeeze be asked for before it; and
    nobody one that lies open: there is nothing left to look at."""
    round_ = table.round
    if round_ is None or round_.over or round_.betting or has_holds(table):
        return {}
    if not methods.can_handle(rules, round_):
        return {}
    before = rules.method(round_.method).squeeze is not None
    return {
        side.value: _turn(round_, side, rules)
        for side in Side
        if side not in round_.handling.handlers and _has_to_be_turned(round_, side, before)
    }


def _has_to_be_turned(round_: Round, side: Side, before_any_card: bool) -> bool:
    cards = position.hand(round_, side)
    return any(not each.exposed for each in cards) if cards else before_any_card


def _turn(round_: Round, side: Side, rules: Rules) -> View:
    owner = methods.turn(rules, round_, side)
    return {
        "to": owner.player,
        "clause": owner.clause,
        "named_by_supervisor": methods.is_refused_by_all(rules, round_, side),
        "asked_by": round_.handling.squeeze_asked.get(side),
        "may_take": methods.can_still_accept(rules, round_, side),
        "may_leave": methods.can_refuse(rules, round_, side),
    }


def _case(table: Table) -> View | None:
    """The irregularity that is open: what was said so far, and what it waits for."""
    case = table.case
    if case is None:
        return None
    role = order.role_of(case)
    return {
        "id": case.id,
        "reported_by": case.reported_by,
        "asker": case.asker,
        "facts": dict(case.facts),
        "clause": case.clause,
        "role": role.value if role else None,
        "waits_for": awaited_name(case.awaits) if case.awaits else None,
        "approves": case.awaits.of if isinstance(case.awaits, AwaitsApproval) else None,
        "concerns": _concerns(table.round, case),
        "card": case.n,
        "entered": _entered(table, case),
        "kept": len(case.kept),
        "answers": {} if case.offer is None else dict(case.offer.answers),
        "text": case.text,
        "disputed": case.disputed,
        "about": _about(case.about),
        "decision": None if case.decision is None else _decision(case.decision),
    }


def _about(answer: ReportedFacts) -> View:
    """What a person said of it: cards by number and never by face."""
    positions = answer.lies
    return {
        "cards": list(answer.cards),
        "order": list(answer.order),
        "lies": None
        if positions is None
        else {side.value: list(n) for side, n in positions.items()},
        "wagers": [to_builtins(each) for each in answer.wagers],
        "round": answer.round,
        "text": answer.text,
    }


def _decision(decided: PendingDecision) -> View:
    """What was decided and waits for a second person."""
    return {
        "outcome": decided.outcome.value,
        "remove": [to_builtins(each) for each in decided.remove],
        "order": list(decided.order),
    }


def _concerns(round_: Round | None, case: Case) -> list[int]:
    """The cards that an open question, or an approval, is about, by number."""
    match case.awaits:
        case AwaitsFact(Fact.ORDER_KNOWN) | AwaitsOrder():
            return list(facts.affected_cards(round_, case))
        case AwaitsApproval("moved_card" | "doubt") if Fact.ORDER_KNOWN.value in case.facts:
            return list(facts.affected_cards(round_, case))
    return []


def _entered(table: Table, case: Case) -> View | None:
    """What the second person approves; the face only if the card lies open."""
    entered = case.entered
    if entered is None:
        return None
    cards = table.round.cards if table.round else ()
    lies_open = any(drawn.n == entered.n and drawn.exposed for drawn in cards)
    return {"n": entered.n, "card": entered.card if lies_open else None}


def _withdrawable(table: Table, rules: Rules) -> View:
    """For each player with an open option: the wagers that may come off, and if one by one."""
    offer, round_ = table.case.offer if table.case else None, table.round
    if offer is None or round_ is None:
        return {}
    each = offer.kind in offers.EACH_BY_ITSELF
    laid: dict[str, list[str]] = defaultdict(list)
    for wager in offers.undecided_wagers(round_, rules, offer.in_doubt):
        laid[wager.player].append(wager.id)
    return {
        player: {"wagers": laid.get(player, []), "each": each}
        for player in offer.open_to
        if player not in offer.answers
    }


def _payouts(table: Table, rules: Rules) -> list[View]:
    """What every wager will get, once the outcome is announced: what the dealer pays from."""
    round_ = table.round
    if table.phase is not Phase.SETTLING or has_holds(table) or round_ is None:
        return []
    paid, _ = round_end.settlement(table, position.dealt_round(rules.book, round_), rules)
    return paid_rows(paid)


def countdown(table: Table, rules: Rules) -> View | None:
    """Since when something is open and for how long; None where the house has set no time, and
    while the table is held: nobody can bet then, and a clock that runs would say they can."""
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


def _running(what: str, since: float, seconds: float | None) -> View | None:
    return None if seconds is None else {"what": what, "since": since, "seconds": seconds}


_TENTHS: Final = 10


def shoe_view(shoe: Shoe | None) -> View | None:
    """The shoe as staff know it: how far it has gone in tenths, for a bar on a screen. How many
    cards are left in it is nobody's business."""
    if shoe is None:
        return None
    return {
        "number": shoe.number,
        "deck_set": shoe.deck_set,
        "decks": shoe.decks,
        "verified_by": shoe.verified_by,
        "burn_left": shoe.burn_left,
        "gone": min(_TENTHS, _TENTHS * shoe.drawn // (len(DECK) * shoe.decks)),
        "cut_card_out": shoe.cut_card is not None,
        "rounds_after_cut": 0 if shoe.cut_card is None else shoe.cut_card.rounds_after,
    }


# --- what does not change while a table runs --------------------------------------------------


def about(rules: Rules) -> View:
    """The table as it was set up: its book, methods, wagers, limits, what may be reported."""
    book, house = rules.book, rules.house
    known = book.irregularity_by_id
    return {
        "rulebook": book.id,
        "title": book.title,
        "version": book.version,
        "decks": house.decks,
        "hlga": house.hlga,
        "deck_control": house.deck_control,
        "track_wagers": house.track_wagers,
        "closes_over_differential": book.may_settle_pro_rata is not None,
        "open_after_paying": house.open_after_paying,
        "positions": rules.positions,
        "numbered": house.numbered,
        "currency": rules.currency.code,
        "minor_units": rules.currency.minor_units,
        "wagers": [wager.id for wager in book.wagers],
        "methods": [_method(rules, method.id) for method in book.methods],
        "limits": {"min": house.minimum, "max": house.maximum, "differential": house.differential},
        "irregularities": [
            {"id": each, "name": known[each].name if each in known else None} for each in IDS
        ],
        "roles": [role.value for rung in rules.ladder.rungs for role in rung],
        "ladder": [[role.value for role in rung] for rung in rules.ladder.rungs],
        "uncovered": {"role": book.uncovered.role.value, "clause": book.uncovered.clause},
        "in_person": [word for word in REGISTRY if takes_own_pin(word)],
        "approvals": {act.value: _approval(row) for act, row in approvals.APPROVALS.items()},
    }


def _approval(row: Approval) -> View:
    return {
        "role": row.role.value,
        "second": row.second,
        "clause": row.clause,
        "in_person": row.in_person,
    }


def _method(rules: Rules, method_id: str) -> View:
    method = rules.method(method_id)
    return {
        "id": method.id,
        "name": method.name,
        "clause": method.choice or method.clause,
        "chosen_by": method.chosen_by.value,
        "player_draws": method.player_draws,
        "offered": method in rules.offered_methods(),
    }
