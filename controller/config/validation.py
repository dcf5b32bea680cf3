"""Checks of configuration values that have the right type and still are wrong: numbers such as NaN,
limits in the wrong order, and one file in two roles."""

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.game.errors import BadAmount
from controller.game.money.limits import Range, TableLimits

_MORE_THAN_NOTHING: Final = (
    "table.option_timeout_s", "table.betting_s", "checks.clock_step_s", "checks.verify_every_h",
    "logs.file_mb", "table.wagers_per_area",
)  # fmt: skip
_NOT_BELOW_NOTHING: Final = (
    "table.rounds_after_cut", "table.burn", "checks.free_disk_mb", "checks.free_memory_mb",
    "checks.errors_per_thousand", "logs.keep",
)  # fmt: skip

_WRITTEN: Final[Mapping[str, tuple[str, ...]]] = {
    "journal.path": ("", "-wal", "-shm", "-journal", ".lock", ".pub", ".restored", ".fresh"),
    "journal.head": ("", ".last", ".loss", ".floor", ".documents"),
    "journal.key": ("", ".next", ".players"),
    "journal.signing_key": ("", ".next"),
    "console.staff": ("",),
    "logs.file": ("",),
}
"""Keys of files that the table writes, with the suffixes of their companion files. No other key may
name the same file."""
_READ: Final = (
    "console.tls_cert", "console.tls_key", "checks.manifest", "checks.maker_key", "checks.site_key",
    "floor.floor_key", "floor.certificate", "floor.key", "floor.ca", "floor.token",
)  # fmt: skip


MAX_TEXT_BYTES: Final = 64 * 1024
MAX_LINE: Final = 1024
"""Longer than any line of a table's file. A key of a hundred thousand parts (`a.a.a`) would cost a
TOML reader minutes and all memory."""


def text_of(path: Path) -> str:
    """Return the text of a configuration file; raises `OSError`, or `ValueError` if it is not
    text."""
    with path.open("rb") as file:
        raw = file.read(MAX_TEXT_BYTES + 1)
    if len(raw) > MAX_TEXT_BYTES or any(len(line) > MAX_LINE for line in raw.splitlines()):
        raise ValueError(
            f"a configuration has at most {MAX_TEXT_BYTES} bytes, and {MAX_LINE} in a line"
        )
    return raw.decode("utf-8")


def check_numbers(config: msgspec.Struct) -> None:
    """Raises `ValueError` for NaN, for infinity, and for a value that must be positive and is
    not."""
    values = dict(_values("", msgspec.to_builtins(config)))
    for name, value in values.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{value} is no number that anything can be held to - at `$.{name}`")
    for name in (*_MORE_THAN_NOTHING, *_NOT_BELOW_NOTHING):
        value, some = values.get(name), name in _MORE_THAN_NOTHING
        if isinstance(value, int | float) and (value < 0 or (some and value == 0)):
            least = "above 0" if some else "0 or more"
            raise ValueError(f"it must be {least}, not {value} - at `$.{name}`")


def _values(name: str, found: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(found, dict):
        for key, value in found.items():
            yield from _values(f"{name}.{key}".lstrip("."), value)
    elif isinstance(found, list):
        for value in found:
            yield from _values(name, value)
    else:
        yield name, found


def check_limits(minimum: int | None, maximum: int | None, differential: int | None) -> None:
    """Raises `ValueError` where no wager fits between the limits."""
    for where, limits in (
        ("minimum", lambda: Range(minimum, maximum)),
        ("differential", lambda: TableLimits(differential=differential)),
    ):
        try:
            limits()
        except BadAmount as error:
            raise ValueError(f"{error} - at `$.table.{where}`") from None


def check_files(places: Mapping[str, str | None], file: Path) -> None:
    """Raises `ValueError` where a file that the table writes also has another role, however the
    path is written: relative, a symbolic link or a hard link. `places` maps configuration keys to
    paths; `file` is the configuration itself."""
    taken: dict[object, str] = {}
    for place, name, ends in _all_of(places, file):
        for end in ends:
            for known in _known_by(Path(f"{place}{end}")):
                other = taken.setdefault(known, name)
                if other != name and not (other in _READ and name in _READ):
                    raise ValueError(f"{other} names the same file, {place}{end} - at `$.{name}`")


def _all_of(
    places: Mapping[str, str | None], file: Path
) -> Iterable[tuple[str, str, tuple[str, ...]]]:
    yield str(file), "the configuration itself", ("", ".sig")
    for name, place in places.items():
        if place is not None:
            yield place, name, _WRITTEN.get(name, ("",))


def _known_by(path: Path) -> Iterator[object]:
    """Yield the path without links and, if the file exists, its device and inode."""
    yield os.path.realpath(path)
    try:
        found = path.stat()
    except OSError:
        return
    yield found.st_dev, found.st_ino
