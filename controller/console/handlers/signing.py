"""Signing in and out, the lock of a screen, the lock of an account."""

import asyncio
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from controller.console.auth.accounts import SECRET_MOST, Account, AccountsError, Tried
from controller.console.auth.sessions import IDLE_S, LASTS_S
from controller.console.context import ConsoleContext, Signed, answer, body, check_origin, log
from controller.console.handlers.fields import Nothing
from controller.console.problems import Problem
from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from controller.table import approvals
from controller.table.approvals import Act
from controller.views.sayings import View

WAITING_MOST: Final = 8
"""Sign-ins that may wait for argon2 at once; the others are told to come again."""

_Who = Annotated[str, Meta(min_length=1, max_length=64)]
Secret = Annotated[str, Meta(min_length=1, max_length=SECRET_MOST)]


class SignIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    who: _Who
    secret: Secret


class UnlockBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    secret: Secret


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    language: Annotated[str, Meta(min_length=2, max_length=16)]


class Door:
    """Lets people try their secret, not too many at once."""

    def __init__(self, context: ConsoleContext) -> None:
        self._room = context
        self._waiting = 0

    async def attempt(self, who: str, secret: str) -> Account:
        """Who this is; raises `Problem`. Every failure is written down."""
        if self._waiting >= WAITING_MOST:
            raise Problem("too_many", sentence(Code.TOO_MANY_SIGN_IN), then=["try-again"])
        self._waiting += 1
        try:
            tried, account = await asyncio.to_thread(self._room.accounts.attempt, who, secret)
        finally:
            self._waiting -= 1
        if tried is Tried.RIGHT:
            assert account is not None
            return account
        name = account.who if account else "somebody unknown"
        self._room.note("sign_in_failed", name)
        if tried is Tried.NOW_LOCKED:
            self._room.note("account_locked", name)
        if tried is Tried.WRONG:
            raise Problem("not_signed_in", sentence(Code.WRONG_SECRET), then=["sign-in"])
        raise Problem("locked", sentence(Code.ACCOUNT_LOCKED))


async def staff(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    """Who can sign in, for the tiles of the first page."""
    people = [
        {
            "who": each.who,
            "name": each.name,
            "role": each.role,
            "language": each.language,
            "locked": each.locked,
            **({"secret": context.pins[each.who]} if each.who in context.pins else {}),
        }
        for each in context.accounts.everybody()
    ]
    return answer({"demo": context.demo, "table": context.table, "staff": people})


async def sign_in(context: ConsoleContext, door: Door, request: Request) -> Response:
    check_origin(request)
    given = await body(request, SignIn)
    account = await door.attempt(given.who, given.secret)
    before = context.present(request)
    if before is not None:  # somebody else at this screen: theirs ends
        context.sessions.close(before.session)
    session, token = context.sessions.open(account.who)
    await _keep(context)
    context.note("signed_in", account.who)
    response = answer(me_of(context, Signed(session, account)))
    response.set_cookie(
        context.cookie,
        token,
        max_age=int(LASTS_S),
        path="/",
        secure=context.secure,
        httponly=True,
        samesite="strict",
    )
    return response


async def _keep(context: ConsoleContext) -> None:
    """A session that is not on disk is lost at the next restart, and that is all."""
    try:
        await asyncio.to_thread(context.sessions.keep())
    except AccountsError as error:
        log.warning("sessions_not_kept", why=str(error))


def me_of(context: ConsoleContext, signed: Signed) -> View:
    account, session = signed.account, signed.session
    return {
        "who": account.who,
        "name": account.name,
        "role": account.role,
        "language": account.language,
        "csrf": session.csrf,
        "locked": session.locked,
        "idle_s": IDLE_S,
        "feeds": context.feeds_of(account),
        "demo": context.demo,
        "table": context.table,
        "rulebook": context.rules.book.id,
    }


async def me(context: ConsoleContext, request: Request) -> Response:
    return answer(me_of(context, context.signed(request)))


async def sign_out(context: ConsoleContext, request: Request) -> Response:
    signed = context.signed(request)
    await body(request, Nothing)
    context.sessions.close(signed.session)
    await _keep(context)
    context.note("signed_out", signed.account.who)
    response = answer({})
    response.delete_cookie(context.cookie, path="/", secure=context.secure, httponly=True)
    return response


async def lock(context: ConsoleContext, request: Request) -> Response:
    signed = context.signed(request)
    await body(request, Nothing)
    signed.session.locked = True
    return answer(me_of(context, signed))


async def unlock(context: ConsoleContext, door: Door, request: Request) -> Response:
    signed = context.signed(request)
    given = await body(request, UnlockBody)
    account = await door.attempt(signed.account.who, given.secret)
    context.sessions.unlock(signed.session)
    return answer(me_of(context, Signed(signed.session, account)))


async def here(context: ConsoleContext, request: Request) -> Response:
    """Somebody touched the screen."""
    signed = context.signed(request)
    await body(request, Nothing)
    context.sessions.touch(signed.session)
    return answer(me_of(context, signed))


async def language(context: ConsoleContext, request: Request) -> Response:
    signed = context.awake(request)
    given = await body(request, Language)
    try:
        account = await asyncio.to_thread(
            context.accounts.speak, signed.account.who, given.language
        )
    except AccountsError as error:
        raise Problem("bad_request", str(error)) from None
    return answer(me_of(context, Signed(signed.session, account)))


async def unlock_account(context: ConsoleContext, request: Request) -> Response:
    signed = context.awake(request)
    await body(request, Nothing)
    if not context.may(signed.account, Act.UNLOCK_ACCOUNT):
        role = approvals.of(Act.UNLOCK_ACCOUNT).role
        raise Problem("not_allowed", sentence(Code.TAKES_ROLE, role=role))
    who = request.path_params["who"]
    try:
        await asyncio.to_thread(context.accounts.unlock, who)
    except AccountsError as error:
        raise Problem("not_found", str(error)) from None
    context.note("account_unlocked", who, f"by {signed.account.who}")
    return answer({})
