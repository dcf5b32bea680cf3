"""The robot that errs, in its short form: every ruling is the one that the independent judge reads
from the documents. `make test-all ONLY=erring HOURS=n` is the long form."""

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.engine import handlers
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.commands.people import ApproveCommand, RefuseCommand
from controller.table.commands.registry import Payload
from judge.erring.found import Tally
from judge.erring.shoes import ErringTable
from judge.erring.ways import WAYS, Way

JUDGE = Path(__file__).parents[1] / "judge"
ROUNDS = 120
"""At each kind of table; with 14 of them some ten seconds."""


def test_the_judge_is_independent_of_the_product() -> None:
    for path in JUDGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            rooms = {name.partition(".")[0] for name in names}
            assert not rooms & {"controller", "drivers", "simulators"}, path.name


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_every_ruling_is_the_judges(way: Way) -> None:
    tally = Tally()
    seed = 0
    while tally.rounds < ROUNDS and not tally.different:
        ErringTable(way, seed, tally).play(ROUNDS - tally.rounds)
        seed += 1
    assert not tally.different, _told(tally)
    assert tally.reports


@pytest.mark.parametrize("lie", ["hands", "money", "offers", "void"])
def test_a_table_that_is_wrong_is_found(lie: str) -> None:
    """Faults put into what the table shows; none of them may pass."""

    def spoils(view: dict[str, Any]) -> None:
        if lie == "hands":
            view["hands"] = {**view["hands"], "banker": view["hands"]["banker"][:1]}
        if lie == "money":
            view["settlements"] = [{**row, "pays": row["pays"] + 1} for row in view["settlements"]]
        if lie == "offers":
            view["withdrawable"] = dict(list(view["withdrawable"].items())[1:])
        if lie == "void" and view["void"]:
            view["void"] = "9.9"

    only = {"offers": ("device_reset",), "void": ("wrong_count",)}.get(lie, ("nothing",))
    tally = Tally()
    for seed in range(20):
        ErringTable(WAYS[1], seed, tally, only, spoils).play(10)
    kinds = {
        "hands": "hands", "money": "money", "offers": "device_reset: who may withdraw what",
        "void": "wrong_count",
    }  # fmt: skip
    assert any(kind.startswith(kinds[lie]) for kind in tally.kinds()), tally.kinds()


def test_the_second_person_refuses_cards_are_corrected_and_the_shoe_speaks() -> None:
    tally = Tally()
    for seed in range(4):
        ErringTable(WAYS[0], seed, tally, ("simultaneous", "correction")).play(60)
    assert not tally.different, _told(tally)
    made = set(tally.reports)
    assert {"correction made", "correction refused", "correction leaves hands open"} <= made
    assert "simultaneous refused by the second person" in made
    assert any(each.startswith("simultaneous by the shoe") for each in made)


@pytest.mark.parametrize("lie", ["one person", "a refusal"])
def test_a_table_that_corrects_by_itself_is_found(
    lie: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One person's word is enough, or a refusal is taken for an approval."""
    if lie == "one person":
        row = approvals.approval_row(Act.CORRECT_CARD)
        monkeypatch.setitem(approvals.APPROVALS, Act.CORRECT_CARD, replace(row, second=False))
    else:
        refuse: type[Payload] = RefuseCommand
        monkeypatch.setitem(handlers.HANDLERS, refuse, handlers.HANDLERS[ApproveCommand])
    tally = Tally()
    for seed in range(6):
        ErringTable(WAYS[0], seed, tally, ("correction",)).play(30)
    assert any(kind.startswith("correction") for kind in tally.kinds()), tally.kinds()


def _told(tally: Tally) -> str:
    found = tally.different[0]
    return f"{found.way}, seed {found.seed}: {found}\n" + "\n".join(map(str, found.script[-25:]))
