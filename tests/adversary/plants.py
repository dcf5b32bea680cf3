"""Faults that are put into the product on purpose: the search must come to each of them.

A plant is a fault of `planted/removed_checks.py` and names what is then violated. It counts as
found when the script that the search comes to is a violation with the fault in the product and none
without it, so a fault that was there before proves nothing.

To add one: the edits that remove the check in `removed_checks.py`, and a row in `PLANTS`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from adversary import search as search_module
from adversary import words
from adversary.crew import dealt_by_hand
from adversary.episode import replayed
from adversary.judge import watch
from adversary.search import PROBES, Found, search
from adversary.setting import HELD, LAYOUTS, ROLES, RWS, WITH_METHODS, Cell, setting
from controller.table.commands.registry import REGISTRY
from planted.in_memory import replacements
from planted.removed_checks import REMOVED_CHECKS
from support.clauses.from_the_documents import BOOKS


@dataclass(frozen=True)
class Plant:
    name: str
    breaks: tuple[str, ...]
    """What is then violated: any of these."""
    seeds: Sequence[int] = range(168)
    """Settings in which it shows soon."""
    begins: int = 0
    """The one of them that is tried first, as it showed there; the others follow."""
    forks: int = 20
    pair: bool = False
    favours: tuple[str, ...] = ()
    """Words that lead there."""
    phases: tuple[str, ...] = ()
    """When they do; empty: whenever they may be said."""
    reports: tuple[str, ...] = ()
    """Reports that lead there."""
    probes: int = PROBES

    @property
    def in_turn(self) -> Sequence[int]:
        at = self.seeds.index(self.begins) if self.begins in self.seeds else 0
        return [*self.seeds[at:], *self.seeds[:at]]

    @property
    def cells(self) -> frozenset[Cell]:
        return frozenset(
            (role, word, phase)
            for role in ROLES
            for word in self.favours
            for phase in self.phases or (HELD, *(each.value for each in REGISTRY[word].phases))
        )


def _at(
    *roles: str,
    books: tuple[str, ...] = BOOKS,
    method: str | None = None,
    face: str | None = None,
    limits: str | None = None,
) -> list[int]:
    """Settings in which somebody of such a role is alone at such a table."""
    found = []
    for seed in range(12 * len(ROLES) * len(LAYOUTS)):
        at = LAYOUTS[seed // len(ROLES) % len(LAYOUTS)]
        fits = at[0] in books and method in (None, at[1]) and face in (None, at[2])
        if not fits or ROLES[seed % len(ROLES)] not in roles:
            continue
        if limits is None or limits == setting(seed).limits:
            found.append(seed)
    return found


OFTEN: Final = 30
"""How often a report is drawn that leads to a fault, where any other is drawn once."""
PIT: Final = ROLES[2:]
FAULTS: Final = {fault.name: fault for fault in REMOVED_CHECKS}
MONEY: Final = (watch.LOST, watch.PAID)

PLANTS: Final = (
    # an exposed card goes to another hand
    Plant(
        "a ruling moves exposed cards at once",
        (watch.MOVED,),
        seeds=_at(*ROLES[1:], face="up"),
        reports=("wrong_order", "simultaneous"),
    ),
    Plant(
        "another card is the third at once",
        (watch.OUTCOME, watch.PAID),
        seeds=_at(*ROLES[1:], books=(RWS, *WITH_METHODS), face="up"),
        favours=("report",),
        phases=("bankers_third", "outcome"),
        reports=("simultaneous",),
        forks=40,
        begins=596,
    ),
    Plant(
        "who approves a move is who reported",
        (watch.MOVED,),
        seeds=_at(*PIT, face="up"),
        reports=("wrong_order", "simultaneous"),
    ),
    Plant(
        "who reported says the order",
        (watch.MOVED,),
        seeds=_at(*ROLES[3:], books=(RWS, *WITH_METHODS), face="up"),
        reports=("simultaneous",),
        begins=280,
    ),
    Plant(
        "cards come together from anywhere",
        (watch.OUTCOME,),
        seeds=_at(*ROLES[1:], face="down"),
        favours=("report",),
        phases=("dealing",),
        reports=("simultaneous",),
    ),
    Plant(
        "an order is of any cards",
        (watch.OUTCOME,),
        seeds=_at(*ROLES[1:], books=(RWS, *WITH_METHODS), face="down"),
        favours=("report",),
        phases=("dealing",),
        reports=("simultaneous",),
    ),
    Plant(
        "one shift manager reconstructs in any order",
        (watch.MOVED,),
        seeds=_at(ROLES[5]),
        reports=("uncovered",),
        begins=161,
    ),
    Plant(
        "a correction is approved by whoever asked",
        (watch.MOVED,),
    ),
    Plant(
        "a card is entered by one person",
        (watch.MOVED,),
        seeds=_at(*PIT),
        reports=("foreign_card",),
    ),
    # no shoe reads the cards
    Plant(
        "cards that one person named count",
        (watch.OUTCOME, watch.PAID),
        seeds=[seed for seed in _at(*ROLES[1:], face="up") if dealt_by_hand(seed)],
    ),
    Plant(
        "who named the cards confirms them",
        (watch.OUTCOME, watch.PAID),
        seeds=[seed for seed in _at(*PIT, face="up") if dealt_by_hand(seed)],
        favours=("deal_card", "approve"),
        forks=60,
    ),
    Plant(
        "a card by hand takes another's place",
        (watch.MOVED,),
        seeds=[seed for seed in _at(*ROLES[1:], face="up") if dealt_by_hand(seed)],
    ),
    Plant(
        "wagers are opened over a shown card",
        (watch.MOVED,),
        seeds=_at(*PIT, books=WITH_METHODS, face="down"),
        favours=("report",),
        reports=("device_reset", "exposed_in_error"),
    ),
    # another round
    Plant(
        "every report is of this round",
        (watch.OTHER_ROUND,),
        begins=50,
    ),
    Plant(
        "a decision of an earlier round changes this one",
        (watch.OTHER_ROUND,),
        forks=60,
        pair=True,
        seeds=_at(ROLES[5]),
        reports=("uncovered",),
        begins=221,
    ),
    Plant(
        "an earlier round is void, and so this one",
        (watch.OTHER_ROUND,),
        forks=60,
        pair=True,
        seeds=_at(ROLES[5]),
        reports=("uncovered",),
    ),
    # voids
    Plant("a void is approved by whoever asked", (watch.OUTCOME,)),
    Plant("a decision voids at once", (watch.OUTCOME,), begins=23),
    Plant(
        "anybody is the second person",
        (watch.OUTCOME, watch.MOVED, watch.SHOE),
    ),
    Plant(
        "who approved is not written down",
        (watch.UNRECORDED,),
        pair=True,
        favours=("approve",),
        begins=50,
    ),
    # wagers
    Plant("no wager is late", MONEY),
    Plant(
        "cards are exposed while players choose",
        (watch.SHOWN,),
        seeds=_at(*ROLES[1:], books=(RWS, *WITH_METHODS)),
        reports=("power_failure", "device_reset"),
        favours=("expose",),
    ),
    Plant(
        "decided wagers go back in an offer",
        MONEY,
        seeds=_at(*ROLES[1:], books=(RWS,)),
        reports=("device_reset",),
    ),
    Plant(
        "who doubts exposed cards approves it",
        MONEY,
        seeds=_at(*PIT, books=(RWS,)),
        reports=("device_reset", "wrong_order", "excess_card"),
        begins=116,
    ),
    Plant(
        "who reports a late wager has it struck",
        MONEY,
        seeds=_at(*PIT),
        reports=("late_wager",),
        begins=26,
    ),
    Plant(
        "a decision removes wagers by one person",
        MONEY,
        seeds=_at(ROLES[5]),
        reports=("uncovered",),
        begins=179,
    ),
    Plant(
        "a differential that is not exceeded takes wagers off",
        MONEY,
        seeds=_at(ROLES[3], books=WITH_METHODS),
        reports=("differential",),
    ),
    Plant(
        "`anyway` covers the differential",
        (watch.DIFFERENTIAL,),
        seeds=_at("dealer", books=WITH_METHODS, limits="tight"),
        favours=("raise", "close_betting"),
    ),
    Plant(
        "one person closes over the differential",
        (watch.DIFFERENTIAL,),
        seeds=_at(*PIT, books=(RWS,), limits="tight"),
        favours=("raise", "close_betting", "approve"),
        phases=("betting", HELD),
    ),
    Plant(
        "a wager is taken that cannot be paid",
        (watch.STUCK,),
        seeds=_at("player", "dealer", limits="exact"),
        favours=("place", "raise"),
    ),
    Plant("winners are paid twice", (watch.PAID,)),
    Plant(
        "who has seen a card stakes on it",
        (watch.PAID,),
        seeds=[seed for seed in _at(*ROLES[1:], face="down") if dealt_by_hand(seed)],
        favours=("deal_card", "report"),
        phases=("betting",),
        reports=("exposed_in_error",),
        forks=60,
        begins=133,
    ),
    Plant(
        "a lost wager outside the limits goes back",
        (watch.PAID,),
        seeds=_at(*ROLES[1:], books=(RWS, *WITH_METHODS), limits="tight"),
        favours=("place", "close_betting"),
        phases=("betting",),
    ),
    # hands
    Plant(
        "a squeeze needs nobody's leave",
        (watch.HANDLED,),
        seeds=_at("player", books=(RWS,), face="down"),
        favours=("raise", "accept_cards"),
    ),
    Plant(
        "the highest stake is one stake",
        (watch.HANDLED,),
        seeds=_at("dealer", method="A"),
        favours=("accept_cards",),
        phases=("dealing",),
    ),
    Plant(
        "a hand is passed while wagers are open",
        (watch.HANDLED,),
        seeds=_at("dealer", method="A"),
        favours=("accept_cards",),
    ),
    Plant(
        "a hand outlives a reset",
        (watch.HANDLED,),
        seeds=_at("dealer", method="A"),
        favours=("accept_cards", "report"),
        phases=("dealing",),
        reports=("device_reset",),
    ),
    # the shoe, and what is sealed
    Plant(
        "who loads a shoe vouches for it",
        (watch.SHOE,),
        seeds=_at(*PIT),
        favours=("load_shoe",),
    ),
    Plant(
        "a shoe is loaded on a typed name",
        (watch.SHOE,),
        seeds=_at(*PIT),
        favours=("load_shoe",),
    ),
    Plant("sealed faces are shown", (watch.SEALED,)),
    Plant(
        "what is decided is told by face-down cards",
        (watch.SEALED,),
        forks=0,
        probes=200,
    ),
)
"""One row for each fault of the list that the adversary was built for and can see."""


class Planted:
    """The product with one fault in it, while the context lasts."""

    def __init__(self, plant: Plant) -> None:
        self._plant = plant
        self._kept: list[tuple[Any, Any, Any]] = []

    def __enter__(self) -> "Planted":
        for each in replacements(FAULTS[self._plant.name]):
            self._put(*each)
        self._put(search_module, "PROBES", self._plant.probes)
        if self._plant.reports:
            self._put(words, "OPENS", self._plant.reports * OFTEN)
        return self

    def __exit__(self, *_: object) -> None:
        while self._kept:
            _set(*self._kept.pop())

    def _put(self, target: Any, name: Any, value: Any) -> None:
        self._kept.append((target, name, _get(target, name)))
        _set(target, name, value)

    @contextmanager
    def lifted(self) -> Iterator[None]:
        self.__exit__()
        try:
            yield
        finally:
            self.__enter__()


def _get(target: Any, name: Any) -> Any:
    return target[name] if isinstance(target, dict) else getattr(target, name)


def _set(target: Any, name: Any, value: Any) -> None:
    if isinstance(target, dict):
        target[name] = value
    else:
        setattr(target, name, value)


def found(plant: Plant) -> Found | None:
    """The first script that is a violation because of the plant."""
    proofs: list[Found] = []

    with Planted(plant) as planted:

        def enough(each: Found) -> bool:
            if each.violation.invariant in plant.breaks:
                with planted.lifted():
                    sound = replayed(each.setting, each.plan, each.rounds).violation is None
                proofs.extend([each] * sound)
            return bool(proofs)

        search(plant.in_turn, plant.forks, plant.pair, enough, plant.cells)
    return proofs[0] if proofs else None
