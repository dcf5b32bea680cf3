"""Who has to be who: the role a case waits for, and the second person."""

import pytest

from controller.cases import people
from controller.game.roles import Role
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table import approvals
from controller.table.approvals import Act, Approval
from controller.table.commands.message import new_message, staff_message
from controller.table.refused import Refused
from support.rows import each_row
from support.table.bench import NATURAL, Bench, code, rules_of, why

RULES = rules_of()
# --- the second person --------------------------------------------------------------------------


TWO = Approval(Act.VOID, Role.PIT_SUPERVISOR, second=True, clause="5.1")
ONE = Approval(Act.VOID, Role.PIT_SUPERVISOR, second=False, clause="5.1")


@pytest.mark.parametrize(
    ("who", "role", "row", "refused"),
    [
        ("max", "pit_manager", TWO, None),
        ("paul", "pit_supervisor", TWO, None),
        ("pia", "pit_supervisor", TWO, "takes_two"),
        ("pia", "pit_manager", TWO, "takes_two"),
        ("dan", "dealer", TWO, "takes_role"),
        ("pia", "dealer", TWO, "takes_role"),
        ("pia", "pit_supervisor", ONE, None),
        ("dan", "dealer", ONE, "takes_role"),
    ],
)
def test_a_second_person_is_somebody_else_of_the_role_the_row_names(
    who: str, role: str, row: Approval, refused: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pia asked."""
    monkeypatch.setitem(approvals.APPROVALS, row.act, row)
    said = staff_message("approve", who, role)
    if refused is None:
        people.second_person("pia", row.act, said, RULES)
        return
    with pytest.raises(Refused) as found:
        people.second_person("pia", row.act, said, RULES)
    assert (found.value.reason.code, found.value.clause) == (refused, "5.1")


# --- who speaks -----------------------------------------------------------------------------------


@each_row(
    "who",
    [None, "", "  ", "pia ", " pia", "p\tia", "pia\u200b", "pia\u00a0", "e\u0301ve", "p" * 65],
)
def test_staff_who_do_not_say_who_they_are_are_refused(who: str | None) -> None:
    """A void that the dealer asked for is not approved by a line without a name, or by one that
    only looks like somebody else."""
    bench = Bench().deal(*NATURAL)
    bench.say("report", "pia", what="wrong_count")
    role = "gaming_shift_manager"
    refused = bench.not_taken(new_message("staff", "approve", who=who, role=role))
    assert why(refused) == sentence(Code.SAY_WHO_SPEAKS, most=64)
    assert b"say_who_speaks" in bench.bodies()[-1], "and recorded"


@each_row("who", ["p" * 64, "éve", "林", "Pia van Dam"])
def test_a_name_is_anything_that_can_be_read(who: str) -> None:
    bench = Bench().deal(*NATURAL)
    bench.say("report", what="wrong_count")
    assert bench.hear(new_message("staff", "approve", who=who, role="pit_supervisor")).accepted


@pytest.mark.parametrize("role", ["pit_manager", "gaming_shift_manager"])
def test_one_person_in_two_roles_is_one_person(role: str) -> None:
    bench = Bench().deal(*NATURAL)
    bench.say("report", "pia", what="wrong_count")
    again = new_message("staff", "approve", who="pia", role=role)
    assert code(bench.not_taken(again)) == "takes_two"


def test_a_player_never_approves() -> None:
    bench = Bench().deal(*NATURAL)
    bench.say("report", what="wrong_count")
    for more in ({}, {"role": "pit_supervisor"}, {"role": "gaming_shift_manager"}):
        said = new_message("player", "approve", who="pia", **more)
        assert code(bench.not_taken(said)) == "not_your_word"


# --- names that are nobody's ----------------------------------------------------------------------


@each_row("who", ["shoe", "shuffler", "system", "*", "Shoe", "\u0455hoe"])
def test_nobody_speaks_under_a_devices_name(who: str) -> None:
    """What the shoe says is believed: a dealer of that name would let decided wagers be taken back
    without a second person."""
    bench = Bench().deal(*NATURAL)
    said = new_message("staff", "report", who=who, role="dealer", what="simultaneous")
    assert why(bench.not_taken(said)) == sentence(Code.NOT_A_PERSONS_NAME, name=who)
    assert bench.table.case is None
    assert b"not_a_persons_name" in bench.bodies()[-1], "and recorded"


@each_row("who", ["shoe", "*", "dealer", "Dealer"])
def test_no_player_is_called_what_the_table_calls_others(who: str) -> None:
    bench = Bench(method="A").bet()
    wager = {"position": 1, "wager": "banker", "amount": 100}
    by_player = new_message("player", "place", who=who, **wager)
    by_staff_ = new_message("staff", "place", who="dan", role="dealer", player=who, **wager)
    for said in (by_player, by_staff_):
        assert why(bench.not_taken(said)) == sentence(Code.NOT_A_PERSONS_NAME, name=who)
    assert bench.hear(
        new_message("staff", "place", who="dealer", role="dealer", player="ann", **wager)
    )


@each_row("to", ["dealer", "shoe", "*"])
def test_hands_and_devices_go_to_people(to: str) -> None:
    """`dealer` among those who handle cards is the dealer: no player takes a hand under it."""
    bench = Bench(method="A", track_wagers=False).deal("2H", "KC", "3D", "6S")
    taken = bench.refused("accept_cards", "dan", hand="player", player=to)
    assert why(taken) == sentence(Code.NOT_A_PERSONS_NAME, name=to)
    reported = bench.refused("report", "dan", what="wrong_player", hand="player", to=to)
    assert why(reported) == sentence(Code.NOT_A_PERSONS_NAME, name=to)
    bench = Bench(hlga=True).open()
    drawing = bench.refused("method", "gus", method="C", drawer=to)
    assert why(drawing) == sentence(Code.NOT_A_PERSONS_NAME, name=to)


def test_nobody_answers_for_everybody_but_the_dealer() -> None:
    """Where wagers are not tracked there is one offer, to all: the dealer records it as made."""
    bench = Bench(track_wagers=False).deal("9H", "2C")
    bench.say("report", what="simultaneous")
    bench.say("answer", order=[1, 2])
    by_player = new_message("player", "option", who="*", choice="withdraw")
    assert why(bench.not_taken(by_player)) == sentence(Code.NOT_A_PERSONS_NAME, name="*")
    bench.say("option", player="*", choice="play")
    assert bench.table.case is None


def test_no_device_but_a_shuffler_is_asked_to_vouch() -> None:
    bench = Bench()
    bench.say("open_table", "pia")
    for name in ("shoe", "system", "*"):
        shoe = {"deck_set": "red", "verified_by": name, "cut": True}
        refused = bench.refused("load_shoe", "dan", **shoe)
        assert why(refused) == sentence(Code.NOT_A_PERSONS_NAME, name=name)
    assert bench.table.request is None


def test_other_letters_make_nobody_a_second_person() -> None:
    bench = Bench().deal(*NATURAL)
    bench.say("correct", "pia", n=1, card="2H", reason="misread")
    for name in ("Pia", "\uff30\uff29\uff21", "\u0440\u0456\u0430"):  # of full width, and Cyrillic
        alone = bench.not_taken(staff_message("approve", name, "pit_manager"))
        assert code(alone) == "takes_two"
    bench.say("refuse", "paul")
    bench.say("report", "gus", what="uncovered")
    bench.hear(staff_message("decide", "Gus", "gaming_shift_manager", outcome="void", text="so"))
    assert bench.table.case is not None, "somebody else has to approve it"
    bench.say("approve", "pia")
    assert bench.round.void_by == "6.1"


def test_nor_does_it_vouch_for_a_shoe() -> None:
    bench = Bench()
    bench.say("open_table", "pia")
    vouched = {"deck_set": "blue", "verified_by": "Pia", "cut": True}
    assert code(bench.refused("load_shoe", "pia", **vouched)) == "takes_two"


def test_the_same_person_in_other_letters_is_one() -> None:
    assert RULES.is_same_person("Pia", "pia")
    assert not RULES.is_same_person("pia", None)
