"""Marked cards that lie face down at a real table, and the search for them in what left it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from controller.journal import audit
from controller.table.commands.message import new_message
from support.floor.table_at_floor import TableAtFloor

CANARIES: Final = ("7S", "JD", "4S", "QD")
NAMES: Final = ("Seven of spades", "Jack of diamonds", "Four of spades", "Queen of diamonds")


def deal_face_down(table: TableAtFloor) -> None:
    """Up to the shoe's own result, by Method A: nobody has looked at a card yet."""
    table.say("open_table")
    table.say("load_shoe", deck_set="a", verified_by="paul", cut=True)
    table.say("approve", who="paul")
    table.say("method", who="max", role="pit_manager", method="A")
    table.say("open_betting")
    table.say("place", player="ann", wager="banker", amount=2000, position=1)
    table.say("close_betting")
    for card in CANARIES:
        assert table.ask(new_message("shoe", "card", card=card))["accepted"]
    assert table.ask(new_message("shoe", "result", winner="banker"))["accepted"]


def told(heard: Iterable[bytes]) -> set[str]:
    """Marked cards that somebody could read there: as text in JSON, or as MessagePack writes it."""
    everything = b"\n".join(heard)
    forms: dict[str, tuple[bytes, ...]] = {
        card: (f'"{card}"'.encode(), msgspec.msgpack.encode(card)) for card in CANARIES
    }
    forms |= {name: (name.encode(),) for name in NAMES}
    return {what for what, ways in forms.items() if any(each in everything for each in ways)}


def blobs_of(journal: Path) -> list[bytes]:
    """What is sealed there; of each only its hash may leave."""
    return [each.sealed for each in audit.read(journal) if each.sealed]
