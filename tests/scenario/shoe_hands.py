"""What a story's device does, done by a hand at an emulated shoe; and what each shoe cannot say.

One thing done at a shoe may be several words for the table, and a story may tell them one by one.
Each method says which word the story waits for and which others come with it; a word that has come
already, or is on its way, needs no hand.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from drivers.testing.bench.emulated import Emulated

Message = Mapping[str, Any]


class Untold(Exception):
    """This shoe has no way to say that."""


class Heard(NamedTuple):
    """What the table hears: the word the story waits for, among all that come now, in order."""

    word: str
    all: tuple[str, ...]
    """Empty: it was heard before."""


class DealerSees(NamedTuple):
    """The shoe says nothing of it: the dealer does."""

    word: str


def heard(word: str, *also: str, first: tuple[str, ...] = ()) -> Heard:
    return Heard(word, (*first, word, *also))


UNREAD: Final = 1
"""The Angel Eye's error of a card that it cannot read: it comes before the card."""
OVERDRAWN: Final = 2
"""And of one too many: that card is kept or discarded."""
FOREIGN: Final = 6
"""And of a card that does not belong."""
NO_LID: Final = "no shoe here reports its lid"
NO_GAME: Final = "it knows no game"
NO_DEVICE: Final = "by hand there is no device that could say or do it"
STILL_PLAYS: Final = "still_plays"
WRONG_PLACE: Final = "wrong_place"
"""The story's shoe names a hand that is not the one the card is for."""


class ShoeHand:
    """What every shoe can do. Each word of a story is a method."""

    emulator_settings: ClassVar[Mapping[str, str]] = {}
    driver_settings: ClassVar[Mapping[str, str]] = {}
    lacks: ClassVar[Mapping[str, str]] = {}
    """Words of a story that this shoe cannot say, each with the reason."""
    numbered: ClassVar = False
    """As on its data sheet."""

    def __init__(self, emulator: Emulated, text: str) -> None:
        """`text` is the whole story: some things must be prepared before they happen."""
        self._emulator = emulator
        self._text = text
        self._on_its_way: deque[str] = deque()
        self._unplugged = False

    def do(self, message: Message) -> Heard | DealerSees:
        """Raises `Untold`."""
        word = str(message["event"])
        needs = WRONG_PLACE if word == "card" and message.get("hand") else word
        if needs in self.lacks:
            raise Untold(self.lacks[needs])
        if self._on_its_way and self._on_its_way[0] == word:
            return self._arrives(self._on_its_way.popleft())
        act: Callable[[Message], Heard | DealerSees] = getattr(self, word)
        return act(message)

    def _arrives(self, word: str) -> Heard:
        """A word that another one brought with it."""
        return heard(word)

    def round_begins(self, carried: Sequence[str | None]) -> Heard | None:  # noqa: ARG002
        """The dealer makes the shoe ready for a round; `carried` cards lie over from the last."""
        return None

    def all_taken(self) -> None:
        """Wait until the table has taken whatever the shoe has said."""

    def new_shoe(self, burn: str | int) -> None:
        """Other cards are put in, and the burn is begun."""

    def card(self, message: Message) -> Heard:
        self._emulator.do("draw", card=message["card"], extra=True)
        return heard("card")

    def read_failed(self, _: Message) -> Heard:
        self._emulator.do("unreadable")
        return heard("read_failed")

    def cut_card(self, _: Message) -> Heard | DealerSees:
        self._emulator.do("cutting_card")
        return heard("cut_card")

    def link_lost(self, _: Message) -> Heard:
        self.pull()
        self._unplugged = True
        return heard("link_lost")

    def link_up(self, message: Message) -> Heard:
        counted = bool(message.get("with", {}).get("count"))
        if not self._unplugged:
            assert counted  # the table's program has started again, and the shoe was heard first
            return Heard("link_up", ())
        if counted == self.numbered:
            raise Untold(
                "its numbers show a loss by themselves: the count is not asked"
                if self.numbered
                else "it numbers nothing: whenever the link comes back the count is asked"
            )
        self.put_back()
        self._unplugged = False
        return heard("link_up")

    @property
    def clears_it_later(self) -> bool:
        """An error is cleared with a word of the story that is still to come."""
        return False

    def clear(self, number: int) -> Heard:
        """Somebody clears an error at the shoe."""
        raise Untold(f"it has no error {number} that must be cleared")

    def pull(self) -> None:
        self._emulator.do("unplug")

    def put_back(self) -> None:
        self._emulator.do("plug")

    def notice_table_gone(self) -> None:
        """Wait until the shoe has seen that no table has its port open.

        An answer of its back door comes after it has looked. A shoe that did not look between two
        tables would go on as if it had been greeted by the second."""
        self._emulator.state()

    def unheard(self, cards: Sequence[str]) -> None:
        """Cards leave it that nobody hears of. Only a shoe that knows the game needs to know."""


class AtAngelEye(ShoeHand):
    """It plays its own round, tells for which hand a card is, and the result."""

    emulator_settings: ClassVar = {
        "burn": "no",
        "result_s": "0",
        "spacing_s": "0",
        "draw_limit_s": "0.1",
    }
    lacks: ClassVar = {
        "lid_open": NO_LID,
        "lid_closed": NO_LID,
    }
    numbered: ClassVar = True
    overdrawn: Final = "7D"
    """Stories that name an overdrawn card later all name this one."""

    def __init__(self, emulator: Emulated, text: str) -> None:
        super().__init__(emulator, text)
        self._results = deque(re.findall(r"^The shoe reports result (\w+)", text, re.MULTILINE))
        lost = r"^The shoe (?:reports events_lost|loses (\w+))"
        self._lost = deque(re.findall(lost, text, re.MULTILINE))
        """Of each loss the card, where it was one."""
        self._told = ""
        self._to_burn = 0
        self._unread_with_error = False
        """The last card could not be read, and its error came with it."""

    def do(self, message: Message) -> Heard | DealerSees:
        with_error = self._unread_with_error
        self._unread_with_error = False
        if with_error and message["event"] == "error" and message["code"] == UNREAD:
            return Heard("error", ())
        return super().do(message)

    def card(self, message: Message) -> Heard:
        if self._to_burn:
            return self._burned(message)
        if self._results:
            self._emulator.do("misjudge", winner=self._results[0])
        if message.get("hand") and message["hand"] != self._next_hand():
            self._emulator.do("misplace")
        self._emulator.do("draw", card=message["card"], extra=True)
        device = self._device()
        if device["phase"] != "stand-by":
            return heard("card")
        if not device["player"]:
            return heard("card")  # it was the last of a burn
        self._told = self._results[0] if self._results else ""
        return heard("card", "result")

    def _next_hand(self) -> str:
        """Whom the next card of the initial deal is for, as the shoe has it."""
        device = self._device()
        begun = device["phase"] == "dealing"
        dealt = len(device["player"] + device["banker"]) if begun else 0
        return "banker" if dealt % 2 else "player"

    def _burned(self, message: Message) -> Heard:
        """A fixed number: the shoe is told to burn, ten cards at a time at most."""
        if self._device()["phase"] == "stand-by":
            self._emulator.do("burn", count=min(self._to_burn, 10))
        self._to_burn -= 1
        self._emulator.do("draw", card=message["card"], extra=True)
        return heard("card")

    def result(self, message: Message) -> Heard:
        """It came with the last card of the round, right or wrong."""
        if message["winner"] != self._told:
            raise Untold("it tells a result only when its own round is complete")
        self._results.popleft()
        self._told = ""
        return Heard("result", ())

    def _device(self) -> Any:
        return self._emulator.state()["device"]

    def all_taken(self) -> None:
        while self._device()["events_waiting"]:
            pass

    def round_begins(self, carried: Sequence[str | None]) -> Heard | None:
        if STILL_PLAYS in self._text:
            return None  # the story itself says when the button is pressed
        device = self._device()
        has, known = device["player"] + device["banker"], Counter(filter(None, carried))
        if device["phase"] != "dealing" or (len(has) == len(carried) and known <= Counter(has)):
            return None
        self._emulator.do("press", button="forced_exit")
        return heard("gave_up")

    def new_shoe(self, burn: str | int) -> None:
        if burn == "first_card":
            self._emulator.do("burn")
        self._to_burn = burn if isinstance(burn, int) else 0

    def read_failed(self, _: Message) -> Heard:
        self._emulator.do("unreadable")
        self._emulator.do("press", button="clear")
        self._unread_with_error = True
        return heard("read_failed", "error_cleared", first=("error",))

    def _arrives(self, word: str) -> Heard:
        if word == "read_failed":  # with the end of the error nothing more is said about the card
            self._emulator.do("press", button="clear")
            return heard("read_failed", "error_cleared")
        return heard(word)

    def excess(self, message: Message) -> Heard:
        card = message.get("card")
        if card is None:
            self._emulator.do("overdraw", card=self.overdrawn)
            self._on_its_way.append("error")
            return heard("excess")
        self._emulator.do("key", locked=True)
        self._emulator.do("draw", card=card, extra=True)
        self._emulator.do("key", locked=False)
        return heard("excess", "unlocked", first=("locked",))

    def excess_discarded(self, _: Message) -> Heard:
        if self._device()["error"] != OVERDRAWN:
            raise Untold("it throws away only what it called one too many")
        self._on_its_way.clear()
        self._emulator.do("press", button="discard")
        return heard("excess_discarded", first=("error_cleared",))

    def excess_named(self, _: Message) -> Heard:
        self._on_its_way.clear()
        self._emulator.do("press", button="keep")
        return heard("excess_named", first=("error_cleared",))

    @property
    def clears_it_later(self) -> bool:
        return "read_failed" in self._on_its_way

    def clear(self, number: int) -> Heard:
        if number == OVERDRAWN:
            self._on_its_way.clear()
            self._emulator.do("press", button="discard")
        else:
            self._emulator.do("press", button="clear")
        return heard("error_cleared")

    def events_lost(self, _: Message) -> Heard:
        """An event goes by with all its copies; the numbers before and behind it show it."""
        card = self._lost.popleft()
        self._emulator.do("preset")
        if card:
            self.unheard([card])
        else:
            self._emulator.do("lose")
            self._emulator.do("preset")
        self._emulator.do("preset")
        return heard("events_lost")

    def unheard(self, cards: Sequence[str]) -> None:
        for card in cards:
            self._emulator.do("lose")
            self._emulator.do("draw", card=card, extra=True)

    def error(self, message: Message) -> Heard:
        acts: dict[int, tuple[str, dict[str, str]]] = {
            UNREAD: ("unreadable", {}),
            3: ("press", {"button": "result"}),
            4: ("push_back", {"where": "exit"}),
            5: ("push_back", {"where": "midway"}),
            FOREIGN: ("foreign", {}),
            7: ("half_draw", {}),
        }
        code = int(message["code"])
        if code not in acts:
            raise Untold("its error 2 comes with the card that is one too many")
        word, given = acts[code]
        self._emulator.do(word, **given)
        if code in (UNREAD, FOREIGN):
            self._on_its_way.append("read_failed")
            return heard("error")
        if code != 7:
            self._emulator.do("press", button="clear")
            return heard("error", "error_cleared")
        return heard("error")

    def still_plays(self, _: Message) -> Heard:
        """The table knows it by itself, with the void."""
        return Heard(STILL_PLAYS, ())

    def gave_up(self, _: Message) -> Heard:
        if self._device()["phase"] != "dealing":
            raise Untold("it gives up only a round that it plays")
        self._emulator.do("press", button="forced_exit")
        return heard("gave_up")

    def started(self, _: Message) -> Heard:
        self._emulator.do("restart", counter="kept")
        return heard("started")


_PLAIN: Final = {
    "lid_open": NO_LID,
    "lid_closed": NO_LID,
    "excess": NO_GAME,
    "excess_named": NO_GAME,
    "excess_discarded": NO_GAME,
    "result": NO_GAME,
    "gave_up": NO_GAME,
    STILL_PLAYS: NO_GAME,
    "started": "it says nothing when it is switched on",
    WRONG_PLACE: NO_GAME,
}


BY_HAND: Final = "by_hand"
"""A link without a shoe."""
BY_HAND_LACKS: Final = dict.fromkeys(
    (*_PLAIN, "error", "events_lost", "link_lost", "link_up", "read_failed"), NO_DEVICE
)


class AtBeeTek(ShoeHand):
    lacks: ClassVar = {
        **_PLAIN,
        "error": "its alarms have numbers of their own",
    }

    def cut_card(self, _: Message) -> Heard | DealerSees:
        self._emulator.do("cutting_card")
        return DealerSees("cut_card")

    def events_lost(self, _: Message) -> Heard:
        """A warning of which a byte was struck: it might have been a card."""
        self._emulator.do("flip", after=1, bit=7)
        self._emulator.do("warn", number=1)
        return heard("events_lost")


class AtBarcode(ShoeHand):
    """With labels that are on every copy of a card, so that one label twice is two cards."""

    emulator_settings: ClassVar = {
        "table": "four_digits",
        "cut_label": "CUT",
        "no_read": "NOREAD",
        "report_ms": "0",
    }
    driver_settings: ClassVar = {
        "table": "four_digits",
        "cut_label": "CUT",
        "no_read_label": "NOREAD",
    }
    lacks: ClassVar = _PLAIN

    def error(self, message: Message) -> Heard:
        if message["code"] != FOREIGN:
            raise Untold("its only error is a label that is in no table")
        self._emulator.do("foreign")
        self._on_its_way.append("read_failed")
        return heard("error")

    def events_lost(self, _: Message) -> Heard:
        """A scan longer than any label: perhaps two cards without an Enter between them."""
        self._emulator.do("scan", label="10103100")
        return heard("events_lost")


class AtLineReader(ShoeHand):
    """With labels that are on every copy of a card, and no check digits."""

    emulator_settings: ClassVar = {"deck_digit": "none", "cut_label": "CUT", "no_read": "NOREAD"}
    driver_settings: ClassVar = {
        "deck_digit": "none",
        "cut_label": "CUT",
        "no_read_label": "NOREAD",
    }
    lacks: ClassVar = {**_PLAIN, "error": "without check digits it knows no error, only doubt"}

    def events_lost(self, _: Message) -> Heard:
        """A line longer than any label: perhaps two cards without an end between them."""
        self._emulator.do("scan", label="S2HA")
        return heard("events_lost")


class AtFeed(ShoeHand):
    """A program that keeps what was not acknowledged and sends it again."""

    lacks: ClassVar = {**_PLAIN, "started": "one that has started anew says so in its first line"}
    numbered: ClassVar = True

    means: Final = {
        3: "notice",
        4: "several_at_once",
        5: "several_at_once",
        7: "notice",
    }
    """Its numbers are the program's own: what the story's shoe means by one is said in a word."""

    def error(self, message: Message) -> Heard:
        code = int(message["code"])
        if code in self.means:
            self._emulator.do("error", number=code, means=self.means[code])
            return heard("error")
        if code != FOREIGN:
            raise Untold("a card that it cannot read is no error, and it knows no card too many")
        self._emulator.do("foreign")
        self._on_its_way.append("read_failed")
        return heard("error")

    def events_lost(self, _: Message) -> Heard:
        self._emulator.do("lost")
        return heard("events_lost")


class AtARealUnit(ShoeHand):
    """A person on a bench: told what to do, and the shoe says it."""

    lacks: ClassVar = dict.fromkeys(
        (*_PLAIN, "error", "events_lost"), "a person on a bench cannot make a shoe say that"
    )

    def __init__(self, say: Callable[[str], None], numbered: bool) -> None:
        self._say = say
        self.numbered = numbered  # type: ignore[misc]
        self._on_its_way = deque()
        self._unplugged = False

    def card(self, message: Message) -> Heard:
        self._say(f"Draw {message['card']}.")
        return heard("card")

    def read_failed(self, _: Message) -> Heard:
        self._say("Draw any card so that it cannot be read: turned over, or its code covered.")
        return heard("read_failed")

    def cut_card(self, _: Message) -> Heard:
        self._say("Draw the cutting card.")
        return heard("cut_card")

    def notice_table_gone(self) -> None:
        """A real shoe has no back door to ask."""

    def pull(self) -> None:
        self._say("Pull the cable.")

    def put_back(self) -> None:
        self._say("Put the cable back.")


HANDS: Final[Mapping[str, type[ShoeHand]]] = {
    "shoe_angel_eye": AtAngelEye,
    "shoe_bee_tek": AtBeeTek,
    "shoe_barcode_usb": AtBarcode,
    "shoe_line_reader": AtLineReader,
    "shoe_feed": AtFeed,
}
