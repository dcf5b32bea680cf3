"""Enrols one's own second factor at the table: a key for the authenticator, confirmed by a first
code. Until then the account is unchanged, and the key is only in memory."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from controller.console.auth import totp
from controller.console.auth.client_origin import TABLE
from controller.console.auth.private_file import AccountsError
from controller.console.auth.totp import TypedCode
from controller.console.context import ConsoleContext, Signed, answer, body
from controller.console.handlers.credentials import Door, Secret
from controller.console.handlers.session_endpoints import me_of
from controller.console.problems import Problem
from controller.messages.codes import Code
from controller.messages.sentence import sentence

MAX_CODES: Final = 5
"""Wrong codes before the key is discarded and a new one is needed."""
MAX_OFFERED: Final = 20
"""Keys that wait for their first code; the oldest is discarded first."""


class NewFactor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    secret: Secret
    """The own PIN, so that another person cannot enrol a telephone at an open screen."""


class FirstCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(min_length=1, max_length=16)]


class OfferedFactor(msgspec.Struct, frozen=True):
    """The key for an authenticator, typed or as a link; shown only once."""

    key: str
    uri: str


@dataclass
class _Offered:
    key: str
    left: int = MAX_CODES


class SecondFactors:
    """Keys that are shown and not yet confirmed, one a session; they are lost when the console
    stops."""

    def __init__(self, context: ConsoleContext) -> None:
        self._room = context
        self._offered: dict[str, _Offered] = {}

    async def offer(self, door: Door, request: Request) -> Response:
        """Offers a new key. An enrolled factor must be removed first: otherwise a person who knows
        the PIN could replace it with their own telephone."""
        signed = self._at_table(request)
        given = await body(request, NewFactor)
        await door.own_pin(request, signed, given.secret)
        signed = self._at_table(request)  # the PIN check takes time
        key = totp.new_secret(self._room.entropy(totp.KEY_BYTES))
        self._offered.pop(signed.session.digest, None)
        while len(self._offered) >= MAX_OFFERED:
            del self._offered[next(iter(self._offered))]
        self._offered[signed.session.digest] = _Offered(key)
        uri = totp.uri(key, signed.account.who, self._room.table)
        return answer(OfferedFactor(key, uri))

    async def confirm(self, request: Request) -> Response:
        signed = self._at_table(request)
        given = await body(request, FirstCode)
        offered = self._offered.get(signed.session.digest)
        if offered is None:
            raise Problem("not_allowed", sentence(Code.NO_KEY_OFFERED))
        typed = TypedCode(given.code.replace(" ", ""), self._room.wall())
        step = totp.matching_step(offered.key, typed, 0)
        if step is None:
            offered.left -= 1
            if not offered.left:
                del self._offered[signed.session.digest]
            raise Problem("not_allowed", sentence(Code.WRONG_FIRST_CODE, left=offered.left))
        del self._offered[signed.session.digest]
        who = signed.account.who
        try:
            account = await asyncio.to_thread(
                self._room.accounts.second_factor, who, offered.key, step
            )
        except AccountsError as error:  # the account was removed in the meantime
            raise Problem("bad_request", str(error)) from None
        signed.session.stamp = account.stamp  # all other sessions of the account end
        await self._room.keep_sessions()
        self._room.note("second_factor", who, "enrolled at the table")
        return answer(me_of(self._room, Signed(signed.session, account)))

    def _at_table(self, request: Request) -> Signed:
        signed = self._room.awake(request)
        if self._room.client_origin(request) != TABLE:
            raise Problem("not_allowed", sentence(Code.AT_THE_TABLE_ONLY))
        if signed.account.totp:
            raise Problem("not_allowed", sentence(Code.HAS_SECOND_FACTOR))
        return signed
