"""Whole shoes with mistakes at random moments; a table is given up at its first difference."""

from collections.abc import Callable, Collection
from dataclasses import replace
from random import Random

from judge import money
from judge.erring.bench import Bench, View
from judge.erring.carrying import Carrying, as_they_lie, reordered
from judge.erring.correcting import KIND, corrects
from judge.erring.dealer import CUT, SIDES, Dealer, card_line
from judge.erring.found import Difference, Tally
from judge.erring.mistakes import (
    DOES_NOT_HAPPEN,
    HAPPENS,
    OF_A_VOID_ROUND,
    of_an_earlier_round,
    shown_since,
    taken_unread,
)
from judge.erring.staff import PLAYERS, player_says
from judge.erring.ways import Way
from judge.situation import Does, Report, Ruling, When

MAX_ROUNDS = 120
"""Of one table; more than two shoes of four decks hold."""
WRONG = 0.75
"""Of all rounds go wrong, some of them twice."""

KINDS = ("happens",) * 6 + ("does not happen",) * 2 + ("earlier",)
NAMES = {"happens": tuple(HAPPENS), "does not happen": tuple(DOES_NOT_HAPPEN), "earlier": ()}

Spoils = Callable[[View], None]


class ErringTable:
    """One table from its opening to its last shoe, or to the first difference."""

    def __init__(
        self,
        way: Way,
        seed: int,
        tally: Tally,
        only: Collection[str] = (),
        spoils: Spoils | None = None,
    ) -> None:
        self._only = only
        self.random = Random(f"{way} {seed}")
        self.tally, self.way, self.seed = tally, way, seed
        self.bench = Bench(way.book, way.house(), spoils)
        self.dealer = Dealer(way, self.random, tally, self.bench)

    def play(self, rounds: int = MAX_ROUNDS) -> Difference | None:
        self.tally.tables += 1
        try:
            self.dealer.opens()
            for _ in range(rounds):
                if self.bench.phase == "changing_shoe":
                    self.dealer.loads()
                if not self.dealer.pile:
                    break
                self._round()
                self.tally.rounds += 1
        except Difference as found:
            found.way, found.seed, found.script = str(self.way), self.seed, self.bench.said
            self.tally.different.append(found)
            return found
        return None

    # --- a round --------------------------------------------------------------------------------

    def _round(self) -> None:
        dealer = self.dealer
        plan = self._plan()
        dealer.calls()
        dealer.takes_wagers()
        self._maybe(plan, 0.15)
        if dealer.when is When.BETTING:
            self._early_card()
            dealer.closes()
        while dealer.when is When.IN_PLAY:
            if self._runs_out():
                continue
            self._maybe(plan, 0.25)
            self._corrects(0.03)
            if dealer.when is When.IN_PLAY and dealer.layout.due == "reveal" and not dealer.unread:
                self._one_too_many(0.03)
            if dealer.when is When.IN_PLAY and not dealer.steps():
                self._complete(plan)
            elif dealer.is_betting:
                self._wager_again()
        self._corrects(0.08)
        self._maybe(plan, 0.5)
        if dealer.must_replace and self.bench.phase != "changing_shoe":
            raise Difference("the cards must be replaced", "changing_shoe", self.bench.phase)

    def _complete(self, plan: list[str]) -> None:
        """The hands are complete."""
        dealer = self.dealer
        self._one_too_many(0.06)
        self._maybe(plan, 0.4)
        if dealer.when is When.IN_PLAY and dealer.layout.complete:
            dealer.ends()

    def _runs_out(self) -> bool:
        """The shoe is empty and a card is due: the table knows, or the dealer says so."""
        dealer = self.dealer
        if dealer.pile or dealer.layout.due not in SIDES:
            return False
        self._report(Report("not_enough_cards"))
        return True

    def _plan(self) -> list[str]:
        """What goes wrong in this round: nothing, one thing or two."""
        if self.random.random() > WRONG:
            return []
        kinds = [kind for kind in KINDS if not self._only or set(self._only) & {kind, *NAMES[kind]}]
        if not kinds:
            return []
        return self.random.choices(kinds, k=self.random.choice((1, 1, 1, 2)))

    def _maybe(self, plan: list[str], chance: float) -> None:
        """Now, or at a later moment of the round."""
        if self._walks_off() or not plan or self.random.random() > chance:
            return
        report = self._thought_of(plan[0])
        if report is not None:
            plan.pop(0)
            self._report(report)

    def _walks_off(self) -> bool:
        """A player leaves with a card that nobody has read; nothing else goes wrong meanwhile."""
        dealer = self.dealer
        if dealer.unread is None or dealer.when is not When.IN_PLAY:
            return False
        report = taken_unread(dealer, self.random)
        if report is not None and len(dealer.pile) > 6 and CUT not in dealer.pile[-3:]:
            self._report(report)
            dealer.unread = None
        return True

    def _thought_of(self, kind: str) -> Report | None:
        if kind == "earlier":
            return of_an_earlier_round(self.dealer, self.random)
        makings = HAPPENS if kind == "happens" else DOES_NOT_HAPPEN
        names = [name for name in makings if not self._only or set(self._only) & {kind, name}]
        if self.dealer.void and kind == "happens":
            names = [name for name in names if name in OF_A_VOID_ROUND]
        for name in self.random.sample(names, min(4, len(names))):
            report = makings[name](self.dealer, self.random)
            if report is not None:
                return report
        return None

    def _corrects(self, chance: float) -> None:
        """A card is found to have been misread, while it is played or after the settlement."""
        wanted = not self._only or KIND in self._only
        asked = bool(self.bench.view["asks"] or self.bench.view["offers"])
        if not wanted or asked or self.dealer.when is When.BETTING or self.random.random() > chance:
            return
        came_of_it = corrects(self.dealer, self.random)
        if came_of_it is not None:
            self.tally.reports[f"{KIND} {came_of_it}"] += 1

    # --- mistakes with cards of their own -------------------------------------------------------

    def _early_card(self) -> None:
        """A card leaves the shoe before bets are closed: it begins the round."""
        if self.dealer.pile and not self.dealer.carried:
            self._one_too_many(0.02)

    def _one_too_many(self, chance: float) -> None:
        """A card is drawn that no hand can take yet, or at all."""
        dealer = self.dealer
        if self.random.random() > chance or len(dealer.pile) < 2 or dealer.layout.aside:
            return
        house_says = dealer.situation().rws and dealer.when is When.IN_PLAY
        can = not house_says or self.random.random() < 0.5
        report = Report("excess_card", reconstructable=can)
        card = dealer.takes()
        dealer.cards.append(card)
        carrying = Carrying(dealer, report)
        ruling = carrying.carry(card_line(card))
        self.tally.reports[f"excess_card drawn {ruling.does.value}"] += 1
        if not can and not dealer.situation().layout.complete:
            dealer.cards[-1] = replace(card, kept_out=True)
        self._afterwards(report, ruling, carrying)

    # --- reports --------------------------------------------------------------------------------

    def _report(self, report: Report) -> None:
        dealer = self.dealer
        late = {"late_wager": self._late_wager, "late_withdrawal": self._late_withdrawal}
        if report.what in late and report.happened and not report.wagers:
            late[report.what]()
        carrying = Carrying(dealer, report)
        ruling = carrying.carry()
        told = f"{report.what} by the shoe" if report.by_shoe else report.what
        self.tally.reports[f"{told} {ruling.does.value}"] += 1
        self._afterwards(report, ruling, carrying)

    def _afterwards(self, report: Report, ruling: Ruling, carrying: Carrying) -> None:
        """What is true now, by the documents; the table is held to it."""
        dealer, view = self.dealer, self.bench.view
        if view["void"] is not None and dealer.when is not When.OVER:
            dealer.when, dealer.void = When.OVER, True
            dealer.must_replace |= ruling.must_replace
            self.tally.void += 1
            dealer.check_void_money()
            dealer.carried += [replace(card, kept_out=False) for card in dealer.cards]
            return
        if ruling.does is Does.VOID and dealer.when is When.OVER:
            dealer.void = True
            dealer.check_void_money()
        if dealer.when is not When.IN_PLAY or ruling.does is Does.REFUSED:
            return
        self._moves(report, ruling, carrying)
        if ruling.does is Does.STRUCK:
            less = {each: wager_of(dealer, each).amount for each in report.wagers}
            dealer.wagers = money.lessened(dealer.wagers, less)
        if ruling.rebet:
            dealer.when, dealer.cards, dealer.handlers = When.BETTING, [], {}
        dealer.check_hands(f"after {report.what}")

    def _moves(self, report: Report, ruling: Ruling, carrying: Carrying) -> None:
        """Cards that were shown or laid anew, and hands that were taken back."""
        dealer = self.dealer
        if carrying.slipped is not None:
            n, slipped = carrying.slipped.n, carrying.slipped
            dealer.cards = [slipped if card.n == n else card for card in dealer.cards]
        if report.what == "exposed_in_error":
            dealer.cards = shown_since(dealer.cards, report.cards)
        if report.what == "simultaneous" and ruling.does is Does.OPTIONS:
            dealer.cards, dealer.laid_anew = reordered(dealer.cards, report), True
        if report.what == "wrong_order" and as_they_lie(carrying.at, report, ruling):
            dealer.lies, dealer.laid_anew = report.lies, True
        if report.what == "wrong_player" and ruling.does is Does.GOES_ON:
            dealer.handlers.pop(report.hand or "", None)

    def _wager_again(self) -> None:
        """5.9: after the reset players may wager before "No more bets" is called again."""
        dealer = self.dealer
        dealer.places(self.random.choice(PLAYERS), 1, "tie")
        dealer.drawer_has_a_wager()
        dealer.closes()

    def _late_wager(self) -> None:
        line = player_says("ann", "place", position=1, wager="tie", amount=1000)
        self.dealer.must_not(line, "a wager is placed after “No more bets”")

    def _late_withdrawal(self) -> None:
        for wager in self.dealer.wagers[:1]:
            line = player_says(wager.player, "withdraw", id=wager.id)
            self.dealer.must_not(line, "a wager is withdrawn after “No more bets”")


def wager_of(dealer: Dealer, wager: str) -> money.Wager:
    return next(each for each in dealer.wagers if each.id == wager)


def played(
    way: Way,
    seed: int,
    tally: Tally,
    only: Collection[str] = (),
    spoils: Spoils | None = None,
) -> Difference | None:
    """One table; `only` these mistakes, by name or kind; `spoils` is a table that is wrong."""
    return ErringTable(way, seed, tally, only, spoils).play()
