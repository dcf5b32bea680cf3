"""Documents for a technician's files: a comparison of two reports, test vectors from a capture."""

import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.hil import deck_pass
from controller.journal.records import Json
from drivers import registry
from drivers.cards import DECK
from drivers.contract import DataSheet
from drivers.hil import comparison, deck, page, report, vector
from drivers.hil.results import deck_advice, tried
from drivers.io import capture
from drivers.io.identity import Identity

DECK_ROW: Final = "test_every_card_of_the_deck_once"
"""The same name as in the full session, so that reports can be compared."""


def compare(
    before: Annotated[Path, typer.Argument(help="the session's folder, or its report.json")],
    after: Annotated[Path, typer.Argument(help="that of the session after the repair")],
    out: Annotated[
        Path | None, typer.Option(help="write a page with both, HTML; must not exist")
    ] = None,
) -> None:
    """Compare two reports of a unit, before and after a repair.

    The exit status is 0 when the later one passed.
    """
    both = comparison.compare(report.load(before), report.load(after))
    for line in comparison.text(both):
        typer.echo(line)
    if out is not None:
        write_new(out, comparison.html(both))
        typer.echo(f"{out} shows both")
    if not both.good:
        raise typer.Exit(1)


def make_vectors(
    file: Annotated[Path, typer.Argument(help="a capture of a test deck on a bench, unsealed")],
    out: Annotated[Path, typer.Option(help="the vectors, JSON; must not exist")],
    order: Annotated[
        Path | None, typer.Option(help="the cards in order; new-deck order (S H D C) without it")
    ] = None,
) -> None:
    """Make test vectors of a capture, without what must not leave the house.

    Plate, serial and adapter numbers, port, times, dates and sent bytes are removed. A capture
    whose cards are not those of a test deck is refused.
    """
    if capture.is_sealed(file):
        raise vector.NotForOthers(f"{file}: {vector.SEALED}")
    recording = capture.load(file)
    found = registry.find(str(recording.about.get("driver")))
    cards = list(DECK) if order is None else deck_pass.order(order)
    made = vector.scrubbed(recording, found, cards)
    write_new(out, made.written())
    typer.echo(f"{out}: {len(made.vectors)} messages of {found.sheet.maker} {found.sheet.model}")
    for why, count in made.left_out.items():
        typer.echo(f"  left out {count}: {why.value}")
    if made.settings:
        kept = ", ".join(f"{key} = {value}" for key, value in made.settings.items())
        typer.echo(f"  settings that stay with them, look whether they may leave: {kept}")


class DeckPaper:
    """The report of a single deck test. It is opened before the first card, so that an unwritable
    folder is noticed before anybody draws a deck."""

    def __init__(self, folder: Path, asset: str) -> None:
        self._folder, self._asset = folder, asset
        self._began, self._at = _now(), time.monotonic()
        if (folder / report.FILE).exists():
            raise typer.BadParameter(f"{folder} has a report already: name another folder")

    def write(
        self,
        sheet: DataSheet,
        settings: Mapping[str, Json],
        identity: Identity,
        passed: deck_pass.Passed,
    ) -> None:
        row = tried(DECK_ROW)
        outcome = report.CheckOutcome.PASSED if passed.good else report.CheckOutcome.FAILED
        seconds = time.monotonic() - self._at
        saw, do = deck.in_short(*passed), deck_advice(*passed)
        made = report.BenchReport(
            unit=report.unit_facts(
                sheet, settings, identity, asset=self._asset, firmware="unknown"
            ),
            began=self._began,
            ended=_now(),
            sabot=version("sabot"),
            rows=(report.Row(DECK_ROW, row.part, row.tried, outcome, seconds, saw, do),),
            deck=passed.found,
            gone=passed.gone,
        )
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise typer.BadParameter(f"{self._folder}: {error.strerror}") from error
        write_new(self._folder / report.FILE, report.written(made).decode())
        write_new(self._folder / report.PAGE, page.html(made))
        typer.echo(f"The report is {self._folder / report.PAGE}", err=True)


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S %z")


def write_new(path: Path, text: str) -> None:
    """Write a new file; an existing file of that name stays unchanged."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise typer.BadParameter(f"{path} exists and stays as it is: name another file") from error
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be written: {error.strerror}") from error
