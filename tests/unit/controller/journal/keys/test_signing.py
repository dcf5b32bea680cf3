from pathlib import Path

import pytest

from controller.journal.errors import KeyRefused
from controller.journal.keys.signing import (
    Signer,
    fingerprint,
    is_signed,
    raw_of,
    read_public,
    text_of,
)
from controller.upkeep import signing as elsewhere

SIGNER = Signer(bytes(range(32)))


def test_only_the_holder_of_the_key_signs() -> None:
    signature = SIGNER.sign(b"said")
    assert is_signed(b"said", signature, SIGNER.public)
    assert not is_signed(b"saic", signature, SIGNER.public)
    assert not is_signed(b"said", signature, Signer(bytes(32)).public)
    assert not is_signed(b"said", b"", SIGNER.public)
    assert not is_signed(b"said", signature, b"no key")


def test_a_public_key_is_a_line_that_the_maker_s_tools_read_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.db.pub"
    path.write_text(text_of(SIGNER.public) + "\n")
    assert read_public(path) == SIGNER.public
    assert fingerprint(SIGNER.public) == elsewhere.fingerprint(path)


@pytest.mark.parametrize("text", ["", "no key", "AAAA", text_of(bytes(33)), "é"])
def test_what_is_no_public_key_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "key.pub"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KeyRefused, match="no public key"):
        read_public(path)
    with pytest.raises(KeyRefused, match="cannot be read"):
        read_public(tmp_path / "nowhere")


def test_text_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="3 bytes where 32 belong"):
        raw_of("AAAA", 32)
