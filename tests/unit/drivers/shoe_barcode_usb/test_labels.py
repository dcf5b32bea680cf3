"""Which labels are which cards, when two are one, and what the settings refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cards import DECK, Card
from drivers.commands import Lock, NewShoe
from drivers.errors import BadSetting, UnsupportedCommand
from drivers.labels import FOREIGN_KEPT, MAX_LABELS
from drivers.registry import find
from support.devices.device_says import heard, made, said
from support.devices.typed import reports, scan
from support.rows import each_row

ALL_416 = [
    (f"{suit}{rank}{deck}", f"{'T' if rank == '10' else rank}{suit}")
    for suit in "SHDC"
    for rank in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
    for deck in range(1, 9)
]


def test_whole_shoe_of_labels_is_416_cards_each_once() -> None:
    driver = made("shoe_barcode_usb")
    words = [word for label, _ in ALL_416 for word in said(heard(driver, scan(label)))]
    assert words == [f"card {card}" for _, card in ALL_416]


def test_four_digits_and_four_characters_have_every_card() -> None:
    digits = made("shoe_barcode_usb", {"table": "four_digits"})
    characters = made("shoe_barcode_usb", {"table": "four_characters"})
    for card in DECK:
        number = "A23456789TJQK".index(card.rank.value) + 1
        suit = {"S": 1, "H": 2, "C": 3, "D": 4}[card.suit.value]
        assert said(heard(digits, scan(f"{suit}{number:02}0"))) == [f"card {card}"]
        rank = "X" if card.rank.value == "T" else card.rank.value
        assert said(heard(characters, scan(f"7Q{card.suit.value}{rank}"))) == [f"card {card}"]


def test_new_shoe_forgets_which_labels_were_read() -> None:
    driver = made("shoe_barcode_usb")
    heard(driver, scan("S21"))
    assert driver.ask(NewShoe(), 2.0).send == b""
    assert said(heard(driver, scan("S21"), at=3.0)) == ["card 2S"]


def test_new_shoe_forgets_which_foreign_labels_were_read() -> None:
    driver = made("shoe_barcode_usb")
    heard(driver, scan("X1"))
    driver.ask(NewShoe(), 2.0)
    assert said(heard(driver, scan("X1"), at=3.0)) == ["error 6", "read_failed"]


def test_lost_link_does_not_make_two_cards_of_one() -> None:
    driver = made("shoe_barcode_usb")
    heard(driver, scan("S21"))
    driver.hello(2.0)
    assert said(heard(driver, scan("S21"), at=3.0)) == ["notice"]


def test_foreign_labels_are_remembered_up_to_a_limit() -> None:
    driver = made("shoe_barcode_usb")
    for n in range(FOREIGN_KEPT + 1):
        assert said(heard(driver, scan(f"X{n}"))) == ["error 6", "read_failed"]
    assert said(heard(driver, scan("X0"))) == ["error 6", "read_failed"]
    assert said(heard(driver, scan("X2"))) == ["bad_frame"]


def test_only_a_new_shoe_can_be_asked_for() -> None:
    assert find("shoe_barcode_usb").sheet.commands == (NewShoe,)
    with pytest.raises(UnsupportedCommand, match="Lock"):
        made("shoe_barcode_usb").ask(Lock(), 1.0)


def test_label_is_in_no_text_and_no_repr() -> None:
    driver = made("shoe_barcode_usb")
    events = heard(driver, scan("S21"), scan("S21"), scan("HA8"), scan("S21"), scan("S2X"))
    assert len(events) == 6
    assert "S2" not in repr(events)
    assert "2S" not in repr(events)


@each_row(
    "settings, names",
    [
        ({"table": "mine"}, "table"),
        ({"decks": 0}, "decks"),
        ({"decks": 10}, "decks"),
        ({"table": "own"}, "labels has 0"),
        ({"labels": {"A": "9H"}}, "table is 'suit_rank_deck'"),
        ({"table": "own", "labels": ["A"]}, "labels"),
        ({"table": "own", "labels": {"A": "1H"}}, "'A'.*'1H' is not a card"),
        ({"table": "own", "labels": {"A": 9}}, "'A'"),
        ({"table": "own", "labels": {"": "9H"}}, "labels"),
        ({"table": "own", "labels": {"A!": "9H"}}, "A!"),
        ({"table": "own", "labels": {"A" * 33: "9H"}}, "1 to 32"),
        ({"table": "own", "labels": {"a": "9H", "A": "9H"}}, "twice"),
        ({"table": "own", "labels": {str(n): "9H" for n in range(MAX_LABELS + 1)}}, "1025"),
        ({"cut_label": "S21"}, "cut_label"),
        ({"cut_label": "*"}, "cut_label"),
        ({"no_read_label": "S21"}, "no_read_label"),
        ({"cut_label": "X", "no_read_label": "x"}, "are the same"),
        ({"silence_s": 0.0}, "silence_s"),
    ],
)
def test_impossible_setting_is_refused_with_its_reason(
    settings: dict[str, object], names: str
) -> None:
    with pytest.raises(BadSetting, match=names):
        find("shoe_barcode_usb").with_settings(settings)


own_labels = st.dictionaries(
    st.text("ABCXYZ0123456789-", min_size=1, max_size=12),
    st.sampled_from([card.code for card in DECK]),
    min_size=1,
    max_size=12,
)


@given(own_labels, st.data())
def test_own_table_reads_what_it_was_given(table: dict[str, str], data: st.DataObject) -> None:
    driver = made("shoe_barcode_usb", {"table": "own", "labels": table})
    drawn = data.draw(st.lists(st.sampled_from(sorted(table)), max_size=8))
    words = said(heard(driver, *(scan(label) for label in drawn)))
    assert words == [f"card {table[label]}" for label in drawn]


@given(st.lists(st.sampled_from(ALL_416), unique=True, max_size=12), st.integers(1, 5))
def test_what_was_scanned_is_what_is_heard_in_packets_of_any_size(
    drawn: list[tuple[str, str]], size: int
) -> None:
    sent = reports(b"".join(scan(label) for label, _ in drawn))
    packets = [b"".join(sent[start : start + size]) for start in range(0, len(sent), size)]
    words = said(heard(made("shoe_barcode_usb"), *packets))
    assert words == [f"card {card}" for _, card in drawn]


@given(st.lists(st.one_of(st.binary(max_size=20), st.binary(min_size=8, max_size=8)), max_size=20))
def test_any_packets_are_understood_or_told(packets: list[bytes]) -> None:
    for event in heard(made("shoe_barcode_usb"), *packets):
        assert said([event])


@given(st.text("SHDCA2345678910JQK", max_size=6))
def test_any_label_is_a_card_of_ours_or_told(label: str) -> None:
    known = dict(ALL_416)
    words = said(heard(made("shoe_barcode_usb"), scan(label)))
    if label in known:
        assert words == [f"card {Card.parse(known[label])}"]
    else:
        assert words in (["bad_frame"], ["error 6", "read_failed"])
