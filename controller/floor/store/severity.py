"""How much an exception matters: the order in which a pit looks at them."""

from enum import IntEnum


class Severity(IntEnum):
    WATCH = 1
    AWAY = 2
    """Nobody hears the table; it may well play on."""
    STOPPED = 3
    """The table waits for somebody."""
    ALARM = 4
    """The records themselves are in doubt."""
