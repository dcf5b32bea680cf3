"""The driver of one shoe. Write here what a technician must know before connecting it."""

from .driver import Driver
from .sheet import SHEET

__all__ = ["SHEET", "Driver"]
