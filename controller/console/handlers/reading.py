"""What a page reads: the table as it is, and what it was set up with."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.console.context import ConsoleContext, about, answer
from controller.console.problems import Problem
from controller.game.irregularities import COMPUTED, Fact, Irregularity, Step
from controller.round.procedures import IDS, irregularity
from controller.rulebooks.register import clauses as register
from controller.runtime.snapshots import AUDIENCES
from controller.views import details

_STATIC = files("controller.console") / "static"


async def table(context: ConsoleContext, request: Request) -> Response:
    """The snapshot for whoever asks."""
    signed = context.present(request)
    reach = ["public"] if signed is None else context.feeds_of(signed.account)
    audience = request.query_params.get("audience", reach[0])
    if audience not in AUDIENCES:
        raise Problem("bad_request", f"audience is one of {', '.join(AUDIENCES)}")
    if audience not in reach:
        raise Problem("not_allowed", f"the view of {audience} is not for you", then=["sign-in"])
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
    return answer(
        {
            **context.latest().views["public"]["limits"],
            "chip_unit": context.chip_unit,
            "wagers": [{"id": wager.id} for wager in book.wagers],
            "positions": book.most_positions,
            "track_wagers": house.track_wagers,
        }
    )


async def irregularities(context: ConsoleContext, request: Request) -> Response:
    """What can be reported under this book, in plain words."""
    context.signed(request)
    rows = [(each, irregularity(context.rules, each)) for each in IDS]
    return answer({"irregularities": [_row(each, row) for each, row in rows]})


def _row(name: str, row: Irregularity | None) -> dict[str, Any]:
    rulings = () if row is None else row.rulings
    facts = dict.fromkeys(
        fact for ruling in rulings for fact in ruling.when if fact not in COMPUTED
    )
    return {
        "id": name,
        "title": _TITLES.get(name, "something else") if row is None else row.name,
        "covered": row is not None,
        "clauses": list(dict.fromkeys(ruling.clause for ruling in rulings if ruling.clause)),
        "facts": [{"fact": fact.name.lower(), "asks": fact.value} for fact in facts],
        "asks_for": _asks_for(name, facts, {t.step for r in rulings for t in r.then}),
    }


_TITLES = {
    "void_aftermath": "wagers after a void round",
    "uncovered": "something no rule covers",
}


def _asks_for(name: str, facts: Iterable[Fact], steps: set[Step]) -> list[str]:
    """Optional fields of `report` that help the ruling."""
    found = []
    if Fact.ORDER_KNOWN in facts:
        found += ["cards", "order"]
    if Step.RECONSTRUCT in steps:
        found += ["lies"]
    if name in ("cards_taken", "exposed_in_error", "wrong_player"):
        found += ["hand"]
    if name == "wrong_player":
        found += ["to"]
    if name in ("late_error", "wrong_number"):
        found += ["round"]
    return found


async def clauses(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    book = context.rules.book
    return answer({"rulebook": book.id, "title": book.title, "clauses": _clauses(book.id)})


@cache
def _clauses(book_id: str) -> dict[str, str]:
    return {clause.id: clause.says for clause in register(book_id)}


async def devices(context: ConsoleContext, request: Request) -> Response:
    context.signed(request)
    found = [
        {**device, "bench": context.benches.get(str(device.get("name")))}
        for device in context.client.devices()
    ]
    return answer({"devices": found})


async def roads(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    posted = context.latest()
    view = posted.views["public"]
    drawn = details.drawn_roads(tuple(view["results"]))
    return answer({"seq": posted.seq, "shoe": view["shoe"], "results": view["results"], **drawn})


async def languages(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    """One for each file of words beside the pages; more by dropping one in."""
    folder = _STATIC / "lang"
    found = []
    for file in sorted(folder.iterdir(), key=lambda each: each.name) if folder.is_dir() else []:
        if file.name.endswith(".json"):
            names = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
            language = file.name.removesuffix(".json")
            found.append({"id": language, "name": str(names.get("_name", language))})
    return answer({"languages": found})


async def healthz(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    return answer({"lives": True})


async def readyz(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    """Ready when the table has shown itself and takes steps."""
    if (why := context.client.snapshots.stopped) is not None:
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
