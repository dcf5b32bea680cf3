import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from controller.service import logs
from drivers.cards import DECK, Card
from drivers.events import CardRead, DeviceResult, Winner
from support.rows import each_row


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def put_back() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def test_elsewhere_each_event_is_one_json_line() -> None:
    out = io.StringIO()
    logs.configure(out)
    structlog.get_logger().info("shoe_loaded", decks=8)
    line = json.loads(out.getvalue())
    assert (line["event"], line["decks"], line["level"]) == ("shoe_loaded", 8, "info")
    assert line["timestamp"].endswith("Z")


def test_in_a_terminal_it_is_readable() -> None:
    out = Terminal()
    logs.configure(out)
    structlog.get_logger().warning("lid_open", device="shoe")
    assert "lid_open" in out.getvalue()
    assert not out.getvalue().startswith("{")


def test_below_the_level_nothing_is_written() -> None:
    out = io.StringIO()
    logs.configure(out)
    structlog.get_logger().debug("detail")
    assert out.getvalue() == ""


TELLING: dict[str, dict[str, Any]] = {
    "a card's own key": {"card": "9S"},
    "a card as a value": {"found": Card.parse("9S")},
    "a card in a list": {"drawn": [Card.parse("9S")]},
    "a card further in": {"message": {"card": "9S", "given": {"salt": "9S"}}},
    "bytes that may spell one": {"data": b"9S"},
    "an event": {"event_": CardRead(Card.parse("9S"), frame=b"9S")},
    "a result": {"event_": DeviceResult(Winner.BANKER), "winner": "9S"},
}


@each_row("in_terminal", [False, True])
@each_row("what", TELLING)
def test_no_line_tells_a_card(what: str, in_terminal: bool) -> None:
    out = Terminal() if in_terminal else io.StringIO()
    logs.configure(out)
    structlog.get_logger().info("heard", **TELLING[what])
    assert "heard" in out.getvalue()
    assert "9S" not in out.getvalue()
    assert "BANKER" not in out.getvalue()


@pytest.mark.parametrize("in_terminal", [False, True])
def test_an_error_is_logged_by_kind_and_place_and_not_in_its_own_words(in_terminal: bool) -> None:
    out = Terminal() if in_terminal else io.StringIO()
    logs.configure(out)
    try:
        raise AssertionError(f"impossible: {DECK[8]}")
    except AssertionError:
        structlog.get_logger().exception("table_stopped")
    assert "AssertionError" in out.getvalue()
    assert "test_logs.py:" in out.getvalue()
    assert "9S" not in out.getvalue()


def test_a_file_gets_every_line_too_and_is_put_aside_when_it_is_large(tmp_path: Path) -> None:
    path = tmp_path / "sabot.log"
    file = logs.RotatingFile(path, most_bytes=400, keep=2)
    out = Terminal()
    logs.configure(out, also=file)
    for number in range(20):
        structlog.get_logger().info("step", number=number)
    file.close()
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names == ["sabot.log", "sabot.log.1", "sabot.log.2"]
    lines = (tmp_path / "sabot.log.1").read_text().splitlines()
    assert all(json.loads(line)["event"] == "step" for line in lines)
    assert len(out.getvalue().splitlines()) == 20


def test_a_full_disk_drops_log_lines_and_stops_nothing() -> None:
    file = logs.RotatingFile(Path("/dev/full"), most_bytes=10**6, keep=2)
    out = io.StringIO()
    logs.configure(out, also=file)
    structlog.get_logger().info("step")
    file.close()
    assert file.dropped == 1
    assert "step" in out.getvalue()
