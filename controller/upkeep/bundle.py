"""The support bundle for a maker, in one zip: no sealed card, no secret.

The journal goes in as its export, in which a hash replaces each face-down card; keys, accounts and
captures are left out. Numbers replace the names of people everywhere, and lengths replace their
free text. Only plain files are read: a link among the logs could lead to any file of the machine.
"""

import io
import json
import os
import re
import stat
import zipfile
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.config.file import Config
from controller.journal import audit
from controller.journal.errors import JournalError

MAX_RECORDS: Final = 5000
"""The latest records, about fifty rounds."""
MAX_LOG_BYTES: Final = 2_000_000

_PRIVATE: Final = frozenset(
    {"who", "player", "drawer", "asker", "reported_by", "decided_by", "placed_by"}
)
_OWN_WORDS: Final = frozenset({"text", "reason"})
_GIVEN: Final = frozenset({"with", "about"})
"""Fields in which `to` is a player and not a phase."""


def pack(config: Config, config_file: Path, doctors_page: str, now: datetime, out: Path) -> None:
    """Write the zip, which must not exist yet."""
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
    """Return the latest records with names replaced; a damaged end is reported."""
    out = io.StringIO()
    names: dict[str, str] = {}
    try:
        last = audit.head(path).seq
        records = list(audit.read_plain(path, max(0, last - MAX_RECORDS)))
        _learn([found.body for found in records], names)
        people = _any_of(names)
        for found in records:
            found.body = _without_names(found.body, names, people)
            out.write(json.dumps(msgspec.to_builtins(found), ensure_ascii=False) + "\n")
    except JournalError as error:
        out.write(json.dumps({"error": str(error)}) + "\n")
    return out.getvalue()


def _learn(found: Any, names: dict[str, str], key: str = "", above: str = "") -> None:
    """Collect the names of people and number them in order of appearance."""
    if isinstance(found, dict):
        for each, value in found.items():
            _learn(value, names, each, key)
    elif isinstance(found, list):
        for value in found:
            _learn(value, names, key, above)
    elif isinstance(found, str) and (key in _PRIVATE or (key == "to" and above in _GIVEN)):
        names.setdefault(found, f"person {len(names) + 1}")


def _any_of(names: dict[str, str]) -> re.Pattern[str] | None:
    """Return the pattern of any name as a separate word, such as in the id of a wager."""
    longest_first = sorted(filter(None, names), key=len, reverse=True)
    if not longest_first:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _without_names(
    found: Any, names: dict[str, str], people: re.Pattern[str] | None, key: str = ""
) -> Any:
    if isinstance(found, dict):
        return {
            names.get(each, each): _without_names(value, names, people, each)
            for each, value in found.items()
        }
    if isinstance(found, list):
        return [_without_names(value, names, people, key) for value in found]
    if not isinstance(found, str):
        return found
    if key in _OWN_WORDS and found:
        return f"({len(found)} characters)"
    return found if people is None else people.sub(lambda name: names[name[0]], found)


def _logs(config: Config) -> Iterator[tuple[str, bytes]]:
    if config.logs.file is None:
        return
    folder, name = Path(config.logs.file).parent, Path(config.logs.file).name
    for path in sorted(folder.glob(f"{name}*")):
        try:
            yield path.name, _end_of(path)
        except OSError as error:
            yield path.name, f"not read: {error.strerror}\n".encode()


def _end_of(path: Path) -> bytes:
    opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(opened, "rb", buffering=0) as log:
        about = os.fstat(opened)
        if not stat.S_ISREG(about.st_mode):
            raise OSError(0, "it is no plain file")
        log.seek(max(0, about.st_size - MAX_LOG_BYTES))
        return log.read(MAX_LOG_BYTES)
