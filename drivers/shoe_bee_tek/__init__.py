"""Bee-Tek electronic shoe (USPC), RS-232 at 9600 baud. Data sheet.

The shoe reads each card as it leaves and reports it once; it accepts no input. Two firmwares are
known: format A sends text in brackets, `[Game]<Card:4S>`, format B short code lines, `*0D21D7`. The
first whole message after the link has opened determines the format, unless the settings do.

Its limits, and their consequences:

* **It numbers nothing.** Two equal messages are two cards. A loss is not visible, so the table asks
  for the count after every return of the link.
* **Format A has no checksum.** Of the single flipped bits of all card messages in game mode 1.3 %
  (106 of 7904) make another card of it. They are all in the two characters of the card, where they
  are 12.7 %; every other flip is harmless or detected. `tests/unit/drivers/shoe_bee_tek` counts
  them. Format B's sum finds every single flipped bit: prefer it where the firmware offers it.
* **It does not report the hand of a card**, the cutting card, the lid, a lock or the end of an
  alarm.
* **Format B has no message for a card that was not read**, as far as is known: the shoe does not
  report such a card, and the dealer does.

Bytes that are no message are reported as a bad frame that may have been a card; so is half a
message that is followed by silence. An alarm that is not known to mean "card not read" holds the
table and asks for the count. Its text is shown on the shoe and not by us: it may name a hidden
card.
"""

from typing import Final

from drivers.contract import DataSheet, Setting
from drivers.shoe_bee_tek.driver import BeeTek as Driver

__all__ = ["SHEET", "Driver"]

SHEET: Final = DataSheet(
    name="shoe_bee_tek",
    kind="shoe",
    maker="The United States Playing Card Company",
    model="Bee-Tek",
    link="serial",
    numbered=False,
    checked="Format A has no checksum: 1.3 % of the single flipped bits of a card message make "
    "another card of it. Format B has a sum: no single flipped bit does.",
    serial_number=False,
    baud=9600,
    settings={
        "format": Setting(
            "auto",
            ("auto", "A", "B"),
            "A is text in brackets, B code lines; auto: what comes first",
        ),
        "order": Setting(
            "auto",
            ("auto", "rank_first", "suit_first"),
            "4S or S4 in format A; naming the order your shoe uses refuses the other one",
        ),
        "echo": Setting(
            True,
            (True, False),
            "the shoe may repeat a card's characters after its message: they are passed over. "
            "Another card than the one before is never passed over",
        ),
        "game_word": Setting(
            "ask",
            ("ask", "not_read", "mode"),
            "what <Game> means: one source says a card that was not read, but it may only name the "
            "mode. ask: the table asks for the count, which is right in both cases",
        ),
        "not_read_alarms": Setting(
            ("E3", "Card Not Read"),
            None,
            "alarms that mean a card left the shoe unread: numbers or words of their text",
        ),
        "short_form": Setting(
            False, (True, False), "[Game]<4S> counts as a card; only one guide shows it"
        ),
        "checksum": Setting(
            "enforce", ("enforce", "ignore"), "the sum of format B; ignoring it lets damage through"
        ),
        "silence_s": Setting(
            0.5,
            None,
            "after so long without a byte a message that has begun is given up; a slow device "
            "server may need more, up to the time between two cards",
            unit="s",
            between=(0.02, 10.0),
        ),
    },
    unknown=(
        "What the warnings W and the alarms other than E3 mean.",
        "What <Game> means.",
        "Whether the shoe repeats the characters of a card, and how long after it.",
        "What the characters 0D at the start of a code line of format B stand for.",
        "How format B reports a card it cannot read, a burn card, an alarm or a mode.",
        "How either format reports the cutting card.",
    ),
)
