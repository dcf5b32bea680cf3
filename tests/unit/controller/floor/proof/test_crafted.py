"""Files that no floor writes, properly signed: both verifiers give the same answer."""

from pathlib import Path

import pytest

from controller.floor.proof import archive
from controller.journal.keys.record import Older, vouches
from support.floor.auditor import audit, both
from support.floor.crafted import Crafted, crafted, second_digest
from support.rows import each_row

OLDER = [Crafted(version=3, digest=bytes([n]) * 32) for n in (1, 2)]
DIGEST = second_digest(OLDER)
OLDER_PART = b'"older":{"digest":"%s","seq":2}' % DIGEST.encode()
GOOD = b'{"by":[],"endorsed":null,%s,"sealing":"ab12","signing":"a+/="}' % OLDER_PART


def test_a_plain_one_is_good(tmp_path: Path) -> None:
    assert both(crafted(tmp_path / "c", [Crafted()])) is not None
    assert both(crafted(tmp_path / "c", [Crafted(at=0.0)])) is not None
    keys = Crafted(GOOD, b"keys")
    told = both(crafted(tmp_path / "c", [*OLDER, keys]))
    assert told is not None
    assert "word alone" not in told


@pytest.mark.parametrize("version", [3, 4])
def test_negative_zero_is_no_time(tmp_path: Path, version: int) -> None:
    digest = b"d" * 32 if version < 4 else b""
    odd = Crafted(at=-0.0, version=version, digest=digest)
    assert both(crafted(tmp_path / "c", [odd])) is None


def test_a_kind_or_a_body_has_a_greatest_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert archive.LENGTH_MOST == audit.LENGTH_MOST == 2**28
    monkeypatch.setattr(archive, "LENGTH_MOST", 1000)
    monkeypatch.setattr(audit, "LENGTH_MOST", 1000)
    for length, good in ((1000, True), (1001, False)):
        for odd in (Crafted(body=b"x" * length), Crafted(kind=b"x" * length)):
            assert (both(crafted(tmp_path / "c", [odd])) is not None) is good, length


ODD = {
    "nan": b'{"x":NaN,' + GOOD[1:],
    "lone_surrogate": GOOD.replace(b"ab12", b"\\ud800"),
    "doubled_key": GOOD.replace(OLDER_PART, b'"older":null,' + OLDER_PART),
    "doubled_key_last": GOOD.replace(OLDER_PART, OLDER_PART + b',"older":null'),
    "another_type": GOOD.replace(OLDER_PART, b'"older":5,' + OLDER_PART),
    "not_utf8": GOOD.replace(b"ab12", b"\xff"),
    "not_ascii": GOOD.replace(b"ab12", "é".encode()),
    "escaped": GOOD.replace(b"ab12", b"\\u0061"),
    "control": GOOD.replace(b"ab12", b"a\n"),
    "long_number": b'{"x":' + b"9" * 5000 + b"," + GOOD[1:],
    "seq_as_float": GOOD.replace(b'"seq":2', b'"seq":2.0'),
    "spaces": GOOD.replace(b":", b": "),
    "more_after": GOOD + b" ",
    "line_feed_after": GOOD + b"\n",
    "more_fields": GOOD[:-1] + b',"x":1}',
    "older_alone": b"{" + OLDER_PART + b"}",
    "by_somebody": GOOD.replace(b"[]", b'["ann"]'),
    "other_digest": GOOD.replace(DIGEST.encode(), b"0" * 64),
    "other_number": GOOD.replace(b'"seq":2', b'"seq":1'),
    "empty": b"",
}


@each_row("odd", ODD)
def test_a_body_that_vouches_is_written_in_one_way(tmp_path: Path, odd: str) -> None:
    assert both(crafted(tmp_path / "c", [*OLDER, Crafted(ODD[odd], b"keys")])) is None
    assert not vouches(ODD[odd], Older(2, DIGEST))


def test_only_a_keys_record_vouches(tmp_path: Path) -> None:
    assert both(crafted(tmp_path / "c", [*OLDER, Crafted(GOOD, b"Keys")])) is None
