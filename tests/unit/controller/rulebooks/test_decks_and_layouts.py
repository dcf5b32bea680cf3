"""How many decks each document permits, and the layouts and methods it offers."""

import re

import pytest

from controller.game.errors import DecksNotAllowed
from controller.rulebooks import rulebook
from support.clauses.by_book import by_book
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT

# -- Decks -----------------------------------------------------------------------------------------

# The fewest, the most, and the clause that says so.
DECKS = {
    MBS: (4, 10, "2.1"),
    RWS: (4, 8, "2.2.1"),
    DT: (4, 10, "2.1"),
    SANDS: (4, 10, "2.1"),
    TOURNAMENT: (4, 10, "2.1"),
}
ON_DECKS = {MBS: "2.1", RWS: "2.2 2.2.1", DT: "2.1", SANDS: "2.1", TOURNAMENT: "2.1"}


@by_book(ON_DECKS)
def test_every_number_of_decks_in_the_range_is_allowed(book_id: str) -> None:
    fewest, most, _ = DECKS[book_id]
    for decks in range(fewest, most + 1):
        rulebook(book_id).decks.check(decks)


@by_book(ON_DECKS, shows="refused")
def test_one_deck_too_few_or_too_many_is_refused_with_the_clause(book_id: str) -> None:
    fewest, most, clause = DECKS[book_id]
    for decks in (fewest - 1, most + 1):
        with pytest.raises(DecksNotAllowed, match=rf"clause {re.escape(clause)} "):
            rulebook(book_id).decks.check(decks)


# -- Layouts ---------------------------------------------------------------------------------------


def positions(book_id: str) -> dict[str, tuple[int, int] | None]:
    return {layout.name: layout.positions for layout in rulebook(book_id).layouts}


@pytest.mark.clause(MBS, "2.2")
def test_mbs_baccarat_has_appendices_a_to_e_with_their_positions() -> None:
    assert positions(MBS) == {
        "Appendix A": (1, 7),
        "Appendix B": (1, 9),
        "Appendix C": (7, 14),
        "Appendix D": (1, 1),
        "Appendix E": (1, 1),
    }


@pytest.mark.clause(DT, "2.2")
def test_dragon_tiger_has_appendices_a_to_k_with_their_positions() -> None:
    assert positions(DT) == {
        **{f"Appendix {letter}": (1, 8) for letter in "ABCFGHIJK"},
        "Appendix D": (1, 9),
        "Appendix E": (8, 16),
    }


@pytest.mark.clause(RWS, "2.1.1")
def test_rws_has_appendices_a_to_d_with_their_most_boxes() -> None:
    # 2.1.1 a. speaks of a maximum only.
    most = {name: boxes and boxes[1] for name, boxes in positions(RWS).items()}
    assert most == {
        "Appendix A, Bean Baccarat": 9,
        "Appendix B, Bean Baccarat": 7,
        "Appendix C, Mini Baccarat": 7,
        "Appendix D, Big Baccarat": 12,
    }


@pytest.mark.clause(SANDS, "2.2")
def test_sands_super_has_diagram_a_and_states_no_positions() -> None:
    assert positions(SANDS) == {"Diagram A": None}


@pytest.mark.clause(TOURNAMENT, "2.2")
def test_tournament_has_diagrams_a_to_h_and_states_no_positions() -> None:
    assert positions(TOURNAMENT) == {f"Diagram {letter}": None for letter in "ABCDEFGH"}


# -- Methods ---------------------------------------------------------------------------------------


def methods(book_id: str) -> dict[str, str]:
    """Each method on offer and the clause that describes it."""
    return {method.id: method.clause for method in rulebook(book_id).methods}


@pytest.mark.clause(MBS, "3.9")
@pytest.mark.clause(MBS, "3.10")
@pytest.mark.clause(MBS, "3.11")
def test_mbs_baccarat_offers_methods_a_b_and_c() -> None:
    assert methods(MBS) == {"A": "3.9", "B": "3.10", "C": "3.11"}


@pytest.mark.clause(DT, "3.10")
@pytest.mark.clause(DT, "3.11")
@pytest.mark.clause(DT, "3.12")
def test_dragon_tiger_offers_methods_a_b_and_c() -> None:
    assert methods(DT) == {"A": "3.10", "B": "3.11", "C": "3.12"}


FOUR_CARDS_FROM_THE_SHOE = {RWS: "3.10", SANDS: "3.7", TOURNAMENT: "3.7"}


@by_book(FOUR_CARDS_FROM_THE_SHOE)
def test_book_that_names_no_methods_is_dealt_in_one_way(book_id: str) -> None:
    assert list(methods(book_id).values()) == [FOUR_CARDS_FROM_THE_SHOE[book_id]]


@by_book({SANDS: "3.7", TOURNAMENT: "3.7"})
def test_sands_super_and_tournament_are_dealt_as_method_b(book_id: str) -> None:
    # Reading 6: the documents are silent, and the dealer keeps device and cards.
    assert list(methods(book_id)) == ["B"]
