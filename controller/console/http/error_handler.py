"""Turns errors of a request into problems without internal details."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

import structlog
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from controller.console.auth.private_file import AccountsError
from controller.console.problems import Problem

log = structlog.get_logger()

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]
Known: TypeAlias = Mapping[type[Exception], Callable[[Exception], Problem]]
"""Expected errors, and the problem for each."""


def careful(handler: Handler, known: Known | None = None) -> Handler:
    """Wraps a handler: an unexpected error becomes a problem without details, because the error
    itself might name a card."""

    async def handled(request: Request) -> Response:
        try:
            return await handler(request)
        except Problem as problem:
            return problem.response()
        except ClientDisconnect:
            return Problem("bad_request", "the request ended in the middle").response()
        except AccountsError as error:
            log.error("accounts", why=str(error))
            return Problem("error", str(error)).response()
        except Exception as error:  # noqa: BLE001
            for kind, answer in (known or {}).items():
                if isinstance(error, kind):
                    return answer(error).response()
            log.error("console_error", kind=type(error).__name__, path=request.url.path)
            return Problem("error", "if it happens again, tell the technician").response()

    return handled


async def _problem(request: Request, problem: Problem) -> Response:  # noqa: ARG001
    return problem.response()


async def _http_problem(request: Request, error: HTTPException) -> Response:
    kinds = {404: "not_found", 405: "method_not_allowed"}
    kind = kinds.get(error.status_code, "bad_request")
    response = Problem(kind, f"{request.method} {request.url.path}: {error.detail}").response()
    response.headers.update(error.headers or {})
    return response


ON_ERROR: Final[Any] = {HTTPException: _http_problem, Problem: _problem}
"""Exception handlers of an application, for errors that its routes raise."""
