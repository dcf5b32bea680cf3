"""Checks of a table's agenda: the first item is what every door shows, and what ends.

The first item is carried out on a copy by somebody who may: each of its commands is sent, and what
ended has to be that item and nothing else that waited. Commands that end another item are refused.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from controller.cases import facts
from controller.console.handlers.command_list import leading_commands
from controller.engine.step import Answer, TableMachine
from controller.game.hands import Side
from controller.journal.seal import Sealer
from controller.messages.codes import Code
from controller.round import count_check, position
from controller.table.agenda import order
from controller.table.agenda.items import (
    HOLDS,
    CardToEnter,
    CaseApproval,
    CaseDecision,
    CaseItem,
    CaseOffer,
    CaseQuestion,
    CountDue,
    HoldToEnd,
    Item,
    NextAct,
    QueuedCase,
    RequestApproval,
    RestartQuestion,
)
from controller.table.approvals import Act
from controller.table.case import (
    AwaitsApproval,
    AwaitsCounts,
    AwaitsFact,
    AwaitsLies,
    AwaitsOrder,
    AwaitsWagers,
    Case,
    Decision,
)
from controller.table.commands.message import new_message
from controller.table.holds import clears
from controller.table.requests import VouchForShoe
from controller.table.rules import Rules
from controller.table.state import Table, latest_round
from controller.views import audience

TOP: Final = {"mbs": "gaming_shift_manager", "rws": "table_game_shift_manager"}
SECOND: Final = "second-person"
"""Nobody else at these tables is called so."""
CONTENT: Final = frozenset(
    {
        "payment_not_whole",
        "correction_leaves_hands_open",
        "earlier_round_stands",
        "standing_come_off_first",
        "too_much_comes_off",
        "still_exceeded",
    }
)
"""Refused because of what was sent with it, not because something else comes first."""


class AgendaCheck:
    """One for all steps of a table."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._machine = TableMachine(rules, Sealer(bytes(32), random.Random(1).randbytes))

    def __call__(self, table: Table) -> None:
        first = order.first(table, self.rules)
        self._doors_agree(table, first)
        _somebody_can_end_it(table, first)
        for command, given in _carried_out(table, first):
            answer = self._send(table, command, given, first)
            if answer.accepted:
                _is_what_ended(first, command, table, answer.table, self.rules)
            else:
                assert answer.why is not None
                assert answer.why.code in CONTENT, (command, first, answer.why)
        self._nothing_else_is_ended(table, first)

    def _send(self, table: Table, command: str, given: Mapping[str, Any], item: Item) -> Answer:
        self._machine.load_state(table)
        who, role = _who(item), TOP["rws" if self.rules.book.id.startswith("rws") else "mbs"]
        said = new_message("staff", command, who=who, role=role, at=table.at, **given)
        return self._machine.decide(said).answer

    def _doors_agree(self, table: Table, first: Item) -> None:
        """What is shown to people is the first item: prompt, question, hold, commands, buttons."""
        view = audience.dealer(table, self.rules)
        commands, asks, held = first.ended_by.commands, view.asks, view.held
        asked = isinstance(
            first,
            CountDue
            | RestartQuestion
            | RequestApproval
            | CaseQuestion
            | CaseApproval
            | CaseDecision
            | CardToEnter,
        )
        assert len(asks) == asked, first
        if asked:
            assert asks[0].do == commands[0]
            assert asks[0].says == view.prompt.do, "prompt and question are one"
        assert bool(view.offers) or not isinstance(first, CaseOffer)
        if isinstance(first, HOLDS):
            kind = _KINDS[type(first)]
            assert held[0].kind.value == kind
            assert held[0].word in (*commands, None) or kind == "count"
        if table.day.is_open and isinstance(first, NextAct):
            assert not held
        others = order.ENDS_FIRST - set(commands)
        assert not others & set(view.can), (first, view.can)
        if commands and not isinstance(first, NextAct):
            assert leading_commands(view)[0] in commands, (first, leading_commands(view))
            missing = set(commands) - set(view.can)
            assert not (table.day.is_open and missing), (first, missing)

    def _nothing_else_is_ended(self, table: Table, first: Item) -> None:
        """A command that cannot end the first item ends none."""
        sent: dict[str, dict[str, Any]] = {
            "approve": {},
            "refuse": {},
            "answer": {"value": True},
            "decide": {"text": "so"},
            "resume": {"reason": "looked"},
        }
        for command, given in sent.items():
            if command not in first.ended_by.commands:
                answer = self._send(table, command, given, first)
                assert not answer.accepted, (command, first)


_KINDS: Final = {
    CountDue: "count",
    RestartQuestion: "restart",
    CaseQuestion: "case",
    CaseOffer: "case",
    CardToEnter: "case",
    CaseDecision: "case",
    CaseApproval: "case",
    QueuedCase: "case",
    HoldToEnd: "latch",
}


def _somebody_can_end_it(table: Table, first: Item) -> None:
    if isinstance(first, HoldToEnd) and first.lasts:
        assert first.hold.by or first.hold.kind.value == "self_test_failed", first
    elif table.day.is_open and order.has_holds(table):
        assert first.ended_by.commands, first


def _who(item: Item) -> str:
    if isinstance(item, RequestApproval) and isinstance(item.request.subject, VouchForShoe):
        return item.request.subject.verified_by
    return SECOND


def ends(table: Table, rules: Rules) -> Iterator[tuple[str | None, str, dict[str, Any]]]:
    """What ends the first item: who has to send it, or None for anybody else, and what."""
    item = order.first(table, rules)
    who = _who(item)
    for command, given in _carried_out(table, item):
        yield (None if who == SECOND else who), command, given


# --- carrying out -------------------------------------------------------------------------------


def _carried_out(table: Table, item: Item) -> Iterator[tuple[str, dict[str, Any]]]:
    """Commands that end the item, with what is sent with them."""
    match item:
        case CountDue():
            yield "count", {"cards": count_check.expected_card_count(table)}
        case RestartQuestion():
            yield "answer", {"value": False}
            yield "answer", {"value": True}
        case RequestApproval() | CaseApproval():
            yield "approve", {}
            yield "refuse", {}
        case CaseOffer():
            yield "close_offer", {}
        case CardToEnter(case):
            yield "enter_card", {"card": "9H"}
            if "decide" in item.ended_by.commands:
                yield from _decisions(table)
        case CaseDecision(case) if not isinstance(case.awaits, AwaitsWagers):
            yield from _decisions(table)
        case CaseQuestion(case):
            yield from _answers(table, case)
        case HoldToEnd() if not item.lasts:
            yield "resume", {"reason": "looked"}


def _decisions(table: Table) -> Iterator[tuple[str, dict[str, Any]]]:
    """A round that is void already is not made void again."""
    round_, outcomes = latest_round(table), (Decision.GO_ON, Decision.VOID)
    for outcome in outcomes if round_ is not None and round_.void_by is None else outcomes[:1]:
        yield "decide", {"text": "so", "outcome": outcome.value}


def _answers(table: Table, case: Case) -> Iterator[tuple[str, dict[str, Any]]]:
    match case.awaits:
        case AwaitsFact():
            yield "answer", {"value": True}
            yield "answer", {"value": False}
        case AwaitsOrder():
            yield "answer", {"order": facts.affected_cards(table.round, case)}
        case AwaitsLies():
            assert table.round is not None
            hands = {side.value: position.hand(table.round, side) for side in Side}
            yield "answer", {"lies": {side: [d.n for d in lying] for side, lying in hands.items()}}
        case AwaitsCounts():
            yield from _decisions(table)


def _is_what_ended(item: Item, command: str, before: Table, after: Table, rules: Rules) -> None:
    """The item is not there any more, and other requests wait still or end with a notice."""
    match item:
        case CountDue():
            assert after.count_check is None or after.count_check is not before.count_check
        case RestartQuestion():
            assert after.clocks.restarted_at is None
        case RequestApproval(request):
            assert all(each is not request for each in after.requests)
            assert command == "refuse" or DONE[request.kind](request.subject, before, after), (
                request
            )
        case HoldToEnd(hold):
            cleared = all(each is not hold for each in after.latches)
            assert cleared or isinstance(order.first(after, rules), RequestApproval)
        case NextAct():
            pass
        case _:
            _case_went_on(item, command, before, after)
    answered = item.request if isinstance(item, RequestApproval) else None
    told = [n.params["request"] for n in after.notices if n.code == Code.REQUEST_ENDED.value]
    left = [each for each in before.requests if each is not answered]
    assert all(each in after.requests or each.kind in told for each in left), left


def _case_went_on(item: CaseItem | QueuedCase, command: str, before: Table, after: Table) -> None:
    case = item.case
    if isinstance(item, CaseApproval) and case.asker is None and command == "approve":
        assert after.case is not None
        assert (after.case.id, after.case.awaits) == (case.id, case.awaits)
        assert after.case.asker == SECOND, "whoever speaks first to a device's case asks"
        return
    assert _goes_on(case, after), (command, item, after.case)
    if isinstance(item, CaseApproval) and command == "approve" and _makes_void(case):
        assert _is_void(before, after)


def _goes_on(case: Case, after: Table) -> bool:
    """Whether the case waits for something else now, or has ended."""
    now = after.case
    if now is None or (now.id, now.since, now.reported_by) != (
        case.id,
        case.since,
        case.reported_by,
    ):
        return True
    return (now.awaits, now.facts, now.approved, now.step, now.kept) != (
        case.awaits,
        case.facts,
        case.approved,
        case.step,
        case.kept,
    )


def _makes_void(case: Case) -> bool:
    assert isinstance(case.awaits, AwaitsApproval)
    decided = case.decision is not None and case.decision.outcome is Decision.VOID
    return case.awaits.of == "void" or decided


def _is_void(before: Table, after: Table) -> bool:
    """A void of a settled round stands only where the clause reaches back to it."""
    round_ = after.round or (after.history.gone.round if after.history.gone else None)
    was_over = before.round is None or before.round.over
    return was_over or (round_ is not None and round_.void_by is not None)


# What has been done when a request is approved: what was asked, and the table before and after.


def _corrected(what: Any, _before: Table, after: Table) -> bool:
    every = after.round.interventions.corrections if after.round else ()
    made = every[-1] if every else None
    wrong = any(each is not None and each.id == "wrong_number" for each in _cases(after))
    return wrong or (made is not None and (made.n, made.now) == (what.n, what.card))


def _loaded(_what: Any, before: Table, after: Table) -> bool:
    return after.history.shoes == before.history.shoes + 1


def _ended_holds(act: Act, before: Table, after: Table) -> bool:
    """The holds of this row have ended, and those of one person; the others are there still."""
    others = [each for each in before.latches if not clears(act, each.kind)]
    return list(after.latches) == others


def _decks_changed(_what: Any, before: Table, after: Table) -> bool:
    return after.decks.sets != before.decks.sets


DONE: Final[Mapping[str, Callable[[Any, Table, Table], bool]]] = {
    "correct": _corrected,
    "load_shoe": _loaded,
    "vouch_for_shoe": _loaded,
    "first_card": lambda _, __, after: after.shoe is not None and after.shoe.burn_left is not None,
    "count": lambda _, before, after: (
        after.count_check is None or after.count_check is not before.count_check
    ),
    "swap_device": lambda what, _, after: after.devices.enrolled[what.device] == what.identity,
    "close_betting": lambda _, __, after: after.round is not None and not after.round.betting,
    "resume": lambda _, *tables: _ended_holds(Act.GO_ON_OVER_A_DEVICE, *tables),
    "journal_loss": lambda _, *tables: _ended_holds(Act.CLEAR_JOURNAL_LOSS, *tables),
    "deal_by_hand": lambda _, __, after: after.devices.by_hand is not None,
    "use_shoe": lambda _, __, after: after.devices.by_hand is None,
    "announce": lambda _, __, after: after.round is not None and after.round.announced,
    "deck_set": _decks_changed,
    "reconcile": _decks_changed,
}


def _cases(table: Table) -> list[Case]:
    return [each for each in (table.case, *table.queue) if each is not None]
