"""Severity of exceptions: the order in which a pit handles them."""

from enum import IntEnum


class Severity(IntEnum):
    WATCH = 1
    AWAY = 2
    """The table is silent; it may continue to play."""
    STOPPED = 3
    """The table waits for a person."""
    ALARM = 4
    """The records themselves are in doubt."""
