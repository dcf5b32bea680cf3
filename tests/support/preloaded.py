"""What the fork server of `programs` imports once, so that no program it forks has to."""

import gc
from importlib import import_module

from controller import cli
from controller.runtime.prepared_types import prepare_types
from controller.runtime.this_release import _code

for name in cli.SUBCOMMANDS:
    cli.load(name)
import_module("simulators.__main__")
# Imported by programs only when they come to it. rich comes after structlog, which must not find it
# (`controller.cli`).
for name in (
    "anyio._backends._asyncio",
    "anyio.streams.memory",
    "controller.upkeep.machine.hardening",
    "rich._emoji_codes",
    "typer._click._textwrap",
    "typer._click.decorators",
    "typer.rich_utils",
    "uvicorn.lifespan.on",
    "uvicorn.loops.asyncio",
    "uvicorn.protocols.http.h11_impl",
):
    import_module(name)
for registry, ours in (("drivers.registry", "OURS"), ("simulators.registry", "DEVICES")):
    devices = import_module(registry)
    for name in getattr(devices, ours):
        devices.find(name)
_code()
prepare_types()
# Else the first collection in a forked program writes to every page that it shares.
gc.collect()
gc.freeze()
