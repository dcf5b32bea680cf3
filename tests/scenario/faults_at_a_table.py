"""A table's program, a shoe's program and a dealer who sees what lies on the layout.

Whatever goes wrong on the wire, people answer what the table asks by what they see. At the end of
every round each card that left the shoe is at the table once, or the table had stopped and asked.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from controller.config.file import DEMO
from controller.journal.audit import verify
from controller.runtime.open_table import replay_table
from drivers.testing.bench.emulated import Emulated, emulated
from simulators import registry as emulators
from support.devices.live_table import LiveTable

NAMES: Final = (
    "shoe_angel_eye",
    "shoe_bee_tek",
    "shoe_barcode_usb",
    "shoe_line_reader",
    "shoe_feed",
)
SWIFT: Final = {
    "shoe_angel_eye": ("burn=no", "result_s=0", "spacing_s=0"),
    "shoe_bee_tek": (),
    "shoe_line_reader": (),
    "shoe_feed": (),
    "shoe_barcode_usb": ("report_ms=0",),
}
SENDS_AGAIN: Final = "shoe_feed"
MAX_STEPS: Final = 60
SHOE_ROUNDS: Final = 28
"""With eight decks each card has gone seven times by then."""
RANKS: Final = ("9", "2", "K", "5")
"""Nine against seven: four cards, and the player wins."""
PIT: Final = ("pia", "pit_supervisor")
SECOND: Final = ("paul", "pit_supervisor")
NEXT: Final = {"ready": "open_betting", "betting": "close_betting", "settling": "settle"}


class AtATable:
    """`layout` is what lies there; the table may know less."""

    def __init__(self, shoe: Emulated, table: LiveTable, now: dict[str, Any]) -> None:
        self.shoe, self.table = shoe, table
        self.layout: list[str] = []
        self.stopped_for: list[str] = []
        """What the table asked for, or was held by, in this round."""
        self.rounds = 0
        self.now = now

    def begin(self) -> list[str]:
        """Bets are closed; the cards that are going to be drawn."""
        if self.rounds % SHOE_ROUNDS == 0:
            self._until("ready", "changing_shoe")
            self._say("load_shoe", deck_set="blue", verified_by="pia", cut=True)
            self.now = self.table.pit("approve")
        suit = "SHDC"[self.rounds % 4]
        self.rounds += 1
        self._until("dealing")
        self.stopped_for = []
        return [rank + suit for rank in RANKS]

    def draw(self, card: str) -> None:
        """Drawn, and at the table; or the cable came out over it, and is put back."""
        self.layout.append(card)
        self.shoe.do("draw", card=card, extra=True)
        if self.shoe.ready["ready"] == SENDS_AGAIN:
            self._until_it_came()
        elif self.shoe.state()["connected"]:
            self.hear("card")
        else:
            self.plug_again()

    def _until_it_came(self) -> None:
        """Whatever becomes of the cable: what is not acknowledged is sent again."""
        words = ("card", "link_lost")
        while (heard := self.table.until(lambda step: step.get("what") in words))["what"] != "card":
            if not self.shoe.state()["connected"]:  # it is told again when the reason changes
                self.shoe.do("plug")
        self.now = heard

    def plug_again(self) -> None:
        self.hear("link_lost")
        self.shoe.do("plug")
        self.hear("link_up")

    def hear(self, word: str) -> None:
        self.now = self.table.what(word)

    def finish(self) -> None:
        """Until the round is settled, with every card that lies there once at its place."""
        self._until("ready", "changing_shoe")

    def _until(self, *states: str) -> None:
        for _ in range(MAX_STEPS):
            if self.now["state"] in states and not self.now["asks"]:
                return
            self._go_on()
        raise AssertionError(f"{MAX_STEPS} steps led to no end: {self.now}")

    def _go_on(self) -> None:
        asks, state = [ask["ask"] for ask in self.now["asks"]], self.now["state"]
        if asks or state == "halted":
            self.stopped_for += asks or [self.now["prompt"]["code"]]
        if asks:
            self.now = self._answer(asks[0])
        elif state == "halted":
            self._have_cleared()
        elif state == "outcome":
            player, banker = self.layout[::2], self.layout[1::2]
            hands = {"player": player, "banker": banker}
            assert self.now["hands"] == hands, (self.layout, self.now, self.stopped_for)
            self.now = self._say("announce")
        elif self.now.get("code") == "end_round_at_shoe":  # its result went by unheard
            self.now = self.table.pit("put_aside", reason="the shoe stands by")
        elif state in NEXT:
            self.now = self._say(NEXT[state])
            if state == "settling" and self.now["accepted"]:
                self.layout = []
        else:  # all cards lie there, and the table waits for one: the dealer counts unasked
            self.now = self._say("count", cards=len(self.layout))

    def _answer(self, asked: str) -> dict[str, Any]:
        """By what lies on the layout."""
        match asked:
            case "count":
                return self._say("count", cards=len(self.layout))
            case "enter":
                return self._say("enter_card", card=self._unread())
            case "approve":
                # What the pit itself has asked for somebody else approves.
                by_pit = self.now["asks"][0]["case"] == "resume"
                return self.table.say("approve", *(SECOND if by_pit else PIT))
            case "decide":
                # A card nobody sees is at the table: the cards win, and this round is none.
                outcome = "void" if self.now["asks"][0]["case"] == "count_differs" else "go_on"
                if outcome == "void":
                    self.layout = []
                said = {"text": "as they lie", "outcome": outcome}
                return self.table.say("decide", "max", "gaming_shift_manager", **said)
            case "interrupted":
                return self.table.pit("answer", value=False)
            case "order_known" | "belongs":
                return self._say("answer", value=True)
        raise AssertionError(f"nobody knows what to say to {asked}")

    def _unread(self) -> str:
        """The first card that lies there and that the table does not know."""
        known = [*self.now["hands"]["player"], *self.now["hands"]["banker"]]
        return next(card for card in self.layout if card not in known)

    def _have_cleared(self) -> None:
        self.now = self.table.pit("resume")
        if not self.now["accepted"] and not self.now["asks"]:
            self.now = self.table.until(bool)  # for a device to come back

    def _say(self, do: str, **given: Any) -> dict[str, Any]:
        return self.table.say(do, **given)


@contextmanager
def emulated_shoe(name: str, folder: Path) -> Iterator[Emulated]:
    """A shoe's program that says everything at once."""
    over_usb = name in emulators.OVER_USBIP
    where = ("--usbip", "127.0.0.1:0") if over_usb else ("--pty", folder / "shoe")
    chosen = [f"--set={each}" for each in SWIFT[name]]
    with emulated(name, *where, "--pace", "none", *chosen) as shoe:
        yield shoe


@contextmanager
def at_a_table(name: str, folder: Path) -> Iterator[AtATable]:
    """Both programs; afterwards the journal is good and leads to the same table."""
    journal = folder / "table.db"
    with emulated_shoe(name, folder) as shoe:
        table = LiveTable(shoe.port, journal, shoe=name)
        try:
            table.what("link_up")
            yield AtATable(shoe, table, table.pit("open_table"))
            assert table.end() == 0
        finally:
            table.close()
    assert verify(journal).good
    replay_table(DEMO.rules(), journal)
