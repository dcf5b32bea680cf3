"""A test deck at the bench: say which card to draw next, listen, and report what came of it."""

import time
from pathlib import Path

import typer

from controller.bench.monitor import Bench, until_stopped
from drivers.cards import Card, NotACard
from drivers.events import (
    CardRead,
    CutCard,
    Event,
    ExcessCard,
    ExcessNamed,
    LinkLost,
    LinkUp,
    ReadFailed,
)
from drivers.io import deck_check


def order(path: Path) -> list[Card]:
    try:
        words = path.read_text(encoding="utf-8").replace(",", " ").split()
        cards = [Card.parse(word) for word in words]
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}") from error
    except (NotACard, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{path}: {error}") from error
    if not 0 < len(cards) <= deck_check.CARDS_MAX:
        raise typer.BadParameter(
            f"{path}: write 1 to {deck_check.CARDS_MAX} cards, not {len(cards)}"
        )
    return cards


def drawn_through(bench: Bench, drawn: list[Card], quiet_s: float) -> list[Card | None]:
    """What the shoe made of the cards."""
    read: list[Card | None] = []
    last = time.monotonic()
    most = 2 * len(drawn)
    with until_stopped() as stop:
        for moment in bench.moments(stop):
            for event in moment.events:
                came = _cards(event)
                read += came
                if came or isinstance(event, LinkUp):
                    last = moment.at
                    _say_next(drawn, read)
                elif isinstance(event, LinkLost):
                    typer.echo(f"the link is lost: {event.why}", err=True)
                elif isinstance(event, CutCard):
                    stop.set()
            if read == drawn or len(read) >= most or moment.at - last > quiet_s:
                stop.set()
    return read[:most]


def _cards(event: Event) -> list[Card | None]:
    """The card that an event is about. A shoe that is locked, or holds the round for complete,
    calls a card one too many; at the bench it is a card like any other."""
    if isinstance(event, CardRead | ExcessNamed):
        return [event.card]
    if isinstance(event, ExcessCard):
        return [] if event.card is None else [event.card]  # it is named later
    return [None] if isinstance(event, ReadFailed) else []


def _say_next(drawn: list[Card], read: list[Card | None]) -> None:
    if read and read[-1] is not (drawn[len(read) - 1] if len(read) <= len(drawn) else None):
        said = "unreadable" if read[-1] is None else read[-1].code
        typer.echo(f"card {len(read)} was told as {said}", err=True)
    if len(read) < len(drawn):
        typer.echo(f"draw card {len(read) + 1} of {len(drawn)}: {drawn[len(read)]}", err=True)


def report(findings: deck_check.Findings) -> list[str]:
    lines = [f"{findings.right} of {findings.drawn} cards were read rightly"]
    for title, cards in (
        ("unreadable", findings.unreadable),
        ("missing", findings.missing),
        ("doubled", findings.doubled),
    ):
        lines += [f"{title}: {' '.join(map(str, cards))}"] if cards else []
    if findings.extra_unreadable:
        lines.append(f"unreadable cards too many: {findings.extra_unreadable}")
    lines += [f"misread: {was} as {said}" for was, said in findings.misread]
    for title, rows in (("rank", findings.ranks), ("suit", findings.suits)):
        columns = [*rows, *sorted({name for row in rows.values() for name in row} - set(rows))]
        lines += ["", f"{title:<6}" + "".join(f"{name:>4}" for name in columns)]
        for name, row in rows.items():
            lines.append(f"{name:<6}" + "".join(f"{row[to] or '.':>4}" for to in columns))
    return lines
