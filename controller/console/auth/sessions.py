"""Who is signed in where: kept by the server, the browser has a meaningless token.

A restart of the table loses no screen: sessions come back locked, the cards run on, and a PIN
opens them again. Only the digest of a token is on disk.
"""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.console.auth.accounts import write_private

IDLE_S: Final = 300.0
"""Without a word or a touch for so long a screen locks (GLI-19 C.6.5d)."""
LASTS_S: Final = 12 * 3600.0
"""A long shift; then everybody signs in anew."""
MOST: Final = 200
TOKEN_BYTES: Final = 32


@dataclass(slots=True)
class SignInSession:
    digest: str
    who: str
    csrf: str
    made: float
    """Wall time, for a session has to end also across restarts."""
    touched: float
    """Steady time: a clock that jumps locks nobody out and keeps no screen open."""
    locked: bool = False

    def __repr__(self) -> str:
        return f"Session({self.who!r})"


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    digest: str
    who: str
    csrf: str
    made: float


class Sessions:
    """Used from the web's loop alone. `wall` and `steady` are clocks, `entropy` gives bytes."""

    def __init__(
        self,
        wall: Callable[[], float],
        steady: Callable[[], float],
        entropy: Callable[[int], bytes],
        path: Path | None = None,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._entropy = entropy
        self._path = path
        self._open: dict[str, SignInSession] = {}
        self._restore()

    def open(self, who: str) -> tuple[SignInSession, str]:
        """A new session and the token for its cookie."""
        while len(self._open) >= MOST:
            del self._open[min(self._open.values(), key=lambda each: each.touched).digest]
        token = self._entropy(TOKEN_BYTES).hex()
        csrf = self._entropy(TOKEN_BYTES).hex()
        session = SignInSession(_digest(token), who, csrf, self._wall(), self._steady())
        self._open[session.digest] = session
        return session, token

    def find(self, token: str) -> SignInSession | None:
        session = self._open.get(_digest(token))
        return session if session is not None and self.lives(session) else None

    def lives(self, session: SignInSession) -> bool:
        """Whether it still is one; locks it when nobody has touched it for long."""
        if self._open.get(session.digest) is not session:
            return False
        if not 0 <= self._wall() - session.made < LASTS_S:
            self.close(session)
            return False
        if self._steady() - session.touched >= IDLE_S:
            session.locked = True
        return True

    def touch(self, session: SignInSession) -> None:
        if not session.locked:
            session.touched = self._steady()

    def unlock(self, session: SignInSession) -> None:
        session.locked = False
        session.touched = self._steady()

    def close(self, session: SignInSession) -> None:
        self._open.pop(session.digest, None)

    def keep(self) -> Callable[[], None]:
        """What writes down who is signed in now; call it where waiting for a disk hurts nobody."""
        kept = [_Kept(s.digest, s.who, s.csrf, s.made) for s in self._open.values()]
        path = self._path
        return lambda: None if path is None else write_private(path, msgspec.json.encode(kept))

    def _restore(self) -> None:
        """A file that cannot be read costs a PIN and nothing else."""
        if self._path is None:
            return
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=list[_Kept])
        except (OSError, msgspec.DecodeError, RecursionError):
            return
        for each in kept[-MOST:]:
            session = SignInSession(
                each.digest, each.who, each.csrf, each.made, self._steady(), True
            )
            self._open[session.digest] = session


def csrf_fits(session: SignInSession, given: str) -> bool:
    return hmac.compare_digest(session.csrf.encode(), given.encode("utf-8", "replace"))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
