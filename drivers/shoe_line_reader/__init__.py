"""A reader that sends a line of text for each card, at the mouth of a shoe. Data sheet.

A barcode or RFID reader on RS-232, on a USB port that shows up as a serial one (USB-CDC), or behind
a device server: a label or a tag's number, and the end of a line. The text around the label and the
meanings of the labels are settings.

* **It numbers nothing and acknowledges nothing.** The table asks for the count after every return
  of the link.
* **With a deck digit, or with a tag's own number, a label is on one card only**: repeated at once
  it is the same card and only noted; later in the shoe the table asks for the count, because two
  cards may be marked alike. `NewShoe` forgets the labels that were read.
* **Without one it is on every copy of a card**, so the same label twice is two cards. A reader that
  reads one card twice then counts it twice: switch its repeat off.
* **A label that is in no table** is doubt: it may be a damaged one. Only if the line has check
  digits (`check`) it is a card that does not belong, counted once, and people identify it.
* **A card that cannot be read is not reported**, unless the reader can be set to send something
  then (`no_read_label`); otherwise the dealer reports it.
* It detects no hand, no lid and no lock; the cutting card only if it has a label (`cut_label`).

A line has no checksum unless the reader sends one. `tests/unit/drivers/shoe_line_reader` counts how
many single flipped bits make another card of a label. The reading of a scratched label is protected
by the bar code's own check character, if it has one: use Code 128.
"""

from typing import Final

from drivers.commands import NewShoe
from drivers.contract import DataSheet, Setting
from drivers.shoe_line_reader.driver import LineReader as Driver

__all__ = ["SHEET", "Driver"]

SHEET: Final = DataSheet(
    name="shoe_line_reader",
    kind="shoe",
    maker="any",
    model="barcode or RFID reader that sends lines, at the mouth of a shoe",
    link="serial",
    numbered=False,
    checked="A line has no checksum of its own: a single flipped bit makes another card in 5.0 % "
    "of all cases with suit_rank and a deck digit, 6.2 % with suit_rank or rank_suit without one, "
    "8.2 % with suit_number, 7.9 % with four_digits, 4.4 % with four_characters; all others show "
    "or do no harm. With check digits (xor_hex) none does.",
    serial_number=False,
    baud=9600,
    commands=(NewShoe,),
    settings={
        "table": Setting(
            "suit_rank",
            ("suit_rank", "rank_suit", "suit_number", "four_digits", "four_characters", "own"),
            "how a card is written: S10, 10S, A10 (A for spades), 1100, 01SX, or the house's own",
        ),
        "deck_digit": Setting(
            "last",
            ("last", "first", "none"),
            "where the label has a digit for the deck it is of; not of the house's own labels",
        ),
        "decks": Setting(
            8, tuple(range(1, 10)), "how many decks the labels number; a higher one is in no table"
        ),
        "labels": Setting(
            {}, None, 'the house\'s own table: each label or tag with its card, "04F4AA" = "4S"'
        ),
        "own_label_on": Setting(
            "one_card",
            ("one_card", "every_copy"),
            "the house's own labels: one for each card, as a tag's number is, so that the same "
            "twice is one card; or the same on every copy of a card, so that it is two",
        ),
        "prefix": Setting(
            "", None, "what stands before the label; control characters by name: <STX>"
        ),
        "suffix": Setting("", None, "what stands between the label and the end of the line"),
        "end": Setting(
            "line",
            ("line", "etx", "tab"),
            "what ends a label: CR, LF or both in any order; ETX; a tabulator",
        ),
        "check": Setting(
            "none",
            ("none", "xor_hex"),
            "whether the label ends with two hexadecimal digits that are the exclusive or of the "
            "bytes before them, as 125 kHz readers send them",
        ),
        "cut_label": Setting("", None, "the label of the cutting card, if it has one"),
        "no_read_label": Setting(
            "",
            None,
            "what the reader sends when a card passes that it cannot read; many can be set so, and "
            "then no card goes by without a word. Each time it is one card",
        ),
        "silence_s": Setting(
            0.5,
            None,
            "after so long without a byte a line that has begun is given up",
            unit="s",
            between=(0.02, 10.0),
        ),
    },
    unknown=(
        "Which readers greet when they are switched on: a greeting is taken for doubt.",
        "Whether a reader sends a tag again and again while it lies there; such repeats are noted.",
        "Whether the houses that use these labels mark their cutting card.",
    ),
)
