"""The report of a bench session as one self-contained HTML file."""

from collections.abc import Iterable
from html import escape
from typing import Final

from drivers.hil import deck, picture
from drivers.hil.report import BenchReport, CheckOutcome, ReportPart, Row

STYLE: Final = """
:root { color-scheme: light }
body { font: 16px/1.45 system-ui, sans-serif; max-width: 62rem; margin: 1.5rem auto;
  padding: 0 1rem; color: #1b1b1b; background: #fff }
h1 { font-size: 1.5rem; margin: 0 0 .75rem } h2 { font-size: 1.15rem; margin: 1.75rem 0 .5rem }
.verdict { padding: .7rem 1rem; border-radius: 6px; border: 2px solid; font-size: 1.1rem;
  margin: 0 }
.verdict b { font-size: 1.3rem; display: block }
.good { color: #0a5c2b; background: #e9f7ee; border-color: #2b7a46 }
.bad { color: #8d1313; background: #fdeeee; border-color: #a01818 }
.first { border-left: 6px solid #a01818; padding: .5rem 1rem; margin: 1rem 0; background: #faf6f6 }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #d4d4d4; padding: .35rem .6rem; text-align: left;
  vertical-align: top; overflow-wrap: anywhere }
.facts th { width: 11rem; font-weight: 600; color: #444 }
td.outcome { white-space: nowrap; font-weight: 700; background: none; width: 7rem;
  border-color: #d4d4d4 }
td.seconds { text-align: right; white-space: nowrap; width: 4.5rem; color: #444 }
.saw { color: #333; display: block } .do { display: block; font-weight: 600 }
svg { width: 100%; height: auto; max-width: 54rem }
ul { margin: .3rem 0; padding-left: 1.3rem } small { color: #555 }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(24rem, 1fr)); gap: 1rem }
@media print { body { margin: 0; max-width: none } h2, .verdict, tr { break-inside: avoid } }
"""
_WORDS: Final = {
    CheckOutcome.PASSED: ("good", "✓ passed"),
    CheckOutcome.FAILED: ("bad", "✗ not passed"),
    CheckOutcome.LEFT_OUT: ("", "left out"),
}
_HEADS: Final = {
    ReportPart.UNIT: "What was tried on the unit",
    ReportPart.STORY: "Rounds that were played on the unit",
    ReportPart.DRIVER: "The driver's program, tried without the unit",
}

_BESIDE: Final = {
    "report.json": "this report as data. <code>sabot device compare BEFORE AFTER</code> lays two "
    "of them side by side.",
    "junit.xml": "the same for a build server.",
    "capture.jsonl": "every byte of the session. It shows every card that was drawn, so it is for "
    "a bench and not for a table. <code>sabot device vector</code> makes tests of it.",
}


def html(report: BenchReport, attachments: Iterable[str] = ("report.json",)) -> str:
    """Return the page; `attachments` are the other files in its folder."""
    unit = report.unit
    title = f"{unit.maker} {unit.model}, unit {unit.asset}"
    return document(
        title,
        [
            f"<h1>Bench report: {escape(title)}</h1>",
            verdict(report),
            _first(report),
            "<h2>The unit</h2>",
            facts(report),
            _deck(report),
            *(_rows(report, part) for part in _HEADS),
            _left_out(report),
            _beside(attachments),
        ],
    )


def document(title: str, parts: Iterable[str]) -> str:
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
    )
    return "\n".join([head, *(part for part in parts if part), "</body></html>\n"])


def verdict(report: BenchReport) -> str:
    tried = sum(row.outcome is not CheckOutcome.LEFT_OUT for row in report.rows)
    failed = len(report.failed)
    if report.good:
        text = f"<b>PASSED</b>All {tried} things that were tried went as they should."
    elif failed:
        text = (
            f"<b>NOT PASSED</b>{failed} of {tried} things that were tried did not go as they "
            "should. Do not put this unit to a table."
        )
    else:
        text = f"<b>NOT FINISHED</b>{escape(report.stopped or 'Nothing was tried.')}"
    return f'<p class="verdict {"good" if report.good else "bad"}">{text}</p>'


def summary(report: BenchReport) -> list[str]:
    """Return the lines for the terminal at the end of a session."""
    unit = report.unit
    word = "PASSED" if report.good else "NOT PASSED" if report.failed else "NOT FINISHED"
    lines = [f"{word}: {unit.maker} {unit.model}, unit {unit.asset}."]
    lines += [f"  {row.tried} {row.saw}" for row in report.failed]
    lines += [f"  {report.stopped}"] if report.stopped else []
    return lines


def _first(report: BenchReport) -> str:
    if not report.failed:
        return ""
    row = report.failed[0]
    return (
        f'<div class="first"><b>What differed first.</b> {escape(row.saw)}<br>'
        f"<small>Tried was: {escape(row.tried)}</small>"
        + (f"<br><b>Where to look:</b> {escape(row.do)}" if row.do else "")
        + "</div>"
    )


def facts(report: BenchReport) -> str:
    unit = report.unit
    reported = {
        "Asset number": unit.asset,
        "Device": f"{unit.maker} {unit.model} (driver {unit.driver})",
        "Firmware": unit.firmware + ("" if unit.firmware == "unknown" else " (by its rig file)"),
        "Serial number": unit.serial or "the unit does not tell one",
        "Known by": unit.identity,
        "Wiring": unit.wiring,
        "Settings": unit.settings,
        "Began": report.began,
        "Ended": report.ended,
        "Sabot": report.sabot,
    }
    rows = (f"<tr><th>{key}</th><td>{escape(value)}</td></tr>" for key, value in reported.items())
    return f'<table class="facts">{"".join(rows)}</table>'


def _deck(report: BenchReport) -> str:
    if report.deck is None:
        return ""
    first, *others = deck.sentences(report.deck, report.gone)
    listed = "".join(f"<li>{escape(each)}</li>" for each in others)
    return f"<h2>The test deck</h2><p><b>{escape(first)}</b></p>{picture.matrix(report.deck)}" + (
        f"<ul>{listed}</ul>" if listed else ""
    )


def _rows(report: BenchReport, part: ReportPart) -> str:
    rows = [
        row for row in report.rows if row.part is part and row.outcome is not CheckOutcome.LEFT_OUT
    ]
    if not rows:
        return ""
    return f"<h2>{_HEADS[part]}</h2><table>{''.join(map(_row, rows))}</table>"


def _row(row: Row) -> str:
    kind, word = _WORDS[row.outcome]
    saw = f'<span class="saw">{escape(row.saw)}</span>' if row.saw else ""
    failed = row.outcome is CheckOutcome.FAILED and row.do
    do = f'<span class="do">Where to look: {escape(row.do)}</span>' if failed else ""
    return (
        f"<tr><td>{escape(row.tried)}{saw}{do}</td>"
        f'<td class="outcome {kind}">{word}</td><td class="seconds">{row.seconds:.1f} s</td></tr>'
    )


def _left_out(report: BenchReport) -> str:
    rows = [row for row in report.rows if row.outcome is CheckOutcome.LEFT_OUT]
    if not rows:
        return ""
    lines = "".join(f"<li>{escape(row.tried)} <small>{escape(row.do)}</small></li>" for row in rows)
    return f"<h2>Left out on this bench</h2><ul>{lines}</ul>"


def _beside(files: Iterable[str]) -> str:
    lines = "".join(f"<li><b>{name}</b>: {_BESIDE[name]}</li>" for name in files)
    return f"<h2>Beside this page</h2><ul>{lines}</ul>"
