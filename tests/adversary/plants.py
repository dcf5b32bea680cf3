"""Faults that are put into the product on purpose: the search must come to each of them.

A plant undoes one check and names what is then violated. It counts as found when the script that
the search comes to is a violation with the fault in the product and none without it, so a fault
that was there before proves nothing.

To add one: a row in `PLANTS`. `undo` gets `put(target, name, value)`, which sets an attribute of a
module (or a key of a table) until the plant is lifted. Put the value where it is looked up: a
function that another module imported by name is set in that module.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from adversary import search as search_module
from adversary import words
from adversary.episode import replayed
from adversary.judge import watch
from adversary.search import Found, search
from adversary.setting import HELD, LAYOUTS, ROLES, RWS, WITH_METHODS, Cell, setting
from controller.cases import decisions, facts, offers, people, steps
from controller.cases import engine as case_engine
from controller.cases.reported import preconditions, report
from controller.engine import carrying
from controller.game.irregularities import Precondition, RulingStep
from controller.game.money.limits import LimitFinding
from controller.round import betting, dealing, methods, position, putting_right, settling, shoe
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.phases import Happening
from controller.table.requests import ReplaceShoe
from controller.table.state import happens
from controller.table.words import people as people_words
from controller.table.words.vocabulary import SPECS
from controller.views import audience
from support.clauses.from_the_documents import BOOKS

Put = Callable[[Any, Any, Any], None]


@dataclass(frozen=True)
class Plant:
    name: str
    undo: Callable[[Put], None]
    breaks: tuple[str, ...]
    """What is then violated: any of these."""
    seeds: Sequence[int] = range(168)
    """Settings in which it shows soon."""
    forks: int = 20
    pair: bool = False
    favours: tuple[str, ...] = ()
    """Words that lead there."""
    phases: tuple[str, ...] = ()
    """When they do; empty: whenever they may be said."""
    reports: tuple[str, ...] = ()
    """Reports that lead there."""

    @property
    def cells(self) -> frozenset[Cell]:
        return frozenset(
            (role, word, phase)
            for role in ROLES
            for word in self.favours
            for phase in self.phases or (HELD, *(each.value for each in SPECS[word].phases))
        )


def _one_person(act: Act) -> Callable[[Put], None]:
    """The row of the approvals no longer asks for a second person."""
    row = approvals.APPROVALS[act]
    return lambda put: put(approvals.APPROVALS, act, replace(row, second=False))


def _anybody_is_second(put: Put) -> None:
    put(people, "second_person", lambda _first, act, message, rules: rules.may(message, act))


def _void_by_one(put: Put) -> None:
    def at_once(table: Any, case: Any, rules: Any) -> Any:
        return decisions.void(table, msgspec.structs.replace(case, decided_void=True), rules)

    put(decisions, "_decide_void", at_once)


def _never_late(put: Put) -> None:
    put(betting, "_still_open", lambda *_: None)


def _decided_wagers_go_back(put: Put) -> None:
    def all_of(round_: Any, _rules: Any, _in_doubt: Any = (), player: str | None = None) -> Any:
        return [each for each in betting.live(round_) if player in (None, each.player)]

    put(offers, "undecided", all_of)


def _faces_are_shown(put: Put) -> None:
    put(audience, "_face", lambda drawn: drawn.card)


def _hidden_cards_count(put: Put) -> None:
    exposed = position.exposed

    def all_cards(round_: Any, in_doubt: Any = ()) -> Any:
        open_ = [msgspec.structs.replace(drawn, exposed=True) for drawn in round_.cards]
        return exposed(msgspec.structs.replace(round_, cards=tuple(open_)), in_doubt)

    put(position, "exposed", all_cards)
    put(search_module, "PROBES", 200)


def _paid_twice(put: Put) -> None:
    settlement = settling.settlement

    def twice(table: Any, played: Any, rules: Any) -> Any:
        paid, names = settlement(table, played, rules)
        return (*paid, *(each for each in paid if each.pays)), names

    put(settling, "settlement", twice)


def _nothing(*_: Any, **__: Any) -> None:
    """In place of a check: nothing is wrong."""


def _off(precondition: Precondition) -> Callable[[Put], None]:
    return lambda put: put(preconditions.CHECKS, precondition, _nothing)


def _unchecked(module: Any, check: str) -> Callable[[Put], None]:
    """A function that refuses does nothing any more."""
    return lambda put: put(module, check, _nothing)


def _all_of(*undo: Callable[[Put], None]) -> Callable[[Put], None]:
    def undone(put: Put) -> None:
        for each in undo:
            each(put)

    return undone


def _cards_move_at_once(put: Put) -> None:
    put(steps, "_lacks", lambda *_: False)


def _order_of_anything(put: Put) -> None:
    put(decisions, "TOGETHER", "uncovered")


def _any_order(put: Put) -> None:
    def taken(_table: Any, case: Any, order: Any, _rules: Any) -> Any:
        about = msgspec.structs.replace(case.about, order=order)
        return msgspec.structs.replace(case, about=about)

    put(decisions, "_with_order", taken)


def _every_report_is_of_this_round(put: Put) -> None:
    put(report, "_round_meant", lambda _table, word: word.round)
    put(facts, "is_earlier", lambda *_: False)


def _round_as_it_stands(put: Put) -> None:
    put(decisions, "_changeable", lambda table, _case: table.round)


def _exposed_while_choosing(put: Put) -> None:
    def shown(table: Any, message: Any, rules: Any) -> Any:
        after = dealing.expose(msgspec.structs.replace(table, case=None), message, rules)
        return msgspec.structs.replace(after, case=table.case)

    put(carrying.CARRY, people_words.ExposeWord, shown)


def _any_wager_comes_off(put: Put) -> None:
    put(case_engine, "_released", lambda table, _rules: table)

    def off(table: Any, case: Any, _awaits: Any, message: Any, rules: Any) -> Any:
        return putting_right.taken_off(
            table, case, putting_right.named_off(message.word.remove), rules
        )

    put(putting_right, "put_right", off)


def _closed_by_one_word(put: Put) -> None:
    put(LimitFinding, "of_differential", False)


def _shoe_on_a_typed_name(put: Put) -> None:
    def typed(decks: int, message: Any) -> ReplaceShoe:
        return ReplaceShoe(message.word.deck_set, decks, message.word.verified_by)

    put(shoe, "_vouched_for", typed)
    _one_person(Act.REPLACE_SHOE)(put)


def _approver_forgotten(put: Put) -> None:
    def forgotten(table: Any, message: Any, rules: Any) -> Any:
        after = decisions.approve(table, message, rules)
        ruled = [msgspec.structs.replace(each, approved_by="") for each in after.rulings]
        return msgspec.structs.replace(after, rulings=tuple(ruled))

    put(carrying.CARRY, people_words.ApproveWord, forgotten)


def _squeeze_unasked(put: Put) -> None:
    put(methods, "takes_permission", lambda *_: False)


def _each_stake_by_itself(put: Put) -> None:
    def single(wagers: Any, side: Any) -> Any:
        return [
            methods.Stake(each.player, each.amount, each.since, each.position)
            for each in wagers
            if each.wager == side.value
        ]

    put(methods, "stakes_on", single)


def _passed_before_the_call(put: Put) -> None:
    put(methods, "_offered", lambda table, _rules: table.round)


def _hands_outlive_a_reset(put: Put) -> None:
    reopened = betting.reopened

    def kept(round_: Any, at: float, rules: Any) -> Any:
        anew = reopened(round_, at, rules)
        return msgspec.structs.replace(anew, handlers=round_.handlers)

    put(betting, "reopened", kept)


def _wagers_over_a_shown_card(put: Put) -> None:
    def reopened(table: Any, _then: Any, rules: Any) -> Any:
        anew = betting.reopened(table.round, table.at, rules)
        table = msgspec.structs.replace(table, round=anew)
        return happens(table, Happening.BETTING_REOPENED)

    put(steps.STEPS, RulingStep.REBET, reopened)


def _at(
    *roles: str,
    books: tuple[str, ...] = BOOKS,
    method: str | None = None,
    face: str | None = None,
    limits: str | None = None,
) -> list[int]:
    """Settings in which somebody of such a role is alone at such a table."""
    found = []
    for seed in range(12 * len(ROLES) * len(LAYOUTS)):
        at = LAYOUTS[seed // len(ROLES) % len(LAYOUTS)]
        fits = at[0] in books and method in (None, at[1]) and face in (None, at[2])
        if not fits or ROLES[seed % len(ROLES)] not in roles:
            continue
        if limits in (None, setting(seed).limits):
            found.append(seed)
    return found


OFTEN: Final = 30
"""How often a report is drawn that leads to a fault, where any other is drawn once."""
PIT: Final = ROLES[2:]
MONEY: Final = (watch.LOST, watch.PAID)

PLANTS: Final = (
    # an exposed card goes to another hand
    Plant(
        "a ruling moves exposed cards at once",
        _cards_move_at_once,
        (watch.MOVED,),
        seeds=_at(*ROLES[1:], face="up"),
        reports=("wrong_order", "simultaneous"),
    ),
    Plant(
        "who approves a move is who reported",
        _one_person(Act.MOVE_EXPOSED_CARD),
        (watch.MOVED,),
        seeds=_at(*PIT, face="up"),
        reports=("wrong_order", "simultaneous"),
    ),
    Plant(
        "who reported says the order",
        _unchecked(decisions, "_not_the_reporter"),
        (watch.MOVED,),
        seeds=_at(*ROLES[3:], books=(RWS, *WITH_METHODS), face="up"),
        reports=("simultaneous",),
    ),
    Plant(
        "cards come together from anywhere",
        _off(Precondition.TWO_CARDS_TOGETHER),
        (watch.OUTCOME,),
        seeds=_at(*ROLES[1:], face="down"),
        favours=("report",),
        phases=("dealing",),
        reports=("simultaneous",),
    ),
    Plant(
        "an order is of any cards",
        _any_order,
        (watch.OUTCOME,),
        seeds=_at(*ROLES[1:], books=(RWS, *WITH_METHODS), face="down"),
        favours=("report",),
        phases=("dealing",),
        reports=("simultaneous",),
    ),
    Plant(
        "one shift manager reconstructs in any order",
        _all_of(_order_of_anything, _one_person(Act.CONFIRM_DECISION)),
        (watch.MOVED,),
        seeds=_at(ROLES[5]),
        reports=("uncovered",),
    ),
    Plant(
        "a correction is approved by whoever asked", _one_person(Act.CORRECT_CARD), (watch.MOVED,)
    ),
    Plant(
        "a card is entered by one person",
        _one_person(Act.ENTER_CARD),
        (watch.MOVED,),
        seeds=_at(*PIT),
        reports=("foreign_card",),
    ),
    Plant(
        "wagers are opened over a shown card",
        _wagers_over_a_shown_card,
        (watch.MOVED,),
        seeds=_at(*PIT, books=WITH_METHODS, face="down"),
        favours=("report",),
        reports=("device_reset", "exposed_in_error"),
    ),
    # another round
    Plant("every report is of this round", _every_report_is_of_this_round, (watch.OTHER_ROUND,)),
    Plant(
        "a decision of an earlier round changes this one",
        _round_as_it_stands,
        (watch.OTHER_ROUND,),
        pair=True,
        seeds=_at(ROLES[5]),
        reports=("uncovered",),
    ),
    Plant(
        "an earlier round is void, and so this one",
        _unchecked(decisions, "_voidable"),
        (watch.OTHER_ROUND,),
        pair=True,
        seeds=_at(ROLES[5]),
        reports=("uncovered",),
    ),
    # voids
    Plant("a void is approved by whoever asked", _one_person(Act.VOID), (watch.OUTCOME,)),
    Plant("a decision voids at once", _void_by_one, (watch.OUTCOME,)),
    Plant(
        "anybody is the second person", _anybody_is_second, (watch.OUTCOME, watch.MOVED, watch.SHOE)
    ),
    Plant("who approved is not written down", _approver_forgotten, (watch.UNRECORDED,), pair=True),
    # wagers
    Plant("no wager is late", _never_late, MONEY),
    Plant(
        "cards are exposed while players choose",
        _exposed_while_choosing,
        (watch.SHOWN,),
        seeds=_at(*ROLES[1:], books=(RWS, *WITH_METHODS)),
        reports=("power_failure", "device_reset"),
        favours=("expose",),
    ),
    Plant(
        "decided wagers go back in an offer",
        _decided_wagers_go_back,
        MONEY,
        seeds=_at(*ROLES[1:], books=(RWS,)),
        reports=("device_reset",),
    ),
    Plant(
        "who doubts exposed cards approves it",
        _one_person(Act.DOUBT_EXPOSED_CARDS),
        MONEY,
        seeds=_at(*PIT, books=(RWS,)),
        reports=("device_reset", "wrong_order", "excess_card"),
    ),
    Plant(
        "who reports a late wager has it struck",
        _one_person(Act.STRIKE_WAGER),
        MONEY,
        seeds=_at(*PIT),
        reports=("late_wager",),
    ),
    Plant("a decision removes wagers by one person", _one_person(Act.CONFIRM_DECISION), MONEY),
    Plant(
        "a differential that is not exceeded takes wagers off",
        _all_of(
            _off(Precondition.DIFFERENTIAL_EXCEEDED),
            _off(Precondition.BEFORE_THE_CALL),
            _any_wager_comes_off,
        ),
        MONEY,
        seeds=_at(ROLES[3], books=WITH_METHODS),
        reports=("differential",),
    ),
    Plant(
        "`anyway` covers the differential",
        _closed_by_one_word,
        (watch.DIFFERENTIAL,),
        seeds=_at("dealer", books=WITH_METHODS, limits="tight"),
        favours=("raise", "close_betting"),
    ),
    Plant(
        "one person closes over the differential",
        _one_person(Act.CLOSE_OVER_DIFFERENTIAL),
        (watch.DIFFERENTIAL,),
        seeds=_at(*PIT, books=(RWS,), limits="tight"),
        favours=("raise", "close_betting", "approve"),
        phases=("betting", HELD),
    ),
    Plant(
        "a wager is taken that cannot be paid",
        _unchecked(betting, "payable"),
        (watch.STUCK,),
        seeds=_at("player", "dealer", limits="exact"),
        favours=("place", "raise"),
    ),
    Plant("winners are paid twice", _paid_twice, (watch.PAID,)),
    # hands
    Plant(
        "a squeeze needs nobody's leave",
        _squeeze_unasked,
        (watch.HANDLED,),
        seeds=_at("player", books=(RWS,), face="down"),
        favours=("raise", "accept_cards"),
    ),
    Plant(
        "the highest stake is one stake",
        _each_stake_by_itself,
        (watch.HANDLED,),
        seeds=_at("dealer", method="A"),
        favours=("accept_cards",),
        phases=("dealing",),
    ),
    Plant(
        "a hand is passed while wagers are open",
        _passed_before_the_call,
        (watch.HANDLED,),
        seeds=_at("dealer", method="A"),
        favours=("accept_cards",),
    ),
    Plant(
        "a hand outlives a reset",
        _hands_outlive_a_reset,
        (watch.HANDLED,),
        seeds=_at("dealer", method="A"),
        favours=("accept_cards", "report"),
        phases=("dealing",),
        reports=("device_reset",),
    ),
    # the shoe, and what is sealed
    Plant(
        "who loads a shoe vouches for it",
        _one_person(Act.VOUCH_FOR_SHOE),
        (watch.SHOE,),
        seeds=_at(*PIT),
        favours=("load_shoe",),
    ),
    Plant(
        "a shoe is loaded on a typed name",
        _shoe_on_a_typed_name,
        (watch.SHOE,),
        seeds=_at(*PIT),
        favours=("load_shoe",),
    ),
    Plant("sealed faces are shown", _faces_are_shown, (watch.SEALED,)),
    Plant(
        "what is decided is told by face-down cards", _hidden_cards_count, (watch.SEALED,), forks=0
    ),
)
"""One row for each fault of the list that the adversary was built for and can see."""


class Planted:
    """The product with one fault in it, while the context lasts."""

    def __init__(self, plant: Plant) -> None:
        self._plant = plant
        self._kept: list[tuple[Any, Any, Any]] = []

    def __enter__(self) -> "Planted":
        self._plant.undo(self._put)
        if self._plant.reports:
            self._put(words, "OPENS", self._plant.reports * OFTEN)
        return self

    def __exit__(self, *_: object) -> None:
        while self._kept:
            _set(*self._kept.pop())

    def _put(self, target: Any, name: Any, value: Any) -> None:
        self._kept.append((target, name, _get(target, name)))
        _set(target, name, value)

    @contextmanager
    def lifted(self) -> Iterator[None]:
        self.__exit__()
        try:
            yield
        finally:
            self.__enter__()


def _get(target: Any, name: Any) -> Any:
    return target[name] if isinstance(target, dict) else getattr(target, name)


def _set(target: Any, name: Any, value: Any) -> None:
    if isinstance(target, dict):
        target[name] = value
    else:
        setattr(target, name, value)


def found(plant: Plant) -> Found | None:
    """The first script that is a violation because of the plant."""
    proofs: list[Found] = []

    with Planted(plant) as planted:

        def enough(each: Found) -> bool:
            if each.violation.invariant in plant.breaks:
                with planted.lifted():
                    sound = replayed(each.setting, each.plan, each.rounds).violation is None
                proofs.extend([each] * sound)
            return bool(proofs)

        search(plant.seeds, plant.forks, plant.pair, enough, plant.cells)
    return proofs[0] if proofs else None
