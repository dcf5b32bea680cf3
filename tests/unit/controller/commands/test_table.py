"""`sabot table --jsonl` as people script it: a real process, JSON lines in and out."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.table.words.vocabulary import SPECS

SABOT = Path(sys.executable).with_name("sabot")
ROOT = Path(__file__).parents[4]


def table(*lines: object, words: tuple[str, ...] = ()) -> tuple[int, list[dict[str, Any]]]:
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    run = subprocess.run(
        [SABOT, "table", "--jsonl", *words],
        input=b"".join(line + b"\n" for line in raw),
        capture_output=True,
        check=False,
        timeout=60,
    )
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


def test_answer_has_the_promised_fields() -> None:
    _, (answer,) = table(manuals_example()[0])
    assert list(answer) == [
        *("line", "accepted", "reason", "code", "gaps", "clause", "state", "phase", "ref"),
        *("held", "prompt", "asks", "offers", "hands", "settlements", "notes"),
    ]
    assert list(answer["prompt"]) == [
        *("do", "say", "clause", "code", "gaps", "say_code", "say_gaps"),
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


@pytest.mark.parametrize("bad", BAD)
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


def test_a_configuration_is_followed(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(
        '[table]\nrulebook = "rws-commission-baccarat-4"\nburn = "none"\n[money]\nchip_unit = 100\n'
    )
    _, answers = table(*manuals_example()[:3], words=("--config", str(config)))
    said = answers[2]["prompt"]
    assert (said["say_code"], said["say_gaps"]) == ("say_call", {"call": "place_your_bets_rws"})


def test_same_seed_gives_the_same_journal(tmp_path: Path) -> None:
    kept = []
    for name in ("one.db", "two.db"):
        journal = tmp_path / name
        table(*manuals_example(), words=("--journal", str(journal), "--seed", "7"))
        run = subprocess.run(
            [SABOT, "journal", "export", str(journal), "--jsonl"], capture_output=True, check=True
        )
        kept.append(run.stdout)
    assert kept[0] == kept[1]
    assert kept[0]


def test_journal_of_a_table_verifies_shows_and_replays(tmp_path: Path) -> None:
    journal = tmp_path / "table.db"
    table(*manuals_example(), words=("--journal", str(journal)))
    for words in (("verify",), ("replay",)):
        run = subprocess.run([SABOT, "journal", *words, journal], capture_output=True, check=False)
        assert run.returncode == 0, run.stderr
    shown = subprocess.run(
        [SABOT, "journal", "show", journal, "1"], capture_output=True, check=True
    )
    assert b"simultaneous" in shown.stdout


def test_help_words_lists_every_word() -> None:
    run = subprocess.run([SABOT, "table", "--help-words"], capture_output=True, check=True)
    page = run.stdout.decode()
    assert all(word in page for word in SPECS)
