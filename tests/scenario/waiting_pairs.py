"""Tables at which two things wait: every request with every irregularity, in every phase and book.

A table is played by a script to each phase; something happens to it; somebody makes a request; and
something is reported. What the table takes of it is not the question here, so whatever is refused
is left out.
"""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from controller.engine.step import TableMachine
from controller.game.money.rounding import Rounding
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.table.commands.message import new_message
from controller.table.commands.reports import FORMS, IDS
from controller.table.holds import LASTING
from controller.table.rules import HouseRules, Rules
from controller.table.state import Table
from drivers.error_meaning import ErrorMeaning
from support.table.agenda_check import AgendaCheck, ends

Line = tuple[str, str, dict[str, Any]]
"""Who or which device, what, and what is given with it."""
RWS: Final = "rws-commission-baccarat-4"
ROLES: Final = {"dan": "dealer", "pia": "pit_supervisor", "max": "pit_manager"}
MAX_STEPS: Final = 12
"""After so many answers something is left to be done at a device, or play goes on."""

OPENING: Final[tuple[Line, ...]] = (
    ("pia", "deck_set", {"deck_set": "green", "stage": "received"}),
    ("top", "open_table", {}),
    ("shuffler", "verified", {}),
    ("dan", "load_shoe", {"deck_set": "blue", "verified_by": "shuffler", "cut": True}),
    ("shoe", "card", {"card": "AS"}),
    ("shoe", "card", {"card": "5D"}),
    ("dan", "open_betting", {}),
    ("ann", "place", {"wager": "player", "amount": 3000, "position": 1, "id": "a"}),
    ("bob", "place", {"wager": "tie", "amount": 100, "position": 2, "id": "b"}),
    ("dan", "close_betting", {"anyway": True}),
    ("max", "approve", {}),
    ("shoe", "card", {"card": "2H"}),
    ("shoe", "card", {"card": "KC"}),
    ("shoe", "card", {"card": "3D"}),
    ("shoe", "card", {"card": "5S"}),
    ("dan", "expose", {"hand": "player"}),
    ("dan", "expose", {"hand": "banker"}),
    ("shoe", "card", {"card": "4H"}),
    ("dan", "expose", {"hand": "player"}),
    ("shoe", "card", {"card": "5C"}),
    ("dan", "expose", {"hand": "banker"}),
    ("dan", "announce", {}),
    ("dan", "settle", {}),
)
"""A round with both third cards; where nothing is turned, `expose` is refused."""
LAST_OF_SHOE: Final[tuple[Line, ...]] = (
    *OPENING[:-2],
    ("shoe", "cut_card", {}),
    *OPENING[-2:],
)
BY_HAND: Final[tuple[Line, ...]] = (
    *OPENING,
    ("dan", "deal_by_hand", {"reason": "the shoe is broken"}),
    ("max", "approve", {}),
    ("dan", "count", {"cards": 0}),
    ("dan", "open_betting", {}),
    ("ann", "place", {"wager": "player", "amount": 1000, "position": 1, "id": "c"}),
    ("dan", "close_betting", {}),
    *(("dan", "deal_card", {"card": card}) for card in ("9S", "2C", "KH", "6C")),
    *(("dan", "deal_card", {}) for _ in range(4)),
    ("dan", "expose", {"hand": "player"}),
    ("dan", "enter_card", {"card": "9S"}),
    ("dan", "enter_card", {"card": "KH"}),
    ("dan", "expose", {"hand": "banker"}),
    ("dan", "enter_card", {"card": "2C"}),
    ("dan", "enter_card", {"card": "6C"}),
)
"""Where cards lie face down they are named when they are exposed."""
EVENTS: Final[tuple[Line | None, ...]] = (
    None,
    ("shoe", "error", {"code": 2, "says": "jam", "means": ErrorMeaning.UNREADABLE.value,
                       "must_clear": True}),
    ("shoe", "lid_open", {}),
    ("shoe", "events_lost", {}),
    ("shoe", "read_failed", {}),
    ("system", "journal_loss", {}),
    ("system", "restarted", {}),
    ("pia", "suspend", {}),
    ("shuffler", "verified", {}),
)  # fmt: skip
"""What has happened to the table before somebody makes a request."""
UNREAD: Final[Line] = ("shoe", "read_failed", {})
TAKEN: Final[tuple[Line, ...]] = (
    *OPENING[:12],
    UNREAD,
    *OPENING[13:15],
    ("pia", "report", {"what": "cards_taken", "facts": {"value_known": False}}),
)
"""A player has walked off with cards, and one that lay face down was never read."""
KEPT_UNREAD: Final[tuple[tuple[Line, Line], ...]] = (
    (UNREAD, ("shoe", "card", {"card": "4H"})),
    (("shoe", "card", {"card": "4H"}), UNREAD),
    (UNREAD, UNREAD),
)
UNIT: Final = {"device": "shoe", "identity": "usb 1", "asset": "SHOE-2", "reason": "jammed"}
REQUESTS: Final[tuple[Line, ...]] = (
    ("dan", "correct", {"n": 3, "card": "8H", "reason": "an eight"}),
    ("pia", "swap_device", UNIT),
    ("dan", "deal_by_hand", {"reason": "the shoe is broken"}),
    ("dan", "use_shoe", {"reason": "it is whole again"}),
    ("dan", "close_betting", {"anyway": True}),
    ("dan", "load_shoe", {"deck_set": "red", "verified_by": "shuffler", "cut": True}),
    ("dan", "load_shoe", {"deck_set": "red", "verified_by": "max", "cut": True}),
    ("pia", "resume", {"reason": "looked"}),
    ("dan", "count", {"cards": 3}),
    ("dan", "count", {"cards": 7}),
    ("dan", "enter_card", {"card": "9H"}),
    ("dan", "announce", {}),
    ("pia", "deck_set", {"deck_set": "green", "stage": "inspected", "reason": "looked"}),
    ("dan", "reconcile", {"deck_set": "blue", "cards": 400}),
)


class Pair(NamedTuple):
    """A table at which something waits, and what led there."""

    table: Table
    lines: tuple[Line, ...]


class Waiting:
    """The tables of one book."""

    def __init__(self, book: str, face: str) -> None:
        self.rules = _rules(book, face)
        self.check = AgendaCheck(self.rules)
        self._machine = TableMachine(self.rules, Sealer(bytes(32), random.Random(1).randbytes))
        self._top = "table_game_shift_manager" if book == RWS else "gaming_shift_manager"

    def step(self, table: Table, line: Line) -> Table | None:
        """The table after it; None where it is refused."""
        who, verb, given = line
        at = table.at + 1
        if who in ("shoe", "shuffler", "system"):
            said = new_message(who, verb, at=at, **given)
        elif who in ("ann", "bob"):
            said = new_message("player", verb, who=who, at=at, **given)
        else:
            said = new_message(
                "staff", verb, who=who, role=ROLES.get(who, self._top), at=at, **given
            )
        self._machine.load_state(table)
        answer = self._machine.decide(said).answer
        return answer.table if answer.accepted else None

    def moments(self) -> Iterator[Pair]:
        """The table in every phase: after each step of a round, and of one dealt by hand."""
        for script in (OPENING, BY_HAND, LAST_OF_SHOE):
            table, lines = Table(), tuple[Line, ...]()
            for at, line in enumerate(script, start=1):
                after = self.step(table, line)
                if after is not None:
                    table, lines = after, (*lines, line)
                    if script is OPENING or script[:at] != OPENING[:at]:
                        yield Pair(table, lines)

    def asked(self) -> Iterator[Pair]:
        """Each of these with something that has happened, and a request that waits."""
        for moment in self.moments():
            if moment.table.requests:
                yield moment
            for event in EVENTS:
                table = moment.table if event is None else self.step(moment.table, event)
                if table is None:
                    continue
                lines = moment.lines if event is None else (*moment.lines, event)
                yield from self._requests(Pair(table, lines))

    def pairs(self) -> Iterator[Pair]:
        """Each of those with every irregularity that the table takes there; and the irregularity
        first, with every request that may still be made."""
        for asked in self.asked():
            for report in reports():
                after = self.step(asked.table, report)
                if after is not None:
                    yield Pair(after, (*asked.lines, report))
        for moment in self.moments():
            for report in reports():
                table = self.step(moment.table, report)
                if table is not None:
                    yield from self._requests(Pair(table, (*moment.lines, report)))

    def kept(self) -> Iterator[Pair]:
        """Cards were taken, two are kept instead, and a device read one of them or neither."""
        for cards in KEPT_UNREAD:
            table, lines = Table(), tuple[Line, ...]()
            for line in (*TAKEN, *cards):
                after = self.step(table, line)
                if after is not None:
                    table, lines = after, (*lines, line)
            yield from self._with_requests(Pair(table, lines))
            for event in EVENTS:
                happened = None if event is None else self.step(table, event)
                if event is not None and happened is not None:
                    yield from self._with_requests(Pair(happened, (*lines, event)))

    def behind_options(self) -> Iterator[Pair]:
        """Players have options, and something else is reported; with every request and without."""
        for moment in self.moments():
            for report in reports():
                asked = self.step(moment.table, report)
                if asked is None or asked.case is None or asked.case.offer is None:
                    continue
                for other in reports():
                    table = self.step(asked, other)
                    if table is not None:
                        lines = (*moment.lines, report, other)
                        yield from self._with_requests(Pair(table, lines))

    def taken_reports(self, moment: Pair) -> set[str]:
        """The irregularities that the table takes there."""
        taken = [line for line in reports() if self.step(moment.table, line) is not None]
        return {str(given["what"]) for _, verb, given in taken if verb == "report"}

    def _with_requests(self, before: Pair) -> Iterator[Pair]:
        yield before
        yield from self._requests(before)

    def _requests(self, before: Pair) -> Iterator[Pair]:
        for request in REQUESTS:
            after = self.step(before.table, request)
            if after is not None and len(after.requests) > len(before.table.requests):
                yield Pair(after, (*before.lines, request))

    def answer_all(self, pair: Pair, rng: random.Random) -> None:
        """People end the first item, time and again, until nothing waits but play."""
        table = pair.table
        for count in range(MAX_STEPS):
            self.check(table)
            wanted = ends(table, self.rules)
            found = [(who or f"person{count}", verb, given) for who, verb, given in wanted]
            rng.shuffle(found)
            if (over := _device_ends(table)) is not None:
                found.append(over)
            after = next((t for each in found if (t := self.step(table, each)) is not None), None)
            if after is None:
                assert not found, f"nothing of {found} ends the first item"
                return
            table = after


def _device_ends(table: Table) -> Line | None:
    """What a device sends when a hold of its own is over."""
    lasting = [each for each in table.latches if each.kind in LASTING]
    over = {"lid_open": "lid_closed", "link_lost": "link_up", "device_error": "error_cleared"}
    if not lasting or lasting[0].kind.value not in over:
        return None
    return lasting[0].by, over[lasting[0].kind.value], {}


@cache
def reports() -> tuple[Line, ...]:
    """Every irregularity, with what it may tell said in both ways; and those of devices."""
    found: list[Line] = []
    for what in IDS:
        form = FORMS[what]
        for yes in (True, False):
            told: dict[str, Any] = {"facts": dict.fromkeys(form.facts, yes)}
            given = {name: told[name] for name in told if form.facts}
            if "text" in form.fields:
                given["text"] = "so it was"
            found.append(("pia", "report", {"what": what, **given}))
            if not form.facts:
                break
        if "wagers" in form.fields:
            found.append(("pia", "report", {"what": what, "wagers": ["b"]}))
        if "cards" in form.fields:
            found.append(("pia", "report", {"what": what, "cards": [3, 4]}))
    means = (ErrorMeaning.SEVERAL_AT_ONCE, ErrorMeaning.DOES_NOT_BELONG, ErrorMeaning.EXCESS)
    found += [("shoe", "error", {"code": 1, "means": meaning.value}) for meaning in means]
    return (*found, ("shoe", "gave_up", {}), ("shoe", "excess", {"card": "9D"}))


def _rules(book: str, face: str) -> Rules:
    differential = 500 if book == RWS else None
    given = {
        "rulebook": book,
        "burn": "first_card",
        "deal_face": face,
        "differential": differential,
    }
    return Rules(rulebook(book), msgspec.convert(given, HouseRules), Rounding.HALF_UP)
