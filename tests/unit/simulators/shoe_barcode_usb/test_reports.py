"""The barcode shoe's reports, caused by hands and compared with published samples."""

import json
from pathlib import Path

import pytest

from simulators.kit.cards import NEW_DECK
from simulators.kit.contract import Refused
from simulators.kit.settings import WrongSetting
from simulators.registry import make
from simulators.wire.unit import Unit
from support.devices.typed import RELEASE, press, reports, scan
from support.rows import each_row

VECTORS = {
    vector["name"]: bytes.fromhex(vector["hex"])
    for vector in json.loads(
        (Path(__file__).parents[4] / "drivers/shoe_barcode_usb/vectors.json").read_text("utf-8")
    )
}
AT_ONCE = {"report_ms": 0}
SHIFT_S = bytes([2, 0, 0x16, 0, 0, 0, 0, 0])


def shoe(**settings: object) -> Unit:
    unit = Unit(make("shoe_barcode_usb", {**AT_ONCE, **settings}))
    assert unit.step(0) == b"", "it says nothing by itself"
    return unit


def said(unit: Unit, word: str = "draw", **given: object) -> bytes:
    unit.do(word, **given)
    return unit.step(0)


@each_row(
    "vector, label",
    [("2S of deck 1", "S21"), ("10D of deck 3", "D103"), ("AH of deck 8", "HA8")],
)
def test_sample_label_is_typed_byte_for_byte(vector: str, label: str) -> None:
    assert said(shoe(), "scan", label=label) == VECTORS[vector]


def test_capital_may_come_with_shift() -> None:
    typed = said(shoe(shift="with_key"), "scan", label="S21")
    assert typed == VECTORS["capital S with shift"]
    first = reports(said(shoe(shift="first"), "scan", label="S2"))
    assert first[:3] == [bytes([2]) + bytes(7), SHIFT_S, RELEASE]


def test_keys_may_follow_each_other_without_a_release_but_never_equal_ones() -> None:
    typed = reports(said(shoe(release="between_equal"), "scan", label="S221"))
    assert typed == [
        *(press("S"), press("2"), RELEASE, press("2"), press("1"), press("\n"), RELEASE),
    ]


@each_row("card", NEW_DECK)
def test_every_card_has_its_label_in_each_table(card: str) -> None:
    rank, suit = card[0], card[1]
    number = "A23456789TJQK".index(rank) + 1
    wide = {"T": "10"}.get(rank, rank)
    assert said(shoe(decks=1), card=card) == scan(f"{suit}{wide}1")
    digit = {"S": 1, "H": 2, "C": 3, "D": 4}[suit]
    assert said(shoe(table="four_digits"), card=card) == scan(f"{digit}{number:02d}0")
    typed = reports(said(shoe(table="four_characters"), card=card))
    last_two = f"{suit}{'X' if rank == 'T' else rank}"
    assert b"".join(typed[4:]) == scan(last_two)


def test_published_four_digit_labels() -> None:
    assert said(shoe(table="four_digits"), card="AS") == scan("1010")
    assert said(shoe(table="four_digits"), card="TC") == scan("3100")


def test_each_copy_has_its_own_deck_digit() -> None:
    unit = shoe(decks=8)
    labels = {said(unit, card="9H") for _ in range(8)}
    assert labels == {scan(f"H9{deck}") for deck in range(1, 9)}
    with pytest.raises(Refused, match="no 9H is left"):
        unit.do("draw", card="9H")


def test_card_pushed_back_and_drawn_again_carries_the_same_label() -> None:
    unit = shoe()
    first = said(unit)
    assert said(unit, "push_back") == first, "it passes the scanner on its way back"
    assert said(unit) == first


def test_own_labels() -> None:
    own = " ".join(f"L-{number}={card}" for number, card in enumerate(NEW_DECK))
    assert said(shoe(table="own", own=own), card=NEW_DECK[7]) == scan("L-7")


@each_row(
    "settings, says",
    [
        ({"table": "own", "own": "A=9H"}, "each of the 52"),
        ({"own": "A=9X"}, "not a card"),
        ({"own": "A9H"}, "A9H"),
        ({"own": "=9H"}, "LABEL=CARD"),
        ({"vid": "xyz"}, "vid"),
        ({"pid": "0"}, "pid"),
        ({"report_ms": -1}, "report_ms"),
        ({"decks": 10}, "decks"),
        ({"shift": "often"}, "shift"),
    ],
)
def test_impossible_setting_is_refused(settings: dict[str, object], says: str) -> None:
    with pytest.raises(WrongSetting, match=says):
        make("shoe_barcode_usb", settings)


def test_what_a_scanner_does_not_see_is_silent_unless_it_says_so() -> None:
    unit = shoe(deck="2S 3S 4S 5S CUT 6S")
    assert said(unit, "unreadable") == b""
    assert said(unit, "draw_two") == b""
    assert said(unit, "draw_two", read="both").count(press("\n")) == 2
    loud = shoe(deck="2S CUT 3S 4S 5S", no_read="NOREAD", cut_label="CUT-1", decks=1)
    assert said(loud, "unreadable") == scan("NOREAD")
    assert said(loud) == scan("CUT-1")
    assert said(loud, "draw_two", read="first") == scan("S31") + scan("NOREAD")
    assert said(shoe(), "cutting_card") == b""


def test_foreign_card_types_a_label_of_no_table() -> None:
    assert said(shoe(), "foreign") == scan("ZZ99")


def test_card_under_the_scanner_for_too_long_is_typed_again() -> None:
    unit = shoe()
    with pytest.raises(Refused, match="nothing has been scanned"):
        unit.do("rescan")
    first = said(unit)
    assert said(unit, "rescan") == first


def test_reports_are_dropped_and_doubled() -> None:
    unit = shoe()
    unit.do("drop_report", count=2)
    assert said(unit, "scan", label="S21") == scan("S21")[16:]
    unit.do("double_report", count=1)
    assert said(unit, "scan", label="S21") == press("S") + scan("S21")


def test_held_key_repeats_until_it_is_let_go() -> None:
    unit = shoe(repeat_ms=40)
    unit.do("hold", seconds=0.1)
    assert unit.step(0) == press("\n")
    assert unit.step(0.05) == press("\n")
    assert unit.step(0.05) == press("\n") + RELEASE
    assert unit.step(1) == b""


def test_line_has_a_pace() -> None:
    unit = shoe(report_ms=250)
    unit.do("scan", label="S21")
    assert unit.step(0) == press("S"), "the first at once"
    assert unit.step(0.125) == b""
    assert unit.step(0.125) == RELEASE
    assert unit.step(0.5) == press("2") + RELEASE
    assert unit.step(9) == scan("S21")[32:]
    unit.do("scan", label="S2")
    assert unit.step(0) == press("S")


def test_unplugged_scanner_types_nothing_and_forgets() -> None:
    unit = shoe(report_ms=10)
    unit.do("scan", label="S21")
    unit.do("unplug")
    assert unit.step(1) == b""
    with pytest.raises(Refused, match="unplugged already"):
        unit.do("unplug")
    unit.do("plug")
    assert unit.step(1) == b""
    with pytest.raises(Refused, match="plugged in already"):
        unit.do("plug")
    assert said(unit, "scan", label="S") == press("S")


def test_more_scans_than_wait_are_refused() -> None:
    unit = shoe(report_ms=1000)
    for _ in range(161):  # ten reports each
        unit.do("scan", label="D103")
        unit.step(0)
    with pytest.raises(Refused, match="events wait"):
        unit.do("scan", label="D103")


@each_row("label", ["", "a b", "S" * 65, "ü"])
def test_label_that_cannot_be_typed_is_refused(label: str) -> None:
    with pytest.raises(Refused, match="a label has"):
        shoe().do("scan", label=label)


def test_shown_tells_what_it_is() -> None:
    shown = shoe().shown()["device"]
    assert shown["usb"] == "1209:0001:SB-0001"
    assert shown["plugged"] is True
    assert shown["imported"] is False
