"""A multi-deck batch shuffler that verifies packs, on a line protocol of our own. Data sheet.

**No casino shuffler's wire protocol is public.** Nothing byte-level has been published about the
machines of Light & Wonder (Shuffle Master), TCSJohnHuxley, Angel, AGS or any other maker, so no
driver here can claim to support one. This protocol covers what such machines are known to do
(states, progress, verification with what is missing or extra, jams, doors, faults) and is published
in PROTOCOL.md, for a maker to build in or for an adapter that translates a maker's own link.

A maker's driver is a package of its own with the entry point `sabot.drivers`; PROTOCOL.md specifies
its content. It then has the same commands and events as this one.

**It can never carry the order of cards.** The grammar has no place for one; a line that tries is
dropped unread, counted and reported as `OrderDropped`.
"""

from typing import Final

from drivers.commands import (
    Abort,
    AskReport,
    AskStatus,
    ClearFault,
    DealHands,
    Empty,
    Home,
    Identify,
    OpenOutput,
    Pause,
    Resume,
    StartShuffle,
)
from drivers.contract import DataSheet, Setting
from drivers.shuffler_batch.driver import BatchShuffler as Driver

__all__ = ["SHEET", "Driver"]

SHEET: Final = DataSheet(
    name="shuffler_batch",
    kind="shuffler",
    maker="Sabot (protocol of our own)",
    model="multi-deck verifying batch shuffler, protocol 1",
    link="serial",
    numbered=True,
    checked="CRC-32 over the whole line: every one or two flipped bits and every burst of up to 32 "
    "bits shows, and of random lines one in 4 294 967 296 slips through.",
    serial_number=True,
    reads_cards=True,
    baud=115_200,
    commands=(
        *(Identify, AskStatus, StartShuffle, Pause, Resume, Abort, OpenOutput, DealHands),
        *(Empty, ClearFault, Home, AskReport),
    ),
    settings={
        "decks": Setting(
            8, tuple(range(1, 11)), "decks of a right pack, until a shuffle of others is asked for"
        ),
        "answer_timeout_s": Setting(
            1.0, None, "how long a request may stay unanswered; the machine has 0.2 s", unit="s"
        ),
        "poll_s": Setting(2.0, None, "how often the machine is asked how it is", unit="s"),
        "motion_timeout_s": Setting(
            900.0, None, "how long a motion may take that waits for nobody", unit="s"
        ),
    },
    unknown=("What a maker's own machine says on its own link: no such protocol is public.",),
)
