"""A camera over a table and the program behind it, emulated: the program's side of the feed.

`device.py` is the shoe and the camera's view, `interface.py` the protocol.
"""

from collections.abc import Mapping
from typing import Any, Final

from simulators.kit import fields
from simulators.kit.contract import Action, Emulator, Given
from simulators.kit.pile import PILE_SETTINGS, Pile
from simulators.kit.settings import Choice, settled
from simulators.kit.shoe_exit import Hands, if_room
from simulators.shoe_feed.device import CameraShoe
from simulators.shoe_feed.interface import Conversation

NAME: Final = "shoe_feed"
MEANS: Final = ("several_at_once", "does_not_belong", "notice", "service", "other")

SETTINGS: Final[Mapping[str, Choice]] = {
    "baud": Choice(115_200, "of the line, where it is a serial one"),
    "session": Choice("emulated", "what the program calls this run of it"),
    "version": Choice(1, "of the protocol that it speaks"),
    **PILE_SETTINGS,
}


def make(settings: Given, seed: int) -> Emulator:
    return CameraFeed(settings, seed)


class CameraFeed:
    """Camera, program and line together, with the back-door commands."""

    name = NAME

    def __init__(self, settings: Given, seed: int) -> None:
        chosen = settled(NAME, SETTINGS, settings)
        self.baud: int | None = chosen["baud"]
        self.machine = CameraShoe(Pile.at_first(NAME, chosen, seed))
        self._chosen = chosen
        self._runs = 1
        self._talk = self._begun(chosen["session"])
        words = {**Hands(self.machine, chosen, seed).words(), **self._program_words()}
        self._words = if_room(words, lambda: self._talk.waiting)

    def hear(self, data: bytes) -> None:
        self._talk.hear(data)

    def step(self, dt: float) -> bytes:
        for event in self.machine.seen:
            self._talk.say(event)
        self.machine.seen.clear()
        return self._talk.step(dt)

    @property
    def at_rest(self) -> bool:
        return not self.machine.seen and self._talk.at_rest

    def plugged(self) -> None:
        self._talk.greet()

    @property
    def words(self) -> Mapping[str, Action]:
        return self._words

    def shown(self) -> dict[str, Any]:
        return {**self.machine.shown(), **self._talk.shown()}

    def _begun(self, session: str) -> Conversation:
        talk = Conversation(session)
        talk.version = self._chosen["version"]
        return talk

    def _program_words(self) -> dict[str, Action]:
        return {
            "unsure": Action(
                "draw a card that is not seen well", self._unsure, {"confidence": "0 to 1 (0.5)"}
            ),
            "lost": Action("say that a card may have been missed", self._lost),
            "error": Action(
                "raise an error", self._error, {"number": "0-9999 (1)", "means": "; ".join(MEANS)}
            ),
            "clear": Action("say that an error is over", self._clear, {"number": "0-9999 (1)"}),
            "restart": Action("start the program anew: all it had not sent is gone", self._restart),
            "forget": Action("lose what was not acknowledged", self._forget),
        }

    def _unsure(self, confidence: object = 0.5) -> str:
        sure = fields.seconds(confidence, "confidence", 1.0)
        return self.machine.draw_unsure(f"{sure:.3f}")

    def _lost(self) -> None:
        self.machine.seen.append("LOST")

    def _error(self, number: object = 1, means: object = "service") -> None:
        code = fields.whole(number, "number", 0, 9999)
        self.machine.seen.append(f"ERROR {code} {fields.one_of(means, 'means', MEANS)}")

    def _clear(self, number: object = 1) -> None:
        self.machine.seen.append(f"CLEAR {fields.whole(number, 'number', 0, 9999)}")

    def _restart(self) -> None:
        self._runs += 1
        self.machine.seen.clear()
        self._talk = self._begun(f"{self._chosen['session']}-{self._runs}")

    def _forget(self) -> None:
        self._talk.forget()
