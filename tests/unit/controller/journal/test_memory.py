import pytest

from controller.journal.errors import JournalUnwritable
from controller.journal.memory import MemoryJournal
from support.journal.journals import JournalContract, step


class TestMemoryJournal(JournalContract):
    @pytest.fixture
    def journal(self) -> MemoryJournal:
        return MemoryJournal()


def test_the_end_of_a_round_remembers_the_head() -> None:
    journal = MemoryJournal()
    journal.append(step(1))
    journal.round_ended()
    assert journal.kept == journal.head


def test_after_a_failure_everything_is_refused_and_reading_goes_on() -> None:
    journal = MemoryJournal()
    journal.append(step(1))
    journal.fail("the disk is full")
    with pytest.raises(JournalUnwritable, match="full"):
        journal.append(step(2))
    with pytest.raises(JournalUnwritable, match="full"):
        journal.round_ended()
    assert [record.seq for record in journal.records()] == [1]
