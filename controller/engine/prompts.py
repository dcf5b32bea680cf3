"""The dealer's next action and announcement, with the clause. Prompts depend on exposed cards
only."""

from msgspec import Struct
from msgspec.structs import replace

from controller.cases import engine
from controller.cases.manual_entry import manual_mode
from controller.game.hands import Outcome, Side
from controller.game.irregularities import Fact, RulingStep
from controller.game.rulebook import Call
from controller.messages.codes import Code
from controller.messages.sentence import ParamValue, Sentence, sentence
from controller.round import count_check, cutting_card, decks, methods, position
from controller.round.wagers import betting
from controller.table import approvals
from controller.table.agenda import order
from controller.table.agenda.items import (
    CountDue,
    HoldToEnd,
    Item,
    NextAct,
    RequestApproval,
    RestartQuestion,
)
from controller.table.approvals import Act
from controller.table.case import (
    KEPT,
    AwaitsApproval,
    AwaitsCounts,
    AwaitsDecision,
    AwaitsFact,
    AwaitsOption,
    Case,
    Decision,
    awaited_name,
)
from controller.table.commands.registry import DEALER, EVERYBODY
from controller.table.holds import LASTING, HoldReason, needs_two_people
from controller.table.phases import AFTER_THE_CALL, Phase
from controller.table.requests import (
    ApprovalRequest,
    ClearJournalLoss,
    CloseOverDifferential,
    ConfirmCards,
    ConfirmCount,
    ConfirmDeckCount,
    CorrectCard,
    DealByHand,
    EnterFirstCard,
    GoOn,
    NewShoe,
    ReplaceShoe,
    ReplaceUnit,
    TakeDeckStep,
    UseShoe,
    VouchForShoe,
)
from controller.table.rules import Rules
from controller.table.state import Round, Table


class PromptedCommand(Struct, frozen=True):
    """The command that carries out the prompt; pages show it as one button."""

    word: str
    hand: Side | None = None
    player: str | None = None
    """The player who takes the hand; None if the player is not chosen yet."""
    face: bool = False
    """The command names the card, because the card is exposed."""


class Prompt(Struct, frozen=True):
    do: Sentence
    say: Sentence | None = None
    clause: str | None = None
    act: PromptedCommand | None = None
    """None if the next act is at a device, or a question whose answer must not be
    suggested."""
    card_to: Side | None = None
    """The hand that receives the next card of the shoe, if the prompt asks for a card."""


def _do(code: Code, clause: str | None = None, **params: ParamValue) -> Prompt:
    return Prompt(sentence(code, **params), clause=clause)


def _by(found: Prompt, word: str, hand: Side | None = None, player: str | None = None) -> Prompt:
    """The prompt with the command that carries it out."""
    return replace(found, act=PromptedCommand(word, hand, player))


def prompt(table: Table, rules: Rules) -> Prompt:
    """The prompt of the agenda's first item."""
    item = order.first(table, rules)
    if not isinstance(item, NextAct):
        return _waiting(item, table)
    found = _play(table, rules)
    if table.devices.by_hand is not None and _asks_for_a_card(found, table):
        face = manual_mode.is_next_card_open(table, rules)
        found = replace(found, act=PromptedCommand("deal_card", found.card_to, face=face))
    return _cut_card_first(found, table, rules) if cutting_card.needs_removal(table) else found


def _asks_for_a_card(found: Prompt, table: Table) -> bool:
    """Whether the prompt asks for a card, of a hand or of the burn."""
    shoe = table.shoe
    burns = shoe is not None and shoe.burn_left != 0 and not table.change_shoe
    return found.card_to is not None or (burns and table.phase is Phase.CHANGING_SHOE)


def _play(table: Table, rules: Rules) -> Prompt:
    round_ = table.round
    if round_ is None or table.phase in _BETWEEN_ROUNDS:
        return _between(table, rules)
    asked = methods.pending_squeeze(round_) if table.phase in AFTER_THE_CALL else None
    if asked is not None:
        clause = rules.method(round_.method).squeeze
        return _do(Code.PROMPT_PERMIT_SQUEEZE, clause, hand=asked[0], player=asked[1])
    if (
        table.phase is Phase.BETTING
        and (clause := methods.no_drawer_clause(table, rules)) is not None
    ):
        return _by(_do(Code.PROMPT_HAND_OUT_DEVICE, clause), "method")
    return _in_round(round_, table.phase, rules)


def _cut_card_first(then: Prompt, table: Table, rules: Rules) -> Prompt:
    """Ask for the removal of the cutting card before the next action; keep the announcement."""
    rounds = cutting_card.rounds_after_cut(table, rules)
    round_ = table.round
    if round_ is not None and not round_.over:
        do = sentence(Code.PROMPT_REMOVE_CUT_CARD_IN_ROUND, rounds=rounds)
    elif rounds:
        do = sentence(Code.PROMPT_REMOVE_CUT_CARD, rounds=rounds)
    else:
        do = sentence(Code.PROMPT_REMOVE_CUT_CARD_AND_CHANGE)
    return replace(then, do=do, clause=rules.book.cutting_card.clause)


# --- what holds the table -----------------------------------------------------------------------


def _waiting(item: Item, table: Table) -> Prompt:
    match item:
        case CountDue():
            return Prompt(count_instruction(table))
        case RestartQuestion():
            return _do(Code.PROMPT_WAS_PLAY_INTERRUPTED, role=item.ended_by.role)
        case RequestApproval(request):
            return Prompt(request_sentence(request), clause=item.clause)
        case HoldToEnd() | NextAct():
            return _latched(table)
        case _:
            return _asked(item.case, table)


def count_instruction(table: Table) -> Sentence:
    code = _COUNTED[count_check.counted_cards(table)]
    params = {"cards": count_check.given_up(table)} if code.params else {}
    return sentence(code, **params)


_COUNTED = {
    count_check.CountedCards.LEFT_THE_SHOE: Code.PROMPT_COUNT_ALL_THAT_LEFT,
    count_check.CountedCards.LIE_OVER: Code.PROMPT_COUNT_WHAT_LIES_OVER,
    count_check.CountedCards.SINCE_THE_RESET: Code.PROMPT_COUNT_SINCE_RESET,
    count_check.CountedCards.OF_THE_ROUND: Code.PROMPT_COUNT_THE_ROUND,
}


def _latched(table: Table) -> Prompt:
    must = _to_be_cleared(table)
    lasting = [hold.kind for hold in table.latches if hold.kind in LASTING]
    if lasting and (must is None or set(lasting) != {HoldReason.DEVICE_ERROR}):
        return _do(Code.PROMPT_HELD_BY_DEVICE, holds=dict.fromkeys(lasting))
    if must is not None:
        return must
    kinds = dict.fromkeys(hold.kind for hold in table.latches)
    if any(map(needs_two_people, kinds)):
        return _do(
            Code.PROMPT_CLEAR_BY_TWO, holds=kinds, role=approvals.approval_row(Act.RESUME).role
        )
    return _do(Code.PROMPT_CLEAR, holds=kinds, role=approvals.approval_row(Act.RESUME).role)


def _to_be_cleared(table: Table) -> Prompt | None:
    """The error that a person has to clear at the device, in the driver's words."""
    errors = (HoldReason.MUST_CLEAR, HoldReason.DEVICE_ERROR)
    must = [each for each in table.latches if each.kind in errors and each.text is not None]
    if not must or must[0].text is None:
        return None
    by, params = must[0].by, must[0].text.params
    number, text = params.get("number"), params.get("says")
    if text is None:
        return _do(Code.PROMPT_CLEAR_ERROR, device=by, number=number)
    return _do(Code.PROMPT_CLEAR_ERROR_SAYS, device=by, number=number, says=text)


def request_sentence(request: ApprovalRequest) -> Sentence:
    """The pending request, as a question to the second person."""
    match request.subject:
        case GoOn() as wanted:
            return sentence(
                Code.APPROVE_GOING_ON,
                holds=dict.fromkeys(kind for kind, _ in wanted.over),
                by=request.by,
            )
        case CorrectCard() as wanted:
            found = _correction(wanted, request.by)
        case ReplaceShoe() | VouchForShoe() | TakeDeckStep() | ConfirmDeckCount() as decks_:
            found = _about_decks(decks_, request.by)
        case EnterFirstCard() as first:
            found = sentence(Code.APPROVE_FIRST_CARD, card=first.card, by=request.by)
        case ReplaceUnit() as unit:
            found = sentence(Code.APPROVE_UNIT, device=unit.device, unit=unit.asset, by=request.by)
        case CloseOverDifferential() as wanted:
            found = sentence(Code.APPROVE_CLOSE, amounts=wanted.excess, by=request.by)
        case ConfirmCount() as count:
            code = Code.APPROVE_COUNT_MORE if count.difference > 0 else Code.APPROVE_COUNT_FEWER
            more = abs(count.difference)
            found = sentence(code, cards=count.cards, difference=more, by=request.by)
        case _:
            code = _ASKED_PLAINLY[type(request.subject)]
            params = {"by": request.by, "says": request.reason}
            found = sentence(code, **{name: params[name] for name in code.params})
    return found


def _correction(wanted: CorrectCard, by: str) -> Sentence:
    """The correction with both faces: the card is exposed, and the approver looks at it."""
    n, card = wanted.n, wanted.card
    if wanted.before is None:
        return sentence(Code.APPROVE_CORRECTION_UNREAD, n=n, card=card, by=by)
    return sentence(Code.APPROVE_CORRECTION, n=n, before=wanted.before, card=card, by=by)


def _about_decks(what: NewShoe | TakeDeckStep | ConfirmDeckCount, by: str) -> Sentence:
    match what:
        case ReplaceShoe(deck_set):
            return sentence(Code.APPROVE_SHOE, set=deck_set, by=by)
        case VouchForShoe(deck_set, _, person):
            return sentence(Code.VOUCH_FOR_SHOE, person=person, set=deck_set, by=by)
        case TakeDeckStep(deck_set, stage):
            return sentence(Code.APPROVE_DECK_STEP, set=deck_set, stage=stage, by=by)
        case ConfirmDeckCount(deck_set):
            return sentence(Code.APPROVE_DECK_COUNT, set=deck_set, by=by)


_ASKED_PLAINLY = {
    ClearJournalLoss: Code.APPROVE_JOURNAL_LOSS,
    DealByHand: Code.APPROVE_BY_HAND,
    UseShoe: Code.APPROVE_USE_SHOE,
    ConfirmCards: Code.APPROVE_CARDS,
}
"""Requests whose texts need only the requester and the reason."""


def _asked(case: Case, table: Table) -> Prompt:
    if isinstance(case.awaits, AwaitsOption):
        offer = case.awaits.offer
        waiting = [who for who in offer.open_to if who not in offer.answers]
        if waiting == [EVERYBODY]:
            return _do(Code.PROMPT_OFFER_EVERYBODY, offer.clause)
        return _do(Code.PROMPT_OFFER, offer.clause, players=waiting)
    return Prompt(question(case, table), clause=_clause(case))


def question(case: Case, table: Table) -> Sentence:
    """The question of a case."""
    if case.asker is not None and _makes_void(case):
        role, number = order.role_of(case), table.history.rounds
        return sentence(Code.PROMPT_APPROVE_VOID, role=role, round=number)
    match case.awaits:
        case AwaitsFact(fact):
            return sentence(QUESTIONS[fact], irregularity=case.id)
        case AwaitsCounts():
            first = len(case.kept) < KEPT
            code = Code.PROMPT_KEEP_TWO if first else Code.PROMPT_SORT_AND_COUNT
        case AwaitsApproval():
            asked = case.asker is not None
            code = _APPROVE[case.awaits.of] if asked else Code.PROMPT_ASK_FOR_VOID
        case AwaitsDecision() if case.disputed is not None:
            return _disputed(case, table)
        case awaits:
            assert awaits is not None, "a case that asks waits for somebody"
            code = _ASKED[awaited_name(awaits)]
    return sentence(code, irregularity=case.id, role=order.role_of(case))


_ASKED = {
    "order": Code.PROMPT_SAY_ORDER,
    "lies": Code.PROMPT_SAY_WHERE_CARDS_LIE,
    "kept": Code.PROMPT_ENTER_KEPT,
    "enter": Code.PROMPT_ENTER_CARD,
    "put_right": Code.PROMPT_PUT_WAGERS_RIGHT,
    "decide": Code.PROMPT_DECIDE,
}


def _disputed(case: Case, table: Table) -> Sentence:
    """The question after a refused void: whether the event that it rests on happened."""
    role, number = order.role_of(case), table.history.rounds
    params: dict[str, ParamValue] = {"irregularity": case.id, "round": number, "role": role}
    if not case.disputed:
        return sentence(Code.PROMPT_FIND, **params)
    return sentence(Code.PROMPT_FIND_BY, clause=case.disputed, **params)


def _makes_void(case: Case) -> bool:
    """Whether approval by a second person makes the round void."""
    if not isinstance(case.awaits, AwaitsApproval):
        return False
    decided = case.decision is not None and case.decision.outcome is Decision.VOID
    return case.awaits.of == "void" or (case.awaits.of == "decision" and decided)


_APPROVE = {
    "entered_card": Code.PROMPT_APPROVE_CARD,
    "moved_card": Code.PROMPT_APPROVE_MOVED_CARD,
    "doubt": Code.PROMPT_APPROVE_DOUBT,
    "strike": Code.PROMPT_APPROVE_STRIKE,
    "decision": Code.PROMPT_APPROVE_DECISION,
}


def _clause(case: Case) -> str | None:
    if not isinstance(case.awaits, AwaitsCounts):
        return case.clause
    step = RulingStep.KEEP_TWO if len(case.kept) < KEPT else RulingStep.SORT
    return engine.step_clause(case, step)


QUESTIONS = {
    Fact.INITIAL_DEAL: Code.ASK_INITIAL_DEAL,
    Fact.OUTCOME_ESTABLISHED: Code.ASK_OUTCOME_ESTABLISHED,
    Fact.FIRST_CARD_DEALT: Code.ASK_FIRST_CARD_DEALT,
    Fact.CARD_EXPOSED: Code.ASK_CARD_EXPOSED,
    Fact.BETS_CLOSED: Code.ASK_BETS_CLOSED,
    Fact.PLAYER_DRAWS: Code.ASK_PLAYER_DRAWS,
    Fact.ORDER_KNOWN: Code.ASK_ORDER_KNOWN,
    Fact.RECONSTRUCTABLE: Code.ASK_RECONSTRUCTABLE,
    Fact.VALUE_KNOWN: Code.ASK_VALUE_KNOWN,
    Fact.DEALT_FACE_UP: Code.ASK_DEALT_FACE_UP,
    Fact.BELONGS: Code.ASK_BELONGS,
    Fact.UNSHUFFLED: Code.ASK_UNSHUFFLED,
    Fact.INTERRUPTED: Code.ASK_INTERRUPTED,
    Fact.MAY_WITHDRAW: Code.ASK_MAY_WITHDRAW,
    Fact.IN_USE: Code.ASK_IN_USE,
}


# --- play ---------------------------------------------------------------------------------------

_BETWEEN_ROUNDS = (Phase.CLOSED, Phase.CHANGING_SHOE, Phase.READY)


def _between(table: Table, rules: Rules) -> Prompt:
    if table.phase is Phase.CLOSED:
        return _by(_do(Code.PROMPT_OPEN_TABLE), "open_table")
    if table.phase is Phase.READY:
        return _ready(table, rules)
    shoe = table.shoe
    if shoe is None or table.change_shoe:
        return _shoe_due(table, rules)
    if shoe.burn_left is None:
        return _do(Code.PROMPT_TURN_FIRST_CARD)
    return _do(Code.PROMPT_BURN, cards=shoe.burn_left)


def _shoe_due(table: Table, rules: Rules) -> Prompt:
    """The prompt after the end of a shoe: count its cards if the house requires it, then load
    another."""
    if table.decks.rest is not None:
        return _by(_do(Code.PROMPT_PASS_REST, set=table.decks.rest.deck_set), "reconcile")
    if rules.house.deck_control and (due := decks.deck_set_to_count(table)) is not None:
        count = _do(Code.PROMPT_COUNT_DECKS, set=due)
        return _by(count, "pass_rest") if table.devices.by_hand is None else count
    return _by(_do(Code.PROMPT_LOAD_SHOE, rules.book.decks.clause), "load_shoe")


def _ready(table: Table, rules: Rules) -> Prompt:
    left = table.devices.left_at_shoe
    if left is not None and left.to_be_ended:
        if left.by_hand:
            return _by(_do(Code.PROMPT_END_UNSEEN_AT_SHOE, round=left.round), "shoe_ended")
        return _do(Code.PROMPT_END_ROUND_AT_SHOE, round=left.round)
    method = rules.method(table.play.method)
    if betting.needs_leave(table, method):
        leave = Code.PROMPT_GIVE_LEAVE
        return _do(leave, method.choice, role=method.chosen_by, method=method.id)
    if (clause := methods.no_drawer_clause(table, rules)) is not None:
        return _by(_do(Code.PROMPT_HAND_OUT_DEVICE, clause), "method")
    return _by(_called(Code.PROMPT_OPEN_BETTING, rules.book.open_call), "open_betting")


def _called(do: Code, call: Call) -> Prompt:
    return Prompt(sentence(do), sentence(Code.SAY_CALL, call=call.words), call.clause)


def _in_round(round_: Round, phase: Phase, rules: Rules) -> Prompt:
    match phase:
        case Phase.BETTING:
            return _by(_called(Code.PROMPT_TAKE_WAGERS, rules.book.close_call), "close_betting")
        case Phase.DEALING:
            return _draw(round_, rules)
        case Phase.REVEALING:
            return _revealing(round_, rules)
        case Phase.PLAYERS_THIRD | Phase.BANKERS_THIRD:
            return _third(round_, phase, rules)
        case Phase.OUTCOME:
            wins = rules.book.wagers[0].wins.clause
            say, announce = _result(round_, rules), PromptedCommand("announce")
            return Prompt(sentence(Code.PROMPT_ANNOUNCE), say, wins, announce)
        case _:
            clause = rules.book.wagers[0].pays[0].clause
            return _by(_do(Code.PROMPT_COLLECT_AND_PAY, clause), "settle")


def _draw(round_: Round, rules: Rules) -> Prompt:
    method = rules.method(round_.method)
    clause, side = method.draws or method.clause, position.next_side(rules.book, round_)
    if round_.drawer is not None:
        do = sentence(Code.PROMPT_HAVE_DRAWN, player=round_.drawer, hand=side)
    elif round_.face_down:
        do = sentence(Code.PROMPT_DRAW_FACE_DOWN, hand=side)
    else:
        do = sentence(Code.PROMPT_DRAW_FACE_UP, hand=side)
    return Prompt(do, clause=clause, card_to=side)


def _revealing(round_: Round, rules: Rules) -> Prompt:
    method = rules.method(round_.method)
    passed = methods.can_handle(rules, round_) and method.squeeze is None
    for side in Side:
        lies_open = all(drawn.exposed for drawn in position.hand(round_, side))
        if side in round_.handling.handlers or not passed or lies_open:
            continue
        player, clause = methods.turn(rules, round_, side)
        if player is not None and player != round_.drawer:
            passed_to = _do(Code.PROMPT_PASS_HAND, clause, hand=side, player=player)
            return _by(passed_to, "accept_cards", side, player)
        if methods.is_refused_by_all(rules, round_, side):
            role = approvals.approval_row(Act.NAME_A_HANDLER).role
            named = _do(Code.PROMPT_NAME_HANDLER, clause, hand=side, role=role)
            return _by(named, "accept_cards", side)
    hidden = [s for s in Side if any(not d.exposed for d in position.hand(round_, s))]
    if round_.handling.first in hidden:
        hidden = [round_.handling.first]
    if (squeezes := _squeezed(round_, hidden, rules)) is not None:
        return squeezes
    clause = method.first or method.laid or method.clause
    if len(hidden) == 1:
        exposed = _do(Code.PROMPT_EXPOSE_HAND, clause, hand=hidden[0])
    else:
        exposed = _do(Code.PROMPT_EXPOSE_HANDS, clause)
    return _by(exposed, "expose", hidden[0]) if hidden else exposed


_TWO = 2
"""The number of cards of a hand that stood."""


def _squeezed(round_: Round, hidden: list[Side], rules: Rules) -> Prompt | None:
    """The prompt during a permitted squeeze, which names the person who squeezes."""
    if not methods.needs_permission(rules, round_):
        return None
    for side in hidden:
        if (player := round_.handling.handlers.get(side, DEALER)) != DEALER:
            clause = rules.method(round_.method).squeeze
            squeezes = _do(Code.PROMPT_SQUEEZES, clause, hand=side, player=player)
            return _by(squeezes, "expose", side)
    return None


def _third(round_: Round, phase: Phase, rules: Rules) -> Prompt:
    method, play = rules.method(round_.method), rules.book.play
    side = Side.PLAYER if phase is Phase.PLAYERS_THIRD else Side.BANKER
    alone = side is Side.BANKER and len(position.hand(round_, Side.PLAYER)) == _TWO
    draws = play.banker_draws_alone if alone else play.banker_draws
    clause = play.player_draws.clause if side is Side.PLAYER else draws.clause
    if position.due_card(rules.book, round_) is position.Due.EXPOSURE:
        if (squeezes := _squeezed(round_, [side], rules)) is not None:
            return squeezes
        exposed = _do(Code.PROMPT_EXPOSE_THIRD, method.thirds_exposed or clause, hand=side)
        return _by(exposed, "expose", side)
    called = round_.totals_called == position.totals_of_two(rules.book, round_)
    say = None if called else _totals(round_, rules)
    clause = method.thirds_drawn or clause
    if round_.drawer is not None:
        do = sentence(Code.PROMPT_HAVE_THIRD_DRAWN, player=round_.drawer, hand=side)
    elif round_.face_down:
        do = sentence(Code.PROMPT_DRAW_THIRD_FACE_DOWN, hand=side)
    else:
        do = sentence(Code.PROMPT_DRAW_THIRD, hand=side)
    return Prompt(do, say, clause, card_to=side)


def _totals(round_: Round, rules: Rules) -> Sentence:
    player, banker = position.totals_of_two(rules.book, round_)
    return sentence(Code.SAY_TOTALS, player=player, banker=banker)


def _result(round_: Round, rules: Rules) -> Sentence:
    found = position.dealt_round(rules.book, round_)
    return sentence(_WINS[found.outcome], player=found.player_total, banker=found.banker_total)


_WINS = {
    Outcome.PLAYER: Code.SAY_PLAYER_WINS,
    Outcome.BANKER: Code.SAY_BANKER_WINS,
    Outcome.TIE: Code.SAY_TIE,
}
