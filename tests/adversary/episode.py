"""An honest crew deals two rounds while somebody says what they like in between.

The honest table is played once for a setting and its moments are kept: tables are values, so any
number of episodes begin at one of them. What the adversary says is kept as a plan, each line with
the turn of the crew before which it is said. The crew goes by what lies on the table, so a plan
with lines left out is still an honest table.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from adversary.crew import Crew
from adversary.judge.watch import CRASHED, Step, Violation, Watch
from adversary.setting import ROUNDS, Cell, Line, Setting, table_of
from adversary.tempter import Tempter, is_open
from controller.table.state import Table

OPEN: Final = 0.9
"""How often the adversary speaks while something is open, and while nothing is."""
QUIET: Final = 0.15
MAX_WORDS: Final = 10
MAX_STEPS: Final = 200
GO_ON: Final = 0.25
"""How often the round after the one that was disturbed is dealt too."""
FITS: Final = 0.5
"""How often an episode begins where a word may be taken that is looked for, if there is such."""


class Planned(NamedTuple):
    turn: int
    line: Line


class Said(NamedTuple):
    """One line of an episode."""

    line: Line
    accepted: bool
    phase: str
    held: bool
    adversary: bool


class Unwatched:
    """In the place of a watch where what is said has been judged in another search."""

    def fork(self) -> "Unwatched":
        return self

    def check(self, step: Step, look_closely: bool = True) -> None:
        """Looks away."""


class Moment(NamedTuple):
    """An honest table between two turns of the crew."""

    turn: int
    table: Table
    watch: Watch | Unwatched
    crew: Crew


@dataclass
class Played:
    """What came of an episode."""

    setting: Setting
    plan: list[Planned] = field(default_factory=list)
    """What the adversary said, and when."""
    said: list[Said] = field(default_factory=list)
    violation: Violation | None = None
    stalled: bool = False
    """The crew was refused: no more was dealt."""
    rounds: int = ROUNDS
    """How many the crew deals."""


class Episode:
    """From one moment on: by a plan, or as `rng` has it."""

    def __init__(
        self,
        chosen: Setting,
        begins: Moment,
        plan: list[Planned] | None = None,
        rng: Random | None = None,
        rounds: int = ROUNDS,
        favours: frozenset[Cell] = frozenset(),
    ) -> None:
        self._given = plan
        self._rng = rng or Random(chosen.seed)
        self._budget = self._rng.randint(1, MAX_WORDS) if plan is None else 0
        self._tempter = Tempter(self._rng, chosen, favours) if plan is None else None
        self._watch, self._crew = begins.watch.fork(), begins.crew.fork()
        self._crew.rounds = rounds
        self._table = table_of(chosen)
        self._table.machine.load_state(begins.table)
        self._turn = begins.turn
        self._heard = 0
        self._refused: Line | None = None
        self.played = Played(chosen, rounds=rounds)

    def play(self) -> Played:
        while self.played.violation is None and len(self.played.said) < MAX_STEPS:
            if not self._adversary() or not self._honest():
                break
        return self.played

    def moment(self) -> Moment:
        table = self._table.machine.table
        return Moment(self._turn, table, self._watch.fork(), self._crew.fork())

    def _adversary(self) -> bool:
        """All that is said before the crew's next turn; False: that is the end of it."""
        while (line := self._said_now()) is not None:
            self.played.plan.append(Planned(self._turn, line))
            self._heard += self.step(line, adversary=True)
            if self.played.violation is not None:
                return False
        # What comes of words that were all refused is what comes of none.
        return self._given is not None or self._budget > 0 or self._heard > 0

    def _said_now(self) -> Line | None:
        table = self._table.machine.table
        if self._given is not None:
            said = len(self.played.plan)
            due = said < len(self._given) and self._given[said].turn <= self._turn
            return self._given[said].line if due else None
        often = OPEN if is_open(table) else QUIET
        if not self._budget or (self.played.plan and self._rng.random() > often):
            return None
        assert self._tempter is not None
        self._budget -= 1
        return self._tempter.next(table)

    def _honest(self) -> bool:
        """The crew's turn; False where nothing is left to be done."""
        line = self._crew.next(self._table.machine.table)
        self._turn += 1
        if line is None:
            return self._more_to_say()
        taken = self.step(line, adversary=False)
        if not taken and line == self._refused:
            self.played.stalled = True
            return self._more_to_say()
        self._refused = None if taken else line
        return True

    def _more_to_say(self) -> bool:
        if self._given is not None:
            return len(self.played.plan) < len(self._given)
        return self._budget > 0

    def step(self, line: Line, adversary: bool) -> bool:
        table = self._table
        before = table.machine.table
        face = self._crew.draws(line)
        try:
            answer = table.take(line)
        except Exception as crash:  # noqa: BLE001 - whatever it is, no word may bring it about
            self.played.said.append(Said(line, False, before.phase.value, True, adversary))
            self.played.violation = Violation(CRASHED, repr(crash))
            return False
        said = Said(line, answer.accepted, before.phase.value, is_open(before), adversary)
        self.played.said.append(said)
        if face is not None and answer.accepted:
            self._crew.drew(face, answer.table)
        step = Step(line, before, answer, table.entries, face)
        self.played.violation = self._watch.check(step, look_closely=adversary)
        return answer.accepted


def beginning(chosen: Setting, watched: bool = True) -> Moment:
    watch = Watch(chosen) if watched else Unwatched()
    return Moment(0, table_of(chosen).ready, watch, Crew(chosen))


def replayed(chosen: Setting, plan: list[Planned], rounds: int) -> Played:
    """From the beginning, with what the plan has and nothing else."""
    return Episode(chosen, beginning(chosen), plan, rounds=rounds).play()


def honest(chosen: Setting, watched: bool = True) -> tuple[Played, list[Moment]]:
    """A table that nobody disturbs, and it before each turn of the crew, to the last round's end.

    Of a table that is sound nothing is ever refused to an honest crew."""
    episode = Episode(chosen, beginning(chosen, watched), [])
    found = [episode.moment()]
    while episode.played.violation is None and episode._honest():
        found.append(episode.moment())
    refused = [said for said in episode.played.said if not said.accepted]
    assert not refused or episode.played.violation is not None, refused
    return episode.played, found


def disturbed(
    chosen: Setting, moments: list[Moment], rng: Random, favours: frozenset[Cell] = frozenset()
) -> Played:
    """One episode that begins at any of the moments, each phase as often as another."""
    by_phase: dict[tuple[str, int], list[Moment]] = defaultdict(list)
    for each in moments:
        by_phase[each.table.phase.value, each.table.history.rounds].append(each)
    fit = [each for each in moments if _fits(each.table, chosen, favours)]
    if fit and rng.random() < FITS:
        by_phase = {("", 0): fit}
    looked_for = {phase for _, _, phase in favours}
    among = [each for each in by_phase if each[0] in looked_for] or list(by_phase)
    begins = rng.choice(by_phase[rng.choice(sorted(among))])
    rounds = max(1, begins.table.history.rounds) + (rng.random() < GO_ON)
    return Episode(chosen, begins, None, rng, rounds, favours).play()


def _fits(table: Table, chosen: Setting, favours: frozenset[Cell]) -> bool:
    """Whether a word that is looked for may be taken here, and hardly anywhere else."""
    left = table.devices.left_at_shoe
    if left is None or not left.to_be_ended or not favours:
        return False
    words = {"put_aside", "shoe_ended"} if left.by_hand else {"put_aside"}
    roles = {person.played_as for person in chosen.people}
    now = table.phase.value
    return any(word in words and role in roles and when == now for role, word, when in favours)
