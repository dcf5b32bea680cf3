"""Baccarat Tournament (MBS), version 5, in force from 17 February 2017."""

from datetime import date
from fractions import Fraction

from controller.game.conditions import HandWins, Pair, Tied
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

MBS_BACCARAT_TOURNAMENT_5 = Rulebook(
    id="mbs-baccarat-tournament-5",
    title="Baccarat Tournament (MBS)",
    version="5",
    in_force=date(2017, 2, 17),
    # 2. Mode of play
    decks=Decks(4, 10, clause="2.1"),
    layouts=tuple(Layout(f"Diagram {letter}", None, clause="2.2") for letter in "ABCDEFGH"),
    # 3. How to play
    methods=(Method("B", "the dealer draws and keeps the cards", clause="3.7"),),
    play=TableOfPlay(
        values=(Worth(ACE_TO_NINE, clause="3.3.1"), Worth(TEN_AND_FACES, clause="3.3.2")),
        natural=Natural(frozenset({8, 9}), clause="3.9.1"),
        player_draws=Draws(ZERO_TO_FIVE, clause="3.9.2"),
        banker_draws_alone=Draws(ZERO_TO_FIVE, clause="3.9.3"),
        banker_draws=BankerDraws(BANKER_DRAWS_AGAINST, clause="3.9.4"),
    ),
    # 3.5, 3.8, 3.10 and 4. Settlement
    wagers=(
        Wager(
            "player",
            "Player",
            area="2.2.2",
            offered="3.5",
            wins=HandWins(Side.PLAYER, clause="3.10"),
            push=Tied(clause="3.10.1"),
            pays=(Pays(Fraction(1), clause="4.1"),),
        ),
        Wager(
            "banker",
            "Banker",
            area="2.2.1",
            offered="3.5",
            wins=HandWins(Side.BANKER, clause="3.10"),
            push=Tied(clause="3.10.1"),
            pays=(Pays(Fraction(1), clause="4.1"),),
        ),
        Wager(
            "tie",
            "Tie",
            area="2.2.3",
            offered="3.5",
            wins=Tied(clause="3.10.1"),
            pays=(Pays(Fraction(8), clause="4.1"),),
        ),
        Wager(
            "player_pair",
            "Player Pair",
            area="2.2.4",
            offered="3.5",
            wins=Pair(Side.PLAYER, clause="3.8.1"),
            pays=(Pays(Fraction(11), clause="4.1"),),
        ),
        Wager(
            "banker_pair",
            "Banker Pair",
            area="2.2.4",
            offered="3.5",
            wins=Pair(Side.BANKER, clause="3.8.2"),
            pays=(Pays(Fraction(11), clause="4.1"),),
        ),
    ),
    open_call=Call("place_your_bets", clause="3.1"),
    close_call=Call("no_more_bets", clause="3.2"),
    irregularities=irregularities_short.IRREGULARITIES,
    uncovered=irregularities_short.UNCOVERED,
    excess=ExcessUses((Excess.NEXT_ROUND, Excess.NO_BET_HAND, Excess.BURN), clause="5.2"),
    limits=Limits(),  # the document has no clause on limits
)
