"""The floor's own key: made at the first start, its public half beside it for every table."""

import os
from pathlib import Path

from controller.journal.errors import KeyRefused
from controller.journal.keys.signing import Signer, fingerprint, text_of
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


def renewed(signing: Path) -> tuple[Signer, Signer, Path]:
    """The key before and another in its place, for the next start; and where the old one lies now.
    What it signed holds for good, so its public half stays beside it. Raises `KeyRefused`."""
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
    signer_of(signing)  # its public half, beside it
    return old, new, aside


def _made(signing: Path) -> bytes:
    signing.parent.mkdir(parents=True, exist_ok=True)
    return create_key(signing, os.urandom)
