"""Prepares msgspec's cached type information of all structs before threads start.

msgspec computes this information when it first decodes a struct and stores an incomplete part of it
on the class meanwhile, because a struct may contain itself. It also lets other threads run
meanwhile. A thread that decodes the same struct for the first time at that moment uses the
incomplete part, and the process crashes. Two pages that open a round at once could end a table that
way.
"""

from collections.abc import Iterator

import msgspec

_prepared: set[type[msgspec.Struct]] = set()


def prepare_types() -> None:
    """Prepare every imported struct. Call it before any thread starts that decodes one."""
    for struct in set(_below(msgspec.Struct)) - _prepared:
        try:
            msgspec.json.Decoder(struct)
        except (TypeError, NameError):  # not a type of JSON, so never decoded
            continue
        finally:
            _prepared.add(struct)


def _below(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in struct.__subclasses__():
        yield each
        yield from _below(each)
