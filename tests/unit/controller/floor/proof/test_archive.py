"""An archive file proves itself, to the product and to the auditor's program: both say the same of
every file, whole or changed."""

import errno
import hashlib
import json
import lzma
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from controller.floor.proof.archive import NameTaken, may_take, write
from controller.floor.proof.form import MAGIC, SIGNED, ProofError, header_in, packed
from controller.floor.proof.hours import MAX_STAMP
from controller.floor.proof.verify import proven, verify
from controller.journal.records import canonical
from controller.protocol.records import SentRecord
from support.floor.archives import FLOOR, NOVEMBER, OTHER, archived, journal, left, part, root
from support.floor.auditor import both, changed, split
from support.rows import each_row

Records = list[SentRecord]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return archived(tmp_path / "one.sabot").file


def signed_again(file: Path, header: dict[str, Any], rest: bytes) -> Path:
    """As a floor that lies would write it: its own signature fits."""
    line = canonical({**header, "key": FLOOR.public.hex()})
    signature = FLOOR.sign(SIGNED + line).hex().encode()
    return changed(file, MAGIC + line + b"\n" + signature + b"\n" + rest)


def about(rest: bytes, records: bytes) -> dict[str, Any]:
    """What a header has to say of its records."""
    found = hashlib.sha256(rest).hexdigest()
    return {"packed": len(rest), "packed_sha256": found, "unpacked": len(records)}


def with_records(file: Path, records: Iterable[SentRecord]) -> Path:
    raw = b"".join(map(packed, records))
    rest = lzma.compress(raw)
    return signed_again(file, {**split(file)[0], **about(rest, raw)}, rest)


def test_a_file_alone_proves_its_month(file: Path) -> None:
    told = both(file)
    assert told is not None
    assert told.startswith("sands/bac-03 history 1 month 2026-11, records 1 to 10, root of hour ")
    assert both(file, FLOOR.public) == told
    header, records = proven(file)
    assert [*records] == left(journal(12))[:10]
    assert header.head_seq == 12


def test_records_lie_in_it_without_their_digests(file: Path) -> None:
    raw = lzma.decompress(split(file)[1])
    records = left(journal(12))
    assert raw == b"".join(map(packed, records))
    assert not [each for each in records if each.digest in raw]


def test_every_single_flipped_byte_is_found_by_both(tmp_path: Path) -> None:
    file = archived(tmp_path / "small.sabot", count=3, last=2).file
    whole, other = file.read_bytes(), tmp_path / "flipped.sabot"
    for at in range(len(whole)):
        # One bit in turn: letters become other letters, digits other digits.
        flipped = bytearray(whole)
        flipped[at] ^= 1 << at % 8
        other.write_bytes(flipped)
        assert both(other) is None, at
    assert both(file) is not None


@pytest.mark.second_tier
def test_every_flipped_bit_is_found_by_both(tmp_path: Path) -> None:
    file = archived(tmp_path / "small.sabot", count=3, last=2).file
    whole, other = file.read_bytes(), tmp_path / "flipped.sabot"
    for at in range(len(whole)):
        for mask in (1, 2, 4, 8, 16, 32, 64, 128, 255):
            flipped = bytearray(whole)
            flipped[at] ^= mask
            other.write_bytes(flipped)
            assert both(other) is None, (at, mask)


def test_a_file_that_was_cut_anywhere_or_made_longer_is_bad(file: Path) -> None:
    whole = file.read_bytes()
    for length in range(0, len(whole), 7):
        assert both(changed(file, whole[:length])) is None, length
    for more in (b"\0", b"\0\0\0\0", b"x", whole, lzma.compress(b"")):
        assert both(changed(file, whole + more)) is None, more


def test_a_foreign_key_is_told_from_the_floors(tmp_path: Path) -> None:
    file = archived(tmp_path / "other.sabot", signer=OTHER).file
    assert both(file) is not None, "whole, but whose?"
    assert both(file, FLOOR.public) is None
    assert both(file, OTHER.public) is not None
    assert both(file, FLOOR.public, OTHER.public) is not None


LIES: dict[str, Callable[[Records], Records]] = {
    "swapped": lambda r: [r[1], r[0], *r[2:]],
    "one_left_out": lambda r: [*r[:4], *r[5:]],
    "the_first_left_out": lambda r: r[1:],
    "the_last_left_out": lambda r: r[:-1],
    "one_twice": lambda r: [*r[:4], r[3], *r[4:]],
    "another_body": lambda r: [*r[:4], replace(r[4], body=b'{"word":"x"}'), *r[5:]],
    "another_time": lambda r: [*r[:4], replace(r[4], at=r[4].at + 1), *r[5:]],
    "another_hash": lambda r: [*r[:2], replace(r[2], sealed=b"1" * 32), *r[3:]],
    "unsealed": lambda r: [*r[:2], replace(r[2], sealed=None), *r[3:]],
    "a_short_hash": lambda r: [*r[:2], replace(r[2], sealed=b"1" * 31), *r[3:]],
    "no_time": lambda r: [*r[:4], replace(r[4], at=float("nan")), *r[5:]],
    "another_format": lambda r: [*r[:4], replace(r[4], version=3), *r[5:]],
    "one_more": lambda r: [*r, replace(r[-1], seq=13)],
    "none": lambda _: [],
}


@each_row("lie", LIES)
def test_a_floor_that_signs_other_records_is_found_by_the_chain(file: Path, lie: str) -> None:
    """Its key can be stolen, or it can lie: the root of the hour was out before."""
    assert both(with_records(file, LIES[lie](left(journal(12))))) is None


def test_signing_the_same_again_is_good(file: Path) -> None:
    """Or the tests around this one would show nothing."""
    header, rest = split(file)
    assert both(signed_again(file, header, rest)) is not None
    assert both(with_records(file, left(journal(12)))) is not None


def wrong_headers(header: dict[str, Any]) -> dict[str, dict[str, Any]]:
    other = root(left(journal(12)), OTHER).root
    return {
        "path_swapped": {"path": header["path"][::-1]},
        "path_of_none": {"path": []},
        "path_longer": {"path": [*header["path"], "00" * 32]},
        "place": {"index": header["index"] + 1},
        "place_below": {"index": -1},
        "size": {"size": header["size"] + 1},
        "foreign_root": {"root": "11" * 32},
        "root_by_another": {"root_signature": other.signature.hex()},
        "root_key": {"root_key": OTHER.public.hex()},
        "hour": {"hour": header["hour"] + 3600},
        "previous": {"previous": "22" * 32},
        "site": {"site": "other"},
        "table": {"table": "bac-04"},
        "epoch": {"epoch": 2},
        "epoch_far": {"epoch": 2**63},
        "month": {"month": "2026-12"},
        "first": {"first": 2},
        "first_zero": {"first": 0},
        "last": {"last": 9},
        "last_past_head": {"last": 13},
        "before": {"before": "33" * 32},
        "end": {"end": "55" * 32},
        "head_seq": {"head_seq": 11},
        "head_digest": {"head_digest": "66" * 32},
        "packed": {"packed": 1},
        "unpacked": {"unpacked": 1},
        "capitals": {"root": header["root"].upper()},
        "a_float": {"written": 1.0},
        "a_number_for_text": {"month": 202611},
        "no_list": {"path": "x"},
        "one_more_field": {"more": 1},
    }


NAMES = tuple(wrong_headers({"path": [], "index": 0, "size": 0, "hour": 0, "root": ""}))


@each_row("lie", NAMES)
def test_a_floor_that_signs_another_header_is_found(file: Path, lie: str) -> None:
    header, rest = split(file)
    assert both(signed_again(file, {**header, **wrong_headers(header)[lie]}, rest)) is None


def test_a_header_that_is_written_otherwise_is_bad(file: Path) -> None:
    header, rest = split(file)
    spaced = json.dumps(header, sort_keys=True).encode()
    turned = json.dumps(dict(reversed(header.items())), separators=(",", ":")).encode()
    deep, half = b"[" * 30_000 + b"]" * 30_000, b'{"site":"\\ud800"}'
    for line in (spaced, turned, b"[]", b"{", b"\xff", b" " * 70_000, deep, half):
        signature = FLOOR.sign(SIGNED + line).hex().encode()
        assert both(changed(file, MAGIC + line + b"\n" + signature + b"\n" + rest)) is None
    with pytest.raises(ProofError, match="canonically"):
        header_in(spaced)


def test_what_is_no_xz_stream_or_more_than_one_is_bad(file: Path) -> None:
    header, rest = split(file)
    records = lzma.decompress(rest)
    for other in (
        records,
        lzma.compress(records, format=lzma.FORMAT_ALONE),
        rest + lzma.compress(b""),
        lzma.compress(records[:30]) + lzma.compress(records[30:]),
        rest[:-1],
    ):
        assert both(signed_again(file, {**header, **about(other, records)}, other)) is None


def test_records_that_do_not_fit_make_no_file(tmp_path: Path) -> None:
    records = left(journal(12))
    fitting = part(records, 1, 10, root(records))
    path = tmp_path / "none.sabot"
    for wrong in (records[:-1], records[1:], [], [*records[:3], replace(records[3], at=1.0)]):
        with pytest.raises(ProofError):
            write(path, fitting, wrong, FLOOR, NOVEMBER)
    with pytest.raises(ProofError):
        write(path, replace(fitting, before=b"1" * 32), records, FLOOR, NOVEMBER)
    assert [*tmp_path.iterdir()] == []
    with pytest.raises(ProofError, match="cannot be written"):
        write(Path("/proc/none.sabot"), fitting, records, FLOOR, NOVEMBER)


def test_a_file_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    """Not by other records, not by the same at another time under another key, not by a part."""
    path, records = tmp_path / "one.sabot", left(journal(12))
    fitting = part(records, 1, 10, root(records))
    write(path, fitting, records, FLOOR, NOVEMBER)
    whole, inode = path.read_bytes(), path.stat().st_ino
    later = part(records, 3, 10, root(records))
    for other, rest, signer in ((later, records[2:], FLOOR), (fitting, records, OTHER)):
        with pytest.raises(NameTaken, match="is another file"):
            write(path, other, rest, signer, NOVEMBER + 1)
    with pytest.raises(ProofError):
        write(path, fitting, records[:-1], FLOOR, NOVEMBER)
    assert (path.read_bytes(), path.stat().st_ino) == (whole, inode)
    assert [*tmp_path.iterdir()] == [path]
    assert (may_take(path, fitting), may_take(path, later)) == (True, False)
    assert may_take(tmp_path / "two.sabot", later)


def test_a_file_system_without_hard_links_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As vfat answers, which a test cannot mount."""

    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    with pytest.raises(ProofError, match=r"no hard links .*Put the folder `archive`"):
        archived(tmp_path / "one.sabot")
    assert [*tmp_path.iterdir()] == []


def test_what_a_run_left_that_was_cut_off_is_taken_up(tmp_path: Path) -> None:
    """A whole file that nobody was told of; and what was half written under other names."""
    path, records = tmp_path / "one.sabot", left(journal(12))
    fitting = part(records, 1, 10, root(records))
    for ending in (".records", ".new"):
        path.with_name(path.name + ending).write_bytes(b"half")
    first = write(path, fitting, records, FLOOR, NOVEMBER)
    inode = path.stat().st_ino
    assert write(path, fitting, records, FLOOR, NOVEMBER + 9000) == first
    assert path.stat().st_ino == inode
    assert [*tmp_path.iterdir()] == [path]


def test_the_longest_time_stamp_fits_into_a_header(tmp_path: Path) -> None:
    records = left(journal(12))
    stamped = replace(part(records, 1, 10, root(records)), stamp=b"t" * MAX_STAMP)
    file = write(tmp_path / "stamped.sabot", stamped, records, FLOOR, NOVEMBER).file
    assert both(file) is not None
    assert proven(file)[0].stamp == (b"t" * MAX_STAMP).hex()


def test_a_file_that_is_not_there_is_bad_and_yields_nothing(tmp_path: Path) -> None:
    assert "cannot be read" in str(verify(tmp_path / "none"))
    with pytest.raises(ProofError, match="cannot be read: No such file"):
        proven(tmp_path / "none")
