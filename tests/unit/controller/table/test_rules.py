"""Rules: what a step is judged by, and who stands high enough."""

import msgspec
import pytest

from controller.game.money.limits import Range
from controller.game.roles import Ladder, Role
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table.approvals import Act
from controller.table.commands.message import new_message, staff_message
from controller.table.refused import Refused
from controller.table.rules import HouseRules, Rules
from support.table.bench import rules_of

RULES = rules_of(minimum=100, maximum=5000, differential=9000)


def test_the_houses_limits_are_those_of_the_table() -> None:
    assert RULES.limits.range == Range(100, 5000)
    assert RULES.limits.differential == 9000


def test_a_method_that_the_book_does_not_have_is_refused_with_those_it_has() -> None:
    with pytest.raises(Refused) as refused:
        RULES.method("Z")
    wants = sentence(Code.NO_SUCH_METHOD, method="Z", methods=["A", "B", "C"])
    assert refused.value.reason == wants
    assert refused.value.clause == RULES.book.method_of_round


def test_a_day_begins_with_the_plainest_method_unless_the_house_says_another() -> None:
    assert RULES.default_method() == "B"
    assert rules_of(method="A").default_method() == "A"


def test_a_player_is_a_player_whatever_role_they_claim() -> None:
    assert RULES.role(new_message("player", "place", role="pit_manager")) is Role.PLAYER


@pytest.mark.parametrize("role", ["cleaner", None])
def test_a_role_that_is_none_is_refused_by_name(role: str | None) -> None:
    with pytest.raises(Refused) as refused:
        RULES.role(new_message("staff", "open_table", role=role))
    assert refused.value.reason == sentence(Code.NO_SUCH_ROLE, role=role)


def test_a_higher_rung_acts_for_a_lower_one_and_never_the_other_way() -> None:
    RULES.require_act(staff_message("open_table", "gus", "gaming_shift_manager"), Act.OPEN_TABLE)
    RULES.require_act(staff_message("open_table", "pia", "pit_supervisor"), Act.OPEN_TABLE)
    with pytest.raises(Refused) as refused:
        RULES.require_act(staff_message("open_table", "dan", "dealer"), Act.OPEN_TABLE)
    assert refused.value.reason == sentence(Code.TAKES_ROLE, role=Role.PIT_SUPERVISOR)


def test_a_house_may_have_its_own_ladder() -> None:
    flat = Rules(RULES.book, RULES.house, ladder=Ladder([[Role.DEALER, Role.PIT_SUPERVISOR]]))
    flat.require_act(staff_message("open_table", "dan", "dealer"), Act.OPEN_TABLE)


def test_a_key_that_a_house_does_not_have_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"rulebook": "mbs-baccarat-8", "colour": "red"}, HouseRules)
