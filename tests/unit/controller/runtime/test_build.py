"""Putting a table together: what cannot be is said before anything is opened."""

import os
import tty

import pytest

from controller.config.file import DEMO
from controller.engine.session import Session, open_session
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.runtime.build import Plug, running_table
from controller.runtime.loop import Clock
from drivers.errors import BadSetting, DeviceError
from support.rows import each_row

CLOCK = Clock(lambda: 0.0, lambda: 0.0)


def session() -> Session:
    return open_session(DEMO.rules(), MemoryJournal(), Sealer(bytes(32), os.urandom))


@each_row(
    "plug, why",
    [
        (Plug("shuffler", "shoe_angel_eye", "/dev/null"), "is a shoe, and a shuffler is asked"),
        (Plug("shoe", "shoe_angle_eye", "/dev/null"), "did you mean shoe_angel_eye"),
        (Plug("shoe", "shoe_angel_eye", "/dev/null", {"sequense": "any"}), "sequence"),
        (Plug("shoe", "shoe_angel_eye", "gopher://x"), "gopher"),
    ],
)
def test_device_that_cannot_be_is_said_in_a_sentence(plug: Plug, why: str) -> None:
    with pytest.raises(DeviceError, match=why), running_table(session(), [plug], CLOCK):
        raise AssertionError("it must not start")


def test_numbers_that_nobody_follows_do_not_show_a_loss() -> None:
    end, ours = os.openpty()
    tty.setraw(ours)
    try:
        for sequence, numbered in (("learn", True), ("any", False)):
            plug = Plug("shoe", "shoe_angel_eye", os.ttyname(ours), {"sequence": sequence})
            with running_table(session(), [plug], CLOCK) as at_work:
                (shoe,) = at_work.loop._devices.values()
                assert shoe.numbered is numbered
    finally:
        os.close(end)
        os.close(ours)


def test_setting_of_the_wrong_kind_is_refused() -> None:
    plug = Plug("shoe", "shoe_angel_eye", "/dev/null", {"copies": "three"})
    with pytest.raises(BadSetting, match="copies"), running_table(session(), [plug], CLOCK):
        raise AssertionError("it must not start")
