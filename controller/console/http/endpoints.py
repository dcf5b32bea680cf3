"""The list of all requests that the console answers: path, input, required access."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from types import UnionType
from typing import cast, get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.console.context import ConsoleContext
from controller.console.data.round_history import RoundProof
from controller.console.data.shift import Shift
from controller.console.handlers import (
    post_command,
    public,
    report,
    rounds,
    second_factor,
    session_endpoints,
    table_info,
)
from controller.console.handlers.credentials import Door, SignIn
from controller.console.handlers.fields import Nothing
from controller.console.handlers.second_factor import SecondFactors
from controller.views.answers import StepAnswer

AnswerType = type | UnionType
"""The type of an answer: a struct, a list of structs, or a union."""

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Endpoint:
    method: str
    path: str
    summary: str
    handler: Handler
    signed: bool = True
    """Whether a person must be signed in."""
    body: type[msgspec.Struct] | None = None
    query: tuple[str, ...] | type[msgspec.Struct] = ()
    """The query parameters: names, or a struct where they are typed."""
    kind: str = "application/json"
    answer: AnswerType | None = None
    """The type of a successful answer; None where it is not JSON, or empty."""


def endpoints(context: ConsoleContext) -> list[Endpoint]:
    door = Door(context)
    return [*_people(context, door), *_words(context, door), *_table(context), *_rounds(context)]


def _people(context: ConsoleContext, door: Door) -> list[Endpoint]:
    def post(
        path: str,
        text: str,
        handler: Handler,
        body: type[msgspec.Struct],
        shape: type | None = session_endpoints.Me,
    ) -> Endpoint:
        return Endpoint("POST", path, text, handler, body=body, answer=shape)

    sign_in = partial(session_endpoints.sign_in, context, door)
    factors = SecondFactors(context)
    return [
        Endpoint(
            *("GET", "/api/staff", "who can sign in", partial(session_endpoints.staff, context)),
            signed=False,
            answer=session_endpoints.Staff,
        ),
        Endpoint(
            "POST",
            "/api/sign-in",
            "sign in",
            sign_in,
            signed=False,
            body=SignIn,
            answer=session_endpoints.Me,
        ),
        Endpoint(
            *(
                "POST",
                "/api/kiosk",
                "a kiosk opens its link",
                partial(session_endpoints.kiosk, context),
            ),
            signed=False,
            body=session_endpoints.KioskLink,
            answer=session_endpoints.EnrolledKiosk,
        ),
        Endpoint(
            "GET",
            "/api/me",
            "who is signed in",
            partial(session_endpoints.me, context),
            answer=session_endpoints.Me,
        ),
        post(
            "/api/sign-out", "sign out", partial(session_endpoints.sign_out, context), Nothing, None
        ),
        post("/api/lock", "lock the screen", partial(session_endpoints.lock, context), Nothing),
        post(
            "/api/unlock",
            "unlock the screen",
            partial(session_endpoints.unlock, context, door),
            session_endpoints.UnlockBody,
        ),
        post(
            "/api/here", "the screen was touched", partial(session_endpoints.here, context), Nothing
        ),
        post(
            "/api/me/language",
            "one's language",
            partial(session_endpoints.language, context),
            session_endpoints.Language,
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
            partial(session_endpoints.unlock_account, context, door),
            session_endpoints.UnlockAccount,
            None,
        ),
    ]


def _words(context: ConsoleContext, door: Door) -> list[Endpoint]:
    say = partial(post_command.post_command, context, door)
    return [
        Endpoint(
            "GET",
            "/api/commands",
            "what may be said now",
            partial(post_command.list_commands, context),
            answer=post_command.CommandList,
        ),
        Endpoint(
            "POST",
            "/api/commands/{word}",
            "say a word",
            say,
            body=post_command.CommandRequest,
            answer=StepAnswer,
        ),
    ]


def _table(context: ConsoleContext) -> list[Endpoint]:
    def get(
        path: str,
        text: str,
        handler: Callable[[ConsoleContext, Request], Awaitable[Response]],
        *query: str,
        shape: AnswerType | None = None,
    ) -> Endpoint:
        return Endpoint(
            "GET", path, text, partial(handler, context), signed=False, query=query, answer=shape
        )

    return [
        get(
            *("/api/table", "the table as it is", table_info.table, "audience"),
            shape=table_info.PublicTable | table_info.StaffTable | table_info.SurveillanceTable,
        ),
        get(
            "/api/about", "the table as it was set up", table_info.setup, shape=table_info.SetupView
        ),
        get("/api/limits", "the limits", table_info.limits, shape=table_info.TableLimitsView),
        get("/api/roads", "the roads of this shoe", public.roads, shape=public.ShoeRoads),
        get(
            "/api/errors",
            "how the table's book resolves errors",
            public.errors,
            shape=public.ResolvedErrors,
        ),
        get(
            *("/api/clauses", "the rulebook's clauses", table_info.clauses, "language"),
            shape=table_info.BookClauses,
        ),
        get(
            *("/api/languages", "the languages of the pages", table_info.languages),
            shape=table_info.Languages,
        ),
        get("/api/languages/{language}", "the words of the public's pages", public.words),
        get("/healthz", "the server lives", table_info.healthz, shape=table_info.Alive),
        get("/readyz", "the table answers", table_info.readyz, shape=table_info.Readiness),
        Endpoint(
            "GET",
            "/metrics",
            "counts and latencies, for Prometheus on this machine",
            partial(table_info.metrics, context),
            signed=False,
            kind="text/plain",
        ),
        Endpoint(
            "GET",
            "/api/irregularities",
            "what can be reported",
            partial(table_info.irregularities, context),
            answer=table_info.Irregularities,
        ),
        Endpoint(
            *("GET", "/api/devices", "the devices", partial(table_info.devices, context)),
            answer=table_info.Devices,
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
    """The structs in an answer: the rows of a list, or the members of a union."""
    return get_args(answer) or (cast("type", answer),)
