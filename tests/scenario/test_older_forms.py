"""Journals that older releases wrote, killed in the middle of something: the same round goes on."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from controller.journal.seal import create_key
from controller.rulebooks import rulebook
from controller.runtime.open_table import open_table
from controller.table.rules import House, Rules
from controller.terminal.json_lines import JsonLines

SAMPLES = Path(__file__).parents[1] / "support" / "journal" / "samples"
RULES = Rules(rulebook("mbs-baccarat-8"), House("mbs-baccarat-8", burn="none"))
DEALER = {"from": "staff", "who": "d17", "role": "dealer"}
PIA = {"from": "staff", "who": "pia", "role": "pit_supervisor"}
MAX = {"from": "staff", "who": "max", "role": "gaming_shift_manager"}

END = [{**DEALER, "do": "announce"}, {**DEALER, "do": "settle"}]


def card(code: str) -> dict[str, Any]:
    return {"from": "shoe", "event": "card", "card": code}


GOES_ON: dict[str, tuple[list[dict[str, Any]], dict[str, int]]] = {
    "mid_shoe": (
        [card("6S"), card("9C"), *END],
        {"ann.banker": 3900, "bob.player": 0, "bob.tie": 0},
    ),
    "offer_open": (
        [
            {"from": "player", "who": "ann", "do": "option", "with": {"choice": "play"}},
            {"from": "player", "who": "bob", "do": "option", "with": {"choice": "withdraw"}},
            card("KD"),
            card("6S"),
            *END,
        ],
        {"ann.banker": 0, "bob.player": 1000, "bob.tie": 500},
    ),
    "asked_for_approval": (
        [{**PIA, "do": "approve"}],
        {"ann.banker": 2000, "bob.player": 1000, "bob.tie": 500},
    ),
    "decision_and_queue": (
        [
            {**MAX, "do": "decide", "with": {"text": "play on", "outcome": "go_on"}},
            {**PIA, "do": "refuse"},
            {**MAX, "do": "decide", "with": {"text": "they were counted again"}},
            card("4S"),
            card("3H"),
            *END,
        ],
        {"ann.banker": 0, "bob.player": 2000, "bob.tie": 0},
    ),
    "sealed": (
        [
            {"from": "player", "who": "bob", "do": "accept_cards", "with": {"hand": "player"}},
            {**DEALER, "do": "expose", "with": {"hand": "player"}},
            *END,
        ],
        {"ann.banker": 0, "bob.player": 2000, "bob.tie": 0},
    ),
    "in_doubt": (
        [
            {**PIA, "do": "approve"},
            {**DEALER, "do": "enter_card", "with": {"card": "KD", "n": 7}},
            {**PIA, "do": "approve"},
            *END,
        ],
        {"ann.banker": 0, "bob.player": 2000, "bob.tie": 0},
    ),
}
"""What is said after the restart, and what every wager then gets: stake and winnings."""


def samples() -> list[Any]:
    return [
        pytest.param(path, id=f"{path.parent.name}-{path.stem}")
        for path in sorted(SAMPLES.glob("form-*/*.db"))
    ]


def copied(sample: Path, folder: Path) -> Path:
    """The journal as it was left, with the key that its seed made."""
    for name in (sample.name, f"{sample.name}.head"):
        shutil.copy(sample.with_name(name), folder / name)
    create_key(folder / f"{sample.name}.key", random.Random(7).randbytes)
    return folder / sample.name


@pytest.mark.parametrize("sample", samples())
def test_a_journal_of_an_older_form_opens_where_it_stopped(sample: Path, tmp_path: Path) -> None:
    then = json.loads(sample.with_suffix(".json").read_text("utf-8"))
    with open_table(RULES, copied(sample, tmp_path), seed=8) as session:
        now = JsonLines(session).answer(json.dumps({**PIA, "do": "answer", "with": {}}).encode())
    assert now["state"] == "suspended", "in mid-round it asks what the stop was"
    assert now["hands"] == then["hands"]
    assert now["settlements"] == then["settlements"]
    assert now["offers"] == then["offers"]


@pytest.mark.parametrize("sample", samples())
def test_the_same_round_goes_on_to_its_end(sample: Path, tmp_path: Path) -> None:
    said, gets = GOES_ON[sample.stem]
    then = json.loads(sample.with_suffix(".json").read_text("utf-8"))
    with open_table(RULES, copied(sample, tmp_path), seed=8) as session:
        lines = JsonLines(session)
        answer: dict[str, Any] = {}

        def say(line: dict[str, Any]) -> None:
            nonlocal answer
            answer = lines.answer(json.dumps({"at": 100.0, **line}).encode())
            assert answer.get("accepted"), (line, answer)

        if sample.stem == "in_doubt":  # the count comes before anything else
            say(said[0])
            said = said[1:]
        say({**PIA, "do": "answer", "with": {"value": False}})
        if sample.stem != "in_doubt":
            assert answer["state"] == then["state"]
            assert answer["prompt"]["clause"] == then["prompt"]["clause"]
            asked = [(each["ask"], each["do"], each["role"]) for each in then["asks"]]
            assert [(each["ask"], each["do"], each["role"]) for each in answer["asks"]] == asked
        for line in said:
            say(line)
    found = {paid["id"]: paid["pays"] + paid["returned"] for paid in answer["settlements"]}
    assert found == gets
