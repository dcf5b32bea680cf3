"""Reports of staff, and the fields each has: any other field is refused."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import msgspec

from controller.journal.bodies import Given
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.rulebooks import RULEBOOKS
from controller.table.commands.people import Facts, ReportCommand
from controller.table.commands.registry import shortened_name


@dataclass(frozen=True)
class ReportForm:
    """One irregularity as it may be reported."""

    what: str
    fields: tuple[str, ...] = ()
    """In addition to `what` and `round`, which every report has."""
    facts: tuple[str, ...] = ()
    """What the reporter may give without being asked."""


_COMMON: Final = (
    ReportForm("foreign_card", ("cards",), ("belongs",)),
    ReportForm("wrong_count"),
    ReportForm("unshuffled", (), ("unshuffled",)),
    ReportForm("order_altered", ("cards",), ("reconstructable",)),
    ReportForm("not_enough_cards"),
    ReportForm("late_wager", ("wagers",)),
    ReportForm("late_withdrawal"),
    ReportForm("face_up_in_device", ("cards",)),
    ReportForm("wrong_order", ("cards", "lies"), ("reconstructable",)),
    ReportForm("wrong_player", ("hand", "to"), ("reconstructable",)),
    ReportForm("not_passed", ("hand", "to"), ("reconstructable",)),
    ReportForm("exposed_in_error", ("cards", "hand"), ("dealt_face_up",)),
    ReportForm("excess_card", ("cards",), ("reconstructable",)),
    ReportForm("wrong_number", ("cards", "lies"), ("reconstructable",)),
    ReportForm("simultaneous", ("cards", "order"), ("order_known",)),
    ReportForm("device_reset", (), ("reconstructable",)),
    ReportForm("handler_absent", ("hand",)),
    ReportForm("cards_taken", ("cards", "hand"), ("value_known",)),
    ReportForm("exposed_while_moving", ("cards",)),
    ReportForm("order_altered_moving", ("cards",), ("reconstructable",)),
    ReportForm("void_aftermath"),
    ReportForm("under_minimum"),
    ReportForm("over_maximum"),
    ReportForm("earlier_limits"),
    ReportForm("power_failure"),
    ReportForm("differential"),
    ReportForm("late_error"),
    ReportForm("chip_position"),
    ReportForm("display_wrong"),
    ReportForm("uncovered", ("text",)),
)


def _of_books() -> dict[str, ReportForm]:
    """Reports that only a book has: its row states what a report of it contains."""
    rows = [row for book in RULEBOOKS.values() for row in book.irregularities]
    return {row.id: ReportForm(row.id, row.fields, row.facts) for row in rows}


FORMS: Final = {form.what: form for form in _COMMON}
FORMS.update({what: form for what, form in _of_books().items() if what not in FORMS})
IDS: Final = tuple(FORMS)
"""What staff may report; what a book does not cover goes to its `uncovered` role."""

_EVERY: Final = ("what", "round")


def report_fields(what: str) -> tuple[str, ...]:
    """Every field this report has, facts among them where it asks for any."""
    form = FORMS[what]
    return (*_EVERY, *form.fields, *(("facts",) if form.facts else ()))


def misplaced_field(given: Given) -> Sentence | None:
    """Why these fields are not those of this report; None where they are, or `what` is wrong."""
    what = given.get("what")
    form = FORMS.get(what) if isinstance(what, str) else None
    if form is None:
        return (
            sentence(Code.NO_SUCH_REPORT, what=shortened_name(what))
            if isinstance(what, str)
            else None
        )
    if stray := _first(set(given) - set(report_fields(form.what))):
        return sentence(Code.NO_SUCH_REPORT_FIELD, what=form.what, field=shortened_name(stray))
    facts = given.get("facts")
    if isinstance(facts, dict) and (stray := _first(set(map(str, facts)) - set(form.facts))):
        return sentence(Code.NO_SUCH_FACT, what=form.what, field=shortened_name(stray))
    return None


def _first(names: Iterable[str]) -> str | None:
    return min(names, default=None)


@cache
def report_struct(what: str) -> type[msgspec.Struct]:
    """The report as a struct of its own, for schemas: its fields and no others."""
    known = {each.name: each for each in msgspec.structs.fields(ReportCommand)}
    kinds: list[Any] = []
    for name in report_fields(what):
        if name == "what":
            continue
        kind: Any = _facts_of(what) | None if name == "facts" else known[name].type
        kinds.append((name, kind, known[name].default))
    return msgspec.defstruct(
        f"Report_{what}", kinds, tag_field="what", tag=what, forbid_unknown_fields=True, frozen=True
    )


def _facts_of(what: str) -> type[msgspec.Struct]:
    kinds = [(name, bool | None, None) for name in FORMS[what].facts]
    assert set(FORMS[what].facts) <= set(Facts.__struct_fields__)
    return msgspec.defstruct(f"Facts_{what}", kinds, forbid_unknown_fields=True, frozen=True)
