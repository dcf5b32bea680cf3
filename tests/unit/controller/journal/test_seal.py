import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.errors import KeyRefused, SealBroken
from controller.journal.seal import (
    BLOB_BYTES,
    MAX_FRAME_BYTES,
    Sealer,
    check,
    create_key,
    load_key,
)
from drivers.cards import DECK
from support.rows import each_row

CODES = [*(card.code for card in DECK), None]


@pytest.fixture
def sealer() -> Sealer:
    rng = random.Random(1)
    return Sealer(rng.randbytes(32), rng.randbytes)


@given(st.sampled_from(CODES), st.binary(max_size=200))
def test_every_card_and_frame_opens_as_it_was_and_has_one_length(
    code: str | None, frame: bytes
) -> None:
    sealer = Sealer(bytes(32), random.Random(2).randbytes)
    sealed = sealer.seal(code, frame)
    assert len(sealed.blob) == BLOB_BYTES
    assert tuple(sealer.open(sealed.blob)) == (code, sealed.salt, frame[:MAX_FRAME_BYTES])


def test_the_same_card_twice_looks_different(sealer: Sealer) -> None:
    one, other = sealer.seal("9H", b"frame"), sealer.seal("9H", b"frame")
    assert one.blob != other.blob
    assert one.commitment != other.commitment


@each_row("code", CODES)
def test_a_commitment_fits_its_own_card_only(sealer: Sealer, code: str | None) -> None:
    sealed = sealer.seal(code, b"")
    fits = [each for each in CODES if check(sealed.commitment, sealed.salt.hex(), each)]
    assert fits == [code]


@each_row(
    "commitment, salt, code",
    [
        ("", "00" * 16, "9H"),
        ("é", "00" * 16, "9H"),
        ("0" * 64, "xyz", "9H"),
        ("0" * 64, "00", "9H"),
    ],
)
def test_a_malformed_commitment_or_salt_is_a_no(commitment: str, salt: str, code: str) -> None:
    assert not check(commitment, salt, code)


def test_any_changed_bit_breaks_the_seal(sealer: Sealer) -> None:
    blob = sealer.seal("9H", b"frame").blob
    for bit in range(len(blob) * 8):
        changed = bytearray(blob)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(SealBroken):
            sealer.open(bytes(changed))


@pytest.mark.parametrize("blob", [b"", b"short", bytes(BLOB_BYTES), bytes(BLOB_BYTES + 1)])
def test_what_never_was_a_seal_does_not_open(sealer: Sealer, blob: bytes) -> None:
    with pytest.raises(SealBroken, match="key file"):
        sealer.open(blob)


def test_another_key_does_not_open_it(sealer: Sealer) -> None:
    with pytest.raises(SealBroken):
        Sealer(bytes(32), os.urandom).open(sealer.seal("9H", b"").blob)


def test_neither_text_nor_errors_show_a_card_or_its_salt(sealer: Sealer) -> None:
    sealed = sealer.seal("9H", b"9H frame")
    opened = sealer.open(sealed.blob)
    for shown in (repr(sealed), repr(opened), f"{opened}", repr(sealer)):
        assert "9H" not in shown
        assert repr(sealed.salt) not in shown
    with pytest.raises(ValueError, match="at most 3") as caught:
        sealer.seal("9H of hearts", b"")
    assert "9H" not in str(caught.value)


def test_entropy_that_runs_short_is_not_used() -> None:
    with pytest.raises(ValueError, match="asked for 16"):
        Sealer(bytes(32), lambda _: b"few").seal("9H", b"")


def test_a_key_of_another_size_is_refused() -> None:
    with pytest.raises(KeyRefused, match="has 32 bytes"):
        Sealer(bytes(16), os.urandom)


def test_a_created_key_loads_and_is_private(tmp_path: Path) -> None:
    key = create_key(tmp_path / "key", os.urandom)
    assert load_key(tmp_path / "key") == key
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_a_key_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        create_key(tmp_path / "key", os.urandom)
    finally:
        os.umask(before)
    load_key(tmp_path / "key")


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    key = create_key(tmp_path / "key", os.urandom)
    with pytest.raises(KeyRefused, match="stays as it is"):
        create_key(tmp_path / "key", os.urandom)
    assert load_key(tmp_path / "key") == key


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o610])
def test_a_key_that_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    create_key(tmp_path / "key", os.urandom)
    (tmp_path / "key").chmod(mode)
    with pytest.raises(KeyRefused, match="open to others"):
        load_key(tmp_path / "key")


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_file_that_is_no_key_is_refused(tmp_path: Path, size: int) -> None:
    (tmp_path / "key").write_bytes(bytes(size))
    (tmp_path / "key").chmod(0o600)
    with pytest.raises(KeyRefused, match="exactly 32"):
        load_key(tmp_path / "key")


def test_a_missing_key_or_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(KeyRefused, match="cannot be read"):
        load_key(tmp_path / "key")
    with pytest.raises(KeyRefused, match="cannot be written"):
        create_key(tmp_path / "nowhere" / "key", os.urandom)
