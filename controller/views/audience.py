"""What each audience may see, as plain data, one function each.

A sealed card is `null` for everybody: nobody at a table may know it before it is exposed. What is
left in the shoe is shown to nobody.
"""

from typing import Final

from msgspec import to_builtins

from controller.engine.hold_list import state_name
from controller.engine.prompts import request_sentence
from controller.game.hands import Side
from controller.messages.codes import Code
from controller.round import position
from controller.round.wagers import betting
from controller.table.cards import Drawn
from controller.table.case import AwaitsApproval, Ruled
from controller.table.requests import ApprovalRequest, CorrectCard, EnterFirstCard
from controller.table.rules import Rules
from controller.table.state import Round, Table
from controller.views import details
from controller.views.questions import open_offers, open_questions
from controller.views.rows import last_rows, paid_rows, wager_rows
from controller.views.sentence_views import View, held_view, prompt_view, sentence_view


def render_views(table: Table, rules: Rules) -> dict[str, View]:
    """The views of all audiences after a step; what they share is worked out once."""
    for_all = _public(table, rules)
    for_staff = {**for_all, **_staff(table, rules)}
    return {
        "dealer": for_staff,
        "pit": for_staff,
        "public": for_all,
        "surveillance": {**for_staff, "sealed": _sealed(table)},
    }


def dealer(table: Table, rules: Rules) -> View:
    """The next action, the words, the cards as they lie, the wagers by position."""
    return {**_public(table, rules), **_staff(table, rules)}


def _staff(table: Table, rules: Rules) -> View:
    held = held_view(table, rules)
    notes = [sentence_view(notice, rules) for notice in table.notices]
    return {
        **details.on_the_table(table, rules),
        "prompt": prompt_view(table, rules),
        "asks": open_questions(table, rules),
        "offers": open_offers(table),
        "wagers": _wagers(table),
        "settlements": settlements(table),
        "last_wagers": last_rows(table.history.last_wagers) if _taking_wagers(table) else [],
        "drawer": table.play.drawer,
        "dealer": None if table.round is None else table.round.dealer,
        "handlers": {side.value: who for side, who in _handlers(table).items()},
        "notices": [note["text"] for note in notes],
        "notes": notes,
        "held": held,
        "stopped_by": stopped_by(held),
        "queue": [case.id for case in table.queue],
        "rulings": [_ruling(ruled) for ruled in table.rulings],
        "request": None if table.request is None else _request(table.request, rules),
        "differences": differences(table),
        "chips": chips(table),
        "close_after": table.day.is_closing,
        "moved": []
        if table.round is None
        else [to_builtins(m) for m in table.round.interventions.moved],
    }


def _ruling(ruled: Ruled) -> View:
    """What was ruled. `text` is what the person said who decided; what the table itself has to say
    of it has a code."""
    code = Code.ROUND_IS_VOID.value if ruled.moot else None
    return {**to_builtins(ruled), "code": code, "gaps": {} if code else None}


def _request(request: ApprovalRequest, rules: Rules) -> View:
    """What one person asked for: its fields, and the sentence that asks the second person."""
    given = to_builtins(request.subject)
    given.pop("type", None)
    return {
        "what": request.kind,
        "by": request.by,
        "given": given,
        "reason": request.reason,
        **sentence_view(request_sentence(request), rules),
    }


def stopped_by(held: list[View]) -> str | None:
    """Why the table has stopped, in words: everything that holds it."""
    return "; ".join(hold["text"] for hold in held) or None


def pit(table: Table, rules: Rules) -> View:
    """What the dealer sees: what waits for a decision is the same."""
    return dealer(table, rules)


def public(table: Table, rules: Rules) -> View:
    """Players and everybody else: cards when exposed, the last result, the limits."""
    return _public(table, rules)


def _limits(table: Table, rules: Rules) -> View:
    """Of the round that is played, else those of the next."""
    round_ = table.round
    playing = round_.terms.limits if round_ is not None and not round_.over else None
    now = playing or table.play.limits or betting.house_limits(rules)
    area = rules.book.limits.per_area
    return {
        "min": now.minimum,
        "max": now.maximum,
        "differential": now.differential,
        "per_area": None if area is None else min(area.most, now.per_area or area.most),
        "wagers": {
            wager: {"min": each.minimum or now.minimum, "max": each.maximum or now.maximum}
            for wager, each in now.wagers.items()
        },
    }


def surveillance(table: Table, rules: Rules) -> View:
    """Everything the pit sees, and the commitments of the cards that lie sealed."""
    return {**pit(table, rules), "sealed": _sealed(table)}


def _sealed(table: Table) -> list[View]:
    cards = table.round.cards if table.round else ()
    laid = [(drawn.n, drawn.commitment) for drawn in cards if not drawn.exposed]
    arrived = table.count_check.unplaced if table.count_check else ()
    first = table.shoe.drawn + 1 if table.shoe else 1
    laid += [(n, each.commitment) for n, each in enumerate(arrived, start=first)]
    return [{"n": n, "commitment": commitment} for n, commitment in laid]


def _public(table: Table, rules: Rules) -> View:
    round_, shown = table.round, _shown(table)
    return {
        "state": state_name(table),
        "phase": table.phase.value,
        "round": table.history.rounds,
        "ref": None if round_ is None else round_.ref,
        "shoe": table.history.shoes,
        "method": table.play.method,
        "hands": hands(table),
        "totals": details.totals(table, rules.book),
        "tags": details.tags(table, rules.book),
        "countdown": details.countdown(table, rules),
        "void": None if shown is None else shown.void_by,
        "corrected": round_ is not None and round_.interventions.corrected,
        "over": round_ is not None and round_.over,
        "results": list(table.history.results),
        "manual": _manual(table),
        "limits": _limits(table, rules),
    }


def hands(table: Table) -> View:
    """Both hands, sealed cards as null."""
    round_ = table.round
    if round_ is None:
        return {side.value: [] for side in Side}
    return {side.value: [_face(drawn) for drawn in position.hand(round_, side)] for side in Side}


def _face(drawn: Drawn) -> str | None:
    return drawn.card if drawn.exposed else None


def settlements(table: Table) -> list[View]:
    shown = _shown(table)
    return [] if shown is None else paid_rows(shown.paid)


def _shown(table: Table) -> Round | None:
    """The round; one whose shoe is gone only where it was made void since: who gets what back."""
    if table.history.gone is not None and table.history.gone.voided:
        return table.history.gone.round
    return table.round


def differences(table: Table) -> list[View]:
    """By how much a corrected settlement gives each wager more or less than the first one did."""
    round_ = table.round
    if round_ is None or not round_.superseded:
        return []
    first = {paid.id: paid.pays + paid.returned for paid in round_.superseded}
    changed = [(p, p.pays + p.returned - first[p.id]) for p in round_.paid if p.id in first]
    return [{"id": p.id, "player": p.player, "difference": by} for p, by in changed if by]


def chips(table: Table) -> list[View]:
    """Which chips have to be moved since the round was settled first: from whom, to whom, how much
    and by which clause. A round whose shoe is gone was made void since, if it is shown at all."""
    shown = _shown(table)
    rows = () if shown is None else shown.chips
    return [
        {
            "id": each.id,
            "player": each.player,
            "from": HOUSE if each.to_player else each.player,
            "to": each.player if each.to_player else HOUSE,
            "amount": each.amount,
            "clause": each.clause,
        }
        for each in rows
    ]


HOUSE: Final = "house"


def _wagers(table: Table) -> list[View]:
    return [] if table.round is None else wager_rows(table.round)


def _taking_wagers(table: Table) -> bool:
    return table.round is not None and table.round.betting and not table.round.over


def _handlers(table: Table) -> dict[Side, str]:
    return {} if table.round is None else dict(table.round.handling.handlers)


def _manual(table: Table) -> bool:
    """A card is entered or corrected by hand, or was in this round: everybody can see that."""
    case, round_ = table.case, table.round
    entered = case is not None and isinstance(case.awaits, AwaitsApproval) and case.entered
    corrected = round_ is not None and (
        round_.interventions.corrected or bool(round_.interventions.corrections)
    )
    asked = table.request is not None and isinstance(table.request.subject, _BY_HAND)
    return table.devices.by_hand is not None or bool(entered) or corrected or asked


_BY_HAND: Final = (CorrectCard, EnterFirstCard)
