"""The byte protocol of the Bee-Tek: it only sends, without numbers or acknowledgements.

Format A is text, ` [Game]<Card:4S> `: a blank, the mode, the message, a blank, and perhaps the end
of a line. Format B is `*0D`, a suit digit, a rank digit and a sum, with CR LF; it has cards only,
so nothing else is sent in that format.

Known quirks, each behind a setting: burned cards may come suit first; in game mode the two letters
of a card may be repeated behind it, without an end of line; an unreadable card may be an alarm or
the bare `<Game>`, and `<Game>` may also be sent when the mode changes.
"""

from collections.abc import Mapping
from typing import Any, Final

from simulators.kit.cards import number_of
from simulators.shoe_bee_tek import device
from simulators.shoe_bee_tek.device import BURN, GAME, NOT_READ, Event

MODE_TEXT: Final = {GAME: "Game", BURN: "Manual Burn Cards"}
ENDS: Final = {"crlf": "\r\n", "lf": "\n", "cr": "\r", "none": ""}
SUIT_DIGIT: Final = {"H": "0", "D": "1", "C": "2", "S": "3"}


def code_b(card: str) -> str:
    """Return the seven characters of format B."""
    covered = f"0D{SUIT_DIGIT[card[1]]}{number_of(card):X}"
    return f"*{covered}{sum(covered.encode('ascii')) % 256:02X}"


class Speech:
    """Encodes events according to the settings."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._settings = settings
        self._end = ENDS[settings["terminator"]]

    def bytes_of(self, event: Event) -> bytes:
        if self._settings["format"] == "B":
            return self._in_b(event).encode("ascii")
        return self._in_a(event).encode("ascii")

    def _in_b(self, event: Event) -> str:
        return f"{code_b(event.card)}\r\n" if isinstance(event, device.CardRead) else ""

    def _in_a(self, event: Event) -> str:
        match event:
            case device.CardRead(mode, card):
                text = self._card(mode, card)
            case device.CardNotRead(mode) if self._settings["unread"] == "game":
                text = self._message(MODE_TEXT[mode], "Game")
            case device.CardNotRead(mode):
                text = self._alarm(mode, *NOT_READ)
            case device.Alarm(mode, code, words):
                text = self._alarm(mode, code, words)
            case device.Warned(number):
                text = f"<W0x{number:02X}>{self._end}"
            case device.ModeTaken(mode):
                tells = self._settings["mode_notice"]
                text = self._message(MODE_TEXT[mode], "Game") if tells else ""
        return text

    def _message(self, mode: str, content: str) -> str:
        return f" [{mode}]<{content}> {self._end}"

    def _card(self, mode: str, card: str) -> str:
        code = self._code(mode, card)
        if self._settings["short"]:
            return f"[{MODE_TEXT[mode]}]<{code}>{self._end}"
        echo = card if self._settings["echo"] and mode == GAME else ""
        return self._message(MODE_TEXT[mode], f"Card:{code}") + echo

    def _code(self, mode: str, card: str) -> str:
        rank = "10" if card[0] == "T" and self._settings["ten"] == "10" else card[0]
        order = self._settings["order"]
        suit_first = order == "suit_first" or (order == "suit_first_in_burn" and mode == BURN)
        return card[1] + rank if suit_first else rank + card[1]

    def _alarm(self, mode: str, code: int, words: str) -> str:
        alarm_mode = "GameAlarm" if self._settings["alarm_mode"] and mode == GAME else None
        return self._message(alarm_mode or MODE_TEXT[mode], f"Alarm:E{code} {words}")
