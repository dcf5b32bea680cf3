"""Wire bytes in the log: hex on a bench, nothing but the fact at a live table."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from controller.service import logs
from drivers.events import LinkUp
from drivers.io.identity import Identity
from drivers.io.traffic import TRAFFIC, Logged, log


class Echo:
    """A port that gives back what was written to it."""

    identity = Identity("serial", "/dev/echo")

    def __init__(self) -> None:
        self.kept = b""
        self.closed = False

    def read(self, _timeout_s: float) -> bytes:
        out, self.kept = self.kept, b""
        return out

    def write(self, data: bytes) -> None:
        self.kept += data

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    made = io.StringIO()
    yield made
    structlog.reset_defaults()
    log.handlers = []
    log.setLevel(logging.NOTSET)


def told(out: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_bench_sees_direction_device_and_hex_at_its_own_level(out: io.StringIO) -> None:
    logs.configure(out, TRAFFIC)
    inner = Echo()
    port = Logged(inner, "shoe", live=False, clock=lambda: 0.0)
    port.write(b"\x05\x31")
    assert port.read(0) == b"\x05\x31"
    assert port.read(0) == b""
    lines = told(out)
    assert [(line["direction"], line["hex"]) for line in lines] == [
        ("out", "05 31"),
        ("in", "05 31"),
    ]
    assert {(line["level"], line["device"], line["event"]) for line in lines} == {
        ("traffic", "shoe", "wire")
    }
    assert port.identity is inner.identity
    port.close()
    assert inner.closed


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO])
def test_above_its_level_nothing_is_written(out: io.StringIO, level: int) -> None:
    logs.configure(out, level)
    port = Logged(Echo(), "shoe", live=False, clock=lambda: 0.0)
    port.write(b"\x05")
    assert out.getvalue() == ""


def test_live_table_sees_that_something_passed_and_not_even_how_much(out: io.StringIO) -> None:
    """The label of a ten is longer, so no number of bytes and no number of packets is told."""
    logs.configure(out, TRAFFIC)
    texts = []
    for label in (["S", "2", "1"], ["S", "1", "0", "1"]):
        out.truncate(0)
        out.seek(0)
        now = iter(range(100))
        port = Logged(Echo(), "shoe", live=True, clock=lambda now=now: next(now) / 100)  # type: ignore[misc]
        for key in label:
            port.write(key.encode())
            port.read(0)
        texts.append([{**line, "timestamp": ""} for line in told(out)])
    assert texts[0] == texts[1]
    assert [line["direction"] for line in texts[0]] == ["out", "in"]
    assert all("hex" not in line for line in texts[0])


def test_live_table_is_told_again_after_a_second(out: io.StringIO) -> None:
    logs.configure(out, TRAFFIC)
    now = iter([10.0, 10.5, 11.0])
    port = Logged(Echo(), "shoe", live=True, clock=lambda: next(now))
    for _ in range(3):
        port.write(b"x")
    assert len(told(out)) == 2


def test_logging_at_the_traffic_level_logs_everything_else_too(out: io.StringIO) -> None:
    logs.configure(out, TRAFFIC)
    structlog.get_logger().debug("detail", link=LinkUp())
    assert told(out)[0]["level"] == "debug"
