"""Is what is installed what was signed? Asked before anything else is imported.

A program that was changed cannot be asked whether it was changed. So this file and the two it
imports use nothing else of ours, and the command that starts the service asks here first: a changed
file is named instead of run.
"""

import sysconfig
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from controller.upkeep import files, signing

CONFIG_FILE: Final = Path("/etc/sabot/table.toml")
ASKED_FIRST: Final = ("run", "verify-files", "verify-night", "doctor")
"""Commands that are not to be believed when the program is not as it was signed."""
LOOK_FIRST: Final = 78
"""The exit status after which systemd does not try again: somebody has to look first."""
MOST_NAMED: Final = 20
"""So many differing files are named; the rest are counted."""


@dataclass(frozen=True, slots=True)
class FileFinding:
    what: str
    """An id; it is printed with spaces."""
    good: bool
    says: str

    def __str__(self) -> str:
        return f"{'good' if self.good else 'BAD'}  {self.what.replace('_', ' ')}: {self.says}"


def installed(manifest: str | None, maker_key: str | None, site: Path | None = None) -> FileFinding:
    """Installed files against the maker's signed list.

    What has no key is said to be unchecked; that is for a bench, and stops nothing."""
    what = "installed_files"
    if manifest is None or maker_key is None:
        return FileFinding(
            what, good=True, says="not checked: checks.manifest or maker_key is not set"
        )
    try:
        listed = files.read(Path(manifest), Path(maker_key))
    except (files.BadManifest, signing.BadSignature, signing.BadKey) as error:
        return FileFinding(what, good=False, says=str(error))
    found = files.differences(listed, site or Path(sysconfig.get_paths()["purelib"]))
    if found:
        named = "; ".join(map(str, found[:MOST_NAMED]))
        more = f"; and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        return FileFinding(what, good=False, says=f"{named}{more}. Install the release anew")
    return FileFinding(
        what, good=True, says=f"all {len(listed.files)} as released by key {_key(maker_key)}"
    )


def configuration(file: Path, site_key: str | None) -> FileFinding:
    """The configuration against the site's key."""
    what = "configuration"
    if site_key is None:
        return FileFinding(what, good=True, says="not checked: checks.site_key is not set")
    signature = file.with_name(file.name + files.SIGNATURE)
    try:
        data, signed = file.read_bytes(), signature.read_bytes()
        signing.check(data, signed, Path(site_key), str(file))
    except OSError as error:
        return FileFinding(what, good=False, says=f"{error.filename}: {error.strerror}")
    except (signing.BadSignature, signing.BadKey) as error:
        return FileFinding(what, good=False, says=str(error))
    return FileFinding(what, good=True, says=f"as the site signed it with key {_key(site_key)}")


def _key(path: str) -> str:
    """For people to compare with what they were told when the key was made."""
    return signing.fingerprint(Path(path))


@cache
def bad(file: Path) -> tuple[FileFinding, ...]:
    """What is not as it was signed, by what the file itself says is signed; looked at once a run.

    A file that cannot be read is left to whoever reads all of it."""
    try:
        checks = tomllib.loads(file.read_text(encoding="utf-8")).get("checks", {})
        keys = [_text(checks, key) for key in ("manifest", "maker_key", "site_key")]
    except (OSError, ValueError, AttributeError):
        return ()
    manifest, maker_key, site_key = keys
    found = (installed(manifest, maker_key), configuration(file, site_key))
    return tuple(each for each in found if not each.good)


def _text(checks: dict[str, Any], key: str) -> str | None:
    value = checks.get(key)
    return value if isinstance(value, str) else None


def check_before_import(words: list[str]) -> tuple[FileFinding, ...]:
    """What must be told instead of doing what these words of a command line ask."""
    return bad(_config_file(words)) if words[:1] and words[0] in ASKED_FIRST else ()


def _config_file(words: list[str]) -> Path:
    for place, word in enumerate(words):
        if word == "--config" and words[place + 1 :]:
            return Path(words[place + 1])
        if word.startswith("--config="):
            return Path(word.partition("=")[2])
    return CONFIG_FILE
