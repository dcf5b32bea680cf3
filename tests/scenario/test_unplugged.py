"""The cable comes out after every byte of a round: each card is at the table once, or asked for.

Real drivers and a real loop, in memory and in one thread; whatever the table asks for is answered
by somebody who sees the six cards on the layout.
"""

import random
from collections.abc import Iterator
from itertools import count
from typing import Any, Final

import pytest

from controller.engine.replay import replay
from controller.engine.session import open_session
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.runtime.devices import ConnectedDevice
from controller.runtime.inbox import DeviceInput, Inbox
from controller.runtime.loop import Clock, Loop
from controller.table.cards import Drawn, UnplacedCard
from controller.table.commands.message import Message, staff_message
from controller.table.commands.registry import Payload
from controller.table.rules import HouseRules, Rules
from controller.views.structs.encoding import plain
from drivers.contract import Capability
from drivers.events import LinkLost, LinkUp
from drivers.registry import find, names
from simulators import registry as emulators
from support.devices.angel_frames import COPY_S, EVENT_S, ROUND, ROUND_CARDS, numbered

RULES = Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", burn="none"))
EXPECTED = {"player": ["2C", "3D", "4C"], "banker": ["3H", "KS", "6S"]}
LOST = (0, 3, 24, 40)
"""So many bytes, or packets, go by while the cable is out: none, part of a frame, a whole event,
more."""


def staff(do: str, who: str = "dan", role: str = "dealer", **given: Any) -> Message[Payload]:
    return staff_message(do, who, role, **given)


def pit(do: str, **given: Any) -> Message[Payload]:
    return staff(do, "pia", "gaming_shift_manager", **given)


OPENING = [
    pit("open_table"),
    staff("load_shoe", deck_set="blue", verified_by="pia", cut=True),
    pit("approve"),
    staff("open_betting"),
    staff("close_betting"),
]


Piece = tuple[float, bytes]
"""What cannot be torn, with its time: a byte of a line, a packet of a bus."""


def torn(data: bytes) -> Iterator[bytes]:
    return (data[place : place + 1] for place in range(len(data)))


def angel_eye() -> Iterator[Piece]:
    """Every byte of a round: three copies of each event."""
    at = 0.0
    for each in numbered(ROUND):
        at += EVENT_S
        for copy in range(3):
            yield from ((at + copy * COPY_S, byte) for byte in torn(each))


def bee_tek() -> Iterator[Piece]:
    for place, card in enumerate(ROUND_CARDS):
        line = f" [Game]<Card:{card}> \r\n".encode()
        yield from ((2.0 * place, byte) for byte in torn(line))


def line_reader() -> Iterator[Piece]:
    for place, card in enumerate(ROUND_CARDS):
        label = card[1] + card[0].replace("T", "10")
        yield from ((2.0 * place, byte) for byte in torn(f"{label}1\r\n".encode()))


def barcode() -> Iterator[Piece]:
    """Every report of a round, as the emulated scanner types it."""
    scanner = emulators.make("shoe_barcode_usb", {"report_ms": 0})
    for place, card in enumerate(ROUND_CARDS):
        scanner.words["draw"].do(card=card)
        typed = scanner.step(1.0)
        for start in range(0, len(typed), 8):
            yield 2.0 * place + start / 2000, typed[start : start + 8]


STREAMS = {
    "shoe_angel_eye": list(angel_eye()),
    "shoe_bee_tek": list(bee_tek()),
    "shoe_barcode_usb": list(barcode()),
    "shoe_line_reader": list(line_reader()),
}
CARDS_END = {name: len(stream) for name, stream in STREAMS.items()} | {
    "shoe_angel_eye": 6 * 3 * 8  # its result and stand-by follow
}


class Table:
    def __init__(self, driver: str, **settings: str) -> None:
        self.journal = MemoryJournal()
        self.sealer = Sealer(bytes(32), random.Random(1).randbytes)
        self.session = open_session(RULES, self.journal, self.sealer)
        self.driver = find(driver)
        self.shoe = ConnectedDevice(
            "shoe",
            self.driver.with_settings(settings),
            self.driver.sheet,
            "memory",
            lambda _: None,
            numbered=Capability.NUMBERS_EVENTS in self.driver.sheet.capabilities_with(settings),
        )

    def run(self, *items: DeviceInput | Message[Payload]) -> list[dict[str, Any]]:
        """Everything in one go, in this order; the answers people got."""
        inbox = Inbox(devices_most=1000)
        loop = Loop(self.session, [self.shoe], Clock(lambda: 0.0, lambda: 0.0), inbox)
        futures = []
        for item in items:
            if isinstance(item, DeviceInput):
                assert inbox.hear(item)
            else:
                futures.append(loop.ask(item))
        loop.stop()
        loop.run()
        return [plain(future.result(0)) for future in futures]

    @property
    def known(self) -> list[str | None]:
        """The faces of all cards that have come to the table, in drawn order."""
        table = self.session.machine.table
        assert table.round is not None
        came = table.count_check.unplaced if table.count_check else ()
        lying = sorted(table.round.cards, key=lambda drawn: drawn.n)
        known: list[Drawn | UnplacedCard] = [*lying, *table.carried, *came]
        return [each.card for each in known]

    def answer(self, step: dict[str, Any]) -> Message[Payload]:
        """What somebody says who sees the six cards."""
        table = self.session.machine.table
        if not step["asks"]:
            return pit("resume")
        asked = step["asks"][0]["ask"]
        if asked == "count":
            return staff("count", cards=len(ROUND_CARDS))
        if asked == "enter":
            assert table.round is not None
            assert table.case is not None
            unread = [each.n for each in table.round.cards if each.card is None]
            asked_for = table.case.n
            assert asked_for in unread, "each card is asked for once"
            return staff("enter_card", card=ROUND_CARDS[asked_for - 1], n=asked_for)
        return {
            "approve": pit("approve"),
            "belongs": staff("answer", value=True),
            "decide": pit("decide", text="as they lie", outcome="go_on"),
        }[asked]


PROBE: Final = pit("close_offer")
"""Refused, as no offer is open: the answer shows the table as it is."""


def unplugged(driver: str, at: int, lost: int) -> None:
    stream = STREAMS[driver]
    table = Table(driver)
    table.run(DeviceInput("shoe", LinkUp(), 0.0), *OPENING)
    before, after = stream[:at], stream[at + lost :]
    out_at = before[-1][0] if before else 0.0
    back_at = after[0][0] if after else out_at + 5.0
    table.run(
        *_heard(before),
        DeviceInput("shoe", LinkLost("unplugged"), out_at),
        DeviceInput("shoe", LinkUp(first=False), back_at),
        *_heard(after),
        DeviceInput("shoe", b"", stream[-1][0] + 60.0),  # time for whatever waits for silence
    )
    known = table.known
    places = iter(ROUND_CARDS)
    assert all(card is None or card in places for card in known), "once each, and in order"
    latest = table.run(PROBE)[0]
    in_doubt = [ask["ask"] for ask in latest["asks"]] == ["count"]
    assert in_doubt or len(known) == len(ROUND_CARDS), f"lost in silence: {known}"
    ordered = _settled(table, latest)
    hands = table.run(PROBE)[0]["hands"]
    assert hands == EXPECTED or not ordered
    assert sum(len(hand) for hand in hands.values()) == len(ROUND_CARDS)
    assert replay(RULES, table.journal.records(), table.sealer) == table.session.machine.table


def _settled(table: Table, step: dict[str, Any]) -> bool:
    """Answer until nothing is asked; False when which card is missing had to be decided."""
    ordered = True
    for turn in count():
        if step["state"] == "outcome":
            return ordered
        assert turn < 40, step
        ordered = ordered and "decide" not in [ask["ask"] for ask in step["asks"]]
        (step,) = table.run(table.answer(step))
        assert step["accepted"], step
    raise AssertionError


SHEETS: Final = [find(name).sheet for name in names()]
SHOES: Final = [each.name for each in SHEETS if each.kind == "shoe" and each.link != "none"]


@pytest.mark.parametrize("driver", SHOES)
def test_shoe_without_numbers_has_the_cards_counted_when_it_is_heard_again(driver: str) -> None:
    """Nothing was lost, and nobody but the people at the table can know that."""
    table = Table(driver)
    table.run(DeviceInput("shoe", LinkUp(), 0.0), *OPENING)
    assert asked_when_heard_again(table) == ([] if table.shoe.numbered else ["count"])


def test_shoe_whose_numbers_nobody_follows_has_the_cards_counted() -> None:
    table = Table("shoe_angel_eye", sequence="any")
    table.run(DeviceInput("shoe", LinkUp(), 0.0), *OPENING)
    assert asked_when_heard_again(table) == ["count"]


def asked_when_heard_again(table: Table) -> list[str]:
    lost, back = LinkLost("unplugged"), LinkUp(first=False)
    table.run(DeviceInput("shoe", lost, 5.0), DeviceInput("shoe", back, 9.0))
    return [ask["ask"] for ask in table.run(PROBE)[0]["asks"]]


def _heard(stream: list[Piece]) -> list[DeviceInput]:
    """What comes at the same time comes in one read."""
    chunks: dict[float, bytes] = {}
    for at, piece in stream:
        chunks[at] = chunks.get(at, b"") + piece
    return [DeviceInput("shoe", data, at) for at, data in chunks.items()]


@pytest.mark.parametrize("driver", STREAMS)
def test_cable_out_loses_no_card_in_silence(driver: str) -> None:
    """Here and there; the second tier does it after every byte."""
    rng = random.Random(driver)
    for lost in LOST:
        places = range(CARDS_END[driver] - lost)  # none, where the whole round is shorter
        for at in rng.sample(places, min(5, len(places))):
            unplugged(driver, at, lost)


@pytest.mark.second_tier
@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize("driver", STREAMS)
def test_cable_out_after_every_byte_loses_no_card_in_silence(driver: str, lost: int) -> None:
    for at in range(CARDS_END[driver] - lost):
        unplugged(driver, at, lost)
