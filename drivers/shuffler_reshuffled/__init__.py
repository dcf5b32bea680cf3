"""ReShuffled, an open-hardware card shuffler with a serial line. Data sheet.

It shuffles and deals, and reports only that: it counts nothing, reads no card, has no lid sensor
and reports nothing by itself. **It cannot verify a pack.** Every shuffle ends with the verdict
`NOT_VERIFIED`, so a person has to vouch for the cards before they are loaded.

The board is the work of a school's diploma project; its published firmware accepts every
well-formed request, answers `OK` at once and checks no checksum. Its documents disagree with its
programs in three places, and each is a setting here. The safe defaults follow the programs, because
both the board's and the computer's program were run; see PROTOCOL.md.

Its frames have no numbers: an answer that comes after its time limit cannot be distinguished from
the answer to the next request. This driver never sends a request that moves cards twice.
"""

from typing import Final

from drivers.commands import DealHands, Home, ShutDown, StartShuffle
from drivers.contract import DataSheet, Setting
from drivers.shuffler_reshuffled.driver import ReShuffled as Driver

__all__ = ["SHEET", "Driver"]

SHEET: Final = DataSheet(
    name="shuffler_reshuffled",
    kind="shuffler",
    maker="ReShuffled (open hardware)",
    model="main board with ATmega324P",
    link="serial",
    numbered=False,
    checked="CRC-32 over two characters: every flipped bit shows, and of random frames one in "
    "4 294 967 296 slips through. The published board does not check what it is sent.",
    serial_number=False,
    baud=57_600,
    commands=(Home, StartShuffle, DealHands, ShutDown),
    settings={
        "crc_covers": Setting(
            "data",
            ("data", "data_and_hash"),
            "what the checksum is made of; both programs leave the # out, one README puts it in",
        ),
        "end": Setting(
            "lf",
            ("lf", "semicolon"),
            "what ends a frame; both programs use LF, the READMEs' examples show a semicolon",
        ),
        "short_crc": Setting(
            "accept",
            ("accept", "refuse"),
            "a checksum without its leading zeros, as the board prints it",
        ),
        "answer_timeout_s": Setting(
            5.0, None, "how long `shut down` may stay unanswered", unit="s"
        ),
        "motion_timeout_s": Setting(
            120.0,
            None,
            "how long a request that moves cards may stay unanswered: the published board answers "
            "at once, the documents can be read as answering when the cards have moved",
            unit="s",
        ),
    },
    unknown=(
        "What errors 1, 2 and 3 mean: the documents leave it open.",
        "Whether OK means taken or done.",
        "Whether the board stops when it is opened, and what it does after a power cut.",
        "Automatic deal: the README says four hands of five by default; whether the digit is the "
        "number of cards a hand is not shown anywhere.",
    ),
)
