"""Every vector whole, report by report, cut everywhere, and between garbage."""

from typing import Any

from drivers.testing.vectors import vectors_of
from support.devices.device_says import heard, made, merged, said
from support.devices.typed import reports, scan
from support.rows import each_row

VECTORS = vectors_of("shoe_barcode_usb")
GARBAGE = [
    b"\x00\x00\x01\x01\x01\x01\x01\x01",
    b"\x00\x00\x3a\x00\x00\x00\x00\x00" + bytes(8),
    b"\x16",
    bytes(9),
    b"\x00\x00\x16\x00\x00\x00\x00\x00" + bytes(8),
    b"\xff" * 24,
]

every_vector = each_row("vector", VECTORS)


def sent(vector: dict[str, Any]) -> list[bytes]:
    return reports(bytes.fromhex(vector["hex"]))


def driver(vector: dict[str, Any]) -> Any:
    return made("shoe_barcode_usb", vector.get("settings"))


@every_vector
def test_vector_report_by_report(vector: dict[str, Any]) -> None:
    assert said(heard(driver(vector), *sent(vector))) == vector["says"]


@every_vector
def test_vector_cut_between_any_two_reports(vector: dict[str, Any]) -> None:
    packets = sent(vector)
    for cut in range(len(packets) + 1):
        pieces = (b"".join(packets[:cut]), b"", b"".join(packets[cut:]))
        assert said(heard(driver(vector), *pieces)) == vector["says"]


@every_vector
def test_every_report_sent_twice_says_the_same(vector: dict[str, Any]) -> None:
    twice = [report for each in sent(vector) for report in (each, each)]
    assert said(heard(driver(vector), *twice)) == vector["says"]


@every_vector
def test_garbage_and_silence_before_cost_no_scan(vector: dict[str, Any]) -> None:
    for garbage in GARBAGE:
        shoe = driver(vector)
        assert said(heard(shoe, garbage, at=1.0)) == ["bad_frame"]
        shoe.feed(bytes(8), 8.0)
        assert said(heard(shoe, *sent(vector), at=9.0)) == vector["says"]


@each_row("garbage", GARBAGE)
def test_garbage_right_before_a_scan_puts_this_one_in_doubt_and_no_other(garbage: bytes) -> None:
    shoe = made("shoe_barcode_usb")
    words = said(heard(shoe, garbage, bytes(8), scan("S21"), scan("HA8"), scan("D103")))
    assert words in (
        ["bad_frame", "card AH", "card TD"],
        ["error 6", "read_failed", "card AH", "card TD"],
    )


@every_vector
def test_garbage_after_costs_no_scan(vector: dict[str, Any]) -> None:
    for garbage in GARBAGE:
        words = said(heard(driver(vector), *sent(vector), garbage))
        assert merged(words) == merged([*vector["says"], "bad_frame"]), garbage
