"""Reports of bench sessions, made by hand."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from drivers import registry
from drivers.cards import DECK
from drivers.hil.report import BenchReport, CheckOutcome, ReportPart, Row, unit_facts
from drivers.hil.results import tried
from drivers.io.deck_check import Read, compare
from drivers.io.identity import Identity

SHEET = registry.find("shoe_bee_tek").sheet
ADAPTER = Identity("serial", "/dev/ttyUSB0", "0403:6001", "A5", "1-1.2", "FT232R")
DECK_ROW = "test_every_card_of_the_deck_once"


def row(name: str, outcome: CheckOutcome = CheckOutcome.PASSED, saw: str = "") -> Row:
    said = tried(name)
    told = saw or (said.failed if outcome is CheckOutcome.FAILED else "")
    return Row(name, said.part, said.tried, outcome, 1.25, told, said.do)


def session(read: Sequence[Read] | None = None, *rows: Row, **changed: Any) -> BenchReport:
    """A deck's pass and what else was tried; all well unless said otherwise."""
    deck = compare(DECK, list(DECK) if read is None else read)
    outcome = CheckOutcome.PASSED if deck.good else CheckOutcome.FAILED
    unit = unit_facts(SHEET, {}, ADAPTER, asset="SHOE-0017", firmware="3.2")
    made = BenchReport(
        unit=unit,
        began="2026-11-17 10:00:00 +0000",
        ended="2026-11-17 10:09:00 +0000",
        sabot="0.3.0",
        rows=(row("test_silence"), row(DECK_ROW, outcome), *rows),
        deck=deck,
    )
    facts = {key: changed.pop(key) for key in list(changed) if hasattr(unit, key)}
    return replace(made, unit=replace(unit, **facts), **changed)


STORY = Row("a[b]", ReportPart.STORY, "A round is played.", CheckOutcome.PASSED)
