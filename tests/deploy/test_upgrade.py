"""A round that an earlier build left in mid-deal, with cards face down, is played on by this one.

The round is Method A's: 2H lies open, KC and 3D face down, when the build changes.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import pytest

from controller.journal.records import RECORD_FORMAT
from deploy.earlier import earlier_build
from deploy.table_pc import PYTHON, TablePc

pytestmark = pytest.mark.deploy

WAGER: Final[dict[str, object]] = {
    "player": "ann",
    "position": 1,
    "wager": "banker",
    "amount": 2000,
}
HIDDEN: Final = ("KC", "3D")
LIES: Final = {"player": ["2H", None], "banker": [None]}
SAME: Final = ("round", "shoe", "method", "hands", "cards", "wagers", "sealed")
"""What is on the felt, and what was promised about its hidden faces: no release may change it."""
WRITTEN: Final = """
import apsw, json
journal = apsw.Connection("/var/lib/sabot/journal.db", flags=apsw.SQLITE_OPEN_READONLY)
formats = [each for each, in journal.execute("SELECT DISTINCT version FROM records")]
found = journal.execute("SELECT body FROM records WHERE kind = 'release'")
print(json.dumps([formats, [json.loads(body)["release"]["decides"] for body, in found]]))
"""


@dataclass(frozen=True)
class Upgraded:
    """A table PC, and what lay on the felt when it got this build."""

    pc: TablePc
    lay: dict[str, Any]


def on_the_felt(pc: TablePc) -> dict[str, Any]:
    view = pc.say(who="max", audience="surveillance")
    return {name: view[name] for name in SAME}


def same(lay: dict[str, Any], lies: dict[str, Any]) -> bool:
    """Whether it is what lay there before. A later release may tell more of a wager."""
    wagers = [
        {name: now[name] for name in was}
        for was, now in zip(lay["wagers"], lies["wagers"], strict=True)
    ]
    return {**lies, "wagers": wagers} == lay


def written(pc: TablePc) -> tuple[list[int], list[str]]:
    """The formats of the records in the journal, and which builds have decided in it."""
    (pc.folder / "root/written.py").write_text(WRITTEN)
    formats, decided = json.loads(pc.says(f"{PYTHON} /root/written.py"))
    return formats, decided


def draw(pc: TablePc, card: str) -> None:
    before = len(pc.say()["cards"])
    pc.shoe("draw", card=card)
    pc.wait("the card is there", lambda: len(pc.say()["cards"]) > before)


def deal_half(pc: TablePc) -> None:
    """Into the middle of the deal, with one card open and two face down."""
    pc.say(("open_table", {}))
    pc.go_on()
    pc.load_shoe()
    pc.say(("method", {"method": "A"}), who="max")
    pc.say(("open_betting", {}), ("place", WAGER), ("close_betting", {}))
    for card in ("2H", *HIDDEN):
        draw(pc, card)
    pc.say(("expose", {"hand": "player", "card": 1}))


@pytest.fixture(scope="module")
def upgraded(boot: Callable[..., TablePc], tmp_path_factory: pytest.TempPathFactory) -> Upgraded:
    wheels = earlier_build(tmp_path_factory.mktemp("earlier"))
    pc = boot(binds={str(wheels): "/earlier"})
    pc.install("--wheelhouse /earlier")
    pc.staff()
    pc.plug_in_shoe()
    deal_half(pc)
    lay = on_the_felt(pc)
    assert lay["hands"] == LIES
    assert len(lay["sealed"]) == len(HIDDEN)
    return Upgraded(pc, lay)


def test_it_asks_what_the_stop_was_with_the_same_cards_on_the_felt(upgraded: Upgraded) -> None:
    pc = upgraded.pc
    before = pc.says("readlink /opt/sabot/current")
    pc.install()
    assert pc.says("readlink /opt/sabot/current") != before
    pc.wait_until_ready()
    assert pc.say()["state"] == "suspended"
    assert same(upgraded.lay, on_the_felt(pc))
    pc.go_on(cards=3)
    assert pc.say()["state"] == "dealing"
    assert same(upgraded.lay, on_the_felt(pc))


def test_the_round_goes_on_to_its_settlement(upgraded: Upgraded) -> None:
    pc = upgraded.pc
    draw(pc, "6S")
    pc.say(("expose", {"hand": "player"}), ("expose", {"hand": "banker"}))
    draw(pc, "TD")
    view = pc.say(("expose", {"hand": "player"}), ("announce", {}), ("settle", {}))
    assert view["hands"] == {"player": ["2H", "3D", "TD"], "banker": ["KC", "6S"]}
    assert [(paid["pays"], paid["returned"]) for paid in view["settlements"]] == [(1900, 2000)]
    assert (view["round"], view["results"]) == (upgraded.lay["round"], ["B"])


def test_files_and_journal_are_good(upgraded: Upgraded) -> None:
    pc = upgraded.pc
    formats, decided = written(pc)
    assert formats == [RECORD_FORMAT]
    assert len(set(decided)) == 2, "both builds have decided"
    assert "as released" in pc.says("sabot verify-files")
    files = "/var/lib/sabot/journal.db --head /var/lib/sabot/head/journal.head"
    pc.run(f"sabot journal verify {files}")


def test_the_next_round_is_played_and_survives_a_restart(upgraded: Upgraded) -> None:
    pc = upgraded.pc
    pc.say(("open_betting", {}), ("place", WAGER), ("close_betting", {}))
    draw(pc, "9H")
    lay = on_the_felt(pc)
    assert lay["round"] == upgraded.lay["round"] + 1
    pc.run("systemctl restart sabot")
    pc.go_on(cards=1)
    assert on_the_felt(pc) == lay
