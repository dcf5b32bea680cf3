"""Fields of people's words: what a card, an amount, a name may be, and what lies where."""

from typing import Any

import msgspec

from controller.game.hands import Side
from controller.table.commands.day import ChooseMethodCommand
from controller.table.commands.people import Lies, PlaceCommand
from controller.table.commands.registry import Amount, CardCode, Name, Number, Numbers, Text
from support.rows import each_row


def fits(kind: Any, value: object) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


@each_row("card", ["9H", "10D", "TD", "as", "Kc"])
def test_a_card_is_a_rank_and_a_suit(card: str) -> None:
    assert fits(CardCode, card)


@each_row("card", ["1H", "11H", "9", "H9", "9X", "", "9H9H", " 9H"])
def test_anything_else_is_no_card(card: str) -> None:
    assert not fits(CardCode, card)


@each_row(
    "kind, good, bad",
    [
        (Amount, [1, 10**12], [0, -1, 10**12 + 1, 1.5, "1", True]),
        (Number, [0, 10**9], [-1, 10**9 + 1, "0"]),
        (Name, ["ann", "x" * 64], ["", "  ", "x" * 65, 5]),
        (Text, ["so be it", "x" * 500], ["\n", "x" * 501]),
        (Numbers, [[], [1, 2], list(range(60))], [[-1], list(range(61)), [True], "12"]),
    ],
)
def test_kinds_of_fields_have_their_bounds(kind: Any, good: list[Any], bad: list[Any]) -> None:
    assert all(fits(kind, each) for each in good)
    assert not any(fits(kind, each) for each in bad)


def test_a_wagers_id_may_be_a_name_or_a_number() -> None:
    given = {"wager": "tie", "amount": 1, "position": 1}
    assert msgspec.convert({**given, "id": 7}, PlaceCommand).id == 7
    assert msgspec.convert({**given, "id": "w7"}, PlaceCommand).id == "w7"


def test_a_device_that_is_not_spoken_of_is_not_given_up() -> None:
    assert msgspec.convert({"method": "C"}, ChooseMethodCommand).drawer is msgspec.UNSET
    assert msgspec.convert({"method": "C", "drawer": None}, ChooseMethodCommand).drawer is None


def test_where_cards_lie_is_told_by_hand_and_an_empty_hand_is_not() -> None:
    assert Lies(player=(1, 3)).by_hand() == {Side.PLAYER: (1, 3)}
    assert Lies().by_hand() == {}
    assert not fits(Lies, {"tie": [1]})
