"""Every word has a function that carries it out, and there is no function without a word."""

import inspect

from controller.engine.handlers import HANDLERS
from controller.table.commands.registry import REGISTRY, TYPE_NAMES
from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench, nearly_empty


def test_every_word_has_a_carrier_and_every_carrier_a_word() -> None:
    assert set(HANDLERS) == {spec.struct for spec in REGISTRY.values()} == set(TYPE_NAMES)


@each_row("verb", REGISTRY)
def test_every_carrier_takes_table_message_and_rules(verb: str) -> None:
    carry = HANDLERS[REGISTRY[verb].struct]
    assert list(inspect.signature(carry).parameters) == ["table", "message", "rules"]


def test_what_is_only_written_down_changes_nothing() -> None:
    bench = Bench().deal("9H")
    before = bench.table
    bench.device("noted", by="system", what="a door was opened")
    assert bench.table.round is before.round
    assert bench.table.notices == before.notices


def test_cards_drawn_too_soon_are_laid_by_the_call_that_closes_betting() -> None:
    bench = Bench().bet()
    bench.card(*BOTH_DRAW[:2])
    bench.say("close_betting")
    assert (bench.hand("player"), bench.hand("banker")) == (["2H"], ["KC"])
    assert bench.phase == "dealing"


def test_a_shoe_is_not_short_of_cards_that_are_out_already() -> None:
    bench = nearly_empty(4).bet()
    bench.card(*NATURAL)
    bench.say("close_betting")
    assert bench.table.case is None
    assert bench.phase == "outcome"
