"""The checks of files and journal that run at the start, every 24 hours, at night and on demand."""

import os
from pathlib import Path

from controller.config.file import Config
from controller.engine.release import CannotGoOn, check_rulebook
from controller.engine.replay import check_version, replay_records
from controller.journal import audit
from controller.journal.errors import JournalError
from controller.journal.keys.files import read_keys, read_sealer
from controller.runtime.release_info import release_digest
from controller.upkeep import integrity
from controller.upkeep.integrity import FileFinding


def check_journal(config: Config) -> FileFinding:
    """Verify every record of the journal against the kept head."""
    try:
        verdict = audit.verify(Path(config.journal.path), Path(config.journal.head))
    except JournalError as error:
        return FileFinding("journal", good=False, text=str(error))
    # A copy verifies like a journal, but a table whose journal is a copy has lost its sealed cards.
    return FileFinding("journal", good=verdict.good and not verdict.is_copy, text=str(verdict))


def can_open(config: Config) -> FileFinding:
    """Check whether this release can continue the journal, before an update or a rollback. It needs
    both keys.

    It replays the current shoe as opening does, so a release that would compute another table state
    is rejected before it replaces the running one.
    """
    what, path, files = "journal", Path(config.journal.path), config.journal
    if not path.exists():
        return FileFinding(what, good=True, text="there is none yet")
    rules = config.rules()
    try:
        records = list(audit.read(path, max(0, audit.last_checkpoint(path) - 1)))
        for record in records:
            check_version(record)
        keys = read_keys(path, Path(files.key), Path(files.signing))
        sealer = read_sealer(path, Path(files.key), os.urandom)
        release = release_digest(rules)
        found = replay_records(rules, records, sealer, release)
        check_rulebook(found.table, found.decided_by, release)
    except (JournalError, CannotGoOn) as error:
        return FileFinding(what, good=False, text=str(error))
    text = f"this release reads the {len(records)} records of this shoe"
    text += f"; {keys.warning}" if keys is not None and keys.warning is not None else ""
    return FileFinding(what, good=True, text=text)


def check_files(
    config: Config, config_file: Path, site_key: Path | None = None, *, site: Path | None = None
) -> list[FileFinding]:
    """Check the installed files against the maker's list and the configuration against the site's
    key."""
    checks = config.checks
    return [
        integrity.installed(checks.manifest, checks.maker_key, site, config_file.parent),
        integrity.configuration(config_file, checks.site_key, site_key),
    ]
