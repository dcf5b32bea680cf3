"""Everything that somebody with the files and without the key could try: `verify` finds it.

The journal is a real table's, stopped in the middle of a round. A forger may run SQL, make digests
anew, sign with a key of his own and replace any file; he has not the table's private key.
"""

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.journal import audit, exports
from controller.journal.database import INDEXES, Database
from controller.journal.errors import KeyRefused
from controller.journal.head import (
    HeadRole,
    KeptHead,
    head_path_for,
    last_head_path,
    read_head,
    signed_by,
)
from controller.journal.keys.record import KeysBody, hand_over_entry, keys_entry
from controller.journal.keys.rotation import KeyKind, KeyPlaces, rotate
from controller.journal.keys.signing import fingerprint, text_of
from controller.journal.loss import LossKind, RecordedLoss, collect_losses
from controller.journal.records import (
    CHECKPOINT,
    KEYS,
    RECORD_FORMAT,
    STEP,
    SUMMARY,
    Entry,
    Head,
    canonical,
    chain_entry,
)
from controller.journal.store import Journal
from controller.journal.tampering import Reason
from controller.runtime.open_table import JournalPlaces
from controller.table.commands.message import new_message
from controller.table.commands.names import is_same_name
from support.journal.forging import (
    EVE,
    copy_of,
    moved,
    pub,
    public,
    put,
    put_row,
    records,
    sealed,
    sign,
    sql,
    written_anew,
)
from support.journal.real_table import play, played
from support.rows import each_row

Forge = Callable[[Path], None]


def opened_by_the_table(path: Path) -> Journal:
    places = JournalPlaces.next_to(path)
    keys = places.keys(os.urandom)
    return Journal.open(
        path, head_path=places.head, signer=keys.signer, signed_before=keys.signed_before
    )


def edited_row(path: Path) -> None:
    sql(path, "UPDATE records SET body = x'7b7d' WHERE seq = 9")


def blob_taken_out(path: Path) -> None:
    sql(path, "UPDATE records SET sealed = NULL WHERE seq = ?", sealed(path)[1])


def blob_swapped(path: Path) -> None:
    one, two, *_ = sealed(path)
    sql(
        path,
        "UPDATE records SET sealed = (SELECT sealed FROM records WHERE seq = ?) WHERE seq = ?",
        one, two,
    )  # fmt: skip


def blob_replaced_by_its_hash(path: Path) -> None:
    """A copy's row in the journal itself."""
    seq = sealed(path)[0]
    (record,) = [each for each in records(path) if each.seq == seq]
    hashed = hashlib.sha256(record.sealed or b"").digest()
    sql(path, "UPDATE records SET sealed = ? WHERE seq = ?", hashed, seq)


def last_row_edited_with_a_fitting_digest(path: Path) -> None:
    *_, before, last = records(path)
    forged = chain_entry(Head(before.seq, before.digest), replace(last, body=b"{}"))
    put(path, forged)


def version_lowered(path: Path) -> None:
    sql(path, "UPDATE records SET version = 3 WHERE seq = 9")


def last_rows_cut(path: Path) -> None:
    sql(path, "DELETE FROM records WHERE seq > ?", records(path)[-1].seq - 2)


def cut_to(path: Path, seq: int) -> None:
    sql(path, "DELETE FROM records WHERE seq > ?", seq)


def open_round_cut_with_the_last_rounds_end_as_head(path: Path) -> None:
    """Genuine, of this table, and fitting the cut journal: but no head."""
    last = read_head(last_head_path(head_path_for(path)))
    assert last is not None
    cut_to(path, last.head.seq)
    put_row(path, last)
    shutil.copy(last_head_path(head_path_for(path)), head_path_for(path))


def last_row_cut_with_an_old_row_as_head(path: Path) -> None:
    """What lies in the journal's log after a kill: the genuine row of an append before."""
    head_path_for(path).write_bytes(cut_to_an_old_row(path).line())


def last_row_cut_with_an_old_rows_lock_as_nonce(path: Path) -> None:
    """All that a row has to show for a nonce."""
    row = cut_to_an_old_row(path)
    head_path_for(path).write_bytes(replace(row, nonce=row.lock).line())


def last_row_cut_with_an_old_row_and_the_last_heads_nonce(path: Path) -> None:
    """The one nonce that the files hold opens the lock of another head."""
    row, kept = cut_to_an_old_row(path), read_head(head_path_for(path))
    assert kept is not None
    head_path_for(path).write_bytes(replace(row, nonce=kept.nonce).line())


def cut_to_an_old_row(path: Path) -> KeptHead:
    last = records(path)[-1]
    with opened_by_the_table(path) as opened:
        opened.append(Entry(STEP, RECORD_FORMAT, last.at, last.shoe, last.round, b"{}"))
    with closing(Database.read(path)) as database:
        row = database.signed()
    assert row is not None
    with opened_by_the_table(path) as opened:
        opened.append(Entry(STEP, RECORD_FORMAT, last.at, last.shoe, last.round, b"{}"))
    cut_to(path, row.head.seq)
    put_row(path, row)
    return row


def last_row_cut_and_the_signature_with_it(path: Path) -> None:
    sql(path, "DELETE FROM records WHERE seq >= ?", records(path)[-1].seq)
    sql(path, "DELETE FROM signed")


def rows_appended(path: Path) -> None:
    last = records(path)[-1]
    put(path, chain_entry(Head(last.seq, last.digest), replace(last, body=b"{}", sealed=None)))


def rows_appended_with_a_signature_of_ones_own(path: Path) -> None:
    rows_appended(path)
    last = records(path)[-1]
    put_row(path, signed_by(EVE, Head(last.seq, last.digest), last.seq - 1, HeadRole.ROW))


def head_removed(path: Path) -> None:
    head_path_for(path).unlink()


def head_damaged(path: Path) -> None:
    line = head_path_for(path).read_bytes()
    head_path_for(path).write_bytes(line[:100] + b"\0" * 100 + line[200:])


def head_without_its_signature(path: Path) -> None:
    kept = read_head(head_path_for(path))
    assert kept is not None
    said = {"seq": kept.head.seq, "digest": kept.head.digest.hex()}
    head_path_for(path).write_bytes(canonical(said))


def head_without_its_nonce(path: Path) -> None:
    kept = read_head(head_path_for(path))
    assert kept is not None
    head_path_for(path).write_bytes(replace(kept, nonce=b"").line())


def head_edited(path: Path) -> None:
    last = records(path)[-2]
    kept = read_head(head_path_for(path))
    assert kept is not None
    head_path_for(path).write_bytes(replace(kept, head=Head(last.seq, last.digest)).line())


def head_by_another_key(path: Path) -> None:
    kept = read_head(head_path_for(path))
    assert kept is not None
    head_path_for(path).write_bytes(signed_by(EVE, kept.head, kept.after).line())


def public_key_swapped(path: Path) -> None:
    public(pub(path), EVE)


def public_key_scribbled_over(path: Path) -> None:
    pub(path).write_text("no key\n")


def public_key_emptied(path: Path) -> None:
    pub(path).write_bytes(b"")


def row_before_the_first(path: Path, seq: int = -5) -> None:
    sql(
        path,
        "INSERT INTO records SELECT ?, kind, version, at, shoe, round, body, sealed, digest "
        "FROM records WHERE seq = 9",
        seq,
    )


def row_with_the_smallest_number(path: Path) -> None:
    row_before_the_first(path, -(1 << 63))


def row_with_the_next_number(path: Path) -> None:
    row_before_the_first(path, -(1 << 63) + 1)


def row_with_the_largest_number(path: Path) -> None:
    row_before_the_first(path, (1 << 63) - 1)


def keys_record_edited(path: Path) -> None:
    body = records(path)[0].body.replace(b'"by":[]', b'"by":["x"]')
    sql(path, "UPDATE records SET body = ? WHERE seq = 1", body)


def history_made_anew_without_a_head(path: Path) -> None:
    written_anew(path, [replace(each, at=each.at + 1) for each in records(path)])


def history_made_anew_with_the_head(path: Path) -> None:
    """Whole, with a key of his own in record 1, signature and head; the .pub stays."""
    last_head_path(head_path_for(path)).unlink()
    first, *rest = records(path)
    body = replace(msgspec.json.decode(first.body, type=KeysBody), signing=text_of(EVE.public))
    written_anew(path, [replace(first, body=canonical(body)), *rest], EVE)


def handed_on_by_somebody_without_the_old_key(path: Path) -> None:
    found = records(path)
    last = found[-1]
    body = hand_over_entry(EVE, EVE, "", Head(last.seq, last.digest), ("eve", "mal"))
    written_anew(path, [*found, keys_entry(body, last)])
    end = chain_entry(Head(last.seq, last.digest), keys_entry(body, last))
    sign(path, Head(end.seq, end.digest), EVE)


def index_made_anew(path: Path, kind: str, columns: str, condition: str) -> None:
    """Under its name, and with the words of the true one in the schema."""
    name = INDEXES[kind]
    connection = sqlite3.connect(path)
    ((words,),) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,))
    connection.execute(f"DROP INDEX {name}")
    connection.execute(f"CREATE INDEX {name} ON records ({columns}) WHERE {condition}")
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (words, name))
    connection.commit()
    connection.close()


def index_without_a_summary(path: Path) -> None:
    index_made_anew(path, SUMMARY, "seq, at", "kind = 'none'")


def index_without_a_checkpoint(path: Path) -> None:
    index_made_anew(path, CHECKPOINT, "seq", "kind = 'none'")


def index_without_the_keys(path: Path) -> None:
    index_made_anew(path, KEYS, "seq", "kind = 'none'")


def index_with_a_row_more(path: Path) -> None:
    index_made_anew(path, SUMMARY, "seq, at", "kind = 'summary' OR seq = 9")


def index_with_another_time(path: Path) -> None:
    index_made_anew(path, SUMMARY, "seq, round", "kind = 'summary'")


def keys_record_removed(path: Path) -> None:
    written_anew(path, records(path)[1:])


FORGERIES: list[tuple[Forge, Reason]] = [
    (edited_row, Reason.EDITED),
    (blob_taken_out, Reason.EDITED),
    (blob_swapped, Reason.EDITED),
    (blob_replaced_by_its_hash, Reason.EDITED),
    (last_row_edited_with_a_fitting_digest, Reason.HEAD),
    (version_lowered, Reason.EDITED),
    (last_rows_cut, Reason.HEAD),
    (last_row_cut_and_the_signature_with_it, Reason.HEAD),
    (open_round_cut_with_the_last_rounds_end_as_head, Reason.HEAD_FOREIGN),
    (last_row_cut_with_an_old_row_as_head, Reason.HEAD_FOREIGN),
    (last_row_cut_with_an_old_rows_lock_as_nonce, Reason.HEAD_FOREIGN),
    (last_row_cut_with_an_old_row_and_the_last_heads_nonce, Reason.HEAD_FOREIGN),
    (rows_appended, Reason.UNSIGNED),
    (rows_appended_with_a_signature_of_ones_own, Reason.UNSIGNED),
    (head_removed, Reason.NO_HEAD),
    (head_damaged, Reason.HEAD_DAMAGED),
    (head_without_its_signature, Reason.HEAD_DAMAGED),
    (head_without_its_nonce, Reason.HEAD_FOREIGN),
    (head_edited, Reason.HEAD_FOREIGN),
    (head_by_another_key, Reason.HEAD_FOREIGN),
    (public_key_swapped, Reason.KEY),
    (public_key_scribbled_over, Reason.KEY),
    (public_key_emptied, Reason.KEY),
    (row_before_the_first, Reason.FOREIGN),
    (row_with_the_smallest_number, Reason.FOREIGN),
    (row_with_the_next_number, Reason.FOREIGN),
    (row_with_the_largest_number, Reason.REMOVED),
    (keys_record_edited, Reason.EDITED),
    (history_made_anew_without_a_head, Reason.HEAD),
    (history_made_anew_with_the_head, Reason.KEY),
    (handed_on_by_somebody_without_the_old_key, Reason.KEYS),
    (index_without_a_summary, Reason.INDEX),
    (index_without_a_checkpoint, Reason.INDEX),
    (index_without_the_keys, Reason.INDEX),
    (index_with_a_row_more, Reason.INDEX),
    (index_with_another_time, Reason.INDEX),
    (keys_record_removed, Reason.KEYS),
]


def test_an_honest_journal_is_good_with_and_without_its_key(forged: Path) -> None:
    assert audit.verify(forged).good
    assert audit.verify(forged, key=pub(forged)).good


@each_row("forge, reason", FORGERIES)
def test_a_forgery_is_found(original: Path, tmp_path: Path, forge: Forge, reason: Reason) -> None:
    forged = moved(original, tmp_path / forge.__name__)
    forge(forged)
    found = audit.verify(forged)
    assert found.fault is not None
    assert found.fault.reason is reason, str(found)
    assert audit.verify(forged, key=pub(original)).fault is not None


@pytest.mark.parametrize(
    "forge",
    [row_with_the_smallest_number, row_with_the_next_number, row_with_the_largest_number],
)
def test_a_row_of_any_number_is_shown_as_one_that_does_not_fit(forged: Path, forge: Forge) -> None:
    (number,) = {each.round for each in records(forged) if each.seq == 9}
    before = audit.show(forged, number)
    forge(forged)
    shown = audit.show(forged, number)
    assert [each for each in shown if each.fits] == before
    assert len(shown) == len(before) + 1


@pytest.mark.parametrize("forge", [public_key_scribbled_over, public_key_emptied])
def test_a_file_without_a_key_has_no_fingerprint(forged: Path, forge: Forge) -> None:
    forge(forged)
    assert f"{pub(forged)} holds no public key" in str(audit.verify(forged))
    assert fingerprint(b"") not in str(audit.verify(forged))


def test_a_forgery_is_no_journal_to_go_on_with_in_silence(forged: Path) -> None:
    rows_appended(forged)
    with opened_by_the_table(forged) as opened:
        assert opened.loss is not None


@pytest.mark.parametrize(
    "forge",
    [
        open_round_cut_with_the_last_rounds_end_as_head,
        last_row_cut_with_an_old_row_as_head,
        last_row_cut_with_an_old_rows_lock_as_nonce,
        last_row_cut_with_an_old_row_and_the_last_heads_nonce,
    ],
)
def test_a_cut_end_with_an_old_signature_is_told_at_the_opening(forged: Path, forge: Forge) -> None:
    forge(forged)
    with opened_by_the_table(forged) as opened:
        assert opened.loss is not None


def test_a_whole_history_with_key_head_and_pub_of_ones_own_shows_by_the_true_key(
    forged: Path, original: Path
) -> None:
    history_made_anew_with_the_head(forged)
    public(pub(forged), EVE)
    assert audit.verify(forged).good, "nothing in it says that it is somebody else's"
    found = audit.verify(forged, key=pub(original))
    assert found.fault is not None
    assert found.fault.reason is Reason.KEY
    with pytest.raises(KeyRefused, match="the table's own journal"):
        opened_by_the_table(forged)  # which has its own private key


def test_yesterdays_journal_with_yesterdays_head_shows_by_a_later_head(
    forged: Path, original: Path, tmp_path: Path
) -> None:
    today = moved(original, tmp_path / "today")
    play(today)
    assert audit.verify(forged).good
    found = audit.verify(forged, head_path_for(today))
    assert found.fault is not None
    assert found.fault.reason is Reason.HEAD
    shutil.copy(head_path_for(forged), tmp_path / "yesterday")
    found = audit.verify(today, tmp_path / "yesterday")
    assert found.good, "one append ahead is what a power cut leaves"
    play(today)
    found = audit.verify(today, tmp_path / "yesterday")
    assert found.fault is not None
    assert found.fault.reason is Reason.HEAD_BEHIND


def test_journal_and_head_put_back_together_show_by_the_last_rounds_end(
    forged: Path, original: Path
) -> None:
    with opened_by_the_table(forged) as opened:
        opened.append(Entry(STEP, RECORD_FORMAT, 1.0, 1, 2, b"{}"))
        opened.round_ended()
    then = read_head(last_head_path(head_path_for(forged)), HeadRole.LAST)
    assert then is not None
    for each in (forged, head_path_for(forged)):
        shutil.copy(original.with_name(each.name), each)
    found = audit.verify(forged)
    assert found.fault is not None
    assert found.fault.reason is Reason.HEAD
    assert f"record {then.head.seq} had been written" in str(found)
    with opened_by_the_table(forged) as opened:
        assert opened.loss is not None
        assert (opened.loss.kind, opened.loss.expected) == (LossKind.MISSING, then.head)
    play(forged)
    assert audit.verify(forged).good, "once it is recorded it is told no more"
    with opened_by_the_table(forged) as opened:
        assert opened.loss is None
    evidence = last_head_path(head_path_for(forged)).with_name(
        f"journal.db.head.last.lost-{then.head.seq}"
    )
    assert read_head(evidence, HeadRole.LAST) == then


def test_a_head_put_back_before_the_last_rounds_end_is_an_old_one(forged: Path) -> None:
    """By one append, as a power cut leaves it: but a round's end is kept after its head."""
    line = head_path_for(forged).read_bytes()
    with opened_by_the_table(forged) as opened:
        opened.append(Entry(STEP, RECORD_FORMAT, 1.0, 1, 1, b"{}"))
        opened.round_ended()
    head_path_for(forged).write_bytes(line)
    found = audit.verify(forged)
    assert found.fault is not None
    assert found.fault.reason is Reason.HEAD_BEHIND
    with opened_by_the_table(forged) as opened:
        assert opened.loss is not None
        assert opened.loss.kind is LossKind.HEAD_BEHIND


def test_a_last_rounds_end_of_another_key_is_told(forged: Path) -> None:
    """A journal put back to before its key was handed on, with its head of then."""
    last = read_head(last_head_path(head_path_for(forged)), HeadRole.LAST)
    assert last is not None
    foreign = signed_by(EVE, last.head, last.after, HeadRole.LAST)
    last_head_path(head_path_for(forged)).write_bytes(foreign.line())
    found = audit.verify(forged)
    assert found.fault is not None
    assert found.fault.reason is Reason.HEAD_FOREIGN
    with opened_by_the_table(forged) as opened:
        assert opened.loss is not None


def test_a_torn_last_rounds_end_says_nothing(forged: Path) -> None:
    line = last_head_path(head_path_for(forged)).read_bytes()
    last_head_path(head_path_for(forged)).write_bytes(line[:200] + bytes(312))
    assert audit.verify(forged).good
    with opened_by_the_table(forged) as opened:
        assert opened.loss is None


def test_a_journal_of_another_table_with_its_own_head_shows_by_the_key(
    original: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = played(tmp_path / "other")
    assert audit.verify(other).good
    assert not audit.verify(other, key=pub(original)).good
    assert not audit.verify(other, head_path_for(original)).good


def test_a_forged_history_that_the_table_went_on_with_says_so_for_ever(
    forged: Path, tmp_path: Path
) -> None:
    """The chain is whole again and signed: only what the table recorded tells."""
    history_made_anew_without_a_head(forged)
    assert not audit.verify(forged).good
    play(forged)
    play(forged)
    found = audit.verify(forged)
    assert found.good
    (loss,) = found.losses
    assert records(forged)[loss.seq - 1].body.count(b'"journal_loss"')
    assert f"record {loss.seq}: loss recorded by the table: Record" in str(loss)
    assert "1 loss recorded by the table itself" in str(found)
    copy = audit.verify(copy_of(forged, tmp_path))
    assert (copy.good, copy.losses) == (True, found.losses)


def test_a_step_that_only_speaks_of_a_loss_records_none(forged: Path) -> None:
    play(forged, new_message("system", "noted", what="journal_loss"))
    assert b'"journal_loss"' in records(forged)[-1].body
    assert audit.verify(forged).losses == ()


@pytest.mark.parametrize("body", [b'{"in":{"event":"\xff","journal_loss"', b'"journal_loss"' * 9])
def test_a_record_that_nobody_can_read_ends_no_reader(forged: Path, body: bytes) -> None:
    unreadable = replace(records(forged)[-1], body=body)
    losses = list[RecordedLoss]()
    assert list(collect_losses(losses, [unreadable])) == [unreadable]
    assert losses == []
    assert audit.plain(unreadable).body == body.hex()


def said_of(path: Path, head: Path | None = None) -> str:
    """The verdict, which gives no advice twice and never contradicts itself."""
    found = audit.verify(path, head)
    assert found.fault is not None
    assert str(found).count("restore a backup") <= 1
    if found.fault.reason is Reason.KEYS:
        assert "recover" not in str(found)
    return str(found)


def test_records_that_nobody_signed_are_not_called_good(forged: Path) -> None:
    end = records(forged)[-1].seq
    rows_appended(forged)
    rows_appended(forged)
    said = said_of(forged)
    assert f"record {end + 1}: unsigned records" in said
    assert f"good up to record {end}; from record {end + 1} on nothing is proven" in said


def test_a_history_made_anew_before_a_rotation_proves_nothing(forged: Path) -> None:
    """The chain holds to its end, and the endorsement no longer fits what comes before it."""
    places = JournalPlaces.next_to(forged)
    where = KeyPlaces(places.journal, places.head, places.key, places.signing)
    first = rotate(where, KeyKind.SIGNING, ("pia", "max"), 0.0, os.urandom, is_same_name)
    assert first.warning is None
    proven = records(forged)[-1].seq - 1
    play(forged, new_message("system", "noted", what="between"))
    rotate(where, KeyKind.SIGNING, ("pia", "max"), 0.0, os.urandom, is_same_name)
    play(forged)
    honest = records(forged)
    (last_keys,) = [n for n, each in enumerate(honest) if each.kind == KEYS][-1:]
    edited = list(honest)
    edited[last_keys - 1] = replace(edited[last_keys - 1], at=edited[last_keys - 1].at + 1)
    written_anew(forged, list(edited))
    said = said_of(forged)
    assert f"record {last_keys + 1}: forged keys record" in said
    assert f"good up to record {proven}; from record {proven + 1} on nothing is proven" in said
    edited[3] = replace(edited[3], at=edited[3].at + 1)
    written_anew(forged, list(edited))
    said = said_of(forged)
    assert f"record {proven + 1}: forged keys record" in said
    assert "no signature of this table vouches for any of them: nothing is proven" in said


@pytest.mark.parametrize(
    "forge",
    [history_made_anew_without_a_head, keys_record_removed],
)
def test_a_whole_history_made_anew_proves_nothing(forged: Path, forge: Forge) -> None:
    forge(forged)
    assert "nothing is proven" in said_of(forged)


@each_row("forge", [forge for forge, _ in FORGERIES])
def test_no_sentence_calls_good_what_it_calls_bad(
    original: Path, tmp_path: Path, forge: Forge
) -> None:
    forged = moved(original, tmp_path / forge.__name__)
    forge(forged)
    found = audit.verify(forged)
    assert found.fault is not None
    about_rows = {Reason.UNSIGNED, Reason.KEYS, Reason.EDITED, Reason.FOREIGN}
    if found.fault.reason in about_rows:
        assert found.vouched < max(1, found.fault.seq), found
    said_of(forged)


def test_a_head_that_is_missing_or_another_table_s_is_named(forged: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = played(tmp_path / "other")
    said = said_of(forged, head_path_for(other))
    assert "this is another table's head" in said
    assert "name the right one" in said
    head_path_for(forged).unlink()
    said = said_of(forged)
    assert f"there is no head at {head_path_for(forged)}" in said
    assert "stays lost" not in said


def test_recover_says_whether_a_signature_vouches_for_what_it_took(
    forged: Path, tmp_path: Path
) -> None:
    assert exports.recover(forged, tmp_path / "one.db").all_vouched
    history_made_anew_without_a_head(forged)
    found = exports.recover(forged, tmp_path / "two.db")
    assert (found.vouched, found.all_vouched) == (0, False)
