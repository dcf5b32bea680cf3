"""What a key of the configuration means, said beside the struct that reads it."""

import msgspec


def says(text: str, *, unit: str = "", example: object = None) -> msgspec.Meta:
    """What a key is for, in a sentence fragment; `example` where it has no default to show."""
    return msgspec.Meta(description=text, extra={"unit": unit, "example": example})
