"""The feed: cards from a program that sees them. Data sheet.

A camera over the table, an RFID table or a studio's recogniser reports cards in lines of text, over
TCP, a serial line or a terminal. The protocol is our own and published (PROTOCOL.md);
`deploy/feed/` has a client of sixty lines in Python and one in JavaScript.

* **Every event is numbered and has a checksum**, and is acknowledged when it is on the table's
  disk, not before. The program keeps and resends what is not acknowledged: a damaged line, a lost
  link and a lost acknowledgement cost nothing, and no card is reported twice.
* **A card the program is not sure of** (`confidence_least`) is a card that could not be read:
  people identify it.
* **A program that has restarted** may have missed cards: the table asks for the count. It also does
  so when its own program starts; events in transit are then counted, never reported twice.
* **Silence of the program is normal.** It must report itself when its camera no longer sees
  (`LOST`, `ERROR`).
* It takes no commands. Faces go over the wire in plain text, including those of face-down cards:
  keep it on the machine itself or on a network of its own.
"""

from typing import Final

from drivers.contract import DataSheet, Setting
from drivers.shoe_feed.driver import Feed as Driver

__all__ = ["SHEET", "Driver"]

SHEET: Final = DataSheet(
    name="shoe_feed",
    kind="shoe",
    maker="any",
    model="program that sees cards: camera, RFID table, recogniser",
    link="serial",
    numbered=True,
    checked="Every line carries the CRC-32 of its text, and a damaged one is asked for again: no "
    "single flipped bit makes another card or loses one.",
    serial_number=False,
    baud=115_200,
    settings={
        "confidence_least": Setting(
            0.98,
            None,
            "a card the program is less sure of than this is one that could not be read; the house "
            "finds its value with the test deck",
            between=(0.0, 1.0),
        ),
        "again_s": Setting(
            1.0,
            None,
            "how long the program may take to send again what was damaged; after three times the "
            "count is asked",
            unit="s",
            between=(0.05, 60.0),
        ),
    },
    unknown=(
        "How sure a recogniser really is when it says so: that is for the house to measure.",
        "Whether the program saw every card: what it does not see it cannot number.",
    ),
)
