"""The dealer's seat: what is said to the table, what is done to the shoe, and what comes of it."""

import time
from collections.abc import Callable
from random import Random
from typing import Final

from simulators.dealer.answers import Known, sayings
from simulators.dealer.links import WAIT_S, Line, Shoe, Stuck, Table, TableSilent
from simulators.dealer.people import DEALER, SUPERVISOR
from simulators.dealer.plan import Plan, Tally
from simulators.kit.cards import CUTTING_CARD
from simulators.kit.contract import Refused

CAME: Final = ("card", "read_failed", "excess")
"""What the table says, unasked, about each card that left the shoe."""
RESULT_SHOWN, IN_A_ROUND = "result shown", "dealing"
"""Phases of a shoe that knows the rounds it deals."""
MAX_BUTTONS: Final = 4
OVERDRAWN: Final = 2
ASKED: Final = ("state", "prompt", "asks", "offers")
"""What another answer may be right for: a device may have its say while the robot tries the first.
"""
FORCED_EXIT_ENDS: Final = ("gave_up", "error", "started", "link_lost")
"""What comes of that button: the round is given up; or it was over already, and the shoe calls the
button a mistake; or nothing of either will come."""
LOOK_S: Final = 0.02
END_AT_SHOE: Final = ("prompt_end_round_at_shoe", "prompt_end_unseen_at_shoe")


class Seat:
    """`now` is the last thing the table said. `pause` lets time pass, or not at full speed."""

    def __init__(
        self, table: Table, shoe: Shoe, random: Random, plan: Plan, pause: Callable[[float], None]
    ) -> None:
        self._table = table
        self.shoe = shoe
        self._random = random
        self._plan = plan
        self._pause = pause
        self.tally = Tally()
        self.known = Known()
        self.now: Line = {"state": "closed", "asks": [], "offers": [], "prompt": {"code": ""}}
        self.muddled = False
        """Something went wrong in this round: the table leads, the robot follows."""
        self._linked = False
        self._cards_heard = 0

    def wait_for_link(self) -> None:
        """A card that is drawn before the table listens is lost."""
        while not self._linked:
            self._take(self._table.wait())

    def say(self, line: Line, at_once: bool = False) -> Line:
        if not at_once:
            self._pause(self._plan.word_s)
        for answer in self._table.say(line):
            if "error" in answer:
                raise Stuck(f"the table does not understand {line}: {answer['error']}")
            self._take(answer)
        return self.now

    def must(self, line: Line) -> None:
        """What has to be accepted, unless a device has stopped the table in this very moment, or
        the shoe reported just now that it still plays the round before."""
        answer = self.say(line)
        waits = self.stopped() or answer["prompt"]["code"] in END_AT_SHOE
        if not answer["accepted"] and not waits:
            raise Stuck(f"the table refuses {line['do']}: {answer['reason']}")

    def stopped(self) -> bool:
        waiting = self.now["asks"] or self.now["offers"]
        return bool(waiting) or self.now["state"] in ("halted", "suspended")

    def answer(self) -> None:
        """Something is asked: say one thing after the other until one is accepted."""
        self.muddled = True
        self._pause(self._plan.think_s)
        self._wait_for_quiet_shoe()
        asked = self.now
        for tries, line in enumerate(sayings(asked, self.known, self._random)):
            if self.say(line, at_once=tries > 0)["accepted"]:
                if line.get("do") == "enter_card":
                    self.known.unread = self.known.unread[1:]
                if line.get("do") == "count":
                    self.settle_the_count()  # what was missed is not told again
                return
            if not self.stopped():
                return  # a device ended it in the meantime
        unchanged = all(self.now[part] == asked[part] for part in ASKED)
        if unchanged and not self.tend_shoe():  # an error that is cleared at the shoe holds on
            self._take(self._table.wait())  # for a device to come back

    def hear(self, *words: str) -> None:
        """Wait until one of the shoe's words has reached the table."""
        self._take(self._table.wait())
        while self.now.get("what") not in words:
            self._take(self._table.wait())

    def _wait_for_quiet_shoe(self) -> None:
        """Wait until the shoe has sent all its events: a card that is counted on the layout
        and reported afterwards would be one more."""
        until = time.monotonic() + WAIT_S
        while self.shoe.look().get("events_waiting"):
            if time.monotonic() > until:
                raise Stuck(f"the shoe has not sent what it has to say for {WAIT_S:.0f} s")
            self._pause(LOOK_S)

    def _take(self, line: Line) -> None:
        self.now = line
        if line.get("what") in ("link_up", "link_lost"):
            self._linked = line["what"] == "link_up"
        self._cards_heard += line.get("what") in CAME

    def draw(self, tend: bool = True) -> str | None:
        """What is drawn has reached the table: a card, or the cutting card, after which people may
        have to be asked first. None when the shoe would not give anything."""
        if tend:
            self.tend_shoe()
        try:
            card = str(self.shoe.do("draw"))
        except Refused:
            return None
        if card == CUTTING_CARD:
            self.say_cutting_card()
            return card
        self.came(card)
        return card

    def say_cutting_card(self) -> None:
        """Not every shoe tells of it; where one has, the table has no need of the dealer's word."""
        self.say(DEALER.line("cut_card"))

    def came(self, *cards: str) -> None:
        """These have left the shoe; wait until all that ever did have reached the table. A shoe
        may take its time, so what comes first need not be about the last card. Where nothing more
        comes the card was lost on the line: the dealer goes on, and the next event shows it."""
        for card in cards:
            self.left(card)
        try:
            while self._cards_heard < self.tally.cards and not self.counting():
                self._take(self._table.wait())
        except TableSilent:
            self.tally.unread += 1
            self.muddled = True
            self.settle_the_count()

    def left(self, card: str) -> None:
        self._pause(self._plan.card_s)
        self.tally.cards += 1
        self.known.arrived(card)

    def settle_the_count(self) -> None:
        """Between rounds nothing is on its way: of a card that went wrong the shoe may have told
        twice, and of one that somebody else drew once too often."""
        self._cards_heard = self.tally.cards

    def by_chance(self) -> bool:
        """One way or the other, where people do both."""
        return self._random.random() < 0.5

    def counting(self) -> bool:
        """The table knows that it may have missed a card, and asks how many lie there."""
        return any(ask["do"] == "count" for ask in self.now["asks"])

    def tend_shoe(self, between_rounds: bool = False) -> bool:
        """Press the buttons that a shoe wants pressed before it goes on: it shows an error or a
        result, or thinks itself in a round that is over. Return whether it wanted any."""
        for pressed in range(MAX_BUTTONS):
            seen = self.shoe.look()
            if seen.get("error"):
                keep = "keep" if self._plan.keeps_excess else "discard"
                self.shoe.do("press", button=keep if seen["error"] == OVERDRAWN else "clear")
            elif seen.get("phase") == RESULT_SHOWN:
                self.shoe.do("press", button="result")
            elif between_rounds and seen.get("phase") == IN_A_ROUND:
                self.shoe.do("press", button="forced_exit")
                self.hear(*FORCED_EXIT_ENDS)
            else:
                return pressed > 0
        return True

    def end_by_hand(self) -> None:
        """The shoe has nothing left to end of a void round whose cards nobody saw, or it was just
        ended: the table is told, where it asks. Where the shoe reported it itself and was not
        heard, a supervisor who has looked puts it aside."""
        if self.now["prompt"]["code"] in END_AT_SHOE:
            self.say(DEALER.line("shoe_ended"))
        if self.now["prompt"]["code"] in END_AT_SHOE:
            self.say(SUPERVISOR.line("put_aside", reason="the shoe shows no round"))
