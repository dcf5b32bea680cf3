"""Notifications to systemd: the service is up and alive.

The watchdog is fed only when everything that must move has moved since the last feed: the table's
loop and every device's reader. If one of them hangs, the feeding stops and systemd restarts the
service.
"""

import os
import socket
from collections.abc import Callable, Mapping
from typing import Final

MICROSECONDS: Final = 1_000_000


class Notifier:
    """Sends notifications to systemd; outside systemd it does nothing."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.watchdog_s = _interval(environment)
        """Seconds within which a beat is due; None without a watchdog."""

    def ready(self, text: str) -> None:
        self._send(f"READY=1\nSTATUS={text}")

    def status(self, text: str) -> None:
        self._send(f"STATUS={text}")

    def alive(self) -> None:
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, words: str) -> None:
        if not self._address:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.sendto(words.encode(), self._address)


def _interval(environment: Mapping[str, str]) -> float | None:
    """Return the watchdog's interval. systemd names the process, so that a child does not feed its
    parent's watchdog."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    text = environment.get("WATCHDOG_USEC", "")
    return int(text) / MICROSECONDS if text.isdigit() and int(text) else None


class Pulse:
    """Detects whether everything that must move has moved. Each counter only increases while its
    part works."""

    def __init__(self, counters: Mapping[str, Callable[[], int]]) -> None:
        self._counters = counters
        self._seen: dict[str, int] = {}

    def still(self) -> list[str]:
        """Return the names of parts that have not moved since the last check in which all had."""
        now = {name: count() for name, count in self._counters.items()}
        still = [name for name, count in now.items() if count <= self._seen.get(name, -1)]
        if not still:
            self._seen = now
        return still
