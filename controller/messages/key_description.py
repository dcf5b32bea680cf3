"""What a key of the configuration means, said next to the struct that reads it."""

import msgspec


def describe(
    text: str, *, unit: str = "", example: object = None, written: bool = False
) -> msgspec.Meta:
    """What a key is for, in a sentence fragment; `example` where it has no default to show, and
    `written` where the example file sets it although it may be left out."""
    extra = {"unit": unit, "example": example, "written": written}
    return msgspec.Meta(description=text, extra=extra)
