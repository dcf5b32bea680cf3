"""Two tables under one name: each start of a table has a name of its own, its instance.

A table that was started again is another instance, and the one before is not heard again, or once
more where something of it was still under way. Two that speak in turn are two tables.
"""

from dataclasses import dataclass, field
from typing import Final

from controller.floor.store.standing_exceptions import ALONE_S
from controller.protocol.names import TableName

RETURNS: Final = 3
"""So many times somebody has to speak again who had been followed by another."""
QUIET_S: Final = ALONE_S
_KEPT: Final = 8


@dataclass
class _Heard:
    last: str
    left: list[str] = field(default_factory=list)
    """Instances that another has followed, the latest last."""
    returns: int = 0
    returned: float = 0.0
    cloned: bool = False


class Instances:
    """Who speaks under each name. In memory: after a restart it is found again within seconds."""

    def __init__(self) -> None:
        self._heard: dict[TableName, _Heard] = {}

    def hear(self, name: TableName, instance: str, now: float) -> bool:
        """Whether two speak under this name."""
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
