"""Which words a person may say now, worked out from the view that person sees and nothing else."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from controller.console.auth.accounts import SURVEILLANCE
from controller.console.handlers.fields import SAID, Asked, asked
from controller.game.roles import Role
from controller.round.procedures import IDS
from controller.round.rules import Rules
from controller.round.words import WORDS

View = Mapping[str, Any]


class Sayable(msgspec.Struct, frozen=True):
    """One word that is legal now; `mine` says whether the person's own role reaches."""

    word: str
    title: str
    role: str
    mine: bool
    next: bool
    fields: list[Asked]


def sayable(view: View, role: str, rules: Rules) -> list[Sayable]:
    """Every word legal in the state the table is in, those the table waits for first."""
    leads = leading(view)
    choices = _choices(rules)
    found = [
        Sayable(
            word,
            WORDS[word].says,
            needed(word, view, rules).value,
            reaches(role, needed(word, view, rules), rules),
            word in leads,
            asked(word, choices),
        )
        for word in view["can"]
        if word in SAID
    ]
    return sorted(found, key=lambda each: leads.index(each.word) if each.next else len(leads))


def reaches(role: str, wanted: Role, rules: Rules) -> bool:
    return role != SURVEILLANCE and rules.ladder.may_act(Role(role), wanted)


def next_words(view: View, role: str, rules: Rules) -> list[str]:
    """What this person can do next, for a problem to name."""
    found = [word for word in (*leading(view), *view["can"]) if word in SAID]
    mine = [word for word in found if reaches(role, needed(word, view, rules), rules)]
    return list(dict.fromkeys(mine))


_LEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "closed": ("open_table",),
    "changing_shoe": ("load_shoe",),
    "ready": ("open_betting",),
    "betting": ("close_betting", "place"),
    "revealing": ("expose", "accept_cards"),
    "players_third": ("expose",),
    "bankers_third": ("expose",),
    "outcome": ("announce",),
    "settling": ("settle",),
}


def leading(view: View) -> tuple[str, ...]:
    """The words the table waits for; a card that is due comes from the shoe and is no word."""
    if view["asks"]:
        do = str(view["asks"][0]["do"])
        return ("approve", "refuse") if do == "approve" else (do,)
    if view["offers"]:
        return ("option", "close_offer")
    if view["state"] == "halted":
        return ("resume",)
    return _LEADS.get(str(view["state"]), ())


_SUPERVISOR: Final = frozenset(
    {"open_table", "close_table", "approve", "refuse", "resume", "suspend", "swap_device", "limits"}
)


def needed(word: str, view: View, rules: Rules) -> Role:
    """The lowest role that may say it as the table stands; the table itself judges again."""
    if word in _SUPERVISOR:
        return _needed_to_approve(view) if word == "approve" else Role.PIT_SUPERVISOR
    special = _NEEDED.get(word)
    return Role.DEALER if special is None else special(view, rules)


def _needed_to_approve(view: View) -> Role:
    """A device opened the case: whoever speaks first asks, and somebody else approves."""
    case = view["case"]
    asked_by_nobody = case is not None and case["waits_for"] == "approve" and not case["asker"]
    return Role.DEALER if asked_by_nobody else Role.PIT_SUPERVISOR


def _needed_to_answer(view: View, rules: Rules) -> Role:  # noqa: ARG001
    role = view["asks"][0]["role"] if view["asks"] else None
    return Role(role) if role else Role.DEALER


def _needed_for_method(view: View, rules: Rules) -> Role:
    """The device is handed on by the dealer; another method takes who may choose it."""
    method = rules.method(view["method"] or rules.default_method())
    return Role.DEALER if method.player_draws else method.chosen_by


def _needed_to_close_offer(view: View, rules: Rules) -> Role:  # noqa: ARG001
    return Role.PIT_SUPERVISOR if rules.house.track_wagers else Role.DEALER


_NEEDED: Final[Mapping[str, Callable[[View, Rules], Role]]] = {
    "answer": _needed_to_answer,
    "decide": _needed_to_answer,
    "enter_card": _needed_to_answer,
    "method": _needed_for_method,
    "close_offer": _needed_to_close_offer,
}


def _choices(rules: Rules) -> dict[str, list[str]]:
    offered = [m.id for m in rules.book.methods if rules.house.hlga or not m.hlga_only]
    return {
        "method": offered,
        "wager": [wager.id for wager in rules.book.wagers],
        "what": list(IDS),
    }
