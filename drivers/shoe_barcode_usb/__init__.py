"""A USB barcode reader at the mouth of a shoe: every card has a label. Data sheet.

Any reader that acts as a keyboard is suitable (HID boot protocol, eight-byte reports, Enter after
each label). The reader is taken from the system's keyboard driver, so that no card is typed into
another program. The meanings of the labels are a setting: three tables found in the field, or the
house's own.

* **It numbers nothing and acknowledges nothing.** The table asks for the count after every return
  of the link.
* **A label with a deck digit is on one card only**, so the same label twice is one card: repeated
  at once it is only noted; later in the shoe, when other cards came between, the table asks for the
  count, because two cards may be marked alike. `NewShoe` forgets the labels that were read.
* **A label without a deck digit is on eight cards**, so the same label twice is two cards. A reader
  that scans one card twice then counts it twice: switch its repeat off ("same code delay"), or use
  labels with a deck digit.
* **A whole label that is in no table** is a card that does not belong: it left the shoe, is counted
  once, and people identify it. An incomplete scan, or one with keys no label has, may have been a
  card.
* **A card whose label cannot be read is not reported**, unless the reader can be set to type
  something then (`no_read_label`); otherwise the dealer reports it.
* It detects no hand, no lid and no lock; the cutting card only if it has a label (`cut_label`).

On the cable USB's own checksum finds damage and repeats the packet. If one bit of a report were
flipped nevertheless, another card would result in 0.4 to 0.5 % of all cases
(`tests/unit/drivers/shoe_barcode_usb` counts them); every other flip is harmless or detected. The
reading of a scratched label is protected by the check character of the bar code, if it has one: use
Code 128, never a symbology without.
"""

from typing import Final

from drivers.commands import NewShoe
from drivers.contract import DataSheet, Setting
from drivers.shoe_barcode_usb.driver import BarcodeReader as Driver

__all__ = ["SHEET", "Driver"]

SHEET: Final = DataSheet(
    name="shoe_barcode_usb",
    kind="shoe",
    maker="any",
    model="USB barcode reader that types, at the mouth of a shoe",
    link="usb",
    numbered=False,
    checked="USB finds and repeats damaged packets by itself. A single flipped bit in a report "
    "makes another card in 0.5 % of all cases (suit_rank_deck) or 0.4 % (four_digits, "
    "four_characters), and shows or does no harm in all others. "
    "A misread label is found by the check character of the bar code, where it has one.",
    serial_number=True,
    packets=True,
    commands=(NewShoe,),
    settings={
        "table": Setting(
            "suit_rank_deck",
            ("suit_rank_deck", "four_digits", "four_characters", "own"),
            "how labels are written: S21 D103 HA8, or 1010 3100, or 01HX, or the house's own",
        ),
        "decks": Setting(
            8,
            tuple(range(1, 10)),
            "how many decks the labels of suit_rank_deck number; a higher one does not belong",
        ),
        "labels": Setting(
            {}, None, 'the house\'s own table: each label with its card, "AB17" = "9H"'
        ),
        "own_label_on": Setting(
            "every_copy",
            ("every_copy", "one_card"),
            "the house's own labels: the same one on every copy of a card, so that the same label "
            "twice is two cards, or one for each card, so that it is one card",
        ),
        "cut_label": Setting("", None, "the label of the cutting card, if it has one"),
        "no_read_label": Setting(
            "",
            None,
            "what the reader types when a card passes that it cannot read; many can be set so, and "
            "then no card goes by without a word. Each time it is one card",
        ),
        "silence_s": Setting(
            0.5,
            None,
            "after so long without a key a scan that has begun is given up",
            unit="s",
            between=(0.02, 10.0),
        ),
    },
    unknown=(
        "Which readers send shift with capital letters, and which send two keys in one report.",
        "What the two ignored characters of the four-character labels stand for.",
        "Whether the houses that use these labels mark their cutting card.",
    ),
)
