"""The test-deck run on the bench: request each card, read the device, report the result."""

import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import typer

from controller.journal.records import Json
from drivers.cards import Card, NotACard
from drivers.contract import DataSheet
from drivers.errors import BadSetting
from drivers.events import CutCard, LinkLost, LinkUp
from drivers.hil import deck
from drivers.io import deck_check
from drivers.io.bench import Bench, until_stopped, wired

LAST_S: Final = 1.0
"""Wait after the last card, because a device may send it twice."""


def order(path: Path) -> list[Card]:
    try:
        words = path.read_text(encoding="utf-8").replace(",", " ").split()
        cards = [Card.parse(word) for word in words]
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}") from error
    except (NotACard, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{path}: {error}") from error
    if not 0 < len(cards) <= deck_check.MAX_CARDS:
        raise typer.BadParameter(
            f"{path}: write 1 to {deck_check.MAX_CARDS} cards, not {len(cards)}"
        )
    return cards


def must_be_a_shoe(sheet: DataSheet, url: str) -> None:
    """Raises `BadSetting` for a device that no deck can be drawn through."""
    wired(sheet, url)
    if sheet.kind != "shoe":
        raise BadSetting(f"{sheet.name} is a {sheet.kind}: a test deck is drawn through a shoe")


def quiet(seconds: float) -> float:
    if not (math.isfinite(seconds) and seconds > 0):
        raise typer.BadParameter(f"{seconds:g} seconds are none: write a number above 0")
    return seconds


class Passed(NamedTuple):
    found: deck_check.Findings
    gone: tuple[int, ...]
    """Numbers of the cards after which the link was lost."""

    @property
    def good(self) -> bool:
        return self.found.good and not self.gone

    def plain(self) -> Mapping[str, Json]:
        return {**self.found.plain(), "good": self.good, "link_gone_after": list(self.gone)}


def drawn_through(bench: Bench, drawn: list[Card], quiet_s: float) -> Passed:
    """Draw the deck and return what the shoe reported."""
    drawing, asked, at_the_end = deck.DeckPass(drawn), 0, False
    last = time.monotonic()
    with until_stopped() as stop:
        for moment in bench.moments(stop):
            for event in moment.events:
                arrived = deck.cards_of(event)
                for card in arrived:
                    drawing.tell(card)
                if arrived or isinstance(event, LinkUp):
                    last = moment.at
                    asked = asked if arrived else 0  # repeated when the link is back
                    asked = _say_next(drawing, drawn, asked)
                elif isinstance(event, LinkLost):
                    typer.echo(f"{drawing.link_gone()} {event.why}", err=True)
                elif isinstance(event, CutCard):
                    at_the_end = True
                    stop.set()
            if moment.at - last > (LAST_S if drawing.over else quiet_s):
                stop.set()
    return Passed(drawing.findings(to_the_end=at_the_end), drawing.gone)


def _say_next(drawing: deck.DeckPass, drawn: list[Card], asked: int) -> int:
    """Print the request for the next card and return its number."""
    for line in drawing.news():
        typer.echo(line, err=True)
    if not drawing.over and drawing.due != asked:
        typer.echo(f"draw card {drawing.due} of {len(drawn)}: {drawing.card}", err=True)
    return drawing.due


def report(passed: Passed) -> list[str]:
    findings = passed.found
    lines = deck.sentences(findings, passed.gone)
    for title, rows in (("rank", findings.ranks), ("suit", findings.suits)):
        columns = [*rows, *sorted({name for row in rows.values() for name in row} - set(rows))]
        lines += ["", f"{title:<6}" + "".join(f"{name:>4}" for name in columns)]
        for name, row in rows.items():
            lines.append(f"{name:<6}" + "".join(f"{row[to] or '.':>4}" for to in columns))
    return lines
