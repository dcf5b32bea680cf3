"""The public keys that are accepted in a proof: the rule of `archive-format.md`, 5.

Libraries differ about keys that no generator makes: a y of the prime or more, which is another
encoding of a smaller one, and the eight points of small order, for which anyone can make a
signature. A file under such a key would be good for one program and bad for another, so none is
accepted.
"""

from typing import Final

from controller.journal.keys.signing import PUBLIC_BYTES, is_signed

_P: Final = 2**255 - 19
_Y_BITS: Final = (1 << 255) - 1
"""The highest bit is the sign of x."""
_ORDER_8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL: Final = frozenset({0, 1, _P - 1, _ORDER_8, _P - _ORDER_8})
"""Every y that a point of order 1, 2, 4 or 8 has, whatever its x."""


def counts(public: bytes) -> bool:
    """Whether a key is accepted. Whether it is a point at all is checked with a signature."""
    y = int.from_bytes(public, "little") & _Y_BITS
    return len(public) == PUBLIC_BYTES and y < _P and y not in _SMALL


def is_proven_by(public: bytes, data: bytes, signature: bytes) -> bool:
    """Whether an accepted key has signed exactly this data."""
    return counts(public) and is_signed(data, signature, public)
