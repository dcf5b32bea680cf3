"""What a test shows of a clause: that the table refused, stopped and asked, or changed something.

A clause that is *enforced* needs one such test; a round in which nothing was wrong proves nothing
about it. For a story it follows from its lines: the one that names the clause, and those around it.
Any other test has it in its mark, `@pytest.mark.clause(book, number, shows="refused")`.
"""

import re
from collections.abc import Iterator
from enum import Enum


class Shows(Enum):
    REFUSED = "refused"
    """Somebody tried what the clause forbids, and it was not taken."""
    HELD = "held"
    """The table stopped, and asked or offered something."""
    CHANGED = "changed"
    """Cards, money or control lie otherwise than they would without the clause."""


_NUMBERS = r"(\d[\d.]*(?: / \d[\d.]*)*)"
_REFERS = re.compile(rf"^Table refers to {_NUMBERS}")
_PROMPTS = re.compile(rf"^The prompt refers to {_NUMBERS}")
_VOID = re.compile(rf"^The round is void by {_NUMBERS}")
_MONEY = re.compile(rf" gets back \d+ by {_NUMBERS}")
_EXPECTS = re.compile(
    r"^(Table |Player has |Banker has |Aside: |Nobody has |The round is void |Decided by |Next: "
    r"|Dealer says: |The prompt refers |The road is |Card \d+ goes |[A-Z]\w* handles the "
    r"|[A-Z]\w* has the shoe|[A-Z]\w*'s )"
)
_STOPS = re.compile(r"^Table (asks|is held|is halted|offers (?!nothing))")
_MOVED = re.compile(r"^(Card \d+ goes from|[A-Z]\w* has the shoe|[A-Z]\w* handles the )")


def story_shows(text: str, book: str) -> dict[str, Shows]:
    """The clauses a story shows at work under this book, and how."""
    listed = re.search(r"^Book: (.+)$", text, re.MULTILINE)
    books = [each.strip() for each in listed[1].split(",")] if listed else [book]
    found: dict[str, Shows] = {}
    for step, expected in _blocks(text):
        for line in expected:
            for named, how in _shown_in(line, step, expected):
                numbers = named.split(" / ")
                number = numbers[books.index(book)] if len(numbers) > 1 else numbers[0]
                found.setdefault(number, how)
    return found


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each step with the expectations that follow it."""
    step, expected = "", list[str]()
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip().rstrip(".")
        if not line:
            continue
        if _EXPECTS.match(line):
            expected.append(line)
        else:
            yield step, expected
            step, expected = line, []
    yield step, expected


def _shown_in(line: str, step: str, expected: list[str]) -> Iterator[tuple[str, Shows]]:
    if found := _VOID.search(line) or _MONEY.search(line):
        yield found[1], Shows.CHANGED
    if found := _REFERS.search(line):
        if step.endswith("(refused)"):
            yield found[1], Shows.REFUSED
        elif any(_STOPS.match(each) for each in expected):
            yield found[1], Shows.HELD
    if (found := _REFERS.search(line) or _PROMPTS.search(line)) and any(
        _MOVED.match(each) for each in expected
    ):
        yield found[1], Shows.CHANGED
