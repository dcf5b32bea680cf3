"""Steps to put into a journal, and the contract that every journal must keep."""

import sqlite3
from abc import ABC, abstractmethod
from pathlib import Path

import pytest

from controller.journal.errors import JournalDamaged, JournalUnwritable
from controller.journal.records import (
    CHECKPOINT,
    EMPTY,
    NO_DIGEST,
    AnyJournal,
    Entry,
    Head,
    Record,
    canonical,
    digest_of,
)
from controller.journal.store import Journal


def step(number: int, *, kind: str = "step", shoe: int = 1, sealed: bytes | None = None) -> Entry:
    """A step whose every field differs from the next one's; six of them make a round."""
    body = canonical({"card": number, "says": "gezogen, tiré, 抽"})
    return Entry(kind, 1, 1000 + number / 8, shoe, 1 + number // 6, body, sealed)


def checkpoint(number: int, shoe: int = 1) -> Entry:
    return step(number, kind=CHECKPOINT, shoe=shoe)


def opened(folder: Path, vfs: str | None = None) -> Journal:
    return Journal.open(folder / "journal.db", head_path=folder / "head.json", vfs=vfs)


def run(folder: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    """Somebody with the sqlite3 command, while nobody has the journal open."""
    connection = sqlite3.connect(folder / "journal.db")
    with connection:
        found = connection.execute(sql, values).fetchall()
    connection.close()
    return found


def assert_chained(records: list[Record]) -> None:
    """Numbered from 1 without gaps, each digest made from the one before."""
    digest = NO_DIGEST
    for seq, record in enumerate(records, start=1):
        assert record.seq == seq
        digest = digest_of(digest, seq, record)
        assert record.digest == digest


class JournalContract(ABC):
    """Every journal passes these; a subclass says how to open an empty one."""

    @pytest.fixture
    @abstractmethod
    def journal(self) -> AnyJournal: ...

    def test_an_empty_journal_has_an_empty_head(self, journal: AnyJournal) -> None:
        assert journal.head == EMPTY
        assert list(journal.records()) == list(journal.since_checkpoint()) == []

    def test_appended_entries_come_back_numbered_and_chained(self, journal: AnyJournal) -> None:
        entries = [step(1), step(2, sealed=b"\0\xff" * 8), step(3, sealed=b"")]
        answered = [*journal.append(entries[0]), *journal.append(*entries[1:])]
        found = list(journal.records())
        assert found == answered
        assert_chained(found)
        for entry, record in zip(entries, found, strict=True):
            assert {name: getattr(record, name) for name in entry.__struct_fields__} == {
                name: getattr(entry, name) for name in entry.__struct_fields__
            }
        assert journal.head == Head(3, found[-1].digest)

    def test_appending_nothing_writes_nothing(self, journal: AnyJournal) -> None:
        assert journal.append() == []
        assert journal.head == EMPTY

    def test_records_after_a_number_begin_with_the_next(self, journal: AnyJournal) -> None:
        journal.append(*map(step, range(5)))
        assert [record.seq for record in journal.records(after=3)] == [4, 5]
        assert list(journal.records(after=5)) == []

    @pytest.mark.parametrize("after", [6, -1])
    def test_records_after_one_that_is_not_there_are_refused(
        self, journal: AnyJournal, after: int
    ) -> None:
        journal.append(*map(step, range(5)))
        with pytest.raises(JournalDamaged):
            journal.records(after=after)

    def test_without_a_checkpoint_everything_is_since(self, journal: AnyJournal) -> None:
        journal.append(step(1), step(2))
        assert [record.seq for record in journal.since_checkpoint()] == [1, 2]

    def test_since_checkpoint_begins_with_the_last_one(self, journal: AnyJournal) -> None:
        journal.append(checkpoint(1), step(2), checkpoint(3), step(4))
        journal.append(step(5))
        assert [record.seq for record in journal.since_checkpoint()] == [3, 4, 5]
        journal.append(checkpoint(6))
        assert [record.seq for record in journal.since_checkpoint()] == [6]

    def test_reading_while_appending_ends_where_it_began(self, journal: AnyJournal) -> None:
        journal.append(*map(step, range(3)))
        reading = journal.records()
        first = next(reading)
        journal.append(step(4))
        assert [first.seq, *(record.seq for record in reading)] == [1, 2, 3]

    @pytest.mark.parametrize("at", [float("nan"), float("inf")])
    def test_an_entry_without_a_real_time_is_misuse_and_writes_nothing(
        self, journal: AnyJournal, at: float
    ) -> None:
        with pytest.raises(ValueError, match="finite"):
            journal.append(step(1), Entry("step", 1, at, 1, 1, b"{}"))
        assert [record.seq for record in journal.append(step(1))] == [1]

    def test_negative_zero_and_large_numbers_survive(self, journal: AnyJournal) -> None:
        journal.append(
            Entry("", -(2**63), -0.0, 2**63 - 1, 0, b""), Entry("é", 0, 1e300, 0, 0, b"")
        )
        assert_chained(list(journal.records()))

    def test_a_closed_journal_takes_nothing(self, journal: AnyJournal) -> None:
        journal.append(step(1))
        journal.close()
        journal.close()
        with pytest.raises(JournalUnwritable, match="closed"):
            journal.append(step(2))
        with pytest.raises(JournalUnwritable, match="closed"):
            journal.keep_head()
