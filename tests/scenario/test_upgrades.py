"""A later release with other rules opens an open shoe: what was accepted stays accepted.

The rule that is planted is the harshest there is: the later release would take none of the words
that led to where the table stands. Deciding again comes to grief; taking over does not.
"""

import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from controller.engine.handlers import HANDLERS
from controller.engine.release import Release, RulesChanged
from controller.engine.replay import Diverged
from controller.engine.session import open_session
from controller.journal.records import RELEASE
from controller.messages.codes import Code
from controller.round import position
from controller.round.wagers.betting import house_limits
from controller.table.commands.device_events import NoticeEvent, RestartedEvent
from controller.table.phases import Phase
from controller.table.refused import Refused
from controller.table.state import SettledStage, Table
from support.table.bench import BOTH_DRAW, NATURAL, ReplayedBench, rules_of

LATER = Release("later", rulebook="")
HOME = Path(__file__).parents[2]
WAGERS = (("ann", "player", 2000), ("bob", "banker", 1000))


def refuses(*_: object) -> NoReturn:
    raise Refused(Code.NO_ROUND)


@contextmanager
def everything_refused(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as planted:
        for word in HANDLERS:
            if word not in (RestartedEvent, NoticeEvent):
                planted.setitem(HANDLERS, word, refuses)
        yield


def betting() -> ReplayedBench:
    return ReplayedBench().bet(*WAGERS)


def mid_deal() -> ReplayedBench:
    return ReplayedBench().deal(*BOTH_DRAW[:3], wagers=WAGERS)


def sealed() -> ReplayedBench:
    return ReplayedBench(deal_face="down").deal(*BOTH_DRAW, wagers=WAGERS)


def half_exposed() -> ReplayedBench:
    bench = sealed()
    bench.say("expose", hand="player", card=1)
    return bench


def winner_sealed() -> ReplayedBench:
    bench = sealed()
    bench.device("result", winner="player")
    return bench


def case_waits_for_approval() -> ReplayedBench:
    bench = mid_deal()
    bench.say("report", what="wrong_count")
    return bench


def case_and_queue() -> ReplayedBench:
    bench = mid_deal()
    bench.say("report", what="uncovered")
    bench.say("report", what="wrong_count")
    return bench


def in_doubt() -> ReplayedBench:
    bench = sealed()
    bench.device("events_lost")
    bench.card("7D")
    return bench


def card_aside() -> ReplayedBench:
    bench = ReplayedBench().deal(*NATURAL, wagers=WAGERS)
    bench.card("7D")
    return bench


def correction_asked_for() -> ReplayedBench:
    bench = ReplayedBench().deal(*NATURAL, wagers=WAGERS)
    bench.settle()
    bench.say("correct", n=1, card="8D", reason="misread")
    return bench


SITUATIONS = (
    betting, mid_deal, sealed, half_exposed, winner_sealed, case_waits_for_approval,
    case_and_queue, in_doubt, card_aside, correction_asked_for,
)  # fmt: skip


@pytest.mark.parametrize("make", SITUATIONS)
def test_an_open_shoe_survives_rules_that_would_refuse_all_of_it(
    make: Callable[[], ReplayedBench], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = make()
    before = bench.table
    with everything_refused(monkeypatch):
        with pytest.raises(Diverged):
            open_session(bench.rules, bench.journal, bench.sealer)
        bench.session = open_session(bench.rules, bench.journal, bench.sealer, 50.0, LATER)
    assert without_restart(bench.table) == without_restart(before)
    kinds = [record.kind for record in bench.journal.records()]
    assert kinds[-3:] == [RELEASE, "step", "step"], "who took over, in which state; a restart; news"
    bench.session = open_session(bench.rules, bench.journal, bench.sealer, 60.0, LATER)
    assert without_restart(bench.table) == without_restart(before), "and it opens its own records"


def without_restart(table: Table) -> Table:
    return replace(table, clocks=replace(table.clocks, restarted_at=None), at=0.0, notices=())


def test_the_same_round_goes_on_to_the_payments_it_would_have_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def to_its_end(bench: ReplayedBench) -> object:
        for hand in ("player", "banker"):
            bench.say("expose", hand=hand)
        bench.card("9H")
        bench.say("expose", hand="player")
        bench.settle()
        return bench.round.paid

    bench = sealed()
    with everything_refused(monkeypatch):
        bench.session = open_session(bench.rules, bench.journal, bench.sealer, 50.0, LATER)
    bench.taken_over(LATER)
    bench.at = 60.0
    bench.say("answer", "pia", value=False)
    assert to_its_end(bench) == to_its_end(sealed())


def test_what_was_refused_stays_refused_although_it_would_be_taken_now() -> None:
    bench = ReplayedBench(minimum=5000, track_wagers=False).bet()
    bench.refused("place", player="ann", wager="player", amount=100, position=1)
    looser = rules_of(track_wagers=True)
    now = open_session(looser, bench.journal, bench.sealer, 50.0, LATER).machine.table
    assert now.round is not None
    assert now.round.wagers == ()


def test_another_configuration_in_mid_shoe_judges_nothing_again() -> None:
    """The house raised its minimum and turned its cards: what lies, lies as it was laid."""
    bench = sealed()
    stricter = rules_of(deal_face="up", minimum=5000, maximum=6000)
    now = open_session(stricter, bench.journal, bench.sealer, 50.0, LATER).machine.table
    assert without_restart(now) == without_restart(bench.table)


@pytest.mark.parametrize("limit", [{"maximum": 1500}, {"minimum": 5000}])
def test_a_round_is_settled_by_the_limits_it_began_with(limit: dict[str, Any]) -> None:
    """Ann's 2000 were accepted: they are paid in full, and nobody is warned."""
    bench = ReplayedBench().deal(*NATURAL, wagers=WAGERS)
    bench.rules = rules_of(**limit)
    bench.session = open_session(bench.rules, bench.journal, bench.sealer, 50.0, LATER)
    bench.taken_over(LATER)
    bench.at = 60.0
    bench.say("answer", "pia", value=False)
    bench.settle()
    (ann,) = [each for each in bench.round.paid if each.player == "ann"]
    assert (ann.pays, ann.returned, ann.clause) == (2000, 2000, None)
    assert isinstance(bench.round.stage, SettledStage)
    assert bench.round.stage.warned == ()
    assert [note.code for note in bench.table.notices] == ["took_over"]
    bench.say("open_betting")
    assert bench.round.terms.limits is not None
    assert bench.round.terms.limits == house_limits(bench.rules), "the next round has the new ones"


def test_an_open_case_goes_on_by_the_ruling_that_was_found() -> None:
    """The later book has another ruling in its place, and one fewer."""
    bench = mid_deal()
    bench.say("report", what="simultaneous")
    bench.say("answer", value=False)
    assert bench.table.case is not None
    clause = bench.table.case.clause
    rows = dict(bench.rules.book.irregularity_by_id)
    later = dataclasses.replace(rows["simultaneous"], rulings=rows["simultaneous"].rulings[:1])
    others = tuple(each for each in bench.rules.book.irregularities if each.id != later.id)
    book = dataclasses.replace(bench.rules.book, irregularities=(*others, later))
    bench.rules = dataclasses.replace(bench.rules, book=book)
    bench.session = open_session(bench.rules, bench.journal, bench.sealer, 50.0, LATER)
    bench.taken_over(LATER)
    bench.at = 60.0
    bench.say("answer", "pia", value=False)
    bench.say("approve", "pia")
    assert bench.round.void_by == clause
    assert [each.clause for each in bench.table.rulings] == [clause]


def test_hands_are_settled_as_they_lie_whatever_a_later_table_of_play_would_draw() -> None:
    bench = ReplayedBench().deal(*BOTH_DRAW, wagers=WAGERS)
    bench.card("9H")
    while bench.table.phase is not Phase.OUTCOME:
        bench.card("2D")
    bench.say("announce")
    lie = position.dealt_round(bench.rules.book, bench.round)
    assert lie.score.player_cards == 3
    play = bench.rules.book.play
    stands = dataclasses.replace(
        play, player_draws=dataclasses.replace(play.player_draws, totals=frozenset())
    )
    later = dataclasses.replace(bench.rules.book, play=stands)
    assert position.dealt_round(later, bench.round).score is lie.score


def test_another_rulebook_is_refused_while_the_table_is_open() -> None:
    bench = mid_deal()
    later = Release("later", rulebook="rws-commission-baccarat-4")
    with pytest.raises(RulesChanged, match="close the table"):
        open_session(bench.rules, bench.journal, bench.sealer, 50.0, later)


# --- a program of its own, killed, and another in its place --------------------------------------

DEALER = {"from": "staff", "who": "d17", "role": "dealer"}
PIA = {"from": "staff", "who": "pia", "role": "pit_supervisor"}
SAID: list[dict[str, Any]] = [
    {**PIA, "do": "open_table"},
    {**DEALER, "do": "load_shoe", "with": {"deck_set": "b", "verified_by": "pia", "cut": True}},
    {**PIA, "do": "approve"},
    {**DEALER, "do": "open_betting", "with": {"ref": "studio-7"}},
    {**DEALER, "do": "place",
     "with": {"player": "ann", "wager": "player", "amount": 2000, "position": 1}},
    {**DEALER, "do": "close_betting"},
    {"from": "shoe", "event": "card", "card": "9H"},
    {"from": "shoe", "event": "card", "card": "2C"},
    {"from": "shoe", "event": "card", "card": "KD"},
]  # fmt: skip
THEN: list[dict[str, Any]] = [
    {**PIA, "do": "answer", "with": {"value": False}},
    {"from": "shoe", "event": "card", "card": "5S"},
    {**DEALER, "do": "announce"},
    {**DEALER, "do": "settle"},
]

PLANTED = {
    "controller/round/wagers/betting.py": (
        "    if not rules.house.track_wagers:\n",
        "    if True:  # the planted rule\n",
    ),
    "controller/game/table_of_play.py": ("from", "# the planted change\nfrom"),
}
"""No wager is taken any more; and the file of the table of play is another one."""


class Program:
    """`sabot table --jsonl` out of a folder."""

    def __init__(self, home: Path, journal: Path) -> None:
        self._program = subprocess.Popen(
            [sys.executable, "-m", "controller", "table", "--jsonl", "--journal", str(journal)],
            cwd=home,
            env={**os.environ, "PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def say(self, lines: list[dict[str, Any]]) -> dict[str, Any]:
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        answer: dict[str, Any] = {}
        for at, line in enumerate(lines, start=1):
            self._program.stdin.write(json.dumps({"at": float(at), **line}) + "\n")
            self._program.stdin.flush()
            answer = json.loads(self._program.stdout.readline())
            assert answer.get("accepted"), (line, answer)
        return answer

    def kill(self) -> None:
        self._program.send_signal(signal.SIGKILL)
        self._program.communicate()


def test_a_release_with_a_planted_rule_goes_on_where_another_was_killed(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    before = Program(HOME, journal)
    try:
        then = before.say(SAID)
    finally:
        before.kill()
    later = tmp_path / "later"
    for package in ("controller", "drivers"):
        shutil.copytree(HOME / package, later / package)
    for name, (old, new) in PLANTED.items():
        text = (later / name).read_text("utf-8")
        assert old in text
        (later / name).write_text(text.replace(old, new, 1), "utf-8")
    after = Program(later, journal)
    try:
        now = after.say(THEN[:1])
        assert now["hands"] == then["hands"]
        ended = after.say(THEN[1:])
        paid = {each["id"]: each["pays"] + each["returned"] for each in ended["settlements"]}
        assert paid == {"w1": 4000}, "the wager that this release would not have taken"
    finally:
        after.kill()
