"""Detects two tables under one name: each start of a table has its own name, its instance.

A restarted table is a new instance, and the earlier one sends nothing more, or one late message.
Two instances that alternate are two tables.
"""

from dataclasses import dataclass, field
from typing import Final

from controller.floor.store.standing_exceptions import ALONE_S
from controller.protocol.names import TableName

RETURNS: Final = 3
"""The number of returns of earlier instances from which on two tables share a name."""
QUIET_S: Final = ALONE_S
_KEPT: Final = 8


@dataclass
class _Heard:
    last: str
    left: list[str] = field(default_factory=list)
    """Earlier instances, the latest last."""
    returns: int = 0
    returned: float = 0.0
    cloned: bool = False


class Instances:
    """The instances of each name, in memory: after a restart they are detected again within
    seconds."""

    def __init__(self) -> None:
        self._heard: dict[TableName, _Heard] = {}

    def hear(self, name: TableName, instance: str, now: float) -> bool:
        """Registers a message of an instance; returns whether two tables share this name."""
        heard = self._heard.get(name)
        if heard is None:
            self._heard[name] = _Heard(instance)
            return False
        if now - heard.returned > QUIET_S:
            heard.returns, heard.cloned = 0, False
        if instance != heard.last:
            self._changed(heard, instance, now)
        return heard.cloned

    def _changed(self, heard: _Heard, instance: str, now: float) -> None:
        if instance in heard.left:
            heard.left.remove(instance)
            heard.returns += 1
            heard.returned = now
            heard.cloned = heard.cloned or heard.returns >= RETURNS
        heard.left = [*heard.left, heard.last][-_KEPT:]
        heard.last = instance
