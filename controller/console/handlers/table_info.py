"""What pages read: the table as it is, and its setup."""

from functools import cache

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import Response

from controller.cases.engine import irregularity
from controller.console.context import ConsoleContext, FloorLink, about, answer
from controller.console.handlers.fields import FormField, report_forms
from controller.console.problems import Problem
from controller.engine.prompts import QUESTIONS
from controller.game.irregularities import COMPUTED, Fact, Irregularity
from controller.messages import catalogue as catalogues
from controller.messages.codes import Code, ParamKind
from controller.messages.sentence import sentence
from controller.rulebooks.register import clauses as register
from controller.rulebooks.register import in_other_languages
from controller.runtime.snapshots import AUDIENCES
from controller.table.commands.reports import FORMS, IDS
from controller.views.sentence_views import Gaps
from controller.views.structs.audience_views import (
    PublicPageView,
    StaffPageView,
    SurveillancePageView,
)
from controller.views.structs.devices import DeviceView
from controller.views.structs.parts import WagerLimitsView
from controller.views.structs.setup import RulesView, rules_view


class TableNow(msgspec.Struct, frozen=True):
    """The table in the view of one audience."""

    seq: int
    at: float
    sent: float
    audience: str


class PublicTable(TableNow, frozen=True):
    view: PublicPageView


class StaffTable(TableNow, frozen=True):
    view: StaffPageView


class SurveillanceTable(TableNow, frozen=True):
    view: SurveillancePageView


class SetupView(RulesView, frozen=True):
    """The setup of the table."""

    demo: bool
    mode: str
    table: str | None
    chip_unit: int
    """The smallest chip, in minor units."""


class NamedLimits(msgspec.Struct, frozen=True):
    """A kind of wager, and its own limits if it has any."""

    id: str
    min: int | UnsetType | None = UNSET
    max: int | UnsetType | None = UNSET


class TableLimitsView(msgspec.Struct, frozen=True):
    """The limits of the current round, or of the next one between rounds."""

    min: int | None
    max: int | None
    differential: int | None
    per_area: int | None
    wagers: list[NamedLimits]
    chip_unit: int
    positions: int
    track_wagers: bool


class QuestionView(msgspec.Struct, frozen=True):
    """A question of fact that a report may lead to."""

    fact: Fact
    code: str
    gaps: Gaps
    asks: str


class IrregularityView(msgspec.Struct, frozen=True):
    """An irregularity that can be reported, and its questions."""

    id: str
    title: str
    covered: bool
    """Whether the rulebook has a rule for it."""
    clauses: list[str]
    facts: list[QuestionView]
    asks_for: list[str]
    fields: list[FormField]


class Irregularities(msgspec.Struct, frozen=True):
    irregularities: list[IrregularityView]


class BookClauses(msgspec.Struct, frozen=True):
    """The clauses of the table's rulebook, paraphrased, by number."""

    rulebook: str
    title: str
    clauses: dict[str, str]


class ServedDevice(DeviceView, frozen=True, kw_only=True):
    """A device, with the page of its emulator."""

    bench: str | None


class Devices(msgspec.Struct, frozen=True):
    devices: list[ServedDevice]
    floor: FloorLink | None
    """Null: this table has no floor."""


class LanguageName(msgspec.Struct, frozen=True):
    id: str
    name: str


class Languages(msgspec.Struct, frozen=True):
    languages: list[LanguageName]


class Alive(msgspec.Struct, frozen=True):
    lives: bool


class DeviceLink(msgspec.Struct, frozen=True):
    name: str
    driver: str
    link: str


class Readiness(msgspec.Struct, frozen=True):
    """Whether the table has posted a snapshot and accepts steps."""

    ready: bool
    seq: int
    stopped_by: str | None
    """The reason for a hold, as a sentence."""
    devices: list[DeviceLink]


async def table(context: ConsoleContext, request: Request) -> Response:
    """The snapshot in the view of the person who requests it."""
    signed = context.present(request)
    reach = ["public"] if signed is None else context.feeds_of(signed.account)
    audience = request.query_params.get("audience", reach[0])
    if audience not in AUDIENCES:
        raise Problem("bad_request", f"audience is one of {', '.join(AUDIENCES)}")
    if audience not in reach:
        raise Problem("not_allowed", sentence(Code.NOT_YOUR_VIEW), then=["sign-in"])
    posted = context.latest()
    now = posted.seq, posted.at, context.wall(), audience
    match context.feeds.view(posted, audience):
        case PublicPageView() as view:
            return answer(PublicTable(*now, view))
        case SurveillancePageView() as view:
            return answer(SurveillanceTable(*now, view))
        case StaffPageView() as view:
            return answer(StaffTable(*now, view))


async def setup(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    """The setup of the table."""
    rules, names = rules_view(context.rules), about(context.table, context.mode)
    return answer(SetupView(**asdict(rules), **asdict(names), chip_unit=context.chip_unit))


async def limits(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    house, book = context.rules.house, context.rules.book
    shown = context.latest().views.public.limits
    return answer(
        TableLimitsView(
            min=shown.min,
            max=shown.max,
            differential=shown.differential,
            per_area=shown.per_area,
            wagers=[_limits_of(wager.id, shown.wagers.get(wager.id)) for wager in book.wagers],
            chip_unit=context.chip_unit,
            positions=context.rules.positions,
            track_wagers=house.track_wagers,
        )
    )


def _limits_of(wager: str, own: WagerLimitsView | None) -> NamedLimits:
    return NamedLimits(wager) if own is None else NamedLimits(wager, own.min, own.max)


async def irregularities(context: ConsoleContext, request: Request) -> Response:
    """The irregularities of this rulebook, in plain words."""
    context.signed(request)
    rows = [(each, irregularity(context.rules, each)) for each in IDS]
    return answer(Irregularities([_row(each, row) for each, row in rows]))


def _row(name: str, row: Irregularity | None) -> IrregularityView:
    rulings = () if row is None else row.rulings
    facts = dict.fromkeys(
        fact for ruling in rulings for fact in ruling.when if fact not in COMPUTED
    )
    return IrregularityView(
        id=name,
        title=_TITLES.get(name, "something else") if row is None else row.name,
        covered=row is not None,
        clauses=list(dict.fromkeys(ruling.clause for ruling in rulings if ruling.clause)),
        facts=[_question(fact, name) for fact in facts],
        asks_for=[*FORMS[name].fields, "round"],
        fields=report_forms()[name],
    )


_TITLES = {
    "void_aftermath": "wagers after a void round",
    "uncovered": "something no rule covers",
}


def _question(fact: Fact, what: str) -> QuestionView:
    asks = catalogues.catalogue().name(ParamKind.FACT, fact.value)
    asked = sentence(QUESTIONS[fact], irregularity=what)
    return QuestionView(fact, asked.code, asked.params, asks)


async def clauses(context: ConsoleContext, request: Request) -> Response:
    book = context.rules.book
    texts = _clauses(book.id, request.query_params.get("language", catalogues.ENGLISH))
    return answer(BookClauses(book.id, book.title, texts))


def _clauses(book_id: str, language: str) -> dict[str, str]:
    """The clauses translated into a language, without fallback to English: a page must not mix
    languages."""
    english = _in_english(book_id)
    if language == catalogues.ENGLISH:
        return english
    found = {number: in_other_languages(text) for number, text in english.items()}
    return {number: texts[language] for number, texts in found.items() if language in texts}


@cache
def _in_english(book_id: str) -> dict[str, str]:
    return {clause.id: clause.text for clause in register(book_id)}


async def devices(context: ConsoleContext, request: Request) -> Response:
    context.signed(request)
    found = [
        ServedDevice(**asdict(device), bench=context.benches.get(device.name))
        for device in context.client.devices()
    ]
    return answer(Devices(found, context.floor() if context.floor else None))


async def languages(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    """The languages, one for each catalogue."""
    found = [LanguageName(tag, name) for tag, name in catalogues.languages().items()]
    return answer(Languages(found))


async def healthz(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    return answer(Alive(lives=True))


async def readyz(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    """Ready when the table has posted a snapshot and accepts steps."""
    if (why := context.client.snapshots.stop_reason) is not None:
        raise Problem("stopped", why)
    posted = context.latest()
    links = [DeviceLink(each.name, each.driver, each.link) for each in context.client.devices()]
    return answer(Readiness(True, posted.seq, posted.views.pit.stopped_by, links))


async def metrics(context: ConsoleContext, request: Request) -> Response:
    """Metrics for a monitoring system on this machine; requests from elsewhere are refused."""
    client = request.client
    if context.metrics is None or client is None or client.host not in ("127.0.0.1", "::1"):
        raise Problem("not_found", "there are no metrics here")
    return Response(context.metrics(), media_type="text/plain; version=0.0.4; charset=utf-8")
