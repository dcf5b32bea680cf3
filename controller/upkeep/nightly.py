"""What is checked at the start, every 24 hours, at night and on demand: files and journal."""

import sysconfig
from dataclasses import dataclass
from pathlib import Path

from controller.config import Config
from controller.journal import audit
from controller.journal.errors import JournalError
from controller.session import WrittenByNewer, check_version
from controller.upkeep import files, signing

MOST_NAMED = 20
"""So many differing files are named; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    good: bool
    says: str

    def __str__(self) -> str:
        return f"{'good' if self.good else 'BAD'}  {self.what}: {self.says}"


def check_journal(config: Config) -> Finding:
    """Every record of it, against the kept head."""
    try:
        verdict = audit.verify(Path(config.journal.path), Path(config.journal.head))
    except JournalError as error:
        return Finding("journal", good=False, says=str(error))
    return Finding("journal", good=verdict.good, says=str(verdict))


def can_open(config: Config) -> Finding:
    """Whether this release can go on with the journal: an update or a rollback asks first."""
    what, path = "journal", Path(config.journal.path)
    if not path.exists():
        return Finding(what, good=True, says="there is none yet")
    count = 0
    try:
        for record in audit.read(path, max(0, audit.last_checkpoint(path) - 1)):
            check_version(record)
            count += 1
    except (JournalError, WrittenByNewer) as error:
        return Finding(what, good=False, says=str(error))
    return Finding(what, good=True, says=f"this release reads the {count} records of this shoe")


def check_files(config: Config, config_file: Path, site: Path | None = None) -> list[Finding]:
    """Installed files against the maker's signed list, the configuration against the site's key.

    What has no key is said to be unchecked; that is for a bench, and stops nothing."""
    site = site or Path(sysconfig.get_paths()["purelib"])
    return [_installed(config, site), _configuration(config, config_file)]


def _installed(config: Config, site: Path) -> Finding:
    what, checks = "installed files", config.checks
    if checks.manifest is None or checks.maker_key is None:
        return Finding(what, good=True, says="not checked: checks.manifest or maker_key is not set")
    try:
        manifest = files.read(Path(checks.manifest), Path(checks.maker_key))
    except (files.BadManifest, signing.BadSignature, signing.BadKey) as error:
        return Finding(what, good=False, says=str(error))
    found = files.differences(manifest, site)
    if found:
        named = "; ".join(map(str, found[:MOST_NAMED]))
        more = f"; and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        return Finding(what, good=False, says=f"{named}{more}. Install release anew")
    return Finding(what, good=True, says=f"all {len(manifest.files)} as released")


def _configuration(config: Config, config_file: Path) -> Finding:
    what, key = "configuration", config.checks.site_key
    if key is None:
        return Finding(what, good=True, says="not checked: checks.site_key is not set")
    signature = config_file.with_name(config_file.name + files.SIGNATURE)
    try:
        data, signed = config_file.read_bytes(), signature.read_bytes()
        signing.check(data, signed, Path(key), str(config_file))
    except OSError as error:
        return Finding(what, good=False, says=f"{error.filename}: {error.strerror}")
    except (signing.BadSignature, signing.BadKey) as error:
        return Finding(what, good=False, says=str(error))
    return Finding(what, good=True, says="as the site signed it")
