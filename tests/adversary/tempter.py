"""What the adversary says next: mostly the answer to what is open, else anything."""

from random import Random
from typing import Final

from adversary.setting import HELD, Cell, Line, Person, Setting
from adversary.words import Words, speakable
from controller.table.agenda.order import has_holds, may_be_sent
from controller.table.case import awaited_name
from controller.table.commands.registry import REGISTRY
from controller.table.state import Table

FOLLOW_UPS: Final = {
    "answer": ("answer", "answer", "answer", "decide"),
    "option": ("option", "option", "option", "expose", "close_offer"),
    "approve": ("approve", "approve", "refuse", "decide"),
    "decide": ("decide",),
    "order": ("answer",),
    "missing": ("answer", "decide", "enter_card"),
    "enter": ("enter_card",),
    "put_right": ("decide",),
}
"""By what a case waits for; what is not here is answered with any of them."""
ANY_ANSWER: Final = ("answer", "approve", "decide", "option", "enter_card", "refuse")

BY_HAND: Final = ("deal_card", "deal_card", "deal_card", "announce", "use_shoe", "correct")
"""What people say where no shoe reads the cards, and how often one of these."""
DEALS: Final = 0.4

FAVOURED: Final = 0.7
FOLLOWS: Final = 0.85
LEGAL: Final = 0.85
"""How often a word is chosen among those that are legal as the table stands."""


def is_open(table: Table) -> bool:
    """Whether somebody is asked something."""
    return has_holds(table) or table.request is not None


class Tempter:
    def __init__(
        self, rng: Random, chosen: Setting, favours: frozenset[Cell] = frozenset()
    ) -> None:
        self._rng = rng
        self._favours = favours
        self._words = Words(rng, chosen)
        self._speakable = {person: speakable(person) for person in chosen.people}
        self._people = chosen.people

    def next(self, table: Table) -> Line:
        person = self._rng.choice(self._people)
        word = self._word(person, table)
        return self._words.line(person, word, table)

    def _word(self, person: Person, table: Table) -> str:
        if self._favours and (favoured := self._favoured(person, table)):
            return self._rng.choice(favoured)
        if is_open(table) and self._rng.random() < FOLLOWS:
            word = self._rng.choice(follow_ups(table))
            if person.source in REGISTRY[word].speakers:
                return word
        if (
            table.devices.by_hand is not None
            and person.source == "staff"
            and self._rng.random() < DEALS
        ):
            return self._rng.choice(BY_HAND)
        all_words = self._speakable[person]
        if self._rng.random() > LEGAL:
            return self._rng.choice(all_words)
        legal = [word for word in all_words if may_be_sent(REGISTRY[word], table)]
        return self._rng.choice(legal or all_words)

    def _favoured(self, person: Person, table: Table) -> list[str]:
        """What is looked for and may be said now, or the report that may lead to it; but not
        always: something else may have to come first."""
        if self._rng.random() > FAVOURED:
            return []
        phase = HELD if is_open(table) else table.phase.value
        own = [(word, when) for role, word, when in self._favours if role == person.played_as]
        looked_for = [word for word, when in own if when == phase]
        if not looked_for and phase != HELD and any(when == HELD for _, when in own):
            looked_for = ["report"] if person.source == "staff" else []
        return sorted(word for word in looked_for if may_be_sent(REGISTRY[word], table))


def follow_ups(table: Table) -> tuple[str, ...]:
    """The words by which what is open goes on."""
    if table.count_check is not None:
        return ("count", "count", "approve", "refuse")
    if table.case is not None and table.case.awaits is not None:
        return FOLLOW_UPS.get(awaited_name(table.case.awaits), ANY_ANSWER)
    if table.request is not None:
        return ("approve", "approve", "refuse", "report")
    return ("resume", "resume", "answer")
