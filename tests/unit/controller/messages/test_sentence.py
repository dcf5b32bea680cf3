"""A sentence: a code with every gap filled by plain data, and no other gap."""

import msgspec
import pytest

from controller.game.hands import Side
from controller.game.roles import Role
from controller.messages.codes import Code
from controller.messages.sentence import BadParams, Sentence, sentence
from support.rows import each_row


def test_a_gap_holds_plain_data_whatever_it_was_filled_with() -> None:
    assert sentence(Code.TAKES_ROLE, role=Role.PIT_MANAGER).params == {"role": "pit_manager"}
    assert sentence(Code.HAND_GOES_TO, hand=Side.PLAYER, player=None).params == {
        "hand": "player",
        "player": None,
    }
    found = sentence(Code.PROMPT_CLEAR, holds=(Side.PLAYER, "paused"), role=Role.DEALER)
    assert found.params["holds"] == ["player", "paused"]


@each_row("gaps", [{}, {"most": 3, "least": 1}, {"least": 1}])
def test_other_gaps_than_the_codes_own_are_a_fault(gaps: dict[str, int]) -> None:
    with pytest.raises(BadParams, match="area_is_full"):
        sentence(Code.AREA_IS_FULL, **gaps)


def test_a_sentence_comes_back_from_its_record() -> None:
    said = sentence(Code.STANDING_COME_OFF_FIRST, wagers=["w1", "w2"])
    assert msgspec.json.decode(msgspec.json.encode(said), type=Sentence) == said


def test_a_list_of_nothing_stays_a_list() -> None:
    assert sentence(Code.STANDING_COME_OFF_FIRST, wagers=()).params == {"wagers": []}
