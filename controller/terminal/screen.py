"""The table in a plain terminal: what to do and say, how the cards lie, what is asked and paid."""

from collections.abc import Callable
from typing import Any

from controller.round.rules import Message
from controller.runtime.client import TableClient
from controller.runtime.snapshots import Snapshot
from controller.terminal.phrases import NotUnderstood, Speech, help_lines

Echo = Callable[[str], None]
FACE_DOWN = "##"


class TextFrontend:
    """A `Frontend` for people: short commands in, a few lines out after every step."""

    def __init__(self, client: TableClient, echo: Echo, quit_: Callable[[], None]) -> None:
        self._client = client
        self._echo = echo
        self._quit = quit_
        self._speech = Speech()
        self._notices: list[str] = []

    def parse(self, line: bytes) -> Message | None:
        said = " ".join(line.decode("utf-8", "replace").split())
        answers = {
            "": lambda: None,
            "help": self._help,
            "devices": self._devices,
            "quit": self._quit,
        }
        if said in answers:
            answers[said]()
            return None
        try:
            introduced = self._speech.introduce(said)
            if introduced is None:
                return self._speech.understand(said)
            self._echo(introduced)
        except NotUnderstood as error:
            self._echo(str(error))
        return None

    def step(self, posted: Snapshot, *, answers: bool) -> None:
        answer, view = posted.answer, posted.views["dealer"]
        if answers and not answer["accepted"]:
            self._echo(f"  refused: {answer['reason']}{_clause(answer['clause'])}")
            return
        self._echo(f"[{posted.seq}] {posted.what.replace('_', ' ')}: {view['state']}")
        for line in _lines(view, self._new(view["notices"])):
            self._echo(f"  {line}")

    def missed(self) -> None:
        self._echo("  (more steps were taken than could be shown; this is where the table stands)")

    def failed(self, why: str) -> None:
        self._echo(f"  {why}")

    def _new(self, notices: list[str]) -> list[str]:
        """The notices that were not shown yet."""
        shown, self._notices = self._notices, notices
        same = next((n for n in range(len(shown)) if notices[: len(shown) - n] == shown[n:]), None)
        return notices if same is None else notices[len(shown) - same :]

    def _help(self) -> None:
        for line in help_lines():
            self._echo(f"  {line}")

    def _devices(self) -> None:
        for device in self._client.devices():
            said = ", ".join(f"{name} {count}" for name, count in device["counts"].items())
            self._echo(
                f"  {device['name']}: {device['driver']} at {device['port']}, {device['link']}"
            )
            self._echo(f"    {said or 'it has said nothing yet'}")


def _lines(view: dict[str, Any], notices: list[str]) -> list[str]:
    """A view as a dealer reads it: the next action first."""
    prompt = view["prompt"]
    found = [f"do: {prompt['do']}{_clause(prompt['clause'])}"]
    if prompt["say"]:
        found.append(f"say: “{prompt['say']}”")
    if any(view["hands"].values()):
        found.append(_hands(view["hands"]))
    found += [f"asks: {ask['says']} ({ask['role']}: {ask['do']})" for ask in view["asks"]]
    found += [f"offer: {each['to']}, play or withdraw" for each in view["offers"]]
    if view["over"]:
        found += [_paid(paid) for paid in view["settlements"]]
    return found + [f"note: {each}" for each in notices]


def _hands(hands: dict[str, list[str | None]]) -> str:
    return "   ".join(
        f"{side}: {' '.join(card or FACE_DOWN for card in cards) or 'nothing'}"
        for side, cards in hands.items()
    )


def _paid(paid: dict[str, Any]) -> str:
    by = _clause(paid["clause"])
    return (
        f"money: {paid['player']}'s {paid['id']}: {paid['result']}, "
        f"paid {paid['pays']}, back {paid['returned']}{by}"
    )


def _clause(clause: str | None) -> str:
    return f" ({clause})" if clause else ""
