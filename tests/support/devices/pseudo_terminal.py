"""A serial line without hardware: the host opens `path`, the test holds the other end."""

import os
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from support.devices.emulated import read


class Terminal:
    def __init__(self) -> None:
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        self.path = os.ttyname(self._near)

    def say(self, data: bytes) -> None:
        os.write(self._far, data)

    def heard(self, count: int) -> bytes:
        return read(self._far, count)

    def attributes(self) -> list[object]:
        import termios

        return list(termios.tcgetattr(self._far))

    def pull(self) -> None:
        """The cable comes out: the host's end is dead and its path is gone."""
        for descriptor in (self._far, self._near):
            if descriptor >= 0:
                os.close(descriptor)
        self._far = self._near = -1


@contextmanager
def terminal() -> Iterator[Terminal]:
    made = Terminal()
    try:
        yield made
    finally:
        made.pull()
