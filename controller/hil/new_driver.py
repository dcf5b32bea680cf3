"""The generator of a new driver package: the kit's own example under another name."""

import keyword
import re
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import drivers
from drivers import registry
from drivers.errors import DeviceError

TEMPLATE: Final = Path(drivers.__file__).resolve().parent / "testing" / "template"
EXAMPLE: Final = "example_shoe"
NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LONGEST: Final = 40
TESTS: Final = "tests"
OURSELVES: Final = "sabot"


class CannotWrite(DeviceError):
    """An invalid package name or an existing folder; the message contains the remedy."""


def write(name: str, into: Path) -> list[Path]:
    """Write the package's files into a new folder of its name; raises `CannotWrite`."""
    _must_be_free(name)
    root = into / name
    try:
        root.mkdir(parents=True)
        return [_written(path, root, name) for path in sorted(TEMPLATE.rglob("*")) if _kept(path)]
    except FileExistsError:
        raise CannotWrite(f"{root} is there already, and nothing was written") from None
    except OSError as error:
        raise CannotWrite(f"{root} cannot be written: {error.strerror}") from error


def _must_be_free(name: str) -> None:
    if not NAME.fullmatch(name) or len(name) > LONGEST or keyword.iskeyword(name):
        raise CannotWrite(
            f"{name!r} is no name for a driver: up to {LONGEST} small letters, digits and _, no "
            "word of Python's own, like acme_shoe"
        )
    if name == TESTS:
        raise CannotWrite(f"the package's own tests lie in {TESTS!r}: choose another name")
    if name in registry.EMULATORS_WORDS:
        raise CannotWrite(
            f"{name!r} is a word of `python -m simulators`, which could not start an emulator of "
            "that name: choose another name"
        )
    if name in registry.names():
        raise CannotWrite(f"there is a driver {name!r} already: choose another name")
    if name == OURSELVES or _is_installed(name):
        raise CannotWrite(
            f"a package {name!r} is installed, and pip would uninstall it for yours: choose "
            "another name"
        )
    for module in (name, f"{name}_emulator"):
        if find_spec(module) is not None:
            raise CannotWrite(f"Python has a module {module!r} already: choose another name")


def _is_installed(name: str) -> bool:
    """Compare names as pip does: case, -, _ and . do not matter."""
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _kept(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts


def _written(path: Path, root: Path, name: str) -> Path:
    to = root / str(path.relative_to(TEMPLATE)).replace(EXAMPLE, name)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(path.read_text(encoding="utf-8").replace(EXAMPLE, name), encoding="utf-8")
    return to
