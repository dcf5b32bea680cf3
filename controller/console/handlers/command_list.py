"""The commands that a person may send now, computed only from that person's view."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from controller.console.auth.accounts import SURVEILLANCE
from controller.console.handlers.fields import SAID, FormField, form_fields
from controller.engine.hold_list import HALTED, SUSPENDED
from controller.game.roles import Role
from controller.table import approvals
from controller.table.agenda.order import closes_offer
from controller.table.approvals import Act
from controller.table.commands.registry import REGISTRY, takes_own_pin
from controller.table.commands.reports import IDS
from controller.table.rules import Rules
from controller.views.structs.audience_views import StaffView


class AvailableCommand(msgspec.Struct, frozen=True):
    """One legal command; `mine` is true where the person's own role suffices."""

    word: str
    title: str
    role: str
    mine: bool
    next: bool
    pin: bool
    """The command needs the speaker's own PIN."""
    fields: list[FormField]


def available_commands(view: StaffView, role: str, rules: Rules) -> list[AvailableCommand]:
    """Every command that is legal now, those that the table waits for first."""
    leads = leading_commands(view)
    choices = _choices(rules)
    found = [
        AvailableCommand(
            word,
            REGISTRY[word].description,
            least_role(word, view, rules).value,
            has_role(role, least_role(word, view, rules), rules),
            word in leads,
            takes_own_pin(word),
            form_fields(word, choices),
        )
        for word in view.can
        if word in SAID
    ]
    return sorted(found, key=lambda each: leads.index(each.word) if each.next else len(leads))


def has_role(role: str, wanted: Role, rules: Rules) -> bool:
    return role != SURVEILLANCE and rules.ladder.may_act(Role(role), wanted)


def next_commands(view: StaffView, role: str, rules: Rules) -> list[str]:
    """The next commands of this person, named in a problem."""
    found = [word for word in (*leading_commands(view), *view.can) if word in SAID]
    mine = [word for word in found if has_role(role, least_role(word, view, rules), rules)]
    return list(dict.fromkeys(mine))


def leading_commands(view: StaffView) -> tuple[str, ...]:
    """The commands that the table waits for; a due card comes from the shoe and is not a
    command."""
    if view.asks:
        do = view.asks[0].do
        return ("approve", "refuse") if do == "approve" else (do,)
    if view.offers:
        return ("option", "close_offer")
    if view.state in (HALTED, SUSPENDED):
        word = view.held[0].word
        return () if word is None else (word,)
    leads = [spec for spec in REGISTRY.values() if view.phase in spec.leads_in]
    # The dealer's own commands come before those that players may also send.
    return tuple(spec.name for spec in sorted(leads, key=lambda spec: "player" in spec.speakers))


def least_role(word: str, view: StaffView, rules: Rules) -> Role:
    """The lowest role that may send the command now; the table checks again."""
    special = _NEEDED.get(word)
    if special is not None:
        return special(view, rules)
    return approvals.approval_row(REGISTRY[word].act or Act.DEAL).role


def _needed_to_approve(view: StaffView, rules: Rules) -> Role:
    """The role for a case that a device opened: the first speaker requests, and a second person
    approves."""
    case = view.case
    asked_by_nobody = case is not None and case.waits_for == "approve" and not case.asker
    return (
        approvals.approval_row(Act.ASK_FOR_A_VOID).role if asked_by_nobody else _second(view, rules)
    )


def _second(view: StaffView, rules: Rules) -> Role:
    """The role that approves or refuses the pending request; a default where none is pending."""
    waits = bool(view.asks) and view.asks[0].do == "approve"
    return _needed_to_answer(view, rules) if waits else approvals.approval_row(Act.VOID).role


def _needed_to_answer(view: StaffView, rules: Rules) -> Role:  # noqa: ARG001
    role = view.asks[0].role if view.asks else None
    return role or approvals.approval_row(Act.DEAL).role


def _needed_for_method(view: StaffView, rules: Rules) -> Role:
    """The role for a change of method: the dealer hands the device on; another method needs a role
    that may choose it."""
    method = rules.method(view.method or rules.default_method())
    return approvals.approval_row(Act.DEAL).role if method.player_draws else method.chosen_by


def _needed_to_close_offer(view: StaffView, rules: Rules) -> Role:  # noqa: ARG001
    return approvals.approval_row(closes_offer(rules)).role


_NEEDED: Final[Mapping[str, Callable[[StaffView, Rules], Role]]] = {
    "approve": _needed_to_approve,
    "refuse": _second,
    "answer": _needed_to_answer,
    "decide": _needed_to_answer,
    "enter_card": _needed_to_answer,
    "method": _needed_for_method,
    "close_offer": _needed_to_close_offer,
}


def _choices(rules: Rules) -> dict[str, list[str]]:
    return {
        "method": [each.id for each in rules.offered_methods()],
        "wager": [wager.id for wager in rules.book.wagers],
        "what": list(IDS),
    }
