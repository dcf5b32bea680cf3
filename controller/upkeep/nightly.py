"""What is checked at the start, every 24 hours, at night and on demand: files and journal."""

from pathlib import Path

from controller.config.file import Config
from controller.engine.replay import WrittenByNewer, check_version
from controller.journal import audit
from controller.journal.errors import JournalError
from controller.upkeep import integrity
from controller.upkeep.integrity import FileFinding


def check_journal(config: Config) -> FileFinding:
    """Every record of it, against the kept head."""
    try:
        verdict = audit.verify(Path(config.journal.path), Path(config.journal.head))
    except JournalError as error:
        return FileFinding("journal", good=False, says=str(error))
    return FileFinding("journal", good=verdict.good, says=str(verdict))


def can_open(config: Config) -> FileFinding:
    """Whether this release can go on with the journal: an update or a rollback asks first."""
    what, path = "journal", Path(config.journal.path)
    if not path.exists():
        return FileFinding(what, good=True, says="there is none yet")
    count = 0
    try:
        for record in audit.read(path, max(0, audit.last_checkpoint(path) - 1)):
            check_version(record)
            count += 1
    except (JournalError, WrittenByNewer) as error:
        return FileFinding(what, good=False, says=str(error))
    return FileFinding(what, good=True, says=f"this release reads the {count} records of this shoe")


def check_files(config: Config, config_file: Path, site: Path | None = None) -> list[FileFinding]:
    """Installed files against the maker's signed list, the configuration against the site's key."""
    checks = config.checks
    return [
        integrity.installed(checks.manifest, checks.maker_key, site),
        integrity.configuration(config_file, checks.site_key),
    ]
