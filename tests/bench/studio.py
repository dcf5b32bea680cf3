"""A studio's table: one round with ten thousand wagers, and whole shoes by the robot in memory.

What a wager costs as a round grows is set beside the same cost in a round of a hundred, all sizes
in one run, turns in rotation: through table and records, and through table, records and the views
of every step. A book without a limit of wagers an area is played, at limits that none exceeds.

The state is a value, so a place copies the tuple of wagers, and the views' list of rows: what that
takes by itself, in a bare loop over as many, is the floor, and shown beside it. All of it is in
memory, so times are the processor's: what other programs take is left out.
"""

import gc
import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import NamedTuple

from msgspec import to_builtins

from controller.engine.session import Session, open_session
from controller.engine.step import Answer
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.runtime.snapshots import KEPT
from controller.table.commands.message import Message, new_message, staff_message
from controller.table.commands.registry import Payload
from controller.table.phases import Phase
from controller.table.rules import HouseRules, Rules
from controller.table.state import PlacedWager
from drivers.cards import DECK
from support.table.robot_shoe import Shown, play_shoe

BOOK = "rws-commission-baccarat-4"
HOUSE = HouseRules(BOOK, burn="none", minimum=100, maximum=10**7, differential=10**12)
BOXES = 12
ROUNDS = {100: 40, 1_000: 8, 10_000: 2}
"""So many rounds of so many wagers in one turn."""
TURNS = 3
SHOES = 3
WANTS_CARD = (Phase.DEALING, Phase.PLAYERS_THIRD, Phase.BANKERS_THIRD)

Hear = Callable[[Message[Payload]], Answer]


def staff(do: str, **given: object) -> Message[Payload]:
    return staff_message(do, "g1", "gaming_shift_manager", **given)


OPENING = [
    staff("open_table"),
    staff("load_shoe", deck_set="blue", verified_by="g2", cut=True),
    staff_message("approve", "g2", "gaming_shift_manager"),
]


def opened(house: HouseRules = HOUSE, *, with_shoe: bool = True) -> Session:
    rules = Rules(rulebook(house.rulebook), house)
    sealer = Sealer(bytes(32), random.Random(1).randbytes)
    session = open_session(rules, MemoryJournal(), sealer)
    for each in OPENING if with_shoe else ():
        assert session.handle(each).accepted
    return session


def with_views(session: Session) -> Hear:
    """Takes a step and shows it, as the table's loop does."""
    shown = Shown(session)

    def hear(said: Message[Payload]) -> Answer:
        answer = session.handle(said)
        shown(said, answer)
        return answer

    return hear


def placed(wagers: int) -> list[Message[Payload]]:
    """One to three kinds a player, each player at one of the boxes; ids are the table's to give."""
    chance = random.Random(wagers)
    every = chain.from_iterable(_of_player(number, chance) for number in range(wagers))
    return list(islice(every, wagers))


def _of_player(number: int, chance: random.Random) -> list[Message[Payload]]:
    kinds = [chance.choice(("player", "banker"))]
    kinds += chance.sample(("tie", "player_pair", "banker_pair"), chance.randrange(3))
    at = {"who": f"player-{number}", "position": 1 + number % BOXES}
    return [
        new_message("player", "place", **at, wager=kind, amount=100 * chance.randint(1, 50))
        for kind in kinds
    ]


class Took(NamedTuple):
    """Seconds a wager took in one round."""

    place: float
    settle: float
    """From the call that closes bets on, cards included."""

    @property
    def whole(self) -> float:
        return self.place + self.settle


def play_round(hear: Hear, session: Session, bets: Sequence[Message[Payload]], seed: int) -> Took:
    cards = [card.code for card in DECK]
    random.Random(seed).shuffle(cards)
    begun = time.process_time()
    hear(staff("open_betting"))
    for bet in bets:
        hear(bet)
    betting = time.process_time()
    hear(staff("close_betting"))
    while session.machine.table.phase in WANTS_CARD:
        hear(new_message("shoe", "card", card=cards.pop()))
    hear(staff("announce"))
    ended = hear(staff("settle"))
    over = time.process_time()
    paid = ended.table.round.paid if ended.table.round else ()
    assert len(paid) == len(bets), "every wager was taken and settled"
    return Took((betting - begun) / len(bets), (over - betting) / len(bets))


def bare_copies(wagers: int, *, views: bool) -> float:
    """Seconds a wager for a tuple that grows by one at a time; with views also for a list of rows
    that does, of which as many are kept as a table keeps snapshots."""
    placed_ = [PlacedWager(f"w{n}", f"player-{n}", 1, "banker", 100) for n in range(wagers)]
    rows = [to_builtins(each) for each in placed_]
    lying: tuple[PlacedWager, ...] = ()
    shown: list[object] = []
    kept: deque[list[object]] = deque(maxlen=KEPT)
    begun = time.process_time()
    for wager, row in zip(placed_, rows, strict=True):
        lying = lying + (wager,)  # noqa: RUF005  as the table does it
        if views:
            shown = shown + [row]  # noqa: RUF005
            kept.append(shown)
    return (time.process_time() - begun) / wagers


def many_wagers(name: str, prepare: Callable[[Session], Hear], *, views: bool) -> None:
    """The best of each size: what else the machine does only ever adds."""
    best: dict[int, Took] = {}
    copies: dict[int, float] = {}
    every = {wagers: placed(wagers) for wagers in ROUNDS}
    for turn in range(TURNS):
        for wagers, rounds in ROUNDS.items():
            session = opened()
            hear = prepare(session)
            gc.collect()
            took = [play_round(hear, session, every[wagers], turn + n) for n in range(rounds)]
            fastest = min(took, key=lambda each: each.whole)
            best[wagers] = min(best.get(wagers, fastest), fastest, key=lambda each: each.whole)
            bare = bare_copies(wagers, views=views)
            copies[wagers] = min(copies.get(wagers, bare), bare)
    _say(f"one round of many wagers, {name} (the best of {TURNS} turns), us a wager:")
    least = min(ROUNDS)
    small, floor = best[least].whole, copies[least]
    for wagers, found in best.items():
        place, settle, copy = (1e6 * each for each in (found.place, found.settle, copies[wagers]))
        _say(
            f"  {wagers:6,} wagers  {place:6.1f} placed  {settle:5.1f} closed, dealt, settled  "
            f"{found.whole / small:5.2f} times; {copy:5.1f} bare copies, without them "
            f"{(found.whole - copies[wagers]) / (small - floor):5.2f} times; "
            f"{1 / (found.whole * wagers):6.2f} rounds/s"
        )


def both_many_wagers() -> None:
    many_wagers("table and records", lambda session: session.handle, views=False)
    many_wagers("table, records and views", with_views, views=True)


def whole_shoes() -> None:
    """The robot's own time is in it: it holds every card and payment against its own rules."""
    best = 0.0
    for seed in range(SHOES):
        session = opened(HouseRules("mbs-baccarat-8"), with_shoe=False)
        gc.collect()
        begun = time.process_time()
        tally = play_shoe(session, seed)
        best = max(best, tally.rounds / (time.process_time() - begun))
    _say("a whole shoe by the robot in memory, through table, records and views:")
    _say(f"  {best:,.0f} rounds a second on one core")


def _say(line: str) -> None:
    print(line)  # noqa: T201
