"""What no record may be. That every story's lines and records fit is seen where it is played."""

from typing import Any

import pytest

from scenario import fitting
from scenario.story import stories

FAMILIES = sorted({path.parent.name for path, _ in stories()})
KINDS = {("step", True), *((kind, None) for kind in ("summary", "checkpoint", "release"))}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_kind_of_record_is_among_those_that_fit(family: str) -> None:
    kinds: set[tuple[str, bool | None]] = set()
    for path, book in stories():
        if path.parent.name == family and not kinds >= KINDS:
            for record in fitting.played(path.read_text("utf-8"), book):
                kinds.add((record["kind"], record["body"].get("accepted")))
    assert kinds >= KINDS


def records() -> list[dict[str, Any]]:
    path, book = next(each for each in stories() if each[0].stem == "simultaneous")
    return fitting.played(path.read_text("utf-8"), book)


@pytest.mark.parametrize("place", [(), ("body",), ("body", "in"), ("body", "in", "with")])
def test_record_with_something_more_is_none(place: tuple[str, ...]) -> None:
    step = next(each for each in records() if each["body"].get("in", {}).get("do") == "place")
    assert fitting.record_rules().is_valid(step)
    where = step
    for name in place:
        where = where[name]
    where["colour"] = "red"
    assert not fitting.record_rules().is_valid(step)


def test_record_of_another_format_is_none() -> None:
    for record in records():
        newer = {**record, "version": record["version"] + 1}
        assert not fitting.record_rules().is_valid(newer)
