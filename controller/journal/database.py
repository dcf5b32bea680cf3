"""The SQLite file of a journal: one table of chained rows. Only this module uses apsw.

Write-ahead logging with `synchronous=FULL`: a commit returns when its bytes have been synced. We
fold the log into the database ourselves and disable SQLite's automatic checkpoint, because that one
swallows a failed sync and tries again at the next commit.

Debian's SQLite may reset the log under a second connection and corrupt the file (fixed in 3.51.3).
apsw brings its own SQLite, and an older one is refused.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw

from controller.journal.errors import JournalDamaged, JournalError, JournalUnwritable
from controller.journal.head import HeadRole, KeptHead, sync_folder
from controller.journal.records import CHECKPOINT, EMPTY, KEYS, SUMMARY, Head, Record, Row

SQLITE_AT_LEAST: Final = (3, 51, 3)
APPLICATION_ID: Final = 0x5AB07
COPY_ID: Final = 0x5AB0C
"""The application id of a copy with hashes in place of blobs; a copy is never written to."""
SCHEMA_VERSION: Final = 1
BUSY_MS: Final = 2000
"""Busy time-out: an auditor that opens the file first holds it briefly while SQLite reads the log.
"""
LAST: Final = (1 << 63) - 1
"""The largest row number in SQLite."""
BEFORE_ALL: Final = -LAST - 2
"""One less than the smallest row number."""
ROWS_AT_ONCE: Final = 500
"""Rows for each query. Reading in pieces leaves no statement open that would block folding the log.
"""

_COLUMNS: Final = "seq, kind, version, at, shoe, round, body, sealed, digest"
_READ: Final = _COLUMNS.replace("kind", "CAST(kind AS BLOB)")
"""Invalid UTF-8 is reported as a damaged row and not as an apsw error."""
_TABLES: Final = {
    "records": """CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    at REAL NOT NULL,
    shoe INTEGER NOT NULL,
    round INTEGER NOT NULL,
    body BLOB NOT NULL,
    sealed BLOB,
    digest BLOB NOT NULL
) STRICT""",
    "checkpoints": f"CREATE INDEX checkpoints ON records (seq) WHERE kind = '{CHECKPOINT}'",
    "damaged": f"CREATE TABLE damaged (set_aside_after, {_COLUMNS})",
    "summaries": f"CREATE INDEX summaries ON records (seq, at) WHERE kind = '{SUMMARY}'",
    "keys": f"CREATE INDEX keys ON records (seq) WHERE kind = '{KEYS}'",
    "signed": """CREATE TABLE signed (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    seq INTEGER NOT NULL,
    after INTEGER NOT NULL,
    key BLOB NOT NULL,
    lock BLOB NOT NULL,
    signature BLOB NOT NULL
) STRICT""",
}
"""The table definitions. `signed` repeats the head without the nonce that opens its lock, written
in one transaction with the records it covers. A row without a signature is therefore not the
table's, and the first record of the last append is known."""
INDEXES: Final = {CHECKPOINT: "checkpoints", SUMMARY: "summaries", KEYS: "keys"}
"""One index for each kind of record."""


def _made_new(application_id: int) -> str:
    version = f"PRAGMA user_version = {SCHEMA_VERSION}"
    named = f"PRAGMA application_id = {application_id}"
    return "; ".join(["BEGIN IMMEDIATE", *_TABLES.values(), version, named, "COMMIT"])


_FOREIGN: Final = (apsw.Error, UnicodeDecodeError)
"""Exceptions of apsw; the second is raised for text that is not UTF-8."""
_WHAT_TO_DO: Final[dict[type[Exception], str]] = {
    apsw.FullError: "the disk is full: free space, then start again",
    apsw.ReadOnlyError: "it is read-only: mount the disk for writing, then start again",
    apsw.CantOpenError: "it cannot be opened: check that its folder exists and is yours",
    apsw.BusyError: "another program holds it: close that, then start again",
    apsw.IOError: "the disk failed: check it before you start again",
}
"""I/O errors of the disk. Any other error means that the file is not what we wrote."""
_SELECT_PIECE: Final = (
    f"SELECT {_READ} FROM records WHERE seq >= ? AND seq <= ? ORDER BY seq LIMIT {ROWS_AT_ONCE}"
)
_INSERT: Final = f"INSERT INTO records ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SIGN: Final = (
    "INSERT OR REPLACE INTO signed (one, seq, after, key, lock, signature) "
    "VALUES (1, ?, ?, ?, ?, ?)"
)
_APPEND_ONE: Final = (
    f"BEGIN IMMEDIATE; {_INSERT}; "
    "UPDATE signed SET seq = ?, after = ?, key = ?, lock = ?, signature = ? WHERE one = 1; COMMIT"
)


class Database:
    """One connection. Every apsw error is raised as a `JournalError`."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self.is_copy = connection.pragma("application_id") == COPY_ID
        """Whether the file has hashes in place of blobs."""
        self.log_pages = 0
        """Pages in the log since it was last folded, as of the last commit."""
        self._has_signed = False
        """Whether the single row of `signed` is known to exist."""

    @classmethod
    def write(cls, path: Path, vfs: str | None = None) -> "Database":
        """Open for writing, or create. The caller holds the lock against a second writer. A copy is
        refused."""
        _check_version()
        _check_not_cut_to_nothing(path)
        with _converted(path):
            connection = apsw.Connection(os.fspath(path), vfs=vfs)
            try:
                _prepare(connection, path)
            except BaseException:
                _close_untouched(connection)
                raise
        database = cls(connection, path)
        connection.set_wal_hook(database._count_pages)
        return database

    @classmethod
    def read(cls, path: Path) -> "Database":
        """Open for reading, with or without an active writer; changes no record."""
        _check_version()
        if path.is_dir():
            raise JournalDamaged(f"{path} is a directory: name the journal's database file in it")
        if not path.is_file():
            raise JournalDamaged(f"{path} is not there: name the journal's database file")
        with _converted(path):
            connection = _connect_read_only(path)
            try:
                connection.set_busy_timeout(BUSY_MS)
                _check_ours(connection, path, copies=True)
            except BaseException:
                connection.close()
                raise
        return cls(connection, path)

    @classmethod
    def new_copy(cls, path: Path) -> "Database":
        """Create a new file for a journal without its blobs."""
        _check_version()
        with _converted(path):
            connection = apsw.Connection(os.fspath(path))
            connection.execute(_made_new(COPY_ID))
        return cls(connection, path)

    def insert(
        self,
        records: Sequence[Record],
        signed: KeptHead | None = None,
        *,
        set_aside_after: int | None = None,
    ) -> None:
        """Insert records in one transaction, durable on return, with the signature over the result.
        With `set_aside_after`, rows after that record move to `damaged` in the same transaction."""
        execute = self._connection.execute
        try:
            if len(records) == 1 and signed and self._has_signed and set_aside_after is None:
                # Fast path for one card: one call instead of four.
                execute(_APPEND_ONE, _of_record(records[0]) + _of_row(signed))
                return
            execute("BEGIN IMMEDIATE")
            if set_aside_after is not None:
                self._set_aside(set_aside_after)
            self._connection.executemany(_INSERT, map(_of_record, records))
            if signed is not None:
                execute(_SIGN, _of_row(signed))
            execute("COMMIT")
            self._has_signed = self._has_signed or signed is not None
        except apsw.Error as error:
            raise _sentence(error, self._path) from error

    def signed(self) -> KeptHead | None:
        """The head that was signed with the last append; `None` if there is none. Its digest is the
        one stored in its record: zeros if that record is missing."""
        found = self._all(
            "SELECT s.seq, s.after, s.key, s.lock, s.signature, r.digest "
            "FROM signed s LEFT JOIN records r ON r.seq = s.seq",
            (),
        )
        if not found:
            return None
        seq, after, key, lock, signature, digest = found[0]
        head = Head(int(str(seq)), digest if isinstance(digest, bytes) else bytes(32))
        by, lock = (_bytes(key), _bytes(signature)), _bytes(lock)
        return KeptHead(head, int(str(after)), *by, HeadRole.ROW, lock=lock)

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Run the block in one read transaction, isolated from concurrent writes."""
        with _converted(self._path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(apsw.Error):
                self._connection.execute("ROLLBACK")

    def rows(self, after: int, upto: int = LAST) -> Iterator[Row]:
        """Yield rows in order after number `after`; a row's columns may be of any type.

        If SQLite fails, the rows before that place are yielded first and then the error is raised.
        """
        while after < upto:
            piece, error = self._piece(after + 1, upto)
            yield from piece
            if error is not None:
                raise _sentence(error, self._path) from error
            if len(piece) < ROWS_AT_ONCE:
                return
            after = int(str(piece[-1][0]))

    def rows_of_round(self, number: int, shoe: int | None) -> list[Row]:
        return self._all(
            f"SELECT {_READ} FROM records WHERE round = ? AND shoe = ifnull(?, shoe) ORDER BY seq",
            (number, shoe),
        )

    def last_row(self) -> Row | None:
        found = self._all(f"SELECT {_READ} FROM records ORDER BY seq DESC LIMIT 1", ())
        return found[0] if found else None

    def last_head(self) -> Head:
        """The number and the stored digest of the last record."""
        found = self._all("SELECT seq FROM records ORDER BY seq DESC LIMIT 1", ())
        return (self.head_at(int(str(found[0][0]))) if found else None) or EMPTY

    def head_at(self, seq: int) -> Head | None:
        """A record's number and stored digest; `None` when there is no such record."""
        if seq < 1:
            return EMPTY if seq == 0 else None
        found = self._all("SELECT digest FROM records WHERE seq = ?", (seq,))
        if not found or not isinstance(found[0][0], bytes):
            return None
        return Head(seq, found[0][0])

    def digest_at(self, seq: int) -> bytes | None:
        found = self.head_at(seq)
        return None if found is None else found.digest

    def checkpoints(self) -> Iterator[int]:
        """Numbers of the checkpoints, newest first, read from their own index."""
        return self._backwards("checkpoints", CHECKPOINT)

    def keys(self) -> Iterator[int]:
        """Numbers of the records that name keys, newest first."""
        return self._backwards("keys", KEYS)

    def summaries(
        self, after: int, before: int, since: float, until: float, *, newest_first: bool
    ) -> Iterator[int]:
        """Numbers of the summaries between two numbers and two times, read from their own index."""
        order, here = ("DESC", "<") if newest_first else ("ASC", ">")
        at = before if newest_first else after
        while True:
            found = self._all(
                f"SELECT seq FROM records INDEXED BY summaries WHERE kind = '{SUMMARY}' "
                f"AND seq {here} ? AND seq > ? AND seq < ? AND at >= ? AND at < ? "
                f"ORDER BY seq {order} LIMIT {ROWS_AT_ONCE}",
                (at, after, before, since, until),
            )
            yield from (int(str(row[0])) for row in found)
            if len(found) < ROWS_AT_ONCE:
                return
            at = int(str(found[-1][0]))

    def indexed(self, kind: str, upto: int) -> Iterator[tuple[int, float | None]]:
        """The entries of a kind's index, in index order: numbers, and times where the index has
        them."""
        name = INDEXES[kind]
        time_column = "at" if kind == SUMMARY else "NULL"
        first = BEFORE_ALL + 1
        while found := self._all(
            f"SELECT seq, {time_column} FROM records INDEXED BY {name} WHERE kind = '{kind}' "
            f"AND seq >= ? AND seq <= ? ORDER BY seq LIMIT {ROWS_AT_ONCE}",
            (first, upto),
        ):
            for seq, time in found:
                yield int(str(seq)), time if isinstance(time, float) else None
            first = int(str(found[-1][0])) + 1

    def _backwards(self, index: str, kind: str) -> Iterator[int]:
        before = LAST
        while found := self._all(
            f"SELECT seq FROM records INDEXED BY {index} "
            f"WHERE kind = '{kind}' AND seq < ? ORDER BY seq DESC LIMIT 1",
            (before,),
        ):
            before = int(str(found[0][0]))
            yield before

    def row(self, seq: int) -> Row | None:
        found = self._all(f"SELECT {_READ} FROM records WHERE seq = ?", (seq,))
        return found[0] if found else None

    def count_after(self, seq: int) -> int:
        return int(str(self._all("SELECT count(*) FROM records WHERE seq > ?", (seq,))[0][0]))

    def count_set_aside(self) -> int:
        return int(str(self._all("SELECT count(*) FROM damaged", ())[0][0]))

    def check_structure(self) -> None:
        """Raises `JournalDamaged` if SQLite's integrity check fails. Reads the whole file."""
        text = str(self._all("PRAGMA quick_check(1)", ())[0][0])
        if text != "ok":
            raise _broken_file(self._path, text)

    def fold_log(self) -> None:
        """Copy the log into the database as far as readers allow, synced on both sides."""
        try:
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        except apsw.BusyError:
            return  # another connection is folding or reading; the next call will fold
        except apsw.Error as error:
            raise _sentence(error, self._path) from error
        self.log_pages = 0

    def close(self) -> None:
        with _converted(self._path):
            self._connection.close()

    def abandon(self) -> None:
        """Roll back after an error and never sync this file again."""
        with suppress(apsw.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        with suppress(apsw.Error):
            self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)

    def _set_aside(self, after: int) -> None:
        self._connection.execute(
            f"INSERT INTO damaged SELECT ?, {_COLUMNS} FROM records WHERE seq > ?", (after, after)
        )
        self._connection.execute("DELETE FROM records WHERE seq > ?", (after,))

    def _piece(self, first: int, upto: int) -> tuple[list[Row], Exception | None]:
        rows: list[Row] = []
        try:
            for row in self._connection.execute(_SELECT_PIECE, (first, upto)):
                rows.append(row)  # noqa: PERF402  # `list(...)` would drop them at an error
        except _FOREIGN as error:
            return rows, error
        return rows, None

    def _all(self, sql: str, bindings: tuple[object, ...]) -> list[Row]:
        with _converted(self._path):
            return self._connection.execute(sql, bindings).fetchall()

    def _count_pages(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self.log_pages = pages
        return apsw.SQLITE_OK


def _prepare(connection: apsw.Connection, path: Path) -> None:
    connection.set_busy_timeout(BUSY_MS)
    connection.pragma("wal_autocheckpoint", 0)
    mode = connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "FULL")
    synchronous = connection.pragma("synchronous")
    if mode != "wal" or synchronous != 2:
        raise JournalUnwritable(
            f"{path} cannot be made durable (journal_mode {mode}, synchronous {synchronous}): "
            "put the journal on a local disk"
        )
    if connection.pragma("application_id") == 0 and not _tables(connection):
        connection.execute(_made_new(APPLICATION_ID))
    _check_ours(connection, path)
    # By now the log has its name. SQLite syncs the folder too, but ignores a failure of that sync.
    sync_folder(path.parent)


def _check_ours(connection: apsw.Connection, path: Path, *, copies: bool = False) -> None:
    """Raises `JournalDamaged` unless the file is a journal of a known layout."""
    application = connection.pragma("application_id")
    if application == COPY_ID and not copies:
        raise JournalDamaged(
            f"{path} is a copy without sealed cards: no table goes on with it; put the journal back"
        )
    if application not in (APPLICATION_ID, COPY_ID):
        raise JournalDamaged(f"{path} is a database, but not a journal of Sabot's: name another")
    version = int(str(connection.pragma("user_version")))
    if version != SCHEMA_VERSION:
        raise JournalDamaged(
            f"{path} is laid out as version {version}, this Sabot knows {SCHEMA_VERSION}: "
            "use the Sabot that wrote it"
        )
    found = connection.execute("SELECT name, sql FROM sqlite_schema").fetchall()
    # Compared as rows and not by name: a trigger may have the name of an index.
    if sorted(map(repr, found)) != sorted(map(repr, _TABLES.items())):
        raise _broken_file(path, "its tables are not the ones we made")


def _of_record(r: Record) -> tuple[object, ...]:
    return (r.seq, r.kind, r.version, r.at, r.shoe, r.round, r.body, r.sealed, r.digest)


def _of_row(signed: KeptHead) -> tuple[int, int, bytes, bytes, bytes]:
    assert signed.role is HeadRole.ROW
    return signed.head.seq, signed.after, signed.key, signed.lock, signed.signature


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""


def _tables(connection: apsw.Connection) -> int:
    return int(str(connection.execute("SELECT count(*) FROM sqlite_schema").get))


def _connect_read_only(path: Path) -> apsw.Connection:
    log = path.with_name(path.name + "-wal")
    if not os.access(path.parent, os.W_OK) and not log.exists():
        # An archive on a read-only disk: it has no writer and no log to read.
        uri = path.absolute().as_uri() + "?immutable=1"
        return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    return apsw.Connection(os.fspath(path), flags=apsw.SQLITE_OPEN_READONLY)


def _check_version() -> None:
    version = apsw.sqlite_lib_version()
    if tuple(int(part) for part in version.split(".")) < SQLITE_AT_LEAST:
        wanted = ".".join(map(str, SQLITE_AT_LEAST))
        raise JournalUnwritable(
            f"SQLite {version} can corrupt a journal that is read while it is written: "
            f"install the apsw wheel of the lock file, which brings {wanted} or newer"
        )


def _check_not_cut_to_nothing(path: Path) -> None:
    """Refuse an empty database that has a log: SQLite would delete the log. Our file is never empty
    once it has a log."""
    log = path.with_name(path.name + "-wal")
    cut = not path.exists() or path.stat().st_size == 0
    if cut and log.exists() and log.stat().st_size:
        raise JournalDamaged(
            f"{path} is empty but its log {log.name} is not: restore the database file and keep "
            "the log beside it"
        )


def _close_untouched(connection: apsw.Connection) -> None:
    with suppress(apsw.Error):
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.close()


@contextmanager
def _converted(path: Path) -> Iterator[None]:
    try:
        yield
    except _FOREIGN as error:
        raise _sentence(error, path) from error
    except OSError as error:
        raise JournalUnwritable(f"{path}: {error.strerror}: mend the disk, then start") from error


def _sentence(error: Exception, path: Path) -> JournalError:
    what_to_do = _WHAT_TO_DO.get(type(error))
    if what_to_do is None:
        return _broken_file(path, str(error))
    return JournalUnwritable(f"{path}: {what_to_do} ({error})")


def _broken_file(path: Path, text: str) -> JournalDamaged:
    return JournalDamaged(
        f"{path} is damaged and SQLite cannot use it ({text}): keep it for the investigation and "
        "restore a copy, or take over what is whole with `sabot journal recover`"
    )
