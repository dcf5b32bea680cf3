"""A table's own program without an electronic shoe, and one whose shoe fails in mid-round."""

from pathlib import Path

import pytest

from controller.config.file import DEMO, ConfigError, load
from controller.journal.audit import read, verify
from controller.runtime.open_table import replay_table
from scenario.faults_at_a_table import at_a_table
from support.devices.live_table import LiveTable

WHY = {"reason": "the shoe is broken"}


def test_a_round_without_a_shoe_and_the_next_run_of_the_program(tmp_path: Path) -> None:
    journal = tmp_path / "table.db"
    table = LiveTable("", journal, shoe="shoe_by_hand")
    try:
        assert table.pit("open_table")["accepted"]
        table.say("load_shoe", deck_set="blue", verified_by="pia", cut=True)
        table.pit("approve")
        table.say("open_betting")
        assert table.say("close_betting")["prompt"]["act"]["word"] == "deal_card"
        for card in ("9H", "2C", "KD", "6S"):
            told = table.say("deal_card", card=card)
            assert told["accepted"], told
        assert told["state"] == "outcome"
        table.say("announce")
        assert table.pit("approve")["state"] == "settling"
        assert table.say("settle")["state"] == "ready"
        assert table.end() == 0
    finally:
        table.close()
    assert verify(journal).good
    assert replay_table(DEMO.rules(), journal).devices.by_hand is not None


def test_an_electronic_shoe_fails_in_mid_round(tmp_path: Path) -> None:
    """The dealer asks, the pit approves, the cards are counted, and the round is played out; what
    the shoe says afterwards is not taken."""
    with at_a_table("shoe_bee_tek", tmp_path) as at:
        cards = at.begin()
        for card in cards[:2]:
            at.draw(card)
        at.shoe.do("unplug")
        at.hear("link_lost")
        at.table.say("deal_by_hand", **WHY)
        asked = at.table.pit("approve")
        assert [ask["ask"] for ask in asked["asks"]] == ["count"]
        at.table.say("count", cards=2)
        at.table.say("deal_card", card=cards[2])
        at.shoe.do("plug")
        at.hear("link_up")
        at.shoe.do("draw", card=cards[3], extra=True)
        at.hear("card")
        assert [len(hand) for hand in at.now["hands"].values()] == [2, 1]
        told = at.table.say("deal_card", card=cards[3])
        assert told["hands"] == {"player": cards[::2], "banker": cards[1::2]}
        for word, who in (("announce", "dan"), ("approve", "pia"), ("settle", "dan")):
            role = "pit_supervisor" if who == "pia" else "dealer"
            assert at.table.say(word, who, role)["accepted"]
        at.table.say("use_shoe", reason="a loose plug")
        at.table.pit("approve")
        assert at.table.say("count", cards=0)["state"] == "ready"


def test_a_face_that_somebody_enters_too_soon_is_in_no_record(tmp_path: Path) -> None:
    journal, config = tmp_path / "table.db", tmp_path / "table.toml"
    config.write_text(
        '[table]\nrulebook = "mbs-baccarat-8"\nmethod = "A"\nburn = "none"\n'
        "minimum = 100\nmaximum = 10000\n[money]\nchip_unit = 100\n"
        '[shoe]\ndriver = "shoe_by_hand"\n'
    )
    table = LiveTable("", journal, "--config", str(config), shoe="shoe_by_hand")
    try:
        table.pit("open_table")
        table.say("load_shoe", deck_set="blue", verified_by="pia", cut=True)
        table.pit("approve")
        table.say("open_betting")
        table.say("close_betting")
        told = table.say("deal_card", card="9H")
        assert told["code"] == "card_lies_face_down"
        assert table.end() == 0
    finally:
        table.close()
    assert not [record for record in read(journal) if b"9H" in record.body]


@pytest.mark.parametrize(
    ("shoe", "says"),
    [
        ('driver = "shoe_by_hand"\nport = "/dev/ttyUSB0"', "takes no port"),
        ('driver = "shoe_bee_tek"', "needs its port"),
    ],
)
def test_a_port_is_where_there_is_a_wire(shoe: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        f'[table]\nrulebook = "mbs-baccarat-8"\n[money]\nchip_unit = 100\n[shoe]\n{shoe}\n'
    )
    with pytest.raises(ConfigError, match=says):
        load(path)
