"""What each audience may see, as plain data, one function each.

A sealed card is `null` for everybody: nobody at a table may know it before it is exposed. What is
left in the shoe is shown to nobody.
"""

from typing import Any, TypeAlias

from msgspec import to_builtins

from controller.game.hands import Side
from controller.game.irregularities import Fact
from controller.game.roles import Role
from controller.round import doubt, offers, people, play, procedures, site
from controller.round.machine import State
from controller.round.prompts import asked_for, prompt
from controller.round.rules import Rules
from controller.round.state import Doubt, Drawn, Request, Table
from controller.views import details

View: TypeAlias = dict[str, Any]


def everybody(table: Table, state: State, rules: Rules) -> dict[str, View]:
    """The views of all audiences after a step; what they share is worked out once."""
    for_all = _public(table, state, rules)
    limits = {"limits": _limits(table, rules)}
    for_dealer = {**for_all, **_staff(table, state, rules)}
    for_pit = {**for_dealer, **limits}
    return {
        "dealer": for_dealer,
        "pit": for_pit,
        "public": {**for_all, **limits},
        "surveillance": {**for_pit, "sealed": _sealed(table)},
    }


def dealer(table: Table, state: State, rules: Rules) -> View:
    """The next action, the words, the cards as they lie, the wagers by position."""
    return {**_public(table, state, rules), **_staff(table, state, rules)}


def _staff(table: Table, state: State, rules: Rules) -> View:
    return {
        **details.on_the_table(table, state, rules),
        "prompt": _prompt(table, state, rules),
        "asks": asks(table),
        "offers": open_offers(table),
        "wagers": _wagers(table),
        "drawer": table.drawer,
        "handlers": {side.value: who for side, who in _handlers(table).items()},
        "notices": list(table.notices),
        "stopped_by": stopped_by(table, rules),
        "queue": [case.id for case in table.queue],
        "rulings": [to_builtins(ruled) for ruled in table.rulings],
        "request": None if table.request is None else to_builtins(table.request),
        "differences": differences(table),
        "close_after": table.close_after,
        "moved": [] if table.round is None else [to_builtins(m) for m in table.round.moved],
    }


def pit(table: Table, state: State, rules: Rules) -> View:
    """What the dealer sees, and the house's limits: what waits for a decision is the same."""
    return {**dealer(table, state, rules), "limits": _limits(table, rules)}


def public(table: Table, state: State, rules: Rules) -> View:
    """Players and everybody else: cards when exposed, the last result, the limits."""
    return {
        **_public(table, state, rules),
        "limits": _limits(table, rules),
    }


def _limits(table: Table, rules: Rules) -> View:
    now = table.limits or site.house_limits(rules)
    return {"min": now.minimum, "max": now.maximum, "differential": now.differential}


def surveillance(table: Table, state: State, rules: Rules) -> View:
    """Everything the pit sees, and the commitments of the cards that lie sealed."""
    return {**pit(table, state, rules), "sealed": _sealed(table)}


def _sealed(table: Table) -> list[View]:
    cards = table.round.cards if table.round else ()
    lying = [(drawn.n, drawn.commitment) for drawn in cards if not drawn.exposed]
    came = table.doubt.came if table.doubt else ()
    first = table.shoe.drawn + 1 if table.shoe else 1
    lying += [(n, each.commitment) for n, each in enumerate(came, start=first)]
    return [{"n": n, "commitment": commitment} for n, commitment in lying]


def _public(table: Table, state: State, rules: Rules) -> View:
    round_ = table.round
    return {
        "state": state.value,
        "round": table.rounds,
        "shoe": table.shoes,
        "method": table.method,
        "hands": hands(table),
        "totals": details.totals(table, rules.book),
        "countdown": details.countdown(table, rules),
        "void": None if round_ is None else round_.void_by,
        "corrected": round_ is not None and round_.corrected,
        "settlements": settlements(table),
        "over": round_ is not None and round_.over,
        "results": list(table.results),
        "manual": _manual(table),
    }


def hands(table: Table) -> View:
    """Both hands, sealed cards as null."""
    round_ = table.round
    if round_ is None:
        return {side.value: [] for side in Side}
    return {side.value: [_face(drawn) for drawn in play.hand(round_, side)] for side in Side}


def _face(drawn: Drawn) -> str | None:
    return drawn.card if drawn.exposed else None


def settlements(table: Table) -> list[View]:
    return [] if table.round is None else [to_builtins(paid) for paid in table.round.paid]


def differences(table: Table) -> list[View]:
    """By how much a corrected settlement gives each wager more or less than the first one did."""
    round_ = table.round
    if round_ is None:
        return []
    first = {paid.id: paid.pays + paid.returned for paid in round_.superseded}
    changed = [(p, p.pays + p.returned - first[p.id]) for p in round_.paid if p.id in first]
    return [{"id": p.id, "player": p.player, "difference": by} for p, by in changed if by]


def asks(table: Table) -> list[View]:
    """The questions people have to answer before the table goes on."""
    case = table.case
    if table.doubt is not None and not _count_waits(table):
        return [_count(table, table.doubt)]
    if table.doubt is not None and table.request is not None:
        return [_second_person(table.request)]
    if table.suspended:
        return [_after_restart()]
    if case is None and table.request is not None:
        return [_second_person(table.request)]
    if case is None or case.offer is not None:
        return []
    what = case.asked or str(case.waits_for)
    says = Fact[what.upper()].value if case.asked else what
    word = {"order": "answer", "missing": "answer", "enter": "enter_card", "put_right": "decide"}
    do = "answer" if case.asked else word.get(what, what)
    return [
        {
            "case": case.id,
            "ask": what,
            "says": says,
            "do": do,
            "role": case.role,
            "clause": case.clause,
        }
    ]


def _count_waits(table: Table) -> bool:
    """A count that differs, or the first card, waits for the second person."""
    return table.request is not None and table.request.what in (doubt.COUNT, people.FIRST_CARD)


def _count(table: Table, in_doubt: Doubt) -> View:
    return {
        "case": "count_in_doubt",
        "ask": doubt.COUNT,
        "says": f"{in_doubt.why}: {doubt.where(table)}",
        "do": doubt.COUNT,
        "role": Role.DEALER.value,
        "clause": None,
    }


def _second_person(request: Request) -> View:
    """Something one person asked for and another has to approve."""
    return {
        "case": request.what,
        "ask": "approve",
        "says": request.reason,
        "do": "approve",
        "role": Role.PIT_SUPERVISOR.value,
        "clause": None,
    }


def _after_restart() -> View:
    return {
        "case": "restarted",
        "ask": Fact.INTERRUPTED.name.lower(),
        "says": Fact.INTERRUPTED.value,
        "do": "answer",
        "role": Role.PIT_SUPERVISOR.value,
        "clause": None,
    }


def open_offers(table: Table) -> list[View]:
    """The options that players have not answered yet."""
    offer = table.case.offer if table.case else None
    if offer is None:
        return []
    return [
        {
            "to": player,
            "choices": [offers.PLAY, offers.WITHDRAW],
            "kind": offer.kind,
            "clause": offer.clause,
            "by": {offers.PLAY: offer.plays_on, offers.WITHDRAW: offer.returns},
        }
        for player in offer.open_to
        if player not in offer.answers
    ]


def stopped_by(table: Table, rules: Rules) -> str | None:
    """Why the table has stopped, in a sentence."""
    case = table.case
    if table.doubt is not None:
        return f"cards may be missing: {table.doubt.why}"
    if table.suspended:
        return "the process came back in the middle of a round: a pit supervisor says what that was"
    if case is None and table.request is not None:
        return f"{asked_for(table.request)}: the table waits for a second person to approve"
    if case is not None:
        row = procedures.irregularity(rules, case.id)
        name = case.id.replace("_", " ") if row is None else row.name
        role = (case.role or "").replace("_", " ")
        return f"{name}: the table waits for {AWAITED[people.waits_for(case)].format(role=role)}"
    if table.latches:
        return ", ".join(why.replace("_", " ") for why in table.latches)
    return None


AWAITED = {
    "answer": "an answer ({role} or above)",
    "option": "the players' choices",
    "approve": "a second person to approve ({role} or above)",
    "decide": "a decision ({role} or above)",
    "order": "the order of the cards ({role} or above)",
    "missing": "the cards to be counted ({role} or above)",
    "enter": "a card to be entered",
    "put_right": "the wagers to be put right ({role} or above)",
}


def _wagers(table: Table) -> list[View]:
    return [] if table.round is None else [to_builtins(w) for w in table.round.wagers]


def _handlers(table: Table) -> dict[Side, str]:
    return {} if table.round is None else dict(table.round.handlers)


def _manual(table: Table) -> bool:
    """A card has been entered or corrected by hand in this round: everybody can see that."""
    entering = table.case is not None and table.case.waits_for in ("enter", "approve")
    entered = table.case is not None and "entered" in table.case.given
    corrected = table.round is not None and table.round.corrected
    return (entering and entered) or corrected or table.request is not None


def _prompt(table: Table, state: State, rules: Rules) -> View:
    found = prompt(table, state, rules)
    return {"do": found.do, "say": found.say, "clause": found.clause}
