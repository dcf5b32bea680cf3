"""Methods A, B and C: who chooses, who draws, and whom each hand goes to."""

from typing import Any

import pytest
from msgspec.structs import replace

from controller.game.hands import Side
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.round import methods
from controller.table.commands.message import new_message
from controller.table.state import DeviceControl, PlacedWager
from support.rows import each_row
from support.table.bench import NATURAL, Bench, code, why

# --- choosing -----------------------------------------------------------------------------------


def test_a_method_is_chosen_by_the_role_its_book_names() -> None:
    bench = Bench().open()
    refused = bench.refused("method", "pia", method="A")
    assert (code(refused), refused.clause) == ("takes_role", "3.8.2")
    bench.say("method", "max", method="A")
    assert bench.table.play.method == "A"


def test_a_method_is_not_changed_in_a_round() -> None:
    bench = Bench().bet()
    assert code(bench.refused("method", "max", method="A")) == "method_before_the_round"
    bench.say("method", "max", method="B")


def test_a_method_of_the_high_limit_area_stays_there() -> None:
    refused = Bench().open().refused("method", "ada", method="C", drawer="ann")
    assert (code(refused), refused.clause) == ("method_for_hlga_only", "3.8.2")


def test_the_dealer_keeps_the_device_where_the_dealer_draws() -> None:
    refused = Bench().open().refused("method", "max", method="A", drawer="ann")
    assert (code(refused), refused.clause) == ("dealer_keeps_device", "3.8.1")


# --- who draws ----------------------------------------------------------------------------------


@pytest.fixture
def drawn() -> Bench:
    """Method C, and Ann has the device."""
    bench = Bench(hlga=True).open()
    bench.say("method", "ada", method="C", drawer="ann")
    return bench


def test_whoever_has_the_device_keeps_it_until_giving_it_up(drawn: Bench) -> None:
    refused = drawn.refused("method", method="C", drawer="bob")
    assert (why(refused), refused.clause) == (
        sentence(Code.DEVICE_NOT_GIVEN_UP, player="ann"),
        "3.11.8",
    )
    drawn.say("method", method="C", drawer="")
    assert drawn.table.play.drawer is None
    drawn.say("method", method="C", drawer="bob")
    assert drawn.table.play.drawer == "bob", "handed on by a dealer"


@pytest.mark.parametrize(
    ("book", "clause"),
    [
        pytest.param(
            "mbs-baccarat-8",
            "3.11.1",
            marks=pytest.mark.clause("mbs-baccarat-8", "3.11.1", shows="refused"),
        ),
        pytest.param(
            "mbs-dragon-tiger-baccarat",
            "3.12.1",
            marks=pytest.mark.clause("mbs-dragon-tiger-baccarat", "3.12.1", shows="refused"),
        ),
    ],
)
def test_a_player_draws_only_from_a_device_that_reads_cards(book: str, clause: str) -> None:
    bench = Bench(book, hlga=True).open()
    bench.device("link_up", reads_cards=False)
    refused = bench.refused("method", "ada", method="C", drawer="ann")
    assert (code(refused), refused.clause) == ("shoe_reads_no_cards", clause)
    bench.device("link_up")
    bench.say("method", "ada", method="C", drawer="ann")
    bench.device("link_up", reads_cards=False)
    refused = bench.refused("open_betting")
    assert (code(refused), refused.clause) == ("shoe_reads_no_cards", clause)
    bench.device("link_up")
    bench.say("open_betting")


def test_a_day_does_not_begin_with_it_at_a_shoe_that_reads_none() -> None:
    bench = Bench(hlga=True, method="C")
    bench.device("link_up", reads_cards=False)
    assert code(bench.refused("open_table", "pia")) == "shoe_reads_no_cards"


def test_a_method_said_again_leaves_the_device_where_it_is(drawn: Bench) -> None:
    drawn.say("method", method="C")
    assert drawn.table.play.drawer == "ann"


def test_leave_to_draw_without_a_wager_is_not_a_dealers_to_give(drawn: Bench) -> None:
    refused = drawn.refused("method", method="C", drawer="ann", leave=True)
    assert (code(refused), refused.clause) == ("takes_role", "3.11.2")
    drawn.say("method", "ada", method="C", drawer="ann", leave=True)
    assert drawn.table.play.control == DeviceControl("ann", without_wager=True)


def test_another_method_takes_the_device_back(drawn: Bench) -> None:
    drawn.say("method", "ada", method="B")
    assert drawn.table.play.control is None


def test_no_round_begins_while_nobody_has_the_device(drawn: Bench) -> None:
    drawn.say("method", method="C", drawer="")
    assert code(drawn.refused("open_betting")) == "nobody_has_the_device"
    assert methods.no_drawer_clause(drawn.table, drawn.rules) == "3.11.4"


@pytest.mark.parametrize(
    ("wager", "given_up", "clause"),
    [("player", True, "3.11.8.1"), ("banker", False, "3.11.8.2"), ("player", False, None)],
)
def test_why_nobody_has_the_device_is_told_by_its_clause(
    drawn: Bench, wager: str, given_up: bool, clause: str | None
) -> None:
    drawn.deal(*NATURAL, wagers=(("ann", wager, 100),))
    drawn.say("expose", hand="player")
    drawn.say("expose", hand="banker")
    drawn.settle()
    if given_up:
        drawn.say("method", method="C", drawer="")
    assert methods.no_drawer_clause(drawn.table, drawn.rules) == clause


@pytest.mark.parametrize(("role", "why"), [("player", "hand_goes_to"), ("guard", "no_such_role")])
def test_a_hand_is_passed_to_another_by_a_dealer_at_least(
    drawn: Bench, role: str, why: str
) -> None:
    drawn.deal(wagers=(("ann", "player", 100), ("bob", "player", 100)))
    passed = {"hand": "player", "player": "bob"}
    refused = drawn.not_taken(new_message("staff", "accept_cards", who="sam", role=role, **passed))
    assert code(refused) == why
    drawn.say("accept_cards", **passed)
    assert drawn.round.handling.handlers == {Side.PLAYER: "bob"}


# --- who handles a hand -------------------------------------------------------------------------


def method_a(*wagers: tuple[str, str, int], **house: Any) -> Bench:
    bench = Bench(**house).open()
    bench.say("method", "max", method="A")
    return bench.deal(*NATURAL, wagers=wagers)


def test_a_hand_goes_to_the_highest_wager_on_it() -> None:
    bench = method_a(("ann", "player", 100), ("bob", "player", 200), ("cem", "banker", 900))
    assert methods.turn(bench.rules, bench.round, Side.PLAYER) == ("bob", "3.9.2")
    assert methods.turn(bench.rules, bench.round, Side.BANKER) == ("cem", "3.9.2")


def test_whoever_refuses_is_followed_by_the_next_highest() -> None:
    bench = method_a(("ann", "player", 100), ("bob", "player", 200))
    bench.player("refuse_cards", "bob", hand="player")
    assert methods.turn(bench.rules, bench.round, Side.PLAYER) == ("ann", "3.9.3")
    bench.player("refuse_cards", "ann", hand="player")
    assert methods.turn(bench.rules, bench.round, Side.PLAYER) == (None, "3.9.4.1")
    assert methods.is_refused_by_all(bench.rules, bench.round, Side.PLAYER)
    assert not methods.is_refused_by_all(bench.rules, bench.round, Side.BANKER), "nobody bet on it"


@pytest.mark.parametrize(
    ("numbered", "order"),
    [("counter_clockwise", ["bob", "cem", "ann"]), ("clockwise", ["bob", "ann", "cem"])],
)
def test_among_equals_the_first_placed_then_round_the_table(
    numbered: str, order: list[str]
) -> None:
    """Bob at position 3 bet first, then Ann at 1 and Cem at 5."""
    bench = Bench(numbered=numbered).open()
    bench.say("method", "max", method="A")
    bench.bet()
    for player, at in (("bob", 3), ("ann", 1), ("cem", 5)):
        bench.player("place", player, wager="player", amount=100, position=at)
    bench.say("close_betting")
    bench.card(*NATURAL)
    clauses = []
    for player in order:
        turn = methods.turn(bench.rules, bench.round, Side.PLAYER)
        assert turn.player == player
        clauses.append(turn.clause)
        bench.player("refuse_cards", player, hand="player")
    assert clauses == ["3.9.4", "3.9.5", "3.9.5"]


def test_a_hand_that_is_not_passed_to_somebody_is_not_theirs() -> None:
    bench = method_a(("ann", "player", 100), ("bob", "player", 200))
    for verb, says in (("accept_cards", "hand_goes_to"), ("refuse_cards", "hand_not_passed")):
        refused = bench.not_taken(new_message("player", verb, who="ann", hand="player"))
        assert (code(refused), refused.clause) == (says, "3.9.2")
    bench.player("accept_cards", "bob", hand="player")
    assert bench.round.handling.handlers == {Side.PLAYER: "bob"}


def test_when_nobody_wants_it_the_pit_supervisor_names_somebody() -> None:
    bench = method_a(("ann", "player", 100))
    assert code(bench.refused("accept_cards", "pia", hand="player", player="zoe")) == "hand_goes_to"
    bench.player("refuse_cards", "ann", hand="player")
    assert code(bench.refused("accept_cards", hand="player", player="zoe")) == "hand_goes_to"
    bench.say("accept_cards", "pia", hand="player", player="zoe")
    assert bench.round.handling.handlers == {Side.PLAYER: "zoe"}


def test_a_pit_manager_may_let_anybody_squeeze() -> None:
    bench = method_a(("ann", "player", 100))
    given = {"hand": "player", "player": "zoe", "leave": True}
    refused = bench.refused("accept_cards", "pia", **given)
    assert (code(refused), refused.clause) == ("takes_role", "3.16")
    bench.say("accept_cards", "max", **given)


def test_staff_say_for_whom_they_speak() -> None:
    bench = method_a(("ann", "player", 100))
    for verb in ("accept_cards", "refuse_cards"):
        wants = sentence(Code.FIELD_NEEDED, word=verb, field="player")
        assert why(bench.refused(verb, hand="player")) == wants


def test_nobody_but_the_dealer_handles_cards_of_method_b() -> None:
    bench = Bench().deal(*NATURAL, wagers=(("ann", "player", 100),))
    refused = bench.not_taken(new_message("player", "accept_cards", who="ann", hand="player"))
    assert code(refused) == "only_dealer_handles"
    bench = Bench(deal_face="down").deal(*NATURAL, wagers=(("ann", "player", 100),))
    refused = bench.not_taken(new_message("player", "accept_cards", who="ann", hand="player"))
    assert (code(refused), refused.clause) == ("only_dealer_handles", "3.10.2")


def test_without_wager_tracking_the_people_at_the_table_know_whose_it_is() -> None:
    bench = Bench(track_wagers=False).open()
    bench.say("method", "max", method="A")
    bench.deal(*NATURAL)
    bench.say("accept_cards", hand="player", player="zoe")
    assert bench.round.handling.handlers == {Side.PLAYER: "zoe"}


# --- the first hand -----------------------------------------------------------------------------


def test_which_hand_is_revealed_first_is_said_before_any_is() -> None:
    bench = method_a()
    bench.say("expose", hand="player", card=1)
    refused = bench.refused("reveal_first", hand="banker")
    assert (code(refused), refused.clause) == ("already_revealed", "3.9.6")


# --- a squeeze that is asked for ----------------------------------------------------------------


def squeezed() -> Bench:
    bench = Bench("rws-commission-baccarat-4", deal_face="down").open()
    bench.bet()
    bench.player("place", "ann", wager="player", amount=100, position=1)
    bench.player("place", "bob", wager="banker", amount=900, position=2, seated=False)
    return bench


def test_a_squeeze_goes_to_the_seated_player_with_the_highest_bet() -> None:
    bench = squeezed()
    assert methods.highest_seated_player(bench.round) == "ann"
    early = bench.not_taken(new_message("player", "accept_cards", who="ann", hand="player"))
    assert code(early) == "highest_bet_not_known"
    bench.say("close_betting")
    bench.card("9H")
    bench.player("accept_cards", "ann", hand="player")
    assert bench.round.handling.squeeze_asked == {Side.PLAYER: "ann"}
    assert bench.round.handling.handlers == {}, "not without permission"
    bench.say("accept_cards", hand="player", player="ann")
    assert (bench.round.handling.squeeze_asked, bench.round.handling.handlers) == (
        {},
        {Side.PLAYER: "ann"},
    )
    bench.card("2C", "KD", "6S")
    late = bench.not_taken(new_message("player", "accept_cards", who="ann", hand="banker"))
    assert code(late) == "asked_for_too_late"


def test_a_wager_that_went_back_is_no_reason_to_handle_a_hand() -> None:
    bench = squeezed()
    back = PlacedWager("w9", "zoe", 3, "player", 9000, returned_by="5.8.1")
    round_ = replace(bench.round, wagers=(*bench.round.wagers, back))
    assert methods.highest_seated_player(round_) == "ann"


def test_a_squeeze_that_is_declined_stays_with_the_dealer() -> None:
    bench = squeezed()
    bench.say("close_betting")
    nobody = bench.refused("refuse_cards", hand="player", player="ann")
    assert (code(nobody), nobody.clause) == ("hand_not_passed", "3.9")
    bench.player("accept_cards", "ann", hand="player")
    bench.say("refuse_cards", hand="player", player="ann")
    assert (bench.round.handling.squeeze_asked, bench.round.handling.handlers) == ({}, {})
    other = bench.refused("accept_cards", "max", hand="player", player="bob", leave=True)
    assert (code(other), other.clause) == ("hand_goes_to", "3.9"), "3.9 knows no leave of anybody"


def test_a_bet_on_no_hand_is_not_the_highest_on_the_table() -> None:
    bench = squeezed()
    bench.player("place", "cem", wager="tie", amount=5000, position=3)
    assert methods.highest_seated_player(bench.round) == "ann"


# --- how much, and since when -------------------------------------------------------------------


def staked(*steps: tuple[str, str, int]) -> list[str]:
    """Players by what they have on the Player hand: highest first, then who had it first."""
    bench = Bench().bet()
    for at, (verb, player, amount) in enumerate(steps, start=1):
        if verb == "place":
            given = {"wager": "player", "position": at, "id": f"{player}{at}"}
            bench.player(verb, player, amount=amount, **given)
        else:
            first = next(each.id for each in bench.round.wagers if each.player == player)
            bench.player(verb, player, amount=amount, id=first)
    stakes = methods.hand_stakes(bench.round.wagers, Side.PLAYER)
    return [each.player for each in sorted(stakes, key=lambda each: -each.amount)]


@each_row(
    "steps, order",
    [
        # several stakes are one amount
        ([("place", "ann", 600), ("place", "bob", 1000), ("place", "ann", 600)], ["ann", "bob"]),
        # who comes to it later is later
        ([("place", "ann", 500), ("place", "bob", 1000), ("raise", "ann", 500)], ["bob", "ann"]),
        ([("place", "ann", 500), ("place", "bob", 1000), ("place", "ann", 500)], ["bob", "ann"]),
        # what was there before more was there has been there since
        (
            [
                ("place", "ann", 1000),
                ("place", "bob", 1000),
                ("raise", "ann", 500),
                ("decrease", "ann", 500),
            ],
            ["ann", "bob"],
        ),
        (
            [
                ("place", "ann", 500),
                ("place", "bob", 1000),
                ("raise", "ann", 900),
                ("decrease", "ann", 400),
            ],
            ["bob", "ann"],
        ),
    ],
)
def test_among_equals_it_is_the_moment_that_counts(
    steps: list[tuple[str, str, int]], order: list[str]
) -> None:
    assert staked(*steps) == order


@pytest.mark.parametrize("verb", ["accept_cards", "refuse_cards"])
def test_a_hand_is_passed_after_the_call(verb: str) -> None:
    bench = Bench().open()
    bench.say("method", "max", method="A")
    bench.bet(("ann", "player", 100))
    early = bench.not_taken(new_message("player", verb, who="ann", hand="player"))
    assert (code(early), early.clause) == ("hands_after_the_call", "3.9.2")


def test_who_took_a_hand_may_give_it_back() -> None:
    bench = method_a(("ann", "player", 200), ("bob", "player", 100))
    bench.player("accept_cards", "ann", hand="player")
    bench.player("refuse_cards", "ann", hand="player")
    assert bench.round.handling.handlers == {}
    assert methods.turn(bench.rules, bench.round, Side.PLAYER) == ("bob", "3.9.3")


def test_method_c_is_played_by_leave_of_the_day() -> None:
    bench = Bench(hlga=True, method="C").open()
    for who in ("dan", "max"):
        refused = bench.refused("method", who, method="C", drawer="ann")
        assert (code(refused), refused.clause) == ("takes_role", "3.8.2")
    refused = bench.refused("open_betting")
    assert (code(refused), refused.clause) == ("method_needs_leave", "3.8.2")
    bench.say("method", "ada", method="C")
    bench.say("method", method="C", drawer="ann")
    bench.bet()
