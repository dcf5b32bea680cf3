"""Verification of the installed files against the released ones.

The manifest lists every file of every wheel with its SHA-256, and files outside the environment
(units, rules) by absolute path. It is made and signed where the wheels are built. A missing,
changed or unlisted file is reported by name: an unlisted file can be imported as easily as a
changed one. Compiled byte code is not listed and must not be next to the sources: the service
stores its own under /run.
"""

import hashlib
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.upkeep import signing

FORMAT: Final = 1
SIGNATURE: Final = ".sig"
"""Suffix of a signature's file, next to the signed file."""

_MADE_BY_PIP: Final = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"})
"""Written into `*.dist-info` while installing; none of it is ever run."""
_CHUNK: Final = 1 << 20


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    release: str
    files: dict[str, str]
    """Path to SHA-256: below the environment's site-packages, or absolute."""


class BadManifest(Exception):
    """A manifest that is missing or cannot be decoded."""


@dataclass(frozen=True, slots=True)
class Difference:
    path: str
    what: str
    """changed, missing, not listed or unreadable."""

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


def of_wheels(wheels: list[Path], release: str, others: dict[str, Path]) -> Manifest:
    """Return the manifest of these wheels; `others` are installed path -> source file."""
    files: dict[str, str] = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not name.endswith("/") and (path := _installed_as(name)) is not None:
                    files[path] = hashlib.sha256(archive.read(name)).hexdigest()
    files |= {path: digest_of(source) for path, source in others.items()}
    return Manifest(FORMAT, release, dict(sorted(files.items())))


def _installed_as(name: str) -> str | None:
    """Return a wheel file's path below site-packages; None for what pip generates or puts
    elsewhere.

    Scripts get the environment's own first line, so they differ from the wheel's bytes.
    """
    folder, _, rest = name.partition("/")
    if folder.endswith(".data"):
        kind, _, inner = rest.partition("/")
        return inner if kind in ("purelib", "platlib") else None
    if folder.endswith(".dist-info") and rest in _MADE_BY_PIP:
        return None
    return name


def digest_of(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as opened:
        while piece := opened.read(_CHUNK):
            found.update(piece)
    return found.hexdigest()


def read(path: Path, public: Path) -> Manifest:
    """Return a manifest signed by the maker; raises `BadManifest` or `signing.BadSignature`."""
    try:
        data = path.read_bytes()
        signature = path.with_name(path.name + SIGNATURE).read_bytes()
    except OSError as error:
        raise BadManifest(f"{error.filename}: {error.strerror}") from error
    signing.check(data, signature, public, str(path))
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except ValueError as error:
        raise BadManifest(f"{path} is no manifest: {error}") from error
    if manifest.format != FORMAT:
        raise BadManifest(f"{path} has format {manifest.format}, and this program reads {FORMAT}")
    return manifest


def differences(manifest: Manifest, site: Path) -> list[Difference]:
    """Return every difference from the release, in order of path; `site` is the site-packages
    folder."""
    found = [
        Difference(path, what)
        for path, digest in manifest.files.items()
        if (what := _compared(site / path, digest)) is not None
    ]
    found += [Difference(path, "not listed") for path in _below(site) if path not in manifest.files]
    return sorted(found, key=lambda each: each.path)


def _compared(path: Path, digest: str) -> str | None:
    try:
        return None if digest_of(path) == digest else "changed"
    except FileNotFoundError:
        return "missing"
    except OSError as error:
        return f"unreadable ({error.strerror})"


def _below(site: Path) -> Iterator[str]:
    # This runs at every start: `Path.rglob` takes five times as long.
    for folder, folders, names in os.walk(site):
        below = os.path.relpath(folder, site)
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        made = _MADE_BY_PIP if below.endswith(".dist-info") else ()
        for name in (*names, *links):
            if name not in made:
                yield name if below == "." else f"{below}/{name}"
