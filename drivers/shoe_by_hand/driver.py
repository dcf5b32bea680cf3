"""The driver of a shoe without a wire: it receives, reports and sends nothing."""

from drivers.commands import DeviceCommand
from drivers.contract import NOTHING, Settings, Step
from drivers.errors import UnsupportedCommand


class ByHandDriver:
    def __init__(self, settings: Settings) -> None:
        """Create the driver; it has no settings."""

    def hello(self, at: float) -> Step:
        return NOTHING

    def feed(self, data: bytes, at: float) -> Step:
        """Return nothing: there is no wire."""
        return NOTHING

    def ask(self, command: DeviceCommand, at: float) -> Step:
        raise UnsupportedCommand(f"no shoe is there that could do {type(command).__name__}")

    def tick(self, at: float) -> Step:
        return NOTHING

    def deadline(self) -> float | None:
        return None
