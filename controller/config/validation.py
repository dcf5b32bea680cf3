"""Values that are of the right kind and mean nothing, or undo one another: numbers that are none,
limits the wrong way round, and one file in two places."""

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
"""What the table writes to, with what it puts beside: nothing else may be that file."""
_READ: Final = (
    "console.tls_cert", "console.tls_key", "checks.manifest", "checks.maker_key", "checks.site_key",
    "floor.floor_key", "floor.certificate", "floor.key", "floor.ca", "floor.token",
)  # fmt: skip


MAX_TEXT_BYTES: Final = 64 * 1024
MAX_LINE: Final = 1024
"""Far more than any table's file and its lines have. What is longer is something else, and a key of
a hundred thousand parts, `a.a.a`, takes a reader of TOML minutes and all memory."""


def text_of(path: Path) -> str:
    """The text of a configuration; raises `OSError`, or `ValueError` where it is none."""
    with path.open("rb") as file:
        raw = file.read(MAX_TEXT_BYTES + 1)
    if len(raw) > MAX_TEXT_BYTES or any(len(line) > MAX_LINE for line in raw.splitlines()):
        raise ValueError(
            f"a configuration has at most {MAX_TEXT_BYTES} bytes, and {MAX_LINE} in a line"
        )
    return raw.decode("utf-8")


def check_numbers(config: msgspec.Struct) -> None:
    """Raises `ValueError` for NaN, infinity, and for what may not be nothing or less."""
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
    """Raises `ValueError` where no wager could be between them."""
    for where, limits in (
        ("minimum", lambda: Range(minimum, maximum)),
        ("differential", lambda: TableLimits(differential=differential)),
    ):
        try:
            limits()
        except BadAmount as error:
            raise ValueError(f"{error} - at `$.table.{where}`") from None


def check_files(places: Mapping[str, str | None], file: Path) -> None:
    """Raises `ValueError` where something that the table writes to is something else as well,
    however it is spelt: a relative path, a link or a second name of one file. `places` are keys of
    the configuration with the paths they name, `file` is the configuration itself."""
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
    """The path without links, and what the disk knows the file by, where it is there."""
    yield os.path.realpath(path)
    try:
        found = path.stat()
    except OSError:
        return
    yield found.st_dev, found.st_ino
