"""The view of each audience as plain data, one function each.

A sealed card is `null` in every view: no audience may learn it before it is exposed. No view
contains the cards left in the shoe.
"""

from typing import Final

from msgspec.structs import asdict

from controller.engine.hold_list import state_name
from controller.engine.prompts import request_sentence
from controller.messages.codes import Code
from controller.round.wagers import betting
from controller.table.agenda.order import legal_commands
from controller.table.case import AwaitsApproval, Ruled
from controller.table.requests import ApprovalRequest, CorrectCard, EnterFirstCard
from controller.table.rules import Rules
from controller.table.state import Paid, Round, Table, VerifiedDecks
from controller.views import details
from controller.views.questions import open_offers, open_questions
from controller.views.sentence_views import (
    ShownHold,
    english,
    held_view,
    prompt_view,
    sentence_view,
)
from controller.views.structs.audience_views import (
    AudienceViews,
    PublicView,
    StaffView,
    SurveillanceView,
)
from controller.views.structs.cards import hands_view
from controller.views.structs.parts import (
    DifferenceView,
    LimitsView,
    MovedChipsView,
    RequestView,
    RulingView,
    SealedView,
    WagerLimitsView,
)


def render_views(table: Table, rules: Rules) -> AudienceViews:
    """Render the views of all audiences after a step; shared parts are computed once."""
    for_all = public(table, rules)
    for_staff = _staff(for_all, table, rules)
    for_surveillance = _surveillance(for_staff, table)
    return AudienceViews(for_staff, for_staff, for_all, for_surveillance)


def dealer(table: Table, rules: Rules) -> StaffView:
    """The dealer's view: the next action, the commands, the cards, the wagers by position."""
    return _staff(public(table, rules), table, rules)


def _staff(for_all: PublicView, table: Table, rules: Rules) -> StaffView:
    held, round_ = held_view(table, rules), table.round
    return StaffView(
        **asdict(for_all),
        can=legal_commands(table, rules),
        cards=details.cards(table),
        passing=details.passing(table, rules),
        case=details.case_view(table),
        withdrawable=details.withdrawable(table, rules),
        payouts=details.payouts(table, rules),
        outcome=details.outcome(table, rules.book),
        shoe_in_use=details.shoe_view(table.shoe),
        shoe_due=table.shoe is None or table.change_shoe,
        verified=isinstance(table.decks.shuffler, VerifiedDecks),
        deck_sets=details.deck_sets(table),
        rest_passed=None if table.decks.rest is None else table.decks.rest.cards,
        latches=[hold.kind for hold in table.latches],
        left_at_shoe=details.left_at_shoe(table.devices.left_at_shoe),
        by_hand=details.by_hand(table.devices.by_hand),
        ended_at=None if round_ is None else round_.log.ended or None,
        prompt=prompt_view(table, rules),
        asks=open_questions(table, rules),
        offers=open_offers(table),
        wagers=() if round_ is None else round_.wagers,
        settlements=settlements(table),
        last_wagers=table.history.last_wagers if _taking_wagers(table) else (),
        drawer=table.play.drawer,
        dealer=None if round_ is None else round_.dealer,
        handlers={} if round_ is None else round_.handling.handlers,
        notes=[sentence_view(notice, rules) for notice in table.notices],
        held=held,
        stopped_by=stopped_by(held),
        queue=[case.id for case in table.queue],
        rulings=[_ruling(ruled) for ruled in table.rulings],
        request=None if table.request is None else _request(table.request, rules),
        differences=differences(table),
        chips=chips(table),
        close_after=table.day.is_closing,
        moved=() if round_ is None else round_.interventions.moved,
    )


def _ruling(ruled: Ruled) -> RulingView:
    code = Code.ROUND_IS_VOID.value if ruled.moot else None
    return RulingView(**asdict(ruled), code=code, gaps={} if code else None)


def _request(request: ApprovalRequest, rules: Rules) -> RequestView:
    """A pending request: its fields, and the question to the second person."""
    asked = request_sentence(request)
    return RequestView(
        what=request.kind,
        by=request.by,
        given=request.subject,
        reason=request.reason,
        code=asked.code,
        gaps=asked.params,
        text=english(rules).text(asked),
    )


def stopped_by(held: list[ShownHold]) -> str | None:
    """Why the table has stopped, as text: everything that holds it."""
    return "; ".join(hold.text for hold in held) or None


def pit(table: Table, rules: Rules) -> StaffView:
    """The pit's view, equal to the dealer's: both need the same pending decisions."""
    return dealer(table, rules)


def public(table: Table, rules: Rules) -> PublicView:
    """The view of players and the public: exposed cards, the last result, the limits."""
    round_, shown = table.round, _shown(table)
    return PublicView(
        state=state_name(table),
        phase=table.phase,
        round=table.history.rounds,
        ref=None if round_ is None else round_.ref,
        shoe=table.history.shoes,
        method=table.play.method,
        hands=hands_view(round_),
        totals=details.totals(table, rules.book),
        tags=details.tags(table, rules.book),
        countdown=details.countdown(table, rules),
        void=None if shown is None else shown.void_by,
        corrected=round_ is not None and round_.interventions.corrected,
        over=round_ is not None and round_.over,
        results=table.history.results,
        manual=_manual(table),
        limits=_limits(table, rules),
    )


def _limits(table: Table, rules: Rules) -> LimitsView:
    """The limits of the current round, otherwise those of the next."""
    round_ = table.round
    playing = round_.terms.limits if round_ is not None and not round_.over else None
    now = playing or table.play.limits or betting.house_limits(rules)
    area = rules.book.limits.per_area
    return LimitsView(
        min=now.minimum,
        max=now.maximum,
        differential=now.differential,
        per_area=None if area is None else min(area.most, now.per_area or area.most),
        wagers={
            wager: WagerLimitsView(each.minimum or now.minimum, each.maximum or now.maximum)
            for wager, each in now.wagers.items()
        },
    )


def surveillance(table: Table, rules: Rules) -> SurveillanceView:
    """The pit's view with the commitments of the sealed cards."""
    return _surveillance(pit(table, rules), table)


def _surveillance(for_staff: StaffView, table: Table) -> SurveillanceView:
    cards = table.round.cards if table.round else ()
    laid = [SealedView(drawn.n, drawn.commitment) for drawn in cards if not drawn.exposed]
    arrived = table.count_check.unplaced if table.count_check else ()
    first = table.shoe.drawn + 1 if table.shoe else 1
    laid += [SealedView(n, each.commitment) for n, each in enumerate(arrived, start=first)]
    return SurveillanceView(**asdict(for_staff), sealed=laid)


def settlements(table: Table) -> tuple[Paid, ...]:
    shown = _shown(table)
    return () if shown is None else shown.paid


def _shown(table: Table) -> Round | None:
    """The round to show. A round whose shoe is gone is shown only if it was made void later,
    because its wagers have to be returned."""
    if table.history.gone is not None and table.history.gone.voided:
        return table.history.gone.round
    return table.round


def differences(table: Table) -> list[DifferenceView]:
    """The difference between the corrected and the first settlement of each wager."""
    round_ = table.round
    if round_ is None or not round_.superseded:
        return []
    first = {paid.id: paid.pays + paid.returned for paid in round_.superseded}
    changed = [(p, p.pays + p.returned - first[p.id]) for p in round_.paid if p.id in first]
    return [DifferenceView(p.id, p.player, by) for p, by in changed if by]


def chips(table: Table) -> list[MovedChipsView]:
    """The chips to move since the first settlement. A round whose shoe is gone is shown only if it
    was made void later."""
    shown = _shown(table)
    return [
        MovedChipsView(
            id=each.id,
            player=each.player,
            source=HOUSE if each.to_player else each.player,
            to=each.player if each.to_player else HOUSE,
            amount=each.amount,
            clause=each.clause,
        )
        for each in (() if shown is None else shown.chips)
    ]


HOUSE: Final = "house"


def _taking_wagers(table: Table) -> bool:
    return table.round is not None and table.round.betting and not table.round.over


def _manual(table: Table) -> bool:
    """Whether a card is entered or corrected by hand, or was in this round. This is public."""
    case, round_ = table.case, table.round
    entered = case is not None and isinstance(case.awaits, AwaitsApproval) and case.entered
    corrected = round_ is not None and (
        round_.interventions.corrected or bool(round_.interventions.corrections)
    )
    asked = table.request is not None and isinstance(table.request.subject, _BY_HAND)
    return table.devices.by_hand is not None or bool(entered) or corrected or asked


_BY_HAND: Final = (CorrectCard, EnterFirstCard)
