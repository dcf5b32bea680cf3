"""`sabot table --jsonl` as people script it: a real process, JSON lines in and out."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.config import file as config
from controller.table.commands.registry import REGISTRY
from support import programs
from support.rows import each_row

SABOT = Path(sys.executable).with_name("sabot")
ROOT = Path(__file__).parents[4]


def table(*lines: object, words: tuple[str, ...] = ()) -> tuple[int, list[dict[str, Any]]]:
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    run = programs.call("table", "--jsonl", *words, given=b"".join(line + b"\n" for line in raw))
    return run.returncode, [json.loads(line) for line in run.stdout.splitlines()]


def manuals_example() -> list[bytes]:
    page = (ROOT / "deploy" / "manual" / "json-lines.md").read_text("utf-8")
    found = re.search(r"sabot table --jsonl <<'END'\n(.*?)\nEND", page, re.DOTALL)
    assert found
    return found[1].encode().splitlines()


def test_example_in_the_manual_ends_as_it_says() -> None:
    status, answers = table(*manuals_example())
    assert status == 0
    assert all(answer["accepted"] for answer in answers)
    assert answers[-3]["asks"][0]["ask"] == "order_known"
    assert answers[-2]["clause"] == "5.8.2.1"
    assert answers[-1]["settlements"] == [
        {
            "id": "w1",
            "player": "ann",
            "result": "push",
            "odds": "0",
            "pays": 0,
            "returned": 2000,
            "clause": "5.8.2.1",
        }
    ]
    assert answers[-1]["state"] == "ready"


def test_without_a_configuration_it_says_what_it_plays_with(tmp_path: Path) -> None:
    """And it is what it plays with; a table that was configured says nothing of the kind."""
    lines = b"\n".join(manuals_example()[:1]) + b"\n"
    said = programs.call("table", "--jsonl", given=lines).stderr.decode()
    rules = config.DEMO.rules()
    assert f"plays mbs-baccarat-8 with {rules.house.decks} decks" in said
    assert f"method {rules.default_method()}, cards face {rules.house.deal_face}" in said
    assert rules.house.burn == "none"
    assert "no card burned from a new shoe" in said
    assert said.count("\n") == 1
    chosen = tmp_path / "table.toml"
    chosen.write_text('[table]\nrulebook = "mbs-baccarat-8"\n[money]\nchip_unit = 100\n')
    told = programs.call("table", "--jsonl", "--config", str(chosen), given=lines).stderr.decode()
    assert "No --config" not in told


def test_answer_has_the_promised_fields() -> None:
    _, (answer,) = table(manuals_example()[0])
    assert list(answer) == [
        *("line", "accepted", "reason", "code", "gaps", "clause", "state", "phase", "ref"),
        *("held", "prompt", "asks", "offers", "hands", "settlements", "notes"),
    ]
    assert list(answer["prompt"]) == [
        *("do", "say", "clause", "code", "gaps", "say_code", "say_gaps", "act", "card_to"),
    ]
    assert list(answer["hands"]) == ["player", "banker"]


BAD = [
    b"",
    b"nonsense",
    b"[]",
    b'{"from": "staff"}',
    b'{"from": "staff", "do": "dance"}',
    b'{"from": "staff", "do": "open_table", "who": "p", "rolle": "dealer"}',
    b'{"from": "shoe", "event": "card", "card": 9}',
    b"\xff\xfe",
    b"[" * 50_000,
]


@each_row("bad", BAD)
def test_bad_line_is_answered_with_an_error_and_changes_nothing(bad: bytes) -> None:
    example = manuals_example()
    status, answers = table(*example[:3], bad, *example[3:])
    assert status == 1
    assert answers[3].keys() == {"error", "line"}
    assert answers[3]["line"] == 4
    assert answers[-1]["settlements"][0]["returned"] == 2000


def test_refused_step_says_why_and_is_no_error() -> None:
    status, answers = table({"from": "staff", "who": "d", "role": "dealer", "do": "open_table"})
    assert status == 0
    assert answers[0]["accepted"] is False
    assert (answers[0]["code"], answers[0]["gaps"]) == ("takes_role", {"role": "pit_supervisor"})
    assert answers[0]["reason"]


def test_a_card_that_is_none_changes_nothing() -> None:
    example = manuals_example()
    _, answers = table(*example[:6], {"at": 6, "from": "shoe", "event": "card", "card": "1S"})
    assert answers[-1]["accepted"] is False
    assert answers[-1]["code"] == "field_not_as_it_must_be"
    assert answers[-1]["hands"] == answers[-2]["hands"]


MBS_FILE = '[table]\nrulebook = "mbs-baccarat-8"\nburn = "none"\n{}[money]\nchip_unit = 100\n{}'
RWS_FILE = MBS_FILE.replace("mbs-baccarat-8", "rws-commission-baccarat-4")


def test_a_configuration_is_followed(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(RWS_FILE.format("", ""))
    _, answers = table(*manuals_example()[:3], words=("--config", str(config)))
    said = answers[2]["prompt"]
    assert (said["say_code"], said["say_gaps"]) == ("say_call", {"call": "place_your_bets_rws"})


def test_a_stake_is_so_many_of_the_smallest_chip(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(MBS_FILE.format("", 'rounding = "half_up"\n'))
    bet = {"from": "player", "who": "ann", "do": "place"}
    lines = [
        json.dumps({**bet, "with": {"position": 1, "wager": "banker", "amount": amount}}).encode()
        for amount in (150, 200)
    ]
    _, answers = table(*manuals_example()[:4], *lines, words=("--config", str(config)))
    assert [answer.get("code") for answer in answers[-2:]] == ["not_whole_chips", None]
    assert answers[-2]["gaps"] == {"unit": 100}


FORBIDDEN = {
    "excess": (RWS_FILE.format('excess = "burn"\n', ""), "table.excess: clause 5.7 does not allow"),
    "rounding": (RWS_FILE.format("", 'rounding = "exact"\n'), "money.rounding"),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_what_a_file_says_against_its_book_is_not_played(what: str, tmp_path: Path) -> None:
    text, says = FORBIDDEN[what]
    config, journal = tmp_path / "table.toml", tmp_path / "table.db"
    config.write_text(text)
    words = ("table", "--jsonl", "--config", str(config), "--journal", str(journal))
    run = programs.call_text(*words)
    assert run.returncode == 1
    assert says in run.stderr
    assert not journal.exists()


def test_a_table_that_has_begun_goes_on_with_its_file(tmp_path: Path) -> None:
    config, journal = tmp_path / "table.toml", tmp_path / "table.db"
    config.write_text(RWS_FILE.format("", ""))
    words = ("--config", str(config), "--journal", str(journal))
    table(*manuals_example()[:3], words=words)
    config.write_text(FORBIDDEN["excess"][0])
    _, answers = table(manuals_example()[3], words=words)
    assert answers[0]["accepted"], "a card too many is used in the next round, as the book has it"


def test_what_a_file_leaves_out_is_told_and_played(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(MBS_FILE.format("", ""))
    run = programs.call_text("table", "--jsonl", "--config", str(config))
    assert run.returncode == 0
    assert "minimum, maximum (clause 3.5.1)" in run.stderr
    assert "clause 3.5.1" not in programs.call_text("table", "--jsonl").stderr


def test_same_seed_gives_the_same_journal(tmp_path: Path) -> None:
    kept = []
    for name in ("one.db", "two.db"):
        journal = tmp_path / name
        table(*manuals_example(), words=("--journal", str(journal), "--seed", "7"))
        run = programs.call("journal", "export", str(journal), "--jsonl")
        kept.append(run.stdout)
    assert kept[0] == kept[1]
    assert kept[0]


def test_journal_of_a_table_verifies_shows_and_replays(tmp_path: Path) -> None:
    journal = tmp_path / "table.db"
    table(*manuals_example(), words=("--journal", str(journal)))
    for words in (("verify",), ("replay",)):
        run = programs.call("journal", *words, journal)
        assert run.returncode == 0, run.stderr
    shown = programs.call("journal", "show", journal, "1")
    assert b"simultaneous" in shown.stdout


def test_help_words_lists_every_word() -> None:
    run = subprocess.run([SABOT, "table", "--help-words"], capture_output=True, check=True)
    page = run.stdout.decode()
    assert all(word in page for word in REGISTRY)
