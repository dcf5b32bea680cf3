"""What the dealer does and says next, with the clause. Only what lies exposed has a say in it."""

from dataclasses import dataclass

from controller.game.hands import Side
from controller.game.irregularities import Fact, Step
from controller.round import doubt, methods, play, procedures
from controller.round.machine import State
from controller.round.rules import Rules
from controller.round.state import Case, Doubt, Request, Round, Table


@dataclass(frozen=True)
class Prompt:
    do: str
    say: str | None = None
    clause: str | None = None


def prompt(table: Table, state: State, rules: Rules) -> Prompt:
    if table.doubt is not None and state is not State.CLOSED:
        return _count(table, table.doubt)
    if state in (State.SUSPENDED, State.HALTED) or table.request is not None:
        return _held(table, state, rules)
    round_ = table.round
    if round_ is None or state in _BETWEEN_ROUNDS:
        return _between(table, state, rules)
    if state is State.BETTING and (clause := methods.nobody_draws(table, rules)) is not None:
        return Prompt(_HAND_OUT, clause=clause)
    return _in_round(round_, state, rules)


def _held(table: Table, state: State, rules: Rules) -> Prompt:
    if state is State.SUSPENDED:
        return Prompt(f"Pit supervisor: {Fact.INTERRUPTED.value}")
    if table.request is not None:  # it is approved before whatever else holds the table
        return Prompt(f"A second person approves or refuses: {asked_for(table.request)}")
    return _halted(table, rules)


_ASKED_FOR = {
    "correct": "a card is corrected",
    "load_shoe": "the shoe is replaced",
    "first_card": "the first card is entered by hand",
    "swap_device": "another unit takes the device's place",
}


def asked_for(request: Request) -> str:
    """What waits for a second person, in words."""
    return _ASKED_FOR.get(request.what, request.reason)


def _count(table: Table, in_doubt: Doubt) -> Prompt:
    """Before anything else: how many cards lie there."""
    if table.request is not None and table.request.what == doubt.COUNT:
        return Prompt(
            f"A second person counts too, and approves or refuses: {table.request.reason}"
        )
    return Prompt(f"Cards may be missing ({in_doubt.why}): {doubt.where(table)}")


_HAND_OUT = "Hand a player the device, who draws in full view of the staff"
_BETWEEN_ROUNDS = (State.CLOSED, State.CHANGING_SHOE, State.READY)


def _between(table: Table, state: State, rules: Rules) -> Prompt:
    if state is State.CLOSED:
        return Prompt("Open the table")
    if state is State.READY and (clause := methods.nobody_draws(table, rules)) is not None:
        return Prompt(_HAND_OUT, clause=clause)
    if state is State.READY:
        call = rules.book.open_call
        return Prompt("Open betting", call.words, call.clause)
    held = table.shoe
    if held is None or table.change_shoe:
        return Prompt("Load a shoe: shuffled, verified and cut", clause=rules.book.decks.clause)
    if held.burn_left is None:
        return Prompt("Turn up the first card; it says how many are burned")
    return Prompt(f"Burn {held.burn_left} more")


def _in_round(round_: Round, state: State, rules: Rules) -> Prompt:
    match state:
        case State.BETTING:
            call = rules.book.close_call
            return Prompt("Take wagers, then close betting", call.words, call.clause)
        case State.DEALING:
            side = play.next_side(rules.book, round_)
            name = side.value.title() if side else ""
            how = "face down" if round_.face_down else "face up"
            draw = f"{_draw(round_)} a card for the {name}, {how}"
            return Prompt(draw, clause=_deals(rules, round_))
        case State.REVEALING:
            return _revealing(round_, rules)
        case State.PLAYERS_THIRD | State.BANKERS_THIRD:
            return _third(round_, state, rules)
        case State.OUTCOME:
            return Prompt("Announce the outcome", _result(round_, rules), _wins(rules))
        case _:
            pays = rules.book.wagers[0].pays[0].clause
            return Prompt("Collect losing wagers, pay winning ones", clause=pays)


def _draw(round_: Round) -> str:
    return "Draw" if round_.drawer is None else f"Have {round_.drawer} draw"


def _deals(rules: Rules, round_: Round) -> str:
    method = rules.method(round_.method)
    return method.draws or method.clause


def _wins(rules: Rules) -> str:
    return rules.book.wagers[0].wins.clause


def _revealing(round_: Round, rules: Rules) -> Prompt:
    method = rules.method(round_.method)
    passed = methods.may_handle(rules, round_) and method.squeeze is None
    for side in Side:
        lies_open = all(drawn.exposed for drawn in play.hand(round_, side))
        if side in round_.handlers or not passed or lies_open:
            continue
        (player, clause), name = methods.turn(rules, round_, side), side.value.title()
        if player is not None and player != round_.drawer:
            return Prompt(f"Pass the {name} hand to {player}, face down", clause=clause)
        if methods.all_refused(rules, round_, side):
            return Prompt(f"Pit supervisor: name who handles the {name} hand", clause=clause)
    hidden = [s for s in Side if any(not d.exposed for d in play.hand(round_, s))]
    if round_.first in hidden:
        hidden = [round_.first]
    names = " or ".join(side.value.title() for side in hidden)
    clause = method.first or method.laid or method.clause
    return Prompt(f"Have the {names} hand exposed and laid in its area, and mark it", clause=clause)


def _third(round_: Round, state: State, rules: Rules) -> Prompt:
    method = rules.method(round_.method)
    name = "Player" if state is State.PLAYERS_THIRD else "Banker"
    clause = rules.book.play.banker_draws.clause
    if state is State.PLAYERS_THIRD:
        clause = rules.book.play.player_draws.clause
    if play.due(rules.book, round_) is play.Due.EXPOSURE:
        exposed = f"Have the {name}'s third card exposed and laid in its area, and mark it"
        return Prompt(exposed, clause=method.thirds_exposed or clause)
    say = None if state is State.BANKERS_THIRD else _totals(round_, rules)
    how = ", face down" if round_.face_down else ""
    clause = method.thirds_drawn or clause
    return Prompt(f"{_draw(round_)} the {name}'s third card{how}", say, clause)


def _totals(round_: Round, rules: Rules) -> str:
    player, banker = (play.total(rules.book, play.hand(round_, side)[:2]) for side in Side)
    return f"Player {player}, Banker {banker}"


def _result(round_: Round, rules: Rules) -> str:
    found = play.dealt(rules.book, round_)
    totals = f"Player {found.player_total}, Banker {found.banker_total}"
    wins = {"tie": "Tie"}.get(found.outcome.value, f"{found.outcome.value.title()} wins")
    return f"{totals}. {wins}"


def _halted(table: Table, rules: Rules) -> Prompt:
    case = table.case
    if case is None:
        why = ", ".join(each.replace("_", " ") for each in table.latches)
        return Prompt(f"The table is held: {why}. A pit supervisor clears it")
    if case.asked is not None:
        return Prompt(f"{_name(case)}: {Fact[case.asked.upper()].value}", clause=case.clause)
    if case.offer is not None:
        waiting = [who for who in case.offer.open_to if who not in case.offer.answers]
        asked = "every player" if waiting == ["*"] else ", ".join(waiting)
        return Prompt(f"Offer {asked}: play on or withdraw", clause=case.offer.clause)
    role = (case.role or "").replace("_", " ")
    if case.waits_for == "missing":
        return _missing(case, role, rules)
    what = _WAITING[str(case.waits_for)]
    return Prompt(f"{_name(case)}: {what} ({role} or above)", clause=case.clause)


def _missing(case: Case, role: str, rules: Rules) -> Prompt:
    """A player walked off with cards: two are kept, then all others are sorted and counted."""
    step, what = Step.SORT, "sort all other cards into decks in full view, and enter the counts"
    if len(procedures.kept(case)) < procedures.KEPT:
        step, what = Step.KEEP_TWO, "take two cards from the device and keep them in drawn order"
    clause = procedures.clause_of(case, step, rules)
    return Prompt(f"{_name(case)}: {what} ({role} or above)", clause=clause)


def _name(case: Case) -> str:
    return case.id.replace("_", " ").capitalize()


_WAITING = {
    "approve": "a second person approves or refuses",
    "decide": "decide how the round goes on",
    "order": "say in which order the cards came",
    "enter": "enter the card as it lies",
    "put_right": "put the wagers right, and say which come off",
}
