"""What a round waits for, from what lies exposed; a face-down card never decides it."""

import pytest

from controller.game.hands import Side
from controller.round import position
from controller.round.position import Due
from controller.table.cards import Drawn
from controller.table.state import (
    AnnouncedStage,
    BettingStage,
    DayStage,
    DealingStage,
    GamingDay,
    Round,
    RoundStage,
    SettledStage,
    Shoe,
    Table,
)
from drivers.cards import Card
from support.rows import each_row
from support.table.bench import rules_of

BOOK = rules_of().book
P, B = Side.PLAYER, Side.BANKER


def lying(text: str) -> Round:
    """Cards in drawn order: `P9H` lies open, `p9H` face down, `-9H` aside, `P??` nobody read."""
    cards = []
    for n, each in enumerate(text.split(), start=1):
        side = {"P": P, "B": B}.get(each[0].upper())
        card = None if each[1:] == "??" else Card(each[1:])
        cards.append(Drawn(n, card, side, exposed=each[0].isupper()))
    return Round(1, "B", face_down=False, stage=DealingStage(), cards=tuple(cards))


@each_row(
    "cards, due, next_side",
    [
        ("", Due.CARD, P),
        ("P9H", Due.CARD, B),
        ("P9H BKC P2D", Due.CARD, B),
        ("P9H BKC pKD B5S", Due.EXPOSURE, None),
        ("P9H BKC PKD B5S", Due.NOTHING, None),
        ("P2H BKC P3D B6S", Due.PLAYERS_THIRD, P),
        ("P2H BKC P3D B6S p4H", Due.EXPOSURE, None),
        ("P2H BKC P3D B6S P6H", Due.BANKERS_THIRD, B),
        ("P2H BKC P3D B6S P5H", Due.NOTHING, None),
        ("P6H BKC PKD B5S", Due.BANKERS_THIRD, B),
        ("P6H BKC PKD B5S B2H", Due.NOTHING, None),
        ("P6H BKC PKD B5S -2H", Due.BANKERS_THIRD, B),
        ("P9H BKC P?? B5S", Due.EXPOSURE, None),
    ],
)
def test_what_is_due_follows_from_what_lies_open(
    cards: str, due: Due, next_side: Side | None
) -> None:
    assert position.due_card(BOOK, lying(cards)) is due
    assert position.next_side(BOOK, lying(cards)) is next_side


def test_what_a_face_down_card_is_changes_nothing() -> None:
    for face in ("9H", "2C", "KD"):
        hidden = lying(f"P9H BKC p{face} B5S")
        assert position.due_card(BOOK, hidden) is Due.EXPOSURE
        assert position.exposed_cards(hidden) == position.exposed_cards(lying("P9H BKC pAS B5S"))
        assert position.due_card_in_public(BOOK, hidden) is Due.EXPOSURE


@each_row(
    "cards, due",
    [
        ("P9H BKC PKD B5S", Due.NOTHING),
        ("P2H BKC P3D B6S", Due.PLAYERS_THIRD),
        ("P2H BKC P3D B6S p4H", Due.PLAYERS_THIRD),
        ("P2H BKC P3D B6S P??", Due.PLAYERS_THIRD),
        ("P2H BKC P3D B6S P6H", Due.BANKERS_THIRD),
        ("P2H BKC P3D B6S P6H b2H", Due.BANKERS_THIRD),
        ("P2H BKC P3D B6S P6H B??", Due.BANKERS_THIRD),
        ("P2H BKC P3D B6S P6H B2H", Due.NOTHING),
        ("PQC P6C BJD B9H P5S b7S", Due.EXPOSURE),  # as they lie nobody was due a third card
    ],
)
def test_a_third_card_is_called_for_until_it_lies_open(cards: str, due: Due) -> None:
    assert position.due_card_in_public(BOOK, lying(cards)) is due


def test_no_card_is_due_before_bets_are_closed_nor_to_a_round_that_is_over() -> None:
    round_ = lying("")
    shoe = Shoe(1, "blue", 8, "pia", burn_left=0)

    def goes_to(stage: RoundStage) -> Side | None:
        changed = Round(1, "B", face_down=False, stage=stage)
        return position.target_hand(
            BOOK, Table(day=GamingDay(DayStage.OPEN), shoe=shoe, round=changed)
        )

    assert (
        position.target_hand(BOOK, Table(day=GamingDay(DayStage.OPEN), shoe=shoe, round=round_))
        is P
    )
    assert goes_to(BettingStage()) is None
    assert goes_to(SettledStage()) is None
    assert goes_to(AnnouncedStage()) is None
    assert position.target_hand(BOOK, Table(day=GamingDay(DayStage.OPEN), shoe=shoe)) is None


def test_the_finished_round_is_told_in_the_order_of_the_hands() -> None:
    round_ = lying("P2H BKC P3D B6S P6H B2H")
    dealt = position.dealt_round(BOOK, round_)
    assert [str(card) for card in dealt.player] == ["2H", "3D", "6H"]
    assert [str(card) for card in dealt.banker] == ["KC", "6S", "2H"]


def test_only_cards_that_everybody_knows_count() -> None:
    with pytest.raises(AssertionError):
        position.total(BOOK, position.hand(lying("p9H"), P))
    with pytest.raises(AssertionError):
        position.total(BOOK, position.hand(lying("P??"), P))


def test_what_everybody_may_see_stands_in_its_place_and_the_rest_is_unknown() -> None:
    found = position.exposed_cards(lying("P2H bKC P3D B6S P6H"))
    assert found == [Card("2H"), None, Card("3D"), Card("6S"), Card("6H")]
    doubtful = position.exposed_cards(lying("P2H BKC"), in_doubt=(2,))
    assert doubtful == [Card("2H"), None, None, None]


@each_row(
    "cards, due",
    [
        ("P2H BKC P3D P4D", Due.CARD),
        ("P2H BKC P3D b4D", Due.EXPOSURE),
        ("P2H BKC P3D B??", Due.EXPOSURE),
        ("P2H BKC P3D B4D p5D", Due.PLAYERS_THIRD),
    ],
)
def test_the_initial_deal_lies_with_two_cards_on_each_hand(cards: str, due: Due) -> None:
    assert position.due_card_in_public(BOOK, lying(cards)) is due
