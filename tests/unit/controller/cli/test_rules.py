"""`sabot rules` as people script it: a real process, its bytes in and out, its exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.rulebooks import RULEBOOKS
from controller.rulebooks.readings import readings_of
from support import programs
from support.rows import each_row

SABOT = Path(sys.executable).with_name("sabot")
HAND = {"rulebook": "mbs-baccarat-8", "cards": ["9H", "2C", "KD", "3S"]}
HAND_LESS = {"rulebook": "mbs-baccarat-8"}


def sabot(*words: str, lines: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return programs.call(*words, given=lines)


def ask(words: str, *questions: object) -> list[Any]:
    """Answers to questions that must all be good ones."""
    lines = b"".join(json.dumps(question).encode() + b"\n" for question in questions)
    run = sabot(*words.split(), lines=lines)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stderr == b""
    return [json.loads(line) for line in run.stdout.splitlines()]


def wager(name: str, amount: int = 2000, **more: object) -> dict[str, object]:
    return {"id": name, "wager": name, "amount": amount, **more}


def test_settle_answers_word_for_word() -> None:
    hand = {
        "rulebook": "mbs-baccarat-8",
        "cards": ["2H", "KC", "3D", "6S", "10D", "AS", "AS"],
        "wagers": [wager("banker"), wager("player"), wager("tie", 500)],
    }
    assert ask("rules settle", hand) == [
        {
            "player": ["2H", "3D", "TD"],
            "banker": ["KC", "6S"],
            "player_total": 5,
            "banker_total": 6,
            "outcome": "banker",
            "used": 5,
            "settlements": [
                {"id": "banker", "result": "win", "odds": "19/20", "pays": 1900, "returned": 2000},
                {"id": "player", "result": "lose", "odds": "0", "pays": 0, "returned": 0},
                {"id": "tie", "result": "lose", "odds": "0", "pays": 0, "returned": 0},
            ],
        }
    ]


def test_settle_gives_the_stake_back_on_a_push() -> None:
    tied = {"rulebook": "mbs-baccarat-8", "cards": ["9H", "9C", "KD", "KS"]}
    (answer,) = ask("rules settle", tied | {"wagers": [wager("player"), wager("tie")]})
    assert answer["outcome"] == "tie"
    assert answer["settlements"] == [
        {"id": "player", "result": "push", "odds": "0", "pays": 0, "returned": 2000},
        {"id": "tie", "result": "win", "odds": "8", "pays": 16000, "returned": 2000},
    ]


@pytest.mark.parametrize(("rule", "pays"), [("down", 9), ("half_up", 10)])
def test_settle_rounds_by_the_named_rule(rule: str, pays: int) -> None:
    banker_wins = {"rulebook": "mbs-baccarat-8", "cards": ["2C", "9H", "3S", "KD"]}
    (answer,) = ask(
        f"rules settle --rounding {rule}", banker_wins | {"wagers": [wager("banker", 10)]}
    )
    assert answer["settlements"][0]["pays"] == pays


def test_settle_refuses_to_round_unless_told() -> None:
    banker_wins = {"rulebook": "mbs-baccarat-8", "cards": ["2C", "9H", "3S", "KD"]}
    line = json.dumps(banker_wins | {"wagers": [wager("banker", 10)]}).encode()
    run = sabot("rules", "settle", lines=line)
    assert run.returncode == 1
    assert "19/2 minor units do not come out whole" in json.loads(run.stdout)["error"]


def test_settle_takes_null_for_what_may_be_left_out() -> None:
    unsaid = [wager("player", player=None, box=None, seated=None)]
    (answer,) = ask("rules settle", HAND | {"wagers": unsaid, "limits": None})
    assert answer["settlements"][0]["pays"] == 2000


def test_settle_under_limits_names_the_clause() -> None:
    over = [wager("player", 900, player="ann"), wager("banker", 50, player="bob")]
    limits = {"min": 100, "max": 500}
    (answer,) = ask("rules settle", HAND | {"wagers": over, "limits": limits})
    assert [(s["pays"], s["returned"], s["clause"]) for s in answer["settlements"]] == [
        (500, 900, "5.15"),
        (0, 0, "5.14"),
    ]


def test_settle_returns_a_second_wager_under_the_minimum() -> None:
    under = [wager("player", 50, player="ann")]
    question = HAND | {"wagers": under, "limits": {"min": 100}, "under_minimum_before": ["ann"]}
    (answer,) = ask("rules settle", question)
    assert answer["settlements"] == [
        {
            "id": "player",
            "result": "push",
            "odds": "0",
            "pays": 0,
            "returned": 50,
            "clause": "5.14",
        }
    ]


def test_settle_scales_a_box_over_the_differential() -> None:
    boxed = [wager("player", 3000, box=1, seated=True), wager("banker", 1000, box=1, seated=False)]
    hand = HAND | {"rulebook": "rws-commission-baccarat-4", "wagers": boxed}
    (answer,) = ask("rules settle", hand | {"limits": {"min": 100, "differential": 500}})
    assert answer["settlements"] == [
        {
            "id": "player",
            "result": "win",
            "odds": "1",
            "pays": 1500,
            "returned": 3000,
            "clause": "5.1.1",
        },
        {"id": "banker", "result": "lose", "odds": "0", "pays": 0, "returned": 0},
    ]


def test_decided_answers_for_cards_face_down() -> None:
    asked = {"rulebook": "mbs-baccarat-8", "cards": ["9H", None, "8C", None]}
    assert ask("rules decided", asked, asked | {"cards": []}) == [
        {"decided": {"player_pair": "lose"}, "outcome_established": True},
        {"decided": {}, "outcome_established": False},
    ]


def test_wagers_lists_what_to_put_right_before_closing() -> None:
    question = {
        "rulebook": "rws-commission-baccarat-4",
        "wagers": [wager("banker", 900, box=1), wager("tie", 50, box=1)],
        "limits": {"min": 100, "differential": 500},
    }
    assert ask("rules wagers", question) == [
        {
            "findings": [
                {
                    "clause": "5.2",
                    "says": "the player raises the wager or takes it back",
                    "wagers": ["tie"],
                    "amount": 50,
                },
                {
                    "clause": "5.1",
                    "says": "the excess is rejected, seated players before standing ones",
                    "wagers": ["banker"],
                    "amount": 400,
                },
            ]
        }
    ]


BAD_LINES = {
    b"": "empty",
    b"  ": "empty",
    b"not json": "malformed",
    b"[]": "object",
    b'{"rulebook":"mbs-baccarat-8"}': "cards",
    b'{"rulebook":"mbs-baccarat-9","cards":[]}': "did you mean 'mbs-baccarat-8'",
    b'{"rulebook":"mbs-baccarat-8","cards":["9H"]}': "not finished after 1 card",
    b'{"rulebook":"mbs-baccarat-8","cards":["9H",null]}': "got `null`",
    b'{"rulebook":"mbs-baccarat-8","cards":["9H","2C","KD","1S"]}': "'1S' is not a card",
    b'{"rulebook":"mbs-baccarat-8","cards":["9H","2C","KD","3S"],"limts":{}}': "limts",
    b'\xff\xfe{"rulebook"': "",
    b"[" * 100_000: "",
}


@each_row("bad", BAD_LINES)
def test_bad_line_is_answered_in_its_place_and_the_others_still_are(bad: bytes) -> None:
    good = json.dumps(HAND).encode()
    run = sabot("rules", "settle", lines=b"\n".join((good, bad, good)) + b"\n")
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 1
    assert [answer.get("outcome") for answer in answers] == ["player", None, "player"]
    assert answers[1].keys() == {"error", "line"}
    assert answers[1]["line"] == 2
    assert BAD_LINES[bad] in answers[1]["error"]


BAD_WAGERS = {
    "a negative amount": ({"id": "a", "wager": "tie", "amount": -5}, "amount is -5"),
    "more digits than money has": (
        {"id": "a", "wager": "tie", "amount": 10**4000},
        "nobody stakes more",
    ),
    "no amount": ({"id": "a", "wager": "tie", "amount": 0}, "amount is 0"),
    "a fraction": ({"id": "a", "wager": "tie", "amount": 1.5}, "Expected `int`"),
    "a truth": ({"id": "a", "wager": "tie", "amount": True}, "Expected `int`"),
    "text": ({"id": "a", "wager": "tie", "amount": "5"}, "Expected `int`"),
    "an unknown wager": ({"id": "a", "wager": "player_pear", "amount": 5}, "'player_pair'"),
    "a wager of another book": ({"id": "a", "wager": "sands_six", "amount": 5}, "no wager"),
    "no id": ({"wager": "tie", "amount": 5}, "id"),
}


@each_row("what", BAD_WAGERS)
def test_bad_wager_is_refused(what: str) -> None:
    bad, said = BAD_WAGERS[what]
    run = sabot("rules", "settle", lines=json.dumps(HAND | {"wagers": [bad]}).encode())
    assert run.returncode == 1
    assert said in json.loads(run.stdout)["error"]


def test_box_is_the_same_written_as_a_number_or_as_text() -> None:
    boxed = [wager("banker", 300, box=1), {"id": "b", "wager": "banker", "amount": 300, "box": "1"}]
    hand = HAND | {"rulebook": "rws-commission-baccarat-4", "wagers": boxed}
    (answer,) = ask("rules settle", hand | {"limits": {"differential": 300}})
    assert [s["returned"] for s in answer["settlements"]] == [150, 150]


def test_limits_of_a_wager_overlay_those_of_the_table() -> None:
    limits = {"min": 100, "wagers": {"tie": {"max": 1000}}}
    (answer,) = ask("rules wagers", HAND_LESS | {"wagers": [wager("tie", 50)], "limits": limits})
    assert [finding["clause"] for finding in answer["findings"]] == ["3.5.1"]


def test_limits_of_an_unknown_wager_are_refused() -> None:
    limits = {"wagers": {"tye": {"max": 1000}}}
    run = sabot("rules", "settle", lines=json.dumps(HAND | {"limits": limits}).encode())
    assert "did you mean 'tie'?" in json.loads(run.stdout)["error"]


def test_one_id_for_two_wagers_is_refused() -> None:
    twice = HAND | {"wagers": [wager("tie"), wager("tie")]}
    run = sabot("rules", "settle", lines=json.dumps(twice).encode())
    assert "'tie' is used twice" in json.loads(run.stdout)["error"]


@each_row("limits", [{"min": 0}, {"min": 5, "max": 4}, {"differential": -1}])
def test_limits_that_make_no_sense_are_refused(limits: dict[str, int]) -> None:
    run = sabot("rules", "settle", lines=json.dumps(HAND | {"limits": limits}).encode())
    assert run.returncode == 1
    assert "error" in json.loads(run.stdout)


def test_each_line_is_answered_before_the_next_is_asked() -> None:
    # Python's own switch against buffering would hide a missing flush.
    plain = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [SABOT, "rules", "settle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=plain
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(json.dumps(HAND).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["outcome"] == "player"
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_odds_for_machines() -> None:
    answer = json.loads(sabot("rules", "odds", "mbs-baccarat-8", "--decks", "8", "--json").stdout)
    assert answer["decks"] == 8
    assert list(answer["wagers"]) == [w.id for w in RULEBOOKS["mbs-baccarat-8"].wagers]
    assert answer["wagers"]["player_pair"] == {
        "win": 31 / 415,
        "push": 0.0,
        "house_edge": 43 / 415,
        "win_exact": "31/415",
        "push_exact": "0",
        "edge_exact": "43/415",
    }


def test_odds_for_people() -> None:
    page = sabot("rules", "odds", "mbs-sands-super-baccarat").stdout.decode()
    assert "tie_wins_on_9" in page
    assert "1.4581 %" in page


@each_row("decks", ["3", "10", "0", "-1"])
def test_odds_for_decks_the_book_does_not_allow(decks: str) -> None:
    run = sabot("rules", "odds", "rws-commission-baccarat-4", "--decks", decks, "--json")
    assert run.returncode != 0
    assert b"clause 2.2.1 asks for 4 to 8" in run.stderr
    assert run.stdout == b""


@each_row("words", ["show", "clauses", "odds"])
def test_unknown_rulebook_is_named_with_the_nearest(words: str) -> None:
    run = sabot("rules", words, "mbs-bacarat-8")
    assert run.returncode != 0
    assert b"did you mean 'mbs-baccarat-8'?" in run.stderr
    assert b"Traceback" not in run.stderr


def test_list_names_all_five_in_full() -> None:
    assert [book["id"] for book in json.loads(sabot("rules", "list", "--json").stdout)] == list(
        RULEBOOKS
    )
    page = sabot("rules", "list").stdout.decode()
    assert all(book_id in page for book_id in RULEBOOKS)


@each_row("book_id", RULEBOOKS)
def test_show_prints_wagers_and_readings(book_id: str) -> None:
    page = sabot("rules", "show", book_id).stdout.decode()
    assert all(wager.id in page for wager in RULEBOOKS[book_id].wagers)
    assert "Readings we chose" in page
    assert "Because:" in page
    shown = json.loads(sabot("rules", "show", book_id, "--json").stdout)
    numbers = [reading["number"] for reading in shown["readings"]]
    assert numbers == [reading.number for reading in readings_of(book_id)]
    assert {17, 18, 24, 27, 28, 29, 30} <= set(numbers), "every book has these"
    assert shown["pays"].keys() == {wager.id for wager in RULEBOOKS[book_id].wagers}


def test_clauses_for_machines_and_people() -> None:
    found = json.loads(sabot("rules", "clauses", "mbs-baccarat-8", "--json").stdout)
    assert len(found) == 109
    by_id = {clause["id"]: clause for clause in found}
    assert by_id["2.1"]["kind"] == "enforced"
    assert by_id["2.1"]["where"] == ["controller/rulebooks/mbs_baccarat_8.py: decks"]
    assert by_id["2.1"]["tests"]
    page = sabot("rules", "clauses", "mbs-baccarat-8").stdout.decode()
    assert "109 clauses: " in page
