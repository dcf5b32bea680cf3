"""What is typed at a floor's demo fails by itself: the tables, in the same process, play on."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.cli.floor.demo import SITE, _make_tables
from controller.cli.floor.demo_words import DemoWords
from controller.floor.embedded.postgres import Postgres


@pytest.fixture
def words(tmp_path: Path) -> Iterator[DemoWords]:
    server = Postgres(tmp_path / "postgres", durable=False)
    try:
        server.start()
        _make_tables(server)
        yield DemoWords(server, lambda: _make_tables(server), SITE, {})
    finally:
        server.stop()


@pytest.mark.second_tier
def test_compare_without_a_database_is_one_line_and_wipe_brings_another(
    words: DemoWords, capsys: pytest.CaptureFixture[str]
) -> None:
    words.server.kill()
    words._say("compare")
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("compare has failed, and the tables play on: connection")
    words._say("wipe")
    words._say("compare")
    assert capsys.readouterr().out.splitlines()[-1] == "Nothing is lost, nothing is doubled."


@pytest.mark.second_tier
def test_wipe_of_a_database_that_somebody_killed_starts_an_empty_one(
    words: DemoWords, capsys: pytest.CaptureFixture[str]
) -> None:
    os.kill(words.server.pid, signal.SIGKILL)
    os.waitid(
        os.P_PID, words.server.pid, os.WEXITED | os.WNOWAIT
    )  # gone, and not yet taken note of
    words._say("wipe")
    words._say("compare")
    assert capsys.readouterr().out.splitlines()[-1] == "Nothing is lost, nothing is doubled."


def test_a_server_that_somebody_killed_is_started_again(
    words: DemoWords, capsys: pytest.CaptureFixture[str]
) -> None:
    watched = replace(words, servers=(("PostgreSQL", words.server),))
    watched.mend()
    assert capsys.readouterr().out == ""
    before = words.server.pid
    os.kill(before, signal.SIGKILL)
    os.waitid(os.P_PID, before, os.WEXITED | os.WNOWAIT)
    while words.server.pid == before or words.server.has_ended:
        watched.mend()  # what the old one left may keep the new one waiting for a moment
    assert "PostgreSQL has ended" in capsys.readouterr().out.splitlines()[0]
    words._say("compare")
    assert capsys.readouterr().out.splitlines()[-1] == "Nothing is lost, nothing is doubled."


@pytest.mark.second_tier
def test_wipe_that_cannot_start_another_is_one_line_and_can_be_said_again(
    words: DemoWords, capsys: pytest.CaptureFixture[str]
) -> None:
    words.server.settings["shared_buffers"] = "none"
    words._say("wipe")
    killed, line = capsys.readouterr().out.splitlines()
    assert killed.startswith("PostgreSQL was killed")
    assert line.startswith("wipe has failed, and the tables play on: PostgreSQL does not start")
    words.server.settings.clear()
    words._say("wipe")
    words._say("compare")
    assert capsys.readouterr().out.splitlines()[-1] == "Nothing is lost, nothing is doubled."
