"""Bytes that were no frame: when they are reported, and whether a card may have been in them.

A damaged copy has no effect if another copy of the same event arrives, so damage waits a little
before it is reported as a doubt. Continuing noise is reported now and then, not byte by byte.
"""

from typing import Final

from drivers.events import BadFrame
from drivers.shoe_angel_eye.codec import SAMPLE_BYTES, Junk

REMNANT_BYTES: Final = 4
"""Half a card frame. Fewer stray bytes are a glitch on the line; if they were the rest of a card,
the next event's number would still show it."""

REPORT_EVERY_S: Final = 10.0
"""A line with only noise puts six records a minute into the journal."""


class Damage:
    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._size = 0
        self._sample = b""
        self._since = 0.0
        self._not_before = float("-inf")
        self.doubtful = 0
        """How many bytes since the last event that accounted for them."""
        self.doubtful_since = 0.0
        self.was_doubt = False
        """A doubt was reported, and no event has accounted for the damage since."""

    def note(self, junk: Junk, at: float) -> None:
        if not self._size:
            self._since = at
        if not self.doubtful:
            self.doubtful_since = at
        self._size += junk.size
        self.doubtful += junk.size
        self._sample += junk.sample[: SAMPLE_BYTES - len(self._sample)]

    def accounted_for(self) -> None:
        """Forget the damage: an event arrived whose number shows no loss in it."""
        self.doubtful = 0
        self.was_doubt = False

    def deadline(self) -> float | None:
        return max(self._since + self._wait_s, self._not_before) if self._size else None

    def report(self, at: float, copies_bytes: int) -> BadFrame:
        """Return the report. `copies_bytes`: how many of the bytes are copies of an event that
        arrived."""
        may_be_card = self.doubtful - copies_bytes >= REMNANT_BYTES
        reason = f"{self._size} bytes that are no frame"
        if may_be_card:
            reason += ", and no copy of an event came after them"
        self.was_doubt = self.was_doubt or may_be_card
        event = BadFrame(reason, self._sample, may_be_card)
        self._size = self.doubtful = 0
        self._sample = b""
        self._not_before = at + REPORT_EVERY_S
        return event
