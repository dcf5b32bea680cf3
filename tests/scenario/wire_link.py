"""A table and a shoe as two programs for stories: nothing passes between them but bytes.

People's words are lines of `sabot table --jsonl`; what the shoe does is done through the emulator's
back door, and the table hears of it on the wire alone. What the story then expects is read in the
table's answers and in its journal on disk.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

import msgspec

from controller.engine.replay import Replayer
from controller.journal import audit
from controller.journal.bodies import step_of
from controller.journal.records import STEP
from controller.journal.seal import Sealer, load_key
from controller.round import count_check
from controller.rulebooks import rulebook
from controller.table.holds import HoldReason
from controller.table.rules import HouseRules, Rules
from controller.views import audience
from controller.views.structs.encoding import plain
from drivers.testing.bench.emulated import Emulated, emulated
from scenario.shoe_hands import HANDS, STILL_PLAYS, DealerSees, Heard, ShoeHand
from scenario.story import Link, Open
from simulators import registry as emulators
from support.devices.held_modules import EMULATORS, PRODUCT, held, telling
from support.devices.live_table import LiveTable

HELD_BY_TABLE, HELD_BY_EMULATOR = "held_by_table", "held_by_emulator"
DEALER = {"from": "staff", "who": "dealer", "role": "dealer"}
NOTICE = {"from": "shuffler", "event": "notice", "with": {"says": "time passes"}}
"""Time moves by lines alone, and a shoe's word is none."""
TIME_PASSES_S = 5.0
OF_THE_WORD = ("accepted", "reason", "clause")
"""What an answer says about the word itself, and not about the table."""
PLACES = ("place_says_otherwise", "hand_differs", "place_differs", "result_before_the_cards")
DISAGREES = ("device_disagrees", "place_disagrees")
SECOND_APPROVES = {"from": "staff", "who": "paul", "role": "pit_supervisor", "do": "approve"}
PIT_RESUMES = {"from": "staff", "who": "pia", "role": "pit_supervisor", "do": "resume"}


class ShoeEnd(Protocol):
    """The other end of the table's cable."""

    driver: str
    port: str
    settings: Mapping[str, object]
    hand: ShoeHand
    tells_held: bool
    """Whether the programs report which packages they have imported."""

    def ended(self) -> None:
        """The story is over: whatever can still be checked is."""


class EmulatedEnd:
    """An emulator's program."""

    def __init__(
        self, folder: Path, shoe: str, emulator: Emulated, text: str, *, tells_held: bool
    ) -> None:
        self.driver, self.port, self.tells_held = shoe, emulator.port, tells_held
        self.hand = HANDS[shoe](emulator, text)
        self.settings: Mapping[str, object] = HANDS[shoe].driver_settings
        self._emulator = emulator
        self._held = folder / HELD_BY_EMULATOR

    def ended(self) -> None:
        assert self._emulator.stop() == 0
        if self.tells_held:
            assert held(self._held) == EMULATORS


@contextmanager
def emulated_end(folder: Path, shoe: str, text: str, *, tells_held: bool) -> Iterator[EmulatedEnd]:
    over_usb = shoe in emulators.OVER_USBIP
    where = ("--usbip", "127.0.0.1:0") if over_usb else ("--pty", folder / "shoe")
    chosen = [f"--set={key}={value}" for key, value in HANDS[shoe].emulator_settings.items()]
    env = telling(folder / HELD_BY_EMULATOR) if tells_held else None
    with emulated(shoe, *where, "--pace", "none", *chosen, env=env) as emulator:
        yield EmulatedEnd(folder, shoe, emulator, text, tells_held=tells_held)


class _Wire:
    """One story's table on its wire."""

    def __init__(
        self, folder: Path, end: ShoeEnd, text: str, book: str, house: dict[str, Any]
    ) -> None:
        self._folder, self._end = folder, end
        self._hand = end.hand
        self._count_after_restart = "The shoe is listened to again" not in text
        self._disagrees = bool(re.search("^The shoe (reports result|says) ", text, re.MULTILINE))
        """The story itself is about a shoe that disagrees."""
        self._house = msgspec.convert({"rulebook": book, **house}, HouseRules)
        self._rules = Rules(rulebook(book), self._house)
        self._replaying = Replayer(self._rules)
        self._journal = folder / "table.db"
        self._read = 0
        self._at = 0.0
        self._result_held = False
        self._time_passed = False
        """And the table does not know it yet: what it refuses does not move its clock."""
        self._heard: dict[str, dict[str, Any]] = {}
        self._held_back = False
        self._results = self._results_before = 0
        """Of the shoe in the journal, by now and before its last word."""
        self._write_config(book, house)
        self._stack = ExitStack()
        try:
            self._table = self._start()
        except AssertionError:  # no table is begun so: nobody else would close what is left of it
            self.close()
            raise

    # --- the table's program -----------------------------------------------------------------

    def _write_config(self, book: str, house: dict[str, Any]) -> None:
        chosen = {"rulebook": book, **house}
        lines = [f"{key} = {json.dumps(value)}" for key, value in chosen.items()]
        text = "\n".join(["[table]", *lines, "[money]", "chip_unit = 100", ""])
        (self._folder / "table.toml").write_text(text, encoding="utf-8")

    def _start(self) -> LiveTable:
        table = LiveTable(
            self._end.port,
            self._journal,
            *("--config", str(self._folder / "table.toml"), "--stepped", "--seed", "1"),
            *(f"--set={key}={_typed(value)}" for key, value in self._end.settings.items()),
            shoe=self._end.driver,
            env=telling(self._folder / HELD_BY_TABLE) if self._end.tells_held else None,
        )
        self._stack.callback(table.close)
        self._heard["link_up"] = table.what("link_up")
        return table

    def ended(self) -> None:
        """Both programs end by themselves, and neither ever held the other's packages."""
        assert self._table.end() == 0
        if self._end.tells_held:
            assert held(self._folder / HELD_BY_TABLE) == PRODUCT
        self._end.ended()

    def close(self) -> None:
        self._stack.close()

    # --- the link of a story -----------------------------------------------------------------

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        self._time_passed |= message["at"] - self._at > TIME_PASSES_S
        self._at = message["at"]
        if message["from"] == "shoe":
            if self._time_passed:
                self._say({**NOTICE, "at": message["at"]})
            self._now()
            self._results_before = self._results
            done = self._hand.do(message)
            if isinstance(done, DealerSees):
                return self._say({**DEALER, "do": done.word})
            if done.word == STILL_PLAYS:
                return self._say({**NOTICE, "at": message["at"]})
            return self._cleared(self._await(done))
        if message.get("do") == "open_betting":
            self._end_at_shoe()
        answer = self._say(message)
        if message.get("do") == "load_shoe" and answer.get("accepted"):
            self._hand.new_shoe(self._house.burn)
        return self._cleared(self._let_out(answer))

    def _end_at_shoe(self) -> dict[str, Any] | None:
        """The dealer presses the button. Where cards were never seen nobody asks the shoe whether
        it has ended its round: the dealer says so."""
        table = self._now()
        left = table.devices.left_at_shoe
        by_hand = left is not None and left.to_be_ended and left.by_hand
        begun = self._hand.round_begins([drawn.card for drawn in table.carried])
        if by_hand:
            self._hand.all_taken()
            return self._say({**DEALER, "do": "shoe_ended"})
        return None if begun is None else self._await(begun)

    def _say(self, message: dict[str, Any]) -> dict[str, Any]:
        self._table.write(json.dumps(message))
        answer = self._table.until(self._is_answer)
        if answer.get("accepted"):
            self._time_passed = False
        if self._result_held and _lie_open(answer):
            told = self._table.what("result")
            self._result_held = False
            answer = {**told, **{key: answer[key] for key in OF_THE_WORD}}
        return answer

    def _is_answer(self, step: dict[str, Any]) -> bool:
        self._result_held = self._result_held and step.get("what") != "result"
        return "line" in step

    def _await(self, heard: Heard) -> dict[str, Any]:
        """The step of the word the story waits for, when the table has taken all that came.

        What the shoe says of hands that lie face down nobody hears before they are open."""
        for word in heard.all:
            if word == "result" and self._keeps_results():
                self._held_back = True
                self._heard[word] = self._heard["card"]
            else:
                self._heard[word] = self._table.what(word)
        return self._heard[heard.word]

    def _let_out(self, answer: dict[str, Any]) -> dict[str, Any]:
        """The hands are open now: what was held back is heard, and the story goes on from there. Of
        hands that nobody will see it is never heard."""
        if not self._held_back or self._keeps_results():
            return answer
        self._held_back = False
        if self._never_seen():
            return answer
        kept = {key: answer[key] for key in ("accepted", "reason", "clause")}
        return {**self._table.what("result"), **kept}

    def _cleared(self, answer: dict[str, Any]) -> dict[str, Any]:
        """A shoe that plays a round of its own disagrees where the story moves cards about: people
        look and clear it, as they would at a table. The story goes on from there."""
        if self._disagrees:
            return answer
        now, kept = answer, {key: answer[key] for key in OF_THE_WORD if key in answer}
        while (more := self._clear(now)) is not None:
            now = more
        return answer if now is answer else {**now, **kept}

    def _clear(self, now: dict[str, Any]) -> dict[str, Any] | None:
        """The next thing people do about a shoe that has its own idea; None: nothing is left."""
        first: dict[str, Any] = next(iter(now.get("held", ())), {})
        code = now.get("prompt", {}).get("code")
        if first.get("kind") == "count" and first["code"] in PLACES:
            cards = {"cards": count_check.expected_card_count(self._now())}
            counted = self._say({**DEALER, "do": "count", "with": cards})
            return counted if counted["accepted"] else None
        if code in ("prompt_end_round_at_shoe", "prompt_end_unseen_at_shoe"):
            return self._end_at_shoe()
        if code == "prompt_clear_error_says" and first["what"] == HoldReason.MUST_CLEAR.value:
            return self._clear_error(first["detail"]["gaps"]["number"])
        if code == "prompt_clear_by_two" and first["what"] in DISAGREES:
            asked = self._say(PIT_RESUMES)
            return self._say(SECOND_APPROVES) if asked["accepted"] else None
        return None

    def _clear_error(self, number: int) -> dict[str, Any] | None:
        """Whoever stands at the shoe may have cleared it already, in the word the story waits for:
        then the table is behind that. Or will, with the card that the error is about."""
        if not any(latch.kind is HoldReason.MUST_CLEAR for latch in self._now().latches):
            return self._heard["error_cleared"]
        return None if self._hand.clears_it_later else self._await(self._hand.clear(number))

    def _hidden(self) -> bool:
        """Whether a card of the round is to be exposed yet, on a hand or waiting to be counted."""
        table = self._now()
        round_ = table.round
        if round_ is None or round_.over:
            return False
        waits = round_.face_down and table.count_check is not None
        return waits or any(not each.exposed for each in round_.cards if each.hand is not None)

    def _keeps_results(self) -> bool:
        """Whether nobody hears a result yet. One that is written down was told, whatever the table
        has made of it since: a count that it asks for hides cards again."""
        return self._hidden() and self._results == self._results_before

    def _never_seen(self) -> bool:
        round_ = self._now().round
        lying = round_.cards if round_ is not None and round_.over else ()
        return any(not each.exposed for each in lying if each.hand is not None)

    def _now(self) -> Any:
        """The table that the journal on disk leads to."""
        key = self._journal.with_name(self._journal.name + ".key")
        sealer = Sealer(load_key(key), bytes)
        for record in audit.read(self._journal, self._read):
            self._replaying.step(record, sealer)
            self._read = record.seq
            self._results += record.kind == STEP and step_of(record).line.event == "result"
        return self._replaying.table

    def pit(self) -> dict[str, Any]:
        table = self._now()
        return plain(audience.pit(table, self._rules))

    def where(self) -> dict[str, list[str]]:
        table = self._now()
        in_play = table.round is not None and not table.round.over
        cards = table.round.cards if table.round and in_play else ()
        aside = [drawn for drawn in cards if drawn.hand is None]
        return {"aside": [drawn.card or "??" for drawn in (*table.carried, *aside)]}

    def restart(self, unheard: list[str]) -> dict[str, Any]:
        """The table's program is killed and started again; the shoe stays on."""
        self._table.kill()
        self._hand.notice_table_gone()
        self._hand.unheard(unheard)
        self._table = self._start()
        if self._count_after_restart:
            self._count()
        return {**self.pit(), "reason": None, "clause": None}

    def _count(self) -> None:
        """Nobody listened to the shoe for a moment: the dealer counts, and all cards are there."""
        table = self._now()
        if table.count_check is not None:
            cards = {"cards": count_check.expected_card_count(table)}
            assert self._say({**DEALER, "do": "count", "with": cards})["accepted"]


def _lie_open(answer: dict[str, Any]) -> bool:
    return None not in [card for hand in answer["hands"].values() for card in hand]


def _typed(value: object) -> str:
    """As on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextmanager
def at_the_end_of(end: ShoeEnd, folder: Path, text: str) -> Iterator[Open]:
    """How a story opens its table; the programs are ended and looked into afterwards."""
    with ExitStack() as stack:
        wires: list[_Wire] = []

        def opened(book: str, house: dict[str, Any]) -> Link:
            wire = _Wire(folder, end, text, book, house)
            stack.callback(wire.close)
            wires.append(wire)
            return Link(wire.send, wire.pit, wire.where, wire.restart)

        yield opened
        for wire in wires:
            wire.ended()


@contextmanager
def by_wire(folder: Path, shoe: str, text: str, *, tells_held: bool = False) -> Iterator[Open]:
    """A table and an emulated shoe as two programs."""
    with (
        emulated_end(folder, shoe, text, tells_held=tells_held) as end,
        at_the_end_of(end, folder, text) as opened,
    ):
        yield opened
