"""Servers from wheels: ready when they say so, gone when we are, however we went."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from controller.floor.embedded.child_process import EmbeddedError
from controller.floor.embedded.nats import NatsServer
from controller.floor.embedded.postgres import Postgres

STARTS_BOTH = """
import pathlib, sys
from controller.floor.embedded.nats import NatsServer
from controller.floor.embedded.postgres import Postgres
folder = pathlib.Path(sys.argv[1])
nats, postgres = NatsServer(folder / "nats"), Postgres(folder / "postgres", durable=False)
nats.start(); postgres.start()
print(nats.pid, postgres.pid, flush=True)
sys.stdin.read()
"""


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""
    except OSError:
        return False


def test_nothing_outlives_a_killed_parent(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTS_BOTH, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert [_runs(pid) for pid in pids] == [True, True]
        os.kill(parent.pid, signal.SIGKILL)
        until = time.monotonic() + 90
        while any(map(_runs, pids)) and time.monotonic() < until:
            time.sleep(0.02)
    assert [_runs(pid) for pid in pids] == [False, False]
    assert not (tmp_path / "postgres" / "data" / "postmaster.pid").exists()  # it shut down cleanly


def test_killed_database_starts_again_with_what_it_had(tmp_path: Path) -> None:
    server = Postgres(tmp_path)
    try:
        server.start()
        with psycopg.connect(server.conninfo()) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS n")
        server.kill()
        server.start()
        with psycopg.connect(server.conninfo()) as connection:
            assert connection.execute("SELECT n FROM kept").fetchall() == [(7,)]
    finally:
        server.stop()


def test_broken_data_are_told(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "stray").write_text("x")
    with pytest.raises(EmbeddedError, match="no database can be made"):
        Postgres(tmp_path).start()


def test_taken_port_is_told(tmp_path: Path, nats_server: NatsServer) -> None:
    with pytest.raises(EmbeddedError, match="address already in use"):
        _start_at(NatsServer(tmp_path, nats_server.port))


def _start_at(server: NatsServer) -> None:
    try:
        server.start()
        for _ in range(3000):  # somebody else answers there: ours ends a moment later
            server.check()
            time.sleep(0.02)
    finally:
        server.stop()
