"""The site's documents on a page: licences of people, and the limits of tables.

Tables pull the documents and apply them between rounds. Publishing needs a sufficient role and the
person's own PIN, and every version is stored.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Meta
from starlette.requests import Request

from controller.console.context import Signed, body
from controller.console.handlers.credentials import Secret
from controller.console.problems import Problem
from controller.floor.documents import ALL, AnotherCame, KeptDocument
from controller.floor.web.context import FloorContext
from controller.game.roles import Role
from controller.protocol.documents import DocumentKind, LicensedPerson, People, SiteLimits
from controller.rulebooks import RULEBOOKS
from controller.table.approvals import Act
from controller.table.commands.message import has_unprintable_text
from controller.table.commands.names import normalized_name
from controller.table.commands.registry import MAX_AMOUNT, MAX_NAME

EVERY_GAME: Final = "*"
LATEST: Final = 253_402_300_799
"""The end of the year 9999."""


class PublishPeople(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    licences: Annotated[list[LicensedPerson], Meta(max_length=5000)]
    seen: int
    """The version that was on the screen: a newer one must not be overwritten."""
    secret: Secret


class PublishLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: str
    minimum: Annotated[int, Meta(gt=0, le=2**53)]
    maximum: Annotated[int, Meta(gt=0, le=2**53)]
    secret: Secret
    differential: Annotated[int, Meta(gt=0, le=2**53)] | None = None


class Published(msgspec.Struct, frozen=True):
    version: int


class SiteDocument(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """The version of a document that is in force."""

    table: str
    """Empty for all tables of the site."""
    version: int
    made: float
    made_by: str


class PeopleDocument(SiteDocument, frozen=True, kw_only=True, tag=DocumentKind.PEOPLE.value):
    document: People


class LimitsDocument(SiteDocument, frozen=True, kw_only=True, tag=DocumentKind.LIMITS.value):
    document: SiteLimits


class SitePage(msgspec.Struct, frozen=True):
    """The documents in force, and the tables that have applied them."""

    documents: list[PeopleDocument | LimitsDocument]
    taken: dict[str, dict[str, int]]
    """By table: the applied versions, by kind."""
    games: list[str]


async def documents(context: FloorContext, request: Request) -> SitePage:
    context.people.signed(request)
    found = [_document(each) for each in await context.shelf.newest()]
    taken = {tile.table: tile.documents for tile in context.board.tiles() if tile.documents}
    return SitePage(found, taken, [EVERY_GAME, *RULEBOOKS])


def _document(kept: KeptDocument) -> PeopleDocument | LimitsDocument:
    table, version, made, made_by = kept.table, kept.version, kept.made, kept.made_by
    found = kept.read()
    if isinstance(found, People):
        return PeopleDocument(
            table=table, version=version, made=made, made_by=made_by, document=found
        )
    return LimitsDocument(table=table, version=version, made=made, made_by=made_by, document=found)


async def publish_people(context: FloorContext, request: Request) -> Published:
    signed = context.people.who_may(request, Act.PUBLISH_PEOPLE)
    given = await body(request, PublishPeople)
    _check(given.licences)
    await context.people.own_pin(request, signed, given.secret)
    return await _published(context, signed, ALL, People(tuple(given.licences)), given.seen)


def _check(licences: list[LicensedPerson]) -> None:
    """Rejects names that look alike: a table too takes the first match."""
    known: dict[str, str] = {}
    for each in licences:
        if not is_a_name(each.who) or not is_a_name(each.name):
            raise Problem("bad_request", f"{each.who!r} or {each.name!r} is no name")
        for look in set(normalized_name(each.who)):
            if look in known:
                both = " and ".join(dict.fromkeys((known[look], each.who)))
                raise Problem("bad_request", f"listed twice, or too much alike: {both}")
            known[look] = each.who
        if not 0 <= each.until <= LATEST:
            raise Problem("bad_request", f"{each.who}: there is no such day")
        unknown = set(each.games) - {EVERY_GAME, *RULEBOOKS}
        if unknown:
            raise Problem("bad_request", f"{each.who}: no such game: {', '.join(sorted(unknown))}")
        if each.role not in {role.value for role in Role}:
            raise Problem("bad_request", f"{each.who}: no such role: {each.role}")


def is_a_name(text: str) -> bool:
    return 0 < len(text.strip()) == len(text) <= MAX_NAME and not has_unprintable_text(text)


async def publish_limits(context: FloorContext, request: Request) -> Published:
    signed = context.people.who_may(request, Act.PUBLISH_LIMITS)
    given = await body(request, PublishLimits)
    if given.minimum > given.maximum:
        raise Problem("bad_request", "the minimum is above the maximum")
    if max(given.maximum, given.differential or 0) > MAX_AMOUNT:
        raise Problem("bad_request", f"no table takes more than {MAX_AMOUNT:,} minor units")
    if context.board.tile(given.table) is None:
        raise Problem("not_found", "there is no such table")
    await context.people.own_pin(request, signed, given.secret)
    limits = SiteLimits(given.minimum, given.maximum, given.differential)
    return await _published(context, signed, given.table, limits)


async def _published(
    context: FloorContext,
    signed: Signed,
    table: str,
    document: People | SiteLimits,
    seen: int | None = None,
) -> Published:
    try:
        version = await context.shelf.publish(table, document, signed.account.who, seen)
    except AnotherCame:
        said_so = "somebody has published another list meanwhile: look again"
        raise Problem("moved_on", said_so) from None
    what = "people_published" if isinstance(document, People) else "limits_published"
    context.people.note(what, signed.account.who, f"version {version} {table}".rstrip())
    return Published(version)
