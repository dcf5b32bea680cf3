"""The table in a plain terminal: next actions, cards, open requests and payments."""

from collections.abc import Callable

from controller.messages.catalogue import Catalogue
from controller.messages.codes import ParamKind
from controller.runtime.client import TableClient
from controller.runtime.snapshots import Snapshot
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.table.state import Paid, PlacedWager
from controller.terminal.phrases import NotUnderstood, Speech, help_lines
from controller.views.questions import AskView
from controller.views.sentence_views import SentenceView
from controller.views.structs.audience_views import StaffView
from controller.views.structs.cards import HandsView

Echo = Callable[[str], None]
FACE_DOWN = "##"


class TextFrontend:
    """A `Frontend` for people: short commands in, a few lines out after every step."""

    def __init__(
        self, client: TableClient, echo: Echo, quit_: Callable[[], None], words: Catalogue
    ) -> None:
        self._client = client
        self._words = words
        self._echo = echo
        self._quit = quit_
        self._speech = Speech()
        self._notes: list[SentenceView] = []

    def parse(self, line: bytes) -> Message[Payload] | None:
        text = " ".join(line.decode("utf-8", "replace").split())
        answers = {
            "": lambda: None,
            "help": self._help,
            "devices": self._devices,
            "quit": self._quit,
        }
        if text in answers:
            answers[text]()
            return None
        try:
            introduced = self._speech.introduce(text)
            if introduced is None:
                return self._speech.understand(text)
            self._echo(introduced)
        except NotUnderstood as error:
            self._echo(str(error))
        return None

    def step(self, posted: Snapshot, *, answers: bool) -> None:
        answer, view = posted.answer, posted.views.dealer
        if answers and not answer.accepted:
            self._echo(f"  refused: {answer.reason}{_clause(answer.clause)}")
            return
        self._echo(f"[{posted.seq}] {posted.what.replace('_', ' ')}: {view.state}")
        for line in self._lines(view, self._new(view.notes)):
            self._echo(f"  {line}")

    def missed(self) -> None:
        self._echo("  (some steps were skipped; this is the table now)")

    def failed(self, why: str) -> None:
        self._echo(f"  {why}")

    def _new(self, notes: list[SentenceView]) -> list[SentenceView]:
        """The notes that have not been shown yet."""
        shown, self._notes = self._notes, notes
        same = next((n for n in range(len(shown)) if notes[: len(shown) - n] == shown[n:]), None)
        return notes if same is None else notes[len(shown) - same :]

    def _help(self) -> None:
        for line in help_lines():
            self._echo(f"  {line}")

    def _devices(self) -> None:
        for device in self._client.devices():
            text = ", ".join(f"{name} {count}" for name, count in device.counts.items())
            self._echo(f"  {device.name}: {device.driver} at {device.port}, {device.link}")
            self._echo(f"    {text or 'no message yet'}")
            for error in device.errors:
                clear = ", clear it at the device" if error.must_clear else ""
                self._echo(f"    error {error.code}: {error.says}{clear}")

    def _lines(self, view: StaffView, notes: list[SentenceView]) -> list[str]:
        """The lines of a view, the next action first."""
        prompt = view.prompt
        found = [f"do: {prompt.do}{_clause(prompt.clause)}"]
        if prompt.say:
            found.append(f"say: “{prompt.say}”")
        found += [f"held: {hold.text}{_clause(hold.clause)}" for hold in view.held]
        if view.hands.player or view.hands.banker:
            found.append(_hands(view.hands))
        found += [f"asks: {ask.says} ({self._ends(ask)})" for ask in view.asks]
        found += [f"offer: {each.to}, play or withdraw" for each in view.offers]
        if view.over:
            wagers = {wager.id: wager for wager in view.wagers}
            found += [self._paid(paid, wagers.get(paid.id)) for paid in view.settlements]
        return found + [f"note: {each.text}" for each in notes]

    def _ends(self, ask: AskView) -> str:
        """The role that answers a request, and the command for it."""
        role = self._words.name(ParamKind.ROLE, ask.role.value) if ask.role else "anyone"
        return f"{role}: {ask.do}"

    def _paid(self, paid: Paid, wager: PlacedWager | None) -> str:
        """One wager's payment, with its id, which `raise` and `withdraw` need."""
        which = paid.id
        if wager is not None:
            kind = self._words.name(ParamKind.WAGER, wager.wager)
            which = f"{kind} at {wager.position} ({which})"
        written = self._words.currency.written
        pays, back = written(paid.pays), written(paid.returned)
        by = _clause(paid.clause)
        return f"money: {paid.player}'s {which}: {paid.result}, paid {pays}, back {back}{by}"


def _hands(hands: HandsView) -> str:
    return "   ".join(
        f"{side}: {' '.join(card or FACE_DOWN for card in cards) or 'nothing'}"
        for side, cards in (("player", hands.player), ("banker", hands.banker))
    )


def _clause(clause: str | None) -> str:
    return f" ({clause})" if clause else ""
