"""Every story in stories/, on its links: at a table in memory, on the wire, on a rig's unit."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from controller.rulebooks import rulebook
from drivers.events import (
    BadFrame,
    CardRead,
    CutCard,
    DeviceResult,
    EventsLost,
    ExcessCard,
    ExcessDiscarded,
    ExcessNamed,
    LidChanged,
    ReadFailed,
    Started,
)
from drivers.registry import find
from drivers.testing.bench.rigged import RUN
from scenario import fitting, links, shows, untold
from scenario.links import FAMILIES, MEMORY, UNIT
from scenario.memory_link import open_in_memory
from scenario.shoe_hands import BY_HAND, HANDS, WRONG_PLACE, Untold
from scenario.story import Open, Story, clauses, stories
from simulators.panel.panel import DoorError
from support.clauses.clause_marks import MAX_CLAUSES
from support.clauses.shows import story_shows


def case(link: str, path: Path, book: str, *marks: pytest.MarkDecorator) -> pytest.ParameterSet:
    return pytest.param(link, path, book, id=f"{path.stem}-{book}-{link}", marks=marks)


def clause_marks(path: Path, book: str) -> list[pytest.MarkDecorator]:
    """The clauses that must come out; where the table refused, asked or changed by one, how."""
    shown = story_shows(path.read_text("utf-8"), book)
    named = clauses(path, book)[:MAX_CLAUSES]
    return [
        pytest.mark.clause(book, number, **({"shows": shown[number]} if number in shown else {}))
        for number in named
    ]


def in_memory() -> list[pytest.ParameterSet]:
    """Every story under every book it names, marked with the clauses that must come out."""
    return [
        case(
            MEMORY,
            path,
            book,
            *clause_marks(path, book),
        )
        for path, book in stories()
    ]


def on_the_wire(with_second_tier: bool) -> list[pytest.ParameterSet]:
    """Some in the first tier; in the second all that a shoe can send, and people by hand."""
    first = links.first_tier()
    if not with_second_tier:
        return [case(*each) for each in first]
    every = dict.fromkeys(each for link in links.all_of() for each in links.told_once(link))
    of_irregularities = [("shoe_angel_eye", *each) for each in links.irregularities().values()]
    rest = [each for each in (*every, *of_irregularities) if each not in first]
    second_tier = pytest.mark.second_tier
    return [
        *(case(*each) for each in first),
        *(case(*each, second_tier) for each in dict.fromkeys(rest)),
    ]


def is_second_tier_wanted(config: pytest.Config) -> bool:
    """The first tier does not collect thousands of stories only to deselect them."""
    return not str(config.getoption("markexpr")).startswith("not second_tier")


def on_a_bench(names: list[str]) -> list[pytest.ParameterSet]:
    """The stories that were asked for, each by the first of its books."""
    first = {untold.name_of(path): (path, book) for path, book in reversed(stories())}
    missing = [name for name in names if name not in first]
    if missing:
        raise pytest.UsageError(f"there is no story {missing[0]!r} in tests/scenario/stories")
    return [case(UNIT, *first[name]) for name in names]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "open_table" not in metafunc.fixturenames:
        return
    config = metafunc.config
    told = (
        [*in_memory(), *on_the_wire(is_second_tier_wanted(config))]
        if config.stash.get(RUN, None) is None
        else on_a_bench(config.getoption("--rig-story"))
    )
    metafunc.parametrize(("open_table", "path", "book"), told, indirect=["open_table"])


def test_story(open_table: Open, path: Path, book: str) -> None:
    """In memory it also has to show what it is named after, and whatever is said and kept fits the
    schemas; elsewhere it is the same story."""
    text = path.read_text("utf-8")
    if open_table is open_in_memory:
        fitting.played(text, book, named_after=shows.row_of(path.stem))
    else:
        Story(open_table, book).play(text)


# --- the tables are exact -----------------------------------------------------------------------


def test_every_irregularity_of_every_family_is_told_on_the_wire() -> None:
    wanted = {
        (family, row.id)
        for family, book in FAMILIES.items()
        for row in rulebook(book).irregularities
    }
    assert set(links.irregularities()) == wanted


@pytest.mark.parametrize("shoe", links.all_of())
def test_no_reason_is_kept_for_a_story_or_a_word_that_needs_none(shoe: str) -> None:
    every = {untold.name_of(path): path for path, _ in stories()}
    said = set().union(*(untold.words(path) for path in every.values()))
    lacks = untold.lacks_of(shoe)
    assert set(lacks) <= said
    for name in untold.BY_NAME[shoe]:
        assert not untold.words(every[name]) & set(lacks), f"{name} lacks words: name it no more"


TOLD_AS: Final[Mapping[str, set[type]]] = {
    "card": {CardRead},
    "read_failed": {ReadFailed},
    "cut_card": {CutCard},
    "excess": {ExcessCard},
    "excess_named": {ExcessNamed},
    "excess_discarded": {ExcessDiscarded},
    "result": {DeviceResult},
    "gave_up": {DeviceResult},
    "started": {Started},
    "lid_open": {LidChanged},
    "events_lost": {EventsLost, BadFrame},
}
THE_DEALER_SEES: Final = {("shoe_bee_tek", "cut_card")}


def events_of(shoe: str) -> set[type]:
    """The events that a driver's modules, and those they take things from, have in their hands."""
    find(shoe)
    own = [module for name, module in sys.modules.items() if name.startswith(f"drivers.{shoe}")]
    used = {getattr(each, "__module__", "") for module in own for each in vars(module).values()}
    shared = [sys.modules[name] for name in used if name == "drivers.labels"]
    every = set().union(*TOLD_AS.values())
    return {
        each
        for module in (*own, *shared)
        for each in vars(module).values()
        if isinstance(each, type) and each in every
    }


@pytest.mark.parametrize("shoe", HANDS)
def test_a_shoe_lacks_the_words_of_which_its_driver_has_no_event(shoe: str) -> None:
    """No more and no fewer: what a driver can tell, a story on its wire can say."""
    events = events_of(shoe)
    for word, told_as in TOLD_AS.items():
        can = bool(told_as & events) or (shoe, word) in THE_DEALER_SEES
        assert can == (word not in untold.lacks_of(shoe)), word


@pytest.mark.parametrize("shoe", HANDS)
def test_whoever_stands_at_a_shoe_can_make_it_say_all_that_it_does_not_lack(shoe: str) -> None:
    """A story that fails for want of a hand would pass for one that the shoe cannot tell."""
    said = set().union(*(untold.words(path) for path, _ in stories()))
    words = said - set(untold.lacks_of(shoe)) - {WRONG_PLACE}
    assert [word for word in sorted(words) if not hasattr(HANDS[shoe], word)] == []


def cannot_be_told() -> list[pytest.ParameterSet]:
    return [
        pytest.param(link, name, marks=() if link == BY_HAND else pytest.mark.second_tier)
        for link, names in untold.BY_NAME.items()
        for name in names
    ]


@pytest.mark.parametrize(("shoe", "name"), cannot_be_told())
def test_a_story_that_is_said_to_be_untold_cannot_be_told(
    shoe: str, name: str, tmp_path: Path
) -> None:
    books = [(path, book) for path, book in stories() if untold.name_of(path) == name]
    path, book = books[0]
    text = path.read_text("utf-8")
    with (
        pytest.raises((AssertionError, Untold, DoorError)),
        links.opened(shoe, tmp_path, path) as how,
    ):
        Story(how, book).play(text)
