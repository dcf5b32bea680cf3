"""The table from outside: one JSON line in, one out. Time moves only by `at`.

Stories, terminal, robot and console use these words; `sabot table --help-words` lists them.
"""

import msgspec

from controller.engine.session import Session
from controller.table.words.message import JsonLine, from_line, known
from controller.views.answers import AnswerView, answer_json


class JsonLines:
    """Answers lines for one table, numbering them from 1."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._line = 0

    def answer(self, line: bytes) -> AnswerView:
        """A bad line is answered with an error and changes nothing."""
        self._line += 1
        try:
            said = decoded(line)
        except BadLine as error:
            return {"error": str(error), "line": self._line}
        return {"line": self._line, **answer_json(self._session.handle(from_line(said)))}


class BadLine(Exception):
    """Why the table cannot even look at a line."""


def decoded(line: bytes) -> JsonLine:
    """A line with a word the table knows. What only records hold is not taken from outside."""
    try:
        said = msgspec.json.decode(line, type=JsonLine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLine(str(error) or "JSON is nested too deeply") from None
    if not known(said.verb):
        raise BadLine(f"there is no word {said.verb!r}")
    if said.commitment is not None:
        raise BadLine("Object contains unknown field `commitment`")
    return said
