"""The check that a story shows what it is named after: broken on purpose, each fails it."""

import re
from pathlib import Path
from typing import Final

import pytest

from scenario import shows
from scenario.memory_link import open_in_memory
from scenario.story import Story

STORIES: Final = Path(__file__).with_name("stories")

HOLLOW: Final = [
    # A hand that has the number of cards it should: the ruling is told all the same.
    ("mbs/wrong_number", r"says cards lie .*", "reports uncovered", "another number of cards"),
    ("mbs/wrong_order", r"says cards lie .*", "reports uncovered", "lies elsewhere"),
    ("mbs/simultaneous", r"reports simultaneous.*", "reports uncovered.", "two cards or more"),
    ("mbs/excess_card", r"Cards: .*", "", "lies aside"),
    ("mbs/exposed_in_error", r"reports exposed_in_error.*", "reports uncovered.", "lies open"),
    ("mbs/late_wager_reported", r"Bets are closed.*", "", "after the call"),
    ("mbs/under_minimum", r"minimum \d+", "minimum 1", "under the minimum"),
    ("mbs/over_maximum", r"maximum \d+", "maximum 1000000", "over the maximum"),
    ("mbs/differential", r"differential \d+", "differential 1000000", "differential exceeded"),
    ("mbs/power_failure_outcome", r"Bets are open.*", "", "a round in play"),
    ("mbs/cards_taken", r"Cards: .*", "", "cards on the table"),
    ("mbs/late_error", r" \(round \d+\)", "", "an earlier round"),
]


def lacks(name: str, text: str) -> str | None:
    """What the story does not show, however much of it the table takes."""
    row = shows.row_of(Path(name).name)
    assert row is not None
    story = Story(open_in_memory, "mbs-baccarat-8", named_after=row)
    for line in text.splitlines():
        try:
            story.tell(line)
        except AssertionError:  # the rest of a story that was broken need not fit
            continue
    return shows.missing(row, "mbs-baccarat-8", story.told)


@pytest.mark.parametrize(("name", "found", "instead", "what"), HOLLOW)
def test_a_story_that_does_not_show_its_irregularity_is_found_out(
    name: str, found: str, instead: str, what: str
) -> None:
    text = (STORIES / f"{name}.txt").read_text("utf-8")
    assert lacks(name, text) is None
    broken = re.sub(found, instead, text)
    assert broken != text
    assert what in (lacks(name, broken) or "")


def test_a_reconstruction_that_moves_nothing_and_says_nothing_is_found_out() -> None:
    text = (STORIES / "mbs/wrong_order.txt").read_text("utf-8")
    story = Story(open_in_memory, "mbs-baccarat-8", named_after="wrong_order")
    story.play(text)
    quiet = [
        shows.Told(
            each.said,
            each.taken,
            each.before,
            {**each.after, "moved": [], "notes": []},
            each.aside,
        )
        for each in story.told
    ]
    assert "put right" in (shows.missing("wrong_order", "mbs-baccarat-8", quiet) or "")


def test_a_story_is_named_after_the_longest_row_that_fits() -> None:
    assert shows.row_of("order_altered_moving_put_right") == "order_altered_moving"
    assert shows.row_of("order_altered_put_back") == "order_altered"
    assert shows.row_of("wrong_number_did_not_happen") is None
    assert shows.row_of("plain_round") is None
