"""Parsers for the fields of a back-door command: JSON values from the page, text from the command
line."""

from simulators.kit import cards
from simulators.kit.contract import Refused

_YES_NO = {"true": True, "yes": True, "on": True, "1": True}
_YES_NO |= {"false": False, "no": False, "off": False, "0": False}


def yes(value: object, name: str) -> bool:
    word = str(value).lower()
    if word not in _YES_NO:
        raise Refused("{name} is {value!r}, but it may be yes or no", name=name, value=value)
    return _YES_NO[word]


def whole(value: object, name: str, least: int, most: int) -> int:
    """Return a whole number, also from text."""
    try:
        number = int(str(value))
    except ValueError:
        raise Refused(
            "{name} is {value!r}, but it takes a whole number", name=name, value=value
        ) from None
    if not least <= number <= most:
        raise Refused(
            "{name} is {value!r}, but it may be {least} to {most}",
            name=name,
            value=number,
            least=least,
            most=most,
        )
    return number


def seconds(value: object, name: str, most: float) -> float:
    try:
        number = float(str(value))
    except ValueError:
        raise Refused("{name} is {value!r}, but it takes seconds", name=name, value=value) from None
    if not 0 <= number <= most:
        raise Refused(
            "{name} is {value!r}, but it may be 0 to {most:g} seconds",
            name=name,
            value=value,
            most=most,
        )
    return number


def one_of(value: object, name: str, may: tuple[str, ...]) -> str:
    word = str(value).lower()
    if word not in may:
        raise Refused(
            "{name} is {value!r}, but it may be {may}", name=name, value=value, may=", ".join(may)
        )
    return word


def a_card(value: object) -> str:
    try:
        return cards.card(str(value))
    except cards.NotACard as error:
        raise not_a_card(error) from None


def not_a_card(error: cards.NotACard) -> Refused:
    return Refused("{text!r} " + cards.HOW_WRITTEN, text=error.text)


def maybe_card(value: object) -> str | None:
    """Return the card, or None for the next one; empty text means None."""
    return None if value in (None, "") else a_card(value)


def characters(value: object, name: str, count: int) -> str:
    """Return the text if it is this number of printable ASCII characters."""
    text = str(value)
    if len(text) != count or not text.isascii() or not text.isprintable():
        raise Refused(
            "{name} is {value!r}, but it takes {count} characters",
            name=name,
            value=value,
            count=count,
        )
    return text


def hexadecimal(value: object, name: str) -> int:
    """Return one byte from two hex digits."""
    try:
        byte = bytes.fromhex(str(value))
    except ValueError:
        byte = b""
    if len(byte) != 1:
        raise Refused("{name} is {value!r}, but it takes two hex digits", name=name, value=value)
    return byte[0]
