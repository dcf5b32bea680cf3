"""Cards put back where they belong: by drawn order, or by the order people say."""

import pytest

from controller.game.hands import Side
from controller.game.rulebook import Excess
from controller.round import reconstruction
from controller.table.cards import Drawn, Moved
from controller.table.state import AnnouncedStage, DealingStage, Round
from drivers.cards import Card
from support.rows import each_row
from support.table.bench import rules_of

RULES = rules_of()
P, B = Side.PLAYER, Side.BANKER


def round_of(*cards: tuple[str, Side | None], announced: bool = False) -> Round:
    drawn = tuple(
        Drawn(n, Card(code), side, exposed=True) for n, (code, side) in enumerate(cards, start=1)
    )
    stage = AnnouncedStage() if announced else DealingStage()
    return Round(1, "B", face_down=False, stage=stage, cards=drawn)


def hands(round_: Round) -> dict[str, list[str | None]]:
    return {
        name: [each.card for each in round_.cards if each.hand is side]
        for name, side in (("player", P), ("banker", B), ("aside", None))
    }


def test_cards_go_where_the_table_of_play_wants_them_in_drawn_order() -> None:
    wrong = round_of(("2H", P), ("KC", P), ("3D", B), ("6S", B), ("6H", None), ("2D", None))
    laid = reconstruction.reconstruct_round(wrong, (), RULES)
    assert hands(laid) == {"player": ["2H", "3D", "6H"], "banker": ["KC", "6S", "2D"], "aside": []}


def test_a_card_too_many_lies_aside() -> None:
    wrong = round_of(("9H", P), ("KC", B), ("KD", P), ("5S", B), ("2D", P))
    laid = reconstruction.reconstruct_round(wrong, (), RULES)
    assert hands(laid) == {"player": ["9H", "KD"], "banker": ["KC", "5S"], "aside": ["2D"]}
    assert laid.interventions.moved == (Moved(5, P, None),)


def test_an_order_that_people_say_renames_which_card_came_when() -> None:
    wrong = round_of(("2H", P), ("KC", B))
    laid = reconstruction.reconstruct_round(wrong, (2, 1), RULES)
    assert [(each.n, each.card, each.hand) for each in laid.cards] == [(1, "KC", P), (2, "2H", B)]


def test_an_order_of_some_cards_leaves_the_others_in_place() -> None:
    wrong = round_of(("9H", P), ("KC", B), ("KD", P), ("5S", B))
    laid = reconstruction.reconstruct_round(wrong, (4, 3), RULES)
    assert hands(laid) == {"player": ["9H", "5S"], "banker": ["KC", "KD"], "aside": []}


@pytest.mark.parametrize(("last", "stands"), [("KD", True), ("3D", False)])
def test_an_outcome_announced_stands_only_while_the_hands_are_complete(
    last: str, stands: bool
) -> None:
    wrong = round_of(("2H", P), ("9C", B), (last, P), ("KS", B), announced=True)
    if last == "3D":
        wrong = round_of(("2H", P), ("KC", B), (last, P), ("6S", B), announced=True)
    assert reconstruction.reconstruct_round(wrong, (), RULES).announced is stands


def test_cards_lie_where_people_see_them() -> None:
    seen = reconstruction.lay_as_seen(round_of(("2H", P), ("KC", B)), {P: [2]})
    assert [each.hand for each in seen.cards] == [P, P]
    same = round_of(("2H", P))
    assert reconstruction.lay_as_seen(same, {}) is same


@each_row("excess", Excess)
def test_a_card_that_lies_over_begins_the_next_round_if_the_house_says_so(excess: Excess) -> None:
    round_ = round_of(("9H", P), ("2D", None))
    carried = reconstruction.carried_cards(round_, rules_of(excess=excess.value))
    keeps = excess is not Excess.BURN  # what no book allows is the next round's (reading 24)
    assert [each.card for each in carried] == (["2D"] if keeps else [])
