"""Angel Eye II-EX baccarat shoe, emulated: RS-232, 4800 baud, 8N1.

`device.py` is the machine, `interface.py` its bytes. No capture of a real one is public: each
disputed or unknown fact is a setting here and is described in the driver's PROTOCOL.md.
"""

from collections.abc import Mapping
from typing import Any, Final

from simulators.kit import fields
from simulators.kit.contract import Action, Emulator, Given
from simulators.kit.pile import PILE_SETTINGS, Pile
from simulators.kit.settings import Choice, settled
from simulators.kit.shoe_exit import MAX_EVENTS_WAITING, WHICH_CARD, YES_OR_NO, Hands, if_room
from simulators.shoe_angel_eye.device import AngelEye
from simulators.shoe_angel_eye.interface import Line

NAME: Final = "shoe_angel_eye"

SETTINGS: Final[Mapping[str, Choice]] = {
    "baud": Choice(4800, "of the line; one test table was seen at 9600"),
    "command_bcc": Choice(
        "with_stx",
        "what a command's BCC covers; lenient takes both and then misses a flipped bit",
        ("with_stx", "without_stx", "lenient"),
    ),
    "sequence": Choice("1-9", "which numbers events have", ("1-9", "0-9")),
    "s_advances": Choice(True, "whether S uses up its number; if not, the next event repeats it"),
    "copies": Choice(3, "how often an event is sent", tuple(range(1, 10))),
    "spacing_s": Choice(0.05, "seconds between two copies"),
    "stop_on_ack": Choice(False, "whether 06 from the host ends the copies of an event"),
    "burn": Choice(True, "whether a new shoe begins with the first card and the burn"),
    "burn_count": Choice(
        "once",
        "code 101: once with the number to burn, with each burned card, or never",
        ("once", "per_card", "never"),
    ),
    "burn_faces": Choice(True, "whether burned cards are told, or only that they came"),
    "kept_card_again": Choice(
        False, "whether a kept card is told again with D when its round begins"
    ),
    "error_mode": Choice(True, "whether errors but the overdraw bar the exit until cleared"),
    "lock_tells": Choice(False, "whether a lock command is told with L as the key switch is"),
    "result_s": Choice(
        3.0, "seconds a result stays on display; a card drawn meanwhile is one too many"
    ),
    "draw_limit_s": Choice(5.0, "seconds a card may stay in the slot"),
    "answer_s": Choice(0.01, "seconds until a command is answered"),
    **PILE_SETTINGS,
}

WINNERS: Final = ("player", "banker", "tie")
BUTTONS: Final = ("result", "forced_exit", "clear", "keep", "discard")


def make(settings: Given, seed: int) -> Emulator:
    return AngelEyeShoe(settings, seed)


class AngelEyeShoe:
    """Machine and line together, with the back-door commands."""

    name = NAME

    def __init__(self, settings: Given, seed: int) -> None:
        self._settings: Mapping[str, Any] = settled(NAME, SETTINGS, settings)
        self.baud: int | None = self._settings["baud"]
        self.machine = AngelEye(Pile.at_first(NAME, self._settings, seed), self._settings)
        self.line = Line(self.machine, self._settings)
        by_hand = {**Hands(self.machine, self._settings, seed).words(), **self._machine_words()}
        self._words = {**if_room(by_hand, lambda: self.line.waiting), **self._line_words()}
        self.machine.start(new_shoe=True)

    def hear(self, data: bytes) -> None:
        self.line.hear(data)

    def step(self, dt: float) -> bytes:
        self.line.tell()
        self.machine.step(dt)
        return self.line.step(dt)

    @property
    def at_rest(self) -> bool:
        return self.machine.at_rest and self.line.at_rest

    def plugged(self) -> None:
        """Do nothing: RS-232 does not signal a host."""

    @property
    def words(self) -> Mapping[str, Action]:
        return self._words

    def shown(self) -> dict[str, Any]:
        return {
            **self.machine.shown(),
            "next_number": self.line.number,
            "events_waiting": self.line.waiting,
        }

    # --- words --------------------------------------------------------------------------------

    def _machine_words(self) -> dict[str, Action]:
        return {
            "overdraw": Action("draw an excess card between rounds", self._overdraw, WHICH_CARD),
            "burn": Action(
                "begin to burn cards",
                self._burn,
                {"count": "1-10; by the first card if left out"},
            ),
            "key": Action("turn the key switch", self._key, {"locked": YES_OR_NO}),
            "press": Action("press a button", self._press, {"button": "; ".join(BUTTONS)}),
            "setting_mode": Action(
                "enter or leave setting mode", self._setting_mode, {"on": YES_OR_NO}
            ),
            "preset": Action(
                "change a preset at the shoe",
                self._preset,
                {"address": "two characters (01)", "value": "four characters (0010)"},
            ),
            "misjudge": Action(
                "let the shoe tell the next round's winner wrongly",
                self._misjudge,
                {"winner": ", ".join(WINNERS)},
            ),
            "misplace": Action(
                "let the shoe tell the next card for the other hand", self._misplace
            ),
            "restart": Action(
                "switch off and on",
                self._restart,
                {"counter": "reset (default): numbers begin at 1; kept"},
            ),
        }

    def _line_words(self) -> dict[str, Action]:
        return {
            "lose": Action(
                "let events be lost with all their copies", self._lose, {"count": "events (1)"}
            ),
            "renumber": Action(
                "give the next event another number", self._renumber, {"number": "0-9"}
            ),
            "refuse": Action(
                "answer the next command with a refusal",
                self._refuse,
                {"code": "01 02 03 11 12 13 14 21 22 FF, hexadecimal (21, busy)"},
            ),
            "ignore": Action("leave commands unanswered", self._ignore, {"count": "commands (1)"}),
        }

    def _overdraw(self, card: object = None) -> str:
        return self.machine.overdraw(fields.maybe_card(card))

    def _burn(self, count: object = None) -> None:
        self.machine.burn(None if count is None else fields.whole(count, "count", 1, 10))

    def _key(self, locked: object = True) -> None:
        self.machine.turn_key(fields.yes(locked, "locked"))

    def _press(self, button: object) -> None:
        self.machine.press(fields.one_of(button, "button", BUTTONS))

    def _setting_mode(self, on: object = True) -> None:
        self.machine.setting_mode = fields.yes(on, "on")

    def _preset(self, address: object = "01", value: object = "0010") -> None:
        self.machine.change_preset(
            fields.characters(address, "address", 2), fields.characters(value, "value", 4)
        )

    def _misjudge(self, winner: object) -> None:
        self.machine.misjudged = fields.one_of(winner, "winner", WINNERS)

    def _misplace(self) -> None:
        self.machine.misplaced = True

    def _restart(self, counter: object = "reset") -> None:
        if fields.one_of(counter, "counter", ("reset", "kept")) == "reset":
            self.line.number = "1"
        self.line.switch_off()
        self.machine.start(new_shoe=False)

    def _lose(self, count: object = 1) -> None:
        self.line.losing = fields.whole(count, "count", 0, MAX_EVENTS_WAITING)

    def _renumber(self, number: object) -> None:
        self.line.number = str(fields.whole(number, "number", 0, 9))

    def _refuse(self, code: object = "21") -> None:
        self.line.next_refusal = fields.hexadecimal(code, "code")

    def _ignore(self, count: object = 1) -> None:
        self.line.ignoring = fields.whole(count, "count", 0, MAX_EVENTS_WAITING)
