"""Every code: what it is called, and its gaps with their kinds. The words are in the catalogues."""

from enum import Enum
from typing import Final


class GapKind(Enum):
    """What stands in a gap. No gap is a sentence, but for a maker's own words about its device."""

    __hash__ = object.__hash__

    NUMBER = "number"
    CARD = "card"
    FACE = "face"
    """A card as it is written in a ledger: rank and sign."""
    NAME = "name"
    CLAUSE = "clause"
    ID = "id"
    SAYS = "says"
    MONEY = "money"
    WAGER = "wager"
    ROLE = "role"
    A_ROLE = "a_role"
    TITLE = "title"
    A_ROLE_TITLE = "a_role_title"
    SPEAKER = "speaker"
    WORD = "word"
    SAID = "said"
    REQUEST = "request"
    IRREGULARITY = "irregularity"
    FACT = "fact"
    AWAITED = "awaited"
    HOLD = "hold"
    PHASE = "phase"
    STAGE = "stage"
    HAND = "hand"
    DEVICE = "device"
    LIMIT = "limit"
    CHECK = "check"
    PART = "part"
    WORK = "work"
    CALL = "call"


_K = GapKind


class Code(Enum):
    """One sentence. Its value is the key of every catalogue."""

    gaps: dict[str, GapKind]

    def __new__(cls, value: str, gaps: dict[str, GapKind] | None = None) -> "Code":
        code = object.__new__(cls)
        code._value_ = value
        code.gaps = gaps or {}
        return code

    # who may say what, where
    NOT_YOUR_WORD = "not_your_word", {"speaker": _K.SPEAKER, "word": _K.ID}
    NOT_NOW = "not_now", {"phase": _K.PHASE}
    NOT_WHILE_HELD = "not_while_held", {"phase": _K.PHASE}
    COUNT_FIRST = "count_first"
    NO_SUCH_ROLE = "no_such_role", {"role": _K.ID}
    TAKES_ROLE = "takes_role", {"role": _K.A_ROLE}
    TAKES_TWO = "takes_two"
    TAKES_SOMEBODY_AT_THE_TABLE = "takes_somebody_at_the_table"
    RESTART_FIRST = "restart_first"
    SECOND_PERSON_FIRST = "second_person_first", {"request": _K.REQUEST}
    ASKED_OF = "asked_of", {"person": _K.NAME}
    SAY_WHO_SPEAKS = "say_who_speaks", {"most": _K.NUMBER}
    NOT_A_PERSONS_NAME = "not_a_persons_name", {"name": _K.ID}

    # fields
    NO_SUCH_FIELD = "no_such_field", {"word": _K.ID, "field": _K.ID}
    FIELD_NEEDED = "field_needed", {"word": _K.ID, "field": _K.ID}
    FIELD_NOT_AS_IT_MUST_BE = "field_not_as_it_must_be", {"field": _K.ID, "word": _K.ID}
    NO_SUCH_REPORT = "no_such_report", {"what": _K.ID}
    NO_SUCH_REPORT_FIELD = "no_such_report_field", {"what": _K.IRREGULARITY, "field": _K.ID}
    NO_SUCH_FACT = "no_such_fact", {"what": _K.IRREGULARITY, "field": _K.ID}

    # opening, shoe, limits
    TABLE_CLOSES_NOW = "table_closes_now"
    NOT_ABOUT_TO_CLOSE = "not_about_to_close"
    PAUSED_ALREADY = "paused_already"
    SAY_WHICH_LIMIT = "say_which_limit", {"limits": _K.LIMIT}
    MINIMUM_ABOVE_MAXIMUM = "minimum_above_maximum", {"minimum": _K.MONEY, "maximum": _K.MONEY}
    NO_AREA_LIMIT = "no_area_limit"
    AREA_LIMIT_ABOVE = "area_limit_above", {"most": _K.NUMBER}
    DECKS_NOT_ALLOWED = "decks_not_allowed", {"fewest": _K.NUMBER, "most": _K.NUMBER}
    CUT_FIRST = "cut_first"
    NOT_VERIFIED = "not_verified"
    SAME_CARDS_AGAIN = "same_cards_again", {"set": _K.NAME}
    VERIFIED_OTHER_COUNT = (
        "verified_other_count",
        {"verified": _K.NUMBER, "decks": _K.NUMBER, "cards": _K.NUMBER},
    )
    DECK_SET_NOT_KNOWN = "deck_set_not_known", {"set": _K.NAME}
    DECK_SET_IS = "deck_set_is", {"set": _K.NAME, "stage": _K.STAGE}
    DECK_SET_IN_SHOE = "deck_set_in_shoe", {"set": _K.NAME}
    DECK_SET_HAS_DECKS = "deck_set_has_decks", {"set": _K.NAME, "decks": _K.NUMBER}
    DECK_SET_NOT_COUNTED = "deck_set_not_counted", {"set": _K.NAME}
    DECK_SET_LACKS = "deck_set_lacks", {"set": _K.NAME, "cards": _K.FACE}
    DECK_SET_LACKS_AND_HAS = (
        "deck_set_lacks_and_has",
        {"set": _K.NAME, "cards": _K.FACE, "extra": _K.FACE},
    )
    DECK_SET_LACKS_AMONG = (
        "deck_set_lacks_among",
        {"set": _K.NAME, "short": _K.NUMBER, "cards": _K.FACE},
    )
    DECK_SET_HAS_TOO_MANY = "deck_set_has_too_many", {"set": _K.NAME, "cards": _K.FACE}
    DECK_SET_HAS_FOREIGN = "deck_set_has_foreign", {"set": _K.NAME, "cards": _K.NUMBER}
    REST_NOT_ALL_READ = "rest_not_all_read", {"set": _K.NAME}
    DECK_SET_COUNT_DIFFERS = (
        "deck_set_count_differs",
        {"set": _K.NAME, "cards": _K.NUMBER, "full": _K.NUMBER},
    )
    DECK_SET_IS_WHOLE = "deck_set_is_whole", {"set": _K.NAME, "cards": _K.NUMBER}
    SHOE_IS_NOT_OVER = "shoe_is_not_over"
    REST_IS_PASSING = "rest_is_passing", {"set": _K.NAME}
    NOTHING_TO_RECONCILE = "nothing_to_reconcile"
    ONE_COUNT_OF_DECKS = "one_count_of_decks"
    SAY_WHAT_IS_LEFT = "say_what_is_left"
    MORE_THAN_CAME_UNSEEN = "more_than_came_unseen", {"cards": _K.NUMBER}
    FIRST_CARD_UNREAD = "first_card_unread"
    SHOE_BETWEEN_ROUNDS = "shoe_between_rounds"
    NO_CUTTING_CARD_EXPECTED = "no_cutting_card_expected"
    CUTTING_CARD_IS_OUT = "cutting_card_is_out"
    NO_SHOE_FOR_CARD = "no_shoe_for_card"

    # manual mode
    SHOE_READS_CARDS = "shoe_reads_cards"
    CARD_LIES_FACE_DOWN = "card_lies_face_down"
    BY_HAND_ALREADY = "by_hand_already"
    NO_OTHER_SHOE = "no_other_shoe"

    # methods
    NO_SUCH_METHOD = "no_such_method", {"method": _K.ID, "methods": _K.ID}
    METHOD_BEFORE_THE_ROUND = "method_before_the_round"
    SHOE_READS_NO_CARDS = "shoe_reads_no_cards", {"method": _K.ID}
    NOT_BY_HAND_UNDER = "not_by_hand_under", {"method": _K.ID}
    METHOD_FOR_HLGA_ONLY = "method_for_hlga_only", {"method": _K.ID}
    NOT_ON_THE_SITES_LIST = "not_on_the_sites_list", {"who": _K.NAME}
    LICENCE_HAS_RUN_OUT = "licence_has_run_out", {"who": _K.NAME}
    LICENCE_LACKS_GAME = "licence_lacks_game", {"who": _K.NAME, "game": _K.ID}
    OLDER_DOCUMENT = "older_document", {"version": _K.NUMBER, "have": _K.NUMBER}
    METHOD_NEEDS_LEAVE = "method_needs_leave", {"method": _K.ID, "role": _K.A_ROLE}
    DEALER_KEEPS_DEVICE = "dealer_keeps_device", {"method": _K.ID}
    DEVICE_NOT_GIVEN_UP = "device_not_given_up", {"player": _K.NAME}
    NOBODY_HAS_THE_DEVICE = "nobody_has_the_device"
    DRAWER_HAS_NO_WAGER = "drawer_has_no_wager", {"player": _K.NAME}
    HAND_GOES_TO = "hand_goes_to", {"hand": _K.HAND, "player": _K.NAME}
    HAND_IS_WITH = "hand_is_with", {"hand": _K.HAND, "player": _K.NAME}
    HIGHEST_BET_NOT_KNOWN = "highest_bet_not_known"
    ASKED_FOR_TOO_LATE = "asked_for_too_late"
    HANDS_AFTER_THE_CALL = "hands_after_the_call"
    HAND_NOT_PASSED = "hand_not_passed", {"hand": _K.HAND, "player": _K.NAME}
    ONLY_DEALER_HANDLES = "only_dealer_handles"
    ALREADY_REVEALED = "already_revealed"

    # wagers
    NO_ROUND = "no_round"
    WAGERS_NOT_TRACKED = "wagers_not_tracked"
    NO_BET_HAND = "no_bet_hand"
    PLAYS_FOR_THEMSELVES = "plays_for_themselves", {"player": _K.NAME}
    CARD_SHOWN_BEFORE_CALL = "card_shown_before_call"
    NOT_WHOLE_CHIPS = "not_whole_chips", {"unit": _K.MONEY}
    CANNOT_BE_PAID = "cannot_be_paid", {"wager": _K.WAGER, "multiple": _K.MONEY}
    MAXIMUM_CANNOT_BE_PAID = (
        "maximum_cannot_be_paid",
        {"wager": _K.WAGER, "maximum": _K.MONEY, "most": _K.MONEY, "multiple": _K.MONEY},
    )
    NO_SUCH_WAGER_KIND = "no_such_wager_kind", {"wager": _K.ID}
    WAGER_LIES_THERE = "wager_lies_there", {"wager": _K.WAGER}
    NO_SUCH_POSITION = "no_such_position", {"position": _K.NUMBER}
    AREA_IS_FULL = "area_is_full", {"most": _K.NUMBER}
    WAGERS_WAIT = "wagers_wait", {"irregularity": _K.IRREGULARITY}
    WAGERS_WAIT_FOR_HOLD = "wagers_wait_for_hold", {"hold": _K.HOLD}
    LATE_WAGER = "late_wager"
    LATE_WITHDRAWAL = "late_withdrawal"
    NO_SUCH_WAGER = "no_such_wager", {"wager": _K.WAGER}
    NOT_YOUR_WAGER = "not_your_wager", {"wager": _K.WAGER, "player": _K.NAME}
    WAGER_WENT_BACK = "wager_went_back", {"wager": _K.WAGER}
    DECREASE_TO_NOTHING = "decrease_to_nothing", {"wager": _K.WAGER}
    CLOSE_AREA_IS_FULL = "close_area_is_full", {"most": _K.NUMBER, "wagers": _K.WAGER}
    CLOSE_UNDER_MINIMUM = "close_under_minimum", {"wagers": _K.WAGER, "limit": _K.MONEY}
    CLOSE_OVER_MAXIMUM = "close_over_maximum", {"wagers": _K.WAGER, "limit": _K.MONEY}
    CLOSE_ASK_HEAVY_SIDE = "close_ask_heavy_side", {"wagers": _K.WAGER, "excess": _K.MONEY}
    CLOSE_LIGHT_SIDE_MAY_ADD = "close_light_side_may_add", {"wagers": _K.WAGER, "excess": _K.MONEY}
    CLOSE_PIT_MANAGER_REMOVES = (
        "close_pit_manager_removes",
        {"wagers": _K.WAGER, "excess": _K.MONEY},
    )
    CLOSE_REJECT_STANDING_FIRST = (
        "close_reject_standing_first",
        {"wagers": _K.WAGER, "excess": _K.MONEY},
    )
    COMES_OFF_WHILE_OPEN = "comes_off_while_open"
    NAME_WAGERS_ONCE = "name_wagers_once"
    DOES_NOT_COME_OFF = "does_not_come_off", {"wager": _K.WAGER}
    STANDING_COME_OFF_FIRST = "standing_come_off_first", {"wagers": _K.WAGER}
    MORE_THAN_THE_EXCESS = "more_than_the_excess", {"amount": _K.MONEY}
    STILL_TOO_MUCH = "still_too_much", {"amount": _K.MONEY}
    STILL_OUTSIDE_LIMITS = "still_outside_limits", {"wagers": _K.WAGER}
    PAYMENT_NOT_WHOLE = "payment_not_whole"

    # cards and hands
    NO_FACE_DOWN_CARD = "no_face_down_card"
    INITIAL_DEAL_NOT_COMPLETE = "initial_deal_not_complete"
    OTHER_HAND_FIRST = "other_hand_first", {"hand": _K.HAND}
    NO_SUCH_CARD = "no_such_card", {"n": _K.NUMBER}
    NO_SUCH_EXPOSED_CARD = "no_such_exposed_card", {"n": _K.NUMBER}
    OTHER_CARD_ASKED_FOR = "other_card_asked_for", {"n": _K.NUMBER}
    NO_CARD_TO_CORRECT = "no_card_to_correct"
    CARD_IS_THAT = "card_is_that", {"n": _K.NUMBER, "card": _K.CARD}
    ROUND_IS_VOID = "round_is_void"
    CORRECTION_LEAVES_HANDS_OPEN = "correction_leaves_hands_open"
    NAME_CARDS_ONCE = "name_cards_once"
    NO_SUCH_ROUND_PLAYED = "no_such_round_played", {"round": _K.NUMBER}
    NO_ROUND_TO_REPORT = "no_round_to_report"
    NOT_AN_EARLIER_ROUND = "not_an_earlier_round"
    EARLIER_ROUND_STANDS = "earlier_round_stands"
    ROUND_IS_NOT_VOID = "round_is_not_void"
    CALL_NOT_MADE = "call_not_made"
    NO_CARD_DEALT = "no_card_dealt"
    NO_CARD_ASIDE = "no_card_aside"
    CARD_LIES_ON_A_HAND = "card_lies_on_a_hand", {"n": _K.NUMBER}
    CARDS_OUT_OF_PLAY = "cards_out_of_play"
    NOT_TWO_CARDS = "not_two_cards"
    NOT_DRAWN_TOGETHER = "not_drawn_together"
    ORDER_OF_THESE_CARDS = "order_of_these_cards", {"cards": _K.NUMBER}
    ORDER_ONLY_OF_TOGETHER = "order_only_of_together"
    ALL_LIE_RIGHT = "all_lie_right"
    NUMBER_IS_RIGHT = "number_is_right"
    HANDS_ARE_COMPLETE = "hands_are_complete"
    SHOE_HAS_ENOUGH = "shoe_has_enough", {"left": _K.NUMBER, "takes": _K.NUMBER}
    DEALT_FACE_UP_HERE = "dealt_face_up_here"
    NAME_SHOWN_CARDS = "name_shown_cards"
    NO_WAGER_UNDER_MINIMUM = "no_wager_under_minimum"
    NO_WAGER_OVER_MAXIMUM = "no_wager_over_maximum"
    DIFFERENTIAL_NOT_EXCEEDED = "differential_not_exceeded"
    ANSWER_FIRST = "answer_first"
    LIES_OPEN_BY_RIGHT = "lies_open_by_right"
    NOBODY_HANDLES = "nobody_handles"
    RULED_ALREADY = "ruled_already"
    DECIDED_ALREADY = "decided_already"
    NOT_WITH_THIS_OUTCOME = "not_with_this_outcome", {"field": _K.ID, "outcome": _K.ID}
    OPTIONS_ARE_OPEN = "options_are_open"
    CARD_RELAID = "card_relaid", {"n": _K.NUMBER, "hand": _K.HAND}
    CARD_LAID_ASIDE = "card_laid_aside", {"n": _K.NUMBER}

    # cases
    NOTHING_ASKED = "nothing_asked"
    NOTHING_OFFERED = "nothing_offered"
    OFFERED_TO_EVERYBODY = "offered_to_everybody"
    NOTHING_OFFERED_TO = "nothing_offered_to", {"player": _K.NAME}
    ANSWERED_ALREADY = "answered_already", {"player": _K.NAME}
    WAGER_STAYS = "wager_stays", {"wager": _K.WAGER}
    ALL_WAGERS_OR_NONE = "all_wagers_or_none"
    WAITS_FOR_SOMETHING_ELSE = "waits_for_something_else", {"awaited": _K.AWAITED}
    QUESTION_IS = "question_is", {"fact": _K.FACT}
    STILL_HOLDS = "still_holds", {"hold": _K.HOLD}
    NO_KEPT_CARD_UNKNOWN = "no_kept_card_unknown"
    KEEP_TWO_FIRST = "keep_two_first"
    NO_CARD_MISSING = "no_card_missing"
    COUNT_AGAIN = "count_again", {"absent": _K.NUMBER, "taken": _K.NUMBER}
    COUNTED_TOO_MANY = "counted_too_many", {"cards": _K.NUMBER, "card": _K.CARD}
    HAND_OF_ABSENT_UNKNOWN = "hand_of_absent_unknown"
    TOO_MANY_CARDS_TO_LIE_THERE = "too_many_cards_to_lie_there", {"cards": _K.NUMBER}
    NOTHING_TO_COUNT = "nothing_to_count"

    # notices
    EXCESS_NOT_ALLOWED = "excess_not_allowed", {"policy": _K.ID, "clause": _K.CLAUSE}
    TOOK_OVER = "took_over"
    CARD_WHILE_CLOSED = "card_while_closed"
    CARD_WHILE_HELD = "card_while_held", {"n": _K.NUMBER}
    UNREAD_FACE_DOWN = "unread_face_down", {"n": _K.NUMBER}
    LEFT_UNREAD = "left_unread", {"cards": _K.NUMBER}
    NAMED_CARD_NOT_SEEN = "named_card_not_seen"
    EARLIER_RESULTS_STAND = "earlier_results_stand"
    WHAT_IS_SETTLED_STANDS = "what_is_settled_stands"
    CARDS_MAY_BE_REPLACED = "cards_may_be_replaced", {"clause": _K.CLAUSE}
    TAKE_EQUAL_CARDS = "take_equal_cards", {"clause": _K.CLAUSE}
    LIMITS_CHANGE = (
        "limits_change",
        {"minimum": _K.MONEY, "maximum": _K.MONEY, "differential": _K.MONEY},
    )
    LIMITS_CHANGE_OF = (
        "limits_change_of",
        {"wager": _K.WAGER, "minimum": _K.MONEY, "maximum": _K.MONEY},
    )
    AREA_TAKES = "area_takes", {"most": _K.NUMBER}
    LIMITS_NOT_DISPLAYED = "limits_not_displayed", {"limits": _K.LIMIT, "clause": _K.CLAUSE}
    PRO_RATA_IS_ROUNDED = "pro_rata_is_rounded", {"clause": _K.CLAUSE}
    CLOCK_PUT_FORWARD = "clock_put_forward", {"seconds": _K.NUMBER}
    CLOCK_PUT_BACK = "clock_put_back", {"seconds": _K.NUMBER}
    SELF_TEST_FAILED = "self_test_failed", {"checks": _K.CHECK}
    JOURNAL_LOST = "journal_lost"
    JOURNAL_DAMAGED = "journal_damaged", {"record": _K.NUMBER, "rows": _K.NUMBER}
    JOURNAL_HAS_NO_HEAD = "journal_has_no_head", {"record": _K.NUMBER}
    JOURNAL_ENDS_EARLY = "journal_ends_early", {"record": _K.NUMBER, "kept": _K.NUMBER}
    JOURNAL_IS_ANOTHER = "journal_is_another", {"record": _K.NUMBER}
    JOURNAL_HEAD_DAMAGED = "journal_head_damaged", {"record": _K.NUMBER}
    JOURNAL_HEAD_NOT_OURS = "journal_head_not_ours", {"record": _K.NUMBER}
    JOURNAL_HEAD_BEHIND = "journal_head_behind", {"record": _K.NUMBER, "kept": _K.NUMBER}
    JOURNAL_UNSIGNED = "journal_unsigned", {"record": _K.NUMBER}
    JOURNAL_RESTORED = (
        "journal_restored",
        {"people": _K.NAME, "record": _K.NUMBER, "lost": _K.NUMBER},
    )
    FLOOR_DIVERGED = "floor_diverged", {"record": _K.NUMBER}
    FLOOR_UNSOUND = "floor_unsound", {"record": _K.NUMBER}
    FLOOR_UNREADABLE = "floor_unreadable", {"record": _K.NUMBER}
    FLOOR_CLONED = "floor_cloned"
    FLOOR_AWAY = "floor_away", {"at": _K.NAME}
    FLOOR_CLOCK = "floor_clock", {"seconds": _K.NUMBER}
    FLOOR_UNDELIVERED = "floor_undelivered", {"subscriber": _K.NAME, "record": _K.NUMBER}
    FLOOR_FAULT = "floor_fault", {"part": _K.NAME}
    FLOOR_NO_BROKER = "floor_no_broker"
    FLOOR_ROOT_AHEAD = "floor_root_ahead", {"at": _K.NAME}
    FLOOR_NO_DATABASE = "floor_no_database"
    FLOOR_ORDER_FORGED = "floor_order_forged"
    FLOOR_ORDER_REPLAYED = "floor_order_replayed", {"who": _K.NAME}
    FLOOR_ORDER_EXPIRED = "floor_order_expired", {"who": _K.NAME}
    FLOOR_ORDER_WRONG_TABLE = "floor_order_wrong_table", {"who": _K.NAME}
    FLOOR_ORDER_NOT_ALLOWED = "floor_order_not_allowed", {"who": _K.NAME}
    JOURNAL_PUT_BACK = "journal_put_back", {"record": _K.NUMBER}
    JOURNAL_REPLACED = (
        "journal_replaced",
        {"people": _K.NAME, "record": _K.NUMBER, "parted": _K.NUMBER, "lost": _K.NUMBER},
    )
    MACHINE_BOUND = "machine_bound", {"machine": _K.NAME}
    MACHINE_IS_ANOTHER = "machine_is_another", {"machine": _K.NAME, "before": _K.NAME}
    MACHINE_NOT_KNOWN = "machine_not_known", {"machine": _K.NAME}
    FLOOR_HAS_MORE = "floor_has_more", {"record": _K.NUMBER, "floor": _K.NUMBER}
    FLOOR_HAS_ANOTHER = "floor_has_another", {"record": _K.NUMBER}
    SITE_LIST_TAKEN_OVER = "site_list_taken_over", {"version": _K.NUMBER, "people": _K.NUMBER}
    SITE_LIMITS_TAKEN_OVER = "site_limits_taken_over", {"version": _K.NUMBER}
    JOB_FAILED = "job_failed", {"job": _K.CHECK}
    JOB_LATE = "job_late", {"job": _K.CHECK, "days": _K.NUMBER}
    DEVICE_MISREADS = (
        "device_misreads",
        {"device": _K.DEVICE, "misreads": _K.NUMBER, "cards": _K.NUMBER},
    )
    BY_HAND_FROM_NOW = "by_hand_from_now", {"by": _K.NAME, "approver": _K.NAME, "says": _K.SAYS}
    SHOE_READS_AGAIN = "shoe_reads_again", {"by": _K.NAME, "approver": _K.NAME, "says": _K.SAYS}
    SHOE_NOT_TAKEN = "shoe_not_taken"
    DEVICE_IS_NOW = "device_is_now", {"device": _K.DEVICE, "unit": _K.NAME}
    DEVICE_SAYS = "device_says", {"device": _K.DEVICE, "says": _K.SAYS}
    DEVICE_SAYS_WORD = "device_says_word", {"device": _K.DEVICE, "word": _K.SAID}
    DEVICE_NOTICE = "device_notice", {"number": _K.NUMBER}
    DEVICE_ERROR = "device_error", {"device": _K.DEVICE, "number": _K.NUMBER}
    DEVICE_ERROR_SAYS = (
        "device_error_says",
        {"device": _K.DEVICE, "number": _K.NUMBER, "says": _K.SAYS},
    )
    SYSTEM_SAYS = "system_says", {"says": _K.SAYS}

    # devices, in our words
    DEVICE_MODE = "device_mode", {"device": _K.DEVICE, "mode": _K.NUMBER}
    DEVICE_IS = "device_is", {"device": _K.DEVICE, "unit": _K.NAME}
    DEVICE_REFUSED = "device_refused", {"device": _K.DEVICE, "command": _K.ID, "says": _K.SAYS}
    DEVICE_NO_ANSWER = "device_no_answer", {"device": _K.DEVICE, "command": _K.ID}
    DEVICE_NOT_TOLD = "device_not_told", {"device": _K.DEVICE, "says": _K.SAYS}
    SHUFFLE_ASKED = "shuffle_asked", {"by": _K.NAME, "decks": _K.NUMBER}
    AT_SHUFFLER_START = "at_shuffler_start"
    EXCESS_DISCARDED = "excess_discarded", {"n": _K.NUMBER, "clause": _K.CLAUSE}
    EXCESS_STAYS = "excess_stays", {"n": _K.NUMBER, "clause": _K.CLAUSE}
    DRIVER_FAILED = "driver_failed", {"device": _K.DEVICE, "driver": _K.NAME, "kind": _K.NAME}
    PACK_WRONG = "pack_wrong", {"missing": _K.NUMBER, "extra": _K.NUMBER, "unreadable": _K.NUMBER}
    PACK_ONLY_COUNTED = "pack_only_counted", {"cards": _K.NUMBER}
    PACK_NOT_VERIFIED = "pack_not_verified"
    SHUFFLER_OPENED = "shuffler_opened", {"part": _K.PART}
    SHUFFLER_AT_WORK = "shuffler_at_work", {"work": _K.WORK}
    SHUFFLER_LINK_LOST = "shuffler_link_lost", {"says": _K.SAYS}
    SHUFFLER_JAM = "shuffler_jam", {"part": _K.PART}
    SHUFFLER_CARD = "shuffler_card", {"state": _K.WORK}
    SHUFFLER_FAULT = "shuffler_fault", {"number": _K.NUMBER, "says": _K.SAYS}
    SHUFFLER_STARTED = "shuffler_started"
    SHUFFLER_EVENTS_LOST = "shuffler_events_lost", {"says": _K.SAYS}
    ORDER_DROPPED = "order_dropped", {"device": _K.DEVICE, "times": _K.NUMBER}
    AT_SHOE_KEEP_EXCESS = "at_shoe_keep_excess"
    AT_SHOE_DISCARD_EXCESS = "at_shoe_discard_excess"
    AT_SHOE_CLEAR_ERROR = "at_shoe_clear_error"
    AT_SHOE_END_ROUND = "at_shoe_end_round"

    # why cards may be missing
    SHOE_EVENTS_LOST = "shoe_events_lost"
    SHOE_STARTED = "shoe_started"
    SHOE_NOT_LISTENED_TO = "shoe_not_listened_to"
    SHOE_GAVE_UP_NOTHING = "shoe_gave_up_nothing"
    ANOTHER_SHOE_IN_PLACE = "another_shoe_in_place"
    SHOE_OUT_OF_USE = "shoe_out_of_use"
    DEALER_COUNTS = "dealer_counts"
    PLACE_SAYS_OTHERWISE = (
        "place_says_otherwise",
        {"hand": _K.HAND, "index": _K.NUMBER, "due": _K.HAND, "place": _K.NUMBER},
    )
    HAND_DIFFERS = "hand_differs", {"hand": _K.HAND, "due": _K.HAND, "place": _K.NUMBER}
    PLACE_DIFFERS = "place_differs", {"due": _K.HAND, "place": _K.NUMBER}
    RESULT_BEFORE_THE_CARDS = "result_before_the_cards"
    CARD_MAY_BE_COUNTED = "card_may_be_counted"

    # what the shoe says and what the table has
    WINNER_DIFFERS = "winner_differs", {"shoe": _K.HAND, "table": _K.HAND}
    TOTAL_DIFFERS = "total_differs", {"hand": _K.HAND, "shoe": _K.NUMBER, "table": _K.NUMBER}
    PAIR_SAID = "pair_said", {"hand": _K.HAND}
    PAIR_NOT_SAID = "pair_not_said", {"hand": _K.HAND}
    CARD_DIFFERS = "card_differs", {"n": _K.NUMBER, "shoe": _K.CARD, "table": _K.CARD}
    COUNTED_CARD_CAME = "counted_card_came", {"n": _K.NUMBER}
    REQUEST_ENDED = "request_ended", {"request": _K.REQUEST, "by": _K.NAME}
    WENT_ON_OVER_DEVICE = "went_on_over_device", {"by": _K.NAME, "approver": _K.NAME}

    # what holds the table
    HELD_RESTART = "held_restart"
    HELD_REPORTED = "held_reported", {"irregularity": _K.IRREGULARITY, "by": _K.NAME}
    HELD_REPORTED_CARD = (
        "held_reported_card",
        {"irregularity": _K.IRREGULARITY, "by": _K.NAME, "n": _K.NUMBER},
    )
    HELD_SHOE_REPORTS = "held_shoe_reports", {"irregularity": _K.IRREGULARITY}
    HELD_SHOE_REPORTS_CARD = (
        "held_shoe_reports_card",
        {"irregularity": _K.IRREGULARITY, "n": _K.NUMBER},
    )
    HELD_CARD_BY_HAND = "held_card_by_hand", {"n": _K.NUMBER}
    HELD_CARD_UNREAD = "held_card_unread", {"n": _K.NUMBER}
    HELD_LID_OPEN = "held_lid_open", {"device": _K.DEVICE}
    HELD_LID_WAS_OPEN = "held_lid_was_open", {"device": _K.DEVICE}
    HELD_LINK_LOST = "held_link_lost", {"device": _K.DEVICE}
    HELD_LINK_WAS_LOST = "held_link_was_lost", {"device": _K.DEVICE}
    HELD_DEVICE_ERROR = "held_device_error", {"device": _K.DEVICE}
    HELD_DEVICE_HAD_ERROR = "held_device_had_error", {"device": _K.DEVICE}
    HELD_EXCESS_DISCARDED = "held_excess_discarded", {"device": _K.DEVICE}
    HELD_DRIVER_FAILED = "held_driver_failed", {"device": _K.DEVICE}
    HELD_MUST_CLEAR = "held_must_clear", {"device": _K.DEVICE}
    HELD_RESULT_DIFFERS = "held_result_differs", {"device": _K.DEVICE}
    HELD_PLACE_DIFFERS = "held_place_differs", {"device": _K.DEVICE}
    HELD_CARD_DIFFERS = "held_card_differs", {"device": _K.DEVICE}
    HELD_JOURNAL_LOSS = "held_journal_loss"
    HELD_SELF_TEST = "held_self_test"
    HELD_SELF_TEST_WAS_BAD = "held_self_test_was_bad"
    HELD_PAUSED = "held_paused", {"by": _K.NAME}
    HELD_UNREADABLE = "held_unreadable", {"device": _K.DEVICE}
    HELD_EXCESS = "held_excess", {"device": _K.DEVICE}
    HELD_SEVERAL = "held_several", {"device": _K.DEVICE}
    HELD_FOREIGN = "held_foreign", {"device": _K.DEVICE}
    HELD_JAM = "held_jam", {"device": _K.DEVICE}
    HELD_LOADING = "held_loading", {"device": _K.DEVICE}
    HELD_WRONG_PACK = "held_wrong_pack", {"device": _K.DEVICE}
    HELD_CONTENT_UNKNOWN = "held_content_unknown", {"device": _K.DEVICE}
    HELD_NOTICE = "held_notice", {"device": _K.DEVICE}
    HELD_SERVICE = "held_service", {"device": _K.DEVICE}

    # what to do about it
    HELD_FOR_AN_ANSWER = "held_for_an_answer", {"role": _K.ROLE}
    HELD_FOR_CHOICES = "held_for_choices"
    HELD_FOR_APPROVAL = "held_for_approval", {"role": _K.ROLE}
    HELD_FOR_A_DECISION = "held_for_a_decision", {"role": _K.ROLE}
    HELD_FOR_THE_ORDER = "held_for_the_order", {"role": _K.ROLE}
    HELD_FOR_WHERE_CARDS_LIE = "held_for_where_cards_lie", {"role": _K.ROLE}
    HELD_FOR_COUNTS = "held_for_counts", {"role": _K.ROLE}
    HELD_FOR_A_CARD = "held_for_a_card"
    HELD_FOR_WAGERS = "held_for_wagers", {"role": _K.ROLE}
    HELD_QUEUED = "held_queued"
    REMEDY_COUNT = "remedy_count"
    REMEDY_CONFIRM_COUNT = "remedy_confirm_count"
    REMEDY_RESTART = "remedy_restart"
    REMEDY_CLOSE_LID = "remedy_close_lid", {"device": _K.DEVICE}
    REMEDY_LOOK_INSIDE = "remedy_look_inside", {"device": _K.DEVICE}
    REMEDY_EXCESS_DISCARDED = "remedy_excess_discarded"
    REMEDY_DRIVER_FAILED = "remedy_driver_failed", {"device": _K.DEVICE}
    REMEDY_RECONNECT = "remedy_reconnect", {"device": _K.DEVICE}
    REMEDY_COMPARE_CARDS = "remedy_compare_cards"
    REMEDY_LOOK_AT_DEVICE = "remedy_look_at_device", {"device": _K.DEVICE}
    REMEDY_CLEAR_AT_DEVICE = "remedy_clear_at_device", {"device": _K.DEVICE}
    REMEDY_CARDS_DECIDE = "remedy_cards_decide"
    REMEDY_PLACES_DECIDE = "remedy_places_decide"
    REMEDY_JOURNAL_LOSS = "remedy_journal_loss"
    REMEDY_SELF_TEST = "remedy_self_test"
    REMEDY_SELF_TEST_IS_GOOD = "remedy_self_test_is_good"
    REMEDY_PAUSED = "remedy_paused", {"by": _K.NAME}
    REMEDY_UNREADABLE = "remedy_unreadable", {"device": _K.DEVICE}
    REMEDY_EXCESS = "remedy_excess", {"device": _K.DEVICE}
    REMEDY_SEVERAL = "remedy_several", {"device": _K.DEVICE}
    REMEDY_FOREIGN = "remedy_foreign", {"device": _K.DEVICE}
    REMEDY_JAM = "remedy_jam", {"device": _K.DEVICE}
    REMEDY_LOADING = "remedy_loading", {"device": _K.DEVICE}
    REMEDY_WRONG_PACK = "remedy_wrong_pack", {"device": _K.DEVICE}
    REMEDY_CONTENT_UNKNOWN = "remedy_content_unknown", {"device": _K.DEVICE}
    REMEDY_SERVICE = "remedy_service", {"device": _K.DEVICE}

    # who can end it
    ENDS_BY_ROLE = "ends_by_role", {"role": _K.A_ROLE_TITLE}
    ENDS_BY_APPROVAL = "ends_by_approval", {"role": _K.A_ROLE_TITLE}
    ENDS_BY_ASKING = "ends_by_asking", {"role": _K.A_ROLE_TITLE, "second": _K.A_ROLE}
    ENDS_BY_TWO = "ends_by_two", {"role": _K.A_ROLE_TITLE}
    ENDS_BY_COUNT = "ends_by_count", {"role": _K.A_ROLE_TITLE, "second": _K.A_ROLE}
    ENDS_BY_PLAYERS = "ends_by_players"
    ENDS_BY_DEVICE = "ends_by_device", {"device": _K.DEVICE, "role": _K.A_ROLE}
    ENDS_AFTER_OTHERS = "ends_after_others"
    CLEARED_BECAUSE = "cleared_because", {"holds": _K.HOLD, "by": _K.NAME, "says": _K.SAYS}
    CLEARED_WITHOUT_REASON = "cleared_without_reason", {"holds": _K.HOLD, "by": _K.NAME}

    # what a round has left to be done at the shoe
    END_ROUND_AT_SHOE = "end_round_at_shoe", {"round": _K.NUMBER}
    SHOE_SAYS_SO_ITSELF = "shoe_says_so_itself", {"round": _K.NUMBER}
    NOTHING_LEFT_AT_SHOE = "nothing_left_at_shoe"
    SHOE_ROUND_ENDED = "shoe_round_ended", {"round": _K.NUMBER}
    SHOE_ROUND_PUT_ASIDE = (
        "shoe_round_put_aside",
        {"round": _K.NUMBER, "by": _K.NAME, "says": _K.SAYS},
    )
    PROMPT_END_ROUND_AT_SHOE = "prompt_end_round_at_shoe", {"round": _K.NUMBER}
    PROMPT_END_UNSEEN_AT_SHOE = "prompt_end_unseen_at_shoe", {"round": _K.NUMBER}

    # what the dealer does
    PROMPT_OPEN_TABLE = "prompt_open_table"
    PROMPT_COUNT_DECKS = "prompt_count_decks", {"set": _K.NAME}
    PROMPT_PASS_REST = "prompt_pass_rest", {"set": _K.NAME}
    PROMPT_LOAD_SHOE = "prompt_load_shoe"
    PROMPT_TURN_FIRST_CARD = "prompt_turn_first_card"
    PROMPT_BURN = "prompt_burn", {"cards": _K.NUMBER}
    PROMPT_HAND_OUT_DEVICE = "prompt_hand_out_device"
    PROMPT_GIVE_LEAVE = "prompt_give_leave", {"role": _K.TITLE, "method": _K.ID}
    PROMPT_OPEN_BETTING = "prompt_open_betting"
    PROMPT_TAKE_WAGERS = "prompt_take_wagers"
    PROMPT_DRAW_FACE_UP = "prompt_draw_face_up", {"hand": _K.HAND}
    PROMPT_DRAW_FACE_DOWN = "prompt_draw_face_down", {"hand": _K.HAND}
    PROMPT_HAVE_DRAWN = "prompt_have_drawn", {"player": _K.NAME, "hand": _K.HAND}
    PROMPT_PASS_HAND = "prompt_pass_hand", {"hand": _K.HAND, "player": _K.NAME}
    PROMPT_NAME_HANDLER = "prompt_name_handler", {"role": _K.TITLE, "hand": _K.HAND}
    PROMPT_PERMIT_SQUEEZE = "prompt_permit_squeeze", {"player": _K.NAME, "hand": _K.HAND}
    PROMPT_SQUEEZES = "prompt_squeezes", {"player": _K.NAME, "hand": _K.HAND}
    PROMPT_EXPOSE_HAND = "prompt_expose_hand", {"hand": _K.HAND}
    PROMPT_EXPOSE_HANDS = "prompt_expose_hands"
    PROMPT_DRAW_THIRD = "prompt_draw_third", {"hand": _K.HAND}
    PROMPT_DRAW_THIRD_FACE_DOWN = "prompt_draw_third_face_down", {"hand": _K.HAND}
    PROMPT_HAVE_THIRD_DRAWN = "prompt_have_third_drawn", {"player": _K.NAME, "hand": _K.HAND}
    PROMPT_EXPOSE_THIRD = "prompt_expose_third", {"hand": _K.HAND}
    PROMPT_ANNOUNCE = "prompt_announce"
    PROMPT_COLLECT_AND_PAY = "prompt_collect_and_pay"

    # what the dealer says
    SAY_CALL = "say_call", {"call": _K.CALL}
    PROMPT_REMOVE_CUT_CARD = "prompt_remove_cut_card", {"rounds": _K.NUMBER}
    PROMPT_REMOVE_CUT_CARD_IN_ROUND = "prompt_remove_cut_card_in_round", {"rounds": _K.NUMBER}
    PROMPT_REMOVE_CUT_CARD_AND_CHANGE = "prompt_remove_cut_card_and_change"
    SAY_TOTALS = "say_totals", {"player": _K.NUMBER, "banker": _K.NUMBER}
    SAY_PLAYER_WINS = "say_player_wins", {"player": _K.NUMBER, "banker": _K.NUMBER}
    SAY_BANKER_WINS = "say_banker_wins", {"player": _K.NUMBER, "banker": _K.NUMBER}
    SAY_TIE = "say_tie", {"player": _K.NUMBER, "banker": _K.NUMBER}

    # the steps of a round that is over, or of what has been seen of one
    STEP_SAID = "step_said", {"who": _K.NAME, "word": _K.WORD}
    STEP_NOT_TAKEN = "step_not_taken", {"who": _K.NAME, "word": _K.WORD}
    STEP_BETTING_OPENED = "step_betting_opened"
    STEP_PLACED = "step_placed", {"player": _K.NAME, "amount": _K.MONEY, "wager": _K.WAGER}
    STEP_PLACE_REFUSED = (
        "step_place_refused",
        {"player": _K.NAME, "amount": _K.MONEY, "wager": _K.WAGER},
    )
    STEP_RAISED = (
        "step_raised",
        {"player": _K.NAME, "wager": _K.WAGER, "was": _K.MONEY, "now": _K.MONEY},
    )
    STEP_DECREASED = (
        "step_decreased",
        {"player": _K.NAME, "wager": _K.WAGER, "was": _K.MONEY, "now": _K.MONEY},
    )
    STEP_TAKEN_BACK = "step_taken_back", {"player": _K.NAME, "amount": _K.MONEY, "wager": _K.WAGER}
    STEP_BETTING_CLOSED = "step_betting_closed"
    STEP_CARD_TO = "step_card_to", {"face": _K.FACE, "hand": _K.HAND}
    STEP_CARD_TURNED_LATER = "step_card_turned_later", {"face": _K.FACE, "hand": _K.HAND}
    STEP_CARD_FACE_DOWN = "step_card_face_down", {"hand": _K.HAND}
    STEP_CARD_UNREAD = "step_card_unread", {"hand": _K.HAND}
    STEP_CARD_ASIDE = "step_card_aside"
    STEP_FACE_ASIDE = "step_face_aside", {"face": _K.FACE}
    STEP_EXPOSED = "step_exposed", {"hand": _K.HAND, "faces": _K.FACE}
    STEP_TAKES_HAND = "step_takes_hand", {"player": _K.NAME, "hand": _K.HAND}
    STEP_LEAVES_HAND = "step_leaves_hand", {"player": _K.NAME, "hand": _K.HAND}
    STEP_REVEAL_FIRST = "step_reveal_first", {"hand": _K.HAND}
    STEP_ANNOUNCED_TOTALS = "step_announced_totals", {"player": _K.NUMBER, "banker": _K.NUMBER}
    STEP_ANNOUNCED_PLAYER = "step_announced_player", {"high": _K.NUMBER, "low": _K.NUMBER}
    STEP_ANNOUNCED_BANKER = "step_announced_banker", {"high": _K.NUMBER, "low": _K.NUMBER}
    STEP_ANNOUNCED_TIE = "step_announced_tie", {"points": _K.NUMBER}
    STEP_SHOE_RESULT = "step_shoe_result", {"hand": _K.HAND}
    STEP_SETTLED = "step_settled", {"paid": _K.MONEY, "returned": _K.MONEY}
    STEP_SETTLED_NOTHING = "step_settled_nothing"
    STEP_REPORTED = "step_reported", {"irregularity": _K.IRREGULARITY}
    STEP_ANSWERED_YES = "step_answered_yes", {"fact": _K.FACT}
    STEP_ANSWERED_NO = "step_answered_no", {"fact": _K.FACT}
    STEP_CHOSE_PLAY = "step_chose_play", {"player": _K.NAME}
    STEP_CHOSE_WITHDRAW = "step_chose_withdraw", {"player": _K.NAME}
    STEP_APPROVED = "step_approved", {"request": _K.REQUEST}
    STEP_APPROVED_CASE = "step_approved_case", {"irregularity": _K.IRREGULARITY}
    STEP_DENIED = "step_denied", {"request": _K.REQUEST}
    STEP_DENIED_CASE = "step_denied_case", {"irregularity": _K.IRREGULARITY}
    STEP_DECIDED_GO_ON = "step_decided_go_on"
    STEP_DECIDED_VOID = "step_decided_void"
    STEP_DECIDED_RECONSTRUCT = "step_decided_reconstruct"
    STEP_DECIDED_REMOVE = "step_decided_remove"
    STEP_CORRECTION = "step_correction", {"was": _K.FACE, "now": _K.FACE}
    STEP_ENTERED = "step_entered", {"face": _K.FACE}
    STEP_COUNTED = "step_counted", {"cards": _K.NUMBER}
    STEP_FROM_THE_FLOOR = "step_from_the_floor"
    STEP_FLOOR_ORDER_NOT_TAKEN = "step_floor_order_not_taken", {"who": _K.NAME}
    STEP_FLOOR_ORDERS_UNWRITTEN = "step_floor_orders_unwritten", {"orders": _K.NAME}
    STEP_SIGNED_IN = "step_signed_in", {"who": _K.NAME}
    STEP_SIGNED_OUT = "step_signed_out", {"who": _K.NAME}
    STEP_SIGN_IN_FAILED = "step_sign_in_failed", {"who": _K.NAME}
    STEP_ACCOUNT_LOCKED = "step_account_locked", {"who": _K.NAME}
    STEP_ACCOUNT_UNLOCKED = "step_account_unlocked", {"who": _K.NAME}
    STEP_SCREEN_LOCKED = "step_screen_locked", {"who": _K.NAME}
    STEP_SCREEN_UNLOCKED = "step_screen_unlocked", {"who": _K.NAME}
    STEP_SESSION_ENDED = "step_session_ended", {"who": _K.NAME}
    STEP_RELIEVED = "step_relieved", {"who": _K.NAME}
    STEP_THEN_CASE = "step_then_case", {"irregularity": _K.IRREGULARITY}
    STEP_THEN_HELD = "step_then_held", {"hold": _K.HOLD}
    STEP_THEN_CORRECTED = "step_then_corrected", {"was": _K.FACE, "now": _K.FACE}
    STEP_THEN_VOID = "step_then_void"

    # what is asked while the table is held
    PROMPT_COUNT_ALL_THAT_LEFT = "prompt_count_all_that_left"
    PROMPT_COUNT_WHAT_LIES_OVER = "prompt_count_what_lies_over"
    PROMPT_COUNT_THE_ROUND = "prompt_count_the_round"
    PROMPT_WAS_PLAY_INTERRUPTED = "prompt_was_play_interrupted", {"role": _K.TITLE}
    PROMPT_HELD_BY_DEVICE = "prompt_held_by_device", {"holds": _K.HOLD}
    PROMPT_CLEAR = "prompt_clear", {"holds": _K.HOLD, "role": _K.A_ROLE_TITLE}
    PROMPT_CLEAR_BY_TWO = "prompt_clear_by_two", {"holds": _K.HOLD, "role": _K.A_ROLE_TITLE}
    PROMPT_CLEAR_ERROR = "prompt_clear_error", {"device": _K.DEVICE, "number": _K.NUMBER}
    PROMPT_CLEAR_ERROR_SAYS = (
        "prompt_clear_error_says",
        {"device": _K.DEVICE, "number": _K.NUMBER, "says": _K.SAYS},
    )
    PROMPT_OFFER = "prompt_offer", {"players": _K.NAME}
    PROMPT_OFFER_EVERYBODY = "prompt_offer_everybody"
    PROMPT_APPROVE_VOID = "prompt_approve_void", {"role": _K.A_ROLE_TITLE, "round": _K.NUMBER}
    PROMPT_APPROVE_CARD = "prompt_approve_card", {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_APPROVE_MOVED_CARD = (
        "prompt_approve_moved_card",
        {"irregularity": _K.IRREGULARITY, "role": _K.ROLE},
    )
    PROMPT_APPROVE_DOUBT = (
        "prompt_approve_doubt",
        {"irregularity": _K.IRREGULARITY, "role": _K.ROLE},
    )
    PROMPT_APPROVE_STRIKE = (
        "prompt_approve_strike",
        {"irregularity": _K.IRREGULARITY, "role": _K.ROLE},
    )
    PROMPT_APPROVE_DECISION = (
        "prompt_approve_decision",
        {"irregularity": _K.IRREGULARITY, "role": _K.ROLE},
    )
    PROMPT_ASK_FOR_VOID = "prompt_ask_for_void", {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_DECIDE = "prompt_decide", {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_SAY_ORDER = "prompt_say_order", {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_SAY_WHERE_CARDS_LIE = (
        "prompt_say_where_cards_lie",
        {"irregularity": _K.IRREGULARITY, "role": _K.ROLE},
    )
    PROMPT_ENTER_CARD = "prompt_enter_card", {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_PUT_WAGERS_RIGHT = (
        "prompt_put_wagers_right",
        {"irregularity": _K.IRREGULARITY, "role": _K.ROLE},
    )
    PROMPT_KEEP_TWO = "prompt_keep_two", {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_SORT_AND_COUNT = (
        "prompt_sort_and_count",
        {"irregularity": _K.IRREGULARITY, "role": _K.ROLE},
    )
    APPROVE_CORRECTION = "approve_correction", {"n": _K.NUMBER, "by": _K.NAME}
    APPROVE_SHOE = "approve_shoe", {"set": _K.NAME, "by": _K.NAME}
    VOUCH_FOR_SHOE = "vouch_for_shoe", {"person": _K.NAME, "set": _K.NAME, "by": _K.NAME}
    APPROVE_JOURNAL_LOSS = "approve_journal_loss", {"by": _K.NAME}
    APPROVE_FIRST_CARD = "approve_first_card", {"card": _K.CARD, "by": _K.NAME}
    APPROVE_DECK_STEP = "approve_deck_step", {"set": _K.NAME, "stage": _K.STAGE, "by": _K.NAME}
    APPROVE_DECK_COUNT = "approve_deck_count", {"set": _K.NAME, "by": _K.NAME}
    APPROVE_UNIT = "approve_unit", {"unit": _K.NAME, "device": _K.DEVICE, "by": _K.NAME}
    APPROVE_GOING_ON = "approve_going_on", {"holds": _K.HOLD, "by": _K.NAME}
    APPROVE_BY_HAND = "approve_by_hand", {"by": _K.NAME, "says": _K.SAYS}
    APPROVE_USE_SHOE = "approve_use_shoe", {"by": _K.NAME, "says": _K.SAYS}
    APPROVE_CARDS = "approve_cards", {"by": _K.NAME}
    APPROVE_CLOSE = "approve_close", {"amounts": _K.MONEY, "by": _K.NAME}
    APPROVE_COUNT_MORE = (
        "approve_count_more",
        {"difference": _K.NUMBER, "by": _K.NAME, "cards": _K.NUMBER},
    )
    APPROVE_COUNT_FEWER = (
        "approve_count_fewer",
        {"difference": _K.NUMBER, "by": _K.NAME, "cards": _K.NUMBER},
    )
    ASK_INITIAL_DEAL = "ask_initial_deal", {"irregularity": _K.IRREGULARITY}
    ASK_OUTCOME_ESTABLISHED = "ask_outcome_established", {"irregularity": _K.IRREGULARITY}
    ASK_FIRST_CARD_DEALT = "ask_first_card_dealt", {"irregularity": _K.IRREGULARITY}
    ASK_CARD_EXPOSED = "ask_card_exposed", {"irregularity": _K.IRREGULARITY}
    ASK_BETS_CLOSED = "ask_bets_closed", {"irregularity": _K.IRREGULARITY}
    ASK_PLAYER_DRAWS = "ask_player_draws", {"irregularity": _K.IRREGULARITY}
    ASK_ORDER_KNOWN = "ask_order_known", {"irregularity": _K.IRREGULARITY}
    ASK_RECONSTRUCTABLE = "ask_reconstructable", {"irregularity": _K.IRREGULARITY}
    ASK_VALUE_KNOWN = "ask_value_known", {"irregularity": _K.IRREGULARITY}
    ASK_DEALT_FACE_UP = "ask_dealt_face_up", {"irregularity": _K.IRREGULARITY}
    ASK_BELONGS = "ask_belongs", {"irregularity": _K.IRREGULARITY}
    ASK_UNSHUFFLED = "ask_unshuffled", {"irregularity": _K.IRREGULARITY}
    ASK_INTERRUPTED = "ask_interrupted", {"irregularity": _K.IRREGULARITY}
    ASK_MAY_WITHDRAW = "ask_may_withdraw", {"irregularity": _K.IRREGULARITY}

    # the console
    NOT_SIGNED_IN = "not_signed_in"
    WRONG_SECRET = "wrong_secret", {"left": _K.NUMBER}
    WRONG_ELSEWHERE = "wrong_elsewhere"
    TAKES_CODE = "takes_code"
    LINK_IS_USED = "link_is_used"
    AT_THE_TABLE_ONLY = "at_the_table_only"
    HAS_SECOND_FACTOR = "has_second_factor"
    NO_KEY_OFFERED = "no_key_offered"
    WRONG_FIRST_CODE = "wrong_first_code", {"left": _K.NUMBER}
    ACCOUNT_LOCKED = "account_locked", {"role": _K.A_ROLE}
    SCREEN_LOCKED = "screen_locked"
    TAKES_SOMEBODY_ELSE = "takes_somebody_else"
    TAKES_OWN_PIN = "takes_own_pin"
    SURVEILLANCE_WATCHES = "surveillance_watches"
    NOT_YOUR_VIEW = "not_your_view"
    PAGE_IS_OLD = "page_is_old"
    FROM_ANOTHER_SITE = "from_another_site"
    KEY_USED = "key_used"
    NO_ANSWER_YET = "no_answer_yet"
    TABLE_BUSY = "table_busy"
    TABLE_STARTING = "table_starting"
    TABLE_MOVED_ON = "table_moved_on"
    TABLE_IS_AWAY = "table_is_away"
    ORDER_NOT_TAKEN = "order_not_taken"
    NO_ROUNDS_KEPT = "no_rounds_kept"
    NO_SUCH_ROUND = "no_such_round"
    ROUNDS_CANNOT_BE_PLAYED = "rounds_cannot_be_played"


BY_ID: Final = {code.value: code for code in Code}
