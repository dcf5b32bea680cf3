"""Connection limits, receive-only sockets, time-outs.

A table's console and the floor's pages share them.
"""

import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp

from controller.console.data.staff_priority import StaffPriority
from controller.console.http.connections import Connections
from controller.console.http.uvicorn_adapter import (
    MAX_MESSAGE_BYTES,
    FeedSocket,
    HttpConnection,
)

GOODBYE_S: Final = 3
ACCEPTED_AT_ONCE: Final = 4
"""Connections accepted before the existing ones are served again."""
OTHER_FILES: Final = 200
"""Files that the process has open besides connections: devices, journal, logs."""


def places(
    knows: Callable[[str], bool], most: int, first: StaffPriority | None = None
) -> Connections:
    """Connections with `most` places, or fewer where the limit of open files is lower."""
    has, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most + OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if has != resource.RLIM_INFINITY and has < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return Connections(knows, wanted - OTHER_FILES, first)


def edge(
    app: ASGIApp, at: Connections, cert: Path | None, key: Path | None, **more: Any
) -> uvicorn.Config:
    own = {"places": at}
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=type("Http", (HttpConnection,), own),
        ws=type("Socket", (FeedSocket,), own),
        backlog=ACCEPTED_AT_ONCE,
        ws_max_size=MAX_MESSAGE_BYTES,
        timeout_graceful_shutdown=GOODBYE_S,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ssl_certfile=None if cert is None else str(cert),
        ssl_keyfile=None if key is None else str(key),
        **more,
    )
