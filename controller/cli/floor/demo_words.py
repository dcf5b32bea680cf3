"""Commands typed while a floor's demo runs: `wipe` its database, `compare` the copy.

A floor's rows can be lost without losing records, because every table has its own. These commands
demonstrate it.
"""

import os
import select
import shutil
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import psycopg
import typer
from sqlalchemy.exc import SQLAlchemyError

from controller.floor.embedded.child_process import EmbeddedError
from controller.floor.embedded.postgres import Postgres
from controller.floor.proof.archive_comparison import compare
from controller.journal.errors import JournalError
from controller.protocol.names import TableName

WAKE_S: Final = 0.5
FAILS: Final = (psycopg.Error, SQLAlchemyError, EmbeddedError, JournalError, OSError)
"""Errors of a command while the database is down, full or half created, or a journal is
unreadable."""
TELL: Final = (
    "\n  Type a word here and Enter, while the tables play:\n"
    "    wipe     PostgreSQL is killed, all it had is deleted, an empty one starts in its place\n"
    "    compare  every record of every table's journal beside the floor's copy, digest by digest"
)


class DemoProgram(Protocol):
    """A program of the demo that the user may kill."""

    @property
    def has_ended(self) -> bool: ...
    def start(self) -> None: ...


@dataclass(frozen=True)
class DemoWords:
    """The demo's servers and tables, with the typed commands."""

    server: Postgres
    prepare: Callable[[], None]
    """Creates the floor's tables in an empty database."""
    site: str
    journals: Mapping[str, Path]
    servers: Sequence[tuple[str, DemoProgram]] = ()
    """All programs by name, in order of their start. Like a site's systemd, the demo restarts a
    program that has ended."""

    def obey(self, ended: threading.Event) -> None:
        """Read commands until the demo ends; without a terminal there are none."""
        typed = True
        while not ended.is_set():
            self.mend()
            if not typed or not _in_front():
                ended.wait(WAKE_S)
            elif select.select([sys.stdin], [], [], WAKE_S)[0]:
                line = sys.stdin.readline()
                typed = bool(line)
                self._say(line.strip())

    def mend(self) -> None:
        for name, server in self.servers:
            if server.has_ended:
                typer.echo(f"{name} has ended; the tables play on, and it is started again.")
                try:
                    server.start()
                    if server is self.server:  # a wipe may have failed half way
                        self.prepare()
                except FAILS as error:  # retried a moment later, after its remains are removed
                    typer.echo(f"{name} does not start yet: {' '.join(str(error).split())}")

    def _say(self, word: str) -> None:
        words = {"wipe": self.wipe, "compare": self.compare}
        if word in words:
            try:
                words[word]()
            except FAILS as error:  # an error here would end the tables, which run in this process
                why = " ".join(str(error).split())
                typer.echo(f"{word} has failed, and the tables play on: {why}")
        elif word:
            typer.echo(f"{word!r} is no word of the demo: wipe, compare")

    def wipe(self) -> None:
        """Simulate a lost disk: stop without a clean end, delete everything, create a new
        database."""
        began = time.monotonic()
        self.server.kill()
        if self.server.data.exists():  # absent after a wipe that failed half way
            shutil.rmtree(self.server.data)
        typer.echo("PostgreSQL was killed and everything in it is deleted; the tables play on.")
        self.server.start()
        self.prepare()
        typer.echo(
            f"An empty one runs after {time.monotonic() - began:.1f} s. Each table now hears how "
            "far the floor is, and sends again from there: `compare` says when all is back."
        )

    def compare(self) -> None:
        good = True
        with psycopg.connect(self.server.conninfo(), autocommit=True) as connection:
            for table, journal in sorted(self.journals.items()):
                found = compare(connection, TableName(self.site, table), journal)
                typer.echo(f"    {table}  {found}")
                good = good and found.good
        typer.echo("Nothing is lost, nothing is doubled." if good else "NOT THE SAME: see above.")


def _in_front() -> bool:
    """Whether this program is in the foreground: the kernel stops a background program that reads
    from its terminal."""
    return not sys.stdin.isatty() or os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
