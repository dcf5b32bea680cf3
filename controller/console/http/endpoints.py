"""Every request the console answers: where, what is given, who may ask. The one list of them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.console.context import ConsoleContext
from controller.console.data.shift import Shift
from controller.console.handlers import (
    public,
    reading,
    report,
    rounds,
    saying,
    second_factor,
    signing,
)
from controller.console.handlers.door import Door, SignIn
from controller.console.handlers.fields import Nothing
from controller.console.handlers.second_factor import SecondFactors

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    method: str
    path: str
    says: str
    handler: Handler
    signed: bool = True
    """Whether somebody has to be signed in."""
    body: type[msgspec.Struct] | None = None
    query: tuple[str, ...] | type[msgspec.Struct] = ()
    """What may stand behind the question mark: names, or a struct where they are typed."""
    kind: str = "application/json"
    answer: type | None = None
    """The shape of a good answer, where it is promised field by field."""


def endpoints(context: ConsoleContext) -> list[Endpoint]:
    door = Door(context)
    return [*_people(context, door), *_words(context, door), *_table(context), *_rounds(context)]


def _people(context: ConsoleContext, door: Door) -> list[Endpoint]:
    def post(path: str, says: str, handler: Handler, body: type[msgspec.Struct]) -> Endpoint:
        return Endpoint("POST", path, says, handler, body=body)

    sign_in = partial(signing.sign_in, context, door)
    factors = SecondFactors(context)
    return [
        Endpoint(
            "GET", "/api/staff", "who can sign in", partial(signing.staff, context), signed=False
        ),
        Endpoint("POST", "/api/sign-in", "sign in", sign_in, signed=False, body=SignIn),
        Endpoint(
            *("POST", "/api/kiosk", "a kiosk opens its link", partial(signing.kiosk, context)),
            signed=False,
            body=signing.KioskLink,
        ),
        Endpoint("GET", "/api/me", "who is signed in", partial(signing.me, context)),
        post("/api/sign-out", "sign out", partial(signing.sign_out, context), Nothing),
        post("/api/lock", "lock the screen", partial(signing.lock, context), Nothing),
        post(
            "/api/unlock",
            "unlock the screen",
            partial(signing.unlock, context, door),
            signing.UnlockBody,
        ),
        post("/api/here", "the screen was touched", partial(signing.here, context), Nothing),
        post(
            "/api/me/language",
            "one's language",
            partial(signing.language, context),
            signing.Language,
        ),
        post(
            "/api/me/totp",
            "a key for one's own authenticator",
            partial(factors.offer, door),
            second_factor.NewFactor,
        ),
        post(
            "/api/me/totp/confirm",
            "its first code",
            factors.confirm,
            second_factor.FirstCode,
        ),
        post(
            "/api/staff/{who}/unlock",
            "unlock an account",
            partial(signing.unlock_account, context, door),
            signing.UnlockAccount,
        ),
    ]


def _words(context: ConsoleContext, door: Door) -> list[Endpoint]:
    say = partial(saying.say, context, door)
    return [
        Endpoint(
            "GET",
            "/api/words",
            "what may be said now",
            partial(saying.words, context),
            answer=saying.Words,
        ),
        Endpoint(
            "POST",
            "/api/words/{word}",
            "say a word",
            say,
            body=saying.Say,
            answer=saying.SaidShape,
        ),
    ]


def _table(context: ConsoleContext) -> list[Endpoint]:
    def get(
        path: str,
        says: str,
        handler: Callable[[ConsoleContext, Request], Awaitable[Response]],
        *query: str,
        shape: type[msgspec.Struct] | None = None,
    ) -> Endpoint:
        return Endpoint(
            "GET", path, says, partial(handler, context), signed=False, query=query, answer=shape
        )

    return [
        get("/api/table", "the table as it is", reading.table, "audience"),
        get("/api/about", "the table as it was set up", reading.setup),
        get("/api/limits", "the limits", reading.limits),
        get("/api/roads", "the roads of this shoe", public.roads, shape=public.RoadsShape),
        get(
            "/api/errors",
            "how the table's book resolves errors",
            public.errors,
            shape=public.ResolvedErrors,
        ),
        get("/api/clauses", "the rulebook's clauses", reading.clauses, "language"),
        get("/api/languages", "the languages of the pages", reading.languages),
        get("/api/languages/{language}", "the words of the public's pages", public.words),
        get("/healthz", "the server lives", reading.healthz),
        get("/readyz", "the table answers", reading.readyz),
        Endpoint(
            "GET",
            "/metrics",
            "counts and latencies, for Prometheus on this machine",
            partial(reading.metrics, context),
            signed=False,
            kind="text/plain",
        ),
        Endpoint(
            "GET",
            "/api/irregularities",
            "what can be reported",
            partial(reading.irregularities, context),
        ),
        Endpoint("GET", "/api/devices", "the devices", partial(reading.devices, context)),
    ]


def _rounds(context: ConsoleContext) -> list[Endpoint]:
    one = "/api/rounds/{shoe}/{n}"
    return [
        Endpoint(
            "GET",
            "/api/rounds",
            "search the rounds, the newest first",
            partial(rounds.search, context),
            query=rounds.ListQuery,
            answer=rounds.FoundRounds,
        ),
        Endpoint(
            "GET",
            "/api/rounds/export.csv",
            "the rounds that fit, as CSV",
            partial(rounds.export_csv, context),
            query=rounds.RoundQuery,
            kind="text/csv",
        ),
        Endpoint(
            "GET",
            "/api/rounds/export.jsonl",
            "the rounds that fit, as JSON lines",
            partial(rounds.export_jsonl, context),
            query=rounds.RoundQuery,
            kind="application/x-ndjson",
        ),
        Endpoint(
            "GET",
            "/api/shift",
            "how the shift goes: rounds, voids, money, the decisions of this shoe",
            partial(rounds.this_shift, context),
            answer=Shift,
        ),
        Endpoint(
            "GET",
            one,
            "one round, step by step",
            partial(rounds.recall_round, context),
            answer=rounds.RecalledRound,
        ),
        Endpoint(
            "GET", f"{one}/proof", "the round's place in the chain", partial(rounds.proof, context)
        ),
        Endpoint(
            "GET",
            "/api/report",
            "what a shift came to",
            partial(report.report, context),
            query=report.ReportQuery,
            answer=report.ShiftReport,
        ),
    ]
