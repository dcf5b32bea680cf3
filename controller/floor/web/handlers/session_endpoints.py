"""Signing in and out at the floor's screens, and their lock."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.console.auth.sessions import IDLE_S, LASTS_S
from controller.console.context import Signed, answer, body, check_origin
from controller.console.handlers.credentials import SignIn
from controller.console.handlers.fields import Nothing
from controller.console.handlers.session_endpoints import UnlockBody
from controller.console.problems import Problem
from controller.floor.web.context import FloorContext
from controller.floor.web.people import AT_FLOOR, LADDER, may
from controller.messages.codes import Code
from controller.messages.sentence import sentence


class FloorPerson(msgspec.Struct, frozen=True):
    """Who is signed in."""

    who: str
    name: str
    role: str
    language: str
    csrf: str
    locked: bool
    idle_s: float
    zone: str
    """The site's time zone, as the tz database names it."""
    site: str
    title: str
    demo: bool
    may: list[str]
    """The floor's acts that they may do, by the rows of the approvals."""
    ladder: list[list[str]]
    """The roles, lowest first."""


class FloorStaffMember(msgspec.Struct, frozen=True):
    """A person who can sign in at a demonstration."""

    who: str
    name: str
    role: str
    language: str
    locked: bool
    secret: str | None
    """The PIN, shown to everybody."""


class FloorStaff(msgspec.Struct, frozen=True):
    """The staff of a demonstration; empty on a live floor."""

    demo: bool
    title: str
    staff: list[FloorStaffMember]


def _person(context: FloorContext, signed: Signed) -> FloorPerson:
    account, session = signed.account, signed.session
    return FloorPerson(
        who=account.who,
        name=account.name,
        role=account.role,
        language=account.language,
        csrf=session.csrf,
        locked=session.locked,
        idle_s=IDLE_S,
        zone=str(context.shifts.zone),
        site=context.site,
        title=context.title,
        demo=context.people.demo,
        may=[act.value for act in AT_FLOOR if may(account, act)],
        ladder=[[role.value for role in rung] for rung in LADDER.rungs],
    )


async def staff(context: FloorContext, request: Request) -> FloorStaff:  # noqa: ARG001
    """The staff of a demonstration with their PINs; on a live floor an empty list."""
    people = context.people
    shown = people.accounts.everybody() if people.demo else []
    members = [
        FloorStaffMember(
            each.who,
            each.name,
            each.role,
            each.language,
            locked=each.locked_places > 0,
            secret=people.pins.get(each.who),
        )
        for each in shown
    ]
    return FloorStaff(people.demo, context.title, members)


async def sign_in(context: FloorContext, request: Request) -> Response:
    people = context.people
    given = await body(request, SignIn)
    check_origin(request)
    account = await people.somebody(request, given)
    before = people.present(request)
    if before is not None:
        people.sessions.close(before.session)
    session, token = people.sessions.open(account, people.client_origin(request))
    people.note("signed_in", account.who, f"from {session.place}")
    response = answer(_person(context, Signed(session, account)))
    people.set_cookie(response, people.cookie, token, LASTS_S)
    return response


async def me(context: FloorContext, request: Request) -> FloorPerson:
    return _person(context, context.people.signed(request))


async def sign_out(context: FloorContext, request: Request) -> Nothing:
    signed = context.people.signed(request)
    await body(request, Nothing)
    context.people.sessions.close(signed.session)
    context.people.note("signed_out", signed.account.who, "")
    return Nothing()


async def lock(context: FloorContext, request: Request) -> FloorPerson:
    signed = context.people.signed(request)
    await body(request, Nothing)
    signed.session.locked = True
    context.people.note("screen_locked", signed.account.who, "by hand")
    return _person(context, signed)


async def unlock(context: FloorContext, request: Request) -> FloorPerson:
    signed = context.people.signed(request)
    given = await body(request, UnlockBody)
    await context.people.own_pin(request, signed, given.secret)
    context.people.sessions.unlock(signed.session)
    context.people.note("screen_unlocked", signed.account.who, "")
    return _person(context, signed)


async def here(context: FloorContext, request: Request) -> FloorPerson:
    """Resets the screen lock after a touch."""
    signed = context.people.signed(request)
    await body(request, Nothing)
    if signed.session.locked:
        raise Problem("locked", sentence(Code.SCREEN_LOCKED), then=["unlock"])
    context.people.sessions.touch(signed.session)
    return _person(context, signed)
