"""Descriptions of configuration keys, next to the struct that reads them."""

import msgspec


def describe(
    text: str, *, unit: str = "", example: object = None, written: bool = False
) -> msgspec.Meta:
    """The purpose of a key, as a sentence fragment; `example` if it has no default to show, and
    `written` if the example file sets it although it is optional."""
    extra = {"unit": unit, "example": example, "written": written}
    return msgspec.Meta(description=text, extra=extra)
