"""Which tests `make quick` runs for a changed file."""

from pathlib import Path

from tiers.groups import STORIES
from tiers.quick import find_tests, without_nested


def make_tree(root: Path, *paths: str) -> Path:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    return root


def test_changed_module_has_its_tests(tmp_path: Path) -> None:
    tree = make_tree(
        tmp_path,
        "tests/unit/controller/journal/test_store.py",
        "tests/unit/controller/round/test_dealing.py",
    )
    expected = {
        "controller/journal/store.py": ["tests/unit/controller/journal/test_store.py"],
        "controller/journal/seal.py": ["tests/unit/controller/journal"],
        "controller/journal/opening/lock.py": ["tests/unit/controller/journal"],
        "controller/round/dealing.py": ["tests/unit/controller/round/test_dealing.py", STORIES],
        "controller/journal/codes.json": ["tests/unit/controller/journal"],
        "controller/round/rows.toml": ["tests/unit/controller/round", STORIES],
        "controller/console/static/js/feed.js": [],
        "tests/scenario/stories/mbs/new.txt": [STORIES],
        "tests/unit/controller/round/test_dealing.py": [
            "tests/unit/controller/round/test_dealing.py"
        ],
        "tests/unit/controller/round/test_deleted.py": [],
        "README.md": [],
    }
    assert {path: find_tests(path, tree) for path in expected} == expected


def test_file_in_a_listed_folder_is_not_listed_twice() -> None:
    paths = ["tests/unit/a", "tests/unit/a/test_b.py", "tests/unit/ab/test_c.py", "tests/unit/a"]
    assert without_nested(paths) == ["tests/unit/a", "tests/unit/ab/test_c.py"]
