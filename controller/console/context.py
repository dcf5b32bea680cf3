"""The context of every endpoint: the table's client, accounts, sessions and feeds."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

import msgspec
import structlog
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from controller.console.auth.accounts import SURVEILLANCE, Account, Accounts
from controller.console.auth.client_origin import TABLE, address_of
from controller.console.auth.guard import same_origin
from controller.console.auth.kiosks import Kiosks
from controller.console.auth.login_queue import LoginQueue
from controller.console.auth.private_file import AccountsError
from controller.console.auth.sessions import Sessions, SignInSession, csrf_fits
from controller.console.data.feeds import Feeds
from controller.console.data.figures import ShiftFigures
from controller.console.data.idempotency import IdempotencyKeys
from controller.console.data.round_history import Recall
from controller.console.data.round_list import RoundList
from controller.console.data.staff_priority import StaffPriority
from controller.console.problems import Problem
from controller.game.roles import Role
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.runtime.client import Busy, Stopped, TableClient
from controller.runtime.snapshots import Snapshot
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.commands.device_events import NotedEvent
from controller.table.commands.message import Message
from controller.table.rules import Rules
from controller.views.structs.encoding import encode
from controller.views.structs.setup import TableAbout

LIVE: Final = "live"
CSRF_HEADER: Final = "x-sabot-csrf"
_COOKIE: Final = "sabot"
_KIOSK_COOKIE: Final = "sabot-kiosk"
_SECURE: Final = "__Host-"

Struct = TypeVar("Struct", bound=msgspec.Struct)

log = structlog.get_logger()


class FloorLink(msgspec.Struct, frozen=True):
    """The state of the connection between this table and its floor."""

    connected: bool
    unsent: int
    """Records that the floor has not acknowledged."""
    state: str
    """asking, sending, diverged or refused."""
    why: str | None
    says: str
    """The network error that prevents a connection."""
    refused: str
    """Documents of the site that the table refuses, and why."""


class Signed(NamedTuple):
    session: SignInSession
    account: Account


class SignedScreens(ABC):
    """Finds who is signed in at the screens of a console or of a floor."""

    sessions: Sessions
    secure: bool

    @abstractmethod
    def present(self, connection: HTTPConnection) -> Signed | None:
        """The signed-in person, or None."""

    def signed(self, request: Request) -> Signed:
        """The signed-in person; a request that changes anything must come from our own page."""
        return proven(request, self.present(request))

    def awake(self, request: Request) -> Signed:
        """The signed-in person at a screen that is not locked."""
        found = self.signed(request)
        if found.session.locked:
            raise Problem("locked", sentence(Code.SCREEN_LOCKED), then=["unlock"])
        self.sessions.touch(found.session)
        return found

    def set_cookie(self, response: Response, name: str, value: str, lasts_s: float) -> None:
        response.set_cookie(
            name,
            value,
            max_age=int(lasts_s),
            path="/",
            secure=self.secure,
            httponly=True,
            samesite="strict",
        )


@dataclass
class ConsoleContext(SignedScreens):
    """One console of one table."""

    client: TableClient
    rules: Rules
    accounts: Accounts
    turns: LoginQueue
    sessions: Sessions
    idempotency: IdempotencyKeys
    feeds: Feeds
    wall: Callable[[], float]
    entropy: Callable[[int], bytes]
    staff_first: StaffPriority = field(default_factory=StaffPriority)
    kiosks: Kiosks | None = None
    rounds: RoundList | None = None
    recall: Recall | None = None
    shift: ShiftFigures | None = None
    table: str = "Table"
    mode: str = "live"
    """`live` is real play; every view shows any other mode."""
    chip_unit: int = 1
    secure: bool = False
    """Served under TLS: the cookie is sent under TLS only."""
    pins: Mapping[str, str] = field(default_factory=dict)
    """A demo's public PINs; empty at a real table."""
    benches: Mapping[str, str] = field(default_factory=dict)
    """Pages of the emulated devices, by the device's name."""
    metrics: Callable[[], bytes] | None = None
    floor: Callable[[], FloorLink] | None = None
    dealer: str | None = None
    """The last dealer, recorded when the next one takes over."""
    _sessions_changed: bool = False

    def __post_init__(self) -> None:
        self.sessions.told_locked = lambda session: self.note("screen_locked", session.who, "idle")
        for session in sorted(self.sessions.everything(), key=lambda each: each.opened):
            account = self.accounts.known(session.who)  # signed in before a restart
            if account is not None and session.place == TABLE and self.deals(account):
                self.dealer = account.who

    @property
    def demo(self) -> bool:
        return self.mode != LIVE

    @property
    def cookie(self) -> str:
        return f"{_SECURE}{_COOKIE}" if self.secure else _COOKIE

    @property
    def kiosk_cookie(self) -> str:
        return f"{_SECURE}{_KIOSK_COOKIE}" if self.secure else _KIOSK_COOKIE

    # --- who speaks --------------------------------------------------------------------------

    def client_origin(self, connection: HTTPConnection) -> str:
        """The origin of a request: the table, or one other address."""
        found = address_of(connection)
        if found != TABLE and self.kiosks is not None:
            kiosk = self.kiosks.knows(connection.cookies.get(self.kiosk_cookie, ""))
            return TABLE if kiosk else found
        return found

    def present(self, connection: HTTPConnection) -> Signed | None:
        """The signed-in person. A session that was opened at the table, without a second factor, is
        not valid elsewhere."""
        session = self.sessions.find(connection.cookies.get(self.cookie, ""))
        account = None if session is None else self._account_of(session)
        if session is None or account is None:
            return None
        if session.place == TABLE and self.client_origin(connection) != TABLE:
            return None
        return Signed(session, account)

    def _account_of(self, session: SignInSession) -> Account | None:
        """The session's account; ends the session if the account has changed."""
        account = self.accounts.known(session.who)
        if account is not None and session.belongs_to(account):
            return account
        self.end(session)
        return None

    def end(self, session: SignInSession) -> None:
        self.sessions.close(session)
        self._sessions_changed = True
        self.note("session_ended", session.who)

    async def look_after_sessions(self) -> None:
        """Locks and ends inactive sessions, once a second, also without requests."""
        for session in self.sessions.everything():
            self._account_of(session)
        if self._sessions_changed:
            await self.keep_sessions()

    async def keep_sessions(self) -> None:
        """Writes sessions to disk; a lost session only means signing in again."""
        self._sessions_changed = False
        try:
            await asyncio.to_thread(self.sessions.keep())
        except AccountsError as error:
            log.warning("sessions_not_kept", why=str(error))

    def may(self, account: Account, act: Act) -> bool:
        """Whether an account's role permits an act; surveillance only watches."""
        if account.role == SURVEILLANCE:
            return False
        return self.rules.ladder.may_act(Role(account.role), approvals.approval_row(act).role)

    def deals(self, account: Account) -> bool:
        """Whether an account's only task is dealing."""
        return account.role == approvals.approval_row(Act.DEAL).role.value

    def feeds_of(self, account: Account) -> list[str]:
        """The audiences whose feeds an account may read."""
        watches = account.role == SURVEILLANCE
        reach = {
            "dealer": watches or self.may(account, Act.SEE_AS_DEALER),
            "pit": watches or self.may(account, Act.SEE_AS_PIT),
            "surveillance": watches or self.may(account, Act.SEE_AS_SURVEILLANCE),
            "public": True,
        }
        return [audience for audience, reaches in reach.items() if reaches]

    # --- the table ---------------------------------------------------------------------------

    def latest(self) -> Snapshot:
        posted = self.client.snapshots.latest
        if posted is None:
            raise Problem("busy", sentence(Code.TABLE_STARTING), then=["try-again"])
        return posted

    def note(self, what: str, who: str, text: str = "") -> None:
        """Writes an event outside play into the journal. A busy table does not prevent it."""
        event = NotedEvent(what=what, who=who, says=text or None)
        log.info(what, who=who)
        try:
            self.client.ask(Message("system", event, at=self.wall()))
        except (Busy, Stopped):
            log.warning("not_noted", what=what, who=who)


def proven(request: Request, found: Signed | None) -> Signed:
    """The signed-in person, with a request from our own page; raises `Problem`."""
    changes = request.method not in ("GET", "HEAD")
    if changes:
        check_origin(request)
    if found is None:
        raise Problem("not_signed_in", sentence(Code.NOT_SIGNED_IN), then=["sign-in"])
    if changes and not csrf_fits(found.session, request.headers.get(CSRF_HEADER, "")):
        raise Problem("not_allowed", sentence(Code.PAGE_IS_OLD), then=["reload"])
    return found


def check_origin(connection: HTTPConnection) -> None:
    if not same_origin(connection.scope):
        raise Problem("not_allowed", sentence(Code.FROM_ANOTHER_SITE))


async def body(request: Request, shape: type[Struct]) -> Struct:
    """Decodes the request's body; an empty one is `{}`."""
    raw = await request.body()
    try:
        return msgspec.json.decode(raw or b"{}", type=shape)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Problem("bad_request", str(error)) from None
    except RecursionError:
        raise Problem("bad_request", "JSON is nested too deeply") from None


def answer(found: object, status: int = 200) -> Response:
    return Response(encode(found), status, media_type="application/json")


def about(table: str, mode: str) -> TableAbout:
    return TableAbout(mode != LIVE, mode, table)
