"""Tests' files lie in memory where there is room, and where nobody said otherwise."""

import shutil
from pathlib import Path

import pytest

from support import scratch


class Free:
    """What a full or an empty file system says of itself."""

    def __init__(self, free: int) -> None:
        self.free = free


def with_room(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Free(free))


def test_in_memory_where_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_room(monkeypatch, scratch.ROOM)
    assert scratch.in_memory({}, tmp_path) == tmp_path
    with_room(monkeypatch, scratch.ROOM - 1)
    assert scratch.in_memory({}, tmp_path) is None


def test_where_somebody_said_they_lie_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_room(monkeypatch, scratch.ROOM)
    assert scratch.in_memory({"TMPDIR": "elsewhere"}, tmp_path) is None


def test_not_where_there_is_no_such_folder(tmp_path: Path) -> None:
    assert scratch.in_memory({}, tmp_path / "none") is None
