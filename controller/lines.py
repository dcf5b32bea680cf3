"""The table from outside: one JSON line in, one out. Time moves only by `at`.

Stories, terminal, robot and console use these words; `sabot table --help-words` lists them.
"""

from typing import Any

import msgspec

from controller.round.rules import Message
from controller.round.words import WORDS
from controller.session import Session
from controller.table import Answer
from controller.views import audience


class Lines:
    """Answers lines for one table, numbering them from 1."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._line = 0

    def answer(self, line: bytes) -> dict[str, Any]:
        """A bad line is answered with an error and changes nothing."""
        self._line += 1
        try:
            message = msgspec.json.decode(line, type=Message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return {"error": str(error) or "JSON is nested too deeply", "line": self._line}
        if why := unknown_word(message):
            return {"error": why, "line": self._line}
        return {"line": self._line, **shown(self._session.handle(message))}


def unknown_word(message: Message) -> str | None:
    """Why the table cannot even look at it."""
    return None if message.word in WORDS else f"there is no word {message.word!r}"


def shown(answer: Answer) -> dict[str, Any]:
    """What a step led to, sealed cards as null."""
    table = answer.table
    return {
        "accepted": answer.accepted,
        "reason": answer.reason,
        "state": answer.state.value,
        "clause": answer.clause,
        "prompt": {
            "do": answer.prompt.do,
            "say": answer.prompt.say,
            "clause": answer.prompt.clause,
        },
        "asks": audience.asks(table),
        "offers": audience.open_offers(table),
        "hands": audience.hands(table),
        "settlements": audience.settlements(table),
    }
