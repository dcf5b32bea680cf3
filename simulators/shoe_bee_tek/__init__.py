"""Bee-Tek electronic shoe, emulated: RS-232, 9600 baud, 8N1, from the shoe to the host only.

`device.py` is the machine, `interface.py` its bytes.
"""

from collections.abc import Mapping
from typing import Final

from simulators.kit import fields
from simulators.kit.contract import Action, Emulator, Given, Refused
from simulators.kit.one_way import OneWay
from simulators.kit.pile import PILE_SETTINGS, Pile
from simulators.kit.settings import Choice, settled
from simulators.kit.shoe_exit import YES_OR_NO, Hands
from simulators.shoe_bee_tek.device import BeeTek
from simulators.shoe_bee_tek.interface import Speech

NAME: Final = "shoe_bee_tek"

SETTINGS: Final[Mapping[str, Choice]] = {
    "baud": Choice(9600, "of the line"),
    "format": Choice("A", "bracketed text, or code lines with a sum", ("A", "B")),
    "terminator": Choice("crlf", "what ends a message of format A", ("crlf", "lf", "cr", "none")),
    "order": Choice(
        "rank_first",
        "how a card is written in format A",
        ("rank_first", "suit_first", "suit_first_in_burn"),
    ),
    "ten": Choice("T", "how a ten is written in format A", ("T", "10")),
    "echo": Choice(False, "whether a card's two letters are repeated in game mode"),
    "unread": Choice("alarm", "a card not read: alarm E3, or the bare <Game>", ("alarm", "game")),
    "mode_notice": Choice(False, "whether a change of mode is told by <Game>"),
    "alarm_mode": Choice(False, "whether alarms in a game come as [GameAlarm]"),
    "short": Choice(False, "cards as [Game]<4S>, seen in one guide only"),
    **PILE_SETTINGS,
}
MAX_TEXT: Final = 40


def make(settings: Given, seed: int) -> Emulator:
    return BeeTekShoe(settings, seed)


class BeeTekShoe(OneWay):
    """Machine and line together, with the back-door commands."""

    name = NAME

    def __init__(self, settings: Given, seed: int) -> None:
        chosen = settled(NAME, SETTINGS, settings)
        self.baud: int | None = chosen["baud"]
        self.machine = BeeTek(Pile.at_first(NAME, chosen, seed))
        words = {**Hands(self.machine, chosen, seed).words(), **self._machine_words()}
        super().__init__(self.machine, self.machine.said, Speech(chosen).bytes_of, words)

    def _machine_words(self) -> dict[str, Action]:
        return {
            "press": Action(
                "press a button", self._press, {"button": "mode: offer the other; enter: take it"}
            ),
            "burn": Action("go to manual burn mode, or back", self._burn, {"on": YES_OR_NO}),
            "key": Action(
                "turn the key: in diagnosis nothing is told", self._key, {"on": YES_OR_NO}
            ),
            "alarm": Action(
                "raise an alarm", self._alarm, {"code": "0-99 (3)", "text": "(Card Not Read)"}
            ),
            "warn": Action("say a warning", self._warn, {"number": "0-255 (1)"}),
            "restart": Action("switch off and on", self.machine.start),
        }

    def _press(self, button: object) -> None:
        self.machine.press(fields.one_of(button, "button", ("mode", "enter")))

    def _burn(self, on: object = True) -> None:
        wanted = "burn" if fields.yes(on, "on") else "game"
        if self.machine.mode == wanted:
            raise Refused(f"the shoe is in {wanted} mode already")
        if self.machine.offered != wanted:
            self.machine.press("mode")
        self.machine.press("enter")

    def _key(self, on: object = True) -> None:
        self.machine.diagnosing = fields.yes(on, "on")

    def _alarm(self, code: object = 3, text: object = "Card Not Read") -> None:
        words = str(text)
        if len(words) > MAX_TEXT or not words.isascii() or set(words) & set("<>[]\r\n"):
            raise Refused(f"text may be {MAX_TEXT} plain characters without brackets")
        self.machine.alarm(fields.whole(code, "code", 0, 99), words)

    def _warn(self, number: object = 1) -> None:
        self.machine.warn(fields.whole(number, "number", 0, 255))
