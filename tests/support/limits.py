"""Limits of waiting that every test shares."""

from typing import Final

MAX_WAIT_S: Final = 120.0
"""Only bounds a failure: whatever is waited for comes within milliseconds, and within seconds on a
machine that does something else. No test expects it to pass."""
