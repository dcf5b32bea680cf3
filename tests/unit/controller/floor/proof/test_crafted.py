"""Files that no floor writes, properly signed: both verifiers give the same answer."""

from pathlib import Path

import pytest

from controller.floor.proof import archive
from support.floor.auditor import audit, both
from support.floor.crafted import Crafted, crafted


def test_a_plain_one_is_good(tmp_path: Path) -> None:
    assert both(crafted(tmp_path / "c", [Crafted()])) is not None
    assert both(crafted(tmp_path / "c", [Crafted(at=0.0)])) is not None


def test_negative_zero_is_no_time(tmp_path: Path) -> None:
    assert both(crafted(tmp_path / "c", [Crafted(at=-0.0)])) is None


def test_a_kind_or_a_body_has_a_greatest_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert archive.MAX_LENGTH == audit.MAX_LENGTH == 2**28
    monkeypatch.setattr(archive, "MAX_LENGTH", 1000)
    monkeypatch.setattr(audit, "MAX_LENGTH", 1000)
    for length, good in ((1000, True), (1001, False)):
        for odd in (Crafted(body=b"x" * length), Crafted(kind=b"x" * length)):
            assert (both(crafted(tmp_path / "c", [odd])) is not None) is good, length
