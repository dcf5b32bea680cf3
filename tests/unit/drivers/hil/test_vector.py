"""A capture of a test deck as vectors, and what is taken out of it or refused."""

import json
import random
from collections.abc import Iterable
from typing import Any

import pytest

from drivers import registry
from drivers.cards import DECK, Card
from drivers.hil.vector import LeftOut, NotForOthers, Scrubbed, scrubbed
from drivers.io.capture import Moment, Recording, plain

BEE_TEK = registry.find("shoe_bee_tek")
ABOUT = {
    "driver": "shoe_bee_tek",
    "port": "/dev/serial/by-id/usb-FTDI_A10LX3VF",
    "identity": "usb 0403:6001:A10LX3VF",
    "asset": "SHOE-0017",
    "began": "2026-11-17T10:00:00Z",
    "firmware": "3.2",
    "settings": {"baud": 9600},
}


def said(card: Card) -> bytes:
    return f" [Game]<Card:{card.code.replace('T', '10')}> ".encode()


def recording(*pieces: bytes, apart: float = 1.0, **about: Any) -> Recording:
    heard = [Moment(1.0 + n * apart, "in", piece) for n, piece in enumerate(pieces)]
    sent = Moment(0.5, "out", b"SECRET-COMMAND")
    return Recording({**ABOUT, **about}, (Moment(0.0, "up"), sent, *heard))


def made(cards: Iterable[Card], **about: Any) -> Scrubbed:
    return scrubbed(recording(*map(said, cards), **about), BEE_TEK, DECK)


def told(vector: dict[str, Any]) -> list[dict[str, Any]]:
    """By a driver that heard nothing else."""
    driver = BEE_TEK.with_settings(vector.get("settings", {}))
    events = [*driver.hello(0.0).events, *driver.feed(bytes.fromhex(vector["hex"]), 1.0).events]
    while (due := driver.deadline()) is not None and due < 60:
        events += driver.tick(due).events
    return [plain(event) for event in events]


def test_every_card_of_the_deck_becomes_a_vector_that_comes_out() -> None:
    found = made(DECK)
    vectors = json.loads(found.written())
    assert len(vectors) == 52
    for vector, card in zip(vectors, DECK, strict=True):
        assert vector["tells"] == [{"event": "CardRead", "card": card.code}]
        (event,) = told(vector)
        assert vector["tells"][0].items() <= event.items()
    assert bytes.fromhex(vectors[1]["hex"]) == said(DECK[1]), "its own bytes, and no other's"
    assert vectors[0]["origin"].endswith("Bee-Tek, firmware 3.2")


def test_nothing_of_house_unit_place_or_time_is_in_them() -> None:
    text = made(DECK).written()
    for secret in ("SHOE-0017", "A10LX3VF", "0403", "/dev/", "2026", "10:00", "baud"):
        assert secret not in text
    assert b"SECRET-COMMAND".hex().upper() not in text


def test_messages_cut_by_the_line_are_put_together() -> None:
    data = b"".join(map(said, DECK[:3]))
    pieces = (data[:5], data[5:21], data[21:])
    found = scrubbed(recording(*pieces, apart=0.01), BEE_TEK, DECK)
    assert [each["tells"][0]["card"] for each in found.vectors] == ["AS", "2S", "3S"]


def test_the_same_message_is_kept_once() -> None:
    found = made([*DECK, DECK[0]])
    assert len(found.vectors) == 52
    assert found.left_out == {LeftOut.AGAIN: 1}


def test_settings_without_which_the_bytes_mean_something_else_stay() -> None:
    key = next(iter(BEE_TEK.sheet.settings))
    default = BEE_TEK.sheet.settings[key].default
    found = made(DECK[:2], settings={"baud": 9600, key: default})
    assert found.settings == {key: default}
    assert found.vectors[0]["settings"] == {key: default}


def test_a_message_with_a_number_of_the_unit_is_left_out() -> None:
    alarm = b" [Game]<Alarm:SHOE-0017> "
    found = scrubbed(recording(said(DECK[0]), alarm, said(DECK[1])), BEE_TEK, DECK)
    assert found.left_out[LeftOut.NUMBER] == 1
    assert b"SHOE-0017".hex().upper() not in found.written()


def test_cards_in_the_order_of_a_shoe_are_refused() -> None:
    shuffled = list(DECK) * 8
    random.Random(3).shuffle(shuffled)
    for cards in (shuffled, shuffled[:60], shuffled[:4], [DECK[3], DECK[20], DECK[40]]):
        with pytest.raises(NotForOthers, match="may be those of a table") as refused:
            made(cards)
        assert not any(card.code in str(refused.value) for card in DECK)


def test_a_unit_that_is_not_quite_well_may_give_its_capture_too() -> None:
    assert len(made([*DECK[:20], *DECK[21:]]).vectors) == 51


def test_what_a_shuffler_found_in_a_pack_stays_in_the_house() -> None:
    """Nor does it matter that its number is not told."""
    batch = registry.find("shuffler_batch")
    wrong = b"E0042 VERIFIED 7 8 WRONG 416 9H:1 KC:1 0 0*08F00A73\n"
    found = scrubbed(recording(wrong, settings={}), batch, DECK)
    assert found.vectors == []
    assert found.left_out == {LeftOut.PACK: 1}


def test_a_sealed_capture_is_refused_whatever_it_holds() -> None:
    with pytest.raises(NotForOthers, match="is sealed"):
        made(DECK, sealed=True)
