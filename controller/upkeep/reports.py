"""A shift or a day on paper: as text, as CSV, and as an HTML page that prints.

One list of sections is made from the figures; the three forms only write it down.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from html import escape
from typing import Final

from controller.upkeep.figures import Figures, Tally

_WINNERS: Final = {"P": "Player", "B": "Banker", "T": "Tie"}


@dataclass(frozen=True)
class Section:
    """One table of a report, and the column that a plot draws, if any."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float, ...], ...]
    plot: str | None = None


@dataclass(frozen=True)
class Report:
    title: str
    sections: tuple[Section, ...]


def report(
    figures: Figures, name: str, zone: tzinfo, *, tracked: bool, misreads_most: float
) -> Report:
    """`misreads_most`: a device with more misreads per thousand cards is flagged."""
    since, until = (datetime.fromtimestamp(at, zone) for at in (figures.since, figures.until))
    title = f"{name}: {since:%Y-%m-%d %H:%M} to {until:%Y-%m-%d %H:%M} {since:%Z}"
    return Report(title, tuple(_sections(figures, zone, tracked, misreads_most)))


def _sections(
    figures: Figures, zone: tzinfo, tracked: bool, misreads_most: float
) -> Iterable[Section]:
    money = ("drop", "hold", "hold %") if tracked else ()
    yield Section("In all", ("what", "count"), tuple(_totals(figures, tracked)))
    yield from _missing(figures)
    yield Section("Results", ("result", "rounds"), tuple(_results(figures)))
    hours = [
        (f"{datetime.fromtimestamp(hour, zone):%m-%d %H:%M}", tally)
        for hour, tally in sorted(figures.hours.items())
    ]
    yield _tallies("By hour", "hour", hours, money, plot="rounds")
    if tracked:
        holds = tuple((hour, tally.hold) for hour, tally in hours)
        yield Section("Hold by hour, minor units", ("hour", "hold"), holds, plot="hold")
    yield _tallies("By dealer", "dealer", sorted(figures.dealers.items()), money)
    yield _tallies("By deck set", "deck set", sorted(figures.deck_sets.items()), money)
    if tracked:
        yield Section(
            "By wager",
            ("wager", "wagers", "staked", "won", "returned", "hold", "hold %"),
            tuple(_wagers(figures)),
        )
    yield _counted("Halts by clause", "clause", figures.halts.most_common(), plot="times")
    yield _counted("Voids by clause", "clause", figures.voids.most_common())
    yield Section(
        "Devices",
        ("device", "cards", "misreads", "per 1000", "link losses", "errors", "flag"),
        tuple(_devices(figures, misreads_most)),
    )


def _missing(figures: Figures) -> Iterable[Section]:
    """What the figures above leave out; nothing where they are whole."""
    if figures.not_counted:
        what = "rounds of an older form of records, and their halts: the key opens their cards"
        yield Section("Not counted", ("what", "rounds"), ((what, figures.not_counted),))


def _totals(figures: Figures, tracked: bool) -> Iterable[tuple[str, int | float]]:
    total = figures.total
    yield ("rounds", total.rounds)
    yield ("shoes", figures.shoes)
    yield ("voids", total.voids)
    yield ("corrections", figures.corrections)
    yield ("halts", figures.halts.total())
    yield ("refused steps", figures.refused)
    if tracked:
        yield ("drop, minor units", total.drop)
        yield ("hold, minor units", total.hold)
        yield ("hold %", _percent(total.hold, total.drop))


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
    rows = tuple(
        (name, t.rounds, t.voids, *((t.drop, t.hold, _percent(t.hold, t.drop)) if money else ()))
        for name, t in tallies
    )
    return Section(title, (first, "rounds", "voids", *money), rows, plot)


def _counted(
    title: str, first: str, counts: Sequence[tuple[str, int]], plot: str | None = None
) -> Section:
    return Section(title, (first, "times"), tuple(counts), plot)


def _devices(figures: Figures, most: float) -> Iterable[tuple[str | int | float, ...]]:
    for name, device in sorted(figures.devices.items()):
        if name == "system":
            continue
        errors = ", ".join(f"{what} x{count}" for what, count in device.errors.most_common())
        flag = "too many misreads: have it looked at" if device.too_many(most) else ""
        rate = round(device.per_thousand, 2)
        yield (name, device.cards, device.misreads, rate, device.link_losses, errors, flag)


def _wagers(figures: Figures) -> Iterable[tuple[str | int | float, ...]]:
    for kind, w in sorted(figures.wagers.items()):
        yield (kind, w.wagers, w.staked, w.won, w.returned, w.kept, _percent(w.kept, w.staked))


def _percent(hold: int, drop: int) -> float:
    return round(100 * hold / drop, 2) if drop else 0.0


# --- the three forms --------------------------------------------------------------------------


def as_text(made: Report) -> str:
    lines = [made.title]
    for section in made.sections:
        table = [section.columns, *(tuple(map(str, row)) for row in section.rows)]
        widths = [max(len(row[i]) for row in table) for i in range(len(section.columns))]
        lines += ["", section.title]
        for row in table:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            lines.append(("  " + "  ".join(cells)).rstrip())
        if not section.rows:
            lines.append("  none")
    return "\n".join(lines) + "\n"


def as_csv(made: Report) -> str:
    """One table for all sections: section, then a name and its value for every cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("section", "row", "column", "value"))
    for section in made.sections:
        for row in section.rows:
            for column, value in zip(section.columns[1:], row[1:], strict=True):
                writer.writerow((section.title, row[0], column, value))
    return out.getvalue()


_STYLE: Final = """
body{font:14px/1.4 system-ui,sans-serif;margin:2em auto;max-width:60em;color:#111;background:#fff}
h1{font-size:1.4em}h2{font-size:1.1em;margin:1.6em 0 .4em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.2em .9em .2em 0;text-align:left;border-bottom:1px solid #ddd}
th{border-bottom:2px solid #111}section{break-inside:avoid}
svg{display:block;margin:.6em 0;max-width:100%}
.none{color:#555}@page{margin:15mm}
"""


def as_html(made: Report) -> str:
    """A page of its own: no script, nothing from outside."""
    parts = [
        "<!doctype html>",
        f'<html lang="en"><meta charset="utf-8"><title>{escape(made.title)}</title>',
        f"<style>{_STYLE}</style><h1>{escape(made.title)}</h1>",
    ]
    for section in made.sections:
        parts.append(f"<section><h2>{escape(section.title)}</h2>")
        if not section.rows:
            parts.append('<p class="none">none</p></section>')
            continue
        if section.plot is not None:
            parts.append(_bars(section, section.columns.index(section.plot)))
        head = "".join(f"<th>{escape(column)}" for column in section.columns)
        parts.append(f"<table><tr>{head}")
        parts += [
            "<tr>" + "".join(f"<td>{escape(str(cell))}" for cell in row) for row in section.rows
        ]
        parts.append("</table></section>")
    return "\n".join(parts) + "\n</html>\n"


_BAR, _HEIGHT, _LABEL, _LEFT = 26, 90, 62, 40


def _bars(section: Section, column: int) -> str:
    """One bar a row, from a line at zero: up for more, down for less."""
    values = [float(row[column]) for row in section.rows]
    top, bottom = max(0.0, *values), min(0.0, *values)
    scale = _HEIGHT / ((top - bottom) or 1.0)
    zero = top * scale + 14
    width, height = len(values) * _BAR + _LEFT, _HEIGHT + _LABEL + 28
    drawn = [
        f'<svg role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{escape(section.title)}: {escape(section.columns[column])}</title>",
    ]
    for place, (row, value) in enumerate(zip(section.rows, values, strict=True)):
        x, tall = _LEFT - 5 + place * _BAR, abs(value) * scale
        y = zero - tall if value >= 0 else zero
        fill = "#234b7d" if value >= 0 else "#a33"
        middle, label = x + _BAR / 2, _HEIGHT + 30
        drawn.append(
            f'<rect x="{x + 3}" y="{y:.1f}" width="{_BAR - 6}" height="{tall:.1f}" fill="{fill}"/>'
            f'<text x="{middle}" y="{y - 3:.1f}" font-size="8" text-anchor="middle">'
            f"{escape(str(row[column]))}</text>"
            f'<text x="{middle}" y="{label}" font-size="9" text-anchor="end" '
            f'transform="rotate(-60 {middle} {label})">{escape(str(row[0]))[-11:]}</text>'
        )
    drawn.append(f'<path d="M{_LEFT - 5} {zero:.1f}H{width}" stroke="#111"/></svg>')
    return "".join(drawn)
