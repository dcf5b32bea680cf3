"""Signing in and out, the lock of a screen, the lock of an account."""

import asyncio
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from controller.console.auth.accounts import Account
from controller.console.auth.client_origin import TABLE
from controller.console.auth.private_file import AccountsError
from controller.console.auth.sessions import IDLE_S, LASTS_S
from controller.console.context import ConsoleContext, Signed, answer, body, check_origin
from controller.console.handlers.credentials import Door, Secret, SignIn
from controller.console.handlers.fields import Nothing
from controller.console.problems import Problem
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table import approvals
from controller.table.approvals import Act

KIOSK_LASTS_S: Final = 365 * 24 * 3600
"""Lifetime of the cookie; a kiosk ends when it is removed from the list."""


class UnlockBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    secret: Secret


class UnlockAccount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    secret: Secret | None = None
    """The own PIN of the person who unlocks: an open screen alone unlocks no account."""


class KioskLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    token: Annotated[str, Meta(min_length=1, max_length=128)]


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    language: Annotated[str, Meta(min_length=2, max_length=16)]


StaffRole = Annotated[str, Meta(extra={"typescript": 'Role | "surveillance"'})]


class ListedPerson(msgspec.Struct, frozen=True):
    """A person who can sign in."""

    who: str
    name: str
    role: StaffRole
    language: str
    locked: bool
    """Whether the account is locked at the place of this page."""
    locked_anywhere: bool
    """Whether it is locked here or at any other address."""
    secret: str | UnsetType = UNSET
    """A demonstration's PIN."""


class Staff(msgspec.Struct, frozen=True):
    """The people who can sign in; empty for a stranger away from the table."""

    demo: bool
    table: str
    at_table: bool
    staff: list[ListedPerson]
    benches: dict[str, str] | UnsetType = UNSET
    """A demo's pages of the emulated devices, by device."""


class Me(msgspec.Struct, frozen=True):
    """The signed-in person."""

    who: str
    name: str
    role: StaffRole
    language: str
    csrf: str
    locked: bool
    at_table: bool
    """False: signed in from another address, with a second factor."""
    second_factor: bool
    """An authenticator is enrolled."""
    idle_s: float
    """Seconds without activity after which the screen locks."""
    feeds: list[str]
    demo: bool
    table: str
    rulebook: str


class EnrolledKiosk(msgspec.Struct, frozen=True):
    kiosk: str
    """The name of the kiosk."""


async def staff(context: ConsoleContext, request: Request) -> Response:
    """Lists who can sign in, for the tiles of the first page: at the table, and for signed-in
    staff. A stranger on the network gets no name."""
    place = context.client_origin(request)
    at_table = place == TABLE
    shown = at_table or context.present(request) is not None
    people = [
        ListedPerson(
            who=each.who,
            name=each.name,
            role=each.role,
            language=each.language,
            locked=each.locked_at(place),
            locked_anywhere=each.locked_places > 0 or each.locked_at(TABLE),
            secret=context.pins.get(each.who, UNSET),
        )
        for each in (context.accounts.everybody() if shown else ())
    ]
    benches = dict(context.benches) if context.demo else UNSET
    return answer(Staff(context.demo, context.table, at_table, people, benches))


async def sign_in(context: ConsoleContext, door: Door, request: Request) -> Response:
    check_origin(request)
    given = await body(request, SignIn)
    account = await door.somebody(request, given)
    before = context.present(request)
    if before is not None:  # another person's session at this screen ends
        context.sessions.close(before.session)
    place = context.client_origin(request)
    session, token = context.sessions.open(account, place)
    await context.keep_sessions()
    context.note("signed_in", account.who, "" if place == TABLE else f"from {place}")
    _relieve(context, account, place)
    response = answer(me_of(context, Signed(session, account)))
    context.set_cookie(response, context.cookie, token, LASTS_S)
    return response


def _relieve(context: ConsoleContext, account: Account, place: str) -> None:
    """Records which dealer takes over from which."""
    if not context.deals(account) or place != TABLE:
        return
    if context.dealer not in (None, account.who):
        context.note("relieved", account.who, f"relieves {context.dealer}")
    context.dealer = account.who


async def kiosk(context: ConsoleContext, request: Request) -> Response:
    """Enrols the screen that opens a kiosk's link: it counts as the table from now on."""
    check_origin(request)
    given = await body(request, KioskLink)
    found = None
    if context.kiosks is not None:
        found = await asyncio.to_thread(context.kiosks.enrol, given.token, context.wall())
    if found is None:
        raise Problem("not_allowed", sentence(Code.LINK_IS_USED))
    name, cookie = found
    context.note("kiosk_enrolled", name, f"at {context.client_origin(request)}")
    response = answer(EnrolledKiosk(name))
    context.set_cookie(response, context.kiosk_cookie, cookie, KIOSK_LASTS_S)
    return response


def me_of(context: ConsoleContext, signed: Signed) -> Me:
    account, session = signed.account, signed.session
    return Me(
        who=account.who,
        name=account.name,
        role=account.role,
        language=account.language,
        csrf=session.csrf,
        locked=session.locked,
        at_table=session.place == TABLE,
        second_factor=bool(account.totp),
        idle_s=IDLE_S,
        feeds=context.feeds_of(account),
        demo=context.demo,
        table=context.table,
        rulebook=context.rules.book.id,
    )


async def me(context: ConsoleContext, request: Request) -> Response:
    return answer(me_of(context, context.signed(request)))


async def sign_out(context: ConsoleContext, request: Request) -> Response:
    signed = context.signed(request)
    await body(request, Nothing)
    context.sessions.close(signed.session)
    await context.keep_sessions()
    context.note("signed_out", signed.account.who)
    response = answer({})
    response.delete_cookie(context.cookie, path="/", secure=context.secure, httponly=True)
    return response


async def lock(context: ConsoleContext, request: Request) -> Response:
    signed = context.signed(request)
    await body(request, Nothing)
    if not signed.session.locked:
        signed.session.locked = True
        context.note("screen_locked", signed.account.who, "by hand")
    return answer(me_of(context, signed))


async def unlock(context: ConsoleContext, door: Door, request: Request) -> Response:
    signed = context.signed(request)
    given = await body(request, UnlockBody)
    account = await door.own_pin(request, signed, given.secret)
    context.sessions.unlock(signed.session)
    context.note("screen_unlocked", account.who)
    return answer(me_of(context, Signed(signed.session, account)))


async def here(context: ConsoleContext, request: Request) -> Response:
    """Records activity at the screen."""
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


async def unlock_account(context: ConsoleContext, door: Door, request: Request) -> Response:
    """Unlocks an account. This needs another person of a sufficient role with their own PIN:
    otherwise a person who guesses PINs at an open screen could unlock the account and continue."""
    signed = context.awake(request)
    given = await body(request, UnlockAccount)
    if not context.may(signed.account, Act.UNLOCK_ACCOUNT):
        role = approvals.approval_row(Act.UNLOCK_ACCOUNT).role
        raise Problem("not_allowed", sentence(Code.TAKES_ROLE, role=role))
    who = request.path_params["who"]
    if who == signed.account.who:
        raise Problem("not_allowed", sentence(Code.TAKES_SOMEBODY_ELSE))
    if given.secret is not None:
        await door.own_pin(request, signed, given.secret)
        context.awake(request)  # the PIN check takes time, and the role may have changed
    elif approvals.approval_row(Act.UNLOCK_ACCOUNT).in_person:
        raise Problem("not_allowed", sentence(Code.TAKES_OWN_PIN), then=["pin"])
    try:
        await asyncio.to_thread(context.accounts.unlock, who)
    except AccountsError as error:
        raise Problem("not_found", str(error)) from None
    context.note("account_unlocked", who, f"by {signed.account.who}")
    return answer({})
