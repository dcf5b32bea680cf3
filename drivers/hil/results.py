"""The sentences for every row of a bench report: what was tried, what a failure means and where to
look. A row is identified by its test's name; an unknown test is described by its docstring."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from drivers.events import Verdict
from drivers.hil.deck import only_the_link
from drivers.hil.report import ReportPart
from drivers.io.deck_check import Findings


class TriedPart(NamedTuple):
    part: ReportPart
    tried: str
    failed: str = "It did not hold."
    do: str = ""


ASK_THE_MAKER: Final = (
    "This is the driver's program and not the unit: send the whole folder to whoever looks after "
    "the driver. No cable and no cleaning helps here."
)


CABLE: Final = (
    "Pull and seat the plugs at both ends, try another cable, and draw the deck again: a card that "
    "was drawn while the link was gone says nothing of the reader."
)


def driver_failed(kind: str) -> str:
    """Return the sentence for a driver that raised. It has only the error's name: the text may
    contain a card."""
    return f"The driver's program failed ({kind})."


def _driver(tried: str, failed: str) -> TriedPart:
    return TriedPart(ReportPart.DRIVER, tried, failed, ASK_THE_MAKER)


UNIT: Final = {
    "test_hello": TriedPart(
        ReportPart.UNIT,
        "The port opens, the unit is known, and nothing is taken for a card.",
        "The unit did not answer as it should when the port was opened.",
        "See that it is switched on, that the cable is in and the right one, and that baud rate "
        "and parity are those of the unit's menu.",
    ),
    "test_silence": TriedPart(
        ReportPart.UNIT,
        "Nobody touches it, and it says nothing that could be a card or a verdict.",
        "It said something that could be a card or a verdict although nobody touched it.",
        "Look for a card left over the reader, a damaged cable or a wrong baud rate.",
    ),
    "test_every_card_of_the_deck_once": TriedPart(
        ReportPart.UNIT,
        "The test deck, card by card: each is told once and rightly.",
        "Not every card was told once and rightly.",
        "Clean the reader and its window, look at the cards that the picture marks, and draw the "
        "deck again: the same cards point to the deck, other ones to the reader.",
    ),
    "test_cable_out_and_in": TriedPart(
        ReportPart.UNIT,
        "The cable is pulled and put back: both are told once, and the next card is read.",
        "The loss of the cable, its return, or the card after it was not told as it should be.",
        "Pull and seat the plugs at both ends, try another cable, and run this again.",
    ),
    "test_a_struck_byte_costs_a_question_at_most": TriedPart(
        ReportPart.UNIT,
        "Damage on the line: the card itself or doubt about the count comes of it, and no other "
        "card.",
        "Damage on the line was told as another card.",
        ASK_THE_MAKER,
    ),
    "test_a_deck_is_shuffled": TriedPart(
        ReportPart.UNIT,
        "One deck goes through the shuffler; it vouches for the pack only if it can verify.",
        "The deck did not go through, or the verdict on it was not what it should be.",
        "Look for a jam or a card left inside, see that the pack is one whole deck, and run this "
        "again.",
    ),
}

SHUFFLER: Final = {
    "test_cable_out_and_in": TriedPart(
        ReportPart.UNIT,
        "The cable is pulled and put back: both are told once.",
        "The loss of the cable or its return was not told as it should be.",
        UNIT["test_cable_out_and_in"].do,
    ),
}
"""The sentences that differ for a shuffler."""

DRIVER: Final = {
    "test_the_data_sheet_fits_the_driver": _driver(
        "The driver's data sheet says what it is a driver of, how it is wired and what a damaged "
        "byte does.",
        "The data sheet leaves something out or contradicts itself.",
    ),
    "test_commands_leave_where_the_sheet_says_that_it_takes_them": _driver(
        "Commands are sent to the unit only where the data sheet says that it takes them.",
        "It sends commands that the data sheet does not speak of, or the other way round.",
    ),
    "test_settings_are_what_the_sheet_says_and_no_others": _driver(
        "Every setting of the data sheet is taken, and any other is refused by its name.",
        "A setting is taken that should be refused, or refused that should be taken.",
    ),
    "test_hello_claims_nothing": _driver(
        "When the port opens, or opens again, nothing is claimed about cards or packs.",
        "Opening the port alone makes it claim a card or a pack.",
    ),
    "test_silence_says_nothing_and_is_slept_through": _driver(
        "An hour of silence on the line: no card, no verdict, and the program sleeps.",
        "Silence makes it tell something, or it wakes all the time.",
    ),
    "test_a_tick_too_early_does_nothing": _driver(
        "Waking it before its time changes nothing.",
        "Waking it before its time makes it do something.",
    ),
    "test_the_same_bytes_however_cut_are_the_same_life": _driver(
        "However the line cuts what the unit says into pieces, the same is understood.",
        "The same bytes in other pieces are understood as something else.",
    ),
    "test_what_it_tells_is_its_devices_to_tell": _driver(
        "It tells only what such a device can tell: a shoe of cards, a shuffler of packs.",
        "It tells what such a device cannot tell: the table would stop listening to it.",
    ),
    "test_no_repr_shows_a_card": _driver(
        "No log line and no error message shows a card that lies face down.",
        "A log line or an error message would show a card.",
    ),
    "test_an_error_means_what_its_vector_says": _driver(
        "Each error number of the maker is understood as what it means.",
        "An error number is understood as something else than it means.",
    ),
    "test_it_can_be_used": _driver(
        "The driver is installed whole and was written for this Sabot.",
        "The driver cannot be loaded, or was written for another Sabot.",
    ),
    "test_its_vectors_come_out": _driver(
        "Every recorded message of such a unit is understood as what it says.",
        "A recorded message is understood as something else, or not at all.",
    ),
    "test_noise_is_no_card_and_afterwards_cards_are_read": _driver(
        "64 KB of noise on the line are no card, and afterwards cards are read again.",
        "Noise was taken for a card, or it reads no card after noise.",
    ),
    "test_memory_is_bounded_whatever_comes": _driver(
        "Whatever the line brings, the program does not grow without end.",
        "It grows with what the line brings.",
    ),
    "test_commands_it_does_not_have_raise_and_send_nothing": _driver(
        "What the unit cannot do is refused, and nothing is sent for it.",
        "A command the unit does not have was not refused.",
    ),
    "test_the_device_does_what_its_sheet_says_it_can": _driver(
        "The unit can do what its data sheet says of it, and no more is expected of it.",
        "It does less, or other things, than the data sheet says.",
    ),
    "test_an_end_of_line_after_every_frame_is_no_card_and_no_doubt": _driver(
        "An end of line that a device server adds after each message is no card and no doubt.",
        "An added end of line was taken for something.",
    ),
    "test_unplugged_after_every_byte_no_card_is_doubled_or_lost_in_silence": _driver(
        "Wherever the cable comes out, no card is doubled and none is lost in silence.",
        "A card was doubled, or lost without a word, when the cable came out.",
    ),
    "test_an_answer_that_never_comes_is_given_up": _driver(
        "An answer that never comes is given up, and nothing is sent again and again.",
        "It waits for an answer for ever, or repeats itself without end.",
    ),
}

KNOWN: Final = {**UNIT, **DRIVER}


def tried(
    name: str, text: str = "", part: ReportPart = ReportPart.DRIVER, kind: str = "shoe"
) -> TriedPart:
    """Return the sentences of a test by its name, with or without parameters. `text` describes a
    test that is not in the tables, such as a maker's own test or a story; `kind` is the unit's
    kind."""
    plain = name.partition("[")[0]
    if kind == "shuffler" and plain in SHUFFLER:
        return SHUFFLER[plain]
    if plain in KNOWN:
        return KNOWN[plain]
    words = text or plain.removeprefix("test_").replace("_", " ")
    sentence = words[:1].upper() + words[1:]
    return TriedPart(part, sentence if sentence.endswith(".") else f"{sentence}.")


def deck_advice(findings: Findings, gone: Sequence[int]) -> str:
    """Return where to look after a deck's pass. A card lost with the link points to the cable."""
    reader = UNIT["test_every_card_of_the_deck_once"].do
    if not gone:
        return reader
    return CABLE if only_the_link(findings, gone) else f"{CABLE} {reader}"


def saw(facts: Mapping[str, object]) -> str:
    """Return what a test found out about the unit, in sentences."""
    answer = []
    if "identity" in facts:
        answer.append(f"Known by {facts['identity']}.")
    if "serial" in facts:
        answer.append(f"It says of itself: serial {facts['serial']}, firmware {facts['firmware']}.")
    if "verdict" in facts:
        verdict = _VERDICTS[Verdict(facts["verdict"])]
        answer.append(f"{verdict} ({facts['cards']} cards)." if facts["cards"] else f"{verdict}.")
    return " ".join(answer)


_VERDICTS: Final = {
    Verdict.OK: "It verified the pack and found every card",
    Verdict.WRONG: "It verified the pack and found it wrong",
    Verdict.COUNT_ONLY: "It counted the pack and cannot tell which cards it holds",
    Verdict.NOT_VERIFIED: "It shuffled, and cannot verify what it shuffled",
}


def in_words(kind: str) -> str:
    """Return the name of an event as words: `LinkUp` is "link up"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()
