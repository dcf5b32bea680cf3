"""Kiosks: screens on other machines that count as the table.

`sabot staff kiosk add` makes a link that works once. The browser that opens it gets a cookie. Only
digests of both are on disk; removing a kiosk from the list ends its access at once.
"""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.console.auth.private_file import AccountsError, PrivateFile

LINK_LASTS_S: Final = 3600.0
MAX_KIOSKS: Final = 100
TOKEN_BYTES: Final = 32
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")


class Kiosk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    made: float
    """Wall time at which the link was made."""
    link: str = ""
    """Digest of the link's token; empty once it is used."""
    cookie: str = ""
    """Digest of the cookie; empty until the link is used."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int = 1
    kiosks: tuple[Kiosk, ...] = ()


class Kiosks:
    """The kiosks of one table. Methods that change the list wait for the disk; `knows` does not."""

    def __init__(self, path: Path, entropy: Callable[[int], bytes]) -> None:
        self._file = PrivateFile(path, _File, "kiosks")
        self._entropy = entropy

    def everything(self) -> tuple[Kiosk, ...]:
        return self._file.current().kiosks

    def knows(self, cookie: str) -> bool:
        """Whether a cookie belongs to a kiosk; false while the file cannot be read."""
        if not cookie:
            return False
        try:
            kiosks = self.everything()
        except AccountsError:
            return False
        digest = _digest(cookie)
        return any(each.cookie == digest for each in kiosks)

    def add(self, name: str, at: float) -> str:
        """Adds a kiosk and returns the token of a link that works once, within an hour."""
        if not _NAME.fullmatch(name):
            raise AccountsError(f"{name!r} cannot be a kiosk's name: letters, digits, dots, dashes")
        token = self._entropy(TOKEN_BYTES).hex()

        def added(file: _File) -> _File:
            if any(each.name == name for each in file.kiosks):
                raise AccountsError(f"there is a kiosk {name!r} already: remove it first")
            if len(file.kiosks) >= MAX_KIOSKS:
                raise AccountsError(f"there are {MAX_KIOSKS} kiosks: remove some first")
            return replace(file, kiosks=(*file.kiosks, Kiosk(name, at, link=_digest(token))))

        self._file.change(added)
        return token

    def enrol(self, token: str, at: float) -> tuple[str, str] | None:
        """Uses a link: returns the name and cookie of its kiosk, or None where the link is not
        valid."""
        cookie, digest = self._entropy(TOKEN_BYTES).hex(), _digest(token)
        found: list[str] = []

        def used(file: _File) -> _File:
            kiosks = []
            for each in file.kiosks:
                fits = each.link == digest and 0 <= at - each.made < LINK_LASTS_S
                if fits:
                    found.append(each.name)
                kiosks.append(replace(each, link="", cookie=_digest(cookie)) if fits else each)
            return replace(file, kiosks=tuple(kiosks))

        if any(each.link == digest for each in self.everything()):
            self._file.change(used)
        return (found[0], cookie) if found else None

    def remove(self, name: str) -> None:
        def removed(file: _File) -> _File:
            kept = tuple(each for each in file.kiosks if each.name != name)
            if len(kept) == len(file.kiosks):
                raise AccountsError(f"there is no kiosk {name!r}")
            return replace(file, kiosks=kept)

        self._file.change(removed)


def kiosks_path(staff: Path) -> Path:
    """The path of a table's kiosks, in the folder of its accounts."""
    return staff.with_name("kiosks.json")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
