"""Many episodes: what was found, as short as it can be told, and what was tried."""

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from adversary.episode import Moment, Planned, Played, disturbed, honest, replayed
from adversary.judge.twin import told_apart
from adversary.judge.watch import SEALED, Violation
from adversary.setting import HELD, Cell, Line, Setting, setting, table_of
from adversary.words import Words
from controller.table.cards import Drawn

PROBES: Final = 2
"""Reports a setting that are made at two tables which differ in sealed faces alone."""


@dataclass
class Tally:
    """What was tried."""

    episodes: int = 0
    words: int = 0
    by_adversary: int = 0
    stalled: int = 0
    accepted: Counter[Cell] = field(default_factory=Counter)
    refused: Counter[Cell] = field(default_factory=Counter)

    def count(self, played: Played) -> None:
        self.episodes += bool(played.said)
        self.words += len(played.said)
        self.stalled += played.stalled
        roles = {person.who: person.played_as for person in played.setting.people}
        for said in played.said:
            if said.adversary:
                self.by_adversary += 1
                cells = self.accepted if said.accepted else self.refused
                role, word = roles[said.line["who"]], said.line["do"]
                cells[role, word, said.phase] += 1
                if said.held:
                    cells[role, word, HELD] += 1

    def add(self, other: "Tally") -> None:
        self.episodes += other.episodes
        self.words += other.words
        self.by_adversary += other.by_adversary
        self.stalled += other.stalled
        self.accepted.update(other.accepted)
        self.refused.update(other.refused)


class Found(NamedTuple):
    """A violation, with the fewest of the adversary's lines that still lead to it."""

    violation: Violation
    setting: Setting
    plan: list[Planned]
    rounds: int
    fork: int

    @property
    def kind(self) -> str:
        """Violations of one kind are told once."""
        return " ".join([self.violation.invariant, *(_gist(each.line) for each in self.plan)])

    def told(self) -> str:
        """The script: how the table is set up, and every line; `<-` are the adversary's."""
        chosen = self.setting
        table = table_of(chosen)
        house = f"{chosen.book} method={chosen.method or '-'} deal_face={chosen.face}"
        head = f"{self.violation.invariant}: {self.violation.says}"
        lines = [head, f"seed {chosen.seed}.{self.fork}; {house} limits={chosen.limits}"]
        lines += [json.dumps(line) for line in table.setup]
        for said in replayed(chosen, self.plan, self.rounds).said:
            mark = "" if said.accepted else "   (refused)"
            lines.append(json.dumps(said.line) + ("   <-" if said.adversary else "") + mark)
        return "\n".join(lines)


def _gist(line: Line) -> str:
    given = line.get("with", {})
    what = given.get("what") or given.get("outcome") or given.get("choice")
    return f"{line['do']}({what})" if what else str(line["do"])


def episodes(
    seeds: Iterable[int], forks: int, pair: bool = False, favours: frozenset[Cell] = frozenset()
) -> Iterator[tuple[Played, int]]:
    """So many from every setting, after a table that nobody disturbs."""
    for seed in seeds:
        chosen = setting(seed, pair)
        played, moments = honest(chosen)
        yield played, 0
        for fork in range(forks):
            yield disturbed(chosen, moments, Random(f"{seed}.{fork}"), favours), fork
        if played.violation is None:
            for probe in range(PROBES):
                yield _probed(played, moments, Random(f"{seed}.{probe}")), probe


def taken(seeds: Iterable[int], forks: int, pair: bool, favours: frozenset[Cell]) -> Tally:
    """What is accepted where words are looked for. Nobody judges it: the searches do."""
    tally = Tally()
    with _no_collection():
        for seed in seeds:
            chosen = setting(seed, pair)
            _, moments = honest(chosen, watched=False)
            for fork in range(forks):
                tally.count(disturbed(chosen, moments, Random(f"{seed}.{fork}"), favours))
    return tally


def _probed(undisturbed: Played, moments: list[Moment], rng: Random) -> Played:
    """One report while cards lie face down: does what comes of it tell what they are?"""
    chosen = undisturbed.setting
    played = Played(chosen)
    sealed = [each for each in moments if any(not d.exposed for d in _cards(each))]
    if not sealed or chosen.people[0].source != "staff":
        return played
    at = rng.choice(sealed)
    line = Words(rng, chosen).line(chosen.people[0], "report", at.table)
    played.plan.append(Planned(at.turn, line))
    before = [each.line for each in undisturbed.said[: at.turn]]
    apart = told_apart(chosen, at.table, before, line)
    if apart is not None:
        played.violation = Violation(SEALED, apart)
    return played


def _cards(moment: Moment) -> tuple[Drawn, ...]:
    return moment.table.round.cards if moment.table.round else ()


def search(
    seeds: Iterable[int],
    forks: int,
    pair: bool = False,
    enough: Callable[[Found], bool] | None = None,
    favours: frozenset[Cell] = frozenset(),
) -> tuple[Tally, dict[str, Found]]:
    """All kinds of violations that these seeds come to; `enough` ends it early. Words of cells
    that are favoured are said wherever they may be."""
    with _no_collection():
        return _searched(episodes(seeds, forks, pair, favours), enough)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Tables are values without cycles: looking for cycles takes a third of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _searched(
    every: Iterator[tuple[Played, int]], enough: Callable[[Found], bool] | None
) -> tuple[Tally, dict[str, Found]]:
    tally, kinds = Tally(), dict[str, Found]()
    seen: Counter[str] = Counter()
    for played, fork in every:
        tally.count(played)
        if played.violation is None:
            continue
        last = _gist(played.plan[-1].line) if played.plan else "nothing"
        rough = f"{played.violation.invariant} {played.setting.book} {last}"
        seen[rough] += 1
        if seen[rough] > 2:
            continue
        found = shrunk(played, fork)
        kinds.setdefault(found.kind, found)
        if enough is not None and enough(found):
            break
    return tally, kinds


# --- shrinking ----------------------------------------------------------------------------------


def shrunk(played: Played, fork: int) -> Found:
    """Lines and fields are left out one by one for as long as the same thing is violated."""
    assert played.violation is not None
    found = Found(played.violation, played.setting, played.plan, played.rounds, fork)
    smaller: Found | None = found
    while smaller is not None:
        found = smaller
        tried = (_still(found, plan) for plan in _smaller(found.plan))
        smaller = next((each for each in tried if each is not None), None)
    return found


def _still(found: Found, plan: list[Planned]) -> Found | None:
    played = replayed(found.setting, plan, found.rounds)
    if played.violation is None or played.violation.invariant != found.violation.invariant:
        return None
    return found._replace(violation=played.violation, plan=played.plan)


def _smaller(plan: list[Planned]) -> Iterator[list[Planned]]:
    for at in reversed(range(len(plan))):
        yield plan[:at] + plan[at + 1 :]
    for at, each in enumerate(plan):
        given = each.line.get("with", {})
        for name in given:
            fewer = {key: value for key, value in given.items() if key != name}
            line = {**each.line, "with": fewer}
            yield [*plan[:at], Planned(each.turn, line), *plan[at + 1 :]]
