"""What a command says is wrong, without the box it is said in."""

import re
from typing import Final

_FRAME: Final = re.compile("[│╭╮╰╯─]+")


def unboxed(said: str) -> str:
    """As one line: how long a folder's name is decides where a box breaks its sentence."""
    return " ".join(_FRAME.sub(" ", said).split())
