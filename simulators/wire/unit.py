"""One device on its cable: the emulator, a wire for each direction, and all back-door commands.

A unit works entirely in memory. `hear` and `step` are the host's end of the cable; a program
connects them to a real port (`simulators.wire.serve`), a test calls them directly.
"""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, Final

from simulators.kit import fields
from simulators.kit.contract import Action, Conversing, Emulator, Refused, Resting
from simulators.wire.cable import Wire

MAX_COUNT: Final = 65_536
MAX_DELAY_S: Final = 3600.0


def _is_needed(field: Parameter) -> bool:
    return field.default is Parameter.empty and field.kind is not Parameter.VAR_KEYWORD


class Unit:
    """A device, its cable and its back door."""

    def __init__(self, emulator: Emulator, seed: int = 0, real_pace: bool = False) -> None:
        self.emulator = emulator
        self._resting = emulator if isinstance(emulator, Resting) else None
        baud = emulator.baud if real_pace else None
        self.out = Wire(seed, baud)
        """From the device to the host."""
        self.back = Wire(seed + 1, baud)
        """From the host to the device."""
        self.connected = True
        """Whether the cable is in. Without it the host's port does not exist."""
        self.hung = False
        """The device has stopped; its port stays open, and bytes from the host are lost."""
        self.silent = False
        """The cable behind a device server is out: the host receives nothing."""
        own = emulator.words
        line = self._line_words()
        self._words = {**own, **{name: line[name] for name in line if name not in own}}

    # --- the host's end -----------------------------------------------------------------------

    def hear(self, data: bytes) -> None:
        """Receive bytes from the host."""
        if self.connected and not self.hung and not self.silent:
            self.back.put(data)

    def step(self, dt: float) -> bytes:
        """Advance time by `dt` seconds and return the bytes that reach the host."""
        if self.hung:
            return b""
        heard = self.back.step(dt)
        if heard:
            self.emulator.hear(heard)
        data = self.emulator.step(dt)
        if not self.connected or self.silent:
            return b""
        self.out.put(data)
        arrived = self.out.step(dt)
        if self.is_cut:
            self._unplug()
        return arrived

    def plugged(self) -> None:
        """Handle a host that has opened the port."""
        self.emulator.plugged()

    @property
    def is_cut(self) -> bool:
        return self.out.is_cut or self.back.is_cut

    def due_s(self) -> float | None:
        """Return the seconds until the next byte of the line arrives at either end."""
        times = [each for each in (self.out.due_s(), self.back.due_s()) if each is not None]
        return None if self.hung else min(times, default=None)

    @property
    def at_rest(self) -> bool:
        """Whether nothing changes until the host or a person acts."""
        if self.hung:
            return True
        rests = self._resting is not None and self._resting.at_rest
        return rests and self.due_s() is None

    # --- the back door ------------------------------------------------------------------------

    @property
    def words(self) -> Mapping[str, Action]:
        return self._words

    def do(self, word: str, **given: object) -> object:
        """Run a back-door command; raises `Refused` with the reason."""
        known = self._words.get(word)
        if known is None:
            may = ", ".join(self._words)
            raise Refused("there is no word {word!r}. There are: {may}", word=word, may=may)
        strange = [name for name in given if name not in known.fields]
        if strange:
            may = ", ".join(known.fields) or "nothing"
            names = ", ".join(strange)
            raise Refused(
                "{word} does not take {names}; it takes {may}", word=word, names=names, may=may
            )
        takes = signature(known.do).parameters.values()
        missing = [each.name for each in takes if each.name not in given and _is_needed(each)]
        if missing:
            raise Refused("{word} takes {names} too", word=word, names=", ".join(missing))
        return known.do(**given)

    def shown(self) -> dict[str, Any]:
        """Return the whole visible state of the device and its cable."""
        return {
            "name": self.emulator.name,
            "connected": self.connected,
            "hung": self.hung,
            "silent": self.silent,
            "bytes_lost": self.out.lost + self.back.lost,
            "device": self.emulator.shown(),
        }

    def _line_words(self) -> dict[str, Action]:
        words = {
            "hang": Action("stop the device with its port open", self._hang),
            "resume": Action("let a hung device go on", self._resume),
            "unplug": Action("pull the cable: the host's port is gone", self._unplug),
            "plug": Action("put the cable back; faults that waited are gone", self._plug),
        }
        if isinstance(self.emulator, Conversing):
            return words
        after = {
            "after": "bytes that pass first (0)",
            "line": "out (default): to the host; in: to the device",
        }
        count = {**after, "count": "how many bytes (1)"}
        return words | {
            "silence": Action(
                "pull the cable behind the device server: the link stays, nothing comes",
                self._silence,
                {"on": "yes (default); no"},
            ),
            "cut": Action(
                "cut the cable after some bytes; plug puts in a new one", self._cut, after
            ),
            "drop": Action("lose bytes", self._counted("drop"), count),
            "double": Action("let bytes arrive twice", self._counted("double"), count),
            "reorder": Action("let bytes overtake as many behind", self._counted("reorder"), count),
            "delay": Action(
                "let nothing arrive for a while",
                self._delay,
                {"seconds": "how long (1)", "line": after["line"]},
            ),
            "flip": Action(
                "flip a bit of one byte", self._flip, {**after, "bit": "0-7, or by chance"}
            ),
            "noise": Action(
                "from now on strike bytes by chance",
                self._noise,
                {"percent": "share of all bytes, 0-100 (1)", "line": after["line"]},
            ),
        }

    def _hang(self) -> None:
        self.hung = True

    def _resume(self) -> None:
        if not self.hung:
            raise Refused("the device does not hang")
        self.hung = False

    def _unplug(self) -> None:
        if not self.connected:
            raise Refused("the cable is out already")
        self.connected = False

    def _plug(self) -> None:
        if self.connected:
            raise Refused("the cable is in already")
        self.out.mend()
        self.back.mend()
        self.connected = True

    def _silence(self, on: object = True) -> None:
        self.silent = fields.yes(on, "on")

    def _wire(self, line: object) -> Wire:
        return self.out if fields.one_of(line, "line", ("out", "in")) == "out" else self.back

    def _cut(self, after: object = 0, line: object = "out") -> None:
        self._wire(line).cut(fields.whole(after, "after", 0, MAX_COUNT))

    def _counted(self, fault: str) -> Callable[..., None]:
        def order(after: object = 0, count: object = 1, line: object = "out") -> None:
            skip = fields.whole(after, "after", 0, MAX_COUNT)
            number = fields.whole(count, "count", 1, MAX_COUNT)
            getattr(self._wire(line), fault)(skip, number)

        return order

    def _delay(self, seconds: object = 1, line: object = "out") -> None:
        self._wire(line).delay(fields.seconds(seconds, "seconds", MAX_DELAY_S))

    def _flip(self, after: object = 0, bit: object = None, line: object = "out") -> None:
        which = None if bit in (None, "") else fields.whole(bit, "bit", 0, 7)
        self._wire(line).flip(fields.whole(after, "after", 0, MAX_COUNT), which)

    def _noise(self, percent: object = 1, line: object = "out") -> None:
        self._wire(line).noise(fields.whole(percent, "percent", 0, 100) / 100)
