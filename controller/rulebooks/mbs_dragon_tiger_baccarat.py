"""Dragon Tiger Baccarat (MBS), in force from 7 December 2023."""

from datetime import date
from fractions import Fraction

from controller.game.conditions import CardsDealt, HandWins, Tied
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
    Layout,
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

MBS_DRAGON_TIGER_BACCARAT = Rulebook(
    id="mbs-dragon-tiger-baccarat",
    title="Dragon Tiger Baccarat (MBS)",
    version=None,
    in_force=date(2023, 12, 7),
    # 2. Mode of play
    decks=Decks(4, 10, clause="2.1"),
    layouts=(
        *(Layout(f"Appendix {letter}", (1, 8), clause="2.2") for letter in "ABC"),
        Layout("Appendix D", (1, 9), clause="2.2"),
        Layout("Appendix E", (8, 16), clause="2.2"),
        *(Layout(f"Appendix {letter}", (1, 8), clause="2.2") for letter in "FGHIJK"),
    ),
    # 3. How to play
    methods=(
        Method(
            "A",
            "the dealer draws, players squeeze",
            "3.10",
            choice="3.9.2",
            face_down=True,
            handling="3.10.2",
            draws="3.10.1",
            dealer_keeps_device="3.9.1",
            passing=Passing(
                highest="3.10.2",
                next_highest="3.10.3",
                first_of_equals="3.10.4",
                next_equal="3.10.5",
                named="3.10.4.1",
            ),
            first="3.10.6",
            thirds_exposed="3.10.7",
        ),
        Method(
            "B",
            "the dealer draws and keeps the cards",
            "3.11",
            choice="3.9.2",
            handling="3.11.2",
            draws="3.11.1",
            dealer_keeps_device="3.9.1",
            laid="3.11.1",
        ),
        Method(
            "C",
            "a player draws",
            "3.12",
            chosen_by=Role.ASSISTANT_CASINO_MANAGER,
            choice="3.9.2",
            face_down=True,
            hlga_only=True,
            player_draws=True,
            handling="3.12.3",
            without_wager="3.12.2",
            draws="3.12.1",
            control=Control(keeps="3.12.8", in_view="3.12.4", given_up="3.12.8.1", lost="3.12.8.2"),
            laid="3.12.5",
            thirds_drawn="3.12.6",
            thirds_exposed="3.12.7",
        ),
    ),
    method_of_round="3.9",
    play=TableOfPlay(
        values=(Worth(ACE_TO_NINE, clause="3.3.1"), Worth(TEN_AND_FACES, clause="3.3.2")),
        natural=Natural(frozenset({8, 9}), clause="3.14"),
        player_draws=Draws(ZERO_TO_FIVE, clause="3.14"),
        banker_draws_alone=Draws(ZERO_TO_FIVE, clause="3.14"),
        banker_draws=BankerDraws(BANKER_DRAWS_AGAINST, clause="3.14"),
    ),
    # 1.1, 3.5, 3.15 and 4. Settlement
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
            wins=Tied(clause="1.1.14"),
            pays=(Pays(Fraction(8), clause="4.1"),),
        ),
        Wager(
            "dragon_tiger",
            "Dragon Tiger",
            area="2.2.4",
            offered="3.5",
            wins=HandWins(Side.PLAYER, total=7, over=6, clause="1.1.3"),
            pays=(
                Pays(Fraction(100), when=CardsDealt(6, clause="4.2"), clause="4.2"),
                Pays(Fraction(40), when=CardsDealt(5, clause="4.2"), clause="4.2"),
                Pays(Fraction(30), when=CardsDealt(4, clause="4.2"), clause="4.2"),
            ),
        ),
        Wager(
            "big_dragon",
            "Big Dragon",
            area="2.2.5",
            offered="3.5",
            wins=HandWins(Side.PLAYER, total=7, cards=3, clause="1.1.1"),
            pays=(Pays(Fraction(30), clause="4.3"),),
        ),
        Wager(
            "small_dragon",
            "Small Dragon",
            area="2.2.6",
            offered="3.5",
            wins=HandWins(Side.PLAYER, total=7, cards=2, clause="1.1.9"),
            pays=(Pays(Fraction(15), clause="4.3"),),
        ),
        Wager(
            "big_tiger",
            "Big Tiger",
            area="2.2.7",
            offered="3.5",
            wins=HandWins(Side.BANKER, total=6, cards=3, clause="1.1.2"),
            pays=(Pays(Fraction(50), clause="4.3"),),
        ),
        Wager(
            "small_tiger",
            "Small Tiger",
            area="2.2.8",
            offered="3.5",
            wins=HandWins(Side.BANKER, total=6, cards=2, clause="1.1.10"),
            pays=(Pays(Fraction(22), clause="4.3"),),
        ),
    ),
    # 3.5 to 3.7 and the limits among 5. Irregularities
    open_call=Call("place_your_bets", clause="3.1"),
    close_call=Call("no_more_bets", clause="3.2"),
    irregularities=irregularities_mbs.IRREGULARITIES,
    uncovered=irregularities_mbs.UNCOVERED,
    any_squeezer="3.16",
    cutting_card=CuttingCard("3.17", withdraw="3.17.1"),
    limits=Limits(
        per_area=AreaLimit(3, clause="3.7", fewer="3.7.1"),
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
