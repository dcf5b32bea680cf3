"""The pit changes the limits: from the next round on, and never for one that was played."""

import json
import random
from typing import Any

import pytest

from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.lines import Lines
from controller.round.rules import House, Rules
from controller.rulebooks import rulebook
from controller.session import open_session, replay
from controller.views import audience

RULES = Rules(
    rulebook("mbs-baccarat-8"),
    House("mbs-baccarat-8", burn="none", minimum=1000, maximum=50_000, differential=90_000),
)
ROLES = {"pia": "pit_supervisor", "max": "pit_manager"}


class Pit:
    def __init__(self) -> None:
        self.journal = MemoryJournal()
        self.sealer = Sealer(bytes(32), random.Random(1).randbytes)
        self.session = open_session(RULES, self.journal, self.sealer)
        self._lines = Lines(self.session)

    def say(self, who: str, do: str, **given: Any) -> dict[str, Any]:
        role = ROLES.get(who, "dealer")
        message = {"from": "staff", "who": who, "role": role, "do": do, "with": given}
        answer = self._lines.answer(json.dumps(message).encode())
        assert replay(RULES, self.journal.records(), self.sealer) == self.session.machine.table
        return answer

    def card(self, *cards: str) -> None:
        for card in cards:
            line = {"from": "shoe", "event": "card", "card": card}
            assert self._lines.answer(json.dumps(line).encode())["accepted"]

    @property
    def limits(self) -> dict[str, Any]:
        machine = self.session.machine
        found: dict[str, Any] = audience.public(machine.table, machine.state, RULES)["limits"]
        return found


@pytest.fixture
def pit() -> Pit:
    found = Pit()
    assert found.say("pia", "open_table")["accepted"]
    assert found.say("dan", "load_shoe", deck_set="red", verified_by="pia", cut=True)["accepted"]
    return found


def test_what_is_not_named_stays_and_zero_takes_a_limit_away(pit: Pit) -> None:
    assert pit.limits == {"min": 1000, "max": 50_000, "differential": 90_000}
    assert pit.say("pia", "limits", minimum=2000, differential=0)["accepted"]
    assert pit.limits == {"min": 2000, "max": 50_000, "differential": None}


def test_wagers_of_the_next_round_are_held_to_them(pit: Pit) -> None:
    pit.say("pia", "limits", minimum=2000)
    pit.say("dan", "open_betting")
    wager = {"player": "ann", "position": 1, "wager": "player"}
    pit.say("dan", "place", **wager, amount=1500)
    refused = pit.say("dan", "close_betting")
    assert not refused["accepted"]
    assert "within the limits (w1)" in refused["reason"]


def test_dealer_does_not_change_them_and_nobody_does_in_a_round(pit: Pit) -> None:
    assert pit.say("dan", "limits", minimum=1)["reason"] == "this takes a pit supervisor or above"
    pit.say("dan", "open_betting")
    assert pit.say("pia", "limits", minimum=1)["reason"] == "not now: the table is betting"


@pytest.mark.parametrize(
    "given", [{}, {"minimum": -1}, {"minimum": 60_000}, {"minimum": "1"}, {"maximum": True}]
)
def test_limits_that_make_no_sense_are_refused(pit: Pit, given: dict[str, Any]) -> None:
    assert not pit.say("pia", "limits", **given)["accepted"]
    assert pit.limits == {"min": 1000, "max": 50_000, "differential": 90_000}


def test_correction_settles_by_the_limits_the_round_commenced_with(pit: Pit) -> None:
    """A maximum that came later takes nothing from a wager that was good when it was placed."""
    pit.say("dan", "open_betting")
    pit.say("dan", "place", player="ann", position=1, wager="player", amount=40_000)
    pit.say("dan", "close_betting")
    pit.card("9H", "2C", "KD", "6S")
    pit.say("dan", "announce")
    pit.say("dan", "settle")
    pit.say("pia", "limits", maximum=10_000)
    pit.say("dan", "correct", n=4, card="5S", reason="a five")
    settled = pit.say("pia", "approve")
    assert settled["accepted"], settled["reason"]
    (paid,) = settled["settlements"]
    assert (paid["result"], paid["pays"], paid["clause"]) == ("win", 40_000, None)
