"""Every message code with its parameters and their kinds. The texts are in the catalogues."""

from enum import Enum, auto
from typing import Final


class ParamKind(Enum):
    """The kind of a parameter. None is a sentence, except a maker's own text about its device."""

    __hash__ = object.__hash__

    NUMBER = "number"
    CARD = "card"
    FACE = "face"
    """A card in ledger notation: rank and sign."""
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


_K = ParamKind


class Code(Enum):
    """One message. Its value, the key of every catalogue, is its name in lower case."""

    params: dict[str, ParamKind]

    @staticmethod
    def _generate_next_value_(name: str, *_: object) -> str:
        return name.lower()

    def __new__(cls, value: str, params: dict[str, ParamKind] | None = None) -> "Code":
        code = object.__new__(cls)
        code._value_ = value
        code.params = params or {}
        return code

    # permissions
    NOT_YOUR_WORD = auto(), {"speaker": _K.SPEAKER, "word": _K.ID}
    NOT_NOW = auto(), {"phase": _K.PHASE}
    NOT_WHILE_HELD = auto(), {"phase": _K.PHASE}
    COUNT_FIRST = auto()
    NO_SUCH_ROLE = auto(), {"role": _K.ID}
    TAKES_ROLE = auto(), {"role": _K.A_ROLE}
    TAKES_TWO = auto()
    HAS_A_WAGER = auto(), {"round": _K.NUMBER}
    TAKES_SOMEBODY_AT_THE_TABLE = auto()
    RESTART_FIRST = auto()
    SECOND_PERSON_FIRST = auto(), {"request": _K.REQUEST}
    ASKED_OF = auto(), {"person": _K.NAME}
    SAY_WHO_SPEAKS = auto(), {"most": _K.NUMBER}
    NOT_A_PERSONS_NAME = auto(), {"name": _K.ID}

    # fields
    NO_SUCH_FIELD = auto(), {"word": _K.ID, "field": _K.ID}
    FIELD_NEEDED = auto(), {"word": _K.ID, "field": _K.ID}
    FIELD_NOT_AS_IT_MUST_BE = auto(), {"field": _K.ID, "word": _K.ID}
    NO_SUCH_REPORT = auto(), {"what": _K.ID}
    NO_SUCH_REPORT_FIELD = auto(), {"what": _K.IRREGULARITY, "field": _K.ID}
    NO_SUCH_FACT = auto(), {"what": _K.IRREGULARITY, "field": _K.ID}

    # opening, shoe, limits
    TABLE_CLOSES_NOW = auto()
    NOT_ABOUT_TO_CLOSE = auto()
    PAUSED_ALREADY = auto()
    SAY_WHICH_LIMIT = auto(), {"limits": _K.LIMIT}
    MINIMUM_ABOVE_MAXIMUM = auto(), {"minimum": _K.MONEY, "maximum": _K.MONEY}
    NO_AREA_LIMIT = auto()
    AREA_LIMIT_ABOVE = auto(), {"most": _K.NUMBER}
    DECKS_NOT_ALLOWED = auto(), {"fewest": _K.NUMBER, "most": _K.NUMBER}
    CUT_FIRST = auto()
    NOT_VERIFIED = auto()
    SAME_CARDS_AGAIN = auto(), {"set": _K.NAME}
    VERIFIED_OTHER_COUNT = auto(), {"verified": _K.NUMBER, "decks": _K.NUMBER, "cards": _K.NUMBER}
    DECK_SET_NOT_KNOWN = auto(), {"set": _K.NAME}
    DECK_SET_IS = auto(), {"set": _K.NAME, "stage": _K.STAGE}
    DECK_SET_IN_SHOE = auto(), {"set": _K.NAME}
    DECK_SET_HAS_DECKS = auto(), {"set": _K.NAME, "decks": _K.NUMBER}
    DECK_SET_NOT_COUNTED = auto(), {"set": _K.NAME}
    DECK_SET_LACKS = auto(), {"set": _K.NAME, "cards": _K.FACE}
    DECK_SET_LACKS_AND_HAS = auto(), {"set": _K.NAME, "cards": _K.FACE, "extra": _K.FACE}
    DECK_SET_LACKS_AMONG = auto(), {"set": _K.NAME, "short": _K.NUMBER, "cards": _K.FACE}
    DECK_SET_HAS_TOO_MANY = auto(), {"set": _K.NAME, "cards": _K.FACE}
    DECK_SET_HAS_FOREIGN = auto(), {"set": _K.NAME, "cards": _K.NUMBER}
    REST_NOT_ALL_READ = auto(), {"set": _K.NAME}
    DECK_SET_COUNT_DIFFERS = auto(), {"set": _K.NAME, "cards": _K.NUMBER, "full": _K.NUMBER}
    DECK_SET_IS_WHOLE = auto(), {"set": _K.NAME, "cards": _K.NUMBER}
    SHOE_IS_NOT_OVER = auto()
    REST_IS_PASSING = auto(), {"set": _K.NAME}
    NOTHING_TO_RECONCILE = auto()
    ONE_COUNT_OF_DECKS = auto()
    SAY_WHAT_IS_LEFT = auto()
    MORE_THAN_CAME_UNSEEN = auto(), {"cards": _K.NUMBER}
    FIRST_CARD_UNREAD = auto()
    SHOE_BETWEEN_ROUNDS = auto()
    NO_CUTTING_CARD_EXPECTED = auto()
    CUTTING_CARD_IS_OUT = auto()
    NO_SHOE_FOR_CARD = auto()

    # manual mode
    SHOE_READS_CARDS = auto()
    CARD_LIES_FACE_DOWN = auto()
    BY_HAND_ALREADY = auto()
    NO_OTHER_SHOE = auto()

    # methods
    NO_SUCH_METHOD = auto(), {"method": _K.ID, "methods": _K.ID}
    METHOD_BEFORE_THE_ROUND = auto()
    SHOE_READS_NO_CARDS = auto(), {"method": _K.ID}
    NOT_BY_HAND_UNDER = auto(), {"method": _K.ID}
    METHOD_FOR_HLGA_ONLY = auto(), {"method": _K.ID}
    NOT_ON_THE_SITES_LIST = auto(), {"who": _K.NAME}
    LICENCE_HAS_RUN_OUT = auto(), {"who": _K.NAME}
    LICENCE_LACKS_GAME = auto(), {"who": _K.NAME, "game": _K.ID}
    OLDER_DOCUMENT = auto(), {"version": _K.NUMBER, "have": _K.NUMBER}
    METHOD_NEEDS_LEAVE = auto(), {"method": _K.ID, "role": _K.A_ROLE}
    DEALER_KEEPS_DEVICE = auto(), {"method": _K.ID}
    DEVICE_NOT_GIVEN_UP = auto(), {"player": _K.NAME}
    NOBODY_HAS_THE_DEVICE = auto()
    DRAWER_HAS_NO_WAGER = auto(), {"player": _K.NAME}
    HAND_GOES_TO = auto(), {"hand": _K.HAND, "player": _K.NAME}
    HAND_IS_WITH = auto(), {"hand": _K.HAND, "player": _K.NAME}
    HIGHEST_BET_NOT_KNOWN = auto()
    ASKED_FOR_TOO_LATE = auto()
    HANDS_AFTER_THE_CALL = auto()
    HAND_NOT_PASSED = auto(), {"hand": _K.HAND, "player": _K.NAME}
    ONLY_DEALER_HANDLES = auto()
    ALREADY_REVEALED = auto()

    # wagers
    NO_ROUND = auto()
    WAGERS_NOT_TRACKED = auto()
    NO_BET_HAND = auto()
    PLAYS_FOR_THEMSELVES = auto(), {"player": _K.NAME}
    CARD_SHOWN_BEFORE_CALL = auto()
    NOT_WHOLE_CHIPS = auto(), {"unit": _K.MONEY}
    CANNOT_BE_PAID = auto(), {"wager": _K.WAGER, "multiple": _K.MONEY}
    MAXIMUM_CANNOT_BE_PAID = (
        auto(),
        {"wager": _K.WAGER, "maximum": _K.MONEY, "most": _K.MONEY, "multiple": _K.MONEY},
    )
    NO_SUCH_WAGER_KIND = auto(), {"wager": _K.ID}
    WAGER_LIES_THERE = auto(), {"wager": _K.WAGER}
    NO_SUCH_POSITION = auto(), {"position": _K.NUMBER}
    AREA_IS_FULL = auto(), {"most": _K.NUMBER}
    WAGERS_WAIT = auto(), {"irregularity": _K.IRREGULARITY}
    WAGERS_WAIT_FOR_HOLD = auto(), {"hold": _K.HOLD}
    LATE_WAGER = auto()
    LATE_WITHDRAWAL = auto()
    NO_SUCH_WAGER = auto(), {"wager": _K.WAGER}
    NOT_YOUR_WAGER = auto(), {"wager": _K.WAGER, "player": _K.NAME}
    WAGER_WENT_BACK = auto(), {"wager": _K.WAGER}
    DECREASE_TO_NOTHING = auto(), {"wager": _K.WAGER}
    CLOSE_AREA_IS_FULL = auto(), {"most": _K.NUMBER, "wagers": _K.WAGER}
    CLOSE_UNDER_MINIMUM = auto(), {"wagers": _K.WAGER, "limit": _K.MONEY}
    CLOSE_OVER_MAXIMUM = auto(), {"wagers": _K.WAGER, "limit": _K.MONEY}
    CLOSE_ASK_HEAVY_SIDE = auto(), {"wagers": _K.WAGER, "excess": _K.MONEY}
    CLOSE_LIGHT_SIDE_MAY_ADD = auto(), {"wagers": _K.WAGER, "excess": _K.MONEY}
    CLOSE_PIT_MANAGER_REMOVES = auto(), {"wagers": _K.WAGER, "excess": _K.MONEY}
    CLOSE_REJECT_STANDING_FIRST = auto(), {"wagers": _K.WAGER, "excess": _K.MONEY}
    COMES_OFF_WHILE_OPEN = auto()
    NAME_WAGERS_ONCE = auto()
    DOES_NOT_COME_OFF = auto(), {"wager": _K.WAGER}
    STANDING_COME_OFF_FIRST = auto(), {"wagers": _K.WAGER}
    MORE_THAN_THE_EXCESS = auto(), {"amount": _K.MONEY}
    STILL_TOO_MUCH = auto(), {"amount": _K.MONEY}
    STILL_OUTSIDE_LIMITS = auto(), {"wagers": _K.WAGER}
    PAYMENT_NOT_WHOLE = auto()

    # cards and hands
    NO_FACE_DOWN_CARD = auto()
    INITIAL_DEAL_NOT_COMPLETE = auto()
    OTHER_HAND_FIRST = auto(), {"hand": _K.HAND}
    NO_SUCH_CARD = auto(), {"n": _K.NUMBER}
    NO_SUCH_EXPOSED_CARD = auto(), {"n": _K.NUMBER}
    OTHER_CARD_ASKED_FOR = auto(), {"n": _K.NUMBER}
    NO_CARD_TO_CORRECT = auto()
    CARD_IS_THAT = auto(), {"n": _K.NUMBER, "card": _K.CARD}
    ROUND_IS_VOID = auto()
    CORRECTION_LEAVES_HANDS_OPEN = auto()
    NAME_CARDS_ONCE = auto()
    NO_SUCH_ROUND_PLAYED = auto(), {"round": _K.NUMBER}
    NO_ROUND_TO_REPORT = auto()
    NOT_AN_EARLIER_ROUND = auto()
    EARLIER_ROUND_STANDS = auto()
    ROUND_IS_NOT_VOID = auto()
    CALL_NOT_MADE = auto()
    NO_CARD_DEALT = auto()
    NO_CARD_ASIDE = auto()
    CARD_LIES_ON_A_HAND = auto(), {"n": _K.NUMBER}
    NOT_ESTABLISHED = auto(), {"irregularity": _K.IRREGULARITY}
    FOUND_OR_NOT = auto()
    CHIPS_TO_PLAYER = (
        auto(),
        {
            "round": _K.NUMBER,
            "amount": _K.MONEY,
            "player": _K.NAME,
            "wager": _K.WAGER,
            "clause": _K.CLAUSE,
        },
    )
    CHIPS_FROM_PLAYER = (
        auto(),
        {
            "round": _K.NUMBER,
            "amount": _K.MONEY,
            "player": _K.NAME,
            "wager": _K.WAGER,
            "clause": _K.CLAUSE,
        },
    )
    CHIPS_MOVE = auto(), {"round": _K.NUMBER, "wagers": _K.NUMBER}
    WAGERS_WENT_BACK_MEANWHILE = auto()
    CARDS_OUT_OF_PLAY = auto()
    NOT_TWO_CARDS = auto()
    GIVEN_UP_NOT_COUNTED = auto(), {"cards": _K.NUMBER}
    NOT_DRAWN_TOGETHER = auto()
    ORDER_OF_THESE_CARDS = auto(), {"cards": _K.NUMBER}
    ORDER_ONLY_OF_TOGETHER = auto()
    ALL_LIE_RIGHT = auto()
    NUMBER_IS_RIGHT = auto()
    HANDS_ARE_COMPLETE = auto()
    SHOE_HAS_ENOUGH = auto(), {"left": _K.NUMBER, "takes": _K.NUMBER}
    DEALT_FACE_UP_HERE = auto()
    NAME_SHOWN_CARDS = auto()
    NO_WAGER_UNDER_MINIMUM = auto()
    NO_WAGER_OVER_MAXIMUM = auto()
    DIFFERENTIAL_NOT_EXCEEDED = auto()
    ANSWER_FIRST = auto()
    LIES_OPEN_BY_RIGHT = auto()
    NOBODY_HANDLES = auto()
    RULED_ALREADY = auto()
    DECIDED_ALREADY = auto()
    NOT_WITH_THIS_OUTCOME = auto(), {"field": _K.ID, "outcome": _K.ID}
    OPTIONS_ARE_OPEN = auto()
    CARD_RELAID = auto(), {"n": _K.NUMBER, "hand": _K.HAND}
    CARD_LAID_ASIDE = auto(), {"n": _K.NUMBER}

    # cases
    NOTHING_ASKED = auto()
    NOTHING_OFFERED = auto()
    OFFERED_TO_EVERYBODY = auto()
    NOTHING_OFFERED_TO = auto(), {"player": _K.NAME}
    ANSWERED_ALREADY = auto(), {"player": _K.NAME}
    WAGER_STAYS = auto(), {"wager": _K.WAGER}
    ALL_WAGERS_OR_NONE = auto()
    WAITS_FOR_SOMETHING_ELSE = auto(), {"awaited": _K.AWAITED}
    QUESTION_IS = auto(), {"fact": _K.FACT}
    STILL_HOLDS = auto(), {"hold": _K.HOLD}
    KEEP_TWO_FIRST = auto()
    NO_CARD_MISSING = auto()
    COUNT_AGAIN = auto(), {"absent": _K.NUMBER, "taken": _K.NUMBER}
    COUNTED_TOO_MANY = auto(), {"cards": _K.NUMBER, "card": _K.CARD}
    HAND_OF_ABSENT_UNKNOWN = auto()
    TOO_MANY_CARDS_TO_LIE_THERE = auto(), {"cards": _K.NUMBER}
    NOTHING_TO_COUNT = auto()

    # notices
    EXCESS_NOT_ALLOWED = auto(), {"policy": _K.ID, "clause": _K.CLAUSE}
    TOOK_OVER = auto()
    CARD_WHILE_CLOSED = auto()
    CARD_WHILE_HELD = auto(), {"n": _K.NUMBER}
    UNREAD_FACE_DOWN = auto(), {"n": _K.NUMBER}
    LEFT_UNREAD = auto(), {"cards": _K.NUMBER}
    NAMED_CARD_NOT_SEEN = auto()
    EARLIER_RESULTS_STAND = auto()
    WHAT_IS_SETTLED_STANDS = auto()
    CARDS_MAY_BE_REPLACED = auto(), {"clause": _K.CLAUSE}
    TAKE_EQUAL_CARDS = auto(), {"clause": _K.CLAUSE}
    LIMITS_CHANGE = auto(), {"minimum": _K.MONEY, "maximum": _K.MONEY, "differential": _K.MONEY}
    LIMITS_CHANGE_OF = auto(), {"wager": _K.WAGER, "minimum": _K.MONEY, "maximum": _K.MONEY}
    AREA_TAKES = auto(), {"most": _K.NUMBER}
    LIMITS_NOT_DISPLAYED = auto(), {"limits": _K.LIMIT, "clause": _K.CLAUSE}
    PRO_RATA_IS_ROUNDED = auto(), {"clause": _K.CLAUSE}
    CLOCK_PUT_FORWARD = auto(), {"seconds": _K.NUMBER}
    CLOCK_PUT_BACK = auto(), {"seconds": _K.NUMBER}
    SELF_TEST_FAILED = auto(), {"checks": _K.CHECK}
    JOURNAL_LOST = auto()
    JOURNAL_DAMAGED = auto(), {"record": _K.NUMBER, "rows": _K.NUMBER}
    JOURNAL_HAS_NO_HEAD = auto(), {"record": _K.NUMBER}
    JOURNAL_ENDS_EARLY = auto(), {"record": _K.NUMBER, "kept": _K.NUMBER}
    JOURNAL_IS_ANOTHER = auto(), {"record": _K.NUMBER}
    JOURNAL_HEAD_DAMAGED = auto(), {"record": _K.NUMBER}
    JOURNAL_HEAD_NOT_OURS = auto(), {"record": _K.NUMBER}
    JOURNAL_HEAD_BEHIND = auto(), {"record": _K.NUMBER, "kept": _K.NUMBER}
    JOURNAL_UNSIGNED = auto(), {"record": _K.NUMBER}
    JOURNAL_RESTORED = auto(), {"people": _K.NAME, "record": _K.NUMBER, "lost": _K.NUMBER}
    FLOOR_DIVERGED = auto(), {"record": _K.NUMBER}
    FLOOR_UNSOUND = auto(), {"record": _K.NUMBER}
    FLOOR_UNREADABLE = auto(), {"record": _K.NUMBER}
    FLOOR_CLONED = auto()
    FLOOR_AWAY = auto(), {"at": _K.NAME}
    FLOOR_CLOCK = auto(), {"seconds": _K.NUMBER}
    FLOOR_UNDELIVERED = auto(), {"subscriber": _K.NAME, "record": _K.NUMBER}
    FLOOR_FAULT = auto(), {"part": _K.NAME}
    FLOOR_NO_BROKER = auto()
    FLOOR_ROOT_AHEAD = auto(), {"at": _K.NAME}
    FLOOR_NO_DATABASE = auto()
    FLOOR_ORDER_FORGED = auto()
    FLOOR_ORDER_REPLAYED = auto(), {"who": _K.NAME}
    FLOOR_ORDER_EXPIRED = auto(), {"who": _K.NAME}
    FLOOR_ORDER_WRONG_TABLE = auto(), {"who": _K.NAME}
    FLOOR_ORDER_NOT_ALLOWED = auto(), {"who": _K.NAME}
    JOURNAL_PUT_BACK = auto(), {"record": _K.NUMBER}
    JOURNAL_REPLACED = (
        auto(),
        {"people": _K.NAME, "record": _K.NUMBER, "parted": _K.NUMBER, "lost": _K.NUMBER},
    )
    MACHINE_BOUND = auto(), {"machine": _K.NAME}
    MACHINE_IS_ANOTHER = auto(), {"machine": _K.NAME, "before": _K.NAME}
    MACHINE_NOT_KNOWN = auto(), {"machine": _K.NAME}
    FLOOR_HAS_MORE = auto(), {"record": _K.NUMBER, "floor": _K.NUMBER}
    FLOOR_HAS_ANOTHER = auto(), {"record": _K.NUMBER}
    SITE_LIST_TAKEN_OVER = auto(), {"version": _K.NUMBER, "people": _K.NUMBER}
    SITE_LIMITS_TAKEN_OVER = auto(), {"version": _K.NUMBER}
    JOB_FAILED = auto(), {"job": _K.CHECK}
    JOB_LATE = auto(), {"job": _K.CHECK, "days": _K.NUMBER}
    DEVICE_MISREADS = auto(), {"device": _K.DEVICE, "misreads": _K.NUMBER, "cards": _K.NUMBER}
    BY_HAND_FROM_NOW = auto(), {"by": _K.NAME, "approver": _K.NAME, "says": _K.SAYS}
    SHOE_READS_AGAIN = auto(), {"by": _K.NAME, "approver": _K.NAME, "says": _K.SAYS}
    SHOE_NOT_TAKEN = auto()
    DEVICE_IS_NOW = auto(), {"device": _K.DEVICE, "unit": _K.NAME}
    DEVICE_SAYS = auto(), {"device": _K.DEVICE, "says": _K.SAYS}
    DEVICE_SAYS_WORD = auto(), {"device": _K.DEVICE, "word": _K.SAID}
    DEVICE_NOTICE = auto(), {"number": _K.NUMBER}
    DEVICE_ERROR = auto(), {"device": _K.DEVICE, "number": _K.NUMBER}
    DEVICE_ERROR_SAYS = auto(), {"device": _K.DEVICE, "number": _K.NUMBER, "says": _K.SAYS}
    SYSTEM_SAYS = auto(), {"says": _K.SAYS}

    # devices, in our wording
    DEVICE_MODE = auto(), {"device": _K.DEVICE, "mode": _K.NUMBER}
    DEVICE_IS = auto(), {"device": _K.DEVICE, "unit": _K.NAME}
    DEVICE_REFUSED = auto(), {"device": _K.DEVICE, "command": _K.ID, "says": _K.SAYS}
    DEVICE_NO_ANSWER = auto(), {"device": _K.DEVICE, "command": _K.ID}
    DEVICE_NOT_TOLD = auto(), {"device": _K.DEVICE, "says": _K.SAYS}
    SHUFFLE_ASKED = auto(), {"by": _K.NAME, "decks": _K.NUMBER}
    AT_SHUFFLER_START = auto()
    EXCESS_DISCARDED = auto(), {"n": _K.NUMBER, "clause": _K.CLAUSE}
    EXCESS_STAYS = auto(), {"n": _K.NUMBER, "clause": _K.CLAUSE}
    DRIVER_FAILED = auto(), {"device": _K.DEVICE, "driver": _K.NAME, "kind": _K.NAME}
    PACK_WRONG = auto(), {"missing": _K.NUMBER, "extra": _K.NUMBER, "unreadable": _K.NUMBER}
    PACK_ONLY_COUNTED = auto(), {"cards": _K.NUMBER}
    PACK_NOT_VERIFIED = auto()
    SHUFFLER_OPENED = auto(), {"part": _K.PART}
    SHUFFLER_AT_WORK = auto(), {"work": _K.WORK}
    SHUFFLER_LINK_LOST = auto(), {"says": _K.SAYS}
    SHUFFLER_JAM = auto(), {"part": _K.PART}
    SHUFFLER_CARD = auto(), {"state": _K.WORK}
    SHUFFLER_FAULT = auto(), {"number": _K.NUMBER, "says": _K.SAYS}
    SHUFFLER_STARTED = auto()
    SHUFFLER_EVENTS_LOST = auto(), {"says": _K.SAYS}
    ORDER_DROPPED = auto(), {"device": _K.DEVICE, "times": _K.NUMBER}
    AT_SHOE_KEEP_EXCESS = auto()
    AT_SHOE_DISCARD_EXCESS = auto()
    AT_SHOE_CLEAR_ERROR = auto()
    AT_SHOE_END_ROUND = auto()

    # causes of missing cards
    SHOE_EVENTS_LOST = auto()
    SHOE_STARTED = auto()
    SHOE_NOT_LISTENED_TO = auto()
    SHOE_GAVE_UP_NOTHING = auto()
    ANOTHER_SHOE_IN_PLACE = auto()
    SHOE_OUT_OF_USE = auto()
    DEALER_COUNTS = auto()
    PLACE_SAYS_OTHERWISE = (
        auto(),
        {"hand": _K.HAND, "index": _K.NUMBER, "due": _K.HAND, "place": _K.NUMBER},
    )
    HAND_DIFFERS = auto(), {"hand": _K.HAND, "due": _K.HAND, "place": _K.NUMBER}
    PLACE_DIFFERS = auto(), {"due": _K.HAND, "place": _K.NUMBER}
    RESULT_BEFORE_THE_CARDS = auto()
    CARD_MAY_BE_COUNTED = auto()

    # counts of the shoe and of the table
    WINNER_DIFFERS = auto(), {"shoe": _K.HAND, "table": _K.HAND}
    TOTAL_DIFFERS = auto(), {"hand": _K.HAND, "shoe": _K.NUMBER, "table": _K.NUMBER}
    PAIR_SAID = auto(), {"hand": _K.HAND}
    PAIR_NOT_SAID = auto(), {"hand": _K.HAND}
    CARD_DIFFERS = auto(), {"n": _K.NUMBER, "shoe": _K.CARD, "table": _K.CARD}
    COUNTED_CARD_CAME = auto(), {"n": _K.NUMBER}
    REQUEST_ENDED = auto(), {"request": _K.REQUEST, "by": _K.NAME}
    WENT_ON_OVER_DEVICE = auto(), {"by": _K.NAME, "approver": _K.NAME}

    # holds of the table
    HELD_RESTART = auto()
    HELD_REPORTED = auto(), {"irregularity": _K.IRREGULARITY, "by": _K.NAME}
    HELD_REPORTED_CARD = auto(), {"irregularity": _K.IRREGULARITY, "by": _K.NAME, "n": _K.NUMBER}
    HELD_SHOE_REPORTS = auto(), {"irregularity": _K.IRREGULARITY}
    HELD_SHOE_REPORTS_CARD = auto(), {"irregularity": _K.IRREGULARITY, "n": _K.NUMBER}
    HELD_CARD_BY_HAND = auto(), {"n": _K.NUMBER}
    HELD_CARD_UNREAD = auto(), {"n": _K.NUMBER}
    HELD_LID_OPEN = auto(), {"device": _K.DEVICE}
    HELD_LID_WAS_OPEN = auto(), {"device": _K.DEVICE}
    HELD_LINK_LOST = auto(), {"device": _K.DEVICE}
    HELD_LINK_WAS_LOST = auto(), {"device": _K.DEVICE}
    HELD_DEVICE_ERROR = auto(), {"device": _K.DEVICE}
    HELD_DEVICE_HAD_ERROR = auto(), {"device": _K.DEVICE}
    HELD_EXCESS_DISCARDED = auto(), {"device": _K.DEVICE}
    HELD_DRIVER_FAILED = auto(), {"device": _K.DEVICE}
    HELD_MUST_CLEAR = auto(), {"device": _K.DEVICE}
    HELD_RESULT_DIFFERS = auto(), {"device": _K.DEVICE}
    HELD_PLACE_DIFFERS = auto(), {"device": _K.DEVICE}
    HELD_CARD_DIFFERS = auto(), {"device": _K.DEVICE}
    HELD_JOURNAL_LOSS = auto()
    HELD_SELF_TEST = auto()
    HELD_SELF_TEST_WAS_BAD = auto()
    HELD_PAUSED = auto(), {"by": _K.NAME}
    HELD_UNREADABLE = auto(), {"device": _K.DEVICE}
    HELD_EXCESS = auto(), {"device": _K.DEVICE}
    HELD_SEVERAL = auto(), {"device": _K.DEVICE}
    HELD_FOREIGN = auto(), {"device": _K.DEVICE}
    HELD_JAM = auto(), {"device": _K.DEVICE}
    HELD_LOADING = auto(), {"device": _K.DEVICE}
    HELD_WRONG_PACK = auto(), {"device": _K.DEVICE}
    HELD_CONTENT_UNKNOWN = auto(), {"device": _K.DEVICE}
    HELD_NOTICE = auto(), {"device": _K.DEVICE}
    HELD_SERVICE = auto(), {"device": _K.DEVICE}

    # remedies
    HELD_FOR_AN_ANSWER = auto(), {"role": _K.ROLE}
    HELD_FOR_CHOICES = auto()
    HELD_FOR_APPROVAL = auto(), {"role": _K.ROLE}
    HELD_FOR_A_DECISION = auto(), {"role": _K.ROLE}
    HELD_FOR_THE_ORDER = auto(), {"role": _K.ROLE}
    HELD_FOR_WHERE_CARDS_LIE = auto(), {"role": _K.ROLE}
    HELD_FOR_COUNTS = auto(), {"role": _K.ROLE}
    HELD_FOR_A_CARD = auto()
    HELD_FOR_WAGERS = auto(), {"role": _K.ROLE}
    HELD_QUEUED = auto()
    REMEDY_COUNT = auto()
    REMEDY_CONFIRM_COUNT = auto()
    REMEDY_RESTART = auto()
    REMEDY_CLOSE_LID = auto(), {"device": _K.DEVICE}
    REMEDY_LOOK_INSIDE = auto(), {"device": _K.DEVICE}
    REMEDY_EXCESS_DISCARDED = auto()
    REMEDY_DRIVER_FAILED = auto(), {"device": _K.DEVICE}
    REMEDY_RECONNECT = auto(), {"device": _K.DEVICE}
    REMEDY_COMPARE_CARDS = auto()
    REMEDY_LOOK_AT_DEVICE = auto(), {"device": _K.DEVICE}
    REMEDY_CLEAR_AT_DEVICE = auto(), {"device": _K.DEVICE}
    REMEDY_CARDS_DECIDE = auto()
    REMEDY_PLACES_DECIDE = auto()
    REMEDY_JOURNAL_LOSS = auto()
    REMEDY_SELF_TEST = auto()
    REMEDY_SELF_TEST_IS_GOOD = auto()
    REMEDY_PAUSED = auto(), {"by": _K.NAME}
    REMEDY_UNREADABLE = auto(), {"device": _K.DEVICE}
    REMEDY_EXCESS = auto(), {"device": _K.DEVICE}
    REMEDY_SEVERAL = auto(), {"device": _K.DEVICE}
    REMEDY_FOREIGN = auto(), {"device": _K.DEVICE}
    REMEDY_JAM = auto(), {"device": _K.DEVICE}
    REMEDY_LOADING = auto(), {"device": _K.DEVICE}
    REMEDY_WRONG_PACK = auto(), {"device": _K.DEVICE}
    REMEDY_CONTENT_UNKNOWN = auto(), {"device": _K.DEVICE}
    REMEDY_SERVICE = auto(), {"device": _K.DEVICE}

    # roles that can end it
    ENDS_BY_ROLE = auto(), {"role": _K.A_ROLE_TITLE}
    ENDS_BY_APPROVAL = auto(), {"role": _K.A_ROLE_TITLE}
    ENDS_BY_ASKING = auto(), {"role": _K.A_ROLE_TITLE, "second": _K.A_ROLE}
    ENDS_BY_TWO = auto(), {"role": _K.A_ROLE_TITLE}
    ENDS_BY_COUNT = auto(), {"role": _K.A_ROLE_TITLE, "second": _K.A_ROLE}
    ENDS_BY_PLAYERS = auto()
    ENDS_BY_DEVICE = auto(), {"device": _K.DEVICE, "role": _K.A_ROLE}
    ENDS_AFTER_OTHERS = auto()
    CLEARED_BECAUSE = auto(), {"holds": _K.HOLD, "by": _K.NAME, "says": _K.SAYS}
    CLEARED_WITHOUT_REASON = auto(), {"holds": _K.HOLD, "by": _K.NAME}

    # remaining steps of a round at the shoe
    END_ROUND_AT_SHOE = auto(), {"round": _K.NUMBER}
    SHOE_SAYS_SO_ITSELF = auto(), {"round": _K.NUMBER}
    NOTHING_LEFT_AT_SHOE = auto()
    SHOE_ROUND_ENDED = auto(), {"round": _K.NUMBER}
    SHOE_ROUND_PUT_ASIDE = auto(), {"round": _K.NUMBER, "by": _K.NAME, "says": _K.SAYS}
    PROMPT_END_ROUND_AT_SHOE = auto(), {"round": _K.NUMBER}
    PROMPT_END_UNSEEN_AT_SHOE = auto(), {"round": _K.NUMBER}

    # actions of the dealer
    PROMPT_OPEN_TABLE = auto()
    PROMPT_COUNT_DECKS = auto(), {"set": _K.NAME}
    PROMPT_PASS_REST = auto(), {"set": _K.NAME}
    PROMPT_LOAD_SHOE = auto()
    PROMPT_TURN_FIRST_CARD = auto()
    PROMPT_BURN = auto(), {"cards": _K.NUMBER}
    PROMPT_HAND_OUT_DEVICE = auto()
    PROMPT_GIVE_LEAVE = auto(), {"role": _K.TITLE, "method": _K.ID}
    PROMPT_OPEN_BETTING = auto()
    PROMPT_TAKE_WAGERS = auto()
    PROMPT_DRAW_FACE_UP = auto(), {"hand": _K.HAND}
    PROMPT_DRAW_FACE_DOWN = auto(), {"hand": _K.HAND}
    PROMPT_HAVE_DRAWN = auto(), {"player": _K.NAME, "hand": _K.HAND}
    PROMPT_PASS_HAND = auto(), {"hand": _K.HAND, "player": _K.NAME}
    PROMPT_NAME_HANDLER = auto(), {"role": _K.TITLE, "hand": _K.HAND}
    PROMPT_PERMIT_SQUEEZE = auto(), {"player": _K.NAME, "hand": _K.HAND}
    PROMPT_SQUEEZES = auto(), {"player": _K.NAME, "hand": _K.HAND}
    PROMPT_EXPOSE_HAND = auto(), {"hand": _K.HAND}
    PROMPT_EXPOSE_HANDS = auto()
    PROMPT_DRAW_THIRD = auto(), {"hand": _K.HAND}
    PROMPT_DRAW_THIRD_FACE_DOWN = auto(), {"hand": _K.HAND}
    PROMPT_HAVE_THIRD_DRAWN = auto(), {"player": _K.NAME, "hand": _K.HAND}
    PROMPT_EXPOSE_THIRD = auto(), {"hand": _K.HAND}
    PROMPT_ANNOUNCE = auto()
    PROMPT_COLLECT_AND_PAY = auto()

    # announcements of the dealer
    SAY_CALL = auto(), {"call": _K.CALL}
    PROMPT_REMOVE_CUT_CARD = auto(), {"rounds": _K.NUMBER}
    PROMPT_REMOVE_CUT_CARD_IN_ROUND = auto(), {"rounds": _K.NUMBER}
    PROMPT_REMOVE_CUT_CARD_AND_CHANGE = auto()
    SAY_TOTALS = auto(), {"player": _K.NUMBER, "banker": _K.NUMBER}
    SAY_PLAYER_WINS = auto(), {"player": _K.NUMBER, "banker": _K.NUMBER}
    SAY_BANKER_WINS = auto(), {"player": _K.NUMBER, "banker": _K.NUMBER}
    SAY_TIE = auto(), {"player": _K.NUMBER, "banker": _K.NUMBER}

    # steps of a finished round, or of an observed one
    STEP_SAID = auto(), {"who": _K.NAME, "word": _K.WORD}
    STEP_NOT_TAKEN = auto(), {"who": _K.NAME, "word": _K.WORD}
    STEP_BETTING_OPENED = auto()
    STEP_PLACED = auto(), {"player": _K.NAME, "amount": _K.MONEY, "wager": _K.WAGER}
    STEP_PLACE_REFUSED = auto(), {"player": _K.NAME, "amount": _K.MONEY, "wager": _K.WAGER}
    STEP_RAISED = auto(), {"player": _K.NAME, "wager": _K.WAGER, "was": _K.MONEY, "now": _K.MONEY}
    STEP_DECREASED = (
        auto(),
        {"player": _K.NAME, "wager": _K.WAGER, "was": _K.MONEY, "now": _K.MONEY},
    )
    STEP_TAKEN_BACK = auto(), {"player": _K.NAME, "amount": _K.MONEY, "wager": _K.WAGER}
    STEP_BETTING_CLOSED = auto()
    STEP_CARD_TO = auto(), {"face": _K.FACE, "hand": _K.HAND}
    STEP_CARD_TURNED_LATER = auto(), {"face": _K.FACE, "hand": _K.HAND}
    STEP_CARD_FACE_DOWN = auto(), {"hand": _K.HAND}
    STEP_CARD_UNREAD = auto(), {"hand": _K.HAND}
    STEP_CARD_ASIDE = auto()
    STEP_FACE_ASIDE = auto(), {"face": _K.FACE}
    STEP_EXPOSED = auto(), {"hand": _K.HAND, "faces": _K.FACE}
    STEP_TAKES_HAND = auto(), {"player": _K.NAME, "hand": _K.HAND}
    STEP_LEAVES_HAND = auto(), {"player": _K.NAME, "hand": _K.HAND}
    STEP_REVEAL_FIRST = auto(), {"hand": _K.HAND}
    STEP_ANNOUNCED_TOTALS = auto(), {"player": _K.NUMBER, "banker": _K.NUMBER}
    STEP_ANNOUNCED_PLAYER = auto(), {"high": _K.NUMBER, "low": _K.NUMBER}
    STEP_ANNOUNCED_BANKER = auto(), {"high": _K.NUMBER, "low": _K.NUMBER}
    STEP_ANNOUNCED_TIE = auto(), {"points": _K.NUMBER}
    STEP_SHOE_RESULT = auto(), {"hand": _K.HAND}
    STEP_SETTLED = auto(), {"paid": _K.MONEY, "returned": _K.MONEY}
    STEP_SETTLED_NOTHING = auto()
    STEP_REPORTED = auto(), {"irregularity": _K.IRREGULARITY}
    STEP_ANSWERED_YES = auto(), {"fact": _K.FACT}
    STEP_ANSWERED_NO = auto(), {"fact": _K.FACT}
    STEP_CHOSE_PLAY = auto(), {"player": _K.NAME}
    STEP_CHOSE_WITHDRAW = auto(), {"player": _K.NAME}
    STEP_APPROVED = auto(), {"request": _K.REQUEST}
    STEP_APPROVED_CASE = auto(), {"irregularity": _K.IRREGULARITY}
    STEP_DENIED = auto(), {"request": _K.REQUEST}
    STEP_DENIED_CASE = auto(), {"irregularity": _K.IRREGULARITY}
    STEP_DECIDED_GO_ON = auto()
    STEP_DECIDED_VOID = auto()
    STEP_DECIDED_RECONSTRUCT = auto()
    STEP_DECIDED_REMOVE = auto()
    STEP_CORRECTION = auto(), {"was": _K.FACE, "now": _K.FACE}
    STEP_ENTERED = auto(), {"face": _K.FACE}
    STEP_COUNTED = auto(), {"cards": _K.NUMBER}
    STEP_FROM_THE_FLOOR = auto()
    STEP_FLOOR_ORDER_NOT_TAKEN = auto(), {"who": _K.NAME}
    STEP_FLOOR_ORDERS_UNWRITTEN = auto(), {"orders": _K.NAME}
    STEP_SIGNED_IN = auto(), {"who": _K.NAME}
    STEP_SIGNED_OUT = auto(), {"who": _K.NAME}
    STEP_SIGN_IN_FAILED = auto(), {"who": _K.NAME}
    STEP_ACCOUNT_LOCKED = auto(), {"who": _K.NAME}
    STEP_ACCOUNT_UNLOCKED = auto(), {"who": _K.NAME}
    STEP_SCREEN_LOCKED = auto(), {"who": _K.NAME}
    STEP_SCREEN_UNLOCKED = auto(), {"who": _K.NAME}
    STEP_SESSION_ENDED = auto(), {"who": _K.NAME}
    STEP_RELIEVED = auto(), {"who": _K.NAME}
    STEP_THEN_CASE = auto(), {"irregularity": _K.IRREGULARITY}
    STEP_THEN_HELD = auto(), {"hold": _K.HOLD}
    STEP_THEN_CORRECTED = auto(), {"was": _K.FACE, "now": _K.FACE}
    STEP_THEN_VOID = auto()

    # questions while the table is held
    PROMPT_COUNT_ALL_THAT_LEFT = auto()
    PROMPT_COUNT_WHAT_LIES_OVER = auto()
    PROMPT_COUNT_SINCE_RESET = auto(), {"cards": _K.NUMBER}
    PROMPT_COUNT_THE_ROUND = auto()
    PROMPT_WAS_PLAY_INTERRUPTED = auto(), {"role": _K.TITLE}
    PROMPT_HELD_BY_DEVICE = auto(), {"holds": _K.HOLD}
    PROMPT_CLEAR = auto(), {"holds": _K.HOLD, "role": _K.A_ROLE_TITLE}
    PROMPT_CLEAR_BY_TWO = auto(), {"holds": _K.HOLD, "role": _K.A_ROLE_TITLE}
    PROMPT_CLEAR_ERROR = auto(), {"device": _K.DEVICE, "number": _K.NUMBER}
    PROMPT_CLEAR_ERROR_SAYS = auto(), {"device": _K.DEVICE, "number": _K.NUMBER, "says": _K.SAYS}
    PROMPT_OFFER = auto(), {"players": _K.NAME}
    PROMPT_OFFER_EVERYBODY = auto()
    PROMPT_APPROVE_VOID = auto(), {"role": _K.A_ROLE_TITLE, "round": _K.NUMBER}
    PROMPT_APPROVE_CARD = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_APPROVE_MOVED_CARD = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_APPROVE_DOUBT = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_APPROVE_STRIKE = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_APPROVE_DECISION = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_ASK_FOR_VOID = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_DECIDE = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_FIND = auto(), {"irregularity": _K.IRREGULARITY, "round": _K.NUMBER, "role": _K.ROLE}
    PROMPT_FIND_BY = (
        auto(),
        {"irregularity": _K.IRREGULARITY, "round": _K.NUMBER, "clause": _K.CLAUSE, "role": _K.ROLE},
    )
    PROMPT_SAY_ORDER = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_SAY_WHERE_CARDS_LIE = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_ENTER_CARD = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_PUT_WAGERS_RIGHT = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_KEEP_TWO = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_ENTER_KEPT = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    PROMPT_SORT_AND_COUNT = auto(), {"irregularity": _K.IRREGULARITY, "role": _K.ROLE}
    APPROVE_CORRECTION = (
        auto(),
        {"n": _K.NUMBER, "before": _K.CARD, "card": _K.CARD, "by": _K.NAME},
    )
    APPROVE_CORRECTION_UNREAD = auto(), {"n": _K.NUMBER, "card": _K.CARD, "by": _K.NAME}
    APPROVE_SHOE = auto(), {"set": _K.NAME, "by": _K.NAME}
    VOUCH_FOR_SHOE = auto(), {"person": _K.NAME, "set": _K.NAME, "by": _K.NAME}
    APPROVE_JOURNAL_LOSS = auto(), {"by": _K.NAME}
    APPROVE_FIRST_CARD = auto(), {"card": _K.CARD, "by": _K.NAME}
    APPROVE_DECK_STEP = auto(), {"set": _K.NAME, "stage": _K.STAGE, "by": _K.NAME}
    APPROVE_DECK_COUNT = auto(), {"set": _K.NAME, "by": _K.NAME}
    APPROVE_UNIT = auto(), {"unit": _K.NAME, "device": _K.DEVICE, "by": _K.NAME}
    APPROVE_GOING_ON = auto(), {"holds": _K.HOLD, "by": _K.NAME}
    APPROVE_BY_HAND = auto(), {"by": _K.NAME, "says": _K.SAYS}
    APPROVE_USE_SHOE = auto(), {"by": _K.NAME, "says": _K.SAYS}
    APPROVE_CARDS = auto(), {"by": _K.NAME}
    APPROVE_CLOSE = auto(), {"amounts": _K.MONEY, "by": _K.NAME}
    APPROVE_COUNT_MORE = auto(), {"difference": _K.NUMBER, "by": _K.NAME, "cards": _K.NUMBER}
    APPROVE_COUNT_FEWER = auto(), {"difference": _K.NUMBER, "by": _K.NAME, "cards": _K.NUMBER}
    ASK_INITIAL_DEAL = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_OUTCOME_ESTABLISHED = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_FIRST_CARD_DEALT = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_CARD_EXPOSED = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_BETS_CLOSED = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_PLAYER_DRAWS = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_ORDER_KNOWN = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_RECONSTRUCTABLE = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_VALUE_KNOWN = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_DEALT_FACE_UP = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_BELONGS = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_UNSHUFFLED = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_INTERRUPTED = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_MAY_WITHDRAW = auto(), {"irregularity": _K.IRREGULARITY}
    ASK_IN_USE = auto(), {"irregularity": _K.IRREGULARITY}

    # the console
    NOT_SIGNED_IN = auto()
    WRONG_SECRET = auto(), {"left": _K.NUMBER}
    WRONG_ELSEWHERE = auto()
    TAKES_CODE = auto()
    LINK_IS_USED = auto()
    AT_THE_TABLE_ONLY = auto()
    HAS_SECOND_FACTOR = auto()
    NO_KEY_OFFERED = auto()
    WRONG_FIRST_CODE = auto(), {"left": _K.NUMBER}
    ACCOUNT_LOCKED = auto(), {"role": _K.A_ROLE}
    SCREEN_LOCKED = auto()
    TAKES_SOMEBODY_ELSE = auto()
    TAKES_OWN_PIN = auto()
    SURVEILLANCE_WATCHES = auto()
    NOT_YOUR_VIEW = auto()
    PAGE_IS_OLD = auto()
    FROM_ANOTHER_SITE = auto()
    KEY_USED = auto()
    NO_ANSWER_YET = auto()
    TABLE_BUSY = auto()
    TABLE_STARTING = auto()
    TABLE_MOVED_ON = auto()
    TABLE_IS_AWAY = auto()
    ORDER_NOT_TAKEN = auto()
    NO_ROUNDS_KEPT = auto()
    NO_SUCH_ROUND = auto()
    ROUNDS_CANNOT_BE_PLAYED = auto()


BY_ID: Final = {code.value: code for code in Code}
