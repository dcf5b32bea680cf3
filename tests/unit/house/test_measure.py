"""What `make house` counts, on small things that are known, and on the house itself."""

import ast
import json
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import pytest

from house import calls, counts, imports, measure, rows, sentences, walks
from house.calls import Call, Function
from house.measure import Figure, Found
from house.source import Module
from support.rows import each_row

pytestmark = pytest.mark.second_tier  # a tool of the developers, not the product


RUNNING = ("one_card", "walk_card", "walk_click", "walk_void", "walk_restart", "help")
"""Measured on a program that runs, which takes some seconds."""


def module(path: str, text: str = "") -> Module:
    return Module(Path(path), text)


def test_folders_are_counted_without_their_init() -> None:
    few = [module(f"controller/{name}.py") for name in ("__init__", "cli", "game/hands")]
    assert counts.modules_in_folders(few) == {"controller": 1, "controller/game": 1}
    assert counts.top_floor(few, "controller") == ["cli.py"]


def test_circles_are_found_through_late_and_relative_imports() -> None:
    few = [
        module("controller/a.py", "def f():\n    from controller.room import b"),
        module("controller/room/__init__.py"),
        module("controller/room/b.py", "from ..a import f\nfrom . import c"),
        module("controller/room/c.py", "import json"),
    ]
    graph = imports.graph(few)
    assert graph["controller.room.b"] == {"controller.a", "controller.room.c"}
    assert imports.circles(graph) == [["controller.a", "controller.room.b"]]
    assert imports.circles(imports.between_rooms(graph, few)) == [
        ["controller.a", "controller.room"]
    ]


def test_lengths_are_the_middle_the_many_and_the_longest() -> None:
    text = "".join(f"def f{n}():\n" + "    pass\n" * n for n in range(1, 101))
    assert str(counts.function_lengths([module("drivers/x.py", text)])) == "51 / 96 / 101"


def test_a_name_clashes_between_modules_and_not_with_an_emulator() -> None:
    few = [
        module(f"{each}.py", "class Round: ...\nclass _Own: ...")
        for each in ("controller/a", "simulators/b")
    ]
    assert counts.name_clashes(few) == {}
    few.append(module("drivers/c.py", "class Round: ..."))
    assert counts.name_clashes(few) == {"Round": ["controller.a", "drivers.c"]}


def test_sentences_are_told_apart_by_code_and_text() -> None:
    by_code = "Refused(Code.NOT_NOW, phase)\nsay(Code.HELD)\n"
    by_text = "Refused('not now')\nPrompt(f'do {x}')\nRefused(doubt.FIRST)\n"
    neither = "Refused(reason)\nRefused(State.READY)\n"
    few = [
        module("controller/doubt.py", "FIRST: Final = 'count first'"),
        module("controller/x.py", by_code + by_text + neither),
    ]
    found = sentences.made(few)
    assert (len(found.by_code), len(found.by_text)) == (2, 3)


@each_row(
    "line, looks",
    [
        ("if do.startswith('Burn'): ...", True),
        ("if 'device disagrees' in answer['prompt']['do']: ...", True),
        ("if reason == 'not now: the table is ready': ...", True),
        ("re.search('unknown field', text)", True),
        ("if path.startswith('limits.'): ...", False),
        ("if answer['state'] == 'ready': ...", False),
        ("if 'all is well' in printed: ...", False),
    ],
)
def test_a_decision_by_a_sentence_is_seen(line: str, looks: bool) -> None:
    assert bool(sentences.decisions("x.py", ast.parse(line))) is looks


def test_pages_are_looked_through_too(tmp_path: Path) -> None:
    script = tmp_path / "page.js"
    script.write_text('m.startsWith("before bets close")\nevent.key === "Escape"\n')
    assert sentences.decisions_of_pages([script], tmp_path) == ["page.js:1"]


class Phase(Enum):
    READY = "ready"
    BETTING = "betting"
    DEALING = "dealing"


class Way(NamedTuple):
    trigger: str
    source: Phase | tuple[Phase, ...]
    dest: Phase | None
    guards: tuple[str | Callable[[], bool], ...] = ()


def no_card_is_out() -> bool:
    return True


def test_rows_are_counted_whether_tuples_or_objects() -> None:
    ways = [
        Way("open_betting", Phase.READY, Phase.BETTING),
        Way("close_betting", Phase.BETTING, Phase.DEALING, (no_card_is_out,)),
        Way("place", Phase.BETTING, None),
        Way("void", (Phase.BETTING, Phase.DEALING), Phase.READY, ("the_shoe_goes_on",)),
    ]
    for given in (ways, [tuple(way) for way in ways]):
        found = rows.counted(rows.rows_of(given))
        assert (found.rows, found.edges, found.pairs) == (4, 3, 4)
        assert (found.possible, found.guards) == (6, 2)


def test_a_machine_that_is_nowhere_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "ROWS_ARE_IN", ("controller.nowhere",))
    monkeypatch.setattr(rows, "MOVES_WERE_IN", "controller.nowhere_else")
    with pytest.raises(LookupError, match="no ROWS in"):
        rows.measured()


def test_a_call_is_cut_out_by_what_happens_under_it() -> None:
    feed, append = (
        Call(Function("drivers/x.py", "X.feed"), 2),
        Call(Function("j/y.py", "append"), 3),
    )
    heard = Call(Function("c/loop.py", "Loop._heard"), 1, [feed, append])
    turn = Call(Function("c/loop.py", "Loop._turn"), 0, [heard])
    assert calls.smallest_with([turn], ("drivers/", "feed"), ("j/", "append")) is heard
    assert calls.figures(turn) == calls.Figures(calls=4, files=3, crossings=2)
    with pytest.raises(LookupError):
        calls.smallest_with([feed], ("drivers/", "feed"), ("j/", "append"))


def test_a_restart_is_walked_from_the_command_to_the_journal(tmp_path: Path) -> None:
    walk = walks.restarted(tmp_path)
    files = {Path(file).parts[:2] for file in walk.files}
    assert ("controller", "journal") in files
    assert all(function.name != "<module>" for function in walk.functions)


@pytest.mark.parametrize("key", [m[0] for m in measure.MEASUREMENTS if m[0] not in RUNNING])
def test_the_house_itself_can_be_measured(key: str) -> None:
    (found,) = measure.measured([each for each in measure.MEASUREMENTS if each[0] == key])
    assert not measure.failed([found]), found.now


def test_what_cannot_be_measured_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> Found:
        raise LookupError("there is no machine")

    figures = list(measure.measured([("edges", "edges", "122", broken)]))
    assert figures == [Figure("edges", "edges", "122", "not measured: there is no machine")]
    assert measure.failed(figures)
    assert not measure.failed([Figure("example", "files", "14", measure.NOT_MEASURED)])
    assert "there is no machine" in list(measure.table(figures))[1]
    assert json.dumps(measure.as_json(figures))
    assert measure.main(["--jason"]) == 2
    assert "--jason" in capsys.readouterr().err


def test_the_worked_example_is_read_from_its_test(tmp_path: Path) -> None:
    test = tmp_path / "test_worked_example.py"
    assert counts.touched_by_the_worked_example(test) is None
    test.write_text("FILES_TOUCHED: Final = 5\n")
    assert counts.touched_by_the_worked_example(test) == 5
    test.write_text("")
    with pytest.raises(LookupError):
        counts.touched_by_the_worked_example(test)
