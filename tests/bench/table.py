"""A card through the table against a bare commit of the same bytes, in one run, turn by turn; and
the memory of a table that plays on and on.
"""

import random
import resource
import statistics
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import apsw

from bench.journal import SIGNER, BareHead, bare
from bench.targets import at_most
from controller.engine.session import Session, open_session
from controller.journal.memory import MemoryJournal
from controller.journal.records import Entry, Record
from controller.journal.seal import Sealer
from controller.journal.store import Journal
from controller.rulebooks import rulebook
from controller.table.commands.message import Message, new_message, staff_message
from controller.table.commands.registry import Payload
from controller.table.phases import Phase
from controller.table.rules import HouseRules, Rules
from drivers.cards import DECK

ROUNDS = 5
CARDS = 300
SHOE_ROUNDS = 60
SHOES = 1_667
CARD, MEMORY = 1.2, 1.02
"""At most so many times the floor; memory against a tenth of the day."""


def staff(do: str, **given: object) -> Message[Payload]:
    return staff_message(do, "g1", "gaming_shift_manager", **given)


SECOND_PERSON = staff_message("approve", "g2", "gaming_shift_manager")
OPENING = [
    staff("open_table"),
    staff("load_shoe", deck_set="blue", verified_by="g2", cut=True),
    SECOND_PERSON,
]
BETS = [
    staff("open_betting"),
    staff("place", player="ann", wager="banker", amount=2000, position=1),
    staff("place", player="bob", wager="player", amount=2000, position=2),
    staff("close_betting"),
]
END = [staff("announce"), staff("settle")]
WANTS_CARD = (Phase.DEALING, Phase.PLAYERS_THIRD, Phase.BANKERS_THIRD)


def session(journal: MemoryJournal | Journal) -> Session:
    rules = Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", burn="none"))
    opened = open_session(rules, journal, Sealer(bytes(32), random.Random(1).randbytes))
    for each in OPENING:
        opened.handle(each)
    return opened


@cache
def _shuffled(seed: int) -> tuple[Message[Payload], ...]:
    cards = [card.code for card in DECK for _ in range(8)]
    random.Random(seed).shuffle(cards)
    return tuple(new_message("shoe", "card", card=code) for code in cards)


def shoe(seed: int) -> list[Message[Payload]]:
    """Shuffled once for each seed: the shuffle is no part of what is timed."""
    return list(_shuffled(seed))


def play_rounds(opened: Session, rounds: int = ROUNDS) -> int:
    """Whole rounds, each step through the table; how many steps that took."""
    machine, cards, steps = opened.machine, shoe(3), 0
    for _ in range(rounds):
        for each in BETS:
            opened.handle(each)
        while machine.table.phase in WANTS_CARD:
            opened.handle(cards.pop())
            steps += 1
        for each in END:
            assert opened.handle(each).accepted
        steps += len(BETS) + len(END)
    return steps


def card_against_commit(folder: Path) -> None:
    """A card from the line to the disk, beside a commit of as many bytes at synchronous=FULL and a
    bare head."""
    with Journal.open(folder / "table.db", head_path=folder / "head", signer=SIGNER) as journal:
        table = session(journal)
        plain, sector = bare(folder / "bare.db"), BareHead(folder / "bare.head")
        body = list(journal.records())[-1].body
        times: dict[str, list[float]] = {"card": [], "commit": [], "head": []}
        cards = shoe(4)
        while len(times["card"]) < CARDS:
            for message in BETS:
                table.handle(message)
            while table.machine.table.phase in WANTS_CARD:
                message = cards.pop()
                times["card"].append(_took(partial(table.handle, message)))
                times["commit"].append(_took(partial(_commit, plain, body)))
                times["head"].append(_took(sector.write))
            for message in END:
                table.handle(message)
        plain.close()
        sector.close()
    # Turn by turn: a disk that is slow now and then is slow for two syncs more often than for one.
    times["both"] = [sum(each) for each in zip(times["commit"], times["head"], strict=True)]
    middle = {name: statistics.median(each) for name, each in times.items()}
    _say(f"a card with the journal on disk, median of {CARDS}:")
    for name, seconds in middle.items():
        _say(f"  {name:8} {seconds * 1e6:6.0f} us")
    ratio = middle["card"] / middle["both"]
    _say(f"  ratio {ratio:.2f} of a bare commit and a bare head; {at_most(ratio, CARD)}")


def _commit(connection: apsw.Connection, body: bytes) -> None:
    connection.execute("INSERT INTO kept(bytes) VALUES (?)", (body,))


def _took(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


class Forgetful(MemoryJournal):
    """Keeps the chain's head and nothing else, so that only the table itself can grow."""

    def append(self, *entries: Entry) -> list[Record]:
        records = super().append(*entries)
        self._records = self._records[-1:]
        return records


def memory_stays_flat() -> None:
    """The most memory the process ever held, early and late in a very long day."""
    table = session(Forgetful())
    held = []
    for number in range(1, SHOES + 1):
        play_rounds(table, SHOE_ROUNDS)
        table.handle(OPENING[1])
        table.handle(SECOND_PERSON)
        if number % (SHOES // 10) == 0 or number == SHOES:
            held.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
            _say(f"  {number} of {SHOES} shoes, {held[-1]} KiB")
    rounds = SHOES * SHOE_ROUNDS
    _say(f"peak memory after {rounds // 10} and {rounds} rounds: {held[0]} and {held[-1]} KiB")
    ratio = held[-1] / held[0]
    _say(f"  ratio {ratio:.3f}; {at_most(ratio, MEMORY)}")


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201
