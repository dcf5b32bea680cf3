"""A table in memory without an electronic shoe, for stories: people say what a shoe would tell.

A card that lies open is entered as it is drawn; one that lies face down is drawn without a face,
and its face is entered when it is exposed. Before an outcome is announced a second person confirms.
"""

from typing import Any, Final

from scenario.memory_link import open_in_memory
from scenario.shoe_hands import NO_DEVICE, Message, Untold
from scenario.story import Link

DEALER: Final = {"from": "staff", "who": "dealer", "role": "dealer"}
SECOND: Final = {"from": "staff", "who": "vera", "role": "pit_supervisor"}


class AtTheTable:
    """The dealer who deals, and whoever confirms."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._drawn = 0
        self._face_down: dict[int, str] = {}
        """By number; nobody at the table has looked at them yet."""

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        at = message["at"]
        if message["from"] == "shoe":
            return self._entered(self._by_hand(message), at)
        answer = self._link.send(message)
        if message.get("do") == "load_shoe" and answer["accepted"]:
            self._drawn, self._face_down = 0, {}
        if message.get("do") == "announce" and _asks(answer) == ["approve"]:
            return self._link.send({**SECOND, "do": "approve", "at": at})
        return self._entered(answer, at)

    def where(self) -> dict[str, list[str]]:
        """A card that lies aside unseen has no face at the table; which it is the story knows."""
        aside = self._link.where()["aside"]
        unseen = iter([*self._face_down.values()][-aside.count("??") :])
        return {"aside": [next(unseen) if card == "??" else card for card in aside]}

    def _by_hand(self, message: Message) -> dict[str, Any]:
        """What somebody says who sees what the shoe of the story tells."""
        word, at = message["event"], message["at"]
        if word == "cut_card":
            return self._link.send({**DEALER, "do": "cut_card", "at": at})
        if word != "card" or message.get("hand"):
            raise Untold(NO_DEVICE)
        said = {**DEALER, "do": "deal_card", "at": at}
        answer = self._link.send({**said, "with": {"card": message["card"]}})
        if answer.get("code") == "card_lies_face_down":
            answer = self._link.send(said)
            self._face_down[self._drawn + 1] = message["card"]
        self._drawn += answer["accepted"]
        return answer

    def _entered(self, answer: dict[str, Any], at: float) -> dict[str, Any]:
        """What was turned over is entered as everybody sees it."""
        while (number := _to_be_entered(answer)) in self._face_down:
            face = {"card": self._face_down.pop(number), "n": number}
            answer = self._link.send({**DEALER, "do": "enter_card", "with": face, "at": at})
            assert answer["accepted"], answer
        return answer


def _asks(answer: dict[str, Any]) -> list[str]:
    return [ask["ask"] for ask in answer.get("asks", ())]


def _to_be_entered(answer: dict[str, Any]) -> int:
    """Its number; 0: none is."""
    if [ask["case"] for ask in answer.get("asks", ())] != ["by_hand"]:
        return 0
    held = [each for each in answer["held"] if each["code"] == "held_card_by_hand"]
    return int(held[0]["gaps"]["n"])


def open_by_hand(book: str, house: dict[str, Any]) -> Link:
    link = open_in_memory(book, house)
    told = link.send({"from": "shoe", "event": "by_hand", "with": {"on": True}, "at": 0.0})
    assert told["accepted"], told
    table = AtTheTable(link)
    return Link(table.send, link.pit, table.where, link.restart)
