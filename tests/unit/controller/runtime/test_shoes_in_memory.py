"""Every shoe of ours, emulated, at a table's loop: what hands do at the device, as bytes."""

from typing import Any

import pytest

from controller.table.holds import HoldReason
from controller.table.state import Table
from drivers import registry
from drivers.contract import Settings
from drivers.events import LinkLost, LinkUp
from drivers.testing.lives import SWIFT
from simulators import registry as emulators
from simulators.kit.contract import Emulator
from support.rows import each_row
from support.table.loop_bench import OPENING, Bench, pit, staff

SHOES = [
    name for name in registry.OURS if name in emulators.SHOES - emulators.OVER_USBIP - {"shoe_feed"}
]
"""Those on a line; a feed speaks only with somebody who greets it (tests/scenario)."""


class AtAShoe(Bench):
    """A table with the emulated shoe at the other end, nothing between them but bytes."""

    def __init__(self, name: str, settings: Settings | None = None, **house: Any) -> None:
        found, known = registry.find(name), emulators.settings_of(name)
        super().__init__(driver=found.with_settings(settings), sheet=found.sheet, **house)
        swift = {key: value for key, value in SWIFT.items() if key in known}
        self.emulator: Emulator = emulators.make(name, swift, seed=5)
        self.emulator.step(1.0)

    def do(self, word: str, **given: object) -> None:
        self.emulator.words[word].do(**given)
        self.pass_time(1.5)

    def pass_time(self, seconds: float) -> None:
        """In small steps, so that copies and time-outs come when they are due."""
        until = self.now + seconds
        while self.now < until:
            self.now += 0.05
            if said := self.emulator.step(0.05):
                self.hear(said, self.now)
        self.hear(b"", self.now)

    def write(self, data: bytes) -> None:
        super().write(data)
        self.emulator.hear(data)

    def locked(self) -> bool:
        for _ in range(3):
            self.heard()
            self.pass_time(0.2)
        return bool(self.emulator.shown()["locked"])

    def heard(self) -> Table:
        """The table once everything that came is dealt with."""
        self.say(pit("refuse"))
        return self.session.machine.table

    def dealt(self, *cards: str) -> None:
        for card in cards:
            self.do("draw", card=card)


@each_row("name", SHOES)
def test_a_card_drawn_while_the_table_is_closed_costs_the_shoe(name: str) -> None:
    bench = AtAShoe(name)
    with bench.running():
        bench.open()
        bench.dealt("9H", "2C", "KD", "5S")
        bench.shows(state="outcome")
        bench.say(staff("announce"))
        bench.say(staff("settle"))
        assert bench.say(pit("close_table"))["accepted"]
        bench.do("draw", card="7D")
        table = bench.heard()
        assert table.change_shoe
        assert "card_while_closed" in [note.code for note in table.notices]
        bench.say(pit("open_table"))
        assert not bench.say(staff("open_betting"))["accepted"]
        for word in OPENING[1:4]:
            assert bench.say(word)["accepted"]


def test_discard_pressed_at_the_shoe_takes_the_card_out_of_the_next_round() -> None:
    bench = AtAShoe("shoe_angel_eye")
    with bench.running():
        bench.open()
        bench.dealt("9H", "2C", "KD", "5S")
        bench.do("overdraw", card="7D")
        round_ = bench.heard().round
        assert round_ is not None
        assert [drawn.hand for drawn in round_.cards][4:] == [None]
        bench.do("press", button="discard")
        table = bench.heard()
        assert [latch.kind for latch in table.latches] == [HoldReason.EXCESS_DISCARDED]
        assert "excess_discarded" in [note.code for note in table.notices]
        assert bench.say(pit("resume", reason="it lies with the discards"))["accepted"]
        bench.say(staff("announce"))
        bench.say(staff("settle"))
        assert bench.session.machine.table.carried == ()
        bench.say(staff("open_betting"))
        bench.say(staff("close_betting"))
        bench.dealt("8H", "2D", "KC", "3S")
        bench.shows(state="outcome", hands={"player": ["8H", "KC"], "banker": ["2D", "3S"]})


def test_keep_pressed_at_the_shoe_leaves_it_for_the_next_round() -> None:
    bench = AtAShoe("shoe_angel_eye")
    with bench.running():
        bench.open()
        bench.dealt("9H", "2C", "KD", "5S")
        bench.do("overdraw", card="7D")
        bench.do("press", button="keep")
        bench.say(staff("announce"))
        assert bench.say(staff("settle"))["state"] == "ready"
        assert [drawn.card for drawn in bench.session.machine.table.carried] == ["7D"]


def test_the_shoe_is_locked_while_wagers_are_open_if_the_house_wants_it() -> None:
    bench = AtAShoe("shoe_angel_eye", {"read_only": False}, lock_while_betting=True)
    with bench.running():
        bench.hear(LinkUp(), bench.now)
        for word in OPENING[:3]:
            bench.say(word)
        assert not bench.locked()
        bench.say(staff("open_betting"))
        assert bench.locked()
        bench.hear(LinkLost("unplugged"), bench.now)
        bench.emulator.words["restart"].do()
        assert not bench.locked(), "a shoe that was switched on is not locked"
        bench.hear(LinkUp(first=False), bench.now)
        assert bench.locked(), "asked again when the link is back"
        bench.say(staff("count", cards=0))
        bench.say(pit("resume", reason="the cable"))
        assert bench.say(staff("close_betting"))["accepted"]
        assert not bench.locked()
        bench.dealt("9H", "2C", "KD", "5S")
        bench.shows(hands={"player": ["9H", "KD"], "banker": ["2C", "5S"]})


@pytest.mark.parametrize(("settings", "wants"), [({"read_only": False}, False), ({}, True)])
def test_a_shoe_that_takes_no_commands_or_a_house_that_wants_none_sends_nothing(
    settings: Settings, wants: bool
) -> None:
    bench = AtAShoe("shoe_angel_eye", settings, lock_while_betting=wants)
    with bench.running():
        bench.open()
        assert not bench.locked()
    assert bench.sent == []


def test_a_shoe_that_does_not_answer_is_asked_to_unlock_again() -> None:
    bench = AtAShoe("shoe_angel_eye", {"read_only": False}, lock_while_betting=True)
    with bench.running():
        bench.hear(LinkUp(), bench.now)
        for word in OPENING[:4]:
            bench.say(word)
        assert bench.locked()
        bench.cable_out = True
        bench.say(staff("close_betting"))
        bench.pass_time(4.0)
        assert "device_no_answer" in [note.code for note in bench.heard().notices]
        bench.cable_out = False
        bench.pass_time(4.0)  # what was asked meanwhile is given up first
        assert not bench.locked()
