"""The robot: a dealer, the staff and a few players, who play whole shoes, rightly or wrongly.

It sees what people see: the lines of the table and the cards it has drawn itself. In a round in
which nothing goes wrong it knows by its own table of play what must come next and how the round
ends; where the table says otherwise it raises `Disagreement`.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Final

from simulators.cards import CUTTING_CARD, number_of
from simulators.contract import Refused
from simulators.dealer import oracle
from simulators.dealer.answers import Known, sayings
from simulators.dealer.links import Line, Shoe, Stuck, Table
from simulators.dealer.mistakes import Mistake
from simulators.dealer.oracle import SIDES, Disagreement
from simulators.dealer.people import (
    ASSISTANT,
    DEALER,
    MANAGER,
    PLAYERS,
    SUPERVISOR,
    Wager,
    handler,
    player_says,
    wagers,
)
from simulators.dealer.plan import Plan, Tally
from simulators.dealer.table_of_play import BANKER, PLAYER, next_hand, outcome

STEPS_MAX: Final = 300
"""Of one round with all its questions; a robot that needs more goes round in circles."""
BETWEEN: Final = ("closed", "changing_shoe", "ready")
CAME: Final = ("card", "read_failed", "excess", "error")
RESULT_SHOWN: Final = "result shown"
OVERDRAWN: Final = 2


class Robot:
    """Plays one table; `pause` lets time pass, or does nothing at full speed; `told` hears of every
    round."""

    def __init__(
        self,
        table: Table,
        shoe: Shoe,
        random: Random,
        plan: Plan | None = None,
        pause: Callable[[float], None] = lambda _seconds: None,
        told: Callable[[Line], None] = lambda _line: None,
    ) -> None:
        self._table = table
        self._shoe = shoe
        self._random = random
        self._plan = plan or Plan()
        self._pause = pause
        self._told = told
        self.tally = Tally()
        self.now: Line = {"state": "closed", "asks": [], "offers": [], "prompt": {"do": ""}}
        self._known = Known()
        self._hands: dict[str, list[str]] = {side: [] for side in SIDES}
        self._placed: list[Wager] = []
        self._mistake: Mistake | None = None
        self._muddled = False
        """Something went wrong in this round: the table leads, the robot follows."""
        self._drawer = 0
        self._to_burn = 0
        self._shoe_is_fresh = True

    # --- playing --------------------------------------------------------------------------------

    def play(self, rounds: Iterator[Mistake | None], most: int, shoes: int | None = None) -> Tally:
        """Until so many rounds, so many shoes, or the script is over."""
        self._say(SUPERVISOR.says("open_table"))
        if self._plan.method:
            self._choose_method()
        for self._mistake in islice(rounds, most):
            self._until(("ready", "changing_shoe"))
            if self.now["state"] == "changing_shoe" and self.tally.shoes == shoes:
                break
            self._until(("ready",))
            self._round()
        return self.tally

    def _round(self) -> None:
        self._muddled = False
        if self._mistake is not None:
            self.tally.mistakes[self._mistake.kind] += 1
        self._hand_out_device()
        self._must(DEALER.says("open_betting"))
        self._until(BETWEEN)
        self.tally.rounds += 1
        self._told({"round": self.tally.rounds, "hands": self.now["hands"]})

    def _until(self, states: tuple[str, ...]) -> None:
        """Do what the state of the table calls for until it is one of these."""
        for _ in range(STEPS_MAX):
            waiting = self.now["asks"] or self.now["offers"]
            if self.now["state"] in states and not waiting:
                return
            if waiting or self.now["state"] in ("halted", "suspended"):
                self._answer()
            else:
                self._move()
        raise Stuck(f"{STEPS_MAX} steps did not lead to {' or '.join(states)}: {self.now}")

    def _move(self) -> None:
        match self.now["state"]:
            case "closed":
                self._say(SUPERVISOR.says("open_table"))
            case "changing_shoe":
                self._prepare_shoe()
            case "ready":
                self._say(DEALER.says("open_betting"))
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
        """Loaded, verified, cut; then the first card says how many are burned."""
        do = self.now["prompt"]["do"]
        if do.startswith("Burn"):
            if not do.startswith(f"Burn {self._to_burn} ") and not self._muddled:
                raise Disagreement(f"{self._to_burn} cards are left to burn, but: {do}")
            self._to_burn -= self._draw_one() not in (None, CUTTING_CARD)
        elif do.startswith("Turn up"):
            first = self._draw_one()
            if first not in (None, CUTTING_CARD):
                self._to_burn = min(number_of(str(first)), 10)
        else:
            self._load_shoe()

    def _load_shoe(self) -> None:
        if not self._shoe_is_fresh:
            self._shoe.do("load")
        self._shoe_is_fresh = self._muddled = False
        self.tally.shoes += 1
        self._known = Known()
        given = {"deck_set": ("blue", "red")[self.tally.shoes % 2], "cut": True}
        self._must(DEALER.says("load_shoe", verified_by=self._plan.verified_by, **given))

    def _draw_one(self) -> str | None:
        """What is drawn has reached the table: a card, or the cutting card, after which people may
        have to be asked first. None when the shoe would not give anything."""
        self._tend_shoe()
        try:
            card = str(self._shoe.do("draw"))
        except Refused:
            return None
        if card == CUTTING_CARD:
            self._say_cutting_card()
            return card
        self._came()
        self._hear(*CAME)
        return card

    def _say_cutting_card(self) -> None:
        """Not every shoe tells of it; where one has, the table has no need of the dealer's word."""
        self._say(DEALER.says("cut_card"))

    def _came(self) -> None:
        self._pause(self._plan.card_s)
        self.tally.cards += 1
        self._known.left_the_shoe += 1
        self._known.numbers.append(self._known.left_the_shoe)

    def _tend_shoe(self) -> None:
        """A shoe that shows a result or an error wants a button pressed before it goes on."""
        seen = self._shoe.look()
        if seen.get("error"):
            keep = "keep" if self._plan.keeps_excess else "discard"
            self._shoe.do("press", button=keep if seen["error"] == OVERDRAWN else "clear")
        elif seen.get("phase") == RESULT_SHOWN and not any(self._hands.values()):
            self._shoe.do("press", button="result")

    # --- a round --------------------------------------------------------------------------------

    def _choose_method(self) -> None:
        method = self._plan.method
        if method == "C":
            self._must(ASSISTANT.says("method", method="C", drawer=PLAYERS[self._drawer]))
        else:
            self._must(MANAGER.says("method", method=method))

    def _hand_out_device(self) -> None:
        """Method C: whoever drew has lost control of the device, and the next one takes it."""
        if self.now["prompt"]["do"].startswith("Hand a player"):
            self._drawer = (self._drawer + 1) % len(PLAYERS)
            self._choose_method()

    def _take_wagers(self) -> None:
        self._known.numbers = []
        self._hands = {side: [] for side in SIDES}
        self._hand_out_device()
        self._go_wrong("early")
        if self.now["state"] != "betting":
            return
        must = PLAYERS[self._drawer] if self._plan.method == "C" else None
        offered = wagers(self._random, self.tally.rounds, must)
        self._placed = [wager for wager in offered if self._say(wager.line())["accepted"]]
        if not self._say(DEALER.says("close_betting"))["accepted"]:
            self._must(DEALER.says("close_betting", anyway=True))
        if any(self.now["hands"].values()):
            self._muddled = True  # a card of the last round begins this one

    def _deal(self) -> None:
        if self._mistake is not None and len(self._known.numbers) + 1 >= self._mistake.at:
            self._go_wrong("two", "unreadable", "foreign", "cut")
        if self.now["asks"] or self.now["offers"] or self.now["state"] in ("halted", "outcome"):
            return
        hidden = [side for side in SIDES if None in self.now["hands"][side]]
        lying = [len(self.now["hands"][side]) for side in SIDES]
        if self.now["state"] == "dealing" or not hidden or max(lying) < 2:
            self._draw_next()
        else:
            self._have_exposed(hidden)

    def _draw_next(self) -> None:
        due = None if self._muddled else next_hand(*self._hands.values())
        if due is None and not self._muddled:
            raise Disagreement(f"the round is complete, but the table wants more: {self.now}")
        card = self._draw_one()
        if card is None:
            self._muddled = True
            self._say(DEALER.says("report", what="not_enough_cards"))
        elif due is not None and card != CUTTING_CARD:
            self._hands[due].append(card)
            self._compare()
        if len(self._known.numbers) == 4:
            self._go_wrong("wrong_order")

    def _have_exposed(self, hidden: list[str]) -> None:
        """Hands are passed to whom they belong, turned, and marked."""
        passing = self.now["prompt"]["do"]
        if passing.startswith("Pass the"):
            side = PLAYER if passing.startswith("Pass the Player") else BANKER
            whom = handler(self._placed, side)
            if f"to {whom}," not in passing and not self._muddled:
                raise Disagreement(f"the {side} hand is {whom}'s, but: {passing}")
            if (
                whom is not None
                and self._say(player_says(whom, "accept_cards", hand=side))["accepted"]
            ):
                return
        for side in hidden:
            if self._say(DEALER.says("expose", hand=side))["accepted"]:
                self._compare()
                return
        self._answer()

    def _announce(self) -> None:
        self._go_wrong("extra")
        if self.now["state"] != "outcome":
            return
        if not self._muddled:
            oracle.check_outcome(self.now["hands"], self.now["prompt"]["say"])
        self._must(DEALER.says("announce"))

    def _settle(self) -> None:
        hands = self.now["hands"]
        self._must(DEALER.says("settle"))
        self.tally.outcomes[outcome(hands[PLAYER], hands[BANKER])] += 1
        if not self._muddled:
            oracle.check_money(self._placed, hands, self.now["settlements"])
        self._known.numbers = []
        self._hands = {side: [] for side in SIDES}

    # --- checking -------------------------------------------------------------------------------

    def _compare(self) -> None:
        if not self._muddled:
            oracle.compare(self._hands, self.now["hands"])

    # --- going wrong ----------------------------------------------------------------------------

    def _go_wrong(self, *kinds: str) -> None:
        """This round's mistake happens here, if it is one of these."""
        mistake = self._mistake
        if mistake is None or mistake.kind not in kinds:
            return
        self._mistake, self._muddled = None, True
        try:
            self._wrongs()[mistake.kind]()
        except Refused:
            self._say(DEALER.says("report", what="not_enough_cards"))

    def _wrongs(self) -> dict[str, Callable[[], None]]:
        return {
            "extra": self._draw_blindly,
            "early": self._draw_blindly,
            "two": self._draw_two,
            "unreadable": self._draw_unread,
            "foreign": self._draw_foreign,
            "wrong_order": self._lay_wrongly,
            "cut": self._draw_cutting_card,
        }

    def _draw_blindly(self) -> None:
        self._draw_one()

    def _draw_two(self) -> None:
        self._tend_shoe()
        for _ in self._shoe.do("draw_two", read="both"):
            self._came()
        self._hear(*CAME)
        self._hear(*CAME)
        last = self._known.numbers[-2:]
        self._say(DEALER.says("report", what="simultaneous", cards=last))

    def _draw_unread(self) -> None:
        self._tend_shoe()
        card = str(self._shoe.do("unreadable"))
        self._known.unread.append(card)
        self._came()
        self._hear(*CAME)

    def _draw_foreign(self) -> None:
        self._tend_shoe()
        self._shoe.do("foreign")
        self._came()
        self._hear("read_failed")

    def _draw_cutting_card(self) -> None:
        self._tend_shoe()
        self._shoe.do("cutting_card")
        self._say_cutting_card()

    def _lay_wrongly(self) -> None:
        self._say(DEALER.says("report", what="wrong_order"))

    # --- talking --------------------------------------------------------------------------------

    def _answer(self) -> None:
        """Something is asked: say one thing after the other until one is accepted."""
        self._muddled = True
        for line in sayings(self.now, self._known, self._random):
            if self._say(line)["accepted"]:
                if line.get("do") == "enter_card":
                    self._known.unread = self._known.unread[1:]
                if self.now.get("settlements") and self.now["state"] in BETWEEN:
                    self.tally.void += 1
                return
        raise Stuck(f"nobody knows what to say to {self.now}")

    def _must(self, line: Line) -> None:
        answer = self._say(line)
        if not answer["accepted"]:
            raise Stuck(f"the table refuses {line['do']}: {answer['reason']}")

    def _say(self, line: Line) -> Line:
        self._pause(self._plan.word_s)
        for said in self._table.say(line):
            if "error" in said:
                raise Stuck(f"the table does not understand {line}: {said['error']}")
            self.now = said
        return self.now

    def _hear(self, *what: str) -> None:
        """Wait until the shoe's word has reached the table."""
        while True:
            self.now = self._table.wait()
            if self.now.get("what") in what:
                return
