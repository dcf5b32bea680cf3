"""The JSON lines of the table: one line in, one out. Time moves only by `at`.

Stories, terminal, robot and console use these commands; `sabot table --help-words` lists them.
"""

from typing import Final

import msgspec
from msgspec.structs import asdict

from controller.engine.session import Session
from controller.journal.bodies import JsonLine
from controller.table.commands.message import has_unprintable_text, is_known_type, message_from_line
from controller.table.commands.registry import MAX_NAME, shortened_name
from controller.terminal.rule_questions import LineError
from controller.views.answers import AnswerView, answer_view

MAX_TIME_S: Final = 10**11
"""Largest time in seconds: some three thousand years from any epoch."""
MAX_NUMBER: Final = 10**9
MAX_WHY: Final = 300
"""Characters of an error message, which may quote a field of any length."""


class LineAnswer(AnswerView, frozen=True):
    """The answer to a line."""

    line: int
    """The line's number, from 1."""


class JsonLines:
    """Answers lines for one table, numbering them from 1."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._line = 0

    def answer(self, line: bytes) -> LineAnswer | LineError:
        """Answers a line; an invalid one gets an error and changes nothing."""
        self._line += 1
        try:
            json_line = decoded(line)
        except BadLine as error:
            return LineError(str(error), self._line)
        answer = answer_view(self._session.handle(message_from_line(json_line)))
        return LineAnswer(self._line, **asdict(answer))


class BadLine(Exception):
    """The error for a line that is no valid command."""


def decoded(line: bytes) -> JsonLine:
    """Decodes a line with a known command. Types that only records contain are refused."""
    try:
        json_line = msgspec.json.decode(line, type=JsonLine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLine(str(error)[:MAX_WHY] or "JSON is nested too deeply") from None
    if not is_known_type(json_line.type):
        raise BadLine(f"there is no word {shortened_name(json_line.type)!r}")
    for name, held in (("commitment", json_line.commitment), ("via", json_line.via)):
        if held is not None:
            raise BadLine(f"Object contains unknown field `{name}`")
    _check_envelope(json_line)
    return json_line


def _check_envelope(line: JsonLine) -> None:
    """Checks the fields of the line itself: no duplicates, and bounded numbers and names."""
    twice = sorted(line.on_the_line().keys() & line.given.keys())
    if twice:
        raise BadLine(f"`{twice[0]}` is given on the line and in `with`: say it once")
    if not 0 <= line.at <= MAX_TIME_S:
        raise BadLine(f"`at` is a number of seconds from 0 to {MAX_TIME_S}")
    for name, number in (("index", line.index), ("code", line.code)):
        if number is not None and not 0 <= number <= MAX_NUMBER:
            raise BadLine(f"`{name}` is a number from 0 to {MAX_NUMBER}")
    for name, held in (("who", line.who), ("with", line.given)):
        if line.do is not None and has_unprintable_text(held):
            raise BadLine(f"`{name}` holds a character that nobody reads, a control character, say")
    for name, text in (("from", line.source), ("role", line.role or "")):
        if len(text) > MAX_NAME:
            raise BadLine(f"`{name}` has more than {MAX_NAME} characters")
