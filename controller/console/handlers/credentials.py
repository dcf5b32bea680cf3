"""Checks credentials: name, secret and, away from the table, a second factor."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta
from starlette.requests import HTTPConnection

from controller.console.auth.accounts import MAX_SECRET, Account, Attempt, Tried
from controller.console.auth.client_origin import TABLE
from controller.console.auth.totp import TypedCode
from controller.console.context import ConsoleContext, Signed
from controller.console.problems import Problem
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table import approvals
from controller.table.approvals import Act

UNKNOWN: Final = "somebody unknown"
MAX_NOTED: Final = 10
NOTED_S: Final = 60.0
"""Interval in which `MAX_NOTED` failures of unknown or locked names are recorded one by one. More
are counted, and the next record has the count: a flood must not fill the journal."""

_Who = Annotated[str, Meta(min_length=1, max_length=64)]
Secret = Annotated[str, Meta(min_length=1, max_length=MAX_SECRET)]


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    who: _Who
    secret: Secret
    code: Annotated[str, Meta(max_length=16)] | None = None
    """The authenticator's code; required away from the table."""


class Door:
    """Checks secrets and records every failure."""

    def __init__(self, context: ConsoleContext) -> None:
        self._room = context
        self._window = float("-inf")
        self._noted = self._unnoted = 0

    async def somebody(self, connection: HTTPConnection, given: SignIn) -> Account:
        """The account that the credentials prove; raises `Problem`. Elsewhere than at the table
        every failure gets the same answer, so that trying names reveals no staff."""
        place, code = self._room.client_origin(connection), None
        if place != TABLE:
            if not given.code:
                raise Problem("not_signed_in", sentence(Code.TAKES_CODE), then=["sign-in"])
            code = TypedCode(given.code.replace(" ", ""), self._room.wall())
        found = await self._tried(given.who, given.secret, place, code)
        if found.tried is not Tried.RIGHT and place != TABLE:
            raise Problem("not_signed_in", sentence(Code.WRONG_ELSEWHERE), then=["sign-in"])
        return _let_in(found)

    async def own_pin(self, connection: HTTPConnection, signed: Signed, secret: str) -> Account:
        """Checks the signed-in person's own PIN; the answer may be precise, because the name is
        known."""
        place = self._room.client_origin(connection)
        return _let_in(await self._tried(signed.account.who, secret, place, None))

    async def _tried(self, who: str, secret: str, place: str, code: TypedCode | None) -> Attempt:
        found = await self._room.turns.attempt(who, secret, place, code)
        if found.tried is not Tried.RIGHT:
            self._note(found, place)
        if found.tried is Tried.NOW_LOCKED and found.account:
            for session in self._room.sessions.of(found.account.who):
                if session.place == place:
                    self._room.end(session)
        return found

    def _note(self, found: Attempt, place: str) -> None:
        where = [] if place == TABLE else [f"from {place}"]
        who = found.account.who if found.account else UNKNOWN
        if found.account and found.tried is not Tried.LOCKED:
            self._room.note("sign_in_failed", who, "; ".join(where))
            if found.tried is Tried.NOW_LOCKED:
                self._room.note("account_locked", who, "; ".join(where))
            return
        now = self._room.wall()
        if not 0 <= now - self._window < NOTED_S:
            self._window, self._noted = now, 0
        if self._noted >= MAX_NOTED:
            self._unnoted += 1
            return
        self._noted += 1
        more = [f"and {self._unnoted} more before"] if self._unnoted else []
        self._unnoted = 0
        self._room.note("sign_in_failed", who, "; ".join(where + more))


def _let_in(found: Attempt) -> Account:
    if found.tried is Tried.RIGHT:
        assert found.account is not None
        return found.account
    if found.tried is Tried.WRONG:
        wrong = sentence(Code.WRONG_SECRET, left=found.left)
        raise Problem("not_signed_in", wrong, then=["sign-in"])
    role = approvals.approval_row(Act.UNLOCK_ACCOUNT).role
    raise Problem("locked", sentence(Code.ACCOUNT_LOCKED, role=role))
