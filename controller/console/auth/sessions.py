"""Sessions: the server stores who is signed in where; the browser has a random token.

A session belongs to one account, by id and stamp, at one place. It ages by steady time, so that a
changed wall clock neither ends nor extends it. After a restart of the console, sessions return
locked, play continues, and a PIN unlocks them. Steady time starts again when the machine boots, so
a session of an earlier boot has ended. Only the digest of a token is on disk.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.console.auth.accounts import Account
from controller.console.auth.private_file import write_private

IDLE_S: Final = 300.0
"""A screen without activity locks after this time (GLI-19 C.6.5d)."""
LASTS_S: Final = 12 * 3600.0
"""Lifetime of a session, a long shift; then people sign in again."""
MAX_SESSIONS: Final = 200
TOKEN_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks: `steady` counts seconds from the boot of the machine, and `boot` identifies that
    boot."""

    steady: Callable[[], float]
    boot: str


@dataclass(slots=True)
class SignInSession:
    digest: str
    who: str
    stamp: str
    """The account's stamp when the session was opened."""
    place: str
    csrf: str
    opened: float
    """Opened at this steady time."""
    touched: float
    locked: bool = False

    def belongs_to(self, account: Account) -> bool:
        """Whether the session still belongs to the account."""
        return self.stamp == account.stamp and not account.locked_at(self.place)

    def __repr__(self) -> str:
        return f"Session({self.who!r})"


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    digest: str
    who: str
    csrf: str
    stamp: str
    place: str
    opened: float
    boot: str


class Sessions:
    """All sessions; used only from the event loop. `entropy` returns random bytes; `told_locked` is
    called for every session that locks for lack of activity."""

    def __init__(
        self, clocks: Clocks, entropy: Callable[[int], bytes], path: Path | None = None
    ) -> None:
        self._clocks = clocks
        self._entropy = entropy
        self._path = path
        self._open: dict[str, SignInSession] = {}
        self.told_locked: Callable[[SignInSession], None] = lambda _: None
        self._restore()

    def open(self, account: Account, place: str) -> tuple[SignInSession, str]:
        """Opens a session; returns it with the token for its cookie."""
        while len(self._open) >= MAX_SESSIONS:
            del self._open[min(self._open.values(), key=lambda each: each.touched).digest]
        token = self._entropy(TOKEN_BYTES).hex()
        csrf = self._entropy(TOKEN_BYTES).hex()
        now = self._clocks.steady()
        session = SignInSession(
            _digest(token), account.who, account.stamp, place, csrf, now, touched=now
        )
        self._open[session.digest] = session
        return session, token

    def find(self, token: str) -> SignInSession | None:
        session = self._open.get(_digest(token)) if token else None
        return session if session is not None and self.lives(session) else None

    def lives(self, session: SignInSession) -> bool:
        """Whether a session is still valid; locks it after a time without activity."""
        if self._open.get(session.digest) is not session:
            return False
        now = self._clocks.steady()
        if not 0 <= now - session.opened < LASTS_S:
            self.close(session)
            return False
        if not session.locked and now - session.touched >= IDLE_S:
            session.locked = True
            self.told_locked(session)
        return True

    def of(self, who: str) -> Iterable[SignInSession]:
        return [each for each in self._open.values() if each.who == who]

    def everything(self) -> Iterable[SignInSession]:
        """All valid sessions."""
        return [each for each in tuple(self._open.values()) if self.lives(each)]

    def touch(self, session: SignInSession) -> None:
        if not session.locked:
            session.touched = self._clocks.steady()

    def unlock(self, session: SignInSession) -> None:
        session.locked = False
        session.touched = self._clocks.steady()

    def close(self, session: SignInSession) -> None:
        self._open.pop(session.digest, None)

    def keep(self) -> Callable[[], None]:
        """A function that writes the sessions to disk; call it in a thread that may block."""
        boot, path = self._clocks.boot, self._path
        kept = [
            _Kept(s.digest, s.who, s.csrf, s.stamp, s.place, s.opened, boot)
            for s in self._open.values()
        ]
        return lambda: None if path is None else write_private(path, msgspec.json.encode(kept))

    def _restore(self) -> None:
        """Restores the sessions; with an unreadable file people sign in again."""
        if self._path is None:
            return
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=list[_Kept])
        except (OSError, ValueError, RecursionError):
            return
        now = self._clocks.steady()
        for each in kept[-MAX_SESSIONS:]:
            same_boot = each.boot and each.boot == self._clocks.boot
            if same_boot and 0 <= now - each.opened < LASTS_S:
                self._open[each.digest] = SignInSession(
                    each.digest, each.who, each.stamp, each.place, each.csrf, each.opened, now, True
                )


def csrf_fits(session: SignInSession, given: str) -> bool:
    return hmac.compare_digest(session.csrf.encode(), given.encode("utf-8", "replace"))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
