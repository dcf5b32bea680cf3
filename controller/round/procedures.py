"""Irregularities, from the report to the end: the rows of the book carried out inside the machine.

One case is open at a time and holds the table; another that comes up meanwhile is queued. A case
asks for the facts its ruling turns on, takes the first ruling that fits, and carries out its steps;
each step is done at once or waits for a person. A device never voids: it opens a case, and people
decide.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from controller.game.decided import decided
from controller.game.errors import nearest
from controller.game.hands import Side
from controller.game.irregularities import COMPUTED, Fact, Irregularity, Ruling, Step, Then
from controller.game.roles import Role
from controller.round import methods, offers, play, reconstruction
from controller.round.errors import Refused
from controller.round.methods import DEALER
from controller.round.rules import Excess, Message, Rules, wanted
from controller.round.state import Case, Drawn, Offer, Round, Ruled, Table, noted

KEPT = 2
"""How many cards are kept while it is worked out which are missing."""

IDS = [
    "foreign_card",
    "wrong_count",
    "unshuffled",
    "order_altered",
    "not_enough_cards",
    "late_wager",
    "late_withdrawal",
    "face_up_in_device",
    "wrong_order",
    "wrong_player",
    "not_passed",
    "exposed_in_error",
    "excess_card",
    "wrong_number",
    "simultaneous",
    "device_reset",
    "handler_absent",
    "cards_taken",
    "exposed_while_moving",
    "order_altered_moving",
    "void_aftermath",
    "under_minimum",
    "over_maximum",
    "earlier_limits",
    "power_failure",
    "differential",
    "late_error",
    "chip_position",
    "display_wrong",
    "uncovered",
]
"""What staff may report; a book that is silent about one sends it to its `uncovered` role."""


# --- opening, asking, finishing ---------------------------------------------------------------


def report(table: Table, message: Message, rules: Rules) -> Table:
    """Somebody says what happened; the clause comes out."""
    rules.need(message, Role.DEALER)
    what = wanted(message, "what")
    if what not in IDS:
        raise Refused(f"there is no irregularity {what!r}; {nearest(what, IDS)}")
    given = {key: value for key, value in message.given.items() if key not in ("what", "facts")}
    for key in ("cards", "order"):
        if key in given:
            given[key] = named(table, wanted(message, key, list))
    if "lies" in given:
        given["lies"] = _lies(table, given["lies"])
    facts = message.given.get("facts", {})
    if not isinstance(facts, dict) or any(not isinstance(v, bool) for v in facts.values()):
        raise Refused("facts are yes or no: true or false each")
    unknown = set(facts) - {fact.name.lower() for fact in Fact}
    if unknown:
        raise Refused(f"there is no fact {unknown.pop()!r}")
    return open_case(table, what, message.name, rules, given, facts)


def named(table: Table, numbers: list[Any]) -> list[int]:
    """Cards of the round by their numbers, each once."""
    lying = {drawn.n for drawn in table.round.cards} if table.round else set()
    once = all(isinstance(n, int) for n in numbers) and len(set(numbers)) == len(numbers)
    if not once or not set(numbers) <= lying:
        raise Refused("name each card concerned once, by its number")
    return list(numbers)


def _lies(table: Table, lies: object) -> dict[str, list[int]]:
    """Where cards lie in fact, by their numbers, for a report of cards dealt to the wrong place."""
    if not isinstance(lies, dict) or not set(lies) <= {side.value for side in Side}:
        raise Refused("`lies` names the cards of the player and of the banker")
    named(table, [n for numbers in lies.values() for n in numbers])
    return {str(side): list(numbers) for side, numbers in lies.items()}


def open_case(
    table: Table,
    what: str,
    by: str,
    rules: Rules,
    given: Mapping[str, Any] | None = None,
    facts: Mapping[str, bool] | None = None,
) -> Table:
    people = None if by in ("shoe", "shuffler") else by
    case = Case(what, by, facts=dict(facts or {}), given=dict(given or {}), asker=people)
    if table.case is not None or table.doubt is not None:
        return replace(table, queue=(*table.queue, case))
    return advance(replace(table, case=case), rules)


def irregularity(rules: Rules, what: str) -> Irregularity | None:
    """The book's row; ours for what no book has to say anything about."""
    if what == "unreadable":
        return Irregularity(what, "a card could not be read", (_ENTER,))
    if what == "cut_card_first":
        rule = rules.book.cutting_card
        offer = Then(Step.OFFER_EACH, clause=rule.withdraw or "")
        return Irregularity(
            what,
            "the cutting card is the first card of the round",
            (
                Ruling(rule.withdraw or "", (offer,), when={Fact.MAY_WITHDRAW: True}),
                Ruling(rule.clause or "", (Then(Step.GO_ON, clause=rule.clause or ""),)),
            ),
        )
    return rules.book.irregularity_by_id.get(what)


_ENTER = Ruling("", (Then(Step.ENTER_CARD, clause=""),))


def advance(table: Table, rules: Rules) -> Table:
    """Carry the open case on until it waits for somebody or is finished."""
    while (case := table.case) is not None and not _waits(case):
        if case.ruling is None:
            table = replace(table, case=_rule(table, case, rules))
            continue
        steps = ruling_of(case, rules).then
        if case.step >= len(steps):
            table = finish(table, rules)
            continue
        then = steps[case.step]
        table = replace(table, case=replace(case, step=case.step + 1, clause=then.clause or None))
        table = _STEPS[then.step](table, then, rules)
    return table


def _waits(case: Case) -> bool:
    return bool(case.asked or case.waits_for or case.offer)


def ruling_of(case: Case, rules: Rules) -> Ruling:
    row = irregularity(rules, case.id)
    assert row is not None
    assert case.ruling is not None
    return row.rulings[case.ruling]


def carried_out(case: Case, rules: Rules) -> Step | None:
    """The step the case waits in."""
    return None if case.ruling is None else ruling_of(case, rules).then[case.step - 1].step


def clause_of(case: Case, step: Step, rules: Rules) -> str | None:
    """The clause of one of the steps of the case's ruling."""
    steps = ruling_of(case, rules).then
    return next((then.clause for then in steps if then.step is step), case.clause)


def kept(case: Case) -> list[Drawn]:
    """The cards taken from the device while it is worked out which are missing."""
    return [Drawn(**each) for each in case.given.get("kept", [])]


def _rule(table: Table, case: Case, rules: Rules) -> Case:
    """Find the ruling that fits, or the fact to ask for."""
    row = irregularity(rules, case.id)
    for index, ruling in enumerate(row.rulings if row else ()):
        verdict = _fits(table, case, ruling, rules)
        if isinstance(verdict, Fact):
            return replace(case, asked=verdict.name.lower(), role=Role.DEALER.value)
        if verdict:
            return replace(case, ruling=index, clause=ruling.clause or None)
    return _uncovered(case, rules)


def _fits(table: Table, case: Case, ruling: Ruling, rules: Rules) -> bool | Fact:
    for fact, value in ruling.when.items():
        known = _fact(table, case, fact, rules)
        if known is None:
            return fact
        if known is not value:
            return False
    return True


def _uncovered(case: Case, rules: Rules) -> Case:
    """Whatever the book is silent about goes to the role it names, and never stays for ever."""
    role = rules.book.uncovered
    return replace(case, waits_for="decide", role=role.role.value, clause=role.clause)


def _fact(table: Table, case: Case, fact: Fact, rules: Rules) -> bool | None:
    if fact not in COMPUTED:
        return case.facts.get(fact.name.lower())
    round_ = table.round
    if fact is Fact.NEXT_ROUND_COMMENCED:
        return case.given.get("round") not in (None, round_.number if round_ else None)
    if fact is Fact.INITIAL_DEAL:
        return _first_affected(round_, case) <= len(play.INITIAL)
    return round_ is not None and _holds(round_, fact, rules)


def _holds(round_: Round, fact: Fact, rules: Rules) -> bool:
    match fact:
        case Fact.OUTCOME_ESTABLISHED:
            return bool(decided(rules.book, play.exposed(round_)))
        case Fact.CARD_EXPOSED:
            return any(drawn.exposed for drawn in round_.cards)
        case Fact.FIRST_CARD_DEALT:
            return not round_.over and bool(play.on_hands(round_))
        case Fact.PLAYER_DRAWS:
            return rules.method(round_.method).player_draws
        case _:
            return not round_.betting


def _first_affected(round_: Round | None, case: Case) -> int:
    """The place in the round of the earliest card concerned; the last two drawn unless said."""
    lying = sorted(drawn.n for drawn in round_.cards) if round_ else []
    cards = affected(round_, case)
    return 1 + lying.index(min(cards)) if cards else 1


def affected(round_: Round | None, case: Case) -> tuple[int, ...]:
    """The cards that came out together: those named, or the last two drawn."""
    lying = sorted(drawn.n for drawn in round_.cards) if round_ else []
    return tuple(case.given.get("cards") or lying[-2:])


def finish(table: Table, rules: Rules) -> Table:
    """The case is closed and written down; the next one in the queue is opened."""
    case = table.case
    assert case is not None
    clause = case.clause if case.ruling is None else ruling_of(case, rules).clause or None
    by = case.decided_by or case.asker or case.reported_by
    ruled = Ruled(case.id, clause, case.reported_by, by, case.text)
    return _head_of_queue(replace(table, rulings=(*table.rulings, ruled)))


def _head_of_queue(table: Table) -> Table:
    head, *rest = table.queue or (None,)
    return replace(table, case=head, queue=tuple(rest) if head else ())


def next_case(table: Table, rules: Rules) -> Table:
    """What was queued while cards were counted is opened now."""
    return table if table.case is not None else advance(_head_of_queue(table), rules)


def card_while_halted(table: Table, drawn: Drawn) -> Table:
    """A card drawn while a case is open lies aside; 5.11 asks for two that are kept."""
    case, round_ = table.case, table.round
    if case is not None and case.waits_for == "missing":
        taken = [*case.given.get("kept", []), to_builtins(drawn)]
        return replace(table, case=replace(case, given={**case.given, "kept": taken}))
    said = f"card {drawn.n} was drawn while the table is held: it lies aside"
    table = noted(table, said)
    if round_ is None or round_.over:
        return replace(table, carried=(*table.carried, drawn))
    return replace(table, round=replace(round_, cards=(*round_.cards, drawn)))


# --- the steps --------------------------------------------------------------------------------


def _go_on(table: Table, then: Then, rules: Rules) -> Table:
    return table


def _wait(table: Table, what: str, role: Role) -> Table:
    assert table.case is not None
    return replace(table, case=replace(table.case, waits_for=what, role=role.value))


def _ask_void(table: Table, then: Then, rules: Rules) -> Table:
    """A second person approves; with no round in play there is nothing to void."""
    over = table.round is None or table.round.over
    if over and then.step is not Step.VOID_IF_SETTLED_TOO:
        said = "no round is in play: the results of earlier rounds stand"
        return noted(table, said)
    return _wait(table, "approve", Role.PIT_SUPERVISOR)


def _ask_order(table: Table, then: Then, rules: Rules) -> Table:
    return _wait(table, "order", then.role or Role.PIT_SUPERVISOR)


def _ask_decision(table: Table, then: Then, rules: Rules) -> Table:
    return _wait(table, "decide", then.role or rules.book.uncovered.role)


def _ask_missing(table: Table, then: Then, rules: Rules) -> Table:
    if table.round is None or table.round.over:
        return _ask_decision(table, then, rules)  # no round to complete: the same role decides
    return _wait(table, "missing", then.role or rules.book.uncovered.role)


def _ask_put_right(table: Table, then: Then, rules: Rules) -> Table:
    return _wait(table, "put_right", then.role or Role.PIT_MANAGER)


def _ask_card(table: Table, then: Then, rules: Rules) -> Table:
    """Ask for the card the case names, else for the first that nobody has read, else the latest."""
    case, round_ = table.case, table.round
    assert case is not None
    cards = round_.cards if round_ else ()
    unread = [drawn for drawn in cards if drawn.card is None]
    if case.reported_by == "shoe" and unread and not unread[0].exposed and _sealed(round_):
        return table  # nobody may look at it yet: it is entered when it is exposed
    if "n" not in case.given and cards:
        number = (unread or cards[-1:])[0].n
        table = replace(table, case=replace(case, given={**case.given, "n": number}))
    return _wait(table, "enter", Role.DEALER)


def _ask_unread(table: Table, then: Then, rules: Rules) -> Table:
    """Only what nobody has read is asked for; where the device knows it, play goes on."""
    cards = table.round.cards if table.round else ()
    return _ask_card(table, then, rules) if any(d.card is None for d in cards) else table


def _sealed(round_: Round | None) -> bool:
    return round_ is not None and round_.face_down


def _reconstruct(table: Table, then: Then, rules: Rules) -> Table:
    """Lay the cards in drawn order where the table of play wants them; the rest lies aside."""
    if table.round is None or table.round.betting or table.round.over:
        return table  # a card drawn between rounds or too soon lies aside until bets are closed
    assert table.case is not None
    given = table.case.given
    seen = reconstruction.as_they_lie(table.round, given.get("lies"))
    laid = reconstruction.reconstructed(seen, given.get("order"), rules)
    table = replace(table, round=laid)
    left_over = any(drawn.hand is None for drawn in laid.cards)
    sure = play.due(rules.book, laid) is not play.Due.EXPOSURE
    if rules.house.excess is Excess.VOID and left_over and sure:
        return _ask_void(table, then, rules)
    return table


def _set_aside(table: Table, then: Then, rules: Rules) -> Table:
    """What lies on neither hand takes no part in this round, whatever the table of play asks."""
    round_ = table.round
    if round_ is None or round_.over:
        return table
    lying = tuple(drawn for drawn in round_.cards if drawn.hand is not None)
    aside = (*table.carried, *reconstruction.carried(round_, rules))
    return replace(table, round=replace(round_, cards=lying), carried=aside)


def _take_back(table: Table, then: Then, rules: Rules) -> Table:
    """The hand comes back and goes to the right player, if the report names the one whose it is."""
    case, round_ = table.case, table.round
    assert case is not None
    if round_ is None:
        return table
    named_hand = case.given.get("hand")
    taken = [side for side in Side if named_hand in (None, side.value)]
    handlers = {side: who for side, who in round_.handlers.items() if side not in taken}
    right = replace(round_, handlers=handlers)
    to = case.given.get("to")
    if len(taken) == 1 and to is not None and to == methods.next_handler(rules, right, taken[0]):
        right = replace(right, handlers={**handlers, taken[0]: to})
    return replace(table, round=right)


def _dealer_exposes(table: Table, then: Then, rules: Rules) -> Table:
    case, round_ = table.case, table.round
    assert case is not None
    if round_ is None:
        return table
    named = case.given.get("hand")
    his = {side: DEALER for side in Side if named in (None, side.value)}
    return replace(table, round=replace(round_, handlers={**round_.handlers, **his}))


def _rebet(table: Table, then: Then, rules: Rules) -> Table:
    """The device is reset: cards drawn unseen are out of play, and wagers are open again."""
    if table.round is None:
        return table
    return replace(table, round=replace(table.round, betting=True, cards=(), opened_at=table.at))


def _may_replace(table: Table, then: Then, rules: Rules) -> Table:
    return noted(table, f"the cards may be replaced ({then.clause})")


def _take_equal(table: Table, then: Then, rules: Rules) -> Table:
    assert table.case is not None
    if table.case.text:
        return table  # no count told which are missing: it was decided otherwise
    what = "take cards equal to the missing ones from a complete deck"
    return noted(table, f"{what} ({then.clause})")


def _must_replace(table: Table, then: Then, rules: Rules) -> Table:
    return replace(table, change_shoe=True)


def _offer(table: Table, then: Then, rules: Rules) -> Table:
    """Put the options to every player with a wager; with none there is nobody to ask."""
    case, round_ = table.case, table.round
    assert case is not None
    if round_ is None or round_.over:
        return table
    order_asked = Fact.ORDER_KNOWN.name.lower() in case.facts
    in_doubt = affected(round_, case) if order_asked else ()
    players = offers.players(round_, rules, in_doubt)
    if not players:
        return table
    offer = Offer(
        then.step.value,
        then.clause,
        players,
        table.at,
        returns=then.returns or then.clause,
        plays_on=then.plays_on or then.clause,
        drawn=table.shoe.drawn if table.shoe else 0,
        in_doubt=in_doubt,
    )
    return replace(table, case=replace(case, offer=offer))


_STEPS: Mapping[Step, Callable[[Table, Then, Rules], Table]] = {
    Step.VOID: _ask_void,
    Step.VOID_IF_SETTLED_TOO: _ask_void,
    Step.GO_ON: _go_on,
    Step.REFUSE: _go_on,
    Step.STANDS: _go_on,
    Step.NO_EFFECT: _go_on,
    Step.RECONSTRUCT: _reconstruct,
    Step.SET_ASIDE: _set_aside,
    Step.SAY_ORDER: _ask_order,
    Step.TAKE_BACK: _take_back,
    Step.DEALER_EXPOSES: _dealer_exposes,
    Step.REBET: _rebet,
    Step.DECIDE: _ask_decision,
    Step.MAY_REPLACE_CARDS: _may_replace,
    Step.MUST_REPLACE_CARDS: _must_replace,
    Step.KEEP_TWO: _go_on,
    Step.SORT: _go_on,
    Step.MISSING_CARDS: _ask_missing,
    Step.TAKE_EQUAL_CARDS: _take_equal,
    Step.ENTER_CARD: _ask_card,
    Step.ENTER_UNREAD: _ask_unread,
    Step.PUT_RIGHT: _ask_put_right,
    Step.OFFER_EACH: _offer,
    Step.OFFER_ALL: _offer,
    Step.OFFER_REMAINING: _offer,
    Step.OFFER_DEALING_ERROR: _offer,
}
