"""The emulated reader's bytes against the vectors, which also judge the driver."""

import pytest

from drivers.testing.vectors import vectors_of
from simulators.kit.contract import Refused
from simulators.kit.settings import WrongSetting
from simulators.registry import make
from support.rows import each_row

VECTORS = {
    vector["name"]: bytes.fromhex(vector["hex"]) for vector in vectors_of("shoe_line_reader")
}
OWN = " ".join(
    f"{'0600A3F1C2' if suit + rank == 'H9' else f'{suit}{rank}x'}={rank}{suit}"
    for suit in "SHDC"
    for rank in "A23456789TJQK"
)


@each_row(
    "name, settings, card",
    [
        ("2S of deck 1", {"decks": 1}, "2S"),
        ("queen of diamonds", {"table": "suit_number", "deck_digit": "none", "end": "lf"}, "QD"),
        ("ace of spades is A01", {"table": "suit_number", "deck_digit": "none", "end": "lf"}, "AS"),
        ("rank first", {"table": "rank_suit", "deck_digit": "none"}, "TC"),
        ("four digits", {"table": "four_digits", "deck_digit": "none"}, "TC"),
        ("a prefix and a suffix", {"decks": 1, "prefix": "<STX>CARD:", "suffix": ";"}, "2S"),
        (
            "a 125 kHz tag",
            {
                "table": "own",
                "own": OWN,
                "deck_digit": "none",
                "prefix": "<STX>",
                "end": "etx",
                "check": "xor_hex",
            },
            "9H",
        ),
    ],
)
def test_a_card_is_the_vectors_line(name: str, settings: dict[str, object], card: str) -> None:
    reader = make("shoe_line_reader", settings)
    reader.words["draw"].do(card=card)
    assert reader.step(0.1) == VECTORS[name]


def test_what_passes_unseen_and_what_is_said_of_it() -> None:
    quiet = make("shoe_line_reader")
    for word in ("unreadable", "cutting_card"):
        quiet.words[word].do()
    assert quiet.step(0.1) == b""
    loud = make("shoe_line_reader", {"no_read": "NOREAD", "cut_label": "CUT", "deck_digit": "none"})
    for word in ("unreadable", "cutting_card", "foreign", "rescan"):
        loud.words[word].do()
    assert loud.step(0.1) == b"NOREAD\r\nCUT\r\nZZ99\r\nZZ99\r\n"


def test_eight_copies_have_a_deck_digit_each() -> None:
    reader = make("shoe_line_reader", {"deck_digit": "first"})
    for _ in range(8):
        reader.words["draw"].do(card="2S")
    assert sorted(reader.step(0.1).split()) == [b"%dS2" % deck for deck in range(1, 9)]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(Refused, match="plain characters"):
        make("shoe_line_reader").words["scan"].do(label="\n")
    for settings in ({"decks": 10}, {"prefix": "x" * 17}, {"table": "own"}):
        with pytest.raises(WrongSetting):
            make("shoe_line_reader", settings)
