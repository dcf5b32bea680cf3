"""A studio's round: the instructions a wager takes do not grow with the wagers on the layout."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.engine.session import Session, open_session
from controller.engine.step import Answer
from controller.journal.memory import MemoryJournal
from controller.table.commands.message import Message, new_message, staff_message
from controller.views import audience
from controller.views.structs.encoding import plain
from support.instructions import instructions
from support.table.bench import rules_of, sealer_of
from support.table.robot_shoe import Shown

BOOK = "rws-commission-baccarat-4"
"""Without a limit of wagers an area."""
LIMITS = {"minimum": 100, "maximum": 1000, "differential": 10**9}
FEW, MORE, MANY = 100, 200, 400

Say = Callable[[Message[Any]], Answer]


def staff(do: str, **given: object) -> Message[Any]:
    return staff_message(do, "gus", "gaming_shift_manager", **given)


def place(number: int, amount: int = 100) -> Message[Any]:
    kind = ("player", "banker", "tie")[number % 3]
    given = {"wager": kind, "amount": amount, "position": 1 + number % 12}
    return new_message("player", "place", who=f"p{number}", **given)


class Studio:
    """A table with so many wagers on it, every step recorded and shown."""

    def __init__(self, wagers: int, amount: int = 100, **house: Any) -> None:
        rules = rules_of(BOOK, **LIMITS, **house)
        self.session: Session = open_session(rules, MemoryJournal(), sealer_of())
        self._shown = Shown(self.session)
        self.say(staff("open_table"))
        self.say(staff("load_shoe", deck_set="blue", verified_by="pia", cut=True))
        self.say(staff_message("approve", "pia", "pit_supervisor"))
        self.bet(wagers, amount)

    def bet(self, wagers: int, amount: int) -> None:
        self.say(staff("open_betting"))
        for number in range(wagers):
            self.say(place(number, amount))

    def say(self, said: Message[Any]) -> None:
        answer = self.session.handle(said)
        assert answer.accepted, answer.why
        self._shown(said, answer)

    def work(self, said: Message[Any]) -> int:
        return instructions(lambda: self.say(said))

    def deal(self, *cards: str) -> "Studio":
        self.say(staff("close_betting", anyway=True))
        for card in cards:
            self.say(new_message("shoe", "card", card=card))
        return self

    def end(self) -> None:
        """From the call that closes bets to the last payment."""
        self.deal("9H", "2C", "KD", "6S")
        self.say(staff("announce"))
        self.say(staff("settle"))


@pytest.mark.parametrize(
    "said",
    [
        place(1000),
        new_message("player", "raise", who="p7", id="w8", amount=100),
        new_message("player", "withdraw", who="p7", id="w8"),
    ],
    ids=lambda said: said.type,
)
def test_one_wager_takes_as_many_instructions_on_a_full_layout(said: Message[Any]) -> None:
    Studio(10).say(said)  # what is worked out once for all
    assert least(MANY, said) == least(FEW, said)


def least(wagers: int, said: Message[Any]) -> int:
    """Of three: a finalizer that happens to run meanwhile is no work of the wager's."""
    return min(Studio(wagers).work(said) for _ in range(3))


@pytest.mark.parametrize("amount", [100, 50], ids=["within limits", "below the minimum"])
def test_the_end_of_a_round_takes_as_many_instructions_for_each_wager(amount: int) -> None:
    def end(wagers: int) -> int:
        studio = Studio(wagers, amount)
        studio.end()
        studio.bet(wagers, amount)  # players who were let pass before among them
        return instructions(studio.end)

    end(10)
    few, more, many = end(FEW), end(MORE), end(MANY)
    assert many - more == pytest.approx(2 * (more - few), rel=0.02)


def test_a_players_option_takes_as_many_instructions_for_each_wager() -> None:
    def answer(wagers: int) -> int:
        studio = Studio(wagers, deal_face="down").deal("2H", "3C", "4D", "5S")
        studio.say(staff("report", what="simultaneous", cards=[3, 4]))
        studio.say(staff("answer", order=[4, 3]))
        return studio.work(new_message("player", "option", who="p3", choice="withdraw"))

    answer(10)
    few, more, many = answer(FEW), answer(MORE), answer(MANY)
    assert many - more == pytest.approx(2 * (more - few), rel=0.02)


def test_what_the_public_is_sent_does_not_grow_with_the_wagers() -> None:
    few, many = (Studio(wagers).session.machine for wagers in (FEW, MANY))
    shown = [
        plain(audience.render_views(each.table, each.rules).of("public")) for each in (few, many)
    ]
    assert shown[0] == shown[1]
