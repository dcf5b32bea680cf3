"""Flipped bits, lost and doubled bytes: how many make another card, and that none goes unseen."""

from collections import Counter
from collections.abc import Iterator

import pytest

from drivers.cards import DECK, Card
from drivers.commands import NewShoe
from drivers.contract import Driver
from drivers.events import BadFrame, CardRead, Event, ReadFailed
from drivers.registry import find
from drivers.testing.cuts import flips
from support.devices.device_says import heard, made
from support.rows import each_row

NAME = "shoe_line_reader"


def written(card: Card, table: str) -> str:
    rank, suit = card.rank.value, card.suit.value
    ten, number = rank.replace("T", "10"), "A23456789TJQK".index(rank) + 1
    return {
        "suit_rank": suit + ten,
        "rank_suit": ten + suit,
        "suit_number": f"{suit.replace('S', 'A')}{number:02}",
        "four_digits": f"{' SHCD'.index(suit)}{number:02}0",
        "four_characters": f"01{suit}{rank.replace('T', 'X')}",
    }[table]


def lines(table: str, digit: str) -> Iterator[tuple[bytes, Card]]:
    for card in DECK:
        yield f"{written(card, table)}{digit}\r\n".encode(), card


def fate(driver: Driver, card: Card, data: bytes) -> str:
    driver.ask(NewShoe(), 0.0)
    driver.hello(0.0)
    events: list[Event] = heard(driver, data)
    cards = [event.card for event in events if isinstance(event, CardRead)]
    if cards == [card]:
        return "right"
    if cards:
        return "wrong"
    return "shown" if any(isinstance(e, BadFrame | ReadFailed) for e in events) else "silent"


@each_row(
    "table, digit, share",
    [
        ("suit_rank", "1", "5.0 %"),
        ("suit_rank", "", "6.2 %"),
        ("suit_number", "", "8.2 %"),
        ("rank_suit", "", "6.2 %"),
        ("four_digits", "", "7.9 %"),
        ("four_characters", "", "4.4 %"),
    ],
)
def test_share_of_flipped_bits_that_make_another_card_is_the_published_one(
    table: str, digit: str, share: str
) -> None:
    driver = made(NAME, {"table": table, "deck_digit": "last" if digit else "none"})
    fates = Counter(
        fate(driver, card, bad) for data, card in lines(table, digit) for bad in flips(data)
    )
    assert f"{fates['wrong'] / fates.total():.1%}".replace("%", " %") == share
    assert not fates["silent"]
    assert share in find(NAME).sheet.checked


@pytest.mark.parametrize(("table", "digit"), [("suit_rank", "1"), ("suit_number", "")])
def test_a_lost_or_doubled_byte_makes_no_other_card_and_loses_none_in_silence(
    table: str, digit: str
) -> None:
    driver = made(NAME, {"table": table, "deck_digit": "last" if digit else "none"})
    for data, card in lines(table, digit):
        for at in range(len(data)):
            for damaged in (data[:at] + data[at + 1 :], data[: at + 1] + data[at:]):
                assert fate(driver, card, damaged) in ("right", "shown")


def test_check_digits_let_no_flipped_bit_make_another_card() -> None:
    tags = {f"06{card.number:02X}A3F1{card.number * 3:02X}": card for card in DECK}
    own = {label: card.code for label, card in tags.items()}
    driver = made(
        NAME, {"table": "own", "labels": own, "prefix": "<STX>", "end": "etx", "check": "xor_hex"}
    )
    for label, card in tags.items():
        check = 0
        for byte in bytes.fromhex(label):
            check ^= byte
        for bad in flips(f"\x02{label}{check:02X}\x03".encode()):
            assert fate(driver, card, bad) in ("right", "shown")
