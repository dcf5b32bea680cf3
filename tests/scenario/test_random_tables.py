"""Random steps, legal and not: cards and money are conserved, nothing shows, replay agrees, and
the machine's phase is the one that what lies on the layout tells."""

import random
from typing import Any, Literal

import pytest

from controller.engine.replay import replay
from controller.engine.session import Session, open_session
from controller.game.roles import Role
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.round import count_check
from controller.rulebooks import RULEBOOKS, rulebook
from controller.table.agenda.order import has_holds, may_be_sent
from controller.table.case import (
    AwaitsApproval,
    AwaitsCard,
    AwaitsCounts,
    AwaitsFact,
    AwaitsOption,
    AwaitsOrder,
)
from controller.table.commands.message import Message, new_message
from controller.table.commands.registry import REGISTRY, Payload
from controller.table.commands.reports import FORMS, IDS, report_fields
from controller.table.phases import Phase
from controller.table.rules import HouseRules, Rules
from controller.table.state import Table
from controller.views import audience
from controller.views.structs.encoding import plain
from drivers.cards import DECK
from support import phase_oracle
from support.table.agenda_check import AgendaCheck

STEPS = 200
SEEDS = 8
STEPS_BETWEEN_STOPS = 70
BURNS: tuple[Literal["none", "first_card"] | int, ...] = ("none", "none", "first_card", "none", 2)
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

    def next(self) -> Message[Payload]:
        """Three times in four what moves the table on, else anything at all."""
        self.at += self.rng.choice((0.0, 1.0, 1.0))
        if self.rng.random() < 0.75:
            word, who = self.sensible(), self.rng.choice(("g1", "g2"))
            role = Role.GAMING_SHIFT_MANAGER.value
        else:
            table = self.session.machine.table
            legal = [name for name, spec in REGISTRY.items() if may_be_sent(spec, table)]
            word = self.rng.choice(sorted(legal if self.rng.random() < 0.7 else REGISTRY))
            who, role = self.rng.choice(NAMES), self.rng.choice([*Role][1:]).value
        return self.said(word, who, role)

    def said(self, word: str, who: str, role: str) -> Message[Payload]:
        speaker = self.rng.choice(REGISTRY[word].speakers)
        if speaker == "staff":
            return new_message(speaker, word, who=who, role=role, at=self.at, **self.given(word))
        if speaker == "player":
            return new_message(speaker, word, who=who, at=self.at, **self.given(word))
        return new_message(speaker, word, at=self.at, **self.told(word))

    def told(self, word: str) -> dict[str, Any]:
        """What a device gives with its word; now and then a field that no word has."""
        if self.rng.random() < 0.02:
            return {"colour": "red"}
        named = word in ("card", "excess_named") or (word == "excess" and self.rng.random() < 0.5)
        if named and self.shoe:
            return {"card": self.shoe.pop()}
        fields: dict[str, dict[str, Any]] = {
            "link_up": {"count": True},
            "error": {"code": self.rng.randint(1, 9)},
            "result": {"winner": self.rng.choice(("player", "banker", "tie"))},
            "noted": {"what": "something"},
        }
        return fields.get(word, {})

    def sensible(self) -> str:
        table = self.session.machine.table
        if table.count_check is not None and table.day.is_open:
            return "approve" if table.request is not None else "count"
        if table.clocks.restarted_at is not None:
            return "answer"
        if has_holds(table):
            return self.way_out(table)
        if table.request is not None:
            return self.rng.choice(("approve", "approve", "refuse"))
        options = {
            Phase.CLOSED: ("open_table",),
            Phase.CHANGING_SHOE: ("load_shoe", "card", "card", "card"),
            Phase.READY: ("open_betting", "open_betting", "method"),
            Phase.BETTING: ("place", "place", "place", "close_betting"),
            Phase.REVEALING: ("expose",),
            Phase.OUTCOME: ("announce",),
            Phase.SETTLING: ("settle",),
        }
        if self.rng.random() < 0.05:
            return "report"
        return self.rng.choice(options.get(table.phase, ("card", "card", "expose")))

    def way_out(self, table: Table) -> str:
        case = table.case
        if case is None:
            return self.rng.choice(("lid_closed", "link_up", "error_cleared", "resume", "resume"))
        match case.awaits:
            case AwaitsOption():
                return self.rng.choice(("option", "close_offer"))
            case AwaitsFact() | AwaitsOrder() | AwaitsCounts():
                return self.rng.choice(("answer", "answer", "card", "decide"))
            case AwaitsCard():
                return "enter_card"
            case AwaitsApproval():
                return "approve"
        return "decide"

    def given(self, word: str) -> dict[str, Any]:
        rng = self.rng
        table = self.session.machine.table
        ids = [wager.id for wager in table.round.wagers] if table.round else []
        numbers = [drawn.n for drawn in table.round.cards] if table.round else []
        fields: dict[str, dict[str, Any]] = {
            "load_shoe": {
                "deck_set": "b",
                "verified_by": rng.choice(("g1", "g2", "ghost")),
                "cut": rng.random() < 0.9,
            },
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
            "report": self.reported(rng.choice(IDS), numbers),
            "answer": {
                "value": rng.random() < 0.5,
                "order": rng.sample(numbers, min(2, len(numbers))),
                "left": {},
            },
            "option": {"choice": rng.choice(("play", "withdraw")), "player": rng.choice(NAMES)},
            "decide": {
                "text": "so",
                "outcome": rng.choice(("go_on", "void", "reconstruct")),
                "order": rng.sample(numbers, rng.randint(0, len(numbers))),
            },
            "correct": {
                "n": rng.choice(numbers or [1]),
                "card": rng.choice(DECK).code,
                "reason": "misread",
            },
            "enter_card": {
                "card": rng.choice(DECK).code,
                **({"n": rng.choice(numbers)} if numbers and rng.random() < 0.5 else {}),
            },
            "count": {
                "cards": max(
                    0, count_check.expected_card_count(table) + rng.choice((0, 0, 1, 2, -1))
                )
            },
        }
        return fields.get(word, {})

    def reported(self, what: str, numbers: list[int]) -> dict[str, Any]:
        """Half of what this report may tell, true or not."""
        rng = self.rng
        shuffled = rng.sample(numbers, len(numbers))
        half = len(numbers) // 2
        told: dict[str, Any] = {
            "cards": rng.sample(numbers, min(2, len(numbers))),
            "order": rng.sample(numbers, min(2, len(numbers))),
            "lies": {"player": shuffled[:half], "banker": shuffled[half:]},
            "hand": rng.choice(("player", "banker")),
            "to": rng.choice(NAMES),
            "facts": {fact: rng.random() < 0.5 for fact in FORMS[what].facts},
        }
        fields = [name for name in report_fields(what) if name in told and rng.random() < 0.5]
        return {"what": what, **{name: told[name] for name in fields}}


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
    shown = plain(audience.surveillance(machine.table, machine.rules))["hands"]
    round_ = machine.table.round
    if round_ is None:
        return
    lying = sum(not drawn.exposed for drawn in round_.cards if drawn.hand is not None)
    assert sum(face is None for hand in shown.values() for face in hand) >= lying


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("book", RULEBOOKS)
def test_random_steps_lose_nothing(book: str, seed: int) -> None:
    play_at_random(book, seed)


@pytest.mark.second_tier
@pytest.mark.parametrize("seed", range(SEEDS, 100))
@pytest.mark.parametrize("book", RULEBOOKS)
def test_many_random_steps_lose_nothing(book: str, seed: int) -> None:
    play_at_random(book, seed)


def house_of(book: str, seed: int) -> HouseRules:
    return HouseRules(
        book,
        burn=BURNS[seed % len(BURNS)],
        deal_face="down" if seed % 2 else "up",
        hlga=seed % 3 == 0,
        minimum=50,
        maximum=5000,
    )


def play_at_random(book: str, seed: int) -> None:
    rules = Rules(rulebook(book), house_of(book, seed))
    journal = MemoryJournal()
    sealer = Sealer(bytes(32), random.Random(seed).randbytes)
    session = open_session(rules, journal, sealer)
    gambler = Gambler(seed, book, session)
    check_agenda = AgendaCheck(rules)
    for step in range(STEPS):
        if step % STEPS_BETWEEN_STOPS == STEPS_BETWEEN_STOPS - 1:  # and the program comes back
            gambler.session = session = open_session(rules, journal, sealer)
        session.handle(gambler.next())
        table = session.machine.table
        check_cards(table)
        check_money(table)
        check_sealed(session)
        assert table.phase is phase_oracle.phase(rules.book, table)
        check_agenda(table)
    assert replay(rules, journal.records(), sealer) == session.machine.table
    assert replay(rules, journal.since_checkpoint(), sealer) == session.machine.table
