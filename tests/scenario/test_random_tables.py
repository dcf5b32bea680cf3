"""Random steps, legal and not: cards and money are conserved, nothing shows, replay agrees."""

import random

import pytest

from controller.game.roles import Role
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.round import doubt
from controller.round.machine import MOVES, State
from controller.round.procedures import IDS
from controller.round.rules import House, Message, Rules
from controller.round.state import Table
from controller.round.words import WORDS
from controller.rulebooks import RULEBOOKS, rulebook
from controller.session import Session, open_session, replay
from controller.views import audience
from drivers.cards import DECK

STEPS = 200
SEEDS = 8
NAMES = ("ann", "bob", "d1", "p1", "g1")


class Gambler:
    """Says something, often something sensible, from one seed."""

    def __init__(self, seed: int, book: str, session: Session) -> None:
        self.rng = random.Random(seed)
        self.book = rulebook(book)
        self.session = session
        self.at = 0.0
        self.shoe = [card.code for card in DECK for _ in range(8)]
        self.rng.shuffle(self.shoe)

    def next(self) -> Message:
        """Three times in four what moves the table on, else anything at all."""
        self.at += self.rng.choice((0.0, 1.0, 1.0))
        if self.rng.random() < 0.75:
            word, who = self.sensible(), self.rng.choice(("g1", "g2"))
            role = Role.GAMING_SHIFT_MANAGER.value
        else:
            legal = sorted(MOVES[self.session.machine.state])
            word = self.rng.choice(legal if self.rng.random() < 0.7 else sorted(WORDS))
            who, role = self.rng.choice(NAMES), self.rng.choice([*Role][1:]).value
        return self.said(word, who, role)

    def said(self, word: str, who: str, role: str) -> Message:
        speaker = self.rng.choice(WORDS[word].speakers)
        if speaker == "staff":
            return Message(speaker, do=word, who=who, role=role, at=self.at, given=self.given(word))
        if speaker == "player":
            return Message(speaker, do=word, who=who, at=self.at, given=self.given(word))
        named = word in ("card", "excess_named") or (word == "excess" and self.rng.random() < 0.5)
        card = self.shoe.pop() if named and self.shoe else None
        code = self.rng.randint(1, 9)
        given = {"count": True} if word == "link_up" else {}
        return Message(
            speaker, event=word, card=card, code=code, winner="tie", at=self.at, given=given
        )

    def sensible(self) -> str:
        machine = self.session.machine
        if machine.table.doubt is not None and machine.state is not State.CLOSED:
            return "approve" if machine.table.request is not None else "count"
        if machine.state is State.HALTED:
            return self.way_out(machine.table)
        options = {
            State.CLOSED: ("open_table",),
            State.CHANGING_SHOE: ("load_shoe",),
            State.READY: ("open_betting", "open_betting", "method"),
            State.BETTING: ("place", "place", "place", "close_betting"),
            State.REVEALING: ("expose",),
            State.OUTCOME: ("announce",),
            State.SETTLING: ("settle",),
            State.SUSPENDED: ("answer",),
        }
        return self.rng.choice(options.get(machine.state, ("card", "card", "expose")))

    def way_out(self, table: Table) -> str:
        case = table.case
        if case is None:
            return self.rng.choice(("lid_closed", "link_up", "error_cleared", "resume", "resume"))
        if case.offer is not None:
            return self.rng.choice(("option", "close_offer"))
        if case.asked is not None or case.waits_for in ("order", "missing"):
            return self.rng.choice(("answer", "answer", "card", "decide"))
        return {"enter": "enter_card", "approve": "approve"}.get(str(case.waits_for), "decide")

    def given(self, word: str) -> dict[str, object]:
        rng = self.rng
        table = self.session.machine.table
        ids = [wager.id for wager in table.round.wagers] if table.round else []
        numbers = [drawn.n for drawn in table.round.cards] if table.round else []
        return {
            "load_shoe": {"deck_set": "b", "verified_by": "x", "cut": rng.random() < 0.9},
            "method": {"method": rng.choice("ABC"), "drawer": "ann"},
            "place": {
                "player": rng.choice(NAMES),
                "wager": rng.choice(self.book.wagers).id,
                "amount": rng.choice((20, 100, 2000, -5)),
                "position": rng.randint(1, 7),
            },
            "raise": {"id": rng.choice(ids or ["x"]), "amount": 20},
            "withdraw": {"id": rng.choice(ids or ["x"])},
            "close_betting": {"anyway": True},
            "accept_cards": {"hand": rng.choice(("player", "banker")), "player": "ann"},
            "refuse_cards": {"hand": rng.choice(("player", "banker")), "player": "ann"},
            "reveal_first": {"hand": rng.choice(("player", "banker"))},
            "expose": {"hand": rng.choice(("player", "banker"))},
            "report": {"what": rng.choice(IDS)},
            "answer": {
                "value": rng.random() < 0.5,
                "order": rng.sample(numbers, min(2, len(numbers))),
                "left": {},
            },
            "option": {"choice": rng.choice(("play", "withdraw")), "player": rng.choice(NAMES)},
            "decide": {"text": "so", "outcome": rng.choice(("go_on", "void", "reconstruct"))},
            "correct": {"n": rng.choice(numbers or [1]), "card": "9H", "reason": "misread"},
            "enter_card": {"card": rng.choice(DECK).code},
            "count": {"cards": max(0, doubt.lying(table) + rng.choice((0, 0, 1, 2, -1)))},
        }.get(word, {})


def check_cards(table: Table) -> None:
    """Every card that has left the shoe is accounted for once."""
    if table.round is None or table.shoe is None:
        return
    numbers = [drawn.n for drawn in (*table.round.cards, *table.carried)]
    assert len(set(numbers)) == len(numbers) or table.round.over
    assert all(1 <= number <= table.shoe.drawn for number in numbers)


def check_money(table: Table) -> None:
    """Player and house add up: nothing returned beyond the stake, no wager settled twice."""
    round_ = table.round
    if round_ is None or not round_.over:
        return
    stakes = {wager.id: wager.amount for wager in round_.wagers}
    assert sorted(paid.id for paid in round_.paid) == sorted(stakes)
    for paid in round_.paid:
        assert 0 <= paid.returned <= stakes[paid.id]
        assert paid.pays == 0 or paid.result == "win"
        if round_.void_by is not None:
            assert (paid.pays, paid.returned) == (0, stakes[paid.id])


def check_sealed(session: Session) -> None:
    """A face-down card is null in every view. Commitments are hashes and show nothing."""
    machine = session.machine
    shown = audience.surveillance(machine.table, machine.state, machine.rules)["hands"]
    round_ = machine.table.round
    if round_ is None:
        return
    lying = sum(not drawn.exposed for drawn in round_.cards if drawn.hand is not None)
    assert sum(face is None for hand in shown.values() for face in hand) >= lying


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("book", RULEBOOKS)
def test_random_steps_lose_nothing(book: str, seed: int) -> None:
    play_at_random(book, seed)


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(SEEDS, 100))
@pytest.mark.parametrize("book", RULEBOOKS)
def test_many_random_steps_lose_nothing(book: str, seed: int) -> None:
    play_at_random(book, seed)


def play_at_random(book: str, seed: int) -> None:
    face = "down" if seed % 2 else "up"
    house = House(book, burn="none", deal_face=face, hlga=seed % 3 == 0, minimum=50, maximum=5000)
    rules = Rules(rulebook(book), house)
    journal = MemoryJournal()
    sealer = Sealer(bytes(32), random.Random(seed).randbytes)
    session = open_session(rules, journal, sealer)
    gambler = Gambler(seed, book, session)
    for _ in range(STEPS):
        session.handle(gambler.next())
        table = session.machine.table
        check_cards(table)
        check_money(table)
        check_sealed(session)
    assert replay(rules, journal.records(), sealer) == session.machine.table
    assert replay(rules, journal.since_checkpoint(), sealer) == session.machine.table
