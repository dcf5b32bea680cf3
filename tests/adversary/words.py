"""Any word with any of its fields, with values that could be meant: from the vocabulary itself.

A word or a field that is added to the vocabulary is said here too: a field that has no name below
is made up by its type.
"""

import types
from collections.abc import Callable
from enum import Enum
from functools import cache
from random import Random
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

from adversary.setting import ACCOMPLICE, DRAWER, OTHERS, Line, Person, Setting
from controller.rulebooks import rulebook
from controller.table.commands.people import ReportCommand
from controller.table.commands.registry import REGISTRY
from controller.table.commands.reports import FORMS, IDS, report_fields
from controller.table.state import Table

AMOUNTS: Final = (1, 100, 150, 500, 1000, 1000, 2000, 7000, 50_000, 700_000)
SAID_MORE: Final = {
    "report": 8,
    "correct": 2,
    "expose": 2,
    "withdraw": 2,
    "raise": 2,
    "place": 2,
    "accept_cards": 2,
    "refuse_cards": 2,
}
"""Words that lead further than others, and how much more often they are said."""

OPENS: Final = (
    "foreign_card", "wrong_order", "simultaneous", "device_reset", "power_failure", "uncovered",
    "differential", "excess_card",
)  # fmt: skip
"""Reports of which most comes, made twice as often."""
TURNED: Final = 0.4
GOES_WITH: Final = {"remove": "remove", "order": "reconstruct"}
"""Fields of a decision, and the outcome that has them."""
TAKES_A_HAND: Final = ("accept_cards", "refuse_cards")

_fields = cache(msgspec.structs.fields)


def speakable(person: Person) -> list[str]:
    """The words whose speaker this person may be, those that lead further more often."""
    names = [name for name, spec in REGISTRY.items() if person.source in spec.speakers]
    return [name for name in names for _ in range(SAID_MORE.get(name, 1))]


class Words:
    """Makes up what one person says, from one seed."""

    def __init__(self, rng: Random, chosen: Setting) -> None:
        self._rng = rng
        self._setting = chosen
        self._kinds = [wager.id for wager in rulebook(chosen.book).wagers]
        self._methods = [method.id for method in rulebook(chosen.book).methods]

    def line(self, person: Person, word: str, table: Table) -> Line:
        """The word with its needed fields and some of the others."""
        given = self._report(table) if word == "report" else self._given(word, table)
        if word in ("raise", "withdraw") and person.source == "player":
            given["id"] = self._own(person.who, table)
        if word == "answer" and table.case is not None and self._rng.random() < TURNED:
            given["order"] = [*table.case.about.cards][::-1] or None
        if word in TAKES_A_HAND and self._rng.random() < 0.7:
            given["player"] = self._highest(given["hand"], table)
        if word == "option" and self._rng.random() < 0.8:
            given |= {"player": self._asked(table), "wagers": None}
        return person.says(word, **{k: v for k, v in given.items() if v is not None})

    def _highest(self, hand: str, table: Table) -> str:
        """Whom the hand most likely goes to."""
        if table.play.drawer is not None or table.round is None:
            return DRAWER
        on = [wager for wager in table.round.wagers if wager.wager == hand]
        return max(on, key=lambda wager: wager.amount).player if on else ACCOMPLICE

    def _own(self, who: str, table: Table) -> str:
        ids = [each.id for each in table.round.wagers if each.player == who] if table.round else []
        return self._rng.choice(ids) if ids else self.wager_id(table)

    def _asked(self, table: Table) -> str:
        """Somebody who has not said yet what they choose."""
        offer = table.case.offer if table.case is not None else None
        left = [each for each in offer.open_to if each not in offer.answers] if offer else []
        return self._rng.choice(left) if left else ACCOMPLICE

    def _given(self, word: str, table: Table) -> dict[str, Any]:
        given = {}
        for each in _fields(REGISTRY[word].struct):
            if each.required or self._rng.random() < 0.6:
                given[each.encode_name] = self._field(word, each.encode_name, each.type, table)
        outcome = given.get("outcome")
        if outcome is not None:  # whoever says none says the rest at random, and is refused mostly
            given = {
                name: of for name, of in given.items() if GOES_WITH.get(name, outcome) == outcome
            }
        return given

    def _report(self, table: Table) -> dict[str, Any]:
        what = self._rng.choice((*IDS, *OPENS))
        given: dict[str, Any] = {"what": what}
        kinds = {each.name: each.type for each in _fields(ReportCommand)}
        for name in report_fields(what):
            if name in ("what", "facts"):
                continue
            if self._rng.random() < (0.15 if name == "round" else 0.6):
                given[name] = self._field("report", name, kinds[name], table)
        if what == "simultaneous" and self._rng.random() < TURNED:
            given |= self._turned(table)
        known = [fact for fact in FORMS[what].facts if self._rng.random() < 0.7]
        if known:
            given["facts"] = {fact: self._rng.random() < 0.5 for fact in known}
        return given

    def _turned(self, table: Table) -> dict[str, Any]:
        """Two or three cards that came the other way round, mostly neighbours."""
        lying = [drawn.n for drawn in table.round.cards] if table.round else []
        if len(lying) < 2:
            return {}
        many = min(len(lying), self._rng.choice((2, 2, 3)))
        at = self._rng.randrange(len(lying) - many + 1)
        near = self._rng.random() < 0.7
        turned = lying[at : at + many] if near else self._rng.sample(lying, many)
        return {"cards": sorted(turned), "order": sorted(turned, reverse=True)}

    # --- fields ------------------------------------------------------------------------------

    def _field(self, word: str, name: str, kind: Any, table: Table) -> Any:
        made = _MADE.get((word, name)) or _MADE.get(("", name))
        return made(self, table) if made else self._of(kind)

    def _of(self, kind: Any) -> Any:
        """Something of this type."""
        origin = get_origin(kind)
        if origin is Annotated:
            return self._of(get_args(kind)[0])
        if origin in (Union, types.UnionType):
            return self._of(self._rng.choice(get_args(kind)))
        if origin is Literal:
            return self._rng.choice(get_args(kind))
        if origin in (tuple, list):
            return [self._of(get_args(kind)[0]) for _ in range(self._rng.randint(0, 2))]
        if origin is dict:
            return {}
        return self._plain(kind)

    def _plain(self, kind: Any) -> Any:
        plain: dict[Any, Any] = {
            bool: self._rng.random() < 0.5,
            int: self._rng.choice((0, 1, 2, 3, 1000)),
            float: 1.0,
            str: "so",
        }
        if kind in plain:
            return plain[kind]
        if isinstance(kind, type) and issubclass(kind, Enum):
            return self._rng.choice([*kind]).value
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return {each.name: self._of(each.type) for each in _fields(kind)}
        return None

    def numbers(self, table: Table) -> list[int]:
        """Cards that lie there: neighbours turned round, all of them, or any, in any order."""
        lying = [drawn.n for drawn in table.round.cards] if table.round else []
        how = self._rng.randint(0, 3)
        if len(lying) > 1 and how == 0:
            at = self._rng.randrange(len(lying) - 1)
            return [lying[at + 1], lying[at]]
        if how == 1:
            return self._rng.sample(lying, len(lying))
        if how == 2:
            return lying[-2:][::-1]
        return self._rng.sample(lying, self._rng.randint(0, len(lying)))

    def lies(self, table: Table) -> dict[str, list[int]]:
        """The hands exchanged, or any cards on any hand."""
        lying = [d for d in table.round.cards if d.hand] if table.round else []
        sides: dict[str, list[int]] = {"player": [], "banker": []}
        exchange = self._rng.random() < 0.5
        for drawn in lying:
            assert drawn.hand is not None
            other = "banker" if drawn.hand.value == "player" else "player"
            turned = exchange or self._rng.random() < 0.4
            sides[other if turned else drawn.hand.value].append(drawn.n)
        return sides

    def player(self, _table: Table) -> str:
        seated = [person.who for person in self._setting.people if person.role == "player"]
        return self._rng.choice((ACCOMPLICE, ACCOMPLICE, DRAWER, *OTHERS, *seated))

    def wager_id(self, table: Table) -> str:
        ids = [wager.id for wager in table.round.wagers] if table.round else []
        return self._rng.choice(ids) if ids else "none"

    def wager_ids(self, table: Table) -> list[str]:
        ids = [wager.id for wager in table.round.wagers] if table.round else []
        return self._rng.sample(ids, self._rng.randint(0, min(3, len(ids))))

    def amount(self, _table: Table) -> int:
        return self._rng.choice(AMOUNTS)

    def kind(self, _table: Table) -> str:
        return self._rng.choice(("player", "banker", *self._kinds))

    def face(self, table: Table) -> str:
        """Never one that a sealed card has: a face that is told was told by the table."""
        seen = [d.card for d in table.round.cards if d.exposed and d.card] if table.round else []
        return self._rng.choice((*self._setting.spare, *seen))

    def number(self, table: Table) -> int:
        lying = [drawn.n for drawn in table.round.cards] if table.round else []
        return self._rng.choice(lying or [1])

    def which_round(self, table: Table) -> int:
        return self._rng.choice((table.history.rounds, max(0, table.history.rounds - 1), 1, 99))

    def side(self, _table: Table) -> str:
        return self._rng.choice(("player", "banker"))

    def count(self, table: Table) -> int:
        lying = len(table.round.cards) if table.round and not table.round.over else 0
        return max(0, lying + len(table.carried) + self._rng.choice((0, 0, 0, 1, -1, 2)))

    def limit(self, _table: Table) -> int:
        return self._rng.choice((0, 500, 2000, 20_000))

    def method(self, _table: Table) -> str:
        return self._rng.choice(self._methods)


def _of(*values: Any) -> Callable[[Words, Table], Any]:
    return lambda words, _table: words._rng.choice(values)


_MADE: Final[dict[tuple[str, str], Callable[[Words, Table], Any]]] = {
    ("count", "cards"): Words.count,
    ("close_betting", "anyway"): _of(True),
    ("expose", "card"): _of(1, 2, 3),
    ("", "cards"): Words.numbers,
    ("", "order"): Words.numbers,
    ("", "lies"): Words.lies,
    ("", "round"): Words.which_round,
    ("", "hand"): Words.side,
    ("", "to"): Words.player,
    ("", "player"): Words.player,
    ("", "id"): Words.wager_id,
    ("place", "id"): _of(None),
    ("enter_card", "n"): _of(None),
    ("", "amount"): Words.amount,
    ("", "wager"): Words.kind,
    ("", "position"): _of(1, 2, 3, 4, 5, 6, 7, 8),
    ("", "wagers"): Words.wager_ids,
    ("", "remove"): Words.wager_ids,
    ("", "card"): Words.face,
    ("", "n"): Words.number,
    ("", "left"): _of({}, None),
    ("", "fact"): _of(None),
    ("", "method"): Words.method,
    ("", "drawer"): Words.player,
    ("", "deck_set"): _of("red"),
    ("", "verified_by"): _of("ghost", "vera", "eve", "shuffler"),
    ("", "cut"): _of(True),
    ("", "decks"): _of(None, 8),
    ("", "minimum"): Words.limit,
    ("", "maximum"): Words.limit,
    ("", "differential"): Words.limit,
    ("", "identity"): _of("unit"),
    ("", "asset"): _of("A1"),
    ("", "ref"): _of(None),
}
"""By word and field, or by field for any word."""
