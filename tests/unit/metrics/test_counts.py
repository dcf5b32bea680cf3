"""What `make metrics` counts, on small modules with known figures, and on the product itself."""

from pathlib import Path

import pytest

from metrics import counts
from metrics.__main__ import METRICS, main
from metrics.source import Module

pytestmark = pytest.mark.second_tier  # a tool of the developers, not the product


def module(path: str, text: str = "") -> Module:
    return Module(Path(path), text)


def test_code_has_no_blank_line_no_comment_no_docstring_and_optionally_no_import() -> None:
    text = '"""Doc\nstring."""\n\nimport os\n# why\nX = """\na\n"""  # two\n"""Of X."""\n'
    counted = module("controller/game/x.py", text)
    assert counted.code_lines() == {4, 6, 7, 8}
    assert len(counts.controller_lines([counted])) == 3
    assert counts.lines_by_room([counted, module("drivers/io/y.py", "Y = 1\n")]) == {
        "controller/game": 4,
        "drivers": 1,
    }


def test_dialect_is_counted_in_names_and_prose_and_not_as_a_wire_field() -> None:
    text = 'def told(): ...\n# Nobody says it.\nX = {"says": 1}\nuntold = 1\n'
    places = counts.dialect_words([module("controller/x.py", text)])
    assert places == [
        "controller/x.py:1: told",
        "controller/x.py:2: Nobody",
        "controller/x.py:2: says",
    ]


def test_a_folder_is_full_without_its_init() -> None:
    names = ["__init__", *map(str, range(counts.MAX_MODULES))]
    few = [module(f"controller/game/{name}.py") for name in names]
    assert counts.full_folders(few) == []
    few.append(module("controller/game/more.py"))
    assert counts.full_folders(few) == ["controller/game 13"]


def test_a_name_is_ambiguous_between_modules_and_not_with_an_emulator_or_a_template() -> None:
    text = "class Round: ...\nclass _Own: ..."
    paths = ("controller/a", "simulators/b", "drivers/testing/template/c")
    few = [module(f"{path}.py", text) for path in paths]
    assert counts.ambiguous_class_names(few) == []
    few.append(module("drivers/d.py", text))
    assert counts.ambiguous_class_names(few) == ["Round: controller.a, drivers.d"]


def test_a_loose_dictionary_is_counted_by_its_aliases_too() -> None:
    few = [
        module("controller/a.py", "View = dict[str, Any]\n"),
        module("controller/b.py", "from controller.a import View\nAnswer: TypeAlias = View\n"),
        module("controller/c.py", "from controller.b import Answer\ndef f(a: Answer): ...\n"),
        module("controller/d.py", "def f(a: View, b: dict[str, int]): ...  # View\n"),
        module("drivers/e.py", "def f(a: dict[str, Any]): ...\n"),
    ]
    found = [each.partition(":")[0] for each in counts.loose_dictionaries(few)]
    assert found == [*["controller/a.py"] * 2, *["controller/b.py"] * 2, "controller/c.py"]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("def f(t):\n if t.table.case: ...\n elif table.count_check: ...", True),
        ("def f(table):\n return table.case or before.request", True),
        ("def f(table):\n if table.case: ...\n return table.count_check", False),
        ("def f(other):\n if other.case and other.count_check: ...", False),
    ],
)
def test_an_order_is_two_questions_of_one_function(text: str, orders: bool) -> None:
    assert bool(counts.agenda_orders([module("controller/a.py", text)])) is orders


def test_recursion_is_found_through_other_methods_and_what_is_handed_on() -> None:
    methods = {"run": "self.step()", "step": "ask(self.note)", "note": "self.step()"}
    body = "".join(f"  def {name}(self): {does}\n" for name, does in methods.items())
    found = counts.recursive_methods([module("controller/runtime/loop.py", f"class L:\n{body}")])
    assert found == [f"controller/runtime/loop.py: {name}" for name in ("step", "note")]


def test_the_table_shows_old_beside_new(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) > len(METRICS)
    assert rows[2].split()[:2] == ["of_older_form", "86"]
    forms = int(
        next(row for row in rows if row.startswith("representations of a card")).split()[-2]
    )
    assert forms > 1
