"""Pauses, self-tests, clock steps and other units: what holds the table, and who lets it go on."""

import json
import random
from typing import Any

import pytest

from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.lines import Lines
from controller.round.rules import House, Rules
from controller.rulebooks import rulebook
from controller.session import Replaying, Session, open_session

RULES = Rules(rulebook("mbs-baccarat-8"), House("mbs-baccarat-8", burn="none"))


class Site:
    def __init__(self) -> None:
        self.journal = MemoryJournal()
        self.sealer = Sealer(bytes(32), random.Random(1).randbytes)
        self.session: Session = open_session(RULES, self.journal, self.sealer)
        self.lines = Lines(self.session)
        self.replaying, self.replayed = Replaying(RULES), 0
        self.at = 0.0

    def say(self, **message: Any) -> dict[str, Any]:
        self.at += 1
        answer = self.lines.answer(json.dumps({"at": self.at, **message}).encode())
        assert "error" not in answer, answer
        for record in self.journal.records(self.replayed):
            self.replaying.step(record, self.sealer)
            self.replayed = record.seq
        assert self.replaying.table == self.session.machine.table
        return answer

    def staff(self, who: str, do: str, **given: Any) -> dict[str, Any]:
        role = {"pia": "pit_supervisor", "max": "pit_manager"}.get(who, "dealer")
        return self.say(**{"from": "staff", "who": who, "role": role, "do": do, "with": given})

    def system(self, event: str, **given: Any) -> dict[str, Any]:
        return self.say(**{"from": "system", "event": event, "with": given})

    @property
    def table(self) -> Any:
        return self.session.machine.table


@pytest.fixture
def site() -> Site:
    """In mid-round, two cards out."""
    site = Site()
    site.staff("pia", "open_table")
    site.staff("dan", "load_shoe", deck_set="blue", verified_by="pia", cut=True)
    site.staff("dan", "open_betting")
    site.staff("dan", "close_betting")
    for card in ("9H", "2C"):
        site.say(**{"from": "shoe", "event": "card", "card": card})
    return site


def test_a_pause_holds_the_table_in_mid_round_and_a_resume_goes_on(site: Site) -> None:
    assert site.staff("pia", "suspend")["state"] == "halted"
    assert not site.staff("pia", "suspend")["accepted"]
    assert site.staff("pia", "resume")["state"] == "dealing"


def test_a_dealer_does_not_pause_the_table(site: Site) -> None:
    refused = site.staff("dan", "suspend")
    assert not refused["accepted"]
    assert "pit supervisor" in refused["reason"]


def test_a_card_drawn_while_paused_is_kept(site: Site) -> None:
    site.staff("pia", "suspend")
    site.say(**{"from": "shoe", "event": "card", "card": "KD"})
    site.staff("pia", "resume")
    assert site.table.shoe.drawn == 3
    assert [each.card for each in site.table.round.cards] == ["9H", "2C", "KD"]


def test_a_failed_self_test_holds_until_it_passes_and_somebody_clears_it(site: Site) -> None:
    found = ["disk space: 5 MB are free"]
    assert site.system("self_test", bad=found)["state"] == "halted"
    refused = site.staff("pia", "resume")
    assert not refused["accepted"]
    assert refused["reason"] == "self test failed still holds the table"
    assert site.system("self_test", bad=[], good=["disk space"])["state"] == "halted"
    assert site.staff("pia", "resume")["state"] == "dealing"
    assert found[0] in site.table.notices


def test_a_self_test_that_passes_changes_nothing(site: Site) -> None:
    assert site.system("self_test", bad=[], good=["disk space"])["state"] == "dealing"


@pytest.mark.parametrize(("seconds", "said"), [(90.0, "forward by 90 s"), (-5.2, "back by 5 s")])
def test_a_clock_step_is_shown_and_stops_nothing(site: Site, seconds: float, said: str) -> None:
    assert site.system("clock_stepped", seconds=seconds)["state"] == "dealing"
    assert site.table.notices[-1] == f"the clock was put {said}"


UNIT = {"device": "shoe", "identity": "usb 0403:6001:B7", "asset": "SHOE-2", "reason": "jammed"}


def test_another_shoe_takes_two_people_and_the_cards_are_counted(site: Site) -> None:
    assert site.staff("pia", "swap_device", **UNIT)["accepted"]
    assert site.table.enrolled == {}
    assert not site.staff("pia", "approve")["accepted"], "it takes somebody else"
    assert site.staff("max", "approve")["state"] == "halted"
    assert site.table.enrolled == {"shoe": "usb 0403:6001:B7"}
    assert site.staff("dan", "count", cards=2)["accepted"]


def test_a_swap_that_the_second_person_refuses_leaves_the_old_unit(site: Site) -> None:
    site.staff("pia", "swap_device", **UNIT)
    assert site.staff("max", "refuse")["accepted"]
    assert site.table.enrolled == {}
    assert site.table.request is None


@pytest.mark.parametrize("missing", UNIT)
def test_a_swap_without_a_fact_is_refused(site: Site, missing: str) -> None:
    given = {key: value for key, value in UNIT.items() if key != missing}
    assert not site.staff("pia", "swap_device", **given)["accepted"]


def test_another_shuffler_needs_no_count(site: Site) -> None:
    site.staff("pia", "swap_device", **{**UNIT, "device": "shuffler"})
    assert site.staff("max", "approve")["state"] == "dealing"


def test_there_is_no_third_kind_of_device(site: Site) -> None:
    refused = site.staff("pia", "swap_device", **{**UNIT, "device": "lamp"})
    assert "is no device" in refused["reason"]
