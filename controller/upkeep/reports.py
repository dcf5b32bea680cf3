"""Reports of a shift or a day: text, CSV, and a printable HTML page.

One list of sections is made from the figures; the three formats only render it.
"""

import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from html import escape
from typing import Final, TypeAlias

from controller.messages.catalogue import Currency
from controller.messages.spreadsheet import Sheet
from controller.views.figures import Figures, Tally

_WINNERS: Final = {"P": "Player", "B": "Banker", "T": "Tie"}


class Amount(int):
    """An amount in minor units: shown to people in the table's currency, to programs as it is."""


Cell: TypeAlias = str | int | float


@dataclass(frozen=True)
class Section:
    """One table of a report, and its plotted column, if any."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    plot: str | None = None


@dataclass(frozen=True)
class Report:
    title: str
    sections: tuple[Section, ...]
    currency: Currency = field(default_factory=Currency)

    def written(self, cell: Cell) -> str:
        return self.currency.written(cell) if isinstance(cell, Amount) else str(cell)


@dataclass(frozen=True)
class Desk:
    """The table's properties that a report needs besides the figures."""

    name: str
    zone: tzinfo
    tracked: bool
    misreads_most: float
    """Misreads per thousand cards above which a device is flagged."""
    currency: Currency = field(default_factory=Currency)
    people: Mapping[str, str] = field(default_factory=dict)
    """Names of people by their ids."""


def report(figures: Figures, desk: Desk) -> Report:
    since, until = (datetime.fromtimestamp(at, desk.zone) for at in (figures.since, figures.until))
    title = f"{desk.name}: {since:%Y-%m-%d %H:%M} to {until:%Y-%m-%d %H:%M} {since:%Z}"
    return Report(title, tuple(_sections(figures, desk)), desk.currency)


def _sections(figures: Figures, desk: Desk) -> Iterable[Section]:
    zone, tracked = desk.zone, desk.tracked
    money = ("turnover", "house win", "win %") if tracked else ()
    yield Section("Total", ("what", "count"), tuple(_totals(figures, tracked)))
    yield Section("Results", ("result", "rounds"), tuple(_results(figures)))
    hours = [
        (f"{datetime.fromtimestamp(hour, zone):%m-%d %H:%M}", tally)
        for hour, tally in sorted(figures.hours.items())
    ]
    yield _tallies("By hour", "hour", hours, money, plot="rounds")
    if tracked:
        holds = tuple((hour, Amount(tally.hold)) for hour, tally in hours)
        yield Section("House win by hour", ("hour", "house win"), holds, plot="house win")
    dealers = [(desk.people.get(who, who), tally) for who, tally in figures.dealers.items()]
    yield _tallies("By dealer", "dealer", sorted(dealers, key=lambda each: each[0]), money)
    yield _tallies("By deck set", "deck set", sorted(figures.deck_sets.items()), money)
    if tracked:
        yield Section(
            "By wager",
            ("wager", "wagers", "staked", "won", "returned", "house win", "win %"),
            tuple(_wagers(figures)),
        )
    yield _counted("Table stops by clause", "clause", _named(figures.halts), plot="times")
    yield _counted("Voids by clause", "clause", figures.voids.most_common())
    yield Section(
        "Devices",
        ("device", "cards", "misreads", "per 1000", "link losses", "errors", "flag"),
        tuple(_devices(figures, desk.misreads_most)),
    )


def _named(halts: Counter[str]) -> list[tuple[str, int]]:
    """Return the halts by name: clauses as they are, ids as words."""
    return [(what.replace("_", " "), times) for what, times in halts.most_common()]


def _totals(figures: Figures, tracked: bool) -> Iterable[tuple[str, int | float]]:
    total = figures.total
    yield ("rounds", total.rounds)
    yield ("shoes", figures.shoes)
    yield ("voids", total.voids)
    yield ("corrections", figures.corrections)
    yield ("table stops", figures.halts.total())
    yield ("refused steps", figures.refused)
    if tracked:
        yield ("turnover", Amount(total.drop))
        yield ("house win", Amount(total.hold))
        yield ("win %", _percent(total.hold, total.drop))


def _results(figures: Figures) -> Iterable[tuple[str, int]]:
    for letter, name in _WINNERS.items():
        yield (name, figures.results[letter])


def _tallies(
    title: str,
    first: str,
    tallies: Sequence[tuple[str, Tally]],
    money: tuple[str, ...],
    plot: str | None = None,
) -> Section:
    rows = tuple((name, t.rounds, t.voids, *(_money(t) if money else ())) for name, t in tallies)
    return Section(title, (first, "rounds", "voids", *money), rows, plot)


def _money(tally: Tally) -> tuple[Amount, Amount, float]:
    return Amount(tally.drop), Amount(tally.hold), _percent(tally.hold, tally.drop)


def _counted(
    title: str, first: str, counts: Sequence[tuple[str, int]], plot: str | None = None
) -> Section:
    return Section(title, (first, "times"), tuple(counts), plot)


def _devices(figures: Figures, most: float) -> Iterable[tuple[Cell, ...]]:
    for name, device in sorted(figures.devices.items()):
        if name == "system":
            continue
        errors = ", ".join(f"{what} x{count}" for what, count in device.errors.most_common())
        flag = "too many misreads: have it checked" if device.too_many(most) else ""
        rate = round(device.per_thousand, 2)
        yield (name, device.cards, device.misreads, rate, device.link_losses, errors, flag)


def _wagers(figures: Figures) -> Iterable[tuple[Cell, ...]]:
    for kind, w in sorted(figures.wagers.items()):
        amounts = (Amount(each) for each in (w.staked, w.won, w.returned, w.kept))
        yield (kind.replace("_", " "), w.wagers, *amounts, _percent(w.kept, w.staked))


def _percent(hold: int, drop: int) -> float:
    return round(100 * hold / drop, 2) if drop else 0.0


# --- the three forms --------------------------------------------------------------------------


def as_text(made: Report) -> str:
    lines = [made.title]
    for section in made.sections:
        table = [section.columns, *(tuple(map(made.written, row)) for row in section.rows)]
        widths = [max(len(row[i]) for row in table) for i in range(len(section.columns))]
        lines += ["", section.title]
        for row in table:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            lines.append(("  " + "  ".join(cells)).rstrip())
        if not section.rows:
            lines.append("  none")
    return "\n".join(lines) + "\n"


def as_csv(made: Report) -> str:
    """Format all sections as one table: section, then a name and its value for every cell. Money is
    in minor units of the currency in the last column."""
    out = io.StringIO()
    sheet = Sheet(out)
    sheet.row(("section", "row", "column", "value", "currency"))
    for section in made.sections:
        for row in section.rows:
            for column, value in zip(section.columns[1:], row[1:], strict=True):
                money = made.currency.code if isinstance(value, Amount) else ""
                sheet.row((section.title, row[0], column, value, money))
    return out.getvalue()


_STYLE: Final = """
body{font:14px/1.45 Inter,system-ui,sans-serif;font-variant-numeric:tabular-nums}
body{margin:2em auto;padding:0 1.2em;max-width:64em;color:#0f1815;background:#fff}
h1{font-size:1.5em;margin:0 0 .2em}h2{font-size:1.1em;margin:1.8em 0 .4em}
table{border-collapse:collapse;width:100%}
th,td{padding:.3em .9em .3em 0;text-align:left;border-bottom:1px solid #cbd3d0}
th{border-bottom:2px solid #0f1815;color:#424e49;font-weight:600}
.n{text-align:right;white-space:nowrap}
svg{display:block;margin:.6em 0;max-width:100%;height:auto}
.none{color:#424e49}section{break-inside:avoid}
@page{margin:14mm}@media print{body{margin:0;padding:0;max-width:none;font-size:11px}}
"""


def as_html(made: Report) -> str:
    """Format a self-contained page: no script, no external resource."""
    parts = [
        "<!doctype html>",
        f'<html lang="en"><meta charset="utf-8"><title>{escape(made.title)}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_STYLE}</style><h1>{escape(made.title)}</h1>",
    ]
    for section in made.sections:
        parts.append(f"<section><h2>{escape(section.title)}</h2>")
        if not section.rows:
            parts.append('<p class="none">none</p></section>')
            continue
        if section.plot is not None:
            parts.append(_bars(made, section, section.columns.index(section.plot)))
        kinds = [_class_of(cell) for cell in section.rows[0]]
        head = (f"<th{kind}>{escape(c)}" for kind, c in zip(kinds, section.columns, strict=True))
        parts.append(f"<table><tr>{''.join(head)}")
        parts += [
            "<tr>" + "".join(f"<td{_class_of(c)}>{escape(made.written(c))}" for c in row)
            for row in section.rows
        ]
        parts.append("</table></section>")
    return "\n".join(parts) + "\n</html>\n"


def _class_of(cell: Cell) -> str:
    return "" if isinstance(cell, str) else ' class="n"'


_BAR, _WIDTH, _LETTER, _GAP = 22, 360, 7.5, 8
"""A bar's height and maximum length; a letter's width, with a margin."""


def _bars(made: Report, section: Section, column: int) -> str:
    """Draw one bar a row from a zero line: to the right for positive, to the left for negative
    values. Names are before the bars and values behind, each with the room of the longest."""
    names = [str(row[0]) for row in section.rows]
    values = [float(row[column]) for row in section.rows]
    shown = [made.written(row[column]) for row in section.rows]
    left = max(map(len, names)) * _LETTER + _GAP
    right = max(map(len, shown)) * _LETTER + _GAP
    top, bottom = max(0.0, *values), min(0.0, *values)
    scale = _WIDTH / ((top - bottom) or 1.0)
    zero = left - bottom * scale
    width, height = left + _WIDTH + right, len(values) * _BAR + _GAP
    drawn = [
        f'<svg role="img" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-size="12">',
        f"<title>{escape(section.title)}: {escape(section.columns[column])}</title>",
    ]
    for place, (name, value, text) in enumerate(zip(names, values, shown, strict=True)):
        y, long = _GAP / 2 + place * _BAR, abs(value) * scale
        x = zero if value >= 0 else zero - long
        fill = "#065f46" if value >= 0 else "#8a0019"
        drawn.append(
            f'<text x="{left - _GAP:.1f}" y="{y + 15}" text-anchor="end">{escape(name)}</text>'
            f'<rect x="{x:.1f}" y="{y + 3}" width="{long:.1f}" height="{_BAR - 6}" fill="{fill}"/>'
            f'<text x="{max(x + long, zero) + 5:.1f}" y="{y + 15}">{escape(text)}</text>'
        )
    drawn.append(f'<path d="M{zero:.1f} 0V{height}" stroke="#0f1815"/></svg>')
    return "".join(drawn)
