"""The floor's own key: made at the first start, its public half beside it for every table."""

import os
from pathlib import Path

from controller.journal.errors import KeyRefused
from controller.journal.keys.signing import Signer, text_of
from controller.journal.seal import create_key, load_key


def public_beside(signing: Path) -> Path:
    return signing.with_suffix(".pub")


def signer_of(signing: Path) -> Signer:
    """Raises `KeyRefused` where the file is not as a key must be."""
    try:
        secret = load_key(signing) if signing.exists() else _made(signing)
    except OSError as error:
        raise KeyRefused(f"{signing}: {error.strerror}") from error
    signer = Signer(secret)
    public, text = public_beside(signing), text_of(signer.public) + "\n"
    if not public.exists() or public.read_text("ascii") != text:
        public.write_text(text, "ascii")
    return signer


def _made(signing: Path) -> bytes:
    signing.parent.mkdir(parents=True, exist_ok=True)
    return create_key(signing, os.urandom)
