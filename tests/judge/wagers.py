"""Every wager of the five books: which a book offers, when it wins, what it pays to 1."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.play import RED, total

MBS, RWS = "mbs-baccarat-8", "rws-commission-baccarat-4"
DT, SANDS = "mbs-dragon-tiger-baccarat", "mbs-sands-super-baccarat"
TOURNAMENT = "mbs-baccarat-tournament-5"
BOOKS = (MBS, RWS, DT, SANDS, TOURNAMENT)

_MAIN = ("player", "banker", "tie")
_PAIRS = ("player_pair", "banker_pair")
_DRAGONS = ("dragon_tiger", "big_dragon", "small_dragon", "big_tiger", "small_tiger")
_SANDS = (
    *(f"{side}_{colour}" for side in ("player", "banker") for colour in ("red", "black")),
    "sands_six",
    "player_precious_pair",
    "banker_precious_pair",
    *(f"{side}_wins_on_{n}" for side in ("player", "banker") for n in range(1, 10)),
    *(f"tie_wins_on_{n}" for n in range(10)),
)
OFFERED = {
    MBS: (*_MAIN, *_PAIRS),
    RWS: (*_MAIN, *_PAIRS),
    DT: (*_MAIN, *_DRAGONS),
    SANDS: (*_MAIN, *_SANDS),
    TOURNAMENT: (*_MAIN, *_PAIRS),
}
WIN, LOSE, PUSH = "win", "lose", "push"

_WINS_ON = {
    "player": (0, 150, 80, 50, 50, 30, 11, 8, 6, 5),
    "banker": (0, 150, 80, 50, 25, 15, 11, 8, 6, 5),
    "tie": (100, 150, 150, 150, 100, 80, 35, 35, 50, 50),
}


@dataclass(frozen=True)
class Ends:
    """How a round ends, as far as points and the number of cards tell it."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int

    @property
    def winner(self) -> str:
        if self.player == self.banker:
            return "tie"
        return "player" if self.player > self.banker else "banker"


def pays_by_points(book: str, wager: str, ends: Ends) -> Fraction | None:
    """What it pays to 1, 0 where it loses; None: it pushes. For wagers that points decide."""
    won = ends.winner
    if wager in ("player", "banker"):
        if won == "tie":
            return None
        return _main(book, wager, ends) if won == wager else Fraction(0)
    if wager == "tie":
        return Fraction(8 if won == "tie" else 0)
    if wager == "sands_six":
        return Fraction(6 if max(ends.player, ends.banker) == 6 else 0)
    if "_wins_on_" in wager:
        side, _, n = wager.partition("_wins_on_")
        on = max(ends.player, ends.banker) == int(n) and won == side
        return Fraction(_WINS_ON[side][int(n)] if on else 0)
    return Fraction(_dragon(wager, ends))


def _main(book: str, wager: str, ends: Ends) -> Fraction:
    if wager == "player" or book == TOURNAMENT:
        return Fraction(1)
    if book == SANDS:
        return Fraction(1, 2) if ends.banker == 6 else Fraction(1)
    return Fraction(95, 100)


def _dragon(wager: str, ends: Ends) -> int:
    """Dragon: the Player wins with 7. Tiger: the Banker wins with 6. DT 4.3 governs (reading 2)."""
    if wager == "dragon_tiger":
        cards = ends.player_cards + ends.banker_cards
        return {4: 30, 5: 40, 6: 100}[cards] if (ends.player, ends.banker) == (7, 6) else 0
    dragon, big = wager.endswith("dragon"), wager.startswith("big")
    cards = ends.player_cards if dragon else ends.banker_cards
    wins = (ends.player == 7 > ends.banker) if dragon else (ends.banker == 6 > ends.player)
    odds = {(True, True): 30, (True, False): 15, (False, True): 50, (False, False): 22}
    return odds[dragon, big] if wins and (cards == 3) == big else 0


def by_first_two(wager: str) -> tuple[str, Callable[[str, str], int]] | None:
    """For wagers that a hand's first two cards decide: the side, and what two cards pay."""
    side, _, what = wager.partition("_")
    judged = {"pair": _pair, "precious_pair": _precious, "red": _red, "black": _black}.get(what)
    return None if judged is None or side not in ("player", "banker") else (side, judged)


def _pair(one: str, two: str) -> int:
    """The same rank (reading 1)."""
    return 11 if one[0] == two[0] else 0


def _precious(one: str, two: str) -> int:
    if one[0] != two[0]:
        return 0
    diamonds = one[1] == two[1] == "D"
    if one[0] == "4":
        return 30 if diamonds else 15
    return 12 if diamonds else 9


def _red(one: str, two: str) -> int:
    return 2 if one[1] in RED and two[1] in RED else 0


def _black(one: str, two: str) -> int:
    return 2 if one[1] not in RED and two[1] not in RED else 0


def odds(book: str, wager: str, player: Sequence[str], banker: Sequence[str]) -> Fraction | None:
    """What it pays to 1 when the round ends so; 0: lost, None: it pushes."""
    two = by_first_two(wager)
    if two is not None:
        side, judged = two
        hand = player if side == "player" else banker
        return Fraction(judged(hand[0], hand[1]))
    ends = Ends(total(player), total(banker), len(player), len(banker))
    return pays_by_points(book, wager, ends)
