"""The clause register: 417 clauses, each of the right kind, each proved by a test that exists."""

import hashlib
import importlib
import json
from collections import Counter
from pathlib import Path

import pytest

from controller.rulebooks import RULEBOOKS
from controller.rulebooks.readings import READINGS
from controller.rulebooks.register import Clause, ClauseKind, clauses
from support.clauses import clause_marks
from support.clauses.shows import Shows, story_shows

ROOT = Path(__file__).parents[2]
PROVED = {ClauseKind.ENFORCED, ClauseKind.GUIDED, ClauseKind.SHOWN}
HOW_MANY = {
    "mbs-baccarat-8": 109,
    "rws-commission-baccarat-4": 79,
    "mbs-dragon-tiger-baccarat": 118,
    "mbs-sands-super-baccarat": 64,
    "mbs-baccarat-tournament-5": 47,
}
# How many clauses each chapter of each document has, counted in the documents. A number left out
# or made up shows here even when another one makes up for it in the total.
BY_CHAPTER = {
    "mbs-baccarat-8": {"1": 12, "2": 6, "3": 49, "4": 1, "5": 38, "6": 3},
    "rws-commission-baccarat-4": {"1": 20, "2": 4, "3": 17, "4": 3, "5": 35},
    "mbs-dragon-tiger-baccarat": {"1": 15, "2": 10, "3": 49, "4": 3, "5": 38, "6": 3},
    "mbs-sands-super-baccarat": {"1": 18, "2": 12, "3": 20, "4": 5, "5": 9},
    "mbs-baccarat-tournament-5": {"1": 8, "2": 6, "3": 23, "4": 1, "5": 9},
}


# The first 16 digits of the SHA-256 of all numbers, one a line, in document order.
NUMBERS = {
    "mbs-baccarat-8": "3bf3c26d99c39c7b",
    "rws-commission-baccarat-4": "e754ec2e9cf75027",
    "mbs-dragon-tiger-baccarat": "1df6a394e74863ba",
    "mbs-sands-super-baccarat": "708e4a96c464aed2",
    "mbs-baccarat-tournament-5": "06718a272fb3f533",
}


def every_clause() -> list[tuple[str, Clause]]:
    return [(book_id, clause) for book_id in RULEBOOKS for clause in clauses(book_id)]


@pytest.fixture
def collected(pytestconfig: pytest.Config) -> clause_marks.Collected:
    """The clause marks of the whole suite."""
    if pytestconfig.option.file_or_dir:
        pytest.skip("only a run of the whole suite collects all clause marks")
    return pytestconfig.stash[clause_marks.COLLECTED]


def test_register_counts_417() -> None:
    counts = {book_id: len(clauses(book_id)) for book_id in RULEBOOKS}
    assert counts == HOW_MANY
    assert sum(counts.values()) == 417


@pytest.mark.parametrize("book_id", BY_CHAPTER)
def test_register_has_every_number_of_every_chapter(book_id: str) -> None:
    found = Counter(clause.id.partition(".")[0] for clause in clauses(book_id))
    assert found == BY_CHAPTER[book_id]


@pytest.mark.parametrize("book_id", NUMBERS)
def test_register_has_these_very_numbers(book_id: str) -> None:
    numbers = "\n".join(clause.id for clause in clauses(book_id))
    assert hashlib.sha256(numbers.encode()).hexdigest()[:16] == NUMBERS[book_id]


@pytest.mark.parametrize("book_id", BY_CHAPTER)
def test_numbers_leave_no_gap(book_id: str) -> None:
    """Each number follows its elder sibling and stands under a parent that is listed."""
    seen: set[str] = set()
    for clause in clauses(book_id):
        parent, _, last = clause.id.rpartition(".")
        assert clause.id not in seen
        assert last == "1" or f"{parent}.{int(last) - 1}" in seen, clause.id
        assert "." not in parent or parent in seen, clause.id
        seen.add(clause.id)


def test_every_clause_says_something_and_outside_gives_its_reason() -> None:
    assert not [(b, c.id) for b, c in every_clause() if not c.text.strip()]
    outside = [(b, c) for b, c in every_clause() if c.kind is ClauseKind.OUTSIDE]
    assert not [(b, c.id) for b, c in outside if not (c.why or "").strip()]


def test_every_enforced_guided_or_shown_clause_has_a_place_and_a_test() -> None:
    proved = [(book_id, clause) for book_id, clause in every_clause() if clause.kind in PROVED]
    assert not [(book_id, clause.id) for book_id, clause in proved if not clause.tests]
    assert not [(book_id, clause.id) for book_id, clause in proved if not clause.where]


def test_places_in_code_exist() -> None:
    places = {w for _, clause in every_clause() for w in clause.where if "/" not in w}
    assert places
    for place in places:
        module, _, names = place.partition(":")
        value: object = importlib.import_module(module)
        for name in names.split("."):
            value = getattr(value, name)


def test_tests_name_only_clauses_that_exist(collected: clause_marks.Collected) -> None:
    known = {book_id: {clause.id for clause in clauses(book_id)} for book_id in RULEBOOKS}
    unknown = [
        (book_id, number)
        for book_id, numbers in collected.tests_by_clause.items()
        for number in numbers
        if number not in known.get(book_id, ())
    ]
    assert not unknown


def test_list_of_tests_is_fresh(collected: clause_marks.Collected) -> None:
    kept = json.loads((ROOT / "controller/rulebooks/clause_tests.json").read_text())
    assert kept == collected.tests_by_clause, "stale: run `make generate`"


def test_no_test_claims_too_many_clauses_or_shows_nothing(
    collected: clause_marks.Collected,
) -> None:
    assert not collected.complaints, "\n".join(collected.complaints)


HOLLOW = """
Book: mbs-baccarat-8
Bets are open.
Cards: 2H KC 7D 6S
Dealer reports wrong_order.
Table refers to 5.7.
Table is dealing.
Dealer settles.
The prompt refers to 3.1.
Ann's player wins 2000 and gets back 2000.
"""


@pytest.mark.parametrize(
    ("line", "more", "how"),
    [
        ("Dealer reports wrong_order.", "Dealer reports wrong_order (refused).", Shows.REFUSED),
        ("Table is dealing.", "Table asks reconstructable.", Shows.HELD),
        ("Table is dealing.", "Card 2 goes from player to banker.", Shows.CHANGED),
        ("Table is dealing.", "The round is void by 5.7.", Shows.CHANGED),
        ("back 2000.", "back 0 by 5.7.", Shows.CHANGED),
    ],
)
def test_a_story_shows_a_clause_only_where_something_was_wrong(
    line: str, more: str, how: Shows
) -> None:
    assert story_shows(HOLLOW, "mbs-baccarat-8") == {}
    assert story_shows(HOLLOW.replace(line, more), "mbs-baccarat-8") == {"5.7": how}


def test_readings_name_clauses_that_exist() -> None:
    known = {(book_id, clause.id) for book_id, clause in every_clause()}
    named = {
        (book_id, number)
        for reading in READINGS
        for book_id, numbers in reading.clauses.items()
        for number in numbers
    }
    assert named <= known
