"""The comparison of two reports of a unit: before a repair and after it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from html import escape
from typing import Final

from drivers.hil import page, picture
from drivers.hil.deck import name
from drivers.hil.report import BenchReport, CheckOutcome, ReportPart, Row
from drivers.io.deck_check import CardOutcome, Findings, Met


class Change(Enum):
    BROKEN = "worse"
    STILL_BAD = "still not right"
    FIXED = "put right"
    NEW = "tried only now"
    GONE = "tried only before"
    STILL_GOOD = "right, as before"


@dataclass(frozen=True)
class ComparedRow:
    change: Change
    row: Row
    """The later one, if there is one."""


@dataclass(frozen=True)
class Compared:
    before: BenchReport
    after: BenchReport
    rows: tuple[ComparedRow, ...]
    cards: tuple[str, ...]
    """The changes of single cards, in sentences."""
    warnings: tuple[str, ...]
    """Reasons why the two are hard to compare."""

    @property
    def good(self) -> bool:
        """Whether the later one passed and is of the same unit."""
        return self.after.good and self.before.unit.asset == self.after.unit.asset


def compare(before: BenchReport, after: BenchReport) -> Compared:
    was = {row.name: row for row in before.rows if row.outcome is not CheckOutcome.LEFT_OUT}
    now = {row.name: row for row in after.rows if row.outcome is not CheckOutcome.LEFT_OUT}
    rows = [
        ComparedRow(_change(was.get(key), now.get(key)), now[key] if key in now else was[key])
        for key in {**now, **was}
    ]
    changes, parts = list(Change), list(ReportPart)
    return Compared(
        before,
        after,
        tuple(sorted(rows, key=lambda r: (changes.index(r.change), parts.index(r.row.part)))),
        tuple(_cards(before.deck, after.deck)),
        tuple(_warnings(before, after)),
    )


def _change(was: Row | None, now: Row | None) -> Change:
    if was is None or now is None:
        return Change.GONE if now is None else Change.NEW
    bad = was.outcome is CheckOutcome.FAILED, now.outcome is CheckOutcome.FAILED
    return {
        (False, False): Change.STILL_GOOD,
        (False, True): Change.BROKEN,
        (True, False): Change.FIXED,
        (True, True): Change.STILL_BAD,
    }[bad]


_SAYS: Final = {
    CardOutcome.RIGHT: "read rightly",
    CardOutcome.UNREADABLE: "not readable",
    CardOutcome.LOST: "lost",
    CardOutcome.NOT_REACHED: "not reached",
    CardOutcome.DOUBLED: "told twice",
    CardOutcome.EXTRA_UNREADABLE: "followed by something unreadable",
}


def _cards(was: Findings | None, now: Findings | None) -> Iterable[str]:
    if was is None or now is None:
        return
    before, after = _by_number(was), _by_number(now)
    yield (
        f"{was.right} of {was.drawn} cards were read rightly before, {now.right} of {now.drawn} "
        "after."
    )
    if [m[0].drawn for m in before.values()] != [m[0].drawn for m in after.values()]:
        yield "Other cards were drawn, or in another order: single cards cannot be compared."
        return
    for number, met in before.items():
        old, new = _became(met), _became(after[number])
        card = met[0].drawn
        if card is not None and (old, new) != (_SAYS[CardOutcome.RIGHT],) * 2:
            same = "still" if old == new else f"before {old}, now"
            yield f"Card {number}, {name(card)}: {same} {new}."


def _by_number(findings: Findings) -> dict[int, list[Met]]:
    """Return each drawn card first, then what was reported after it and never drawn."""
    found: dict[int, list[Met]] = {}
    for met in findings.met:
        found.setdefault(max(met.number, 1), []).append(met)
    return {number: sorted(met, key=lambda m: m.drawn is None) for number, met in found.items()}


def _became(met: list[Met]) -> str:
    return " and ".join(
        f"read as {name(each.reported)}"
        if each.outcome is CardOutcome.MISREAD and each.reported
        else _SAYS[each.outcome]
        for each in met
        if len(met) == 1 or each.outcome is not CardOutcome.RIGHT
    )


def _warnings(before: BenchReport, after: BenchReport) -> Iterable[str]:
    was, now = before.unit, after.unit
    if was.asset != now.asset:
        yield f"These are two units: {was.asset} and {now.asset}."
    for what in ("driver", "firmware", "wiring", "settings"):
        old, new = getattr(was, what), getattr(now, what)
        if old != new:
            yield f"The {what} is another: before {old}, now {new}."
    if before.sabot != after.sabot:
        yield f"Sabot is another: before {before.sabot}, now {after.sabot}."
    if before.began > after.began:
        yield "The first report is the later one: name the one from before the repair first."


def text(compared: Compared) -> list[str]:
    """Return the lines for a terminal: what changed, and what is still not right."""
    lines = [f"{_head(compared)}. {_verdict(compared)}", *compared.warnings, *compared.cards]
    lines += [
        f"{each.change.value}: {each.row.tried}"
        for each in compared.rows
        if each.change is not Change.STILL_GOOD
    ]
    same = sum(each.change is Change.STILL_GOOD for each in compared.rows)
    return [*lines, f"{same} things were right before and are right now."]


def html(compared: Compared) -> str:
    before, after = compared.before, compared.after
    kind = "good" if compared.good else "bad"
    return page.document(
        _head(compared),
        [
            f"<h1>{escape(_head(compared))}</h1>",
            f'<p class="verdict {kind}"><b>{escape(_verdict(compared))}</b></p>',
            _listed(compared.warnings),
            f'<div class="pair">{_side("Before", before)}{_side("After", after)}</div>',
            "<h2>Card by card</h2>" + _listed(compared.cards) if compared.cards else "",
            "<h2>What was tried</h2>",
            "<table>" + "".join(map(_row, compared.rows)) + "</table>",
        ],
    )


def _head(compared: Compared) -> str:
    unit = compared.after.unit
    return f"{unit.maker} {unit.model}, unit {unit.asset}: before and after"


def _verdict(compared: Compared) -> str:
    changes = [each.change for each in compared.rows]
    counts = {each: changes.count(each) for each in Change}
    if compared.good and counts[Change.FIXED]:
        return f"It is right now: {counts[Change.FIXED]} put right, nothing worse."
    if compared.good:
        return "It is right now, as it was before."
    return (
        f"It is NOT right: {counts[Change.FIXED]} put right, {counts[Change.STILL_BAD]} still not "
        f"right, {counts[Change.BROKEN]} worse."
    )


def _side(title: str, report: BenchReport) -> str:
    deck = picture.matrix(report.deck, title) if report.deck else ""
    return f"<div><h2>{title}</h2>{page.verdict(report)}{deck}{page.facts(report)}</div>"


def _listed(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


_KINDS: Final = {
    Change.FIXED: "good",
    Change.STILL_GOOD: "good",
    Change.BROKEN: "bad",
    Change.STILL_BAD: "bad",
}


def _row(each: ComparedRow) -> str:
    saw = f'<span class="saw">{escape(each.row.saw)}</span>' if each.row.saw else ""
    return (
        f"<tr><td>{escape(each.row.tried)}{saw}</td>"
        f'<td class="outcome {_KINDS.get(each.change, "")}">{each.change.value}</td></tr>'
    )
