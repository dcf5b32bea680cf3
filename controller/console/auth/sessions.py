"""Who is signed in where: kept by the server, the browser has a meaningless token.

A session is one account's, by its id and as it was when it began, at one place. It ages by steady
time: a wall clock that somebody sets ends no session and keeps none. A restart of the console loses
no screen: sessions come back locked, the cards run on, and a PIN opens them again. Steady time
begins again when the machine does, so nothing can be said about a session of another boot: it has
ended. Only the digest of a token is on disk.
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
"""Without a word or a touch for so long a screen locks (GLI-19 C.6.5d)."""
LASTS_S: Final = 12 * 3600.0
"""A long shift; then everybody signs in again."""
MAX_SESSIONS: Final = 200
TOKEN_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Clocks:
    """What time is asked of: `steady` counts from the machine's start, whose name `boot` is."""

    steady: Callable[[], float]
    boot: str


@dataclass(slots=True)
class SignInSession:
    digest: str
    who: str
    stamp: str
    """Of the account it was opened for."""
    place: str
    csrf: str
    opened: float
    """Steady time, as `touched`."""
    touched: float
    locked: bool = False

    def belongs_to(self, account: Account) -> bool:
        """Whether this still is theirs."""
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
    """Used from the web's loop alone. `entropy` gives bytes; `told_locked` hears of every session
    that locks because nobody has touched its screen."""

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
        """A new session and the token for its cookie."""
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
        """Whether it still is one; locks it when nobody has touched it for long."""
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
        """All that still live."""
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
        """What writes down who is signed in now; call it where waiting for a disk hurts nobody."""
        boot, path = self._clocks.boot, self._path
        kept = [
            _Kept(s.digest, s.who, s.csrf, s.stamp, s.place, s.opened, boot)
            for s in self._open.values()
        ]
        return lambda: None if path is None else write_private(path, msgspec.json.encode(kept))

    def _restore(self) -> None:
        """A file that cannot be read costs a PIN and nothing else."""
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
