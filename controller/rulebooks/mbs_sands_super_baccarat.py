"""Sands Super Baccarat (MBS), in force from 28 July 2017."""

from datetime import date
from fractions import Fraction

from controller.game.conditions import BothOfColour, HandWins, HighTotalIs, Pair, Tied
from controller.game.hands import Side
from controller.game.rulebook import (
    Call,
    Decks,
    Excess,
    ExcessUses,
    Layout,
    Limits,
    Method,
    Rulebook,
)
from controller.game.table_of_play import (
    ACE_TO_NINE,
    BANKER_DRAWS_AGAINST,
    TEN_AND_FACES,
    ZERO_TO_FIVE,
    BankerDraws,
    Draws,
    Natural,
    TableOfPlay,
    Worth,
)
from controller.game.wagers import Pays, Wager
from controller.rulebooks import irregularities_short
from drivers.cards import Colour, Rank, Suit

PLAYER_WINS_ON = {1: 150, 2: 80, 3: 50, 4: 50, 5: 30, 6: 11, 7: 8, 8: 6, 9: 5}
BANKER_WINS_ON = {1: 150, 2: 80, 3: 50, 4: 25, 5: 15, 6: 11, 7: 8, 8: 6, 9: 5}
TIE_WINS_ON = {0: 100, 1: 150, 2: 150, 3: 150, 4: 100, 5: 80, 6: 35, 7: 35, 8: 50, 9: 50}


def _colour(side: Side, colour: Colour, area: str, clause: str) -> Wager:
    return Wager(
        f"{side.value}_{colour.value}",
        f"{side.value} {colour.value}".title(),
        area=area,
        offered="3.5",
        wins=BothOfColour(side, colour, clause=clause),
        pays=(Pays(Fraction(2), clause="4.1"),),
    )


def _precious_pair(side: Side) -> Wager:
    """Paid once, at the highest level that applies."""
    diamond_fours = Pair(side, rank=Rank.FOUR, suit=Suit.DIAMONDS, clause="1.1.6.1")
    return Wager(
        f"{side.value}_precious_pair",
        f"{side.value} precious pair".title(),
        area="2.2.7",
        offered="3.5",
        wins=Pair(side, clause="3.8"),
        pays=(
            Pays(Fraction(30), when=diamond_fours, clause="4.2"),
            Pays(Fraction(15), when=Pair(side, rank=Rank.FOUR, clause="1.1.6.2"), clause="4.2"),
            Pays(Fraction(12), when=Pair(side, suit=Suit.DIAMONDS, clause="1.1.6.3"), clause="4.2"),
            Pays(Fraction(9), when=Pair(side, clause="1.1.6.4"), clause="4.2"),
        ),
    )


def _wins_on(side: Side, total: int, pays: int, area: str, means: str, clause: str) -> Wager:
    return Wager(
        f"{side.value}_wins_on_{total}",
        f"{side.value.title()} Wins On {total}",
        area=area,
        offered="3.5",
        wins=HandWins(side, total=total, clause=means),
        pays=(Pays(Fraction(pays), clause=clause),),
    )


def _tie_wins_on(total: int, pays: int) -> Wager:
    return Wager(
        f"tie_wins_on_{total}",
        f"Tie Wins On {total}",
        area="2.2.10",
        offered="3.5",
        wins=Tied(total=total, clause="1.1.13"),
        pays=(Pays(Fraction(pays), clause="4.5"),),
    )


MBS_SANDS_SUPER_BACCARAT = Rulebook(
    id="mbs-sands-super-baccarat",
    title="Sands Super Baccarat (MBS)",
    version=None,
    in_force=date(2017, 7, 28),
    # 2. Mode of play
    decks=Decks(4, 10, clause="2.1"),
    layouts=(Layout("Diagram A", None, clause="2.2"),),
    # 3. How to play
    methods=(Method("B", "the dealer draws and keeps the cards", clause="3.7"),),
    play=TableOfPlay(
        values=(Worth(ACE_TO_NINE, clause="3.3.1"), Worth(TEN_AND_FACES, clause="3.3.2")),
        natural=Natural(frozenset({8, 9}), clause="3.9"),
        player_draws=Draws(ZERO_TO_FIVE, clause="3.9"),
        banker_draws_alone=Draws(ZERO_TO_FIVE, clause="3.9"),
        banker_draws=BankerDraws(BANKER_DRAWS_AGAINST, clause="3.9"),
    ),
    # 1.1, 3.5, 3.8, 3.10 to 3.14 and 4. Settlement
    wagers=(
        Wager(
            "player",
            "Player",
            area="2.2.1",
            offered="3.5",
            wins=HandWins(Side.PLAYER, clause="3.10"),
            push=Tied(clause="3.11"),
            pays=(Pays(Fraction(1), clause="4.1"),),
        ),
        Wager(
            "banker",
            "Banker",
            area="2.2.2",
            offered="3.5",
            wins=HandWins(Side.BANKER, clause="3.10"),
            push=Tied(clause="3.11"),
            pays=(
                Pays(
                    Fraction(1, 2), when=HandWins(Side.BANKER, total=6, clause="4.1"), clause="4.1"
                ),
                Pays(Fraction(1), clause="4.1"),
            ),
        ),
        Wager(
            "tie",
            "Tie",
            area="2.2.3",
            offered="3.5",
            wins=Tied(clause="3.11"),
            pays=(Pays(Fraction(8), clause="4.1"),),
        ),
        _colour(Side.PLAYER, Colour.RED, area="2.2.4", clause="3.13"),
        _colour(Side.PLAYER, Colour.BLACK, area="2.2.5", clause="3.14"),
        _colour(Side.BANKER, Colour.RED, area="2.2.4", clause="3.13"),
        _colour(Side.BANKER, Colour.BLACK, area="2.2.5", clause="3.14"),
        Wager(
            "sands_six",
            "Sands Six",
            area="2.2.6",
            offered="3.5",
            wins=HighTotalIs(6, clause="3.12"),
            pays=(Pays(Fraction(6), clause="4.1"),),
        ),
        _precious_pair(Side.PLAYER),
        _precious_pair(Side.BANKER),
        *(
            _wins_on(Side.PLAYER, total, pays, area="2.2.8", means="1.1.7", clause="4.3")
            for total, pays in PLAYER_WINS_ON.items()
        ),
        *(
            _wins_on(Side.BANKER, total, pays, area="2.2.9", means="1.1.1", clause="4.4")
            for total, pays in BANKER_WINS_ON.items()
        ),
        *(_tie_wins_on(total, pays) for total, pays in TIE_WINS_ON.items()),
    ),
    open_call=Call("place_your_bets", clause="3.1"),
    close_call=Call("no_more_bets", clause="3.2"),
    irregularities=irregularities_short.IRREGULARITIES,
    uncovered=irregularities_short.UNCOVERED,
    excess=ExcessUses((Excess.NEXT_ROUND, Excess.NO_BET_HAND, Excess.BURN), clause="5.2"),
    limits=Limits(),  # the document has no clause on limits
)
