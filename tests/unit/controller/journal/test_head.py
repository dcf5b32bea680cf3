import hashlib
import json
import struct
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec.structs import replace

from controller.journal.errors import HeadDamaged, JournalDamaged, JournalUnwritable
from controller.journal.head import SECTOR, HeadFile, HeadRole, read_head, signed_by
from controller.journal.keys.signing import Signer, raw_of
from controller.journal.records import Head
from support.journal.journals import SIGNER
from support.rows import each_row

HEAD = Head(7, bytes(range(32)))


def test_a_head_can_be_checked_with_a_few_lines_of_anything(tmp_path: Path) -> None:
    """As the module says it: this is what an auditor's own program would do."""
    HeadFile(tmp_path / "head").write(signed_by(SIGNER, HEAD, 5).line())
    line = json.loads((tmp_path / "head").read_text())
    digest = bytes.fromhex(line["digest"])
    lock = hashlib.sha256(raw_of(line["nonce"], 32)).digest()
    place = struct.pack(">qq", line["after"], line["seq"])
    said = b"sabot journal append 1\0" + place + digest + lock
    key = Ed25519PublicKey.from_public_bytes(raw_of(line["key"], 32))
    key.verify(raw_of(line["signature"], 64), said)
    assert (line["seq"], digest) == HEAD


def test_a_head_is_overwritten_in_its_place_and_always_one_sector(tmp_path: Path) -> None:
    file = HeadFile(tmp_path / "head")
    file.write(signed_by(SIGNER, HEAD, 5).line())
    inode = (tmp_path / "head").stat().st_ino
    for head in (Head(1 << 62, bytes(32)), HEAD):
        file.write(signed_by(SIGNER, head, 0).line())
        assert (tmp_path / "head").stat().st_ino == inode
        assert len((tmp_path / "head").read_bytes()) == SECTOR
        found = read_head(tmp_path / "head")
        assert found is not None
        assert found.head == head
    file.close()
    file.close()


def test_every_field_is_signed() -> None:
    kept = signed_by(SIGNER, HEAD, 5)
    assert kept.is_by(SIGNER.public)
    assert not kept.is_by(Signer(bytes(32)).public)
    for other in (
        replace(kept, head=Head(8, HEAD.digest)),
        replace(kept, head=Head(7, bytes(32))),
        replace(kept, after=6),
        replace(kept, nonce=bytes(32)),
        replace(kept, nonce=b""),
    ):
        assert not other.is_by(SIGNER.public)


def test_a_row_has_the_heads_signature_and_no_head_can_be_made_of_it() -> None:
    kept = signed_by(SIGNER, HEAD, 5)
    row = kept.row()
    assert row == signed_by(SIGNER, HEAD, 5, HeadRole.ROW)
    assert row.is_by(SIGNER.public)
    assert row.signature == kept.signature
    assert kept.nonce not in (row.nonce, row.lock)
    assert not replace(row, lock=bytes(32)).is_by(SIGNER.public)
    for nonce in (b"", row.lock, row.signature[:32], HEAD.digest):
        assert not replace(row, role=HeadRole.HEAD, nonce=nonce).is_by(SIGNER.public)


def test_every_head_has_a_nonce_of_its_own_that_only_the_key_tells() -> None:
    other = Head(HEAD.seq, bytes(32))
    heads = [signed_by(SIGNER, HEAD, 5), signed_by(SIGNER, HEAD, 6), signed_by(SIGNER, other, 5)]
    heads.append(signed_by(Signer(bytes(32)), HEAD, 5))
    assert len({each.nonce for each in heads}) == len(heads)
    assert signed_by(SIGNER, HEAD, 5) == heads[0], "an interrupted append is signed as it was"


def test_a_rounds_end_counts_in_no_other_place(tmp_path: Path) -> None:
    for role in (HeadRole.LAST, HeadRole.HEAD):
        (tmp_path / "head").write_bytes(signed_by(SIGNER, HEAD, 5, role).line())
        for place in HeadRole:
            found = read_head(tmp_path / "head", place)
            assert found is not None
            assert found.is_by(SIGNER.public) == (place is role)


def test_a_head_that_is_not_there_is_none(tmp_path: Path) -> None:
    assert read_head(tmp_path / "nowhere") is None


def test_a_head_that_nobody_signed_is_none(tmp_path: Path) -> None:
    (tmp_path / "head").write_text(json.dumps({"seq": 7, "digest": HEAD.digest.hex()}))
    with pytest.raises(HeadDamaged):
        read_head(tmp_path / "head")


@each_row(
    "change",
    [
        {"seq": -1}, {"after": 8}, {"after": None}, {"key": None}, {"signature": None},
        {"nonce": "AAAA"},
        {"key": "AAAA"}, {"digest": "00"}, {"more": 1}, {"seq": 1 << 63},
    ],
)  # fmt: skip
def test_a_head_that_is_none_is_damaged(tmp_path: Path, change: dict[str, object]) -> None:
    line = json.loads(signed_by(SIGNER, HEAD, 5).line()) | change
    said = {name: value for name, value in line.items() if value is not None}
    (tmp_path / "head").write_text(json.dumps(said))
    with pytest.raises(HeadDamaged, match="is damaged"):
        read_head(tmp_path / "head")


def test_a_disk_that_cannot_be_read_is_not_a_damaged_head(tmp_path: Path) -> None:
    with pytest.raises(JournalDamaged, match="mend that disk") as caught:
        read_head(tmp_path)
    assert not isinstance(caught.value, HeadDamaged)


def test_a_head_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(JournalUnwritable, match="cannot be kept"):
        HeadFile(tmp_path / "nowhere" / "head").write(signed_by(SIGNER, HEAD, 5).line())
