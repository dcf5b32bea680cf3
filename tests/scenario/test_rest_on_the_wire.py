"""The rest of a shoe that is over passes through it, on every wire: one card of 416 is named."""

from pathlib import Path

import pytest

from drivers.cards import DECK
from scenario.faults_at_a_table import NAMES, AtATable, at_a_table

TELLS_CUTTING_CARD = ("shoe_angel_eye", "shoe_feed")
"""Unless its cutting card has a label."""
DRAWN = ("card", "excess", "read_failed")


def over(at: AtATable, name: str) -> list[str]:
    """One round was played and the cutting card came out; what is left in the shoe."""
    rest = [card.code for card in DECK for _ in range(8)]
    for card in at.begin():
        at.draw(card)
        rest.remove(card)
    at.shoe.do("cutting_card")
    if name in TELLS_CUTTING_CARD:
        at.hear("cut_card")
    else:
        at.table.say("cut_card")
    at.now = at.table.pit("refuse")
    at.finish()
    return rest[::2] + rest[1::2]


def passes(at: AtATable, cards: list[str]) -> None:
    at.now = at.table.say("pass_rest")
    assert at.now["accepted"], at.now
    for card in cards:
        at.shoe.do("draw", card=card, extra=True)
        at.now = at.table.until(lambda step: step.get("what") in DRAWN)


ONE_AND_TORTURE = [
    name if name == "shoe_bee_tek" else pytest.param(name, marks=pytest.mark.second_tier)
    for name in NAMES
]
"""A whole shoe by wire takes a few seconds."""


@pytest.mark.parametrize("name", ONE_AND_TORTURE)
def test_one_card_of_416_is_missing_and_the_set_is_refused(name: str, tmp_path: Path) -> None:
    with at_a_table(name, tmp_path) as at:
        rest = over(at, name)
        gone = rest.pop(200)
        passes(at, rest)
        told = at.table.say("reconcile")
        assert told["accepted"], told
        refused = at.table.say("load_shoe", deck_set="blue", verified_by="pia", cut=True)
        assert (refused["code"], refused["gaps"]["cards"]) == ("deck_set_lacks", [gone])
        other = at.table.say("load_shoe", deck_set="red", verified_by="pia", cut=True)
        assert other["accepted"], other
        assert at.table.pit("approve")["state"] == "ready"


@pytest.mark.second_tier
@pytest.mark.parametrize("name", NAMES)
def test_a_whole_set_is_whole_with_its_last_card(name: str, tmp_path: Path) -> None:
    with at_a_table(name, tmp_path) as at:
        passes(at, over(at, name))
        told = at.table.say("load_shoe", deck_set="blue", verified_by="pia", cut=True)
        assert told["accepted"], told
        assert at.table.pit("approve")["state"] == "ready"
