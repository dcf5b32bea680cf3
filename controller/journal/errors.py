"""Errors of a journal and of its sealed cards.

JournalError             the operation failed; the message states what to repair
├── JournalUnwritable    disk full, read-only, sync failed, a second writer: the table stops
├── JournalDamaged       what is on disk is not what was written; record number and digests
│   └── HeadDamaged      the file of the head holds no valid head
├── SealBroken           a sealed card that does not open: another key, or changed bytes
└── KeyRefused           a key file that is missing, of the wrong size or open to others

No message here ever contains a card, because messages end in logs.
"""


class JournalError(Exception):
    """Base class; never raised itself."""


class JournalUnwritable(JournalError):
    """The journal cannot be written, and no step may be acknowledged any more. Causes: a full or
    read-only disk, a failed sync, another writer's lock, an SQLite version that is too old, an
    append after any of these."""


class JournalDamaged(JournalError):
    """A record was edited or is missing, the file was cut, or it belongs to another program."""

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
        """The first wrong record, if known."""
        self.expected = expected
        self.found = found


class HeadDamaged(JournalDamaged):
    """The file of the head exists but is torn, cut or overwritten."""


class SealBroken(JournalError):
    """The key does not fit, or the blob was changed, cut or is not a sealed card."""


class KeyRefused(JournalError):
    """The key file is missing, blocks a new one, has not 32 bytes, or is readable by others."""
