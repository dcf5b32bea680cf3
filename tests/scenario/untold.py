"""Stories that a shoe cannot tell on a wire, or people by hand, each with the reason. Exact: one
that could run fails.

Most follow from words a shoe does not have (`lacks` in shoe_hands.py). Those here have all their
words and come out differently for another reason.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from scenario.shoe_hands import BY_HAND, BY_HAND_LACKS, HANDS, WRONG_PLACE

STORIES: Final = Path(__file__).with_name("stories")

ITS_ROUND: Final = "it tells a result, or gives one up, only of a round that it plays"
WITH_THE_CARD: Final = "its error comes with the card that it is about, and only then"
TOLD_ONCE: Final = "a loss that changes nothing is not written down again"
IN_DOUBT: Final = "it numbers nothing: whenever the link comes back the count is asked"
NOT_BEGUN: Final = "no table is begun so: only one that has a journal goes on with it"
NAMED_AT_ONCE: Final = "its error holds the table until the card is kept, and then it is named"
ITS_WORDS: Final = "its driver says in its own words what the error is"
NO_SUCH_ERROR: Final = "a card that it cannot read is no error, and it knows no card too many"
ONE_ERROR: Final = "its only error is a label that is in no table"
METHOD_C: Final = "Method C is refused without a device able to read cards"
ASKED_FIRST: Final = "nobody draws by hand while something is asked"
UNSEEN: Final = "two unseen cards change places: who enters them knows them by their numbers"
TOLD_BY_BOTH: Final = "the shoe of the story tells of it as well"

BY_NAME: Final[Mapping[str, Mapping[str, str]]] = {
    "shoe_angel_eye": {
        "house/excess_not_by_the_book": NOT_BEGUN,
        "mbs/device_errors_3_and_7": ITS_WORDS,
        "mbs/device_excess_named_later": "it names a card one too many once",
        "mbs/device_excess_named_when_it_lies_open": NAMED_AT_ONCE,
        "mbs/device_first_event_lost": "its own first card is the Player's",
        "mbs/device_gap_and_its_result": ITS_ROUND,
        "mbs/device_gap_during_a_case": WITH_THE_CARD,
        "mbs/device_gap_twice": TOLD_ONCE,
        "mbs/device_gap_two_cards_missing": "its numbers show a loss: the count is not asked",
        "mbs/device_gave_up": ITS_ROUND,
        "mbs/excess_card_device_error_2": WITH_THE_CARD,
        "mbs/excess_card_discarded_at_the_shoe": WITH_THE_CARD,
        "rws/excess_card_discarded_at_the_shoe": "it throws away only what it called one too many",
        "mbs/excess_card_the_shoe_says_so": WITH_THE_CARD,
        "rws/foreign_card_belongs_after_all": WITH_THE_CARD,
        "short/foreign_card_belongs_after_all": WITH_THE_CARD,
    },
    "shoe_bee_tek": {
        "house/excess_not_by_the_book": NOT_BEGUN,
        "mbs/cutting_card_first_the_dealer_sees": TOLD_BY_BOTH,
        "mbs/cutting_card_the_dealer_sees": TOLD_BY_BOTH,
        "mbs/device_gap_twice": TOLD_ONCE,
        "mbs/device_link_lost": IN_DOUBT,
        "rws/power_failure_no_outcome": IN_DOUBT,
    },
    "shoe_feed": {
        "house/excess_not_by_the_book": NOT_BEGUN,
        "mbs/device_error_1": NO_SUCH_ERROR,
        "mbs/device_errors_3_and_7": ITS_WORDS,
        "mbs/device_gap_during_a_case": WITH_THE_CARD,
        "mbs/device_gap_twice": TOLD_ONCE,
        "mbs/device_gap_two_cards_missing": "its numbers show a loss: the count is not asked",
        "mbs/excess_card_device_error_2": NO_SUCH_ERROR,
        "rws/foreign_card_belongs_after_all": WITH_THE_CARD,
        "short/foreign_card_belongs_after_all": WITH_THE_CARD,
    },
    "shoe_line_reader": {
        "house/excess_not_by_the_book": NOT_BEGUN,
        "mbs/device_gap_twice": TOLD_ONCE,
        "mbs/device_link_lost": IN_DOUBT,
        "rws/power_failure_no_outcome": IN_DOUBT,
    },
    "shoe_barcode_usb": {
        "house/excess_not_by_the_book": NOT_BEGUN,
        "mbs/device_error_1": ONE_ERROR,
        "mbs/device_error_4": ONE_ERROR,
        "mbs/device_error_5": ONE_ERROR,
        "mbs/device_errors_3_and_7": ONE_ERROR,
        "mbs/device_gap_during_a_case": WITH_THE_CARD,
        "mbs/device_gap_twice": TOLD_ONCE,
        "mbs/device_link_lost": IN_DOUBT,
        "mbs/excess_card_device_error_2": ONE_ERROR,
        "rws/foreign_card_belongs_after_all": WITH_THE_CARD,
        "rws/power_failure_no_outcome": IN_DOUBT,
        "rws/simultaneous_order_known": ONE_ERROR,
        "rws/simultaneous_order_unknown_later": ONE_ERROR,
        "short/foreign_card_belongs_after_all": WITH_THE_CARD,
        "short/simultaneous_order_unknown_initial_deal": ONE_ERROR,
    },
    BY_HAND: {
        "clauses/method_c_control_ends": METHOD_C,
        "clauses/method_c_control_kept": METHOD_C,
        "clauses/method_c_initial_deal": METHOD_C,
        "clauses/method_c_third_cards": METHOD_C,
        "mbs/cards_taken_device_knows": "nobody but a device knows what an unseen card was",
        "mbs/correction_after_settlement_method_c": METHOD_C,
        "mbs/cutting_card_first_the_dealer_sees": TOLD_BY_BOTH,
        "mbs/cutting_card_the_dealer_sees": TOLD_BY_BOTH,
        "mbs/device_reset_untracked": ASKED_FIRST,
        "mbs/device_silent_card_not_read": "the cards are confirmed once, not each",
        "mbs/exposed_while_moving": METHOD_C,
        "mbs/exposed_while_moving_after_settlement": METHOD_C,
        "mbs/foreign_card_one_copy_too_many": ASKED_FIRST,
        "mbs/method_c": METHOD_C,
        "mbs/method_c_configured": METHOD_C,
        "mbs/method_c_given_up": METHOD_C,
        "mbs/method_c_void_keeps": METHOD_C,
        "mbs/method_c_without_wager": METHOD_C,
        "mbs/offer_open_and_a_card_is_drawn": ASKED_FIRST,
        "mbs/order_altered_moving": METHOD_C,
        "mbs/order_altered_moving_put_right": METHOD_C,
        "mbs/restart_not_interrupted": ASKED_FIRST,
        "mbs/simultaneous_fourth_card_drawn_meanwhile": ASKED_FIRST,
        "mbs/simultaneous_order_unknown_later_face_down": UNSEEN,
        "rws/simultaneous_with_one_too_many": UNSEEN,
    },
}


def name_of(path: Path) -> str:
    """As in `BY_NAME`: mbs/cards_taken."""
    return path.relative_to(STORIES).with_suffix("").as_posix()


def lacks_of(link: str) -> Mapping[str, str]:
    """The words of a story that cannot be said there, each with the reason."""
    return BY_HAND_LACKS if link == BY_HAND else HANDS[link].lacks


@cache
def why(shoe: str, path: Path) -> str | None:
    """Why this shoe cannot tell the story; None where it can."""
    lacks = lacks_of(shoe)
    for word in sorted(words(path)):
        if word in lacks:
            return lacks[word]
    return BY_NAME[shoe].get(name_of(path))


@cache
def words(path: Path) -> frozenset[str]:
    """What the shoe says in a story."""
    said: set[str] = set()
    for line in path.read_text("utf-8").splitlines():
        step = line.partition("#")[0].strip().rstrip(".")
        for pattern, word in _SAID:
            if found := re.match(pattern, step):
                said.add(word or found[1])
    return frozenset(said)


_SAID: Final = (
    (r"Cards?: .*\w\w", "card"),
    (r"Cards?: .*\?\?", "read_failed"),
    (r"Cards?: .*\bcut\b", "cut_card"),
    (r"\d+ cards are burned", "card"),
    (r"The shoe calls ", "excess"),
    (r"The shoe names ", "excess_named"),
    (r"The shoe says \w+ for ", WRONG_PLACE),
    (r"The shoe loses ", "events_lost"),
    (r"The shoe is listened to again", "link_up"),
    (r"The shoe reports (\w+)", ""),
)
