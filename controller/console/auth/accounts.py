"""Staff accounts in one file: name, role and hashed secret."""

import hashlib
import os
import re
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec.structs import replace

from controller.console.auth import totp
from controller.console.auth.client_origin import TABLE
from controller.console.auth.private_file import AccountsError, PrivateFile
from controller.console.auth.totp import TypedCode
from controller.game.roles import Role
from controller.table.commands.registry import NOT_A_PLAYER

SURVEILLANCE: Final = "surveillance"
"""A role that reads everything and sends no command. It has no rank."""
ROLES: Final = (*(role.value for role in Role if role is not Role.PLAYER), SURVEILLANCE)

TRIES: Final = 3
"""Failures in a row that lock an account at one place."""
MAX_ELSEWHERE: Final = 32
"""Other addresses whose failures an account remembers. When all are taken, no further address may
try until somebody unlocks the account: many addresses must not give more tries."""
MAX_STAFF: Final = 1000
MAX_UNKNOWN: Final = 1000
"""Unknown names whose failures at the table are remembered."""
MIN_SECRET: Final = 6
SHORT_SECRET: Final = 4
"""Length of a secret where the operator allows a short one."""
MAX_SECRET: Final = 128
DEMO_HASHER: Final = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""A weak hasher for a demo: its PINs are on its first page, and strong hashing delays the start."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_.-]{0,31}")
_TAKEN: Final = NOT_A_PLAYER | {"staff", "player", "banker"}
"""Names reserved for devices and the dealer: no account may have one."""
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}")
_ID_BYTES: Final = 16


class Account(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    who: str
    name: str
    role: str
    secret: str
    """The argon2 hash of the secret."""
    language: str = "en"
    failures: int = 0
    """Failures at the table."""
    id: str = ""
    """Identifies this account: a later account with the same name has another id."""
    elsewhere: dict[str, int] = {}
    """Failures at other addresses, by address."""
    totp: str = ""
    """The key in base32. Empty: no second factor, so sign-in works only at the table."""
    totp_step: int = 0
    """The step of the last accepted code: a code is accepted once."""

    def failures_at(self, place: str) -> int:
        if place == TABLE:
            return self.failures
        full = len(self.elsewhere) >= MAX_ELSEWHERE
        return self.elsewhere.get(place, TRIES if full else 0)

    def locked_at(self, place: str) -> bool:
        return self.failures_at(place) >= TRIES

    @property
    def locked_places(self) -> int:
        """The number of other addresses at which the account is locked."""
        return sum(failures >= TRIES for failures in self.elsewhere.values())

    @property
    def stamp(self) -> str:
        """A value that changes with the person, PIN, role or second factor, which ends older
        sessions."""
        return _digest(self.id, self.role, self.secret, self.totp)

    def __repr__(self) -> str:
        return f"Account({self.who!r}, {self.role!r})"


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int = 1
    staff: tuple[Account, ...] = ()


class Tried(Enum):
    """The outcome of a sign-in."""

    RIGHT = "right"
    WRONG = "wrong"
    NOW_LOCKED = "now_locked"
    """The secret was wrong and the account is now locked."""
    LOCKED = "locked"


class Attempt(NamedTuple):
    """The outcome, the account, and the number of tries left."""

    tried: Tried
    account: Account | None
    left: int


def nobodys_hash(hasher: PasswordHasher) -> str:
    """A hash that no secret matches and that takes as long to verify as a real one. It is made
    without hashing, so that a table restarts fast."""
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, tag = (b64encode(bytes(length)).decode().rstrip("=") for length in (16, 32))
    return f"$argon2id$v=19${cost}${salt}${tag}"


class Accounts:
    """The accounts in one file. Methods wait for disk and argon2: call them outside the event loop.
    Exceptions only check whether the file has changed: `find`, `everybody`, `known`, `open_to_try`
    and `not_tried`."""

    def __init__(
        self,
        path: Path,
        hasher: PasswordHasher | None = None,
        fewest: int = MIN_SECRET,
        entropy: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.path = path
        self._file = PrivateFile(path, _File, "accounts")
        self._entropy = entropy
        self._hasher = hasher or PasswordHasher()
        self._fewest = fewest
        self._nobody = nobodys_hash(self._hasher)
        self._trying = Lock()
        self._by_name: tuple[_File, dict[str, Account]] = (self._file.last, {})
        self._unknown: OrderedDict[str, int] = OrderedDict()
        """Failures at the table for unknown names, the oldest first."""

    # --- reading -----------------------------------------------------------------------------

    def everybody(self) -> list[Account]:
        return list(self._file.current().staff)

    def find(self, who: str) -> Account | None:
        return self._named(self._file.current()).get(who)

    def known(self, who: str) -> Account | None:
        """As `find`, but returns the last known account while the file cannot be read: people stay
        signed in."""
        try:
            return self.find(who)
        except AccountsError:
            return self._named(self._file.last).get(who)

    def _named(self, file: _File) -> dict[str, Account]:
        if self._by_name[0] is not file:
            self._by_name = (file, {each.who: each for each in file.staff})
        return self._by_name[1]

    # --- trying ------------------------------------------------------------------------------

    def open_to_try(self, who: str, place: str) -> bool:
        """Whether an attempt can succeed: the account exists and is not locked here."""
        account = self.known(who)
        return account is not None and not account.locked_at(place)

    def not_tried(self, who: str, place: str) -> Attempt:
        """The refusal where no secret can be right; it costs no hashing."""
        with self._trying:
            account = self.known(who)
            if account is None:
                return self._unknown_tried(who, place)
            return Attempt(Tried.LOCKED, account, 0)

    def attempt(
        self, who: str, secret: str, place: str = TABLE, code: TypedCode | None = None
    ) -> Attempt:
        """Checks a secret, and a `code` with it: the answer does not show which of the two was
        wrong. Attempts run one at a time, so that the limit is exact."""
        with self._trying:
            account = self.find(who)
            open_to_try = account is not None and not account.locked_at(place)
            hashed = account.secret if account and open_to_try else self._nobody
            right = self._fits(hashed, secret)  # takes as long for an unknown name
            if account is None:
                return self._unknown_tried(who, place)
            if not open_to_try:
                return Attempt(Tried.LOCKED, account, 0)
            step = _step_of(account, code)
            right = right and step is not None
            account = self._tried(account, place, right, step or 0)
        if right:
            return Attempt(Tried.RIGHT, account, TRIES)
        tried = Tried.NOW_LOCKED if account.locked_at(place) else Tried.WRONG
        return Attempt(tried, account, TRIES - account.failures_at(place))

    def _tried(self, account: Account, place: str, right: bool, step: int) -> Account:
        """The updated account; written only if something has changed."""
        failures = 0 if right else account.failures_at(place) + 1
        if place == TABLE:
            changed = replace(account, failures=failures)
        else:
            others = {each: n for each, n in account.elsewhere.items() if each != place}
            changed = replace(account, elsewhere=others if right else {**others, place: failures})
        if right:
            changed = replace(changed, totp_step=max(step, account.totp_step))
        if changed == account:
            return account
        fields = ("failures", "elsewhere", "totp_step")
        return self._change(account.who, **{name: getattr(changed, name) for name in fields})

    def _unknown_tried(self, who: str, place: str) -> Attempt:
        """Counts a failure for an unknown name. At the table it counts down and locks like a real
        account; the least recently tried name is forgotten first. Elsewhere the answer has no
        count."""
        if place != TABLE:
            return Attempt(Tried.WRONG, None, 0)
        failures = self._unknown.pop(who, 0) + 1
        self._unknown[who] = min(failures, TRIES)
        while len(self._unknown) > MAX_UNKNOWN:
            self._unknown.popitem(last=False)
        if failures > TRIES:
            return Attempt(Tried.LOCKED, None, 0)
        tried = Tried.NOW_LOCKED if failures == TRIES else Tried.WRONG
        return Attempt(tried, None, TRIES - failures)

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
        _check_role(role)
        _check_language(language)
        made = Account(
            *(who, name or who.title(), role, self._hashed(secret), language),
            id=self._entropy(_ID_BYTES).hex(),
        )

        def added(file: _File) -> _File:
            if who in self._named(file):
                raise AccountsError(f"there is an account {who!r} already")
            if len(file.staff) >= MAX_STAFF:
                raise AccountsError(f"there are {MAX_STAFF} accounts: remove some first")
            return _File(staff=(*file.staff, made))

        self._file.change(added)
        return made

    def remove(self, who: str) -> None:
        def removed(file: _File) -> _File:
            self._there(file, who)
            return _File(staff=tuple(each for each in file.staff if each.who != who))

        self._file.change(removed)

    def unlock(self, who: str) -> Account:
        """Unlocks the account at all addresses."""
        return self._change(who, failures=0, elsewhere={})

    def speak(self, who: str, language: str) -> Account:
        _check_language(language)
        return self._change(who, language=language)

    def new_role(self, who: str, role: str) -> Account:
        _check_role(role)
        return self._change(who, role=role)

    def new_secret(self, who: str, secret: str) -> Account:
        return self._change(who, secret=self._hashed(secret), failures=0, elsewhere={})

    def second_factor(self, who: str, secret: str, used: int = 0) -> Account:
        """Sets or removes the second factor. Codes of the old key and codes up to the step `used`
        become invalid."""
        return self._change(who, totp=secret, totp_step=used, elsewhere={})

    def _change(self, who: str, **changes: object) -> Account:
        made: list[Account] = []

        def changed(file: _File) -> _File:
            made.append(replace(self._there(file, who), **changes))
            return _File(staff=tuple(made[0] if each.who == who else each for each in file.staff))

        self._file.change(changed)
        return made[0]

    def _there(self, file: _File, who: str) -> Account:
        try:
            return self._named(file)[who]
        except KeyError:
            raise AccountsError(f"there is no account {who!r}") from None

    def _hashed(self, secret: str) -> str:
        if not self._fewest <= len(secret) <= MAX_SECRET:
            raise AccountsError(f"a PIN or password has {self._fewest} to {MAX_SECRET} characters")
        return self._hasher.hash(secret)


def _step_of(account: Account, code: TypedCode | None) -> int | None:
    """The step of a matching code; 0 where no code is needed. Without a second factor no code
    matches."""
    if code is None:
        return 0
    return totp.matching_step(account.totp, code, account.totp_step) if account.totp else None


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise AccountsError(f"{role!r} is not a role: {', '.join(ROLES)}")


def _check_language(language: str) -> None:
    if not _LANGUAGE.fullmatch(language):
        raise AccountsError(f"{language!r} is not a language such as en or zh-Hans")
