"""Steps to put into a journal, and the contract that every journal must keep."""

import sqlite3
from abc import ABC, abstractmethod
from pathlib import Path

import pytest

from controller.journal.errors import JournalDamaged, JournalUnwritable
from controller.journal.head import read_head
from controller.journal.keys.signing import Signer
from controller.journal.records import (
    CHECKPOINT,
    KEYS,
    NO_DIGEST,
    RECORD_FORMAT,
    AnyJournal,
    Entry,
    Head,
    Record,
    canonical,
    digest_of,
)
from controller.journal.store import Journal

SIGNER = Signer(bytes(range(32)))
"""The table's key in every test that needs no other."""


def step(number: int, *, kind: str = "step", shoe: int = 1, sealed: bytes | None = None) -> Entry:
    """A step whose every field differs from the next one's; six of them make a round."""
    body = canonical({"card": number, "says": "gezogen, tiré, 抽"})
    return Entry(kind, RECORD_FORMAT, 1000 + number / 8, shoe, 1 + number // 6, body, sealed)


def checkpoint(number: int, shoe: int = 1) -> Entry:
    return step(number, kind=CHECKPOINT, shoe=shoe)


def opened(folder: Path, vfs: str | None = None) -> Journal:
    return Journal.open(
        folder / "journal.db", head_path=folder / "head.json", signer=SIGNER, vfs=vfs
    )


def kept(folder: Path) -> Head | None:
    """The head that was kept there."""
    found = read_head(folder / "head.json")
    return None if found is None else found.head


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

    first = 1
    """The number of the first record that a test appends."""

    def test_a_new_journal_has_only_what_it_says_of_itself(self, journal: AnyJournal) -> None:
        assert journal.head.seq == self.first - 1
        found = list(journal.records())
        assert found == list(journal.since_checkpoint())
        assert [record.kind for record in found] == [KEYS] * (self.first - 1)

    def test_appended_entries_come_back_numbered_and_chained(self, journal: AnyJournal) -> None:
        entries = [step(1), step(2, sealed=b"\0\xff" * 8), step(3, sealed=b"")]
        answered = [*journal.append(entries[0]), *journal.append(*entries[1:])]
        assert_chained(list(journal.records()))
        found = list(journal.records(after=self.first - 1))
        assert found == answered
        for entry, record in zip(entries, found, strict=True):
            assert {name: getattr(record, name) for name in entry.__struct_fields__} == {
                name: getattr(entry, name) for name in entry.__struct_fields__
            }
        assert journal.head == Head(self.first + 2, found[-1].digest)

    def test_appending_nothing_writes_nothing(self, journal: AnyJournal) -> None:
        before = journal.head
        assert journal.append() == []
        assert journal.head == before

    def test_records_after_a_number_begin_with_the_next(self, journal: AnyJournal) -> None:
        journal.append(*map(step, range(5)))
        last = self.first + 4
        assert [record.seq for record in journal.records(after=last - 2)] == [last - 1, last]
        assert list(journal.records(after=last)) == []

    @pytest.mark.parametrize("after", [7, -1])
    def test_records_after_one_that_is_not_there_are_refused(
        self, journal: AnyJournal, after: int
    ) -> None:
        journal.append(*map(step, range(5)))
        with pytest.raises(JournalDamaged):
            journal.records(after=after)

    def test_without_a_checkpoint_everything_is_since(self, journal: AnyJournal) -> None:
        journal.append(step(1), step(2))
        found = [record.seq for record in journal.since_checkpoint()]
        assert found == list(range(1, self.first + 2))

    def test_since_checkpoint_begins_with_the_last_one(self, journal: AnyJournal) -> None:
        journal.append(checkpoint(1), step(2), checkpoint(3), step(4))
        journal.append(step(5))
        found = [record.seq - self.first for record in journal.since_checkpoint()]
        assert found == [2, 3, 4]
        journal.append(checkpoint(6))
        assert [record.seq - self.first for record in journal.since_checkpoint()] == [5]

    def test_reading_while_appending_ends_where_it_began(self, journal: AnyJournal) -> None:
        journal.append(*map(step, range(3)))
        reading = journal.records()
        first = next(reading)
        journal.append(step(4))
        found = [first.seq, *(record.seq for record in reading)]
        assert found == list(range(1, self.first + 3))

    @pytest.mark.parametrize("at", [float("nan"), float("inf")])
    def test_an_entry_without_a_real_time_is_misuse_and_writes_nothing(
        self, journal: AnyJournal, at: float
    ) -> None:
        with pytest.raises(ValueError, match="finite"):
            journal.append(step(1), Entry("step", RECORD_FORMAT, at, 1, 1, b"{}"))
        assert [record.seq for record in journal.append(step(1))] == [self.first]

    def test_negative_zero_and_large_numbers_survive(self, journal: AnyJournal) -> None:
        journal.append(
            Entry("", 2**63 - 1, -0.0, -(2**63), 0, b""),
            Entry("é", RECORD_FORMAT, 1e300, 0, 0, b""),
        )
        assert_chained(list(journal.records()))

    def test_a_closed_journal_takes_nothing(self, journal: AnyJournal) -> None:
        journal.append(step(1))
        journal.close()
        journal.close()
        with pytest.raises(JournalUnwritable, match="closed"):
            journal.append(step(2))
        with pytest.raises(JournalUnwritable, match="closed"):
            journal.round_ended()
