"""Everything a maker needs to see what happened, in one zip: no sealed card, no secret.

The journal goes in as its export, in which the hash of its blob stands for a face-down card; keys,
accounts and captures stay where they are. Names of players are replaced by numbers.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

from controller.config.file import Config
from controller.journal import audit
from controller.journal.errors import JournalError

RECORDS_MOST: Final = 5000
"""Some fifty rounds, the latest."""
LOG_BYTES_MOST: Final = 2_000_000

_PRIVATE: Final = frozenset({"who", "player", "asker", "reported_by", "decided_by", "placed_by"})


def pack(config: Config, config_file: Path, doctors_page: str, now: datetime, out: Path) -> None:
    """Write the zip; it must not exist yet."""
    with out.open("xb") as opened, zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("doctor.txt", doctors_page)
        bundle.writestr("made.txt", f"{now.isoformat()}\n")
        bundle.writestr("packages.txt", "".join(f"{line}\n" for line in _packages()))
        bundle.writestr("table.toml", config_file.read_text(encoding="utf-8"))
        bundle.writestr("journal.jsonl", _journal(Path(config.journal.path)))
        for name, data in _logs(config):
            bundle.writestr(f"logs/{name}", data)


def _packages() -> list[str]:
    return sorted(f"{found.name} {found.version}" for found in distributions())


def _journal(path: Path) -> str:
    """The latest records, names of people replaced; a damaged end is told, not hidden."""
    out = io.StringIO()
    names: dict[str, str] = {}
    try:
        last = audit.head(path).seq
        for found in audit.read_plain(path, max(0, last - RECORDS_MOST)):
            found["body"] = _without_names(found["body"], names)
            out.write(json.dumps(found, ensure_ascii=False) + "\n")
    except JournalError as error:
        out.write(json.dumps({"error": str(error)}) + "\n")
    return out.getvalue()


def _without_names(found: Any, names: dict[str, str], key: str = "") -> Any:
    if isinstance(found, dict):
        return {each: _without_names(value, names, each) for each, value in found.items()}
    if isinstance(found, list):
        return [_without_names(value, names, key) for value in found]
    if key in _PRIVATE and isinstance(found, str):
        return names.setdefault(found, f"person {len(names) + 1}")
    return found


def _logs(config: Config) -> Iterator[tuple[str, bytes]]:
    if config.logs.file is None:
        return
    folder, name = Path(config.logs.file).parent, Path(config.logs.file).name
    for path in sorted(folder.glob(f"{name}*")):
        yield path.name, path.read_bytes()[-LOG_BYTES_MOST:]
