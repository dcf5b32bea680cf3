"""What reading bytes raises that somebody else wrote.

A text that is not UTF-8 and a nesting deeper than the reader goes are no `DecodeError` of msgspec:
whoever names that one alone is ended by a few bytes.
"""

from typing import Final

import msgspec

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
