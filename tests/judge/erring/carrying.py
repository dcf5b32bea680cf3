"""A report is made, the table's questions are answered truthfully, and its ruling compared."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from judge.decided import decided, established
from judge.erring.answering import ALONE, Answering, Seen, numbers_of
from judge.erring.bench import has_field
from judge.erring.dealer import CUT, SIDES, Dealer, card_line
from judge.erring.found import Difference, TableIsStuck
from judge.erring.mistakes import shown_since
from judge.erring.staff import DEALER, SUPERVISOR, Line, player_says, somebody
from judge.play import Card, Layout, lay
from judge.rulings import judged
from judge.situation import Does, Offer, Report, Ruling, Situation, When
from judge.words import referred

MAX_ANSWERS = 40
REFUSES = 0.15
"""Of all second persons say no."""
SHOE_SAYS_TOGETHER = {"from": "shoe", "event": "error", "code": 5}


class Carrying(Answering):
    """One report from its first word to the end of its case."""

    def __init__(self, dealer: Dealer, report: Report) -> None:
        self.dealer, self.report, self.random = dealer, report, dealer.random
        self.reporter = self.random.choice((DEALER, DEALER, SUPERVISOR))
        self.first = self.reporter
        """Whose word it is that somebody else approves."""
        self.seen = Seen()
        self.second_refuses = self.random.random() < REFUSES
        cards = dealer.cards
        if report.what == "exposed_in_error" and report.happened:
            cards = shown_since(cards, report.cards)
        self.at = dealer.situation(cards)
        self.allowed = judged(self.at, report)
        self.lies_said = report.lies is not None and (
            not report.happened or self.random.random() < 0.6
        )
        self.offer: Offer | None = None
        self.shown = False
        """A card was shown while the offer was open."""
        self.takes_back: str | None = None
        """A player whose wager has been reported as late while the offer was open."""
        self.slipped: Card | None = None
        """A card that left the shoe while the offer was open."""
        self.before = dealer.table.view["hands"]

    # --- the words ------------------------------------------------------------------------------

    def line(self) -> Line:
        report, what = self.report, self.report.what
        if report.by_shoe:
            return SHOE_SAYS_TOGETHER
        given: dict[str, Any] = {"what": what}
        if report.round is not None:
            given["round"] = report.round
        if report.cards and has_field("report", "cards", what):
            given["cards"] = list(report.cards)
        if self.lies_said and report.lies is not None:
            given["lies"] = numbers_of(report.lies)
        if report.order_known and self.random.random() < 0.5:
            given["order"] = list(report.order)
        if report.hand is not None:
            given["hand"] = report.hand
        if report.wagers and has_field("report", "wagers", what):
            given["wagers"] = list(report.wagers)
        return self.reporter.says("report", **given)

    def carry(self, line: Line | None = None) -> Ruling:
        """Report, answer whatever is asked, compare; the ruling that the table followed."""
        dealer = self.dealer
        rulings = len(dealer.table.view["rulings"])
        void_before = dealer.table.view["void"]
        found_by_itself = bool(dealer.table.view["asks"])
        if not found_by_itself and not dealer.say(self.line() if line is None else line):
            if dealer.table.code in ("no_such_report_field", "no_such_field", "no_such_report"):
                raise TableIsStuck(f"a word that is not there: {dealer.table.code}", "", line or "")
            self.seen.does = Does.REFUSED
            return self.compared()
        for _ in range(MAX_ANSWERS):
            view = dealer.table.view
            if view["asks"]:
                self._answer(view["asks"][0])
            elif view["offers"]:
                self._options()
            else:
                break
        else:
            raise self._stuck("the table asks for ever")
        view = dealer.table.view
        off = {row["id"] for row in view["wagers"] if row["returned_by"] is not None}
        if self.report.wagers and set(self.report.wagers) <= off:
            self.seen.does = Does.STRUCK
        self.seen.clauses |= {each["clause"] for each in view["rulings"][rulings:]}
        if view["void"] != void_before or (dealer.table.view["void"] and void_before is None):
            self._found_void(view["void"])
            if self.seen.does is not Does.REFERRED:
                self.seen.does, self.seen.clauses = Does.VOID, set()
            self.seen.clauses.add(view["void"])
        return self.compared()

    def _found_void(self, clause: str) -> None:
        """A void that was refused and is found to be right is void by the same clause."""
        prescribed = {c for each in self.allowed if each.does is Does.VOID for c in each.clauses}
        if self.seen.void_refused and clause not in prescribed:
            what = self.report.what
            raise Difference(f"{what}: a refused void by another clause", prescribed, clause)

    # --- options --------------------------------------------------------------------------------

    def withdrawable(self, offer: Offer) -> dict[str, list[str]]:
        """By player, what exposed cards have not decided."""
        now = decided(self.at.book, self.dealer_layout(), offer.in_doubt)
        live = [w for w in self.dealer.wagers if not w.given_back and w.kind not in now]
        live.sort(key=lambda wager: wager.player)
        return {who: [w.id for w in of] for who, of in groupby(live, key=lambda w: w.player)}

    def dealer_layout(self) -> Layout:
        return lay(self._cards(), self.dealer.lies)

    def _cards(self) -> list[Card]:
        shown = self.report.cards if self.report.what == "exposed_in_error" else ()
        return shown_since(self.dealer.cards, shown if self.report.happened else ())

    def _options(self) -> None:
        """All the offer is compared, then every player chooses."""
        ruling = next((each for each in self.allowed if each.does is Does.OPTIONS), None)
        what, view = self.report.what, self.dealer.table.view
        if ruling is None or ruling.offer is None:
            says = " or ".join(each.does.value for each in self.allowed)
            offered = view["offers"][0]["clause"]
            moment = f"{what} ({_about(self.at, self.report)})"
            raise Difference(f"{moment}: {says} / options", says, f"options by {offered}")
        self.offer, self.seen.does = ruling.offer, Does.OPTIONS
        self.seen.clauses.add(view["offers"][0]["clause"])
        self._compare_offer(ruling.offer)
        self._while_open(ruling.offer)
        for player, ids in list(self.withdrawable(ruling.offer).items()):
            if self.dealer.table.view["offers"]:
                self._choose(player, ids, ruling.offer)

    def _compare_offer(self, offer: Offer) -> None:
        what, shown = self.report.what, self.dealer.table.view["withdrawable"]
        due = self.withdrawable(offer)
        seen = {who: sorted(each["wagers"]) for who, each in shown.items()}
        if seen != {who: sorted(ids) for who, ids in due.items()}:
            raise Difference(f"{what}: who may withdraw what", due, seen, str(offer))
        if any(each["each"] != offer.each for each in shown.values()):
            raise Difference(f"{what}: each by itself", offer.each, not offer.each)

    def _while_open(self, offer: Offer) -> None:
        """Reading 20: nothing is exposed by instruction; what is shown by mistake is exposed, and
        narrows the offer."""
        dealer, what = self.dealer, self.report.what
        self._void_comes_first(offer)
        self._names_a_wager(offer)
        if self._slips(offer):
            return
        now = dealer.layout
        hidden = [(s, c.n) for s in SIDES for c in now.hand(s) if not c.exposed]
        if not hidden:
            return
        line = DEALER.says("expose", hand=hidden[0][0])
        dealer.must_not(line, f"{what}: cards are exposed while options are open")
        if not self.at.mbs or self.random.random() < 0.6:
            return
        shown = self.random.choice(hidden)[1]
        line = self.reporter.says("report", what="exposed_in_error", cards=[shown])
        dealer.must(line, f"{what}: exposed_in_error while options are open")
        dealer.cards = shown_since(dealer.cards, (shown,))
        self.shown = True
        dealer.check_hands(f"after {what} and a card shown while options are open")
        over = offer.ends_when_established and established(self.at.book, dealer.layout)
        if over or not self.withdrawable(offer):
            if dealer.table.view["offers"]:
                raise Difference(f"{what}: the offer ends when all is decided", "ended", "open")
        else:
            self._compare_offer(offer)

    def _void_comes_first(self, offer: Offer) -> None:
        """A void that the book prescribes does not wait for choices; it is refused here, and found
        not to have happened, and everybody may choose as before."""
        dealer, what = self.dealer, self.report.what
        decided_before = any(each == "foreign_card" for each, _ in dealer.decided)
        if decided_before or self.random.random() > 0.1:
            return
        dealer.must(self.reporter.says("report", what="foreign_card"), "a void during an offer")
        for value in ("belongs", "approve"):
            view = dealer.table.view
            if view["offers"] or [each["ask"] for each in view["asks"]] != [value]:
                raise Difference(f"{what}: a void waits behind options", value, view["asks"])
            if value == "belongs":
                dealer.must(DEALER.says("answer", value=False))
        dealer.must(somebody(self.random, "pit_supervisor", self.reporter.name).says("refuse"))
        role = dealer.table.view["asks"][0]["role"]
        finds = somebody(self.random, role, self.reporter.name)
        dealer.must(finds.says("decide", text="it belongs", outcome="go_on"))
        dealer.decided.append(("foreign_card", ()))
        self._compare_offer(offer)

    def _names_a_wager(self, offer: Offer) -> None:
        """A late wager is reported that its player then takes back: nothing is left of it."""
        may = self.withdrawable(offer)
        closed = self.dealer.when is When.IN_PLAY
        if not may or not closed or offer.ends_when_established or self.random.random() > 0.15:
            return
        player, ids = next(iter(may.items()))
        if len(may) > 1 and has_field("report", "wagers", "late_wager"):
            line = self.reporter.says("report", what="late_wager", wagers=[ids[0]])
            self.dealer.must(line, "a late wager reported during an offer")
            self.takes_back = player

    def _slips(self, offer: Offer) -> bool:
        """A card slips out while an offer is open: it lies aside, sealed, takes nobody's option
        away, and is the next in drawn order when the offer ends (reading 20)."""
        dealer = self.dealer
        slips = self.report.what == "power_failure" and self.random.random() < 0.25
        at_hand = dealer.pile and CUT not in dealer.pile[-2:]
        if not slips or not at_hand or dealer.layout.due not in SIDES:
            return False
        card = dealer.takes()
        dealer.must(card_line(card), "a card slips out while options are open")
        dealer.cards.append(replace(card, exposed=False))
        self.slipped = card
        self._compare_offer(offer)
        return True

    def _choose(self, player: str, ids: list[str], offer: Offer) -> None:
        dealer, what = self.dealer, self.report.what
        staying = [w.id for w in dealer.wagers if w.player == player and w.id not in ids]
        if staying:
            line = player_says(player, "option", choice="withdraw", wagers=[*ids, staying[0]])
            dealer.must_not(line, f"{what}: a decided wager is withdrawn")
        some = ids[: len(ids) // 2]
        if some and not offer.each:
            line = player_says(player, "option", choice="withdraw", wagers=some)
            dealer.must_not(line, f"{what}: some wagers are withdrawn, not all or none")
        chance = 1.0 if player == self.takes_back else self.random.random()
        if chance < 0.4:
            dealer.must(player_says(player, "option", choice="play"))
            return
        back = some if some and offer.each and chance < 0.7 else ids
        dealer.must(player_says(player, "option", choice="withdraw", wagers=back))
        dealer.wagers = [replace(w, given_back=True) if w.id in back else w for w in dealer.wagers]

    # --- comparing ------------------------------------------------------------------------------

    def compared(self) -> Ruling:
        """The ruling the table followed, if it is one of those allowed."""
        what, seen = self.report.what, self.seen
        if seen.second_refused:
            self.allowed = tuple(map(self._goes_up, self.allowed))
        if self.shown and any(each.rebet for each in self.allowed):
            # 5.9 lets players wager again; knowing a card nobody may, and no clause covers that.
            self.allowed = (referred(self.at, "a card was shown before wagers were open again"),)
        self._offer_to_nobody()
        follows = [each for each in self.allowed if each.does is seen.does]
        moment = f"{what} ({_about(self.at, self.report)})"
        if not follows:
            says = " or ".join(
                f"{e.does.value} {'/'.join(map(str, e.clauses))}" for e in self.allowed
            )
            table = f"{seen.does.value} {sorted(map(str, seen.clauses))} {self.dealer.table.code}"
            raise Difference(
                f"{moment}: {says} / {seen.does.value}", says, table, self.allowed[0].why
            )
        for ruling in follows:
            if ruling.does is Does.REFUSED or set(ruling.clauses) & (seen.clauses or {None}):
                self._roles(moment, ruling)
                return ruling
        says = " or ".join("/".join(map(str, each.clauses)) for each in follows)
        if not seen.clauses and what == "excess_card":
            return follows[0]
        raise Difference(f"{moment}: clause", says, sorted(map(str, seen.clauses)))

    def _goes_up(self, _ruling: Ruling) -> Ruling:
        """What the second person refuses is not done: whoever decides what is not covered decides,
        and a void that is found to be right after all is the one that the book prescribes."""
        return referred(self.at, "the second person refused")

    def _offer_to_nobody(self) -> None:
        """Where every wager is decided already, nobody is asked and the round goes on."""
        for ruling in self.allowed:
            goes_on = ruling.offer is not None and self.seen.does is Does.GOES_ON
            if goes_on and ruling.offer is not None and not self.withdrawable(ruling.offer):
                self.seen.does = Does.OPTIONS

    def _roles(self, moment: str, ruling: Ruling) -> None:
        seen = self.seen
        if ruling.unasked and seen.asked:
            raise Difference(f"{moment}: somebody is asked", "nobody", seen.asked)
        if ruling.role is not None and seen.role != ruling.role:
            raise Difference(f"{moment}: whose word it is", ruling.role, seen.role)
        asks = self.report.lies is not None and not self.lies_said and self.report.happened
        needed = ruling.does in (Does.GOES_ON, Does.OPTIONS, Does.VOID)
        if asks and needed and "lies" not in seen.asked:
            raise Difference(f"{moment}: where cards lie is not asked", "asked", seen.asked)
        if self.must_be_approved(ruling) and not seen.approved:
            raise Difference(f"{moment}: an exposed card changes hands {ALONE}", "approval", "none")

    def must_be_approved(self, ruling: Ruling) -> bool:
        """Reading 16: an exposed card that goes to another hand than the table showed; and one that
        was among a hand's first two and is its third, or the other way round, as pairs and the
        table of play turn on that."""
        report, number = self.report, dict[int, int]()
        if report.what == "simultaneous" and ruling.does is Does.OPTIONS and report.order_known:
            after = lay(reordered(self.dealer.cards, report))
            number = dict(zip(report.order, sorted(report.order), strict=True))
        elif report.what == "wrong_order" and as_they_lie(self.at, report, ruling):
            assert report.lies is not None
            after = report.lies
        else:
            return False
        return any(
            card.exposed and place(after, side, number.get(card.n, card.n)) != (at < 2)
            for side in SIDES
            for at, card in enumerate(self.dealer.layout.hand(side))
        )


def place(layout: Layout, side: str, n: int) -> bool | None:
    """Whether a card is among the first two of that hand; None where it does not lie there."""
    numbers = [*layout.numbers(side)]
    return numbers.index(n) < 2 if n in numbers else None


def as_they_lie(at: Situation, report: Report, ruling: Ruling) -> bool:
    """RWS 5.12.1: what cannot be reconstructed is played as it lies (reading 22)."""
    return at.rws and ruling.does is Does.OPTIONS and not report.reconstructable


def reordered(cards: list[Card], report: Report) -> list[Card]:
    """The drawn order, with those that came together in the order that was said. A card's number is
    its place in that order."""
    by_number = {card.n: card for card in cards}
    said: Iterator[int] = iter(report.order)
    together = set(report.order)
    return [
        replace(by_number[next(said)], n=card.n) if card.n in together else card for card in cards
    ]


def _about(at: Situation, report: Report) -> str:
    if report.round is not None and report.round > at.round:
        return "a round never played"
    if not report.happened:
        return f"did not happen, {at.when.value}"
    if report.round is not None and report.round < at.round:
        return "earlier round"
    return at.when.value
