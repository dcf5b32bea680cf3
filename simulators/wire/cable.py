"""One direction of a cable: bytes in at one end, out at the other, at the line's pace or at once.

A fault is requested in advance and hits a byte by its position: `drop(after=3, count=2)` lets three
bytes pass and loses the next two. Several faults may be pending. `noise` adds faults at random,
from the seed. Without a position, a fault hits the next byte.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from simulators.kit.contract import Refused

BITS_A_BYTE: Final = 10
"""Start bit, eight data bits, stop bit."""
MAX_BYTES_WAITING: Final = 65_536
"""Capacity of a line without a reader; later bytes are lost, as in any serial buffer."""
MAX_FAULTS_WAITING: Final = 1_000
HELD_S: Final = 1.0
"""Time-out after which bytes held for reordering leave in their original order."""


@dataclass(slots=True)
class _Fault:
    """A pending fault that affects `count` bytes from byte number `first` on."""

    first: int
    count: int
    act: Callable[[int], Iterable[int]]

    def takes(self, place: int) -> bool:
        return self.first <= place < self.first + self.count


class Wire:
    """One direction of a line: `put` at one end, `step` at the other."""

    def __init__(self, seed: int = 0, baud: int | None = None) -> None:
        self.baud = baud
        """None: no rate limit."""
        self.is_cut = False
        """The cable was cut by a fault; its owner handles the cut and mends it."""
        self.lost = 0
        """Number of bytes lost for any reason."""
        self._chance = Random(seed)
        self._noise = 0.0
        self._waiting: deque[int] = deque()
        self._place = 0
        self._faults: list[_Fault] = []
        self._cut_at: int | None = None
        self._held: list[int] = []
        self._held_s = 0.0
        self._delay_s = 0.0
        self._credit_s = 0.0

    # --- faults -------------------------------------------------------------------------------

    def cut(self, after: int = 0) -> None:
        """Cut the cable after this number of bytes."""
        self._cut_at = self._place + after
        self._cut_if_due()

    def drop(self, after: int = 0, count: int = 1) -> None:
        self._order(after, count, self._lose)

    def double(self, after: int = 0, count: int = 1) -> None:
        """Deliver the next `count` bytes twice."""
        seen: list[int] = []

        def act(byte: int) -> Iterable[int]:
            seen.append(byte)
            return (byte,) if len(seen) < count else (byte, *seen)

        self._order(after, count, act)

    def reorder(self, after: int = 0, count: int = 1) -> None:
        """Swap the next `count` bytes with the `count` bytes behind them."""
        passed = 0

        def act(byte: int) -> Iterable[int]:
            nonlocal passed
            passed += 1
            if passed <= count:
                self._held.append(byte)
                self._held_s = 0.0
                return ()
            if passed < 2 * count:
                return (byte,)
            held, self._held = self._held, []
            return (byte, *held)

        self._order(after, 2 * count, act)

    def flip(self, after: int = 0, bit: int | None = None) -> None:
        """Flip one bit of one byte; a random one from the seed unless given."""
        which = self._chance.randrange(8) if bit is None else bit
        self._order(after, 1, lambda byte: (byte ^ 1 << which,))

    def delay(self, seconds: float) -> None:
        """Hold back all bytes for this time, then deliver them."""
        self._delay_s += seconds

    def noise(self, rate: float) -> None:
        """Drop, double or flip a bit of this share of all bytes from now on."""
        self._noise = rate

    def mend(self) -> None:
        """Remove all faults; bytes still in the old cable are lost."""
        self.lost += len(self._waiting) + len(self._held)
        self._waiting.clear()
        self._held.clear()
        self._faults.clear()
        self._cut_at, self.is_cut = None, False
        self._noise = self._delay_s = self._credit_s = 0.0

    def _order(self, after: int, count: int, act: Callable[[int], Iterable[int]]) -> None:
        if len(self._faults) >= MAX_FAULTS_WAITING:
            raise Refused("{n} faults wait on this line already", n=MAX_FAULTS_WAITING)
        self._faults.append(_Fault(self._place + after, count, act))

    # --- bytes --------------------------------------------------------------------------------

    def put(self, data: bytes) -> None:
        """Add bytes to the line. A cut line accepts none."""
        if self.is_cut:
            self.lost += len(data)
            return
        room = MAX_BYTES_WAITING - len(self._waiting)
        self._waiting.extend(data[:room])
        self.lost += max(0, len(data) - room)

    def step(self, dt: float) -> bytes:
        """Return the bytes that arrive at the far end within the next `dt` seconds."""
        dt -= self._wait_out(dt)
        out = bytearray()
        for _ in range(self._may_pass(dt)):
            if self.is_cut or not self._waiting:
                break
            out += self._pass(self._waiting.popleft())
        out += self._let_go(dt)
        return bytes(out)

    def due_s(self) -> float | None:
        """Return the seconds until the next byte arrives; None when none is on its way."""
        if self._delay_s:
            return self._delay_s
        if not self._waiting:
            return HELD_S - self._held_s if self._held else None
        return max(0.0, self._byte_s - self._credit_s)

    @property
    def _byte_s(self) -> float:
        return BITS_A_BYTE / self.baud if self.baud else 0.0

    def _wait_out(self, dt: float) -> float:
        waited = min(dt, self._delay_s)
        self._delay_s -= waited
        return waited

    def _may_pass(self, dt: float) -> int:
        """Return how many bytes the line carries in this time; idle time is not saved up."""
        if self._delay_s:
            return 0
        if not self.baud:
            return len(self._waiting)
        self._credit_s = self._credit_s + dt if self._waiting else 0.0
        # The small part of a byte compensates for float errors in long sums.
        bytes_due = int(self._credit_s / self._byte_s + 1e-6)
        passing = min(bytes_due, len(self._waiting))
        rest_s = max(0.0, self._credit_s - passing * self._byte_s)
        self._credit_s = rest_s if passing < len(self._waiting) else 0.0
        return passing

    def _pass(self, byte: int) -> bytes:
        place = self._place
        self._place += 1
        out: list[int] = [byte]
        for fault in self._faults:
            if fault.takes(place):
                out = [each for one in out for each in fault.act(one)]
        self._faults = [each for each in self._faults if each.first + each.count > self._place]
        out = self._by_chance(out)
        self._cut_if_due()
        return bytes(out)

    def _lose(self, _byte: int) -> tuple[int, ...]:
        self.lost += 1
        return ()

    def _by_chance(self, out: list[int]) -> list[int]:
        if not self._noise or self._chance.random() >= self._noise:
            return out
        kind = self._chance.choice(("drop", "double", "flip"))
        if kind == "drop":
            return [each for byte in out for each in self._lose(byte)]
        if kind == "double":
            return out + out
        return [byte ^ 1 << self._chance.randrange(8) for byte in out]

    def _let_go(self, dt: float) -> bytes:
        if not self._held:
            return b""
        self._held_s += dt
        if self._held_s < HELD_S:
            return b""
        out, self._held = bytes(self._held), []
        return out

    def _cut_if_due(self) -> None:
        if self._cut_at is not None and self._place >= self._cut_at:
            self.is_cut = True
            self.lost += len(self._waiting)
            self._waiting.clear()
