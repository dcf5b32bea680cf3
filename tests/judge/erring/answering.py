"""What the robot says when the table asks: the truth, by whoever has to say it; and what those who
may not say it try first."""

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from judge import money
from judge.erring.bench import has_word
from judge.erring.dealer import NEW_DECK, SIDES, Dealer, card_line
from judge.erring.found import Difference, TableIsStuck
from judge.erring.staff import DEALER, Person, somebody, too_low
from judge.play import Layout
from judge.situation import Does, Report, Ruling, When

ALONE = "by one person alone"


@dataclass
class Seen:
    """What the table did about a report."""

    does: Does = Does.GOES_ON
    clauses: set[str | None] = field(default_factory=set)
    role: str | None = None
    asked: list[str] = field(default_factory=list)
    approved: bool = False
    """Somebody else had to approve something other than a void."""
    second_refused: bool = False
    void_refused: bool = False
    """What was refused was a void that the book prescribes."""


class Answering:
    """Answers the questions of one report's case."""

    dealer: Dealer
    report: Report
    random: Random
    reporter: Person
    first: Person
    seen: Seen
    allowed: tuple[Ruling, ...]
    second_refuses: bool

    def compared(self) -> Ruling:
        raise NotImplementedError

    def _stuck(self, why: str) -> TableIsStuck:
        return TableIsStuck(f"{self.report.what}: {why}", "", self.dealer.table.view["asks"])

    def _answer(self, ask: dict[str, Any]) -> None:
        self.seen.asked.append(ask["ask"])
        match ask["do"]:
            case "approve":
                self._approve(ask)
            case "decide":
                self._decide(ask)
            case "enter_card":
                self._enter()
            case _:
                self._fact(ask)

    def _fact(self, ask: dict[str, Any]) -> None:
        report, role = self.report, ask["role"] or "dealer"
        match ask["ask"]:
            case "order":
                self._say_order(ask)
                return
            case "missing":
                self._missing(ask)
                return
            case "order_known" if report.order_known:
                given: dict[str, Any] = {"order": list(report.order)}
            case "order_known":
                given = {"value": False}
            case "lies":
                assert report.lies is not None, "the table asks where cards lie"
                given = {"lies": numbers_of(report.lies)}
            case fact if hasattr(report, fact):
                given = {"value": getattr(report, fact)}
            case "may_withdraw" | "interrupted":
                given = {"value": False}
            case _:
                raise self._stuck(f"a question nobody foresaw: {ask['ask']}")
        says = somebody(self.random, role)
        if not self.dealer.says_as(says, "answer", **given):
            raise self._stuck(f"the truth is refused: {ask['ask']} {self.dealer.table.code}")
        if report.by_shoe:  # the first person who speaks of it
            self.reporter = self.first = says

    def _say_order(self, ask: dict[str, Any]) -> None:
        """The role the clause names says it, and the reporter is somebody else (reading 30)."""
        self.seen.role = ask["role"]
        order, what = list(self.report.order), self.report.what
        low = too_low(ask["role"])
        if low is not None:
            line = low.says("answer", order=order)
            self.dealer.must_not(line, f"{what}: the order said by a {low.role}")
        if self.reporter.rank >= Person("", ask["role"]).rank:
            line = self.reporter.says("answer", order=order)
            self.dealer.must_not(line, f"{what}: the order said by the reporter {ALONE}")
        says = somebody(self.random, ask["role"], self.reporter.name)
        if not self.dealer.says_as(says, "answer", order=order):
            raise self._stuck(f"the order is refused: {self.dealer.table.code}")

    def _missing(self, ask: dict[str, Any]) -> None:
        """5.11: two cards are kept, the rest is sorted, and what is absent is told."""
        dealer = self.dealer
        self.seen.does, self.seen.role = Does.MISSING, ask["role"]
        self.seen.clauses.add(ask["clause"])
        if not any(each.does is Does.MISSING for each in self.allowed):
            self.compared()
        for _ in range(2):
            card = replace(dealer.takes(), exposed=False)
            dealer.must(card_line(card))
            dealer.cards.append(card)
        left = Counter(NEW_DECK * 4)
        left.subtract(card.face for card in dealer.cards)
        counted = dict(left)
        low = too_low(ask["role"])
        assert low is not None
        dealer.must_not(low.says("answer", left=counted), f"5.11: counted by a {low.role}")
        says = somebody(self.random, ask["role"], self.reporter.name)
        dealer.must(says.says("answer", left=counted), "5.11: the count")
        dealer.must_replace = True

    def _approve(self, ask: dict[str, Any]) -> None:
        """Somebody other than the reporter, pit supervisor or above (readings 16, 30)."""
        what, first = self.report.what, self.first
        case = self.dealer.table.view["case"]
        if case is not None and case["asker"] is None:  # the table found it: somebody asks first
            self.dealer.must(first.says("approve"), f"{what}: somebody asks for a void")
            return
        self.dealer.must_not(first.says("approve"), f"{what}: approved {ALONE}")
        low = too_low("pit_supervisor", first.name)
        if low is not None:
            self.dealer.must_not(low.says("approve"), f"{what}: approved by a {low.role}")
        before = self.dealer.table.view["void"]
        second = somebody(self.random, ask["role"] or "pit_supervisor", first.name)
        if self.second_refuses:
            self._refuse(second)
            return
        self.dealer.must(second.says("approve"), f"{what}: the second person")
        if self.dealer.table.view["void"] == before:
            self.seen.approved = True

    def _refuse(self, second: Person) -> None:
        """Nothing is done on the first person's word: a card is asked for anew, all else is for
        whoever decides what no rule covers."""
        dealer, what = self.dealer, self.report.what
        hands, void = dealer.table.view["hands"], dealer.table.view["void"]
        dealer.must(second.says("refuse"), f"{what}: the second person refuses")
        view = dealer.table.view
        if (view["hands"], view["void"]) != (hands, void):
            raise Difference(f"{what}: done although it was refused", hands, view["hands"])
        self.second_refuses = False
        asks = [ask["ask"] for ask in view["asks"]]
        if asks not in (["decide"], ["enter"]):
            raise Difference(f"{what}: what follows a refusal", "a decision", asks)
        self.seen.second_refused = asks == ["decide"]
        self.seen.void_refused = any(each.does is Does.VOID for each in self.allowed)
        dealer.tally.reports[f"{what} refused by the second person"] += 1

    def _decide(self, ask: dict[str, Any]) -> None:
        dealer, what = self.dealer, self.report.what
        self.seen.role = ask["role"]
        self.seen.clauses.add(ask["clause"])
        if ask["ask"] == "put_right":
            self.seen.does = Does.PUT_RIGHT
            self._remove(ask)
            return
        self.seen.does = Does.REFERRED
        low = too_low(ask["role"])
        if low is not None:
            dealer.must_not(low.says("decide", text="no"), f"{what}: decided by a {low.role}")
        decider = somebody(self.random, ask["role"], self.reporter.name)
        earlier = self.report.round is not None and self.report.round < dealer.round
        if earlier:
            line = decider.says("decide", text="void", outcome="void")
            dealer.must_not(line, f"{what} of an earlier round moves money")
        if self.seen.second_refused and self.seen.void_refused:
            # Reading 34: it happened or it did not, and nothing else is decided.
            for other in ("remove", "reconstruct"):
                line = decider.says("decide", text="otherwise", outcome=other)
                dealer.must_not(line, f"{what}: a refused void is decided otherwise")
        may_void = dealer.when is not When.OVER and not earlier
        outcome = "void" if may_void and self.random.random() < 0.3 else "go_on"
        dealer.must(decider.says("decide", text="so be it", outcome=outcome), f"{what}: decided")
        if not earlier:
            dealer.decided.append((what, self.report.cards))

    def _remove(self, ask: dict[str, Any]) -> None:
        """Wagers come off, or a part of them, until the limit is met."""
        dealer, under = self.dealer, self.report.what == "under_minimum"
        limits, live = dealer.way.limits, [w for w in dealer.wagers if not w.given_back]
        less = {w.id: w.amount for w in live if limits.under(w)} if under else self._too_much()
        stakes = {wager.id: wager.amount for wager in live}
        off = [
            each if amount == stakes[each] else {"id": each, "amount": amount}
            for each, amount in less.items()
        ]
        decider = somebody(self.random, ask["role"], self.reporter.name)
        if dealer.situation().rws and not under and any(less[each] < stakes[each] for each in less):
            whole = {"text": "all of it", "outcome": "remove", "remove": list(less)}
            dealer.must_not(decider.says("decide", **whole), f"{self.report.what}: more than 5.1")
        given = {"text": "these come off", "outcome": "remove", "remove": off}
        dealer.must(decider.says("decide", **given), f"{self.report.what}: wagers come off")
        dealer.wagers = money.lessened(dealer.wagers, less)

    def _too_much(self) -> dict[str, int]:
        """How much of which wager comes off: of the heavier side, in RWS of standing players before
        seated ones."""
        dealer, less = self.dealer, dict[str, int]()
        limit, minimum = dealer.way.limits.differential or 0, dealer.way.limits.minimum or 0
        while now := money.heaviest(dealer.way.book, money.lessened(dealer.wagers, less), limit):
            most, excess = now
            part = has_word("decrease") and most.amount - excess >= minimum
            # RWS 5.1: only the excess is rejected; a rest under the minimum goes whole.
            bound = dealer.situation().rws or self.random.random() < 0.5
            taken = excess if part and bound else most.amount
            less[most.id] = less.get(most.id, 0) + taken
        return less

    def _enter(self) -> None:
        named = next(iter(self.report.cards), self.dealer.unread)
        number = self.dealer.table.view["case"]["card"] or named
        face = next((c.face for c in self.dealer.cards if c.n == number), None)
        if face is None:
            raise self._stuck("a card is asked for where none lies")
        self.first = DEALER
        self.dealer.must(self.first.says("enter_card", card=face), "enter_card")


def numbers_of(lies: Layout) -> dict[str, list[int]]:
    return {side: lies.numbers(side) for side in SIDES}
