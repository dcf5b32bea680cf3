"""What everybody may read: the shoe's roads and counts, how errors are resolved."""

from pathlib import Path

import pytest

from controller.console.handlers.public import ResolvedErrors, resolved
from controller.messages.catalogue import SHIPPED
from controller.rulebooks import RULEBOOKS
from controller.rulebooks.register import clauses
from controller.table.rules import HouseRules
from support.console.consoles import Browser, Console
from support.rows import each_row

NATURAL = ("9H", "2C", "KD", "5S")
DRAWN_OUT = ("2S", "KD", "3C", "7H", "9D")


def test_a_shoe_is_counted_from_its_rounds(tmp_path: Path) -> None:
    console = Console(tmp_path, HouseRules("mbs-baccarat-8", burn="none"))
    with console.browser() as browser:
        table = console.table
        table.staff("open_table")
        table.load_shoe()
        table.staff("method", who="mia", role="pit_manager", method="B")
        for cards in (NATURAL, DRAWN_OUT):
            table.staff("open_betting")
            table.staff("close_betting")
            table.shoe(*cards)
            table.staff("announce")
            table.staff("settle")
        table.settle_down()
        found = browser.get("/api/roads").json()
    assert found["results"] == ["P", "B"]
    counts = {"rounds": 2, "banker": 1, "player": 1, "tie": 0, "banker_pair": 0, "player_pair": 0}
    assert found["counts"] == {**counts, "naturals": 1}
    assert found["ask"]["banker"] == {"big_eye_boy": "B", "small_road": None, "cockroach_pig": None}


def test_a_round_is_on_the_roads_as_soon_as_its_outcome_is_called(tmp_path: Path) -> None:
    console = Console(tmp_path, HouseRules("mbs-baccarat-8", burn="none"))
    with console.browser() as browser:
        table = console.table
        table.staff("open_table")
        table.load_shoe()
        table.staff("method", who="mia", role="pit_manager", method="B")
        table.staff("open_betting")
        table.staff("close_betting")
        table.shoe("9H", "2C", "9D", "KS", "2D", "2S")
        seen = []
        for word in (None, "announce", "settle"):
            if word is not None:
                table.staff(word)
            table.settle_down()
            found = browser.get("/api/roads").json()
            seen.append((found["results"], found["counts"]["naturals"]))
    assert seen == [([], 0), (["Pp"], 1), (["Pp"], 1)]


def test_how_errors_are_resolved_is_for_everybody(browser: Browser) -> None:
    found = browser.get("/api/errors").json()
    assert (found["rulebook"], found["title"]) == ("mbs-baccarat-8", "Baccarat (MBS)")
    together = next(each for each in found["errors"] if each["id"] == "simultaneous")
    numbers = [each["clause"] for each in together["clauses"]]
    assert {"5.8", "5.8.2.1", "5.8.2.2"} <= set(numbers)
    assert numbers.index("5.8") < numbers.index("5.8.2.1") < numbers.index("5.13")
    assert found["uncovered"]["clause"] == "6.1"


def every_clause(book: ResolvedErrors) -> list[tuple[str, dict[str, str]]]:
    said = [clause for each in book.errors for clause in each.clauses]
    said += [] if book.uncovered is None else [book.uncovered]
    return [(each.clause, each.says) for each in said]


@each_row("book", RULEBOOKS)
def test_every_clause_about_errors_is_said_in_every_language(book: str) -> None:
    texts = {clause.id: clause.text for clause in clauses(book)}
    for number, says in every_clause(resolved(book)):
        assert says["en"] == texts[number]
        assert set(says) == set(SHIPPED), number
        assert len(set(says.values())) == len(SHIPPED), number


@pytest.mark.parametrize("language", SHIPPED)
def test_the_publics_words_are_the_catalogue_without_the_tables_sentences(
    browser: Browser, language: str
) -> None:
    found = browser.get(f"/api/languages/{language}").json()
    whole = browser.http.get(f"/static/lang/{language}.json").json()
    assert found["pages"] == whole["pages"]
    assert found["sentences"] == {}
    assert found["names"]["wager"] == whole["names"]["wager"]


def test_a_language_that_is_not_there_is_not_found(browser: Browser) -> None:
    for name in ("xx", "..%2Fen"):
        assert browser.http.get(f"/api/languages/{name}").status_code == 404
