"""`sabot rules`: prints the rulebooks, settles hands, computes odds."""

import json
from datetime import date
from functools import partial
from typing import Annotated

import msgspec
import typer

from controller.game.money.rounding import Rounding
from controller.game.odds import odds
from controller.rulebooks import RULEBOOKS, rulebook
from controller.rulebooks.readings import readings_of
from controller.rulebooks.register import clauses, rows
from controller.terminal import rule_questions
from controller.terminal.answer_lines import answer_lines

rules_app = typer.Typer(help="The five rulebooks: read them, settle hands, compute odds.")

BookId = Annotated[str, typer.Argument(metavar="ID", help="a rulebook id; see `sabot rules list`")]
AsJson = Annotated[bool, typer.Option("--json", help="as JSON")]


def register(app: typer.Typer) -> None:
    app.add_typer(rules_app, name="rules")


@rules_app.command("list")
def rules_list(as_json: AsJson = False) -> None:
    """List the rulebooks."""
    if as_json:
        _print_json([_book_facts(book_id) for book_id in RULEBOOKS])
    else:
        from controller.terminal import rule_pages

        rule_pages.show([rule_pages.book_list()])


@rules_app.command("show")
def rules_show(book_id: BookId, as_json: AsJson = False) -> None:
    """Show one rulebook: decks, methods, table of play, wagers, limits, readings."""
    from controller.terminal import rule_pages

    book = rulebook(book_id)
    if as_json:
        _print_json(
            msgspec.to_builtins(_book_facts(book_id))
            | {
                "pays": {
                    wager.id: [
                        {
                            "odds": str(level.odds),
                            "when": rule_pages.in_words(level.when or wager.wins),
                            "clause": level.clause,
                        }
                        for level in wager.pays
                    ]
                    for wager in book.wagers
                },
                "rows": [{"row": row.path, "clause": row.clause} for row in rows(book)],
                "readings": [
                    {
                        "number": reading.number,
                        "clauses": list(reading.clauses[book_id]),
                        "says": reading.text,
                        "why": reading.why,
                    }
                    for reading in readings_of(book_id)
                ],
            }
        )
    else:
        rule_pages.show(rule_pages.book_page(book))


@rules_app.command("clauses")
def rules_clauses(book_id: BookId, as_json: AsJson = False) -> None:
    """List every numbered clause: summary, kind, code, tests."""
    found = clauses(book_id)
    if as_json:
        _print_json(
            [
                {
                    "id": clause.id,
                    "says": clause.text + (f" ({clause.why})" if clause.why else ""),
                    "kind": clause.kind.value,
                    "where": list(clause.where),
                    "tests": list(clause.tests),
                }
                for clause in found
            ]
        )
    else:
        from controller.terminal import rule_pages

        rule_pages.show(rule_pages.clause_list(found))


@rules_app.command("settle")
def rules_settle(
    rounding: Annotated[
        Rounding, typer.Option(help="rounding of a payment that is not whole minor units")
    ] = Rounding.EXACT,
) -> None:
    """Settle hands: JSON lines in, JSON lines out.

    In: {"rulebook": "mbs-baccarat-8", "cards": ["9H", "2C", ...], "wagers": [{"id": "a",
    "wager": "banker", "amount": 2000}]}, cards in drawn order. Optional: "limits": {"min", "max",
    "differential", "wagers": {"tie": {"min", "max"}}}, each wager's "player", "box", "seated", and
    "under_minimum_before": the players who had a wager under the minimum settled earlier today.
    """
    answer_lines(partial(rule_questions.settle_line, rounding=rounding))


@rules_app.command("decided")
def rules_decided() -> None:
    """Find wagers already won or lost: JSON lines in, JSON lines out.

    In: {"rulebook": "mbs-baccarat-8", "cards": ["9H", null, "9C", null]}, in drawn order, null for
    a card that lies face down.
    """
    answer_lines(rule_questions.decided_line)


@rules_app.command("wagers")
def rules_wagers() -> None:
    """Find wagers to correct before "No more bets": JSON lines in, JSON lines out.

    In: {"rulebook", "wagers", "limits"} as for `settle`, without cards.
    """
    answer_lines(rule_questions.wagers_line)


@rules_app.command("roads")
def rules_roads() -> None:
    """Draw the roads of a shoe's outcomes: JSON lines in, JSON lines out.

    In: {"outcomes": "P B T Bb Tbp"}: B, P or T, then b for a banker pair, p for a player pair, bp
    for both. Out: "bead_plate", each hand as column, row, outcome; "big_road", each decided hand as
    column, row, winner, ties; "big_eye_boy", "small_road" and "cockroach_pig" as R and B, red
    and blue, in order of play. Columns and rows count from 0.
    """
    answer_lines(rule_questions.roads_line)


@rules_app.command("odds")
def rules_odds(
    book_id: BookId,
    decks: Annotated[int, typer.Option(help="decks in the shoe")] = 8,
    as_json: AsJson = False,
) -> None:
    """Compute exact chances and house edge of every wager."""
    if as_json:
        _print_json(rule_questions.odds_answer(book_id, decks))
    else:
        from controller.terminal import rule_pages

        book = rulebook(book_id)
        rule_pages.show([rule_pages.odds_page(book, decks, odds(book, decks))])


class BookFacts(msgspec.Struct, frozen=True):
    """One rulebook of the list."""

    id: str
    title: str
    version: str | None
    in_force: date
    decks: tuple[int, int]
    """Minimum and maximum."""
    methods: list[str]
    wagers: list[str]


def _book_facts(book_id: str) -> BookFacts:
    book = rulebook(book_id)
    return BookFacts(
        book.id,
        book.title,
        book.version,
        book.in_force,
        (book.decks.fewest, book.decks.most),
        [method.id for method in book.methods],
        [wager.id for wager in book.wagers],
    )


def _print_json(found: object) -> None:
    typer.echo(json.dumps(msgspec.to_builtins(found), indent=2, ensure_ascii=False))
