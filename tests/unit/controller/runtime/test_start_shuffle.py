"""The pit starts a shuffle: the word is in the record, and the machine begins."""

from typing import Any

from controller.table.state import VerifiedDecks
from drivers import registry
from drivers.contract import Settings
from drivers.testing.lives import SWIFT
from simulators import registry as emulators
from support.rows import each_row
from support.table.loop_bench import Bench, pit, staff


class WithAShuffler(Bench):
    """A table with the emulated shuffler at the other end of a wire that is a list."""

    def __init__(self, name: str, settings: Settings | None = None) -> None:
        found, known = registry.find(name), emulators.settings_of(name)
        driver: Any = found.with_settings(settings)
        super().__init__(device="shuffler", driver=driver, sheet=found.sheet)
        swift = {key: value for key, value in SWIFT.items() if key in known}
        self.emulator = emulators.make(name, swift, seed=5)
        self.emulator.step(1.0)

    def write(self, data: bytes) -> None:
        super().write(data)
        self.emulator.hear(data)

    def pass_time(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until:
            self.now += 0.05
            if said := self.emulator.step(0.05):
                self.hear(said, self.now)
            self.say(pit("refuse"))


def test_the_pit_starts_it_and_it_verifies_what_it_shuffled() -> None:
    bench = WithAShuffler("shuffler_batch")
    with bench.running():
        bench.plug()
        bench.pass_time(1.0)
        bench.emulator.words["load"].do(decks=8)
        bench.pass_time(2.0)
        refused = bench.say(staff("start_shuffle"))
        assert (refused["accepted"], "pit supervisor" in refused["reason"]) == (False, True)
        assert bench.say(pit("start_shuffle"))["accepted"]
        bench.pass_time(30.0)
        table = bench.session.machine.table
    assert "shuffle_asked" in [note.code for note in table.notices]
    assert table.decks.shuffler == VerifiedDecks(416)
    said = [record.body for record in bench.journal.records() if b"start_shuffle" in record.body]
    assert any(b'"pia"' in body for body in said)


def test_a_machine_that_cannot_verify_is_asked_to_shuffle_only() -> None:
    bench = WithAShuffler("shuffler_reshuffled")
    with bench.running():
        bench.plug()
        assert bench.say(pit("start_shuffle", decks=6))["accepted"]
    assert any(b"SH" in data for data in bench.sent)


def test_where_there_is_no_machine_people_are_told_to_start_it_by_hand() -> None:
    bench = Bench()
    with bench.running():
        assert bench.say(pit("start_shuffle"))["accepted"]
        bench.say(pit("refuse"))
        codes = [note.code for note in bench.session.machine.table.notices]
    assert codes == ["shuffle_asked", "at_shuffler_start"]


@each_row("decks", [0, 3, 11])
def test_as_many_decks_as_the_book_allows(decks: int) -> None:
    bench = Bench()
    with bench.running():
        assert not bench.say(pit("start_shuffle", decks=decks))["accepted"]
