"""Staff accounts: one file, who may sign in, in which role, with which secret.

The file is JSON, readable by its owner alone, and written whole or not at all. `sabot staff` and a
running console may both change it: whoever does holds its lock and reads it anew first.
"""

import fcntl
import os
import re
import stat
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from threading import Lock
from typing import Final

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec.structs import replace

from controller.game.roles import Role
from controller.table.words.vocabulary import NOT_A_PLAYER

SURVEILLANCE: Final = "surveillance"
"""Reads everything and says nothing: on no rung of the ladder."""
ROLES: Final = (*(role.value for role in Role if role is not Role.PLAYER), SURVEILLANCE)

TRIES: Final = 3
"""Failures in a row that lock an account."""
STAFF_MOST: Final = 1000
SECRET_FEWEST: Final = 4
SECRET_MOST: Final = 128

_NAME: Final = re.compile(r"[a-z][a-z0-9_.-]{0,31}")
_TAKEN: Final = NOT_A_PLAYER | {"staff", "player", "banker"}
"""What the table calls its devices and the dealer: nobody can be called that."""
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}")
_PRIVATE: Final = 0o600


class AccountsError(Exception):
    """What is wrong with the accounts or with a change to them, and what to do."""


class Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    who: str
    name: str
    role: str
    secret: str
    """Hashed by argon2; nothing here can be read back."""
    language: str = "en"
    failures: int = 0

    @property
    def locked(self) -> bool:
        return self.failures >= TRIES

    def __repr__(self) -> str:
        return f"Account({self.who!r}, {self.role!r})"


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int = 1
    staff: tuple[Account, ...] = ()


class Tried(Enum):
    """What became of a sign-in."""

    RIGHT = "right"
    WRONG = "wrong"
    NOW_LOCKED = "now_locked"
    """Wrong, and the last time."""
    LOCKED = "locked"


def nobodys_hash(hasher: PasswordHasher) -> str:
    """What no secret fits, and takes as long to try as any other; made without hashing, because a
    table that was killed should be back soon."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, tag = (b64encode(bytes(length)).decode().rstrip("=") for length in (16, 32))
    return f"$argon2id$v=19${cost}${salt}${tag}"


class Accounts:
    """The accounts in one file. Methods wait for disk and argon2: keep them off the web's loop,
    all but `find` and `everybody`, which look whether the file has changed."""

    def __init__(self, path: Path, hasher: PasswordHasher | None = None) -> None:
        self.path = path
        self._hasher = hasher or PasswordHasher()
        self._nobody = nobodys_hash(self._hasher)
        self._trying = Lock()
        self._changing_it = Lock()
        self._reading = Lock()
        """Held for a look at the file and never while it is written: a web page waits for it."""
        self._seen: tuple[int, int, int] | None = None
        self._staff: dict[str, Account] = {}

    # --- reading -----------------------------------------------------------------------------

    def everybody(self) -> list[Account]:
        return list(self._current().values())

    def find(self, who: str) -> Account | None:
        return self._current().get(who)

    def known(self, who: str) -> Account | None:
        """As `find`; while the file cannot be read, as it was last: nobody is thrown out."""
        try:
            return self.find(who)
        except AccountsError:
            return self._staff.get(who)

    def attempt(self, who: str, secret: str) -> tuple[Tried, Account | None]:
        """Is this who they say they are? One attempt at a time, so that three are never four."""
        with self._trying:
            account = self.find(who)
            open_to_try = account is not None and not account.locked
            hashed = account.secret if account and open_to_try else self._nobody
            right = self._fits(hashed, secret)  # as long for a name nobody has
            if account is None:
                return Tried.WRONG, None
            if not open_to_try:
                return Tried.LOCKED, account
            failures = 0 if right else account.failures + 1
            if failures != account.failures:
                account = self._change(who, failures=failures)
        if right:
            return Tried.RIGHT, account
        return (Tried.NOW_LOCKED if account.locked else Tried.WRONG), account

    def _fits(self, hashed: str, secret: str) -> bool:
        try:
            return self._hasher.verify(hashed, secret)
        except (VerificationError, InvalidHashError):
            return False

    # --- changing ----------------------------------------------------------------------------

    def add(
        self, who: str, role: str, secret: str, name: str = "", language: str = "en"
    ) -> Account:
        if not _NAME.fullmatch(who) or who in _TAKEN:
            raise AccountsError(
                f"{who!r} cannot be an account's name: begin with a small letter, then up to 31 "
                "small letters, digits, dots, dashes; and not a word the table uses itself"
            )
        if role not in ROLES:
            raise AccountsError(f"{role!r} is not a role: {', '.join(ROLES)}")
        _check_language(language)
        hashed = self._hashed(secret)
        with self._changing() as staff:
            if who in staff:
                raise AccountsError(f"there is an account {who!r} already")
            if len(staff) >= STAFF_MOST:
                raise AccountsError(f"there are {STAFF_MOST} accounts: remove some first")
            staff[who] = Account(who, name or who.title(), role, hashed, language)
            return staff[who]

    def remove(self, who: str) -> None:
        with self._changing() as staff:
            _there(staff, who)
            del staff[who]

    def unlock(self, who: str) -> Account:
        return self._change(who, failures=0)

    def speak(self, who: str, language: str) -> Account:
        _check_language(language)
        return self._change(who, language=language)

    def new_secret(self, who: str, secret: str) -> Account:
        return self._change(who, secret=self._hashed(secret), failures=0)

    def _change(self, who: str, **changes: object) -> Account:
        with self._changing() as staff:
            staff[who] = replace(_there(staff, who), **changes)
            return staff[who]

    def _hashed(self, secret: str) -> str:
        if not SECRET_FEWEST <= len(secret) <= SECRET_MOST:
            raise AccountsError(
                f"a PIN or password has {SECRET_FEWEST} to {SECRET_MOST} characters"
            )
        return self._hasher.hash(secret)

    # --- the file ----------------------------------------------------------------------------

    def _current(self) -> dict[str, Account]:
        """Read anew only if somebody has written it since."""
        with self._reading:
            return self._looked_at()

    def _looked_at(self) -> dict[str, Account]:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            self._staff, self._seen = {}, None
            return self._staff
        except OSError as error:
            raise AccountsError(f"{self.path} cannot be read: {error.strerror}") from error
        mark = (found.st_ino, found.st_mtime_ns, found.st_size)
        if mark != self._seen:
            self._staff = {each.who: each for each in self._read().staff}
            self._seen = mark
        return self._staff

    def _read(self) -> _File:
        try:
            with self.path.open("rb") as file:
                mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
                raw = file.read()
        except OSError as error:
            raise AccountsError(f"{self.path} cannot be read: {error.strerror}") from error
        if mode & 0o077:
            raise AccountsError(
                f"{self.path} is open to others (mode {mode:04o}): `chmod 600 {self.path}`, and "
                "give everybody a new PIN if somebody may have read it"
            )
        try:
            return msgspec.json.decode(raw, type=_File)
        except (msgspec.DecodeError, RecursionError) as error:
            raise AccountsError(
                f"{self.path} is not a file of accounts ({error}): put a copy back or move it away"
            ) from error

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Account]]:
        """Change the dictionary; it is on disk when the block ends, or nothing has changed."""
        with self._changing_it, self._alone():
            staff = dict(self._current())
            yield staff
            self._write(_File(staff=tuple(staff.values())))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        beside = self.path.with_name(self.path.name + ".lock")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(beside, os.O_RDWR | os.O_CREAT, _PRIVATE)
        except OSError as error:
            raise AccountsError(f"{beside} cannot be opened: {error.strerror}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _write(self, file: _File) -> None:
        write_private(self.path, msgspec.json.format(msgspec.json.encode(file)) + b"\n")


def write_private(path: Path, raw: bytes) -> None:
    """Whole or not at all, on disk when this returns, readable by the owner alone."""
    new = path.with_name(path.name + ".new")
    try:
        new.unlink(missing_ok=True)
        opened = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        with os.fdopen(opened, "wb") as out:
            out.write(raw)
            out.flush()
            os.fsync(out.fileno())
        new.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise AccountsError(f"{path} cannot be written: {error.strerror}") from error


def _there(staff: dict[str, Account], who: str) -> Account:
    try:
        return staff[who]
    except KeyError:
        raise AccountsError(f"there is no account {who!r}") from None


def _check_language(language: str) -> None:
    if not _LANGUAGE.fullmatch(language):
        raise AccountsError(f"{language!r} is not a language such as en or zh-Hans")
