"""What the question looks like; every prefix is checked by force in test_decided_by_force.py."""

import pytest

from controller.game.decided_wagers import decided
from controller.game.errors import GameError
from controller.game.wagers import WagerResult
from controller.rulebooks import rulebook
from drivers.cards import DECK, Card


def ask(book_id: str, text: str) -> dict[str, str]:
    """Cards in drawn order, `--` for one that lies face down."""
    found = [None if word == "--" else Card.parse(word) for word in text.split()]
    return {wager: result.value for wager, result in decided(rulebook(book_id), found).items()}


@pytest.mark.clause("mbs-baccarat-8", "5.17.1")
def test_nothing_is_established_before_a_card_is_exposed() -> None:
    assert ask("mbs-baccarat-8", "") == {}
    assert ask("mbs-baccarat-8", "-- -- -- --") == {}


@pytest.mark.clause("mbs-baccarat-8", "5.17.2")
def test_two_cards_of_the_player_settle_the_player_pair() -> None:
    assert ask("mbs-baccarat-8", "9H -- 9C --") == {"player_pair": "win"}
    assert ask("mbs-baccarat-8", "9H -- 8C --")["player_pair"] == "lose"


@pytest.mark.clause("mbs-dragon-tiger-baccarat", "5.17.2")
def test_two_cards_of_the_player_always_lose_one_dragon() -> None:
    for first in DECK:
        for second in DECK:
            found = ask("mbs-dragon-tiger-baccarat", f"{first} -- {second}")
            assert "lose" in {found.get("big_dragon"), found.get("small_dragon")}


def test_first_card_of_the_player_loses_a_colour_in_sands_super() -> None:
    assert ask("mbs-sands-super-baccarat", "9H")["player_black"] == "lose"
    assert ask("mbs-sands-super-baccarat", "9S")["player_red"] == "lose"


@pytest.mark.clause("rws-commission-baccarat-4", "5.4.1")
def test_outcome_is_established_by_wagers_nobody_placed() -> None:
    assert ask("rws-commission-baccarat-4", "KH -- QC")["player_pair"] == "lose"


@pytest.mark.clause("rws-commission-baccarat-4", "5.4.2")
def test_a_push_decides_nothing() -> None:
    found = ask("rws-commission-baccarat-4", "9H 9C KD KS")
    assert "player" not in found
    assert "banker" not in found
    assert found["tie"] == "win"


def test_a_later_card_proves_nothing_about_one_that_lies_face_down() -> None:
    """A fifth card does not tell that the hidden fourth made no natural."""
    assert ask("mbs-baccarat-8", "2H KC 3D -- 9S") == ask("mbs-baccarat-8", "2H KC 3D")


def test_more_than_a_round_is_refused() -> None:
    with pytest.raises(GameError, match="at most 6 cards; 7 were given"):
        decided(rulebook("mbs-baccarat-8"), [None] * 7)


def test_answers_come_in_the_order_of_the_book() -> None:
    book = rulebook("mbs-sands-super-baccarat")
    found = decided(book, [Card.parse(c) for c in ("9H", "KC", "KD", "QS")])
    order = [wager.id for wager in book.wagers]
    assert list(found) == sorted(found, key=order.index)
    assert found["player"] is WagerResult.WIN
