"""Flipped bits, lost and doubled reports, silence and noise: no card is lost without a word."""

import pickle
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from drivers.cards import DECK, Card
from drivers.commands import NewShoe
from drivers.contract import Driver
from drivers.events import BadFrame, CardRead, Event, ReadFailed
from drivers.registry import find
from drivers.shoe_barcode_usb.driver import MAX_PRESSES, RAW_KEPT
from drivers.testing.cuts import flips
from support.devices.device_says import heard, made, said
from support.devices.typed import RELEASE, press, reports, scan
from support.rows import each_row

TABLES = ("suit_rank_deck", "four_digits", "four_characters")


def labels(table: str, decks: str = "1") -> Iterator[tuple[str, Card]]:
    for card in DECK:
        rank, suit = card.rank.value, card.suit.value
        number = "A23456789TJQK".index(rank) + 1
        if table == "suit_rank_deck":
            ten = "10" if rank == "T" else rank
            yield from ((f"{suit}{ten}{deck}", card) for deck in decks)
        elif table == "four_digits":
            yield f"{' SHCD'.index(suit)}{number:02}0", card
        else:
            yield f"01{suit}{'X' if rank == 'T' else rank}", card


def fate(card: Card, events: list[Event]) -> str:
    cards = [event.card for event in events if isinstance(event, CardRead)]
    if cards == [card]:
        return "right"
    if cards:
        return "wrong"
    return "shown" if any(isinstance(e, BadFrame | ReadFailed) for e in events) else "silent"


def fresh(driver: Driver) -> Driver:
    """As after a new shoe and a new link."""
    driver.ask(NewShoe(), 0.0)
    driver.hello(0.0)
    return driver


def fates(table: str, decks: str) -> Counter[str]:
    driver = made("shoe_barcode_usb", {"table": table})
    return Counter(
        fate(card, heard(fresh(driver), damaged))
        for label, card in labels(table, decks)
        for damaged in flips(scan(label))
    )


@pytest.mark.parametrize(
    ("table", "expected", "share"),
    [
        ("suit_rank_deck", {"shown": 17464, "right": 9532, "wrong": 140}, "0.5 %"),
        pytest.param(
            "four_digits",
            {"shown": 22566, "right": 10574, "wrong": 140},
            "0.4 %",
            marks=pytest.mark.second_tier,
        ),
        pytest.param(
            "four_characters",
            {"shown": 21972, "right": 11160, "wrong": 148},
            "0.4 %",
            marks=pytest.mark.second_tier,
        ),
    ],
)
def test_share_of_flipped_bits_that_make_another_card_is_the_published_one(
    table: str, expected: dict[str, int], share: str
) -> None:
    total = fates(table, "1")
    assert total == expected
    assert f"{total['wrong'] / sum(total.values()):.1%}".replace("%", " %") == share
    assert share in find("shoe_barcode_usb").sheet.checked


@pytest.mark.second_tier
def test_share_of_flipped_bits_over_all_eight_decks_is_the_published_one() -> None:
    total = fates("suit_rank_deck", "12345678")
    assert total == {"shown": 138720, "right": 77248, "wrong": 1120}


@each_row("table", TABLES)
def test_lost_report_makes_no_other_card_and_loses_none_in_silence(table: str) -> None:
    driver = made("shoe_barcode_usb", {"table": table})
    for label, card in labels(table, "12345678"):
        sent = reports(scan(label))
        for lost in range(len(sent)):
            events = heard(fresh(driver), *sent[:lost], *sent[lost + 1 :])
            assert fate(card, events) in ("right", "shown"), (label, lost)


@each_row("table", TABLES)
def test_doubled_report_changes_nothing(table: str) -> None:
    driver = made("shoe_barcode_usb", {"table": table})
    for label, card in labels(table, "12345678"):
        sent = reports(scan(label))
        for double in range(len(sent)):
            events = heard(fresh(driver), *sent[: double + 1], *sent[double:])
            assert said(events) == [f"card {card.code}"]


def test_lost_enter_is_told_before_the_next_card() -> None:
    driver = made("shoe_barcode_usb")
    driver.feed(scan("S21")[:-16], 1.0)
    assert said([*driver.feed(scan("HA8"), 1.6).events]) == ["bad_frame", "card AH"]


def test_silence_anywhere_in_a_scan_never_glues_it_to_the_next() -> None:
    sent = reports(scan("D103"))
    for cut in range(1, len(sent) - 1):
        driver = made("shoe_barcode_usb")
        begun = heard(driver, *sent[:cut], at=1.0)
        rest = heard(driver, *sent[cut:], at=9.0)
        after = heard(driver, scan("HA8"), at=17.0)
        assert fate(Card.parse("TD"), begun + rest) in ("right", "shown")
        assert said(after) == ["card AH"]


def test_repeats_of_a_held_key_do_not_put_the_silence_off() -> None:
    driver = made("shoe_barcode_usb", {"silence_s": 0.25})
    driver.feed(press("S"), 1.0)
    driver.feed(press("S"), 1.2)
    driver.feed(RELEASE, 1.2)
    assert driver.deadline() == 1.25
    assert said([*driver.feed(RELEASE, 1.25).events]) == ["bad_frame"]


def test_reader_that_never_can_tell_its_keys_is_told_again_and_again() -> None:
    driver, told = made("shoe_barcode_usb"), 0
    for tenth in range(100):
        told += len(driver.feed(b"\x00\x00" + b"\x01" * 6, tenth / 10).events)
    assert 10 < told < 30


def test_scan_that_breaks_off_with_the_link_is_told_when_it_returns() -> None:
    driver = made("shoe_barcode_usb")
    driver.feed(scan("S21")[:24], 1.0)
    assert said([*driver.hello(1.1).events]) == ["bad_frame"]
    assert said(heard(driver, scan("HA8"), at=1.2)) == ["card AH"]


def test_key_that_was_down_when_the_link_went_counts_when_it_comes_again() -> None:
    driver = made("shoe_barcode_usb")
    heard(driver, scan("HA8"), press("S"))
    driver.hello(2.0)
    assert said(heard(driver, scan("S21"), at=3.0)) == ["card 2S"]


def test_scan_without_end_is_given_up_and_bounded() -> None:
    driver = made("shoe_barcode_usb")
    endless = b"".join(press("AB"[n % 2]) for n in range(MAX_PRESSES - 1))
    assert driver.feed(endless, 1.0).events == ()
    (told,) = driver.feed(press("B") + RELEASE, 1.0).events
    assert isinstance(told, BadFrame)
    assert len(told.data) == RAW_KEPT
    assert driver.deadline() is None


def noise(megabytes: int) -> None:
    """Random packets, and random keys of a scan in any order."""
    random, keys = Random(7), "SHDCA2345678910JQK\n\n\n\n\n\n\n"
    driver, at = made("shoe_barcode_usb"), 1.0
    for block in range(megabytes * 1024):
        if block % 2:
            data = b"".join(press(random.choice(keys)) + RELEASE for _ in range(64))
        else:
            data = random.randbytes(1024 + random.randrange(-1, 2))
        at += 0.1
        driver.feed(data, at)
        assert len(pickle.dumps(driver)) < 40_000
    driver.ask(NewShoe(), at)
    assert said(heard(driver, RELEASE, scan("HA8"), at=at + 1))[-1] == "card AH"


def test_two_megabytes_of_noise_keep_memory_bounded_and_the_next_card_whole() -> None:
    noise(2)


@pytest.mark.second_tier
def test_ten_megabytes_of_noise_keep_memory_bounded() -> None:
    noise(10)


def test_link_lost_after_any_report_doubles_no_card_and_loses_none_in_silence() -> None:
    labels_drawn = ["S41", "S42", "HK1", "D101", "CA8", "S43"]
    stream = reports(b"".join(scan(label) for label in labels_drawn))
    for cut in range(len(stream) + 1):
        driver = made("shoe_barcode_usb")
        events = heard(driver, *stream[:cut])
        events += [*driver.hello(2.0).events, *heard(driver, *stream[cut:], at=3.0)]
        read = said([event for event in events if isinstance(event, CardRead)])
        doubts = [event for event in events if isinstance(event, BadFrame | ReadFailed)]
        assert len(read) == 6 or (doubts and len(read) == 5)


def test_a_second_enter_as_fast_as_the_reader_types_ends_the_same_label() -> None:
    """Readers can be set to end a label with CR and LF; the count was asked after every card."""
    enter = scan("")
    driver = made("shoe_barcode_usb", {"table": "four_digits"})
    assert said(heard(driver, *reports(scan("1010") + enter), at=1.0)) == ["card AS"]
    assert said(heard(driver, *reports(scan("1020") + enter + enter), at=2.0)) == [
        "card 2S",
        "bad_frame",
    ]
    assert said(heard(driver, *reports(enter), at=9.0)) == ["bad_frame"]
