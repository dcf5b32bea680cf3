import io
import json
from collections.abc import Iterator

import pytest
import structlog

from controller import logs


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
