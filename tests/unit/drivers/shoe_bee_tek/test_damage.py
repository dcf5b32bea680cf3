"""Flipped bits, lost bytes, silence and noise: a card is never lost without a word."""

import pickle
from collections import Counter
from random import Random

import pytest

from drivers.cards import DECK, Card
from drivers.events import BadFrame, CardRead, Event
from drivers.registry import find
from drivers.shoe_bee_tek.codec import FRAME_LONGEST, JUNK_KEPT, JUNK_TOLD
from support.devices.device_says import heard, made, said

MODES = ("Game", "Manual Burn Cards")


def message_a(card: Card, mode: str = "Game", *, suit_first: bool = False) -> bytes:
    text = card.code[::-1] if suit_first else card.code
    return f" [{mode}]<Card:{text}> \r\n".encode()


def message_b(card: Card) -> bytes:
    body = f"0D{'HDCS'.index(card.suit.value)}{'.A23456789TJQK'.index(card.rank.value):X}"
    return f"*{body}{sum(map(ord, body)) % 256:02X}\r\n".encode()


def flipped(data: bytes, bit: int) -> bytes:
    damaged = bytearray(data)
    damaged[bit // 8] ^= 1 << bit % 8
    return bytes(damaged)


def fate(card: Card, events: list[Event]) -> str:
    cards = [event.card for event in events if isinstance(event, CardRead)]
    doubt = any(isinstance(event, BadFrame) for event in events)
    if cards == [card]:
        return "right"
    if cards:
        return "wrong"
    return "shown" if doubt else "silent"


def fates(card: Card, message: bytes) -> Counter[str]:
    return Counter(
        fate(card, heard(made("shoe_bee_tek"), flipped(message, bit)))
        for bit in range(8 * len(message))
    )


def test_share_of_flipped_bits_that_make_another_card_in_format_a_is_the_published_one() -> None:
    total = sum((fates(card, message_a(card)) for card in DECK), Counter[str]())
    assert total == {"shown": 5686, "right": 2112, "wrong": 106}
    assert sum(total.values()) == 7904
    checked = find("shoe_bee_tek").sheet.checked
    assert f"{total['wrong'] / sum(total.values()):.1%}".replace("%", " %") in checked


@pytest.mark.second_tier
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("suit_first", [False, True])
def test_share_is_the_same_number_of_bits_in_every_shape(mode: str, suit_first: bool) -> None:
    total = Counter[str]()
    for card in DECK:
        total += fates(card, message_a(card, mode, suit_first=suit_first))
    assert total["wrong"] == 106
    assert total["silent"] == 0


def test_another_card_comes_only_of_a_flip_in_the_two_characters_of_the_card() -> None:
    for card in DECK:
        message = message_a(card)
        place = message.index(b":") + 1
        for bit in range(8 * len(message)):
            if bit // 8 not in (place, place + 1):
                events = heard(made("shoe_bee_tek"), flipped(message, bit))
                assert fate(card, events) in ("right", "shown")


def test_echo_shows_a_flipped_bit_that_made_another_card() -> None:
    king = message_a(Card.parse("KS")).replace(b"K", b"J") + b"KS"
    assert said(heard(made("shoe_bee_tek"), king)) == ["card JS", "bad_frame"]


def test_no_flipped_bit_makes_another_card_in_format_b() -> None:
    total = sum((fates(card, message_b(card)) for card in DECK), Counter[str]())
    assert total["wrong"] == total["silent"] == 0
    assert sum(total.values()) == 52 * 9 * 8


@pytest.mark.parametrize("write", [message_a, message_b])
def test_lost_byte_makes_no_other_card_and_loses_none_in_silence(write: object) -> None:
    assert callable(write)
    for card in DECK:
        message = write(card)
        for lost in range(len(message)):
            events = heard(made("shoe_bee_tek"), message[:lost] + message[lost + 1 :])
            assert fate(card, events) in ("right", "shown")


@pytest.mark.parametrize("write", [message_a, message_b])
def test_silence_anywhere_in_a_message_never_glues_it_to_the_next(write: object) -> None:
    assert callable(write)
    first, second = write(Card.parse("4S")), write(Card.parse("KH"))
    for cut in range(len(first)):
        driver = made("shoe_bee_tek")
        events = heard(driver, first[:cut], at=1.0) + heard(driver, second, at=9.0)
        whole = first[:cut].count(b">") or (cut >= 7 and first.startswith(b"*"))
        begun = first[:cut].strip() and not whole
        expected = ["bad_frame"] if begun else ["card 4S"] if whole else []
        assert said(events) == [*expected, "card KH"]


def test_late_bytes_end_the_message_that_had_begun_even_without_a_tick() -> None:
    driver = made("shoe_bee_tek")
    driver.feed(b" [Game]<Card:4", 1.0)
    assert said([*driver.feed(b"S> ", 1.6).events]) == ["bad_frame"]
    assert said(heard(driver, b" [Game]<Card:5H> ", at=1.61)) == ["bad_frame", "card 5H"]


def test_deadline_is_there_while_something_has_begun_and_moves_with_every_byte() -> None:
    driver = made("shoe_bee_tek", {"silence_s": 0.25})
    assert driver.deadline() is None
    driver.feed(b" [Ga", 1.0)
    assert driver.deadline() == 1.25
    driver.feed(b"me]<Card:4S", 1.125)
    assert driver.deadline() == 1.375
    assert driver.tick(1.37).events == ()
    assert said([*driver.feed(b"> ", 1.37).events]) == ["card 4S"]
    assert driver.deadline() is None


def test_message_that_breaks_off_with_the_link_is_told_when_it_returns() -> None:
    driver = made("shoe_bee_tek")
    driver.feed(b" [Game]<Card:4", 1.0)
    assert said([*driver.hello(1.1).events]) == ["bad_frame"]
    assert said(heard(driver, b"S> [Game]<Card:5H> ", at=1.2)) == ["bad_frame", "card 5H"]


def test_another_format_may_come_after_the_link_was_gone() -> None:
    driver = made("shoe_bee_tek")
    assert said(heard(driver, message_b(Card.parse("4S")))) == ["card 4S"]
    driver.hello(2.0)
    assert said(heard(driver, message_a(Card.parse("5H")), at=3.0)) == ["card 5H"]


def test_message_longer_than_any_is_given_up_before_it_ends() -> None:
    driver = made("shoe_bee_tek")
    driver.feed(b"[Game]<Alarm:" + b"x" * FRAME_LONGEST, 1.0)
    assert said(heard(driver, b" [Game]<Card:4S> ")) == ["bad_frame", "card 4S"]


def test_long_noise_is_told_in_few_pieces_of_bounded_size() -> None:
    driver = made("shoe_bee_tek")
    events = heard(driver, b"?" * (3 * JUNK_TOLD + 5))
    assert said(events) == ["bad_frame"] * 4
    assert all(isinstance(event, BadFrame) and len(event.data) <= JUNK_KEPT for event in events)


def noise(megabytes: int) -> None:
    """Random bytes, and random bytes out of the shoe's own alphabet."""
    random = Random(7)
    alphabet = b" [Game]<Card:4SKH>*0D21D7\r\n"
    driver, at = made("shoe_bee_tek"), 1.0
    for block in range(megabytes * 256):
        data = random.randbytes(4096)
        if block % 2:
            data = bytes(alphabet[byte % len(alphabet)] for byte in data)
        at += 0.1
        assert len(driver.feed(data, at).events) < len(data) // 3
        assert len(pickle.dumps(driver)) < 8_000
    assert said(heard(driver, b"\n" + message_a(Card.parse("4S")), at=at + 0.1))[-1] == "card 4S"


def test_a_megabyte_of_noise_keeps_memory_bounded_and_the_next_card_whole() -> None:
    noise(1)


@pytest.mark.second_tier
def test_ten_megabytes_of_noise_keep_memory_bounded() -> None:
    noise(10)


@pytest.mark.parametrize("write", [message_a, message_b])
def test_link_lost_after_any_byte_doubles_no_card_and_loses_none_in_silence(write: object) -> None:
    assert callable(write)
    cards = [Card.parse(text) for text in ("4S", "4S", "KH", "TD", "AC", "4S")]
    stream = b"".join(write(card) for card in cards)
    for cut in range(len(stream) + 1):
        driver = made("shoe_bee_tek")
        events = heard(driver, stream[:cut])
        events += [*driver.hello(2.0).events, *heard(driver, stream[cut:], at=3.0)]
        read = [event.card for event in events if isinstance(event, CardRead)]
        doubts = len(events) - len(read)
        assert read == cards or (doubts and len(read) == len(cards) - 1)
