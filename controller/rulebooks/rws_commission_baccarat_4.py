"""Commission Baccarat (RWS), version 4, in force from 16 September 2019."""

from datetime import date
from fractions import Fraction

from controller.game.conditions import HandWins, Pair, Tied
from controller.game.hands import Side
from controller.game.rulebook import (
    BeforeClosing,
    Call,
    Decks,
    Differential,
    Displayed,
    Excess,
    ExcessUses,
    Layout,
    LimitKind,
    LimitRule,
    Limits,
    Method,
    OutOfLimits,
    Rulebook,
    Scope,
)
from controller.game.table_of_play import (
    BANKER_DRAWS_AGAINST,
    TWO_TO_TEN,
    ZERO_TO_FIVE,
    BankerDraws,
    Draws,
    Natural,
    TableOfPlay,
    Worth,
)
from controller.game.wagers import Pays, Wager
from controller.rulebooks import irregularities_rws

RWS_COMMISSION_BACCARAT_4 = Rulebook(
    id="rws-commission-baccarat-4",
    title="Commission Baccarat (RWS)",
    version="4",
    in_force=date(2019, 9, 16),
    # 2. Mode of play
    decks=Decks(4, 8, clause="2.2.1"),
    layouts=(
        Layout("Appendix A, Bean Baccarat", (9, 9), clause="2.1.1"),
        Layout("Appendix B, Bean Baccarat", (7, 7), clause="2.1.1"),
        Layout("Appendix C, Mini Baccarat", (7, 7), clause="2.1.1"),
        Layout("Appendix D, Big Baccarat", (12, 12), clause="2.1.1"),
    ),
    # 3. How to play
    methods=(
        Method(
            "one",
            "the dealer draws; a seated player may ask to squeeze",
            clause="3.10",
            squeeze="3.9",
        ),
    ),
    play=TableOfPlay(
        values=(
            Worth({"A": 1}, clause="3.2.1"),
            # Counted at ten, as the document does; only the last digit of a total counts.
            Worth(TWO_TO_TEN, clause="3.2.2"),
            Worth({"J": 0, "Q": 0, "K": 0}, clause="3.2.3"),
        ),
        natural=Natural(frozenset({8, 9}), clause="3.12"),
        player_draws=Draws(ZERO_TO_FIVE, clause="3.12"),
        banker_draws_alone=Draws(ZERO_TO_FIVE, clause="3.11"),
        banker_draws=BankerDraws(BANKER_DRAWS_AGAINST, clause="3.12"),
    ),
    # 3.7, 3.10, 3.13, 3.14 and 4. Settlement
    wagers=(
        Wager(
            "player",
            "Player",
            area="3.7",
            offered="3.7",
            wins=HandWins(Side.PLAYER, clause="3.13"),
            push=Tied(clause="3.14"),
            pays=(Pays(Fraction(1), clause="4.1.2"),),
        ),
        Wager(
            "banker",
            "Banker",
            area="3.7",
            offered="3.7",
            wins=HandWins(Side.BANKER, clause="3.13"),
            push=Tied(clause="3.14"),
            pays=(
                # One to one less the commission of five per cent.
                Pays(Fraction("0.95"), clause="4.1.1"),
            ),
        ),
        Wager(
            "tie",
            "Tie",
            area="3.7",
            offered="3.7",
            wins=Tied(clause="1.19"),
            pays=(Pays(Fraction(8), clause="4.1.2"),),
        ),
        Wager(
            "player_pair",
            "Player Pair",
            area="3.7",
            offered="3.7",
            wins=Pair(Side.PLAYER, clause="1.13"),
            pays=(Pays(Fraction(11), clause="4.1.2"),),
        ),
        Wager(
            "banker_pair",
            "Banker Pair",
            area="3.7",
            offered="3.7",
            wins=Pair(Side.BANKER, clause="1.13"),
            pays=(Pays(Fraction(11), clause="4.1.2"),),
        ),
    ),
    # The limits among 3. How to play and 5. Irregularities
    open_call=Call("place_your_bets_rws", clause="3.3"),
    close_call=Call("no_more_bets_rws", clause="3.8"),
    irregularities=irregularities_rws.IRREGULARITIES,
    uncovered=irregularities_rws.UNCOVERED,
    excess=ExcessUses((Excess.NEXT_ROUND,), clause="5.7"),
    limits=Limits(
        displayed=Displayed((LimitKind.MINIMUM, LimitKind.DIFFERENTIAL), clause="3.4"),
        under_minimum_open=LimitRule(BeforeClosing.RAISE_OR_WITHDRAW, clause="5.2"),
        over_maximum_open=LimitRule(BeforeClosing.PUT_RIGHT, clause="3.5"),
        under_minimum=LimitRule(OutOfLimits.AS_IT_LIES, clause="5.2.1"),
        differential=Differential(
            Scope.BOX,
            before_closing=(LimitRule(BeforeClosing.REJECT_STANDING_FIRST, clause="5.1"),),
            unnoticed=LimitRule(OutOfLimits.PRO_RATA, clause="5.1.1"),
            under_minimum=LimitRule(OutOfLimits.NOT_PRO_RATA, clause="5.1.2"),
        ),
    ),
    void_returns="5.15",
)
