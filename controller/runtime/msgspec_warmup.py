"""What msgspec works out about a struct when it first reads one, worked out before threads do.

It keeps half of that on the class while it is at it (a struct may have itself among its fields) and
lets other threads run meanwhile: one that reads the same struct for the first time at that moment
takes the half for the whole, and the process is gone. Two pages that open a round at once could end
a table that way.
"""

from collections.abc import Iterator

import msgspec

_prepared: set[type[msgspec.Struct]] = set()


def prepare_types() -> None:
    """Every struct that is imported. Called before a thread starts that reads any."""
    for struct in set(_below(msgspec.Struct)) - _prepared:
        try:
            msgspec.json.Decoder(struct)
        except (TypeError, NameError):  # one with a field that no JSON has, which nobody reads
            continue
        finally:
            _prepared.add(struct)


def _below(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in struct.__subclasses__():
        yield each
        yield from _below(each)
