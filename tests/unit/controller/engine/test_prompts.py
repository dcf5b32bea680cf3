"""The prompt: what the dealer does and says next, in every phase and under every hold."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.engine.prompts import QUESTIONS, prompt
from controller.game.hands import Side
from controller.game.irregularities import COMPUTED, Fact
from controller.game.roles import Role
from controller.messages.codes import Code
from controller.rulebooks import RULEBOOKS
from controller.table import approvals
from controller.table.approvals import Act, Approval
from support.rows import each_row
from support.table.bench import (
    BANKER_DRAWS,
    BOTH_DRAW,
    NATURAL,
    Bench,
    differential,
    nearly_empty,
    taken_unread,
)

Asked = tuple[str, dict[str, Any]]


def do(bench: Bench) -> Asked:
    found = prompt(bench.table, bench.rules).do
    return found.code, found.params


def say(bench: Bench) -> Asked | None:
    found = prompt(bench.table, bench.rules).say
    return None if found is None else (found.code, found.params)


def clause(bench: Bench) -> str | None:
    return prompt(bench.table, bench.rules).clause


def closed() -> Bench:
    return Bench()


def no_shoe() -> Bench:
    bench = Bench()
    bench.say("open_table", "pia")
    return bench


def burning(*cards: str) -> Bench:
    bench = Bench(burn="first_card").open()
    if cards:
        bench.card(*cards)
    return bench


def announced() -> Bench:
    bench = Bench().deal(*NATURAL)
    bench.say("announce")
    return bench


def turned(*sides: str, cards: tuple[str, ...] = BOTH_DRAW, more: tuple[str, ...] = ()) -> Bench:
    bench = Bench(deal_face="down").deal(*cards)
    for side in sides:
        bench.say("expose", hand=side)
    if more:
        bench.card(*more)
    return bench


MBS = "mbs-baccarat-8"

PLAY: list[tuple[Callable[[], Bench], Asked, Asked | None]] = [
    (closed, ("prompt_open_table", {}), None),
    (no_shoe, ("prompt_load_shoe", {}), None),
    (burning, ("prompt_turn_first_card", {}), None),
    (lambda: burning("5H", "2C"), ("prompt_burn", {"cards": 4}), None),
    (
        lambda: Bench().open(),
        ("prompt_open_betting", {}),
        ("say_call", {"call": "place_your_bets"}),
    ),
    (lambda: Bench().bet(), ("prompt_take_wagers", {}), ("say_call", {"call": "no_more_bets"})),
    (lambda: Bench().deal(), ("prompt_draw_face_up", {"hand": "player"}), None),
    (lambda: Bench().deal("2H"), ("prompt_draw_face_up", {"hand": "banker"}), None),
    (
        lambda: Bench(deal_face="down").deal("2H", "KC"),
        ("prompt_draw_face_down", {"hand": "player"}),
        None,
    ),
    (turned, ("prompt_expose_hands", {}), None),
    (lambda: turned("player"), ("prompt_expose_hand", {"hand": "banker"}), None),
    (
        lambda: Bench().deal(*BOTH_DRAW),
        ("prompt_draw_third", {"hand": "player"}),
        ("say_totals", {"player": 5, "banker": 5}),
    ),
    (
        lambda: Bench().deal(*BANKER_DRAWS),
        ("prompt_draw_third", {"hand": "banker"}),
        ("say_totals", {"player": 6, "banker": 5}),
    ),
    (
        lambda: Bench().deal(*BOTH_DRAW, "4H"),
        ("prompt_draw_third", {"hand": "banker"}),
        None,
    ),
    (
        lambda: turned("player", "banker"),
        ("prompt_draw_third_face_down", {"hand": "player"}),
        ("say_totals", {"player": 5, "banker": 5}),
    ),
    (
        lambda: turned("player", "banker", more=("4H",)),
        ("prompt_expose_third", {"hand": "player"}),
        None,
    ),
    (
        lambda: Bench().deal(*NATURAL),
        ("prompt_announce", {}),
        ("say_player_wins", {"player": 9, "banker": 8}),
    ),
    (
        lambda: Bench().deal("2H", "9C", "KD", "KS"),
        ("prompt_announce", {}),
        ("say_banker_wins", {"player": 2, "banker": 9}),
    ),
    (
        lambda: Bench().deal("9H", "9C", "KD", "KS"),
        ("prompt_announce", {}),
        ("say_tie", {"player": 9, "banker": 9}),
    ),
    (announced, ("prompt_collect_and_pay", {}), None),
]


@each_row("bench, wants, words", PLAY)
def test_every_phase_has_its_prompt(
    bench: Callable[[], Bench], wants: Asked, words: Asked | None
) -> None:
    found = bench()
    assert do(found) == wants
    assert say(found) == words


def test_every_phase_of_play_is_among_them() -> None:
    phases = {bench().phase for bench, _, _ in PLAY}
    assert len(phases) == 10


def test_a_face_down_card_never_decides_what_is_asked() -> None:
    """Hands that would draw, and hands that would not, look alike until they are turned."""
    assert do(turned(cards=BOTH_DRAW)) == do(turned(cards=NATURAL))


@each_row(
    "book, wants",
    [
        (MBS, "3.14"),
        ("mbs-dragon-tiger-baccarat", "3.14"),
        ("rws-commission-baccarat-4", "3.11"),
        ("mbs-sands-super-baccarat", "3.9"),
        ("mbs-baccarat-tournament-5", "3.9.3"),
    ],
)
def test_both_totals_are_announced_where_only_the_banker_draws(book: str, wants: str) -> None:
    bench = Bench(book).deal(*BANKER_DRAWS)
    assert say(bench) == ("say_totals", {"player": 6, "banker": 5})
    assert clause(bench) == wants


# --- the cutting card -----------------------------------------------------------------------------

IN_ROUND, NO_MORE = "prompt_remove_cut_card_in_round", {"rounds": 0}


@each_row(
    "book, wants",
    [
        (MBS, "3.17"),
        ("mbs-dragon-tiger-baccarat", "3.17"),
        ("rws-commission-baccarat-4", None),
        ("mbs-sands-super-baccarat", None),
        ("mbs-baccarat-tournament-5", None),
    ],
)
def test_a_cutting_card_in_mid_round_is_removed_before_the_next_card(
    book: str, wants: str | None
) -> None:
    bench = Bench(book).deal("9H", "2C")
    bench.device("cut_card")
    assert do(bench) == (IN_ROUND, NO_MORE)
    assert clause(bench) == wants
    bench.card("KD")
    assert do(bench) == ("prompt_draw_face_up", {"hand": "banker"})


def test_what_is_said_next_stays_said_beside_the_cutting_card() -> None:
    bench = Bench().deal(*BANKER_DRAWS)
    bench.say("cut_card")
    assert do(bench) == (IN_ROUND, NO_MORE)
    assert say(bench) == ("say_totals", {"player": 6, "banker": 5})
    bench.card("2H")
    assert do(bench) == ("prompt_announce", {})


def test_a_cutting_card_that_came_last_is_removed_before_the_announcement() -> None:
    bench = Bench(rounds_after_cut=2).deal(*NATURAL)
    bench.device("cut_card")
    assert do(bench) == (IN_ROUND, {"rounds": 2})
    bench.say("announce")
    assert do(bench) == ("prompt_collect_and_pay", {})


def test_between_rounds_it_is_removed_before_the_shoe_is_changed() -> None:
    bench = Bench().deal(*NATURAL)
    bench.settle()
    bench.device("cut_card")
    assert do(bench) == ("prompt_remove_cut_card_and_change", {})
    bench.load()
    assert do(bench) == ("prompt_open_betting", {})


def test_between_rounds_it_says_how_many_may_follow() -> None:
    bench = Bench(rounds_after_cut=2).deal(*NATURAL)
    bench.settle()
    bench.device("cut_card")
    assert do(bench) == ("prompt_remove_cut_card", {"rounds": 2})
    for _ in range(2):
        bench.deal("9H", "2C", "KD", "6S")
        bench.settle()
    assert bench.phase == "changing_shoe"


def test_prompts_name_the_clause_they_come_from() -> None:
    book = Bench().rules.book
    assert clause(Bench().open()) == book.open_call.clause
    assert clause(Bench().deal()) == "3.10.1"
    assert clause(announced()) == book.wagers[0].pays[0].clause


# --- methods ------------------------------------------------------------------------------------


def method_a(*refusals: str) -> Bench:
    bench = Bench().open()
    bench.say("method", "max", method="A")
    bench.deal(*NATURAL, wagers=(("ann", "player", 100), ("bob", "player", 50)))
    for player in refusals:
        bench.player("refuse_cards", player, hand="player")
    return bench


def test_a_hand_is_passed_to_whose_turn_it_is() -> None:
    assert do(method_a()) == ("prompt_pass_hand", {"hand": "player", "player": "ann"})
    assert do(method_a("ann")) == ("prompt_pass_hand", {"hand": "player", "player": "bob"})


def test_when_nobody_wants_the_hand_somebody_is_named() -> None:
    wants = {"hand": "player", "role": "pit_supervisor"}
    assert do(method_a("ann", "bob")) == ("prompt_name_handler", wants)


def test_the_hand_that_is_revealed_first_is_asked_for_first() -> None:
    bench = method_a()
    bench.player("accept_cards", "ann", hand="player")
    assert do(bench) == ("prompt_expose_hands", {})
    bench.say("reveal_first", hand="banker")
    assert do(bench) == ("prompt_expose_hand", {"hand": "banker"})


def method_c(drawer: str | None = "ann") -> Bench:
    bench = Bench(hlga=True).open()
    bench.say("method", "ada", method="C", **({"drawer": drawer} if drawer else {}))
    return bench


def test_where_a_player_draws_the_device_is_handed_out_first() -> None:
    bench = method_c(drawer=None)
    assert do(bench) == ("prompt_hand_out_device", {})
    assert clause(bench) == "3.11.4"
    bench.say("method", method="C", drawer="ann")
    assert do(bench)[0] == "prompt_open_betting"


def test_whoever_draws_is_named() -> None:
    bench = method_c().deal("2H", wagers=(("ann", "player", 100),))
    assert do(bench) == ("prompt_have_drawn", {"player": "ann", "hand": "banker"})
    bench.card("KC", "3D", "5S")
    bench.say("expose", hand="player")
    bench.say("expose", hand="banker")
    assert do(bench) == ("prompt_have_third_drawn", {"player": "ann", "hand": "player"})


def test_the_device_given_up_while_they_wager_is_handed_on() -> None:
    bench = method_c().bet(("ann", "player", 100))
    bench.say("method", method="C", drawer="")
    assert do(bench) == ("prompt_hand_out_device", {})


# --- what holds the table -----------------------------------------------------------------------


def reported(what: str, **more: Any) -> Bench:
    bench = Bench().deal("9H", "2C", wagers=(("ann", "tie", 100), ("bob", "player", 100)))
    bench.say("report", what=what, **more)
    return bench


def case(bench: Bench, verb: str, who: str = "dan", **fields: Any) -> Bench:
    bench.say(verb, who, **fields)
    return bench


def by(role: str, what: str) -> dict[str, str]:
    return {"irregularity": what, "role": role}


def void_by(role: str) -> dict[str, str | int]:
    return {"role": role, "round": 1}


def moved() -> Bench:
    """The order that is said lays cards that lie open on other hands; nobody has a wager."""
    bench = Bench().deal("9H", "2C")
    bench.say("report", what="simultaneous", order=[2, 1])
    bench.say("answer", value=True)
    return bench


def doubted() -> Bench:
    """A natural that lies open had decided what somebody might take back."""
    bench = Bench().deal(*NATURAL, wagers=(("ann", "banker", 100),))
    bench.say("report", what="simultaneous", cards=[3, 4], order=[4, 3])
    bench.say("answer", value=True)
    return bench


def decided_alone() -> Bench:
    """Whoever reported it has decided it."""
    bench = Bench().deal("9H", "2C", wagers=(("ann", "tie", 100),))
    bench.say("report", "gus", what="uncovered")
    bench.say("decide", "gus", text="it comes off", outcome="remove", remove=["w1"])
    return bench


HELD: list[tuple[Callable[[], Bench], Asked]] = [
    (lambda: reported("simultaneous"), ("ask_order_known", {"irregularity": "simultaneous"})),
    (
        lambda: case(reported("simultaneous"), "answer", order=[2, 1]),
        ("prompt_offer", {"players": ["ann", "bob"]}),
    ),
    (
        lambda: reported("wrong_count"),
        ("prompt_approve_void", void_by("pit_supervisor")),
    ),
    (
        lambda: reported("uncovered"),
        ("prompt_decide", by("gaming_shift_manager", "uncovered")),
    ),
    (
        lambda: case(reported("foreign_card", cards=[1]), "answer", value=True),
        ("prompt_enter_card", by("dealer", "foreign_card")),
    ),
    (
        lambda: case(
            case(reported("foreign_card", cards=[1]), "answer", value=True), "enter_card", card="3H"
        ),
        ("prompt_approve_card", by("pit_supervisor", "foreign_card")),
    ),
    (
        differential,
        ("prompt_put_wagers_right", by("pit_manager", "differential")),
    ),
    (
        taken_unread,
        ("prompt_keep_two", by("gaming_shift_manager", "cards_taken")),
    ),
    (
        lambda: reported("wrong_number"),
        ("prompt_say_where_cards_lie", by("dealer", "wrong_number")),
    ),
    (moved, ("prompt_approve_moved_card", by("pit_supervisor", "simultaneous"))),
    (
        lambda: reported("late_wager", wagers=["w1"]),
        ("prompt_approve_strike", by("pit_supervisor", "late_wager")),
    ),
    (doubted, ("prompt_approve_doubt", by("pit_supervisor", "simultaneous"))),
    (decided_alone, ("prompt_approve_decision", by("pit_supervisor", "uncovered"))),
]


@each_row("bench, wants", HELD)
def test_every_case_asks_for_what_it_waits_for(bench: Callable[[], Bench], wants: Asked) -> None:
    assert do(bench()) == wants


def test_two_kept_cards_are_taken_before_the_rest_is_sorted() -> None:
    bench = taken_unread()
    assert clause(bench) == "5.11.1"
    bench.card("3H", "4H")
    assert do(bench)[0] == "prompt_sort_and_count"
    assert clause(bench) == "5.11.2"


def test_a_void_that_a_device_brought_up_has_to_be_asked_for_first() -> None:
    bench = nearly_empty(2).deal("9H", "2C")
    wants = by("pit_supervisor", "not_enough_cards")
    assert do(bench) == ("prompt_ask_for_void", wants)
    bench.say("approve")
    assert do(bench) == ("prompt_approve_void", void_by("pit_supervisor"))


def test_an_offer_to_nobody_in_particular_is_made_to_everybody() -> None:
    bench = Bench(track_wagers=False).deal("9H", "2C")
    bench.say("report", what="simultaneous")
    bench.say("answer", order=[2, 1])
    assert do(bench) == ("prompt_offer_everybody", {})


def test_who_has_answered_an_offer_is_not_asked_again() -> None:
    bench = case(reported("simultaneous"), "answer", order=[2, 1])
    bench.player("option", "ann", choice="play")
    assert do(bench) == ("prompt_offer", {"players": ["bob"]})


def test_what_has_to_be_cleared_is_named_all_of_it() -> None:
    bench = Bench().deal("9H")
    bench.device("lid_open")
    bench.say("suspend", "pia")
    assert do(bench) == ("prompt_held_by_device", {"holds": ["lid_open"]})
    bench.device("lid_closed")
    wants = {"holds": ["paused", "lid_was_open"], "role": "pit_supervisor"}
    assert do(bench) == ("prompt_clear", wants)


def test_after_a_restart_somebody_says_what_it_was() -> None:
    bench = reported("uncovered")
    bench.restart()
    assert do(bench) == ("prompt_was_play_interrupted", {"role": "pit_supervisor"})


@each_row(
    "bench, wants",
    [
        (lambda: burning("5H"), "prompt_count_all_that_left"),
        (lambda: Bench().open(), "prompt_count_what_lies_over"),
        (lambda: reported("uncovered"), "prompt_count_the_round"),
    ],
)
def test_cards_are_counted_before_anything_else(bench: Callable[[], Bench], wants: str) -> None:
    found = bench()
    found.restart()
    found.device("events_lost")
    assert do(found) == (wants, {})


# --- what one person asked for ------------------------------------------------------------------

UNIT = {"device": "shoe", "identity": "usb", "asset": "S2", "reason": "jammed"}
SHOE: dict[str, Any] = {"deck_set": "red", "verified_by": "pia", "cut": True}


def shuffled() -> Bench:
    bench = Bench().open()
    bench.device("verified", by="shuffler")
    return case(bench, "load_shoe", **{**SHOE, "verified_by": "shuffler"})


def records_missing() -> Bench:
    bench = Bench().open()
    bench.device("journal_loss", by="system")
    return case(bench, "resume", "pia")


def counted(cards: int) -> Bench:
    bench = Bench().deal("9H", "2C")
    bench.device("events_lost")
    return case(bench, "count", cards=cards)


@each_row(
    "bench, wants",
    [
        (
            lambda: case(Bench().deal("9H"), "correct", n=1, card="8H", reason="an eight"),
            ("approve_correction", {"n": 1, "before": "9H", "card": "8H", "by": "dan"}),
        ),
        (shuffled, ("approve_shoe", {"set": "red", "by": "dan"})),
        (
            lambda: case(no_shoe(), "load_shoe", **SHOE),
            ("vouch_for_shoe", {"person": "pia", "set": "red", "by": "dan"}),
        ),
        (
            lambda: case(Bench().open(), "load_shoe", **SHOE),
            ("vouch_for_shoe", {"person": "pia", "set": "red", "by": "dan"}),
        ),
        (records_missing, ("approve_journal_loss", {"by": "pia"})),
        (
            lambda: case(burning(), "enter_card", card="5H"),
            ("approve_first_card", {"card": "5H", "by": "dan"}),
        ),
        (
            lambda: case(Bench().open(), "swap_device", "pia", **UNIT),
            ("approve_unit", {"device": "shoe", "unit": "S2", "by": "pia"}),
        ),
        (
            lambda: counted(4),
            ("approve_count_more", {"cards": 4, "difference": 2, "by": "dan"}),
        ),
        (
            lambda: counted(1),
            ("approve_count_fewer", {"cards": 1, "difference": 1, "by": "dan"}),
        ),
    ],
)
def test_the_second_person_is_told_what_was_asked_and_by_whom(
    bench: Callable[[], Bench], wants: Asked
) -> None:
    assert do(bench()) == wants


# --- rows ---------------------------------------------------------------------------------------


def test_every_fact_has_a_question_of_its_own() -> None:
    """Whatever the table does not compute somebody has to be asked for."""
    assert set(Fact) - COMPUTED <= set(QUESTIONS)
    assert len(set(QUESTIONS.values())) == len(QUESTIONS)
    assert {each.params.keys() <= {"irregularity"} for each in QUESTIONS.values()} == {True}


@each_row("book", RULEBOOKS)
def test_every_fact_a_book_asks_of_people_can_be_asked(book: str) -> None:
    rows = RULEBOOKS[book].irregularities
    asked = {fact for row in rows for ruling in row.rulings for fact in ruling.when} - COMPUTED
    assert all(isinstance(QUESTIONS[fact], Code) for fact in asked)


def test_the_role_a_prompt_names_is_that_of_the_approvals(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = reported("wrong_count")
    row = Approval(Act.VOID, Role.PIT_MANAGER, second=True)
    monkeypatch.setitem(approvals.APPROVALS, Act.VOID, row)
    assert do(bench) == ("prompt_approve_void", void_by("pit_manager"))


# --- the act that the prompt names ----------------------------------------------------------------


def named(bench: Bench) -> tuple[str, str | None, str | None] | None:
    act = prompt(bench.table, bench.rules).act
    return None if act is None else (act.word, act.hand and act.hand.value, act.player)


def follow(bench: Bench) -> str:
    """Says the very word that the prompt names."""
    act = prompt(bench.table, bench.rules).act
    assert act is not None
    given = {"hand": act.hand and act.hand.value, "player": act.player}
    bench.say(act.word, **{name: value for name, value in given.items() if value is not None})
    return act.word


def test_a_round_is_played_by_the_acts_that_the_prompt_names() -> None:
    bench = Bench(method="A").open()
    said = [follow(bench)]
    bench.say("place", player="ann", wager="player", amount=1000, position=1)
    bench.say("place", player="bob", wager="banker", amount=1000, position=2)
    said.append(follow(bench))
    assert named(bench) is None, "the next act is at the shoe"
    bench.card(*NATURAL)
    assert named(bench) == ("accept_cards", "player", "ann")
    said += [follow(bench) for _ in range(6)]
    assert said == [
        *("open_betting", "close_betting", "accept_cards", "accept_cards"),
        *("expose", "expose", "announce", "settle"),
    ]
    assert bench.phase == "ready"


def test_the_hand_that_is_to_be_revealed_first_is_the_one_that_is_named() -> None:
    bench = Bench(method="A").deal(*NATURAL)
    assert named(bench) == ("expose", "player", None)
    bench.say("reveal_first", hand="banker")
    assert named(bench) == ("expose", "banker", None)
    bench.say("expose", hand="banker")
    assert named(bench) == ("expose", "player", None)


def test_nothing_is_suggested_to_a_question_of_fact() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("report", what="simultaneous", cards=[1, 2])
    assert do(bench)[0] == "ask_order_known"
    assert named(bench) is None


def test_where_the_next_card_goes_is_told_only_where_one_is_asked_for() -> None:
    bench = Bench(deal_face="down").bet()
    bench.say("close_betting")
    found = []
    for card in BOTH_DRAW:
        found.append(prompt(bench.table, bench.rules).card_to)
        bench.card(card)
    assert [side and side.value for side in found] == ["player", "banker", "player", "banker"]
    assert prompt(bench.table, bench.rules).card_to is None, "the hands lie face down"
    bench.say("expose", hand="player")
    assert prompt(bench.table, bench.rules).card_to is None, "one of them still does"
    bench.say("expose", hand="banker")
    assert prompt(bench.table, bench.rules).card_to is Side.PLAYER
    bench.card("TD")
    assert prompt(bench.table, bench.rules).card_to is None, "the third lies face down"


def test_a_cutting_card_leaves_the_act_as_it_was() -> None:
    bench = Bench().deal(*NATURAL)
    bench.say("cut_card")
    assert do(bench)[0] == "prompt_remove_cut_card_in_round"
    assert named(bench) == ("announce", None, None)
