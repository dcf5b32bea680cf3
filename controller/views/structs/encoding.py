"""Encodes views as JSON, and as plain data."""

from typing import Any, Final

import msgspec

from controller.views.structs.cards import Face


def _plain(value: object) -> str:
    if type(value) is Face:
        return str(value)
    raise NotImplementedError(f"a view holds a {type(value).__name__}")


encode: Final = msgspec.json.Encoder(enc_hook=_plain).encode


def plain(view: msgspec.Struct) -> dict[str, Any]:
    """The data of the view's JSON, for a program that forwards it unchanged."""
    found: dict[str, Any] = msgspec.json.decode(encode(view))
    return found
