"""Migrations are one line: two that were made at once would stop every floor."""

import re
from pathlib import Path

from controller.floor.store import migration
from controller.floor.store.migrations import versions


def test_each_migration_follows_the_one_before() -> None:
    found = {}
    for file in Path(versions.__file__).parent.glob("v*.py"):
        text = file.read_text("utf-8")
        number = re.search(r'^revision = "(\d+)"$', text, re.MULTILINE)
        before = re.search(r'^down_revision = (?:"(\d+)"|None)$', text, re.MULTILINE)
        assert number, file.name
        assert before, file.name
        assert file.name.startswith(f"v{number[1]}_")
        assert number[1] not in found, f"{file.name} has a number that another has"
        found[number[1]] = before[1]
    numbers = sorted(found)
    assert [found[each] for each in numbers] == [None, *numbers[:-1]]
    assert migration.newest() == numbers[-1]
