"""The table from outside: one JSON line in, one out. Time moves only by `at`.

Stories, terminal, robot and console use these words; `sabot table --help-words` lists them.
"""

from typing import Final

import msgspec
from msgspec.structs import asdict

from controller.engine.session import Session
from controller.journal.bodies import JsonLine
from controller.table.words.message import from_line, known, not_text
from controller.table.words.vocabulary import NAME_MOST, short
from controller.terminal.rule_questions import LineError
from controller.views.answers import AnswerView, answer_view

AT_MOST: Final = 10**11
"""Seconds: some three thousand years, whatever the clock counts from."""
NUMBER_MOST: Final = 10**9
WHY_MOST: Final = 300
"""Characters of what is wrong with a line, which may name a field that has no end."""


class LineAnswer(AnswerView, frozen=True):
    """The answer to a line."""

    line: int
    """Its number, from 1."""


class JsonLines:
    """Answers lines for one table, numbering them from 1."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._line = 0

    def answer(self, line: bytes) -> LineAnswer | LineError:
        """A bad line is answered with an error and changes nothing."""
        self._line += 1
        try:
            said = decoded(line)
        except BadLine as error:
            return LineError(str(error), self._line)
        answer = answer_view(self._session.handle(from_line(said)))
        return LineAnswer(self._line, **asdict(answer))


class BadLine(Exception):
    """Why the table cannot even look at a line."""


def decoded(line: bytes) -> JsonLine:
    """A line with a word the table knows. What only records hold is not taken from outside."""
    try:
        said = msgspec.json.decode(line, type=JsonLine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLine(str(error)[:WHY_MOST] or "JSON is nested too deeply") from None
    if not known(said.verb):
        raise BadLine(f"there is no word {short(said.verb)!r}")
    for name, held in (("commitment", said.commitment), ("via", said.via)):
        if held is not None:
            raise BadLine(f"Object contains unknown field `{name}`")
    _check_envelope(said)
    return said


def _check_envelope(said: JsonLine) -> None:
    """What stands on the line itself: each thing said once, and no number or name without end."""
    twice = sorted(said.on_the_line().keys() & said.given.keys())
    if twice:
        raise BadLine(f"`{twice[0]}` is given on the line and in `with`: say it once")
    if not 0 <= said.at <= AT_MOST:
        raise BadLine(f"`at` is a number of seconds from 0 to {AT_MOST}")
    for name, number in (("index", said.index), ("code", said.code)):
        if number is not None and not 0 <= number <= NUMBER_MOST:
            raise BadLine(f"`{name}` is a number from 0 to {NUMBER_MOST}")
    for name, held in (("who", said.who), ("with", said.given)):
        if said.do is not None and not_text(held):
            raise BadLine(f"`{name}` holds a character that nobody reads, a control character, say")
    for name, text in (("from", said.source), ("role", said.role or "")):
        if len(text) > NAME_MOST:
            raise BadLine(f"`{name}` has more than {NAME_MOST} characters")
