"""A journal as a real table leaves it: a round that is over, and one with cards face down."""

from pathlib import Path

from controller.rulebooks import rulebook
from controller.runtime.open_table import JournalPlaces, open_table
from controller.table.commands.message import Message, new_message, staff_message
from controller.table.commands.registry import Payload
from controller.table.rules import HouseRules, Rules

RULES = Rules(
    rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", burn="none", deal_face="down")
)


def staff(do: str, **given: object) -> Message[Payload]:
    return staff_message(do, "g1", "gaming_shift_manager", **given)


BETS = [
    staff("open_betting"),
    staff("place", player="ann", wager="banker", amount=2000, position=1),
    staff("close_betting"),
]
OPENING = [
    staff("open_table"),
    staff("load_shoe", deck_set="blue", verified_by="pia", cut=True),
    staff_message("approve", "pia", "pit_supervisor"),
]
ENDED = [
    *BETS,
    *(new_message("shoe", "card", card=code) for code in ("2H", "KC", "7D", "9S")),
    staff("expose", hand="player"),
    staff("expose", hand="banker"),
    staff("announce"),
    staff("settle"),
]
DEALT = [new_message("shoe", "card", card=code) for code in ("3H", "4C")]


def play(path: Path, *said: Message[Payload]) -> None:
    """Say it at the table whose files lie beside `path`."""
    with open_table(RULES, JournalPlaces.next_to(path)) as session:
        for each in said:
            answer = session.handle(each)
            assert answer.accepted, (each, answer.why)


def played(folder: Path) -> Path:
    """The journal of a table that was stopped in the middle of its second round."""
    path = folder / "journal.db"
    play(path, *OPENING, *ENDED, *BETS, *DEALT)
    return path
