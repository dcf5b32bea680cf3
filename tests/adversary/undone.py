"""What undoes a check of the product, each until its plant is lifted: see `plants.py`."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec

from adversary import search as search_module
from controller.cases import decisions, facts, offers, people, steps
from controller.cases import engine as case_engine
from controller.cases.manual_entry import by_hand
from controller.cases.reported import preconditions, report
from controller.engine import carrying
from controller.game.irregularities import Fact, Precondition, RulingStep
from controller.game.money.limits import LimitFinding
from controller.round import dealing, methods, position, reconstruction, settling, shoe
from controller.round.wagers import betting, putting_right
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.phases import Happening
from controller.table.requests import ReplaceShoe
from controller.table.state import happens
from controller.table.words import people as people_words
from controller.views import audience

Put = Callable[[Any, Any, Any], None]
"""Sets an attribute of a module, or a key of a table."""


def one_person(act: Act) -> Callable[[Put], None]:
    """The row of the approvals no longer asks for a second person."""
    row = approvals.APPROVALS[act]
    return lambda put: put(approvals.APPROVALS, act, replace(row, second=False))


def anybody_is_second(put: Put) -> None:
    put(people, "second_person", lambda _first, act, message, rules: rules.may(message, act))


def void_by_one(put: Put) -> None:
    def at_once(table: Any, case: Any, rules: Any) -> Any:
        return decisions.void(table, msgspec.structs.replace(case, decided_void=True), rules)

    put(decisions, "_decide_void", at_once)


def never_late(put: Put) -> None:
    put(betting, "_still_open", lambda *_: None)


def decided_wagers_go_back(put: Put) -> None:
    def every(round_: Any, _rules: Any, _in_doubt: Any = (), player: str | None = None) -> Any:
        return [each for each in betting.live(round_) if player in (None, each.player)]

    put(offers, "undecided", every)


def faces_are_shown(put: Put) -> None:
    put(audience, "_face", lambda drawn: drawn.card)


def hidden_cards_count(put: Put) -> None:
    exposed = position.exposed

    def all_cards(round_: Any, in_doubt: Any = ()) -> Any:
        open_ = [msgspec.structs.replace(drawn, exposed=True) for drawn in round_.cards]
        return exposed(msgspec.structs.replace(round_, cards=tuple(open_)), in_doubt)

    put(position, "exposed", all_cards)
    put(search_module, "PROBES", 200)


def paid_twice(put: Put) -> None:
    settlement = settling.settlement

    def twice(table: Any, played: Any, rules: Any) -> Any:
        paid, names = settlement(table, played, rules)
        return (*paid, *(each for each in paid if each.pays)), names

    put(settling, "settlement", twice)


def lost_outside_limits_goes_back(put: Put) -> None:
    """What a clause of the limits settles is given back where it is lost."""
    settlement = settling.settlement

    def kindly(table: Any, played: Any, rules: Any) -> Any:
        paid, names = settlement(table, played, rules)
        lay = {each.id: each.amount for each in table.round.wagers}
        kind = [
            msgspec.structs.replace(each, returned=lay[each.id]) if each.clause else each
            for each in paid
        ]
        return tuple(kind), names

    put(settling, "settlement", kindly)


def nothing(*_: Any, **__: Any) -> None:
    """In place of a check: nothing is wrong."""


def off(precondition: Precondition) -> Callable[[Put], None]:
    return lambda put: put(preconditions.CHECKS, precondition, nothing)


def unchecked(module: Any, check: str) -> Callable[[Put], None]:
    """A function that refuses does nothing any more."""
    return lambda put: put(module, check, nothing)


def all_of(*undo: Callable[[Put], None]) -> Callable[[Put], None]:
    def undone(put: Put) -> None:
        for each in undo:
            each(put)

    return undone


def cards_move_at_once(put: Put) -> None:
    put(steps, "_lacks", lambda *_: False)


def thirds_change_at_once(put: Put) -> None:
    """Only a card that goes to another hand takes a second person."""
    places = reconstruction._places

    def on_hands(round_: Any) -> Any:
        return {n: side for n, (side, _third) in places(round_).items()}

    put(reconstruction, "_places", on_hands)


def order_of_anything(put: Put) -> None:
    put(decisions, "TOGETHER", "uncovered")


def any_order(put: Put) -> None:
    def taken(_table: Any, case: Any, order: Any, _rules: Any) -> Any:
        about = msgspec.structs.replace(case.about, order=order)
        return msgspec.structs.replace(case, about=about)

    put(decisions, "_with_order", taken)


def every_report_is_of_this_round(put: Put) -> None:
    put(report, "_round_meant", lambda _table, word: word.round)
    put(facts, "is_earlier", lambda *_: False)


def round_as_it_stands(put: Put) -> None:
    put(decisions, "_changeable", lambda table, _case: table.round)


def exposed_while_choosing(put: Put) -> None:
    def shown(table: Any, message: Any, rules: Any) -> Any:
        after = dealing.expose(msgspec.structs.replace(table, case=None), message, rules)
        return msgspec.structs.replace(after, case=table.case)

    put(carrying.CARRY, people_words.ExposeWord, shown)


def any_wager_comes_off(put: Put) -> None:
    put(case_engine, "_released", lambda table, _rules: table)

    def off(table: Any, case: Any, _awaits: Any, message: Any, rules: Any) -> Any:
        return putting_right.taken_off(
            table, case, putting_right.named_off(message.word.remove), rules
        )

    put(putting_right, "put_right", off)


def bets_never_closed(put: Put) -> None:
    put(facts._HOLDS, Fact.BETS_CLOSED, lambda *_: False)


def closed_by_one_word(put: Put) -> None:
    put(LimitFinding, "of_differential", False)


def shoe_on_a_typed_name(put: Put) -> None:
    def typed(decks: int, message: Any) -> ReplaceShoe:
        return ReplaceShoe(message.word.deck_set, decks, message.word.verified_by)

    put(shoe, "_vouched_for", typed)
    one_person(Act.REPLACE_SHOE)(put)


def cards_count_unseen(put: Put) -> None:
    """The outcome of cards that one person named is announced at once."""
    announce = settling.announce

    def at_once(table: Any, message: Any, rules: Any) -> Any:
        after = announce(table, message, rules)
        if after.request is table.request:
            return after
        return settling.announced(msgspec.structs.replace(after, request=None))

    put(carrying.CARRY, people_words.AnnounceWord, at_once)


def namer_confirms(put: Put) -> None:
    put(by_hand, "confirmed", lambda table, _approver, _rules: settling.announced(table))


def named_twice(put: Put) -> None:
    """A card by hand takes the place of the one that lies there."""
    deal_card = carrying.CARRY[people_words.DealCardWord]

    def instead(table: Any, message: Any, rules: Any) -> Any:
        round_, card = table.round, message.word.card
        if table.by_hand is None or round_ is None or not round_.cards or card is None:
            return deal_card(table, message, rules)
        last = msgspec.structs.replace(round_.cards[-1], card=card)
        cards = (*round_.cards[:-1], last)
        return msgspec.structs.replace(table, round=msgspec.structs.replace(round_, cards=cards))

    put(carrying.CARRY, people_words.DealCardWord, instead)


def approver_forgotten(put: Put) -> None:
    def forgotten(table: Any, message: Any, rules: Any) -> Any:
        after = decisions.approve(table, message, rules)
        ruled = [msgspec.structs.replace(each, approved_by="") for each in after.rulings]
        return msgspec.structs.replace(after, rulings=tuple(ruled))

    put(carrying.CARRY, people_words.ApproveWord, forgotten)


def squeeze_unasked(put: Put) -> None:
    put(methods, "takes_permission", lambda *_: False)


def each_stake_by_itself(put: Put) -> None:
    def single(wagers: Any, side: Any) -> Any:
        return [
            methods.Stake(each.player, each.amount, each.since, each.position)
            for each in wagers
            if each.wager == side.value
        ]

    put(methods, "stakes_on", single)


def passed_before_the_call(put: Put) -> None:
    put(methods, "_offered", lambda table, _rules: table.round)


def hands_outlive_a_reset(put: Put) -> None:
    reopened = betting.reopened

    def kept(round_: Any, at: float, rules: Any) -> Any:
        anew = reopened(round_, at, rules)
        return msgspec.structs.replace(anew, handlers=round_.handlers)

    put(betting, "reopened", kept)


def wagers_over_a_shown_card(put: Put) -> None:
    def reopened(table: Any, _then: Any, rules: Any) -> Any:
        anew = betting.reopened(table.round, table.at, rules)
        table = msgspec.structs.replace(table, round=anew)
        return happens(table, Happening.BETTING_REOPENED)

    put(steps.STEPS, RulingStep.REBET, reopened)
