"""The game engine against a floor: a plain loop over point values that deals and compares.

The floor makes no objects, calls nothing and pays nobody, so no engine that hands out cards and
settles money can reach 1. All contestants play the same shoes, interleaved in one run, and each
one's best time counts: the best is what the machine allows when nothing disturbs it.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from bench.targets import at_least
from controller.game.decided_wagers import decided
from controller.game.hands import DealtRound, Outcome
from controller.game.money.limits import Range, TableLimits, settle_within
from controller.game.money.settlement import Bet, Settlement, settle
from controller.game.odds import odds
from controller.game.rulebook import Rulebook
from controller.rulebooks import RULEBOOKS, rulebook
from drivers.cards import DECK, Card

# Short turns and many: the longer a turn, the likelier that something disturbs every one of them.
SHOES = 5
TURNS = 200
DECKS = 8
ASKED = 2000
BETS = (38, 1_000, 10_000)
BETS_A_TURN = 10_000
DEALING, SETTLING = "deal and outcome, card objects", "deal and settle 38 wagers"
TARGETS = {DEALING: 0.55, SETTLING: 0.07}
"""At least so much of the floor."""
CHIPS = (2_000, 10_000, 50_000, 100_000)

Settling: TypeAlias = Callable[[DealtRound, Sequence[Bet]], list[Settlement]]


def floor(values: Sequence[int]) -> tuple[int, int, int]:
    """Deal and compare, nothing else."""
    end = len(values) - 6
    i = player_wins = banker_wins = ties = 0
    while i < end:
        player = (values[i] + values[i + 2]) % 10
        banker = (values[i + 1] + values[i + 3]) % 10
        i += 4
        if player < 8 and banker < 8:
            if player < 6:
                third = values[i]
                i += 1
                player = (player + third) % 10
                if (
                    banker < 3
                    or (banker == 3 and third != 8)
                    or (banker == 4 and 2 <= third <= 7)
                    or (banker == 5 and 4 <= third <= 7)
                    or (banker == 6 and 6 <= third <= 7)
                ):
                    banker = (banker + values[i]) % 10
                    i += 1
            elif banker < 6:
                banker = (banker + values[i]) % 10
                i += 1
        if player > banker:
            player_wins += 1
        elif banker > player:
            banker_wins += 1
        else:
            ties += 1
    return player_wins, banker_wins, ties


def deal_and_outcome(shoe: Sequence[Card]) -> tuple[int, int, int]:
    play = rulebook("mbs-baccarat-8").play
    player, banker = Outcome.PLAYER, Outcome.BANKER
    player_wins = banker_wins = ties = 0
    for dealt in play.rounds(shoe):
        outcome = dealt.score.outcome
        if outcome is player:
            player_wins += 1
        elif outcome is banker:
            banker_wins += 1
        else:
            ties += 1
    return player_wins, banker_wins, ties


def deal_and_settle(shoe: Sequence[Card]) -> int:
    """All 38 wagers of Sands Super on every round, each with a stake of its own."""
    book = rulebook("mbs-sands-super-baccarat")
    bets = [Bet(i, wager.id, 2000 + 20 * i) for i, wager in enumerate(book.wagers)]
    rounds = 0
    for dealt in book.play.rounds(shoe):
        settled = settle(book, dealt, bets)
        assert len(settled) == len(bets)
        rounds += 1
    return rounds


def best_times(contestants: Mapping[str, Callable[[], object]], turns: int) -> dict[str, float]:
    """Each contestant's best, the turns taken in rotation."""
    best: dict[str, float] = {}
    for _ in range(turns):
        for name, run in contestants.items():
            started = time.perf_counter()
            run()
            took = time.perf_counter() - started
            best[name] = min(best.get(name, took), took)
    return best


def against_the_floor() -> None:
    rng = random.Random(8)
    shoe = [card for card in DECK for _ in range(DECKS)] * SHOES
    rng.shuffle(shoe)
    points = rulebook("mbs-baccarat-8").play.points
    values = [points[card.number] for card in shoe]
    counted = floor(values)
    rounds = sum(counted)
    assert abs(sum(deal_and_outcome(shoe)) - rounds) <= 1, "both played the same shoes"
    best = best_times(
        {
            "floor": lambda: floor(values),
            DEALING: lambda: deal_and_outcome(shoe),
            SETTLING: lambda: deal_and_settle(shoe),
        },
        TURNS,
    )
    _say(f"{rounds} rounds a turn, {TURNS} turns in rotation, best turn of each:")
    for name, seconds in best.items():
        per_round, share = seconds / rounds * 1e9, best["floor"] / seconds
        held_to = f"; {at_least(share, TARGETS[name])}" if name in TARGETS else ""
        _say(f"  {name:32} {per_round:8.0f} ns a round   {share:6.3f} of the floor{held_to}")


def cost_a_bet() -> None:
    """Settling one round with few bets and with many: what a bet costs must not grow."""
    _say(f"what a bet costs, {BETS_A_TURN} bets a turn, best turn of each:")
    limits = TableLimits(Range(CHIPS[0], CHIPS[-1]), differential=sum(CHIPS) * BETS[-1])
    as_they_lie, within = rulebook("mbs-sands-super-baccarat"), rulebook("mbs-baccarat-8")
    _cost_a_bet("as they lie", as_they_lie, lambda *asked: settle(as_they_lie, *asked))
    _cost_a_bet(
        "within limits", within, lambda round_, bets: settle_within(within, round_, bets, limits)
    )


def _cost_a_bet(name: str, book: Rulebook, settling: Settling) -> None:
    """One and the same round, which the Banker wins, so that as large a part of the bets wins."""
    dealt = book.play.deal([Card.parse(code) for code in ("2H", "9C", "KD", "KS")])
    kinds = len(book.wagers)
    rng = random.Random(6)

    def turn(bets: list[Bet]) -> None:
        """As many bets a turn, however many of them lie in one round."""
        for _ in range(BETS_A_TURN // len(bets)):
            settling(dealt, bets)

    contest: dict[str, Callable[[], object]] = {}
    for count in BETS:
        wagers = [(i // kinds, book.wagers[i % kinds].id) for i in range(count)]
        bets = [Bet(i, wager, rng.choice(CHIPS), box=box) for i, (box, wager) in enumerate(wagers)]
        contest[f"{count:,} bets"] = partial(turn, bets)
    best = best_times(contest, TURNS // 5).values()
    # 38 does not go into a turn without a rest.
    settled = [BETS_A_TURN // count * count for count in BETS]
    nanos = [seconds / bets * 1e9 for seconds, bets in zip(best, settled, strict=True)]
    each = ", ".join(f"{many} {cost:.0f} ns" for many, cost in zip(contest, nanos, strict=True))
    _say(f"  {name:14} {each}; the last is {nanos[-1] / nanos[0]:.2f} of the first")


def decided_once_warm() -> None:
    """How long the question after every card takes, beside settling one round."""
    rng = random.Random(5)
    _say("decided wagers, warm, against dealing and settling all of the book's wagers once:")
    for book in RULEBOOKS.values():
        asked = [
            [card if rng.random() < 0.7 else None for card in rng.sample(DECK, rng.randint(0, 6))]
            for _ in range(ASKED)
        ]
        shoe = rng.sample(DECK, 52)
        bets = [Bet(i, wager.id, 2000) for i, wager in enumerate(book.wagers)]

        def ask(book: Rulebook, asked: list[list[Card | None]]) -> None:
            for cards in asked:
                decided(book, cards)

        def settle_as_often(book: Rulebook, shoe: list[Card], bets: list[Bet]) -> None:
            for _ in range(ASKED):
                settle(book, book.play.deal(shoe), bets)

        contest = {
            "decided": partial(ask, book, asked),
            "settle": partial(settle_as_often, book, shoe, bets),
        }
        best = best_times(contest, 5)
        micros = best["decided"] / ASKED * 1e6
        _say(
            f"  {book.id:28} {micros:6.1f} us   {best['decided'] / best['settle']:6.2f} of a round"
        )


def whole_books() -> None:
    _say("exact odds of a whole book, eight decks:")
    for book in RULEBOOKS.values():
        started = time.perf_counter()
        odds(book, DECKS)
        _say(f"  {book.id:28} {time.perf_counter() - started:6.3f} s")


def _say(line: str) -> None:
    print(line)  # noqa: T201
