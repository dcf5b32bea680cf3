"""`sabot journal` as people script it: a real process, its exit status and its words."""

import json
import subprocess
from pathlib import Path

from jsonschema_rs import Draft202012Validator  # it comes with schemathesis

from controller.journal.keys.signing import fingerprint, read_public
from support import programs
from support.journal.forging import pub
from support.journal.journals import run
from support.journal.real_table import play, played


def sabot(*words: object) -> subprocess.CompletedProcess[str]:
    return programs.call_text("journal", *words)


def sabot_schema() -> str:
    return programs.call("schema", "records").stdout.decode()


def test_verify_says_good_or_fails_with_a_sentence(filled: Path) -> None:
    file = filled / "journal.db"
    good = sabot("verify", file, "--head", filled / "head.json")
    assert (good.returncode, good.stderr) == (0, "")
    assert "20 records, every one follows" in good.stdout
    run(filled, "UPDATE records SET round = 9 WHERE seq = 7")
    bad = sabot("verify", file)
    assert (bad.returncode, bad.stdout) == (1, "")
    assert "record 7: edited row" in bad.stderr


def test_a_loss_that_the_table_recorded_has_a_line_and_a_status_of_its_own(tmp_path: Path) -> None:
    journal, out = played(tmp_path), tmp_path / "copy.db"
    for _ in range(2):
        (tmp_path / "journal.db.head").unlink()
        play(journal)
    assert sabot("export", journal, "--copy", out).returncode == 0
    for file in (journal, out):
        found = sabot("verify", file)
        assert (found.returncode, found.stderr) == (3, "")
        whole, *losses, _ = found.stdout.splitlines()
        assert whole.endswith("2 losses recorded by the table itself")
        assert len(losses) == 2
        assert "loss recorded by the table: Journal ends at record" in losses[0]


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    answer = sabot("verify", tmp_path / "none.db")
    assert answer.returncode == 1
    assert answer.stderr.startswith("sabot: ")
    assert "Traceback" not in answer.stderr


def test_show_prints_a_round_for_people_and_for_machines(filled: Path) -> None:
    people = sabot("show", filled / "journal.db", 2, "--shoe", 1)
    assert (people.returncode, len(people.stdout.splitlines())) == (0, 4)
    machines = sabot("show", filled / "journal.db", 2, "--shoe", 1, "--json")
    assert [each["seq"] for each in json.loads(machines.stdout)] == [7, 8, 9, 10]
    nothing = sabot("show", filled / "journal.db", 99)
    assert nothing.returncode == 1
    assert "no round 99" in nothing.stderr


def test_export_writes_both_forms(filled: Path) -> None:
    lines = sabot("export", filled / "journal.db", "--jsonl")
    assert len(lines.stdout.splitlines()) == 20
    table = sabot("export", filled / "journal.db", "--csv", "--out", filled / "out.csv")
    assert table.returncode == 0
    assert len((filled / "out.csv").read_text(encoding="utf-8").splitlines()) == 21
    assert sabot("export", filled / "journal.db").returncode == 2


def test_recover_writes_a_journal_whose_end_nobody_has_signed(filled: Path) -> None:
    (filled / "table").mkdir()
    run(filled, "DELETE FROM records WHERE seq = 12")
    answer = sabot("recover", filled / "journal.db", "--out", filled / "new.db")
    assert "11 records copied" in answer.stdout
    assert "removed row" in answer.stderr
    assert "WARNING: no signature vouches for records 1 to 11" in answer.stderr
    whole = sabot("recover", played(filled / "table"), "--out", filled / "whole.db")
    assert (whole.returncode, whole.stderr) == (0, "")
    found = sabot("verify", filled / "new.db", "--head", filled / "head.json")
    assert found.returncode == 1
    assert "record 20 had been written" in found.stderr


def config_in(folder: Path) -> Path:
    """A table PC: the head and the keys lie apart."""
    for name in ("head", "keys"):
        (folder / name).mkdir()
    file = folder / "table.toml"
    file.write_text(
        '[table]\nrulebook = "mbs-baccarat-8"\n[money]\nchip_unit = 100\n[journal]\n'
        f'path = "{folder}/journal.db"\nhead = "{folder}/head/journal.head"\n'
        f'key = "{folder}/keys/journal.key"\n'
    )
    for source, target in (
        ("journal.db.head", "head/journal.head"),
        ("journal.db.key", "keys/journal.key"),
        ("journal.db.signing", "keys/journal.signing"),
    ):
        (folder / source).rename(folder / target)
    return file


def test_verify_finds_the_head_beside_the_journal_or_by_the_table_s_file(tmp_path: Path) -> None:
    journal = played(tmp_path)
    name = fingerprint(read_public(tmp_path / "journal.db.pub"))
    good = sabot("verify", journal, "--key", tmp_path / "journal.db.pub")
    assert good.returncode == 0, good.stderr
    assert f"signed by key {name}" in good.stdout
    config = config_in(tmp_path)
    alone = sabot("verify", journal)
    assert alone.returncode == 1
    assert "nobody can tell whether its end is missing" in alone.stderr
    assert sabot("verify", journal, "--config", config).returncode == 0
    assert sabot("verify", journal, "--head", tmp_path / "head/journal.head").returncode == 0
    other = sabot("verify", tmp_path / "other.db", "--config", config)
    assert other.returncode == 2


def test_verify_without_a_key_says_under_which_key_and_not_whose(
    tmp_path: Path,
) -> None:
    """A history made anew with head and public key of its own passes: nothing in it is wrong."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "eves").mkdir()
    mine, eves = played(tmp_path / "mine"), played(tmp_path / "eves")
    alone = sabot("verify", eves)
    assert alone.returncode == 0
    name = fingerprint(read_public(pub(eves)))
    said = f"the history whole under key {name}, which lies beside it, and not whose it is"
    assert said in alone.stdout.splitlines()[-1]
    assert "not whose" not in sabot("verify", mine, "--key", pub(mine)).stdout
    other = sabot("verify", eves, "--key", pub(mine))
    assert (other.returncode, other.stdout) == (1, "")


def test_a_copy_is_handed_on_and_verified_with_the_same_command(tmp_path: Path) -> None:
    journal, out = played(tmp_path), tmp_path / "handed on.db"
    made = sabot("export", journal, "--copy", out)
    assert made.returncode == 0, made.stderr
    good = sabot("verify", out, "--key", tmp_path / "journal.db.pub")
    assert good.returncode == 0, good.stderr
    assert "a copy without sealed cards" in good.stdout
    replayed = sabot("replay", out)
    assert replayed.returncode == 1
    assert "no cards to replay" in replayed.stderr
    exported = sabot("export", out, "--jsonl").stdout
    assert exported == sabot("export", journal, "--jsonl").stdout
    records = Draft202012Validator(json.loads(sabot_schema()))
    lines = [json.loads(line) for line in exported.splitlines()]
    assert [each["seq"] for each in lines if not records.is_valid(each)] == []
    shown = sabot("show", journal, 2).stdout
    sealed = [each["sealed"] for each in lines if each["sealed"]]
    assert shown.count("  sealed") == 2
    assert sealed[-1] not in shown
    assert sealed[-1] in sabot("show", journal, 2, "--json").stdout
    assert sabot("export", journal, "--copy", out).returncode == 1, "it overwrites nothing"
    assert sabot("export", journal, "--copy", out, "--csv").returncode == 2


def test_keys_are_replaced_by_two_people(tmp_path: Path) -> None:
    journal = played(tmp_path)
    old = tmp_path / "old.pub"
    old.write_bytes((tmp_path / "journal.db.pub").read_bytes())
    alone = sabot("rotate-key", "signing", journal, "--by", "pia")
    assert alone.returncode == 1
    assert "two people" in alone.stderr
    said = {}
    for kind in ("signing", "sealing"):
        done = sabot("rotate-key", kind, journal, "--by", "pia", "--by", "max")
        assert done.returncode == 0, done.stderr
        (said[kind],) = done.stdout.splitlines()
    name = fingerprint(read_public(tmp_path / "journal.db.pub"))
    assert f"signed by key {name} from here on" in said["signing"]
    assert "sealed with key" in said["sealing"]
    play(journal)
    found = sabot("verify", journal, "--key", old)
    assert found.returncode == 0, found.stderr
    assert "handed the journal on" in found.stdout


def test_keys_of_a_table_pc_are_replaced_where_its_file_says(tmp_path: Path) -> None:
    journal = played(tmp_path)
    config = config_in(tmp_path)
    words = ("rotate-key", "signing", journal, "--by", "pia", "--by", "max", "--config", config)
    done = sabot(*words)
    assert done.returncode == 0, done.stderr
    assert sabot("verify", journal, "--config", config).returncode == 0
