"""Whatever the first item of the agenda says will happen is what happens, with anything waiting.

Stories and random tables are checked after every step where they are played. Here two things wait
together: every request with every irregularity, in every phase and book, made in both orders; and
an adversary says what they like.
"""

import random
from collections.abc import Iterator
from functools import cache
from typing import get_args

import pytest

from adversary.episode import Episode, honest
from adversary.setting import Line, setting
from controller.rulebooks import RULEBOOKS
from controller.table.case import Awaits, AwaitsKept
from controller.table.commands.reports import IDS
from controller.table.requests import Wanted
from scenario.waiting_pairs import Pair, Waiting
from support.table.agenda_check import AgendaCheck

FACES = ("up", "down")
BOTH = [(book, face) for book in RULEBOOKS for face in FACES]
ONE_FACE = [(book, FACES[n % 2]) for n, book in enumerate(RULEBOOKS)]
BOOKS_THAT_KEEP_TWO = {"mbs-baccarat-8", "mbs-dragon-tiger-baccarat"}
BOOKS_WITH_OPTIONS = {*BOOKS_THAT_KEEP_TWO, "rws-commission-baccarat-4"}
NOT_REPORTED = {"late_error", "not_enough_cards", "void_aftermath", "under_minimum"}
"""They take an earlier round, an empty shoe, a void or a minimum; the table refuses them here."""
EPISODES = 6
MORE_EPISODES = 150


@cache
def waiting(book: str, face: str) -> Waiting:
    return Waiting(book, face)


def one_of_each(pairs: Iterator[Pair]) -> list[Pair]:
    """One table for every request with every irregularity."""
    rng, found = random.Random(1), dict[tuple[str, str], Pair]()
    for pair in pairs:
        kinds = [each.kind for each in pair.table.requests]
        for kind in kinds:
            for said in pair.lines[-2:]:
                what = str(said[2].get("what", said[1]))
                if (kind, what) not in found or rng.random() < 0.1:
                    found[kind, what] = pair
    return list(found.values())


@pytest.mark.parametrize(("book", "face"), ONE_FACE)
def test_two_things_wait(book: str, face: str) -> None:
    tables, rng = waiting(book, face), random.Random(1)
    for pair in one_of_each(tables.pairs()):
        tables.answer_all(pair, rng)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_kept_cards_that_nobody_has_read(book: str) -> None:
    tables, rng = waiting(book, "down"), random.Random(3)
    found = [pair for pair in tables.kept() if _waits_for(pair, AwaitsKept)]
    assert bool(found) == (book in BOOKS_THAT_KEEP_TWO)
    for pair in found:
        tables.answer_all(pair, rng)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_reports_while_players_have_options(book: str) -> None:
    """A void does not wait behind options: it is asked first, and they are put again after it."""
    tables, rng = waiting(book, "up"), random.Random(4)
    found = list(tables.behind_options())
    voids = [pair for pair in found if pair.table.case and not pair.table.case.offer]
    assert bool(voids) == (book in BOOKS_WITH_OPTIONS)
    for pair in rng.sample(voids, min(len(voids), 30)) + rng.sample(found, min(len(found), 30)):
        tables.answer_all(pair, rng)


def _waits_for(pair: Pair, awaits: type[Awaits]) -> bool:
    return pair.table.case is not None and isinstance(pair.table.case.awaits, awaits)


@pytest.mark.second_tier
@pytest.mark.parametrize(("book", "face"), BOTH)
def test_any_two_things_wait_anywhere(book: str, face: str) -> None:
    tables, rng = waiting(book, face), random.Random(2)
    for pair in tables.pairs():
        tables.answer_all(pair, rng)


def test_every_request_and_every_irregularity_is_among_them() -> None:
    kinds, reported = set[str](), set[str]()
    for book, face in BOTH:
        for pair in waiting(book, face).asked():
            kinds |= {each.kind for each in pair.table.requests}
        for pair in waiting(book, face).moments():
            reported |= waiting(book, face).taken_reports(pair)
    assert kinds == {str(each.__struct_config__.tag) for each in get_args(Wanted)}
    assert reported == set(IDS) - NOT_REPORTED


# --- an adversary -------------------------------------------------------------------------------


class CheckedEpisode(Episode):
    """Whatever they say, the first item stays what every door shows."""

    check: AgendaCheck | None = None

    def step(self, line: Line, adversary: bool) -> bool:
        taken = super().step(line, adversary)
        if self.check is None:
            self.check = AgendaCheck(self._table.rules)
        if taken:
            self.check(self._table.machine.table)
        return taken


@pytest.mark.parametrize("seed", range(EPISODES))
def test_an_adversary_speaks(seed: int) -> None:
    play_episodes(seed, 3)


@pytest.mark.second_tier
@pytest.mark.parametrize("seed", range(EPISODES, MORE_EPISODES))
def test_an_adversary_speaks_at_many_tables(seed: int) -> None:
    play_episodes(seed, 20)


def play_episodes(seed: int, episodes: int) -> None:
    chosen, rng = setting(seed, pair=seed % 2 == 1), random.Random(seed)
    _, moments = honest(chosen, watched=False)
    for _ in range(episodes):
        played = CheckedEpisode(chosen, rng.choice(moments), None, rng).play()
        assert played.violation is None, played.violation
