"""A shoe without a wire: it hears nothing, says nothing and takes nothing."""

from drivers.commands import DeviceCommand
from drivers.contract import NOTHING, Settings, Step
from drivers.errors import UnsupportedCommand


class ByHandDriver:
    def __init__(self, settings: Settings) -> None:
        """It has no settings."""

    def hello(self, at: float) -> Step:
        return NOTHING

    def feed(self, data: bytes, at: float) -> Step:
        """There is no wire that anything could come from."""
        return NOTHING

    def ask(self, command: DeviceCommand, at: float) -> Step:
        raise UnsupportedCommand(f"no shoe is there that could do {type(command).__name__}")

    def tick(self, at: float) -> Step:
        return NOTHING

    def deadline(self) -> float | None:
        return None
