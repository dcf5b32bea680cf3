"""Which wagers a layout has an area for, which are available, and that none needs another."""

import pytest

from controller.game.errors import UnknownWager
from controller.game.money.limits import TableLimits, before_closing, settle_within
from controller.game.money.rounding import Rounding
from controller.game.money.settlement import Bet, settle
from controller.rulebooks import rulebook
from controller.table.rules import HouseRules, Rules
from controller.views.structs.setup import rules_view
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT, case, money
from support.clauses.hands import deal, result
from support.clauses.named_hands import (
    BANKER_FOURS,
    BANKER_NINE,
    PLAYER_FOURS,
    PLAYER_NINE,
    TIE_ON_NINE,
)

MAIN = ["player", "banker", "tie"]
PAIRS = ["player_pair", "banker_pair"]
DRAGONS_AND_TIGERS = ["dragon_tiger", "big_dragon", "small_dragon", "big_tiger", "small_tiger"]
COLOURS = ["player_red", "player_black", "banker_red", "banker_black"]
PRECIOUS = ["player_precious_pair", "banker_precious_pair"]
PLAYER_WINS_ON = [f"player_wins_on_{total}" for total in range(1, 10)]
BANKER_WINS_ON = [f"banker_wins_on_{total}" for total in range(1, 10)]
TIE_WINS_ON = [f"tie_wins_on_{total}" for total in range(10)]
WINS_ON = [*PLAYER_WINS_ON, *BANKER_WINS_ON, *TIE_WINS_ON]
ALL_OF_SANDS = [*MAIN, *COLOURS, "sands_six", *PRECIOUS, *WINS_ON]
FIVE_WAGERS = "there are: player, banker, tie, player_pair, banker_pair"


# -- Areas: a wager laid there is taken, and settled -----------------------------------------------


@pytest.mark.parametrize(
    ("book_id", "wager", "winning_hand"),
    [
        case(MBS, "player", PLAYER_NINE, proves="2.2.1"),
        case(MBS, "banker", BANKER_NINE, proves="2.2.2"),
        case(MBS, "tie", TIE_ON_NINE, proves="2.2.3"),
        case(DT, "player", PLAYER_NINE, proves="2.2.1"),
        case(DT, "banker", BANKER_NINE, proves="2.2.2"),
        case(DT, "tie", TIE_ON_NINE, proves="2.2.3"),
        case(SANDS, "player", PLAYER_NINE, proves="2.2.1"),
        case(SANDS, "banker", BANKER_NINE, proves="2.2.2"),
        case(SANDS, "tie", TIE_ON_NINE, proves="2.2.3"),
        # Tournament names the Banker's area first.
        case(TOURNAMENT, "banker", BANKER_NINE, proves="2.2.1"),
        case(TOURNAMENT, "player", PLAYER_NINE, proves="2.2.2"),
        case(TOURNAMENT, "tie", TIE_ON_NINE, proves="2.2.3"),
    ],
)
def test_player_banker_and_tie_have_an_area(book_id: str, wager: str, winning_hand: str) -> None:
    assert result(book_id, winning_hand, wager)[0] == "win"


@pytest.mark.parametrize(
    ("book_id", "kind"),
    [
        case(MBS, "pair", proves="2.2.4"),
        case(TOURNAMENT, "pair", proves="2.2.4"),
        case(SANDS, "precious_pair", proves="2.2.7"),
    ],
)
def test_pairs_of_either_hand_have_an_area(book_id: str, kind: str) -> None:
    assert result(book_id, PLAYER_FOURS, f"player_{kind}")[0] == "win"
    assert result(book_id, BANKER_FOURS, f"banker_{kind}")[0] == "win"


@pytest.mark.parametrize(
    ("book_id", "wager", "winning_hand"),
    [
        case(DT, "dragon_tiger", "KH KC 7D 6S", proves="2.2.4"),
        case(DT, "big_dragon", "KH KC 5D 6S 2H", proves="2.2.5"),
        case(DT, "small_dragon", "KH KC 7D 6S", proves="2.2.6"),
    ],
)
def test_dragon_wagers_have_an_area(book_id: str, wager: str, winning_hand: str) -> None:
    assert result(book_id, winning_hand, wager)[0] == "win"


@pytest.mark.parametrize(
    ("book_id", "wager", "winning_hand"),
    [
        case(DT, "big_tiger", "KH KC QD 2S 5H 4D", proves="2.2.7"),
        case(DT, "small_tiger", "KH KC QD 6S 5H", proves="2.2.8"),
    ],
)
def test_tiger_wagers_have_an_area(book_id: str, wager: str, winning_hand: str) -> None:
    assert result(book_id, winning_hand, wager)[0] == "win"


@pytest.mark.parametrize(
    ("book_id", "wagers"),
    [
        case(SANDS, ["player_red", "banker_red"], proves="2.2.4"),
        case(SANDS, ["player_black", "banker_black"], proves="2.2.5"),
        case(SANDS, ["sands_six"], proves="2.2.6"),
    ],
)
def test_colours_and_sands_six_have_an_area(book_id: str, wagers: list[str]) -> None:
    assert_taken_and_settled(book_id, wagers)


@pytest.mark.parametrize(
    ("book_id", "wagers"),
    [
        case(SANDS, PLAYER_WINS_ON, proves="2.2.8"),
        case(SANDS, BANKER_WINS_ON, proves="2.2.9"),
        case(SANDS, TIE_WINS_ON, proves="2.2.10"),
    ],
)
def test_every_total_to_win_on_has_an_area(book_id: str, wagers: list[str]) -> None:
    assert_taken_and_settled(book_id, wagers)


def assert_taken_and_settled(book_id: str, wagers: list[str]) -> None:
    """Each wager by itself, so that a missing one is named by the error."""
    for wager in wagers:
        bets = [Bet("a", wager, 1000, box=1)]
        assert before_closing(rulebook(book_id), bets, TableLimits()) == []
        assert result(book_id, PLAYER_NINE, wager)[0] in ("win", "lose")


# Where a document limits neither positions nor wagers on an area, its areas are only shown.


@pytest.mark.parametrize(
    ("book_id", "wagers"),
    [
        case(SANDS, ["player"], proves="2.2.1"),
        case(SANDS, ["banker"], proves="2.2.2"),
        case(SANDS, ["tie"], proves="2.2.3"),
        case(TOURNAMENT, ["banker"], proves="2.2.1"),
        case(TOURNAMENT, ["player"], proves="2.2.2"),
        case(TOURNAMENT, ["tie"], proves="2.2.3"),
    ],
)
def test_main_areas_are_shown(book_id: str, wagers: list[str]) -> None:
    assert_shown(book_id, wagers)


@pytest.mark.parametrize(
    ("book_id", "wagers"),
    [
        case(SANDS, ["player_red", "banker_red"], proves="2.2.4"),
        case(SANDS, ["player_black", "banker_black"], proves="2.2.5"),
        case(SANDS, ["sands_six"], proves="2.2.6"),
        case(TOURNAMENT, PAIRS, proves="2.2.4"),
    ],
)
def test_side_areas_are_shown(book_id: str, wagers: list[str]) -> None:
    assert_shown(book_id, wagers)


@pytest.mark.parametrize(
    ("book_id", "wagers"),
    [
        case(SANDS, PLAYER_WINS_ON, proves="2.2.8"),
        case(SANDS, BANKER_WINS_ON, proves="2.2.9"),
        case(SANDS, TIE_WINS_ON, proves="2.2.10"),
    ],
)
def test_areas_of_totals_to_win_on_are_shown(book_id: str, wagers: list[str]) -> None:
    assert_shown(book_id, wagers)


@pytest.mark.clause(SANDS, "2.2.7")
def test_areas_of_precious_pairs_are_shown() -> None:
    assert_shown(SANDS, PRECIOUS)


def assert_shown(book_id: str, wagers: list[str]) -> None:
    shown = rules_view(Rules(rulebook(book_id), HouseRules(book_id))).wagers
    assert set(wagers) <= set(shown)


# -- Available wagers ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book_id", "wagers"),
    [
        case(MBS, [*MAIN, *PAIRS], proves="3.5"),
        case(RWS, [*MAIN, *PAIRS], proves="3.7"),
        case(DT, [*MAIN, *DRAGONS_AND_TIGERS], proves="3.5"),
        case(SANDS, ALL_OF_SANDS, proves="3.5"),
        case(TOURNAMENT, [*MAIN, *PAIRS], proves="3.5"),
    ],
)
def test_available_wagers_are_those_the_document_names(book_id: str, wagers: list[str]) -> None:
    assert {wager.id for wager in rulebook(book_id).wagers} == set(wagers)


@pytest.mark.parametrize(
    ("book_id", "wager", "helps"),
    [
        case(MBS, "sands_six", FIVE_WAGERS, proves="3.5", shows="refused"),
        case(RWS, "player_piar", "did you mean 'player_pair'?", proves="3.7", shows="refused"),
        case(DT, "small_dragn", "did you mean 'small_dragon'?", proves="3.5", shows="refused"),
        case(SANDS, "sand_six", "did you mean 'sands_six'?", proves="3.5", shows="refused"),
        case(TOURNAMENT, "dragon_tiger", FIVE_WAGERS, proves="3.5", shows="refused"),
    ],
)
def test_unknown_wager_is_refused_with_a_sentence_that_helps(
    book_id: str, wager: str, helps: str
) -> None:
    with pytest.raises(UnknownWager) as refused:
        result(book_id, PLAYER_NINE, wager)
    assert str(refused.value) == f"{book_id} has no wager {wager!r}; {helps}"


def test_unknown_wager_is_refused_wherever_wagers_go_in() -> None:
    book, dealt = rulebook(MBS), deal(MBS, PLAYER_NINE)
    bets = [Bet(1, "player", 1000), Bet(2, "sands_six", 1000)]
    for ask in (
        lambda: before_closing(book, bets, TableLimits()),
        lambda: settle(book, dealt, bets),
        lambda: settle_within(book, dealt, bets, TableLimits()),
    ):
        with pytest.raises(UnknownWager, match="has no wager 'sands_six'"):
            ask()


# -- No wager needs another ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book_id", "side_wagers"),
    [
        case(RWS, ["tie", *PAIRS], proves="3.7"),
        case(DT, ["tie", *DRAGONS_AND_TIGERS], proves="3.6"),
    ],
)
def test_side_wager_is_taken_without_a_player_or_banker_wager(
    book_id: str, side_wagers: list[str]
) -> None:
    assert_taken_and_settled(book_id, side_wagers)


@pytest.mark.parametrize(
    ("book_id", "wagers"),
    [
        case(RWS, [*MAIN, *PAIRS], proves="3.7"),
        case(DT, [*MAIN, *DRAGONS_AND_TIGERS], proves="3.6"),
        case(SANDS, ALL_OF_SANDS, proves="3.5"),
        case(TOURNAMENT, [*MAIN, *PAIRS], proves="3.5"),
    ],
)
def test_wager_is_settled_alike_alone_and_in_combination(book_id: str, wagers: list[str]) -> None:
    book, dealt = rulebook(book_id), deal(book_id, "4H KC 4D 6S")
    bets = [Bet(wager, wager, 1000) for wager in wagers]
    together = settle(book, dealt, bets, Rounding.EXACT)
    alone = [settle(book, dealt, [bet], Rounding.EXACT)[0] for bet in bets]
    assert [money(one) for one in together] == [money(one) for one in alone]
