"""The table's program is killed while a shoe's bytes arrive, and started again: no card twice, and
none lost that was told. Every shoe as its own program."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.config.file import DEMO
from controller.journal.audit import verify
from controller.runtime.open_table import replay_table
from drivers.testing.bench.emulated import Emulated
from scenario.faults_at_a_table import NAMES, AtATable, emulated_shoe
from support.devices.live_table import LiveTable


@contextmanager
def started(shoe: Emulated, name: str, journal: Path) -> Iterator[LiveTable]:
    table = LiveTable(shoe.port, journal, shoe=name)
    try:
        yield table
    finally:
        table.close()


def kill_in_mid_round(name: str, folder: Path, chance: random.Random) -> None:
    journal = folder / "table.db"
    with emulated_shoe(name, folder) as shoe:
        with started(shoe, name, journal) as first:
            first.what("link_up")
            table = AtATable(shoe, first, first.pit("open_table"))
            cards = table.begin()
            sure = chance.randrange(0, 4)
            for card in cards[:sure]:
                table.draw(card)
            for card in cards[sure : chance.randrange(sure, 4) + 1]:
                shoe.do("draw", card=card, extra=True)  # bytes are on their way while it dies
                table.layout.append(card)
            first.kill()
        kept = replay_table(DEMO.rules(), journal)
        assert kept.round is not None
        known = [drawn.card for drawn in kept.round.cards]
        assert known == table.layout[: len(known)]
        assert len(known) >= sure, "what was told is on disk"
        with started(shoe, name, journal) as second:
            table.table, table.now = second, second.what("link_up")
            assert table.now["asks"][0]["ask"] == "count"
            for card in cards[len(table.layout) :]:
                table.draw(card)
            table.finish()
            assert second.end() == 0
    assert verify(journal).good
    replay_table(DEMO.rules(), journal)


@pytest.mark.parametrize("name", NAMES)
def test_killed_while_cards_arrive_and_the_round_is_finished(name: str, tmp_path: Path) -> None:
    kill_in_mid_round(name, tmp_path, random.Random(name))


@pytest.mark.second_tier
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("name", NAMES)
def test_killed_many_times_and_the_round_is_finished(name: str, seed: int, tmp_path: Path) -> None:
    kill_in_mid_round(name, tmp_path, random.Random(seed))
