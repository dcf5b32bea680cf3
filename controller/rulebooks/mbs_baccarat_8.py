"""Baccarat (MBS), version 8, in force from 23 January 2020."""

from datetime import date
from fractions import Fraction

from controller.game.conditions import HandWins, Pair, Tied
from controller.game.hands import Side
from controller.game.roles import Role
from controller.game.rulebook import (
    AreaLimit,
    BeforeClosing,
    Call,
    Control,
    CuttingCard,
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
    Passing,
    Rulebook,
    Scope,
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
from controller.rulebooks import irregularities_mbs

MBS_BACCARAT_8 = Rulebook(
    id="mbs-baccarat-8",
    title="Baccarat (MBS)",
    version="8",
    in_force=date(2020, 1, 23),
    # 2. Mode of play
    decks=Decks(4, 10, clause="2.1"),
    layouts=(
        Layout("Appendix A", (1, 7), clause="2.2"),
        Layout("Appendix B", (1, 9), clause="2.2"),
        Layout("Appendix C", (7, 14), clause="2.2"),
        Layout("Appendix D", (1, 1), clause="2.2"),
        Layout("Appendix E", (1, 1), clause="2.2"),
    ),
    # 3. How to play
    methods=(
        Method(
            "A",
            "the dealer draws, players squeeze",
            "3.9",
            choice="3.8.2",
            face_down=True,
            handling="3.9.2",
            draws="3.9.1",
            dealer_keeps_device="3.8.1",
            passing=Passing(
                highest="3.9.2",
                next_highest="3.9.3",
                first_of_equals="3.9.4",
                next_equal="3.9.5",
                named="3.9.4.1",
            ),
            first="3.9.6",
            thirds_exposed="3.9.7",
        ),
        Method(
            "B",
            "the dealer draws and keeps the cards",
            "3.10",
            choice="3.8.2",
            handling="3.10.2",
            draws="3.10.1",
            dealer_keeps_device="3.8.1",
            laid="3.10.1",
        ),
        Method(
            "C",
            "a player draws",
            "3.11",
            chosen_by=Role.ASSISTANT_CASINO_MANAGER,
            choice="3.8.2",
            face_down=True,
            hlga_only=True,
            player_draws=True,
            handling="3.11.3",
            without_wager="3.11.2",
            draws="3.11.1",
            control=Control(keeps="3.11.8", in_view="3.11.4", given_up="3.11.8.1", lost="3.11.8.2"),
            laid="3.11.5",
            thirds_drawn="3.11.6",
            thirds_exposed="3.11.7",
        ),
    ),
    method_of_round="3.8",
    play=TableOfPlay(
        values=(Worth(ACE_TO_NINE, clause="3.3.1"), Worth(TEN_AND_FACES, clause="3.3.2")),
        natural=Natural(frozenset({8, 9}), clause="3.14"),
        player_draws=Draws(ZERO_TO_FIVE, clause="3.14"),
        banker_draws_alone=Draws(ZERO_TO_FIVE, clause="3.14"),
        banker_draws=BankerDraws(BANKER_DRAWS_AGAINST, clause="3.14"),
    ),
    # 3.5, 3.13, 3.15 and 4. Settlement
    wagers=(
        Wager(
            "player",
            "Player",
            area="2.2.1",
            offered="3.5",
            wins=HandWins(Side.PLAYER, clause="3.15"),
            push=Tied(clause="3.15.1"),
            pays=(Pays(Fraction(1), clause="4.1"),),
        ),
        Wager(
            "banker",
            "Banker",
            area="2.2.2",
            offered="3.5",
            wins=HandWins(Side.BANKER, clause="3.15"),
            push=Tied(clause="3.15.1"),
            pays=(Pays(Fraction("0.95"), clause="4.1"),),
        ),
        Wager(
            "tie",
            "Tie",
            area="2.2.3",
            offered="3.5",
            wins=Tied(clause="1.1.11"),
            pays=(Pays(Fraction(8), clause="4.1"),),
        ),
        Wager(
            "player_pair",
            "Player Pair",
            area="2.2.4",
            offered="3.5",
            wins=Pair(Side.PLAYER, clause="1.1.6"),
            pays=(Pays(Fraction(11), clause="4.1"),),
        ),
        Wager(
            "banker_pair",
            "Banker Pair",
            area="2.2.4",
            offered="3.5",
            wins=Pair(Side.BANKER, clause="1.1.6"),
            pays=(Pays(Fraction(11), clause="4.1"),),
        ),
    ),
    # 3.5 to 3.6 and the limits among 5. Irregularities
    open_call=Call("place_your_bets", clause="3.1"),
    close_call=Call("no_more_bets", clause="3.2"),
    irregularities=irregularities_mbs.IRREGULARITIES,
    uncovered=irregularities_mbs.UNCOVERED,
    excess=ExcessUses((Excess.NEXT_ROUND, Excess.NO_BET_HAND, Excess.BURN), clause="5.7"),
    any_squeezer="3.16",
    cutting_card=CuttingCard("3.17", withdraw="3.17.1"),
    limits=Limits(
        displayed=Displayed((LimitKind.MINIMUM, LimitKind.MAXIMUM), clause="3.5.1"),
        per_area=AreaLimit(3, clause="3.6", fewer="3.6.1"),
        under_minimum_open=LimitRule(BeforeClosing.PUT_RIGHT, clause="3.5.1"),
        over_maximum_open=LimitRule(BeforeClosing.PUT_RIGHT, clause="3.5.1"),
        under_minimum=LimitRule(OutOfLimits.ONCE_THEN_RETURNED, clause="5.14"),
        over_maximum=LimitRule(OutOfLimits.UP_TO_THE_MAXIMUM, clause="5.15"),
        differential=Differential(
            Scope.TABLE,
            before_closing=(
                LimitRule(BeforeClosing.ASK_HEAVY_SIDE, clause="5.18.1"),
                LimitRule(BeforeClosing.LIGHT_SIDE_MAY_ADD, clause="5.18.2"),
                LimitRule(BeforeClosing.PIT_MANAGER_REMOVES, clause="5.18.3"),
            ),
        ),
    ),
)
