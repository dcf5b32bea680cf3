"""Angel Eye II-EX, the reading shoe of Angel Playing Cards.

    link        RS-232, 4800 baud, 8N1, no flow control, or a serial device server in TCP mode.
                With a straight cable leave pins 8 and 9 open at the shoe: they may do damage.
    reports     every card with its purpose, the cutting card, its own result, errors, its key lock,
                start and stand-by; each three times, numbered, with a checksum
    can do      lock, unlock, clear an error, keep or discard an excess card, confirm a game; only
                with `read_only = false`
    cannot      resend what was missed, report its serial number, send a sign of life: silence of
                the shoe is normal

A gap in the numbers holds the table and asks for the count, except one of exactly a whole cycle
(nine or ten events), which cannot be detected. PROTOCOL.md has the bytes and the source of each
fact; `SHEET` has the settings for everything the sources leave open.
"""

from drivers.shoe_angel_eye.driver import AngelEye as Driver
from drivers.shoe_angel_eye.sheet import SHEET

__all__ = ["SHEET", "Driver"]
