"""What no person alone may bring about, checked after every step of an episode.

Cards, outcome and money are judged by the documents (`oracle`) and by the cards as they were sent;
of the product only what it shows is looked at.
"""

import re
from collections.abc import Sequence
from copy import copy
from typing import Final, NamedTuple

from msgspec.structs import replace

from adversary.judge import money, oracle
from adversary.judge.sanction import Sanctions, play
from adversary.setting import RWS, WITH_METHODS, Line, Setting
from controller.engine.step import Answer
from controller.journal.records import SUMMARY, Entry
from controller.table.cards import Drawn
from controller.table.phases import Phase
from controller.table.requests import CorrectCard
from controller.table.state import PlacedWager, Round, Table
from controller.views import audience

MOVED: Final = "exposed_card_moved"
OUTCOME: Final = "outcome_changed"
LOST: Final = "lost_wager_back"
PAID: Final = "paid_wrong"
SEALED: Final = "sealed_card_told"
OTHER_ROUND: Final = "other_round_touched"
DIFFERENTIAL: Final = "differential_closed_over"
STUCK: Final = "wager_cannot_be_settled"
SHOE: Final = "shoe_by_one_person"
SHOWN: Final = "shown_while_options_are_open"
UNRECORDED: Final = "second_person_not_recorded"
CRASHED: Final = "table_crashed"
HANDLED: Final = "hand_passed_to_the_wrong_person"
INVARIANTS: Final = (
    MOVED, OUTCOME, LOST, PAID, SEALED, OTHER_ROUND, DIFFERENTIAL, STUCK, SHOE, SHOWN,
    UNRECORDED, HANDLED, CRASHED,
)  # fmt: skip

BY_TWO: Final = frozenset({MOVED, OUTCOME, LOST, PAID, DIFFERENTIAL, SHOE})
"""What an approval row gives to two people together; the others nobody may do."""

COMES_LATER: Final = frozenset({OUTCOME, PAID})
"""What two people did shows in these when the round is settled, by somebody's ordinary word."""
CARRIES_ON: Final = (
    "report", "answer", "option", "close_offer", "approve", "refuse", "decide", "enter_card",
)  # fmt: skip
"""Words by which a case goes on; what is dealt meanwhile is no ruling."""
STAKES: Final = ("place", "raise", "decrease", "withdraw")
ANSWERS_A_REQUEST: Final = ("approve", "refuse")
"""Where somebody has asked for something, a count for one, these answer that and no case."""


ALL_CARDS: Final = re.compile(r"""(?:["'][2-9TJQKA][SHDC]["'],? ?){52}""")
"""A list of every card there is, as of a count in which any may be missing, tells of none."""


class Violation(NamedTuple):
    invariant: str
    says: str


class Step(NamedTuple):
    """One line and what it led to."""

    line: Line
    before: Table
    answer: Answer
    entries: tuple[Entry, ...]
    drawn: str | None = None
    """What the card is that left the shoe, whatever somebody called it."""

    @property
    def after(self) -> Table:
        return self.answer.table

    @property
    def verb(self) -> str:
        return str(self.line.get("do") or self.line.get("event"))


class Watch:
    """Through one episode."""

    def __init__(self, chosen: Setting) -> None:
        self._book = chosen.book
        self._method = chosen.method
        self._faces: dict[int, str] = {}
        self._start = 1
        """The place of the round's first card among all that were drawn."""
        self._decided: dict[str, tuple[PlacedWager, str]] = {}
        """Wagers of the round that exposed cards had decided, and how."""
        self._as_they_lie = False
        """Cards that nobody had seen lie elsewhere by somebody's word (RWS 5.12.1, reading 22)."""
        self._past: tuple[str, ...] = ()
        """The road of the rounds before this one."""
        self._sanctions = Sanctions()

    def fork(self) -> "Watch":
        other = copy(self)
        other._faces, other._decided = dict(self._faces), dict(self._decided)
        other._sanctions = self._sanctions.fork()
        return other

    def check(self, step: Step, look_closely: bool = True) -> Violation | None:
        """The first thing that is wrong with a step; views are made where one looks closely."""
        if not step.answer.accepted:
            return self._refused(step) or (self._sealed(step) if look_closely else None)
        self._note_cards(step)
        self._sanctions.note(step.before, step.after, step.line)
        found = self._what_is_wrong(step)
        if found is None and (look_closely or step.verb == "expose"):
            found = self._sealed(step)
        if found is not None and found.invariant in BY_TWO:
            found = self._by_two(step, found)
        if found is None:
            self._note_round(step)
        return found

    def _by_two(self, step: Step, found: Violation) -> Violation | None:
        if not self._sanctions.cover(step.before, later=found.invariant in COMES_LATER):
            return found
        self._decided.clear()
        # A call that two make is written down as the words of both.
        in_words = found.invariant == DIFFERENTIAL or self._sanctions.confirmed(step.before)
        if in_words or self._sanctions.recorded(step.after):
            return None
        return Violation(UNRECORDED, f"by two people, but not written down: {found.says}")

    def _what_is_wrong(self, step: Step) -> Violation | None:
        return (
            self._touched_other_round(step)
            or _another_shoe(step)
            or self._moved(step)
            or self._wagers(step)
            or _shown_to_choosers(step)
            or self._over_differential(step)
            or self._handled(step)
            or self._ended(step)
        )

    # --- what is known -----------------------------------------------------------------------

    def _note_cards(self, step: Step) -> None:
        if step.drawn is not None and step.after.shoe is not None:
            self._faces[step.after.shoe.drawn] = step.drawn
        if _order_may_be_said(step):
            self._note_order(step)
        if self._book == RWS and _laid_blindly(step):
            self._as_they_lie = True

    def _note_order(self, step: Step) -> None:
        """Cards that came out together and that nobody had seen are in the order that was said:
        those named, next to each other as they were drawn, or the last two."""
        before, after = step.before.round, step.after.round
        if before is None or after is None or before.cards is after.cards:
            return
        was = {drawn.n: drawn.card for drawn in before.cards if not drawn.exposed}
        now = {drawn.n: drawn.card for drawn in after.cards if drawn.n in was}
        others = {n for n, face in now.items() if face != was[n]} - _together(step, before)
        if not others and sorted(map(str, was.values())) == sorted(map(str, now.values())):
            self._faces.update({n: face for n, face in now.items() if face is not None})

    def _note_round(self, step: Step) -> None:
        before, after = step.before, step.after
        if after.history.rounds != before.history.rounds:
            self._decided, self._past, self._as_they_lie = {}, after.history.results, False
            self._start = min([drawn.n for drawn in after.carried] + [_next_card(after)])
            if self._sanctions.changed(before):  # the order two people said holds for these too
                self._faces.update({each.n: each.card for each in after.carried if each.card})
        if after.history.shoes != before.history.shoes:
            self._faces, self._past = {}, ()
        if after.round is None:
            return
        if _begun_anew(before, after):
            self._start = _next_card(after)
            self._decided = {}
        if after.round is not before.round and not after.round.over:
            self._note_decided(after.round)

    def _note_decided(self, round_: Round) -> None:
        if not any(drawn.exposed for drawn in round_.cards):
            return
        player, banker = _shown(round_, "player"), _shown(round_, "banker")
        for wager in round_.wagers:
            if wager.returned_by is None and wager.id not in self._decided:
                how = oracle.decided(self._book, wager.wager, player, banker)
                if how is not None:
                    self._decided[wager.id] = (wager, how)

    # --- what may not be ---------------------------------------------------------------------

    def _touched_other_round(self, step: Step) -> Violation | None:
        before, after = step.before, step.after
        for entry in step.entries:
            if entry.kind == SUMMARY and entry.round != before.history.rounds:
                return Violation(OTHER_ROUND, f"round {entry.round} is summed up again")
        if (
            after.history.shoes == before.history.shoes
            and after.history.results[: len(self._past)] != self._past
        ):
            return Violation(OTHER_ROUND, "the road of earlier rounds is another")
        number = before.round.number if before.round else None
        named = step.line.get("with", {}).get("round") if step.verb == "report" else None
        answered = len(after.requests) < len(before.requests)
        asked = answered and step.verb in ANSWERS_A_REQUEST
        # A report that names no round is of the one in play, whatever case is open.
        goes_on = step.verb in CARRIES_ON and step.verb != "report"
        if named is None and before.case is not None and goes_on and not asked:
            named = before.case.about.round
        if named in (None, number) or after.history.rounds != before.history.rounds:
            return None
        if play(before.round) != play(after.round):
            return Violation(OTHER_ROUND, f"a report of round {named} changes round {number}")
        return None

    def _moved(self, step: Step) -> Violation | None:
        before, after = step.before.round, step.after.round
        if before is None or after is None or after is before or after.number != before.number:
            return None
        if after.cards is before.cards:
            return None
        lie = {_place(drawn) for drawn in after.cards}
        if step.after.devices.by_hand is not None:
            # One person says what a card is that lies open and has no name yet. It lies where it
            # lay; whether it is that card is seen where the round is settled.
            lie |= {_place(replace(drawn, card=None)) for drawn in _named_now(before, after)}
        for drawn in before.cards:
            if drawn.exposed and drawn.hand is not None and _place(drawn) not in lie:
                return Violation(MOVED, f"{_place(drawn)} lies there no more: {sorted(lie)}")
        return None

    def _wagers(self, step: Step) -> Violation | None:
        before, after = step.before.round, step.after.round
        if before is None or after is None or after.number != before.number:
            return None
        if after.wagers is before.wagers:
            return None
        lie = {wager.id: wager for wager in after.wagers}
        for wager, how in self._decided.values():
            now = lie.get(wager.id)
            if now is None or now.returned_by is not None or now.amount != wager.amount:
                kind = LOST if how == "lose" else PAID
                return Violation(kind, f"wager {wager.id} was decided ({how}) and is {now}")
        if step.verb in STAKES and any(drawn.exposed for drawn in before.cards):
            return Violation(PAID, f"{step.verb} was taken after cards were exposed")
        return None

    def _over_differential(self, step: Step) -> Violation | None:
        before, after = step.before.round, step.after.round
        closed = before is not None and after is not None and before.betting and not after.betting
        if not closed or after is None or after.terms.limits is None or after.over:
            return None
        most = after.terms.limits.differential
        if self._book in WITH_METHODS:
            by = money.differential(after.wagers)
        elif self._book == RWS:
            by = max((money.differential(box) for box in money.boxes(after.wagers)), default=0)
        else:
            return None
        if most is None or by <= most:
            return None
        return Violation(DIFFERENTIAL, f"closed with {by} where {most} is the most")

    def _handled(self, step: Step) -> Violation | None:
        """Whose a hand is: nobody's before the call; in RWS by staff's leave (3.9); in Method A the
        player's who has most on it of those who have not refused (3.9.2)."""
        before, after = step.before.round, step.after.round
        if after is None or not after.handling.handlers:
            return None
        if after.betting:
            return Violation(HANDLED, f"{after.handling.handlers} while wagers are open")
        if (
            step.verb != "accept_cards"
            or before is None
            or after.handling.handlers == before.handling.handlers
        ):
            return None
        given = step.line["with"]
        own = step.line["from"] == "player"  # a player speaks for themselves, whoever they name
        side, who = given["hand"], step.line["who"] if own else given.get("player")
        if self._book == RWS and own:
            return Violation(HANDLED, f"{who} squeezes {side} without leave")
        if before.method == "A" and not given.get("leave"):  # whichever the table began with
            return _to_the_highest(before, side, who)
        return None

    def _ended(self, step: Step) -> Violation | None:
        before, round_ = step.before.round, step.after.round
        if round_ is None or not round_.over or round_ is before:
            return None
        if round_.void_by is not None:
            was = before is not None and before.void_by is not None
            return None if was else Violation(OUTCOME, f"round {round_.number} is void")
        return self._outcome(step.after, round_) or self._money(step, round_)

    def _outcome(self, table: Table, round_: Round) -> Violation | None:
        played = oracle.dealt(self._book, self._drawn(round_))
        hands = (_all(round_, "player"), _all(round_, "banker"))
        if [*map(_unordered, hands)] != [_unordered(played.player), _unordered(played.banker)]:
            says = f"{hands} were settled, {(played.player, played.banker)} were drawn"
            return Violation(OUTCOME, says)
        if table.history.results[-1][:1] != played.outcome[0].upper():
            return Violation(
                OUTCOME, f"{played.outcome} wins, the road says {table.history.results[-1]}"
            )
        return None

    def _money(self, step: Step, round_: Round) -> Violation | None:
        before = step.before.round
        if before is not None and before.over:
            otherwise = before.paid != round_.paid
            return Violation(PAID, "a settled round is paid otherwise") if otherwise else None
        played = oracle.dealt(self._book, self._drawn(round_))
        # Who had a wager under the minimum let pass before is as the table has it: the robot that
        # errs is judged on that over whole shoes.
        once = step.before.day.under_minimum_before
        wrong = money.wrong(self._book, round_, played, once)
        return None if wrong is None else Violation(PAID, wrong)

    def _drawn(self, round_: Round) -> list[str]:
        """The round's cards in the order in which the table of play takes them."""
        drawn = [face for n, face in sorted(self._faces.items()) if n >= self._start]
        if not self._as_they_lie:
            return drawn
        pairs = zip(_all(round_, "player")[:2], _all(round_, "banker")[:2], strict=False)
        initial = [str(face) for pair in pairs for face in pair]
        return [*initial, *(face for face in drawn if face not in initial)]

    def _refused(self, step: Step) -> Violation | None:
        """Money waits for the second person's word on a correction, and for nothing else."""
        request = step.before.request
        corrected = request is not None and isinstance(request.subject, CorrectCard)
        settles = step.verb == "settle" and step.answer.state == Phase.SETTLING.value
        if settles and not corrected:
            return Violation(STUCK, f"settle is refused: {step.answer.why}")
        return None

    def _sealed(self, step: Step) -> Violation | None:
        """A face that nobody may see yet stands in no answer, view or record."""
        table = step.after
        lying = (*(table.round.cards if table.round else ()), *table.carried)
        shown = {drawn.card for drawn in lying if drawn.exposed}
        read = set(self._faces.values()) - shown  # what people say a card is they may say
        hidden = [drawn.card for drawn in lying if not drawn.exposed and drawn.card in read]
        if not hidden:
            return None
        views = audience.render_views(table, step.answer.rules)
        told = repr((views, step.answer.why, [entry.body for entry in step.entries]))
        named = [face for face in hidden if face is not None and face in told]
        if not named:
            return None
        told = ALL_CARDS.sub("", told)
        for face in named:
            if re.search(rf"\b{face}\b", told):
                return Violation(SEALED, f"{face} lies face down and is told")
        return None


def _named_now(before: Round, after: Round) -> list[Drawn]:
    """Cards that lay open without a name, and have one."""
    unnamed = {drawn.n for drawn in before.cards if drawn.exposed and drawn.card is None}
    return [drawn for drawn in after.cards if drawn.n in unnamed]


def _order_may_be_said(step: Step) -> bool:
    """Reading 16: of cards that a `simultaneous` report is about, and of no others."""
    case = step.before.case or step.after.case
    reported = step.verb == "report" and step.line["with"]["what"] == "simultaneous"
    return reported or (case is not None and case.id == "simultaneous")


def _together(step: Step, round_: Round) -> set[int]:
    """The cards that a report says came out together, if they can have."""
    given = step.line.get("with", {}) if step.verb == "report" else {}
    case = step.before.case
    about = case.about.cards if case is not None and not given else ()
    drawn = sorted(each.n for each in round_.cards)
    named = sorted(given.get("cards") or about or drawn[-2:])
    return set(named) if named == list(range(named[0], named[0] + len(named))) else set()


def _laid_blindly(step: Step) -> bool:
    """Whether a report put cards on another hand that nobody had seen."""
    before, after = step.before.round, step.after.round
    if before is None or after is None or before.cards is after.cards:
        return False
    case = step.before.case or step.after.case
    what = case.id if case is not None else step.line.get("with", {}).get("what")
    hands = {drawn.card: drawn.hand for drawn in after.cards}
    hidden = [drawn for drawn in before.cards if not drawn.exposed and drawn.hand is not None]
    moved = any(hands.get(drawn.card) is not drawn.hand for drawn in hidden)
    return what in ("wrong_order", "wrong_number") and moved


def _another_shoe(step: Step) -> Violation | None:
    if step.after.history.shoes == step.before.history.shoes:
        return None
    return Violation(SHOE, f"shoe {step.after.history.shoes} is in play")


def _shown_to_choosers(step: Step) -> Violation | None:
    """Reading 20: whoever may take a wager back is not shown more cards first."""
    offered = step.before.case is not None and step.before.case.offer is not None
    if offered and step.verb == "expose":
        return Violation(SHOWN, "cards are exposed while players may take wagers back")
    return None


def _to_the_highest(round_: Round, side: str, who: str) -> Violation | None:
    """Whether somebody who has not refused the hand has more on it."""
    stakes = money.on_hand(round_.wagers, side)
    refused = {
        each for hand, by in round_.handling.refusals.items() if hand.value == side for each in by
    }
    more = [each for each in stakes if stakes[each] > stakes.get(who, 0) and each not in refused]
    return Violation(HANDLED, f"{who} gets {side}, {more} have more: {stakes}") if more else None


def _begun_anew(before: Table, after: Table) -> bool:
    """Wagers were opened again before anybody saw a card (5.9): the cards drawn are out of play."""
    if before.round is None or after.round is None or not before.round.cards:
        return False
    return before.round.number == after.round.number and not after.round.cards


def _next_card(table: Table) -> int:
    return table.shoe.drawn + 1 if table.shoe else 1


def _place(drawn: Drawn) -> str:
    where = drawn.hand.value if drawn.hand else "aside"
    which = drawn.card or f"card {drawn.n}"
    return f"{which} on {where}" + ("" if drawn.exposed else ", face down")


def _on(round_: Round, side: str) -> list[Drawn]:
    lying = [drawn for drawn in round_.cards if drawn.hand and drawn.hand.value == side]
    return sorted(lying, key=lambda drawn: drawn.n)


def _all(round_: Round, side: str) -> tuple[str | None, ...]:
    return tuple(drawn.card for drawn in _on(round_, side))


def _unordered(hand: Sequence[str | None]) -> list[str]:
    """Which of a hand's first two came first decides no wager."""
    return [*sorted(map(str, hand[:2])), *map(str, hand[2:])]


def _shown(round_: Round, side: str) -> tuple[str | None, ...]:
    return tuple(drawn.card if drawn.exposed else None for drawn in _on(round_, side))
