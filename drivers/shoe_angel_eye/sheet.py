"""The data sheet of the Angel Eye II-EX: settings with their defaults, and what is not
documented."""

from typing import Final

from drivers.commands import (
    ClearError,
    ConfirmGame,
    DiscardExcess,
    KeepExcess,
    Lock,
    Unlock,
)
from drivers.contract import DataSheet, Setting

_YES_NO: Final = (True, False)

SETTINGS: Final = {
    "sequence": Setting(
        "learn",
        ("learn", "1-9", "0-9", "any"),
        "How the number of an event turns over: 9 then 1, or 9 then 0; the sources disagree. "
        "`learn` takes it from the first turn that nothing disturbed, and until then reports a "
        "disturbed turn as a loss. `any` does not follow numbers: a loss no longer shows by "
        "itself, so every return of the link asks for the count. A loss of exactly nine (or ten) "
        "events is invisible in every setting.",
    ),
    "start_counts": Setting(
        "learn",
        ("learn", "yes", "no"),
        "Whether the start event uses a number up, or the next event repeats it; learned like "
        "`sequence`.",
    ),
    "repeat_window_s": Setting(
        1.0,
        None,
        "An event that is the same byte for byte is a copy for so long; three copies take about "
        "0.15 s. Damaged bytes wait as long for a good copy before they are called a doubt.",
        "s",
        (0.2, 10.0),
    ),
    "copies": Setting(
        3,
        (1, 2, 3, 4, 5),
        "How often the shoe sends each event. Used only to tell a damaged copy from a lost event.",
    ),
    "check_bcc": Setting(
        True,
        _YES_NO,
        "Check the checksum of events. Off only on a bench: one flipped bit is then a wrong card.",
    ),
    "bcc_case": Setting(
        "any", ("any", "upper"), "Whether a checksum in lower-case letters is taken as well."
    ),
    "require_bit7": Setting(
        False,
        _YES_NO,
        "Refuse data with bit 7 clear. The sources say it is set; one of them sends it clear in "
        "its tests, so it is masked, and reported once.",
    ),
    "r_event": Setting(
        "next_round_card",
        ("next_round_card", "redeal_clear", "report_only"),
        "What R means: the kept excess card with its place in the next round; or that the shoe "
        "deals the round anew, which holds the table; or nothing but a notice.",
    ),
    "burn_count": Setting(
        "either",
        ("either", "announced", "each_card"),
        "What a burn count (intention 101) is: one announcement, or one message a burned card. "
        "`either` takes a count with a face, and every count after the first, for a card; a "
        "single one without a face is an announcement, and if no burned card follows it before "
        "stand-by or the first card of a hand, so many cards were burned unread.",
    ),
    "unread_card": Setting(
        "one_card",
        ("one_card", "two_cards"),
        "Whether error 1 or 6 and a card message without a face within a second are one card. "
        "`two_cards` counts both.",
    ),
    "read_only": Setting(
        True, _YES_NO, "Send nothing at all. No public program ever wrote to a real shoe."
    ),
    "command_bcc": Setting(
        "with_stx",
        ("with_stx", "without_stx"),
        "Which bytes a command's checksum covers. The printed example of the manual includes the "
        "start byte, its text leaves it out. The wrong choice is refused by the shoe with code 02 "
        "and does nothing, so neither can do harm; the default is the printed example.",
    ),
    "command_timeout_s": Setting(
        3.0,
        None,
        "How long an answer may take. Nothing is ever sent again by itself.",
        "s",
        (0.1, 60.0),
    ),
}

SHEET: Final = DataSheet(
    name="shoe_angel_eye",
    kind="shoe",
    maker="Angel Playing Cards",
    model="Angel Eye II-EX",
    link="serial",
    baud=4800,
    numbered=True,
    checked="Every event carries the exclusive or of its bytes and comes three times: a single "
    "damaged bit never gives a wrong card. Two damaged bits at the same place of two bytes of one "
    "copy are not seen.",
    serial_number=False,
    plays_rounds=True,
    reports_positions=True,
    commands=(Lock, Unlock, ClearError, KeepExcess, DiscardExcess, ConfirmGame),
    settings=SETTINGS,
    unknown=(
        "How the event number turns over, and whether the start event uses one up.",
        "How far apart the three copies come, and whether an acknowledgement would stop them; none "
        "is sent.",
        "Whether the checksum of a command covers its start byte.",
        "Whether a card carried to the next round (R) is dealt once more; it counts once.",
        "Whether burned cards are reported with their faces, and what a burn count means.",
        "Whether an unreadable card brings an error, a card without a face, or both.",
        "Whether a card pulled in error mode (d) can be the very card of the error; it is counted, "
        "so people may find one too many.",
        "The commands that read and write presets, their replies, and what confirming a game does.",
        "Which firmware does what: the shoe tells neither its serial number nor its version.",
    ),
)
