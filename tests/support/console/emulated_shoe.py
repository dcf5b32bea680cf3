"""An emulated Angel Eye shoe beside a console in this process: the real driver at its wire."""

import threading
import time
from typing import Any, Final

from controller.runtime.devices import ConnectedDevice
from controller.runtime.loop import Loop
from drivers.events import LinkUp
from drivers.shoe_angel_eye.driver import AngelEye
from drivers.shoe_angel_eye.sheet import SHEET
from simulators.shoe_angel_eye import make

STEP_S: Final = 0.005
QUICK: Final = {
    "burn": "no",
    "result_s": "0",
    "spacing_s": "0",
    "draw_limit_s": "0.1",
    "baud": "115200",
}


class EmulatedShoe:
    """A shoe that plays its own round; a hand draws the cards a test names and presses buttons."""

    def __init__(self) -> None:
        self._emulator = make(QUICK, 1)
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self.device = ConnectedDevice("shoe", AngelEye({}), SHEET, "memory", self._heard, True)
        self._thread = threading.Thread(target=self._run, name="shoe")
        self._loop: Loop | None = None

    def start(self, loop: Loop) -> None:
        self._loop = loop
        loop.hear("shoe", LinkUp(), time.monotonic())
        self._emulator.plugged()
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def do(self, word: str, **given: Any) -> object:
        with self._lock:
            return self._emulator.words[word].do(**given)

    def _heard(self, data: bytes) -> None:
        with self._lock:
            self._emulator.hear(data)

    def _run(self) -> None:
        """Bytes leave the shoe as time goes by."""
        assert self._loop is not None
        while not self._ended.wait(STEP_S):
            with self._lock:
                data = self._emulator.step(STEP_S)
            if data:
                self._loop.hear("shoe", data, time.monotonic())
