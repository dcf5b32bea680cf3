"""Every request the console answers: where, what is given, who may ask. The one list of them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from types import UnionType
from typing import cast, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.console.context import ConsoleContext
from controller.console.data.recall import RoundProof
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
from controller.views.answers import StepAnswer

AnswerType = type | UnionType
"""A struct, a list of one, or several that it may be."""

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
    answer: AnswerType | None = None
    """The shape of a good answer; None where it is no JSON, or empty."""


def endpoints(context: ConsoleContext) -> list[Endpoint]:
    door = Door(context)
    return [*_people(context, door), *_words(context, door), *_table(context), *_rounds(context)]


def _people(context: ConsoleContext, door: Door) -> list[Endpoint]:
    def post(
        path: str,
        says: str,
        handler: Handler,
        body: type[msgspec.Struct],
        shape: type | None = signing.Me,
    ) -> Endpoint:
        return Endpoint("POST", path, says, handler, body=body, answer=shape)

    sign_in = partial(signing.sign_in, context, door)
    factors = SecondFactors(context)
    return [
        Endpoint(
            *("GET", "/api/staff", "who can sign in", partial(signing.staff, context)),
            signed=False,
            answer=signing.Staff,
        ),
        Endpoint(
            "POST", "/api/sign-in", "sign in", sign_in, signed=False, body=SignIn, answer=signing.Me
        ),
        Endpoint(
            *("POST", "/api/kiosk", "a kiosk opens its link", partial(signing.kiosk, context)),
            signed=False,
            body=signing.KioskLink,
            answer=signing.EnrolledKiosk,
        ),
        Endpoint(
            "GET", "/api/me", "who is signed in", partial(signing.me, context), answer=signing.Me
        ),
        post("/api/sign-out", "sign out", partial(signing.sign_out, context), Nothing, None),
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
            second_factor.OfferedFactor,
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
            None,
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
            answer=StepAnswer,
        ),
    ]


def _table(context: ConsoleContext) -> list[Endpoint]:
    def get(
        path: str,
        says: str,
        handler: Callable[[ConsoleContext, Request], Awaitable[Response]],
        *query: str,
        shape: AnswerType | None = None,
    ) -> Endpoint:
        return Endpoint(
            "GET", path, says, partial(handler, context), signed=False, query=query, answer=shape
        )

    return [
        get(
            *("/api/table", "the table as it is", reading.table, "audience"),
            shape=reading.PublicTable | reading.StaffTable | reading.SurveillanceTable,
        ),
        get("/api/about", "the table as it was set up", reading.setup, shape=reading.SetupView),
        get("/api/limits", "the limits", reading.limits, shape=reading.TableLimitsView),
        get("/api/roads", "the roads of this shoe", public.roads, shape=public.ShoeRoads),
        get(
            "/api/errors",
            "how the table's book resolves errors",
            public.errors,
            shape=public.ResolvedErrors,
        ),
        get(
            *("/api/clauses", "the rulebook's clauses", reading.clauses, "language"),
            shape=reading.BookClauses,
        ),
        get(
            *("/api/languages", "the languages of the pages", reading.languages),
            shape=reading.Languages,
        ),
        get("/api/languages/{language}", "the words of the public's pages", public.words),
        get("/healthz", "the server lives", reading.healthz, shape=reading.Alive),
        get("/readyz", "the table answers", reading.readyz, shape=reading.Readiness),
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
            answer=reading.Irregularities,
        ),
        Endpoint(
            *("GET", "/api/devices", "the devices", partial(reading.devices, context)),
            answer=reading.Devices,
        ),
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
            "GET",
            f"{one}/proof",
            "the round's place in the chain",
            partial(rounds.proof, context),
            answer=RoundProof,
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


def parts_of(answer: AnswerType) -> tuple[type, ...]:
    """The rows of a list, or each of several shapes that an answer may have."""
    return get_args(answer) or (cast("type", answer),)
