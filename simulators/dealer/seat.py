"""The dealer's seat: commands to the table, actions at the shoe, and their results."""

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
"""The table's unsolicited events for each card that left the shoe."""
RESULT_SHOWN, IN_A_ROUND = "result shown", "dealing"
"""Phases of a shoe that follows the rounds."""
MAX_BUTTONS: Final = 4
OVERDRAWN: Final = 2
ASKED: Final = ("state", "prompt", "asks", "offers")
"""Parts of the table's state that decide which answer is right. A device may change them while the
robot tries an answer."""
FORCED_EXIT_ENDS: Final = ("gave_up", "error", "started", "link_lost")
"""Possible results of that button: the round is given up; the round was already over and the shoe
reports an error; or nothing more can arrive from the shoe."""
LOOK_S: Final = 0.02
END_AT_SHOE: Final = ("prompt_end_round_at_shoe", "prompt_end_unseen_at_shoe")


class Seat:
    """`now` is the table's last line. `pause` waits, or does nothing at full speed."""

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
        """A mistake happened in this round, so the robot follows the table's prompts."""
        self._linked = False
        self._cards_heard = 0

    def wait_for_link(self) -> None:
        """Wait until the table listens to the shoe: a card drawn earlier would be lost."""
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
        """Send a command that must be accepted, unless a device has stopped the table at this
        moment, or the shoe has just reported that it is still in the last round."""
        answer = self.say(line)
        waits = self.stopped() or answer["prompt"]["code"] in END_AT_SHOE
        if not answer["accepted"] and not waits:
            raise Stuck(f"the table refuses {line['do']}: {answer['reason']}")

    def stopped(self) -> bool:
        waiting = self.now["asks"] or self.now["offers"]
        return bool(waiting) or self.now["state"] in ("halted", "suspended")

    def answer(self) -> None:
        """Answer the table's request: try one answer after the other until the table accepts
        one."""
        self.muddled = True
        self._pause(self._plan.think_s)
        self._wait_for_quiet_shoe()
        asked = self.now
        for tries, line in enumerate(sayings(asked, self.known, self._random)):
            if self.say(line, at_once=tries > 0)["accepted"]:
                if line.get("do") == "enter_card":
                    self.known.unread = self.known.unread[1:]
                if line.get("do") == "count":
                    self.settle_the_count()  # the shoe does not send a missed card again
                return
            if not self.stopped():
                return  # a device ended it in the meantime
        unchanged = all(self.now[part] == asked[part] for part in ASKED)
        # An error at the shoe blocks the table until it is cleared; otherwise a device is missing.
        if unchanged and not self.tend_shoe():
            self._take(self._table.wait())

    def hear(self, *words: str) -> None:
        """Wait until one of these events of the shoe has reached the table."""
        self._take(self._table.wait())
        while self.now.get("what") not in words:
            self._take(self._table.wait())

    def _wait_for_quiet_shoe(self) -> None:
        """Wait until the shoe has sent all its events: a card that is counted on the layout and
        reported afterwards would count twice."""
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
        """Draw and wait until the table has the card or the cutting card, after which the table may
        need people first. None where the shoe refuses."""
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
        """Announce the cutting card. Not every shoe reports it; after a shoe's report this is
        redundant."""
        self.say(DEALER.line("cut_card"))

    def came(self, *cards: str) -> None:
        """Count the cards that left the shoe and wait until the table has all cards so far. Events
        of a slow shoe may concern earlier cards. After the time-out the card was lost on the line:
        the dealer goes on, and the next event shows the loss."""
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
        """Set the number of received cards to the number drawn. Between rounds nothing is on its
        way, and the shoe may have reported a card twice: one that went wrong, or one that somebody
        else drew."""
        self._cards_heard = self.tally.cards

    def by_chance(self) -> bool:
        """Choose at random, where people do both."""
        return self._random.random() < 0.5

    def counting(self) -> bool:
        """Return whether the table asks for a card count, because it may have missed a card."""
        return any(ask["do"] == "count" for ask in self.now["asks"])

    def tend_shoe(self, between_rounds: bool = False) -> bool:
        """Press the buttons that the shoe needs before it goes on: it shows an error or a result,
        or is still in a round that is over. Return whether it needed any."""
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
        """Report the end of the round at the shoe where the table asks for it: the shoe has no
        round open after a void round with unseen cards, or it was just ended. If the shoe's own
        report was lost, a supervisor who has looked puts it aside."""
        if self.now["prompt"]["code"] in END_AT_SHOE:
            self.say(DEALER.line("shoe_ended"))
        if self.now["prompt"]["code"] in END_AT_SHOE:
            self.say(SUPERVISOR.line("put_aside", reason="the shoe shows no round"))
