"""The signature check of installed files and configuration, before anything else is imported.

A changed program cannot be trusted to check itself. So this file and the two it imports use no
other module of the product, and the command that starts the service runs this check first: it names
a changed file instead of running it.
"""

import sys
import sysconfig
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from controller.upkeep import files, signing

CONFIG_FILE: Final = Path("/etc/sabot/table.toml")
SITE_KEY: Final = "site.pub"
MAKER_KEY: Final = "maker.pub"
"""In the configuration's folder, which belongs to root."""
MANIFEST: Final = "manifest.json"
RELEASE: Final = Path(sys.prefix).parent
"""Where the installer puts the manifest: next to this program's environment."""
ASKED_FIRST: Final = ("run", "verify-files", "verify-night", "doctor")
"""Commands that are not trustworthy when the program differs from what was signed."""
LOOK_FIRST: Final = 78
"""The exit status after which systemd does not restart: a person has to check first."""
MOST_NAMED: Final = 20
"""Maximum number of differing files that are named; the rest are counted."""
MAX_LINE: Final = 1024
"""The same as in `controller.config.validation`, which is not imported before it is checked."""


@dataclass(frozen=True, slots=True)
class FileFinding:
    what: str
    """An id; printed with spaces."""
    good: bool
    text: str

    def __str__(self) -> str:
        return f"{'good' if self.good else 'BAD'}  {self.what.replace('_', ' ')}: {self.text}"


def installed(
    manifest: str | None,
    maker_key: str | None,
    site: Path | None = None,
    folder_of_keys: Path | None = None,
) -> FileFinding:
    """Compare installed files with the maker's signed list. Manifest and key are also searched
    where they are installed, whatever a configuration names; `folder_of_keys` is the folder of the
    configuration.

    A program without a key is reported as unchecked; that is for development and stops nothing.
    """
    what = "installed_files"
    try:
        key = _key_of(
            "maker_key", maker_key, None if folder_of_keys is None else folder_of_keys / MAKER_KEY
        )
        own = RELEASE / MANIFEST
        if key is None and manifest is None and not own.exists():
            return FileFinding(
                what, good=True, text="not checked: no maker has signed this program"
            )
        listed_in = Path(manifest) if manifest else own
        if key is None:
            raise signing.BadKey(f"{listed_in} is there, and no key of its maker: put it back")
        listed = files.read(listed_in, key)
    except (files.BadManifest, signing.BadSignature, signing.BadKey) as error:
        return FileFinding(what, good=False, text=str(error))
    found = files.differences(listed, site or Path(sysconfig.get_paths()["purelib"]))
    if found:
        named = "; ".join(map(str, found[:MOST_NAMED]))
        more = f"; and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        return FileFinding(what, good=False, text=f"{named}{more}. Install the release anew")
    text = f"all {len(listed.files)} as released by key {signing.fingerprint(key)}"
    return FileFinding(what, good=True, text=text)


def configuration(file: Path, named: str | None, outside: Path | None = None) -> FileFinding:
    """Check the configuration against the site's key. The key's place is fixed outside the file,
    because a person who may edit the file could remove a line from it; the key named in the file
    (`checks.site_key`) must be the same one. A file with a signature must match it."""
    what, signature = "configuration", file.with_name(file.name + files.SIGNATURE)
    place = outside or file.parent / SITE_KEY
    try:
        if outside is not None and not outside.exists():
            raise signing.BadKey(f"{outside} is not there: put the site's public key back")
        key = _key_of("site_key", named, place)
        if key is None and not signature.exists():
            return FileFinding(what, good=True, text=f"not checked: there is no {place}")
        if key is None:
            raise signing.BadKey(
                f"{signature} is there, and no key to check it by: put {place} back"
            )
        signing.check(file.read_bytes(), signature.read_bytes(), key, str(file))
    except OSError as error:
        return FileFinding(what, good=False, text=f"{error.filename}: {error.strerror}")
    except (signing.BadSignature, signing.BadKey) as error:
        return FileFinding(what, good=False, text=str(error))
    return FileFinding(
        what, good=True, text=f"as the site signed it with key {signing.fingerprint(key)}"
    )


def _key_of(setting: str, named: str | None, place: Path | None) -> Path | None:
    """Return the key from its place, or else the one that the file names. Raises `BadKey` where
    they differ."""
    if place is None or not place.exists():
        return None if named is None else Path(named)
    if named is not None and signing.fingerprint(Path(named)) != signing.fingerprint(place):
        raise signing.BadKey(
            f"checks.{setting} names key {signing.fingerprint(Path(named))}, and {place} holds "
            f"{signing.fingerprint(place)}: the file may not name another"
        )
    return place


@cache
def bad(file: Path, site_key: Path | None = None) -> tuple[FileFinding, ...]:
    """Return what differs from what was signed; computed once a run. `site_key` overrides the usual
    place of the site's key.

    A file that cannot be decoded is not reported here: the configuration reader reports it.
    """
    try:
        checks = tomllib.loads(_short(file.read_text(encoding="utf-8"))).get("checks", {})
        manifest, maker, site = (
            _text(checks.get(key)) for key in ("manifest", "maker_key", "site_key")
        )
    except OSError:
        return ()
    except (ValueError, AttributeError, RecursionError):
        manifest = maker = site = None
    found = (
        installed(manifest, maker, folder_of_keys=file.parent),
        configuration(file, site, site_key),
    )
    return tuple(each for each in found if not each.good)


def _short(text: str) -> str:
    """Return the text; raises `ValueError` for an overlong line, because a key of a hundred
    thousand parts would take minutes."""
    if any(len(line) > MAX_LINE for line in text.splitlines()):
        raise ValueError
    return text


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def check_before_import(words: list[str]) -> tuple[FileFinding, ...]:
    """Return the findings that prevent this command line from running."""
    if not words or words[0] not in ASKED_FIRST:
        return ()
    return bad(_file_after("--config", words) or CONFIG_FILE, _file_after("--site-key", words))


def _file_after(option: str, words: list[str]) -> Path | None:
    """Return the last value of the option, as Typer does."""
    found = None
    for place, word in enumerate(words):
        if word == option and words[place + 1 :]:
            found = Path(words[place + 1])
        elif word.startswith(f"{option}="):
            found = Path(word.partition("=")[2])
    return found
