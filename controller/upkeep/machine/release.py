"""A release package for a table PC: every file is listed, and the maker whose key the PC already
has signs the list. The installed release verifies it before anything of the new one is run."""

import os
from pathlib import Path
from typing import Final

from controller.upkeep import files, signing
from controller.upkeep.files import FORMAT, SIGNATURE, Manifest, digest_of

LIST: Final = "release.json"
"""In the wheelhouse; `manifest.json` lists what will be installed, this file what is delivered."""
_NOT_LISTED: Final = (LIST, LIST + SIGNATURE)
MOST_NAMED: Final = 10


class BadRelease(Exception):
    """A release that fails verification; nothing of it may be run."""


def listed(folder: Path, version: str) -> Manifest:
    """List every file of a finished wheelhouse; raises `BadRelease` for anything but a plain
    file."""
    found = {path: digest_of(folder / path) for path in _below(folder) if path not in _NOT_LISTED}
    return Manifest(FORMAT, version, dict(sorted(found.items())))


def verify(brought: Path, public: Path, installed: str) -> str:
    """Return the release's version and signer; raises `BadRelease`. A package is one file with a
    signature file next to it; a wheelhouse is a folder."""
    try:
        if brought.is_dir():
            version = _verify_folder(brought, public, installed)
        else:
            signature = brought.with_name(brought.name + SIGNATURE).read_bytes()
            signing.check(brought.read_bytes(), signature, public, str(brought))
            version = brought.name
    except (files.BadManifest, signing.BadSignature, signing.BadKey) as error:
        raise BadRelease(str(error)) from error
    except OSError as error:
        raise BadRelease(f"{error.filename}: {error.strerror}") from error
    return f"{version}, as key {signing.fingerprint(public)} signed it"


def _verify_folder(folder: Path, public: Path, installed: str) -> str:
    listing = files.read(folder / LIST, public)
    there = set(_below(folder)) - set(_NOT_LISTED)
    wrong = [f"{path}: not listed" for path in sorted(there - set(listing.files))]
    for path, digest in listing.files.items():
        if path not in there:
            wrong.append(f"{path}: missing")
        elif digest_of(folder / path) != digest:
            wrong.append(f"{path}: changed")
    if wrong:
        more = f"; and {len(wrong) - MOST_NAMED} more" if len(wrong) > MOST_NAMED else ""
        raise BadRelease(f"{folder}: {'; '.join(wrong[:MOST_NAMED])}{more}")
    if _ordered(listing.release) < _ordered(installed):
        raise BadRelease(
            f"{folder} is release {listing.release}, and {installed} is installed: the faults of "
            "an older one are known; `install.sh --rollback` goes back to the one before"
        )
    return f"release {listing.release}, {len(listing.files)} files"


def _ordered(version: str) -> list[int]:
    """Return the version's numbers for ordering; suffixes (`.dev1`, `rc1`) are ignored."""
    return [int("".join(filter(str.isdigit, each)) or 0) for each in version.split(".")[:3]]


def _below(folder: Path) -> list[str]:
    found = []
    for place, folders, names in os.walk(folder):
        for name in (*names, *folders):
            path = Path(place, name)
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise BadRelease(f"{path} is no plain file: a release has nothing else")
        found += [str(Path(place, name).relative_to(folder)) for name in names]
    return found
