import pytest

from controller.journal.errors import JournalUnwritable
from controller.journal.memory import MemoryJournal
from support.journal.journals import JournalContract, step


class TestMemoryJournal(JournalContract):
    @pytest.fixture
    def journal(self) -> MemoryJournal:
        return MemoryJournal()


def test_keep_head_remembers_the_head() -> None:
    journal = MemoryJournal()
    journal.append(step(1))
    journal.keep_head()
    assert journal.kept == journal.head


def test_after_a_failure_everything_is_refused_and_reading_goes_on() -> None:
    journal = MemoryJournal()
    journal.append(step(1))
    journal.fail("the disk is full")
    with pytest.raises(JournalUnwritable, match="full"):
        journal.append(step(2))
    with pytest.raises(JournalUnwritable, match="full"):
        journal.keep_head()
    assert [record.seq for record in journal.records()] == [1]
