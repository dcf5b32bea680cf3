"""Rulebooks, clauses and odds laid out for a person in a terminal."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import msgspec
from rich.box import SIMPLE
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table

from controller.game.conditions import (
    BothOfColour,
    CardsDealt,
    Condition,
    HandWins,
    HighTotalIs,
    Pair,
    Tied,
)
from controller.game.odds import Odds
from controller.game.rulebook import LimitRule, Rulebook
from controller.game.table_of_play import TableOfPlay
from controller.game.wagers import Wager
from controller.rulebooks import RULEBOOKS
from controller.rulebooks.readings import readings_of
from controller.rulebooks.register import Clause, ClauseRow, rows
from controller.table.commands.registry import REGISTRY, Payload
from controller.table.commands.reports import FORMS, report_fields


def overview() -> Iterable[RenderableType]:
    """The overview of what Sabot can do."""
    yield "[bold]Sabot[/], the open controller for live baccarat tables.\n"
    yield "So far it knows the game, five approved rulebooks settled to the cent with the clause,"
    yield "and runs a table without hardware: rounds, every irregularity, a journal on disk."
    yield book_list()
    commands = Table(box=None, show_header=False, padding=(0, 2))
    for command, does in (
        ("sabot table --jsonl < lines.jsonl", "a whole table: devices and people as JSON lines"),
        ("sabot table --shoe NAME --port URL", "the same in a terminal, cards from a real shoe"),
        ("sabot table --help-words", "every word a table understands"),
        ("sabot rules show ID", "a rulebook, and the readings we chose"),
        ("sabot rules clauses ID", "every clause of the document and what Sabot does about it"),
        ("sabot rules odds ID --decks 8", "exact odds and house edge of every wager"),
        ("sabot rules settle < hands.jsonl", "settle hands, one JSON line each"),
        ("sabot rules decided < cards.jsonl", "which wagers are won or lost whatever follows"),
        ("sabot rules wagers < bets.jsonl", "what to put right before “No more bets”"),
        ("sabot rules roads < shoes.jsonl", "the roads a display draws from a shoe's outcomes"),
        ("sabot config check FILE", "can a table start with this configuration"),
        ("sabot journal verify FILE", "is every record of a journal as it was written"),
    ):
        commands.add_row(f"[bold]{command}[/]", does)
    yield commands
    yield "\nIn this checkout the command is [bold].venv/bin/sabot[/]; --help says more."


def book_list() -> Table:
    table = Table("id", "document", "decks", "wagers", "methods", box=SIMPLE)
    table.columns[0].no_wrap = True  # a truncated id is useless
    for book in RULEBOOKS.values():
        table.add_row(
            book.id,
            book.title + (f" v{book.version}" if book.version else ""),
            f"{book.decks.fewest}-{book.decks.most}",
            str(len(book.wagers)),
            " ".join(method.id for method in book.methods),
        )
    return table


def book_page(book: Rulebook) -> Iterable[RenderableType]:
    """One rulebook in the order of the document, with the interpretations that concern it."""
    version = f", version {book.version}" if book.version else ""
    yield f"[bold]{book.title}[/]{version}, in force from {book.in_force}"
    yield f"{book.decks.fewest} to {book.decks.most} decks ({book.decks.clause})\n"
    yield _methods(book)
    yield from _play(book.play)
    yield _wagers(book.wagers)
    limits = _limits(book)
    if limits.row_count:
        yield limits
    yield from _readings(book.id)


def _methods(book: Rulebook) -> Table:
    table = Table("method", "how", "clause", title="Dealing", title_justify="left")
    for method in book.methods:
        table.add_row(method.id, method.name, method.clause)
    return table


def _play(play: TableOfPlay) -> Iterable[RenderableType]:
    values = Table("cards", "worth", "clause", title="Card values", title_justify="left")
    for row in play.values:
        worth = row.points
        values.add_row(" ".join(worth), " ".join(str(v) for v in worth.values()), row.clause)
    yield values
    table = Table("two cards come to", "then", "clause", title="Table of play")
    table.title_justify = "left"
    naturals = _numbers(play.natural.totals)
    table.add_row(f"either hand {naturals}", "natural: no more cards", play.natural.clause)
    draws = play.player_draws
    table.add_row(f"Player {_numbers(draws.totals)}", "Player draws, else stands", draws.clause)
    alone = play.banker_draws_alone
    table.add_row(f"Banker {_numbers(alone.totals)}", "draws if the Player stood", alone.clause)
    for total, against in play.banker_draws.against.items():
        then = f"draws against a third card of {_numbers(against)}" if against else "stands"
        table.add_row(f"Banker {total}", then, play.banker_draws.clause)
    yield table


def _wagers(wagers: Iterable[Wager]) -> Table:
    table = Table("wager", "wins when", "pays", "push", "clauses", title="Wagers")
    table.title_justify = "left"
    table.columns[0].no_wrap = True
    for wager in wagers:
        pays = "\n".join(
            _to_one(level.odds) + (f" if {in_words(level.when)}" if level.when else "")
            for level in wager.pays
        )
        clauses = dict.fromkeys((wager.wins.clause, *(level.clause for level in wager.pays)))
        push = in_words(wager.push) if wager.push else ""
        table.add_row(wager.id, in_words(wager.wins), pays, push, " ".join(clauses))
    return table


def _limits(book: Rulebook) -> Table:
    table = Table("limit", "the book says", "clause", title="Limits", title_justify="left")
    for row in rows(book):
        if row.path.startswith("limits."):
            table.add_row(row.path.removeprefix("limits."), _limit(row), row.clause)
    return table


def _limit(row: ClauseRow) -> str:
    if isinstance(row.value, LimitRule):
        return str(row.value.does.value)
    return f"at most {getattr(row.value, 'most', '?')} wagers on a playing area"


def _readings(book_id: str) -> Iterable[RenderableType]:
    yield "[italic]Readings we chose[/]"
    for reading in readings_of(book_id):
        clauses = ", ".join(reading.clauses[book_id])
        where = f" ({clauses})" if clauses else ""
        yield f"[bold]{reading.number}. {reading.name}{where}[/]"
        yield Padding(f"{reading.text}\n[dim]Because:[/] {reading.why}", (0, 0, 0, 3))


def word_list() -> Table:
    """The table of all commands and device events."""
    table = Table("word", "from", "says", "fields", box=SIMPLE)
    table.columns[0].no_wrap = True
    for name, message_type in REGISTRY.items():
        table.add_row(
            name,
            " ".join(message_type.speakers),
            message_type.description,
            _fields(message_type.struct),
        )
    return table


def report_list() -> Table:
    """The table of all reports, each with its fields; other fields are refused."""
    table = Table("report", "fields", "facts", box=SIMPLE)
    table.columns[0].no_wrap = True
    for what, form in FORMS.items():
        table.add_row(
            what, ", ".join(f"{name}?" for name in report_fields(what)[1:]), ", ".join(form.facts)
        )
    return table


def _fields(payload: type[Payload]) -> str:
    """The names of a payload's fields; an optional one has a question mark."""
    fields = msgspec.structs.fields(payload)
    return ", ".join(each.encode_name + ("" if each.required else "?") for each in fields)


def clause_list(clauses: Iterable[Clause]) -> Iterable[RenderableType]:
    table = Table("clause", "says", "kind", "where", "tests")
    table.columns[0].no_wrap = table.columns[2].no_wrap = True
    kinds: Counter[str] = Counter()
    for clause in clauses:
        kinds[clause.kind.value] += 1
        where = "\n".join(place.removeprefix("controller/rulebooks/") for place in clause.where)
        text = clause.text if clause.why is None else f"{clause.text} [dim]({clause.why})[/]"
        table.add_row(clause.id, text, clause.kind.value, where, str(len(clause.tests) or ""))
    yield table
    yield f"{kinds.total()} clauses: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items())


def odds_page(book: Rulebook, decks: int, found: dict[str, Odds]) -> Table:
    table = Table(
        "wager", "win", "push", "lose", "house edge", title=f"{book.title}, {decks} decks"
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for wager, chances in found.items():
        cells = (chances.win, chances.push, chances.lose, chances.edge)
        table.add_row(wager, *(f"{100 * float(cell):.4f} %" for cell in cells))
    return table


def in_words(condition: Condition) -> str:
    match condition:
        case HandWins(side, _, total, cards, over):
            words = [f"{side.value.title()} wins"]
            words += [f"with {total}"] if total is not None else []
            words += [f"over {over}"] if over is not None else []
            words += [f"in {cards} cards"] if cards is not None else []
            return " ".join(words)
        case Tied(_, total):
            return "tie" if total is None else f"tie on {total}"
        case HighTotalIs(total):
            return f"the winning or tied total is {total}"
        case CardsDealt(count):
            return f"{count} cards dealt"
        case Pair(side, _, rank, suit):
            of_rank = f" of {rank.value}s" if rank else ""
            of_suit = f", both {suit.name.lower()}" if suit else ""
            return f"{side.value.title()}'s first two are a pair{of_rank}{of_suit}"
        case BothOfColour(side, colour):
            return f"{side.value.title()}'s first two are both {colour.value}"


def _to_one(odds: Fraction) -> str:
    return f"{float(odds):g} to 1"


def _numbers(numbers: Iterable[int]) -> str:
    """`0-7 9` for runs of three and more, single numbers otherwise."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(
        f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs
    )


def show(parts: Iterable[RenderableType], console: Console | None = None) -> None:
    screen = Console() if console is None else console
    for part in parts:
        screen.print(part)
