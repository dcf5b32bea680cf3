"""Is what is installed what was signed? Asked before anything else is imported.

A program that was changed cannot be asked whether it was changed. So this file and the two it
imports use nothing else of ours, and the command that starts the service asks here first: a changed
file is named instead of run.
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
"""In the folder of the configuration, which belongs to root."""
MANIFEST: Final = "manifest.json"
RELEASE: Final = Path(sys.prefix).parent
"""Where the installer puts the manifest: beside the environment that this program runs in."""
ASKED_FIRST: Final = ("run", "verify-files", "verify-night", "doctor")
"""Commands that are not to be believed when the program is not as it was signed."""
LOOK_FIRST: Final = 78
"""The exit status after which systemd does not try again: somebody has to look first."""
MOST_NAMED: Final = 20
"""So many differing files are named; the rest are counted."""
MAX_LINE: Final = 1024
"""As `controller.config.validation` has it, which is not read before it was checked."""


@dataclass(frozen=True, slots=True)
class FileFinding:
    what: str
    """An id; it is printed with spaces."""
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
    """Installed files against the maker's signed list. Manifest and key are looked for where they
    are installed too, whatever a configuration names: `beside` is the folder of the configuration.

    What has no key is said to be unchecked; that is for a bench, and stops nothing."""
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
    """The configuration against the site's key. The key's place is said outside the file, because
    whoever may change the file could take a line out of it; what the file names (`checks.site_key`)
    may not differ. A file that has a signature beside it must be as it was signed."""
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
    """The key to check by: the one in its place, else the one that the file names. Raises `BadKey`
    where they are two."""
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
    """What is not as it was signed; looked at once a run. `site_key` is the place of the site's key
    where it is not the usual one.

    A file that cannot be understood is left to whoever reads all of it."""
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
    """A key of a hundred thousand parts would take minutes: such a file is not understood."""
    if any(len(line) > MAX_LINE for line in text.splitlines()):
        raise ValueError
    return text


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def check_before_import(words: list[str]) -> tuple[FileFinding, ...]:
    """What must be told instead of doing what these words of a command line ask."""
    if not words or words[0] not in ASKED_FIRST:
        return ()
    return bad(_file_after("--config", words) or CONFIG_FILE, _file_after("--site-key", words))


def _file_after(option: str, words: list[str]) -> Path | None:
    """The last one, as Typer takes it."""
    found = None
    for place, word in enumerate(words):
        if word == option and words[place + 1 :]:
            found = Path(words[place + 1])
        elif word.startswith(f"{option}="):
            found = Path(word.partition("=")[2])
    return found
