"""The driver of one shoe: what a technician must know before it is plugged in stands here."""

from .driver import Driver
from .sheet import SHEET

__all__ = ["SHEET", "Driver"]
