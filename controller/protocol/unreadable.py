"""The exceptions that decoding foreign bytes can raise.

Besides `DecodeError`, msgspec raises other exceptions for invalid UTF-8 and for too deep nesting. A
program that catches `DecodeError` alone is ended by a few bytes.
"""

from typing import Final

import msgspec

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
