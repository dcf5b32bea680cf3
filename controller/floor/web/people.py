"""People at the floor's screens: accounts with a second factor, sessions and permissions.

Every sign-in needs the code of an authenticator, because no colleague at a table sees the person.
Locks, time-outs and PINs for sensitive acts are as at a table's console.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from starlette.requests import HTTPConnection, Request

from controller.console.auth.accounts import SURVEILLANCE, Account, Accounts, Tried
from controller.console.auth.client_origin import TABLE, address_of
from controller.console.auth.login_queue import LoginQueue
from controller.console.auth.sessions import Sessions
from controller.console.auth.totp import TypedCode
from controller.console.context import Signed, SignedScreens
from controller.console.handlers.credentials import SignIn
from controller.console.problems import Problem
from controller.game.roles import Ladder, Role
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table import approvals
from controller.table.approvals import Act

_COOKIE: Final = "sabot-floor"
LADDER: Final = Ladder()
AT_FLOOR: Final = (
    Act.SPEAK_FROM_FLOOR,
    Act.ACKNOWLEDGE_EXCEPTION,
    Act.PUBLISH_PEOPLE,
    Act.PUBLISH_LIMITS,
)
"""Acts that the pages offer, by permission."""
_HERE: Final = "floor"
"""The key of the floor's own machine in the place of a table."""


@dataclass
class FloorPeople(SignedScreens):
    """The people of one floor. `note` stores what they do outside play."""

    accounts: Accounts
    turns: LoginQueue
    sessions: Sessions
    wall: Callable[[], float]
    note: Callable[[str, str, str], None]
    secure: bool = False
    pins: Mapping[str, str] = field(default_factory=dict)
    """A demonstration's PINs, which replace the authenticator."""

    @property
    def cookie(self) -> str:
        return f"__Host-{_COOKIE}" if self.secure else _COOKIE

    @property
    def demo(self) -> bool:
        return bool(self.pins)

    def client_origin(self, connection: HTTPConnection) -> str:
        found = address_of(connection)
        return _HERE if found == TABLE else found

    # --- the door ----------------------------------------------------------------------------

    async def somebody(self, request: Request, given: SignIn) -> Account:
        """Authenticates a person; raises `Problem` with the same answer for every failure."""
        code = None
        if not self.demo:
            if not given.code:
                raise Problem("not_signed_in", sentence(Code.TAKES_CODE), then=["sign-in"])
            code = TypedCode(given.code.replace(" ", ""), self.wall())
        place = self.client_origin(request)
        found = await self.turns.attempt(given.who, given.secret, place, code)
        if found.tried is Tried.RIGHT and found.account is not None:
            return found.account
        self._failed(found.account, found.tried, place)
        raise Problem("not_signed_in", sentence(Code.WRONG_ELSEWHERE), then=["sign-in"])

    async def own_pin(self, request: Request, signed: Signed, secret: str) -> None:
        """Checks the PIN of the signed-in person again, because a screen may have been left
        open."""
        place = self.client_origin(request)
        found = await self.turns.attempt(signed.account.who, secret, place, None)
        if found.tried is Tried.RIGHT:
            return
        self._failed(found.account, found.tried, place)
        if found.tried is Tried.WRONG:
            wrong = sentence(Code.WRONG_SECRET, left=found.left)
            raise Problem("not_signed_in", wrong, then=["pin"])
        for session in self.sessions.of(signed.account.who):
            self.sessions.close(session)
        raise Problem(
            "locked",
            sentence(Code.ACCOUNT_LOCKED, role=approvals.approval_row(Act.UNLOCK_ACCOUNT).role),
        )

    def _failed(self, account: Account | None, tried: Tried, place: str) -> None:
        who = account.who if account else "somebody unknown"
        what = "account_locked" if tried is Tried.NOW_LOCKED else "sign_in_failed"
        self.note(what, who, f"from {place}")

    # --- permissions -------------------------------------------------------------------------

    def present(self, connection: HTTPConnection) -> Signed | None:
        session = self.sessions.find(connection.cookies.get(self.cookie, ""))
        account = None if session is None else self.accounts.known(session.who)
        if session is None or account is None or session.place != self.client_origin(connection):
            return None
        if not session.belongs_to(account):
            self.sessions.close(session)
            return None
        return Signed(session, account)

    def who_may(self, request: Request, act: Act) -> Signed:
        """The signed-in person, if their role permits the act; surveillance may only watch."""
        found = self.awake(request)
        if not may(found.account, act):
            role = approvals.approval_row(act).role
            raise Problem("not_allowed", sentence(Code.TAKES_ROLE, role=role))
        return found


def may(account: Account, act: Act) -> bool:
    if account.role == SURVEILLANCE:
        return False
    return LADDER.may_act(Role(account.role), approvals.approval_row(act).role)
