"""Update and rollback in mid-shoe: old records are read, newer ones are refused with the reason."""

import os
from pathlib import Path

import msgspec
import pytest

from controller.config import file as config
from controller.config.file import JournalPaths
from controller.engine.replay import WrittenByNewer
from controller.engine.step import VERSION
from controller.journal.records import CHECKPOINT, Entry
from controller.journal.seal import create_key
from controller.runtime.open_table import Places, open_table, replayed
from controller.table.words.message import Message, message
from controller.table.words.vocabulary import Word
from controller.upkeep import nightly
from support.journal.journals import older

OPEN = message("staff", "open_table", who="pia", role="pit_supervisor", at=1.0)
LOAD = message(
    "staff", "load_shoe", who="d1", role="dealer", at=2.0,
    deck_set="blue", verified_by="pia", cut=True,
)  # fmt: skip
VOUCH = message("staff", "approve", who="pia", role="pit_supervisor", at=2.0)

LOADED_AS_FORM_1 = b"""{"at":2.0,"carried":[],"case":null,"change_shoe":false,"close_after":false,\
"doubt":null,"drawer":null,"draws_without_wager":false,"enrolled":{},"latches":[],"limits":null,\
"method":"B","notices":[],"opened":true,"pack_out":false,"queue":[],"request":null,"results":[],\
"round":null,"rounds":0,"rulings":[],"shoe":{"burn_left":0,"cut_card_out":false,"deck_set":"blue",\
"decks":8,"drawn":0,"number":1,"recent":[],"rounds_after_cut":0,"seen":"AAAAAAAAAAAAAAAAAAAAAAAAAAAA\
AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==","verified_by":"pia"},"shoes":1,"suspended":false,\
"under_minimum_before":[],"verified":false,"verified_cards":null}"""
CLOSED_AS_FORM_1 = b"""{"accepted":true,"clause":null,"in":{"at":3.0,"do":"close_table",\
"from":"staff","role":"pit_supervisor","who":"pia"},"opened":[],"state":"closed"}"""
LID_AS_FORM_1 = b"""{"accepted":false,"clause":null,"in":{"at":4.0,"event":"lid_open",\
"from":"shoe"},"reason":"not now: the table is closed"}"""


def say(path: Path, *told: Message[Word]) -> None:
    with open_table(config.DEMO.rules(), path) as session:
        for each in told:
            assert session.handle(each).accepted


@pytest.fixture
def site(tmp_path: Path) -> config.Config:
    path = tmp_path / "journal.db"
    say(path, OPEN, LOAD, VOUCH)
    journal = JournalPaths(str(path), f"{path}.head", f"{path}.key")
    return msgspec.structs.replace(config.DEMO, journal=journal)


def test_rollback_works_while_only_old_records_are_there(site: config.Config) -> None:
    assert nightly.can_open(site).good


def test_rollback_is_refused_once_a_newer_record_is_there(
    site: config.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(site.journal.path)
    with monkeypatch.context() as newer:
        newer.setattr("controller.engine.step.VERSION", VERSION + 1)
        newer.setattr("controller.engine.replay.VERSION", VERSION + 1)
        say(path, message("staff", "open_betting", who="d1", role="dealer", at=3.0))
        assert nightly.can_open(site).good, "the newer release itself goes on"
    found = nightly.can_open(site)
    assert not found.good
    assert "a newer release has written to this journal" in found.says
    with pytest.raises(WrittenByNewer, match=f"and this release knows {VERSION}"):
        say(path)
    with pytest.raises(WrittenByNewer):
        replayed(config.DEMO.rules(), path)


def test_what_an_older_release_refused_is_not_judged_again(tmp_path: Path) -> None:
    """Form 1 did not listen to its devices while the table was closed."""
    path = tmp_path / "old.db"
    places = Places.beside(path)
    create_key(places.key, os.urandom)
    older(
        path,
        places.head,
        Entry(CHECKPOINT, 1, 2.0, 1, 0, LOADED_AS_FORM_1),
        Entry("step", 1, 3.0, 1, 0, CLOSED_AS_FORM_1),
        Entry("step", 1, 4.0, 1, 0, LID_AS_FORM_1),
    )
    say(path, msgspec.structs.replace(OPEN, at=5.0))
    now = replayed(config.DEMO.rules(), path)
    assert (now.opened, now.shoes, now.latches) == (True, 1, ())


def test_a_journal_that_is_not_there_yet_is_no_obstacle(tmp_path: Path) -> None:
    journal = JournalPaths(str(tmp_path / "journal.db"))
    empty = msgspec.structs.replace(config.DEMO, journal=journal)
    assert nightly.can_open(empty).says == "there is none yet"
