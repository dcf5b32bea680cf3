"""What people say while a case is open: facts, options, approvals, decisions, cards entered."""

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from controller.game.irregularities import Step
from controller.game.roles import Role
from controller.round import (
    counting,
    dealing,
    doubt,
    offers,
    play,
    procedures,
    reconstruction,
    shoe,
    site,
)
from controller.round.errors import Refused
from controller.round.rules import Message, Rules, wanted
from controller.round.state import Case, Drawn, Paid, Request, Round, Ruled, Table
from drivers.cards import Card, NotACard

FIRST_CARD = "first_card"
"""What is asked for when the card that says how many are burned is entered by hand."""


def _case(table: Table, *waiting: str) -> Case:
    case = table.case
    if case is None:
        raise Refused("nothing is being asked")
    if waiting and case.waits_for not in waiting:
        raise Refused(f"the table waits for something else: {waits_for(case)}", case.clause)
    return case


def waits_for(case: Case) -> str:
    if case.asked:
        return "answer"
    return "option" if case.offer else str(case.waits_for)


def _need(case: Case, message: Message, rules: Rules) -> None:
    if case.role is not None:
        rules.need(message, Role(case.role), case.clause)


def go_on(table: Table, case: Case, rules: Rules, **changes: Any) -> Table:
    """The case has what it waited for."""
    given = {"asked": None, "waits_for": None, "offer": None, "role": None, **changes}
    table = procedures.advance(replace(table, case=replace(case, **given)), rules)
    return dealing.take_asides(table, rules) if table.case is None else table


def answer(table: Table, message: Message, rules: Rules) -> Table:
    """A fact, the order of cards, or what is left of the decks."""
    if table.suspended:
        return _after_restart(table, message, rules)
    case = _case(table)
    _need(case, message, rules)
    case = replace(case, decided_by=message.name)
    if case.waits_for == "order":
        return go_on(table, case, rules, given={**case.given, "order": _order(table, message)})
    if case.waits_for == "missing":
        return go_on(_found_missing(table, case, message, rules), case, rules)
    if case.asked is None:
        raise Refused(f"the table waits for something else: {waits_for(case)}", case.clause)
    fact = message.given.get("fact", case.asked)
    if fact != case.asked:
        raise Refused(f"the question is {case.asked}", case.clause)
    asker = case.asker or message.name
    if case.asked == "order_known" and "order" in message.given:
        given = {**case.given, "order": _order(table, message)}
        case, value = replace(case, given=given), True
    else:
        value = wanted(message, "value", bool)
    facts = {**case.facts, str(case.asked): value}
    return go_on(table, case, rules, facts=facts, asker=asker, decided_by=message.name)


def _after_restart(table: Table, message: Message, rules: Rules) -> Table:
    rules.need(message, Role.PIT_SUPERVISOR)
    interrupted = wanted(message, "value", bool)
    table = replace(table, suspended=False)
    if interrupted:
        table = procedures.open_case(table, "power_failure", message.name, rules)
    return dealing.take_asides(table, rules)  # a card may have come while it was being asked


def _order(table: Table, message: Message) -> list[int]:
    return procedures.named(table, wanted(message, "order", list))


def option(table: Table, message: Message, rules: Rules) -> Table:
    case = _case(table)
    if case.offer is None or table.round is None:
        raise Refused("nothing is offered")
    if message.source != "player":
        rules.need(message, Role.DEALER)
    seen_since = table.shoe is not None and table.shoe.drawn > case.offer.drawn
    if seen_since and not table.round.face_down and message.given.get("choice") == offers.WITHDRAW:
        raise Refused("a card has been drawn face up since this was offered", case.offer.clause)
    round_, offer = offers.answered(table.round, case.offer, message, rules)
    table = replace(table, round=round_, case=replace(case, offer=offer))
    return _offer_done(table, rules) if offers.complete(offer) else table


def close_offer(table: Table, message: Message, rules: Rules) -> Table:
    rules.need(message, Role.PIT_SUPERVISOR if rules.house.track_wagers else Role.DEALER)
    case = _case(table)
    if case.offer is None:
        raise Refused("nothing is offered")
    return _offer_done(replace(table, case=replace(case, offer=offers.closed(case.offer))), rules)


def overdue_offer(table: Table, rules: Rules) -> Table:
    """Time is up for an offer; silence plays on."""
    case = table.case
    if case is None or case.offer is None or not offers.overdue(case.offer, table.at, rules):
        return table
    if table.doubt is not None:
        return table  # nothing is decided before the cards are counted
    return _offer_done(replace(table, case=replace(case, offer=offers.closed(case.offer))), rules)


def _offer_done(table: Table, rules: Rules) -> Table:
    case = table.case
    assert case is not None
    assert case.offer is not None
    answers = {**case.given, "answers": case.offer.answers}
    return go_on(table, case, rules, given=answers)


def approve(table: Table, message: Message, rules: Rules) -> Table:
    """The second person's word: for a void, a card entered by hand, a correction."""
    if table.request is not None and not _case_first(table):
        return _approve_request(table, table.request, message, rules)
    if table.doubt is not None:
        raise Refused(doubt.FIRST)
    case = _case(table, "approve")
    if case.asker is None:
        # A device opened the case: whoever speaks first asks, and somebody else approves.
        rules.need(message, Role.DEALER)
        return replace(table, case=replace(case, asker=message.name))
    _second_person(case.asker, message, rules)
    if "decided" not in case.given:
        case = replace(case, decided_by=message.name)
    if "entered" in case.given:
        return _enter(table, case, rules)
    return void(table, case, rules)


def _case_first(table: Table) -> bool:
    """A case that waits for approval is answered before anything else but the count."""
    if table.doubt is not None:
        return False
    return table.case is not None and table.case.waits_for == "approve"


def _second_person(first: str, message: Message, rules: Rules) -> None:
    rules.need(message, Role.PIT_SUPERVISOR)
    if message.name == first:
        raise Refused("this takes two people: somebody else has to approve")


def void(table: Table, case: Case, rules: Rules) -> Table:
    """The round is void: every wager goes back, earlier rounds stand."""
    round_ = table.round
    if round_ is not None and _may_be_void(round_, case, rules):
        table = _voided(table, round_, case, rules)
        if round_.over:  # settled already: its result leaves the road
            table = replace(table, results=table.results[:-1])
        else:
            table = dealing.round_over(table, rules)
    return _end(table, case, rules)


def _may_be_void(round_: Round, case: Case, rules: Rules) -> bool:
    """A settled round stands unless the clause, or a decision, reaches back to it."""
    too = procedures.carried_out(case, rules) is Step.VOID_IF_SETTLED_TOO
    too = too or case.given.get("decided") == "void"
    return not round_.over or (too and round_.void_by is None)


def _voided(table: Table, round_: Round, case: Case, rules: Rules) -> Table:
    """Whatever else was asked about the round is answered with it."""
    clause = case.clause
    back = tuple(
        Paid(w.id, w.player, "push", "0", 0, w.amount, rules.book.void_returns or clause)
        for w in round_.wagers
    )
    ended = replace(round_, over=True, betting=False, void_by=clause or "void", paid=back)
    moot = [
        Ruled(each.id, clause, each.reported_by, case.decided_by, "the round is void")
        for each in table.queue
    ]
    # A correction that was asked for has nothing left to correct.
    return replace(table, round=ended, queue=(), rulings=(*table.rulings, *moot), request=None)


def refuse(table: Table, message: Message, rules: Rules) -> Table:
    """The second person says no: a request is dropped, a void goes up the ladder."""
    if table.request is not None and not _case_first(table):
        _second_person(table.request.by, message, rules)
        return replace(table, request=None)
    if table.doubt is not None:
        raise Refused(doubt.FIRST)
    case = _case(table, "approve")
    rules.need(message, Role.PIT_SUPERVISOR)
    if "entered" in case.given:
        given = {key: value for key, value in case.given.items() if key != "entered"}
        waiting = replace(case, given=given, waits_for="enter", role=Role.DEALER.value)
        return replace(table, case=waiting)
    top = rules.book.uncovered
    # The ruling that was refused is not carried on: what is decided now stands in its place.
    clause = top.clause or case.clause
    up = replace(case, waits_for="decide", role=top.role.value, clause=clause, ruling=None)
    return replace(table, case=up)


def decide(table: Table, message: Message, rules: Rules) -> Table:
    """The role the book names decides, in its own words."""
    case = _case(table, "decide", "put_right", "missing")
    _need(case, message, rules)
    if case.waits_for == "missing":  # what no count can tell is not covered any more
        case = replace(case, clause=rules.book.uncovered.clause)
    text = str(wanted(message, "text"))
    outcome = message.given.get("outcome", "go_on")
    decided = replace(case, text=text, waits_for=None, role=None, decided_by=message.name)
    if case.waits_for == "put_right" or outcome == "remove":
        return _remove(table, decided, message, rules)
    round_ = table.round
    if outcome == "void":
        return _decide_void(table, decided, rules)
    if outcome == "reconstruct" and round_ is not None:
        order = _order(table, message) if "order" in message.given else None
        table = replace(table, round=reconstruction.reconstructed(round_, order, rules))
    elif outcome != "go_on":
        raise Refused("the outcome is go_on, void, reconstruct or remove", case.clause)
    return _end(table, decided, rules)


def _decide_void(table: Table, case: Case, rules: Rules) -> Table:
    """A void takes two people: who reported and who decides, or else somebody who approves."""
    case = replace(case, given={**case.given, "decided": "void"})
    if case.asker not in (None, case.decided_by):
        return void(table, case, rules)
    waiting = replace(
        case,
        asker=case.decided_by,
        waits_for="approve",
        role=Role.PIT_SUPERVISOR.value,
    )
    return replace(table, case=waiting)


def _end(table: Table, case: Case, rules: Rules) -> Table:
    """A decision ends the case, whatever steps it had left."""
    if case.ruling is None:
        table = procedures.finish(replace(table, case=case), rules)
        table = procedures.advance(table, rules)
        return dealing.take_asides(table, rules) if table.case is None else table
    return go_on(table, case, rules)


def _remove(table: Table, case: Case, message: Message, rules: Rules) -> Table:
    round_ = table.round
    remove = {str(each) for each in message.given.get("remove", [])}
    if round_ is not None:
        lying = {wager.id for wager in round_.wagers}
        if not remove <= lying:
            raise Refused(f"there is no wager {min(remove - lying)!r}", case.clause)
        wagers = [
            replace(w, returned_by=case.clause or "") if w.id in remove else w
            for w in round_.wagers
        ]
        table = replace(table, round=replace(round_, wagers=tuple(wagers)))
    return _end(table, case, rules)


# --- cards entered and corrected by hand ------------------------------------------------------


def enter_card(table: Table, message: Message, rules: Rules) -> Table:
    """What a card is that the device could not read; a second person approves."""
    if table.shoe is not None and table.shoe.burn_left is None:
        return _enter_first(table, message, rules)
    if table.doubt is not None:
        raise Refused(doubt.FIRST)
    case = _case(table, "enter", "missing")
    if case.waits_for == "missing":
        return _enter_kept(table, case, message, rules)
    rules.need(message, Role.DEALER)
    entered = {"n": _number(table, case, message), "card": _read(message).code}
    given = {**case.given, "entered": entered}
    return replace(
        table,
        case=replace(
            case,
            given=given,
            asker=message.name,
            waits_for="approve",
            role=Role.PIT_SUPERVISOR.value,
            text=str(message.given.get("reason", "")),
        ),
    )


def _enter_first(table: Table, message: Message, rules: Rules) -> Table:
    """The card that says how many are burned lies open, and the device did not read it."""
    rules.need(message, Role.DEALER)
    if table.request is not None:
        raise Refused(f"a second person has yet to approve or refuse: {table.request.what}")
    given = {"card": _read(message).code}
    return replace(
        table, request=Request(FIRST_CARD, message.name, given, "the first card is entered")
    )


def _enter_kept(table: Table, case: Case, message: Message, rules: Rules) -> Table:
    """A kept card the device could not read: whoever must be present looks, and it stays sealed."""
    _need(case, message, rules)
    kept = procedures.kept(case)
    unread = [drawn for drawn in kept if drawn.card is None]
    if not unread:
        raise Refused("no kept card is unknown", case.clause)
    faces = {"card": message.card, **message.given}
    known = [replace(each, **faces) if each is unread[0] else each for each in kept]
    given = {**case.given, "kept": [to_builtins(each) for each in known]}
    return replace(table, case=replace(case, given=given))


def _number(table: Table, case: Case, message: Message) -> int:
    """The card named, or the one the case is about, or the one nobody has read, or the latest."""
    lying = [drawn.n for drawn in table.round.cards] if table.round else []
    unread = [drawn.n for drawn in table.round.cards if drawn.card is None] if table.round else []
    likely = (unread or lying[-1:] or [0])[0]
    number = int(message.given.get("n", case.given.get("n", likely)))
    if number not in lying:
        raise Refused(f"no card {number} lies on the table")
    return number


def _read(message: Message) -> Card:
    try:
        return Card.parse(wanted(message, "card"))
    except NotACard as error:
        raise Refused(str(error)) from None


def _enter(table: Table, case: Case, rules: Rules) -> Table:
    entered = case.given["entered"]
    return go_on(put_card(table, entered["n"], entered["card"]), case, rules)


def put_card(table: Table, number: int, code: str) -> Table:
    """Write a card's face anew, in the round and in the ledger."""
    round_, held = table.round, table.shoe
    assert round_ is not None
    assert held is not None
    cards = []
    for drawn in round_.cards:
        if drawn.n != number:
            cards.append(drawn)
            continue
        if drawn.exposed and drawn.card is not None:
            held = shoe.forget(held, Card.parse(drawn.card), number)
        if drawn.exposed:
            held = shoe.note(held, Card.parse(code), number)
        cards.append(replace(drawn, card=code))
    return replace(table, round=replace(round_, cards=tuple(cards)), shoe=held)


def correct(table: Table, message: Message, rules: Rules) -> Table:
    """A misread is put right: asked here, approved by somebody else, published or not."""
    rules.need(message, Role.DEALER)
    if table.request is not None:
        raise Refused(f"a second person has yet to approve or refuse: {table.request.what}")
    round_ = table.round
    if round_ is None or not round_.cards:
        raise Refused("there is no card to correct")
    if round_.void_by is not None:
        raise Refused("the round is void", round_.void_by)
    number = wanted(message, "n", int)
    drawn = [each for each in round_.cards if each.n == number and each.exposed]
    if not drawn:
        raise Refused(f"no exposed card {number} lies on the table")
    given = {"n": number, "card": _read(message).code, "before": drawn[0].card}
    reason = wanted(message, "reason")
    return replace(table, request=Request("correct", message.name, given, reason))


def _approve_request(table: Table, request: Request, message: Message, rules: Rules) -> Table:
    _second_person(request.by, message, rules)
    if table.doubt is not None and request.what not in (doubt.COUNT, FIRST_CARD, site.SWAP):
        raise Refused(doubt.FIRST)
    table = replace(table, request=None)
    round_ = table.round
    if request.what == doubt.COUNT:
        return counting.approved(table, request, rules)
    if request.what == FIRST_CARD:
        assert table.shoe is not None
        return replace(table, shoe=shoe.burn(table.shoe, request.given["card"]))
    if request.what == site.SWAP:
        return site.swapped(table, request)
    if request.what == shoe.SWAP:
        if table.case is not None or (round_ is not None and not round_.over):
            raise Refused("the shoe is changed between rounds, when nothing else is open")
        return shoe.put_in(table, request.given, rules)
    assert round_ is not None
    table = put_card(table, request.given["n"], request.given["card"])
    assert table.round is not None
    corrected = reconstruction.reconstructed(table.round, None, rules)
    complete = play.due(rules.book, corrected) is play.Due.NOTHING
    table = replace(table, round=replace(corrected, corrected=True))
    if not round_.over:
        return dealing.take_asides(table, rules)
    if not complete:
        raise Refused("with that card the hands are not complete: report wrong_number instead")
    return dealing.settle_anew(table, rules)


_LASTING = ("lid_open", "link_lost", "device_error")
"""What a device itself has to say the end of."""


def resume(table: Table, message: Message, rules: Rules) -> Table:
    """Somebody clears what held the table."""
    rules.need(message, Role.PIT_SUPERVISOR)
    if table.case is not None:
        raise Refused(f"the table waits for {waits_for(table.case)}", table.case.clause)
    still = [why for why in table.latches if why in (*_LASTING, site.FAILED)]
    if still:
        raise Refused(f"{still[0].replace('_', ' ')} still holds the table")
    return replace(table, latches=())


# --- 5.11: a player walked off with cards -----------------------------------------------------


def _found_missing(table: Table, case: Case, message: Message, rules: Rules) -> Table:
    """The missing cards are what is absent from full decks, less the two kept ones."""
    round_, held = table.round, table.shoe
    assert round_ is not None
    assert held is not None
    kept = procedures.kept(case)
    if len(kept) != procedures.KEPT or any(drawn.card is None for drawn in kept):
        clause = procedures.clause_of(case, Step.KEEP_TWO, rules)
        raise Refused("two cards are taken from the device first, and their faces known", clause)
    gone = [drawn for drawn in round_.cards if drawn.card is None]
    if not gone:
        raise Refused("no card of this round is missing")
    absent = shoe.missing(held, wanted(message, "left", dict), [*round_.cards, *kept])
    if len(absent) != len(gone):
        raise Refused(
            f"{len(absent)} cards are absent and {len(gone)} were taken: count again", case.clause
        )
    if len(set(absent)) > 1 and len({drawn.hand for drawn in gone}) > 1:
        raise Refused("which hand each absent card belongs to cannot be told", case.clause)
    for drawn, card in zip(gone, absent, strict=True):
        table = put_card(table, drawn.n, card.code)
    assert table.round is not None
    return replace(table, round=_with_kept(table.round, kept))


def _with_kept(round_: Round, kept: list[Drawn]) -> Round:
    """The kept cards lie aside, in drawn order, for whichever hand the table of play asks."""
    return replace(round_, cards=(*round_.cards, *(replace(d, hand=None) for d in kept)))
