"""Which role may say which word in which phase by the vocabulary, and which of these never was."""

from collections.abc import Mapping
from typing import Final

from adversary.setting import HELD, RANKS, ROLES, Cell
from controller.table import approvals
from controller.table.commands.registry import REGISTRY, MessageType

LEAST: Final = {
    "method": "pit_manager",
    "close_offer": "pit_supervisor",
    "approve": "pit_supervisor",
    "refuse": "pit_supervisor",
    "decide": "shift_manager",
}
"""Of words whose authority depends on what is asked: the role that may always say it."""

_AFTER: Final = (
    "dealing", "revealing", "players_third", "bankers_third", "outcome", "settling",
)  # fmt: skip
NEVER: Final = {
    "place": (_AFTER, "late: 5.4, RWS 5.6"),
    "raise": (_AFTER, "late: 5.4, RWS 5.6"),
    "withdraw": (_AFTER, "late: 5.5, RWS 5.6"),
    "decrease": (_AFTER, "late: 5.5, RWS 5.6"),
    "accept_cards": (("betting",), "hands are passed after the call: 3.9, RWS 3.9"),
    "refuse_cards": (("betting",), "hands are passed after the call: 3.9, RWS 3.9"),
    "expose": (("outcome", "settling"), "every card lies open"),
    "correct": (("betting",), "no card of the round is out"),
    "count": (("changing_shoe",), "no card is in use"),
    "stay_open": (("ready", "changing_shoe"), "a table that closes has closed by then"),
    "pass_rest": (("ready", "closed"), "the shoe is over where it is changed"),
    "reconcile": (("ready", "closed"), "the shoe is over where it is changed"),
    "enter_card": (("changing_shoe",), "nothing is burned at these tables"),
}
"""Where the vocabulary lets a word through so that the book's own refusal is told."""


def legal() -> set[Cell]:
    """Every cell that somebody must have got a word accepted in."""
    found: set[Cell] = set()
    for role in ROLES:
        for name, spec in REGISTRY.items():
            if _may(role, name, spec):
                found |= {(role, name, phase) for phase in _phases(name, spec)}
    return found


def _may(role: str, name: str, spec: MessageType) -> bool:
    if role == "player":
        return "player" in spec.speakers
    least = approvals.approval_row(spec.act).role.value if spec.act else LEAST.get(name, "dealer")
    return "staff" in spec.speakers and RANKS[role] >= RANKS[least]


def _phases(name: str, spec: MessageType) -> set[str]:
    phases = {phase.value for phase in spec.phases}
    return (phases - set(NEVER.get(name, ((), ""))[0])) or {HELD}


def words_of(cells: set[Cell]) -> set[tuple[str, str]]:
    return {(role, word) for role, word, _ in cells}


def empty(accepted: Mapping[Cell, int]) -> list[Cell]:
    return sorted(cell for cell in legal() if not accepted.get(cell))


def told(accepted: Mapping[Cell, int]) -> str:
    """A line for each role and word: how often it was accepted, by phase."""
    lines = []
    for role in ROLES:
        for word in REGISTRY:
            counts = {p: n for (r, w, p), n in sorted(accepted.items()) if (r, w) == (role, word)}
            if counts:
                phases = " ".join(f"{phase}:{count}" for phase, count in counts.items())
                lines.append(f"{role:26}{word:16}{phases}")
    return "\n".join(lines)
