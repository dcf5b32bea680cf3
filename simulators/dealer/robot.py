"""The robot: a dealer, the staff and a few players, who play whole shoes, rightly or wrongly.

Its input is what people see: the table's lines and the cards it draws. In a round without mistakes
it computes each next step and the outcome from its own table of play, and raises `Disagreement`
where the table differs.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Final

from simulators.dealer import oracle
from simulators.dealer.answers import Known
from simulators.dealer.links import Line, Shoe, Stuck, Table
from simulators.dealer.mistakes import Mistake
from simulators.dealer.oracle import SIDES, Disagreement
from simulators.dealer.people import (
    ASSISTANT,
    DEALER,
    MANAGER,
    PLAYERS,
    SUPERVISOR,
    Person,
    Wager,
    handler,
    player_line,
    wagers,
)
from simulators.dealer.plan import Plan, Tally
from simulators.dealer.seat import Seat
from simulators.dealer.table_of_play import BANKER, PLAYER, next_hand, outcome
from simulators.dealer.wrongs import WRONGS
from simulators.kit.cards import CUTTING_CARD, number_of
from simulators.kit.contract import Refused

MAX_STEPS: Final = 300
"""Steps in one round with all its requests; a robot that needs more is in an endless loop."""
BETWEEN: Final = ("closed", "changing_shoe", "ready")


class Robot:
    """Plays one table. `pause` waits, or does nothing at full speed; `reported` receives every
    round."""

    def __init__(
        self,
        table: Table,
        shoe: Shoe,
        random: Random,
        plan: Plan | None = None,
        pause: Callable[[float], None] = lambda _seconds: None,
        reported: Callable[[Line], None] = lambda _line: None,
    ) -> None:
        self._random = random
        self._plan = plan or Plan()
        self._told = reported
        self._seat = Seat(table, shoe, random, self._plan, pause)
        self._hands: dict[str, list[str]] = {side: [] for side in SIDES}
        self._placed: list[Wager] = []
        self._mistake: Mistake | None = None
        self._drawer = 0
        self._to_burn = 0
        self._shoe_is_fresh = True

    @property
    def tally(self) -> Tally:
        return self._seat.tally

    # --- playing --------------------------------------------------------------------------------

    def play(self, rounds: Iterator[Mistake | None], most: int, shoes: int | None = None) -> Tally:
        """Play until the number of rounds or shoes is reached, or the script ends."""
        self._seat.say(SUPERVISOR.line("open_table"))
        if self._plan.on_a_wire:
            self._seat.wait_for_link()
        if self._plan.joins:
            self._join()
        if self._plan.method:
            self._choose_method(self._plan.method)
        for self._mistake in islice(rounds, most):
            self._until(("ready", "changing_shoe"))
            if self._seat.now["state"] == "changing_shoe" and self._seat.tally.shoes == shoes:
                break
            self._until(("ready",))
            self._round()
        return self._seat.tally

    def _join(self) -> None:
        """Join a game in progress: read the layout from the table and finish the round."""
        self._shoe_is_fresh = False
        self._seat.muddled = True
        laid = self._numbered()
        self._seat.known.left_the_shoe = max(laid, default=0)
        self._seat.known.numbers = laid
        self._until(("ready",))

    def _numbered(self) -> list[int]:
        """Return the table's own numbers of the cards on the layout."""
        return [each["n"] for each in self._seat.now["cards"]]

    def _round(self) -> None:
        self._seat.muddled = False
        self._seat.settle_the_count()
        known = self._seat.known
        if self._plan.joins and known.left_the_shoe:  # others may have drawn as well
            known.left_the_shoe = max(self._numbered(), default=known.left_the_shoe)
        if self._mistake is not None:
            self._seat.tally.mistakes[self._mistake.kind] += 1
        while self._seat.now["state"] != "betting":
            self._until(("ready",))
            self._seat.tend_shoe(between_rounds=True)
            self._seat.end_by_hand()
            self._hand_out_device()
            self._seat.must(DEALER.line("open_betting"))
        settled = self._seat.tally.outcomes.total()
        self._until(BETWEEN)
        self._seat.tally.rounds += 1
        self._seat.tally.void += self._seat.tally.outcomes.total() == settled
        self._told({"round": self._seat.tally.rounds, "hands": self._seat.now["hands"]})

    def _until(self, states: tuple[str, ...]) -> None:
        """Act on the table's state until it is one of these."""
        for _ in range(MAX_STEPS):
            if self._seat.stopped():
                self._seat.answer()
            elif self._seat.now["state"] in states:
                return
            else:
                self._move()
        raise Stuck(f"{MAX_STEPS} steps did not lead to {' or '.join(states)}: {self._seat.now}")

    def _move(self) -> None:
        match self._seat.now["state"]:
            case "closed":
                self._seat.say(SUPERVISOR.line("open_table"))
            case "changing_shoe":
                self._prepare_shoe()
            case "ready":
                self._seat.say(DEALER.line("open_betting"))
            case "betting":
                self._take_wagers()
            case "dealing" | "players_third" | "bankers_third" | "revealing":
                self._deal()
            case "outcome":
                self._announce()
            case "settling":
                self._settle()
            case state:
                raise Stuck(f"the table is in a state the robot does not know: {state}")

    # --- the shoe -------------------------------------------------------------------------------

    def _prepare_shoe(self) -> None:
        """Load, verify and cut the shoe; the first card decides how many are burned."""
        prompt = self._seat.now["prompt"]
        if prompt["code"] == "prompt_burn":
            left = prompt["gaps"]["cards"]
            if left != self._to_burn and not self._seat.muddled:
                raise Disagreement(f"{self._to_burn} cards are left to burn, not {left}")
            self._to_burn -= self._seat.draw() not in (None, CUTTING_CARD)
        elif prompt["code"] == "prompt_turn_first_card":
            first = self._seat.draw()
            if first not in (None, CUTTING_CARD):
                self._to_burn = min(number_of(str(first)), 10)
        else:
            self._load_shoe()

    def _load_shoe(self) -> None:
        if not self._shoe_is_fresh:
            self._seat.shoe.do("load")
        self._shoe_is_fresh = self._seat.muddled = False
        self._seat.tally.shoes += 1
        self._seat.known = Known()
        given = {"deck_set": ("blue", "red")[self._seat.tally.shoes % 2], "cut": True}
        vouches = self._plan.verified_by
        self._seat.must(DEALER.line("load_shoe", verified_by=vouches, **given))
        if vouches != "shuffler":
            self._seat.must(Person(vouches, SUPERVISOR.role).line("approve"))

    # --- a round --------------------------------------------------------------------------------

    def _method(self) -> str:
        """Return the table's method, because a pit may have changed it."""
        return str(self._seat.now.get("method") or self._plan.method)

    def _choose_method(self, method: str) -> None:
        if method == "C":
            self._seat.must(ASSISTANT.line("method", method="C", drawer=PLAYERS[self._drawer]))
        else:
            self._seat.must(MANAGER.line("method", method=method))

    def _hand_out_device(self) -> None:
        """Hand the drawing device to the next player. Under Method C, the last one has lost control
        of it."""
        if self._seat.now["prompt"]["code"] == "prompt_hand_out_device":
            self._drawer = (self._drawer + 1) % len(PLAYERS)
            self._choose_method(self._method())

    def _take_wagers(self) -> None:
        self._clear_layout()
        self._hand_out_device()
        self._go_wrong("early")
        if self._seat.now["state"] != "betting":
            return
        must = PLAYERS[self._drawer] if self._method() == "C" else None
        offered = wagers(self._random, self._seat.tally.rounds, must, self._plan.stakes)
        self._placed = [wager for wager in offered if self._seat.say(wager.line())["accepted"]]
        if not self._seat.say(DEALER.line("close_betting"))["accepted"]:
            self._seat.must(DEALER.line("close_betting", anyway=True))
        self._seat.settle_the_count()  # a card of the last round may have arrived after its end
        carried = sum(len(hand) for hand in self._seat.now["hands"].values())
        if carried:
            self._seat.muddled = True  # a card of the last round begins this one
            self._seat.known.lie_there(carried)

    def _deal(self) -> None:
        if self._mistake is not None and len(self._seat.known.numbers) + 1 >= self._mistake.at:
            self._go_wrong("two", "unreadable", "foreign", "cut", "cable")
        if self._seat.stopped() or self._seat.now["state"] == "outcome":
            return
        hidden = [side for side in SIDES if None in self._seat.now["hands"][side]]
        laid = [len(self._seat.now["hands"][side]) for side in SIDES]
        if self._seat.now["state"] == "dealing" or not hidden or max(laid) < 2:
            self._draw_next()
        else:
            self._have_exposed(hidden)

    def _draw_next(self) -> None:
        due = None if self._seat.muddled else next_hand(*self._hands.values())
        if due is None and not self._seat.muddled:
            raise Disagreement(f"the round is complete, but the table wants more: {self._seat.now}")
        card = self._seat.draw()
        if card is None:
            self._seat.muddled = True
            self._seat.say(DEALER.line("report", what="not_enough_cards"))
        elif due is not None and card != CUTTING_CARD:
            self._hands[due].append(card)
            self._compare()
        if len(self._seat.known.numbers) == 4:
            self._go_wrong("wrong_order")

    def _have_exposed(self, hidden: list[str]) -> None:
        """Pass a hand to its handler where the table prompts for that, or expose one."""
        prompt = self._seat.now["prompt"]
        if prompt["code"] == "prompt_pass_hand":
            side, passed_to = prompt["gaps"]["hand"], prompt["gaps"]["player"]
            whom = handler(self._placed, side)
            if passed_to != whom and not self._seat.muddled:
                raise Disagreement(f"the {side} hand is {whom}'s, not {passed_to}'s")
            took = player_line(str(whom), "accept_cards", hand=side)
            if whom is not None and self._seat.say(took)["accepted"]:
                return
        for side in hidden:
            if self._seat.say(DEALER.line("expose", hand=side))["accepted"]:
                self._compare()
                return
        self._seat.answer()

    def _announce(self) -> None:
        self._go_wrong("extra")
        if self._seat.now["state"] != "outcome":
            return
        if not self._seat.muddled:
            oracle.check_outcome(self._seat.now["hands"], self._seat.now["prompt"])
        self._seat.must(DEALER.line("announce"))

    def _settle(self) -> None:
        hands = self._seat.now["hands"]
        self._seat.must(DEALER.line("settle"))
        if self._seat.stopped():
            return
        self._seat.tally.outcomes[outcome(hands[PLAYER], hands[BANKER])] += 1
        if not self._seat.muddled:
            oracle.check_money(self._placed, hands, self._seat.now["settlements"])
        self._clear_layout()

    def _clear_layout(self) -> None:
        self._seat.known.numbers, self._seat.known.cards = [], []
        self._hands = {side: [] for side in SIDES}

    # --- checking -------------------------------------------------------------------------------

    def _compare(self) -> None:
        self._seat.muddled |= self._seat.counting()
        if not self._seat.muddled:
            oracle.compare(self._hands, self._seat.now["hands"])

    # --- going wrong ----------------------------------------------------------------------------

    def _go_wrong(self, *kinds: str) -> None:
        """Make this round's mistake, if it is one of these kinds."""
        mistake = self._mistake
        if mistake is None or mistake.kind not in kinds:
            return
        self._mistake, self._seat.muddled = None, True
        try:
            WRONGS[mistake.kind](self._seat)
        except Refused:
            self._seat.say(DEALER.line("report", what="not_enough_cards"))
