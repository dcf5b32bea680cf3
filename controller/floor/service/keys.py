"""The floor's own key: made at the first start, with its public half in a separate file for every
table."""

import os
from pathlib import Path

from controller.journal.errors import KeyRefused
from controller.journal.keys.signing import Signer, fingerprint, text_of
from controller.journal.seal import create_key, load_key


def public_beside(signing: Path) -> Path:
    return signing.with_suffix(".pub")


def signer_of(signing: Path) -> Signer:
    """Loads the key; raises `KeyRefused` if the file is not valid."""
    try:
        secret = load_key(signing) if signing.exists() else _made(signing)
    except OSError as error:
        raise KeyRefused(f"{signing}: {error.strerror}") from error
    signer = Signer(secret)
    public, text = public_beside(signing), text_of(signer.public) + "\n"
    if not public.exists() or public.read_text("ascii") != text:
        public.write_text(text, "ascii")
    return signer


def renewed(signing: Path) -> tuple[Signer, Signer, Path]:
    """Replaces the key for the next start; returns the old key, the new one, and the new path of
    the old one. Old signatures stay valid, so the old public half is kept too. Raises
    `KeyRefused`."""
    old = signer_of(signing)
    aside = signing.with_name(f"{signing.stem}-{fingerprint(old.public)}.old")
    fresh = signing.with_name(f"{signing.name}.new")
    new = Signer(create_key(fresh, os.urandom))
    try:
        signing.rename(aside)
        public_beside(signing).rename(public_beside(aside))
        fresh.rename(signing)
    except OSError as error:
        raise KeyRefused(f"{error.filename}: {error.strerror}") from error
    signer_of(signing)  # writes its public half
    return old, new, aside


def _made(signing: Path) -> bytes:
    signing.parent.mkdir(parents=True, exist_ok=True)
    return create_key(signing, os.urandom)
