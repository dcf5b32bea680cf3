"""Every vector whole, byte by byte, cut everywhere, and between garbage."""

from typing import Any

from drivers.testing.vectors import vectors_of
from support.devices.device_says import heard, made, merged, said
from support.rows import each_row

VECTORS = vectors_of("shoe_bee_tek")
GARBAGE = [b"\x00\xff~noise", b"[", b"[Ga", b"<", b"[Game]<Card:4", b"*0D", b"\r\n>]", b"7S"]

every_vector = each_row("vector", VECTORS)


def whole(vector: dict[str, Any]) -> bytes:
    return bytes.fromhex(vector["hex"])


def driver(vector: dict[str, Any]) -> Any:
    return made("shoe_bee_tek", vector.get("settings"))


def test_vectors_hold_all_cards_of_format_b() -> None:
    cards = {each["says"][0] for each in VECTORS if each["source"].startswith("code list")}
    assert len(cards) == 52


@every_vector
def test_vector_whole(vector: dict[str, Any]) -> None:
    assert said(heard(driver(vector), whole(vector))) == vector["says"]


@every_vector
def test_vector_byte_by_byte(vector: dict[str, Any]) -> None:
    pieces = [bytes([byte]) for byte in whole(vector)]
    assert heard(driver(vector), *pieces) == heard(driver(vector), whole(vector))


@every_vector
def test_vector_cut_anywhere(vector: dict[str, Any]) -> None:
    data, at_once = whole(vector), heard(driver(vector), whole(vector))
    for cut in range(len(data) + 1):
        assert heard(driver(vector), data[:cut], b"", data[cut:]) == at_once


@every_vector
def test_garbage_before_costs_no_message(vector: dict[str, Any]) -> None:
    for garbage in GARBAGE:
        words = said(heard(driver(vector), garbage + whole(vector)))
        assert words == merged(["bad_frame", *vector["says"]]), garbage


@every_vector
def test_garbage_after_costs_no_message(vector: dict[str, Any]) -> None:
    for garbage in GARBAGE:
        words = said(heard(driver(vector), whole(vector) + garbage))
        assert words == merged([*vector["says"], "bad_frame"]), garbage
