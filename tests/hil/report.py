"""The report of a bench run as one HTML file that needs nothing else to be read."""

from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1b1b; background: #fff }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { border: 1px solid #999; padding: .25rem .6rem; text-align: left; vertical-align: top }
.good { color: #0a5c2b } .bad { color: #a01818 } .bad, .good { font-weight: bold }
pre { white-space: pre-wrap; margin: 0 }
.matrix td { text-align: right } .matrix .wrong { background: #fbd5d5 }
"""
WORDS: Final = {"passed": "passed", "failed": "FAILED", "skipped": "left out", "error": "FAILED"}


@dataclass(frozen=True)
class Row:
    """One test of the run."""

    name: str
    says: str
    """What it proves, in a sentence."""
    outcome: str
    seconds: float
    why: str = ""
    """What was wrong, where it failed."""
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    facts: dict[str, str]
    rows: list[Row]
    left_out: list[str]
    """What cannot be done on a bench, or not on this rig."""

    @property
    def good(self) -> bool:
        return bool(self.rows) and all(row.outcome == "passed" for row in self.rows)


def html(report: Report) -> str:
    verdict = "passed" if report.good else "NOT passed"
    unit = f"{report.facts.get('driver', '')} {report.facts.get('asset', '')}".strip()
    decks = [row.facts["deck"] for row in report.rows if "deck" in row.facts]
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(unit)}: {verdict}</title>',
        f"<style>{STYLE}</style></head><body>",
        f"<h1>{escape(unit)}</h1>",
        f'<p class="{"good" if report.good else "bad"}">{verdict}</p>',
        _facts(report.facts),
        "<h2>What was tried</h2>",
        _tried(report.rows),
        *(_deck(deck) for deck in decks),
        _left_out(report.left_out),
        "</body></html>",
    ]
    return "\n".join(part for part in parts if part)


def _facts(facts: dict[str, str]) -> str:
    rows = (f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in facts.items())
    return "<table>" + "".join(rows) + "</table>"


def _tried(rows: list[Row]) -> str:
    return (
        "<table><tr><th>test</th><th>outcome</th><th>seconds</th></tr>"
        + "".join(_row(row) for row in rows)
        + "</table>"
    )


def _row(row: Row) -> str:
    kind = "good" if row.outcome == "passed" else "bad"
    why = f"<pre>{escape(row.why)}</pre>" if row.why else ""
    told = ", ".join(f"{key}: {value}" for key, value in row.facts.items() if key != "deck")
    return (
        f"<tr><td>{escape(row.says or row.name)}<br><small>{escape(row.name)}</small>"
        f"{'<br>' + escape(told) if told else ''}{why}</td>"
        f'<td class="{kind}">{escape(WORDS.get(row.outcome, row.outcome))}</td>'
        f"<td>{row.seconds:.1f}</td></tr>"
    )


def _deck(deck: dict[str, Any]) -> str:
    said = [f"{deck['right']} of {deck['drawn']} cards were read rightly."]
    said += [
        f"{name}: {' '.join(deck[name])}." for name in ("unreadable", "missing", "doubled")
        if deck[name]
    ]  # fmt: skip
    said += [f"{was} was read as {told}." for was, told in deck["misread"]]
    return (
        "<h2>The test deck</h2><p>"
        + "<br>".join(map(escape, said))
        + "</p>"
        + _matrix("rank", deck["ranks"])
        + _matrix("suit", deck["suits"])
    )


def _matrix(title: str, rows: dict[str, dict[str, int]]) -> str:
    columns = [*rows, *sorted({to for row in rows.values() for to in row} - set(rows))]
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = [
        f"<tr><th>{escape(name)}</th>"
        + "".join(_cell(row.get(to, 0), right=to == name) for to in columns)
        + "</tr>"
        for name, row in rows.items()
    ]
    return f'<table class="matrix"><tr><th>{title}</th>{head}</tr>{"".join(lines)}</table>'


def _cell(count: int, *, right: bool) -> str:
    wrong = ' class="wrong"' if count and not right else ""
    return f"<td{wrong}>{count or ''}</td>"


def _left_out(names: list[str]) -> str:
    if not names:
        return ""
    lines = "".join(f"<li>{escape(name)}</li>" for name in names)
    return f"<h2>Left out on this bench</h2><ul>{lines}</ul>"
