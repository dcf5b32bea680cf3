"""What systemd hears, over a real socket, and when the watchdog goes hungry."""

import os
import socket
from pathlib import Path

import pytest

from controller.service.supervision import Notifier, Pulse


@pytest.mark.parametrize("abstract", [False, True])
def test_every_word_arrives(abstract: bool, tmp_path: Path) -> None:
    name = f"@sabot-test-{tmp_path.name}-{os.getpid()}" if abstract else str(tmp_path / "n")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.settimeout(60)
        listening.bind("\0" + name[1:] if abstract else name)
        notifier = Notifier({"NOTIFY_SOCKET": name})
        notifier.ready("table 1 is up")
        notifier.alive()
        notifier.status("held")
        notifier.stopping()
        heard = [listening.recv(100) for _ in range(4)]
    assert heard == [b"READY=1\nSTATUS=table 1 is up", b"WATCHDOG=1", b"STATUS=held", b"STOPPING=1"]


def test_outside_systemd_nothing_is_said_and_nobody_waits() -> None:
    notifier = Notifier({})
    notifier.ready("up")
    assert notifier.watchdog_s is None


def test_the_interval_is_in_seconds_and_meant_for_this_process() -> None:
    mine = {"WATCHDOG_USEC": "2000000", "WATCHDOG_PID": str(os.getpid())}
    assert Notifier(mine).watchdog_s == 2.0
    assert Notifier({**mine, "WATCHDOG_PID": "1"}).watchdog_s is None
    assert Notifier({"WATCHDOG_USEC": "soon"}).watchdog_s is None


def test_one_thing_that_stands_still_is_named_until_it_moves() -> None:
    counts = {"loop": 1, "shoe": 7}
    pulse = Pulse({name: lambda name=name: counts[name] for name in counts})  # type: ignore[misc]
    assert pulse.still() == []
    counts["loop"] = 2
    assert pulse.still() == ["shoe"]
    counts["loop"] = 3
    assert pulse.still() == ["shoe"]
    counts["shoe"] = 8
    assert pulse.still() == []
    assert pulse.still() == ["loop", "shoe"]
