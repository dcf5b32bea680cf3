"""What can be wrong with a journal or with its sealed cards.

JournalError             the journal cannot do what was asked; the sentence says what to mend
├── JournalUnwritable    disk full, read-only, sync failed, a second writer: the table stops
├── JournalDamaged       what is on disk is not what was written; record number and digests
│   └── HeadDamaged      the kept head holds no head
├── SealBroken           a sealed card that does not open: another key, or changed bytes
└── KeyRefused           a key file that is missing, of the wrong size or open to others

No sentence here ever contains a card: it would end in a log.
"""


class JournalError(Exception):
    """Never raised itself: catch it where it does not matter which."""


class JournalUnwritable(JournalError):
    """Nothing may be acknowledged any more. A full or read-only disk, a failed sync, a lock held
    by another writer, a SQLite too old to trust, an append after any of these."""


class JournalDamaged(JournalError):
    """An edited or missing record, a cut file, a file of somebody else's."""

    def __init__(
        self,
        text: str,
        *,
        seq: int | None = None,
        expected: bytes | None = None,
        found: bytes | None = None,
    ) -> None:
        super().__init__(text)
        self.seq = seq
        """The first record that is wrong, where it is known."""
        self.expected = expected
        self.found = found


class HeadDamaged(JournalDamaged):
    """Torn, cut or scribbled over: there was a head, and nobody can read it."""


class SealBroken(JournalError):
    """The key does not fit, or the blob was changed, cut or never was one."""


class KeyRefused(JournalError):
    """The file is missing, is in the way of a new one, has not 32 bytes, or others can read it."""
