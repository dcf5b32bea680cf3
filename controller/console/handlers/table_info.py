"""What a page reads: the table as it is, and what it was set up with."""

from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from controller.cases.engine import irregularity
from controller.console.context import ConsoleContext, about, answer
from controller.console.handlers.fields import report_forms
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
from controller.views import details
from controller.views.sentence_views import View


async def table(context: ConsoleContext, request: Request) -> Response:
    """The snapshot for whoever asks."""
    signed = context.present(request)
    reach = ["public"] if signed is None else context.feeds_of(signed.account)
    audience = request.query_params.get("audience", reach[0])
    if audience not in AUDIENCES:
        raise Problem("bad_request", f"audience is one of {', '.join(AUDIENCES)}")
    if audience not in reach:
        raise Problem("not_allowed", sentence(Code.NOT_YOUR_VIEW), then=["sign-in"])
    posted = context.latest()
    return answer(
        {
            "seq": posted.seq,
            "at": posted.at,
            "sent": context.wall(),
            "audience": audience,
            "view": context.feeds.view(posted, audience),
        }
    )


async def setup(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    """The table as it was set up."""
    return answer(
        {
            **details.about(context.rules),
            **about(context.table, context.mode),
            "chip_unit": context.chip_unit,
        }
    )


async def limits(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    house, book = context.rules.house, context.rules.book
    shown = context.latest().views["public"]["limits"]
    own = shown["wagers"]
    return answer(
        {
            **shown,
            "chip_unit": context.chip_unit,
            "wagers": [{"id": wager.id, **own.get(wager.id, {})} for wager in book.wagers],
            "positions": context.rules.positions,
            "track_wagers": house.track_wagers,
        }
    )


async def irregularities(context: ConsoleContext, request: Request) -> Response:
    """What can be reported under this book, in plain words."""
    context.signed(request)
    rows = [(each, irregularity(context.rules, each)) for each in IDS]
    return answer({"irregularities": [_row(each, row) for each, row in rows]})


def _row(name: str, row: Irregularity | None) -> View:
    rulings = () if row is None else row.rulings
    facts = dict.fromkeys(
        fact for ruling in rulings for fact in ruling.when if fact not in COMPUTED
    )
    return {
        "id": name,
        "title": _TITLES.get(name, "something else") if row is None else row.name,
        "covered": row is not None,
        "clauses": list(dict.fromkeys(ruling.clause for ruling in rulings if ruling.clause)),
        "facts": [_question(fact, name) for fact in facts],
        "asks_for": [*FORMS[name].fields, "round"],
        "fields": report_forms()[name],
    }


_TITLES = {
    "void_aftermath": "wagers after a void round",
    "uncovered": "something no rule covers",
}


def _question(fact: Fact, what: str) -> View:
    asks = catalogues.catalogue().name(ParamKind.FACT, fact.value)
    asked = sentence(QUESTIONS[fact], irregularity=what)
    return {"fact": fact.value, "code": asked.code, "gaps": asked.params, "asks": asks}


async def clauses(context: ConsoleContext, request: Request) -> Response:
    book = context.rules.book
    texts = _clauses(book.id, request.query_params.get("language", catalogues.ENGLISH))
    return answer({"rulebook": book.id, "title": book.title, "clauses": texts})


def _clauses(book_id: str, language: str) -> dict[str, str]:
    """Those there are in that language: nobody is shown half a page in another."""
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
        {**device, "bench": context.benches.get(str(device.get("name")))}
        for device in context.client.devices()
    ]
    return answer({"devices": found, "floor": context.floor() if context.floor else None})


async def languages(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    """One for each catalogue there is."""
    found = [{"id": tag, "name": name} for tag, name in catalogues.languages().items()]
    return answer({"languages": found})


async def healthz(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    return answer({"lives": True})


async def readyz(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    """Ready when the table has shown itself and takes steps."""
    if (why := context.client.snapshots.stop_reason) is not None:
        raise Problem("stopped", why)
    posted = context.latest()
    devices = [
        {"name": each["name"], "driver": each["driver"], "link": each["link"]}
        for each in context.client.devices()
    ]
    stopped = posted.views["pit"].get("stopped_by")
    return answer({"ready": True, "seq": posted.seq, "stopped_by": stopped, "devices": devices})


async def metrics(context: ConsoleContext, request: Request) -> Response:
    """For a monitoring system on this machine; whoever asks from elsewhere is not answered."""
    client = request.client
    if context.metrics is None or client is None or client.host not in ("127.0.0.1", "::1"):
        raise Problem("not_found", "there are no metrics here")
    return Response(context.metrics(), media_type="text/plain; version=0.0.4; charset=utf-8")
