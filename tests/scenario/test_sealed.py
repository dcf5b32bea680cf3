"""Pairs of rounds that differ in nothing but sealed faces look the same until exposure.

Everything the table gives out is compared: answers, views, and the records' bodies and lengths,
with commitments masked (they are salted, and meant to differ).
"""

import random
import re
from typing import Any

import pytest
from msgspec.structs import replace

from controller.engine.session import open_session
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.table.commands.message import Message, new_message
from controller.table.commands.registry import Payload
from controller.table.rules import HouseRules, Rules
from controller.views import audience
from controller.views.answers import answer_view
from controller.views.structs.encoding import plain

STAFF = {"who": "d1", "role": "dealer"}
BOSS = {"who": "m1", "role": "gaming_shift_manager"}
COMMITMENT = re.compile(rb"[0-9a-f]{64}")


def staff(do: str, who: dict[str, str] = STAFF, **given: Any) -> Message[Payload]:
    return new_message("staff", do, **who, **given)


def card(code: str) -> Message[Payload]:
    return new_message("shoe", "card", card=code)


VOUCHED = staff("approve", {"who": "pia", "role": "pit_supervisor"})


def opening(method: str, wagers: tuple[str, ...]) -> list[Message[Payload]]:
    chosen = {"drawer": "ann"} if method == "C" else {}
    load = staff("load_shoe", deck_set="blue", verified_by="pia", cut=True)
    places = [
        staff("place", player=name, wager=wager, amount=2000, position=n)
        for n, (name, wager) in enumerate(zip(("ann", "bob", "cem"), wagers, strict=False), start=1)
    ]
    return [
        staff("open_table", BOSS),
        load,
        VOUCHED,
        staff("method", BOSS, method=method, **chosen),
        staff("open_betting"),
        *places,
        staff("close_betting"),
    ]


def everything(method: str, messages: list[Message[Payload]], seed: int = 1) -> list[object]:
    """All that anybody can see after each step."""
    rules = Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", burn="none", hlga=True))
    journal = MemoryJournal()
    session = open_session(rules, journal, Sealer(bytes(32), random.Random(seed).randbytes))
    seen: list[object] = []
    for at, said in enumerate((*opening(method, ("banker", "player", "tie")), *messages)):
        answer = session.handle(replace(said, at=float(at)))
        machine = session.machine
        views = [
            plain(audience.dealer(machine.table, rules)),
            plain(audience.pit(machine.table, rules)),
            plain(audience.public(machine.table, rules)),
            plain(audience.surveillance(machine.table, rules)),
        ]
        record = list(journal.records())[-1]
        lengths = (len(record.body), len(record.sealed or b""))
        seen.append(
            (plain(answer_view(answer)), _masked(repr(views)), _masked(repr(record.body)), lengths)
        )
    return seen


def _masked(text: str) -> bytes:
    return COMMITMENT.sub(b"*", text.encode())


# Naturals, pairs, third cards due and not due, and a ninth copy of one card.
DEALS = [
    "2H KC 3D 6S",
    "9H KC KD 8S",
    "9H 9C 9D 9S",
    "AS AS AS AS",
    "5H 5H 5H 5H",
    "2S 3S 4S 5S",
]


@pytest.mark.parametrize("method", ["A", "C"])
@pytest.mark.parametrize("other", DEALS[1:])
def test_nothing_tells_the_faces_of_sealed_cards(method: str, other: str) -> None:
    steps = [
        staff("accept_cards", hand="player", player="bob"),
        staff("reveal_first", hand="banker"),
        staff("announce"),
        staff("settle"),
        staff("expose", hand="player"),  # out of turn: refused, and the refusal tells nothing
    ]
    one = everything(method, [*map(card, DEALS[0].split()), *steps], seed=1)
    two = everything(method, [*map(card, other.split()), *steps], seed=2)
    assert one == two


@pytest.mark.parametrize("method", ["A", "C"])
@pytest.mark.parametrize("fifth", ["9H", "AS", "KD"])
def test_a_card_drawn_early_by_count_tells_nothing(method: str, fifth: str) -> None:
    """Whether a third card is due is not known yet: it is early whatever the faces."""
    rounds = [
        everything(method, list(map(card, f"{deal} {fifth}".split())), seed)
        for seed, deal in enumerate(DEALS)
    ]
    assert all(each == rounds[0] for each in rounds)


@pytest.mark.parametrize("method", ["A", "C"])
def test_a_devices_own_result_tells_nothing_before_exposure(method: str) -> None:
    """It is sealed like the cards it gives away, in the record as well."""
    rounds = [
        everything(
            method,
            [*map(card, DEALS[0].split()), new_message("shoe", "result", winner=winner)],
            seed,
        )
        for seed, winner in enumerate(("player", "banker", "tie"))
    ]
    assert all(each == rounds[0] for each in rounds)


@pytest.mark.parametrize("method", ["A", "B", "C"])
@pytest.mark.parametrize("counted", [5, 6, 4])
def test_cards_that_come_while_the_count_is_in_doubt_tell_nothing(
    method: str, counted: int
) -> None:
    """Not even where cards are dealt face up: where each belongs is known after the count."""
    first = ["9H"] if method == "B" else []
    rounds = []
    for seed, deal in enumerate(DEALS):
        steps = [
            *map(card, first),
            new_message("shoe", "events_lost"),
            *map(card, deal.split()),
            new_message("shoe", "excess", card=deal.split()[0], frame=deal.encode()),
            staff("count", cards=len(first) + counted),
        ]
        seen = everything(method, steps, seed)
        # Face up the count lays them open; before it nothing may differ.
        rounds.append(seen if method != "B" else seen[:-1])
    assert all(each == rounds[0] for each in rounds)


@pytest.mark.parametrize("where", ["closed", "no round"])
def test_a_card_drawn_at_a_wrong_moment_is_sealed_too(where: str) -> None:
    """Refused or laid aside, its face is nobody's business."""
    rules = Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", burn="none"))
    journal = MemoryJournal()
    session = open_session(rules, journal, Sealer(bytes(32), random.Random(1).randbytes))
    load = staff("load_shoe", deck_set="blue", verified_by="pia", cut=True)
    steps = [staff("open_table", BOSS), load, VOUCHED, staff("close_table", BOSS)]
    for said in steps if where == "closed" else steps[:3]:
        session.handle(said)
    answer = session.handle(card("QH"))
    assert "QH" not in repr(answer_view(answer))
    assert b"QH" not in list(journal.records())[-1].body


def test_the_comparison_notices_a_face_that_shows() -> None:
    """Guards the test itself: once a hand is exposed the rounds do differ."""
    expose = [staff("expose", hand="banker")]
    one = everything("A", [*map(card, DEALS[0].split()), *expose])
    two = everything("A", [*map(card, DEALS[1].split()), *expose])
    assert one[:-1] == two[:-1]
    assert one[-1] != two[-1]


@pytest.mark.parametrize("method", ["A", "C"])
def test_no_view_holds_a_sealed_face(method: str) -> None:
    """Canaries: four cards that appear nowhere else in anything the table says."""
    deal = "QH JC 7D 4S"
    for step in everything(method, list(map(card, deal.split()))):
        text = repr(step)
        assert not [code for code in deal.split() if code in text]
