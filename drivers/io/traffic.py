"""Wire bytes in the log, at a level of their own under DEBUG: direction, device, hex.

At a live table that would show a card before it is turned, so there the log only records that bytes
passed, at most once a second and without their number: a label of a ten has one character more than
any other.
"""

import logging
from collections.abc import Callable
from typing import Final

from drivers.io.identity import Identity, Port

TRAFFIC: Final = 5
LIVE_GAP_S: Final = 1.0

log = logging.getLogger("sabot.traffic")


class Logged:
    """A port that logs the traffic of another port."""

    def __init__(self, port: Port, device: str, live: bool, clock: Callable[[], float]) -> None:
        self._port = port
        self._device = device
        self._live = live
        self._clock = clock
        self._said: dict[str, float] = {}

    @property
    def identity(self) -> Identity:
        return self._port.identity

    def read(self, timeout_s: float) -> bytes:
        data = self._port.read(timeout_s)
        if data:
            self._say("in", data)
        return data

    def write(self, data: bytes) -> None:
        self._port.write(data)
        self._say("out", data)

    def close(self) -> None:
        self._port.close()

    def _say(self, direction: str, data: bytes) -> None:
        if not log.isEnabledFor(TRAFFIC):
            return
        fields = {"device": self._device, "direction": direction}
        if self._live:
            now = self._clock()
            if now - self._said.get(direction, -LIVE_GAP_S) < LIVE_GAP_S:
                return
            self._said[direction] = now
        else:
            fields["hex"] = data.hex(" ")
        log.log(TRAFFIC, "wire", extra={"fields": fields})
