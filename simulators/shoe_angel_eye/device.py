"""The Angel Eye II-EX as a machine: its reactions to cards, keys and buttons.

The shoe implements the rules of baccarat and decides by itself where a card belongs and who has
won; it may differ from the table without a fault in either. `said` lists its events until its line
sends them.

Much of the shoe's behaviour is not public. Such behaviour was chosen here to fit the known codes,
and is marked where it occurs.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from simulators.kit.cards import CUTTING_CARD, number_of, total
from simulators.kit.contract import Refused
from simulators.kit.pile import Pile
from simulators.kit.shoe_exit import Mouth
from simulators.shoe_angel_eye.events import (
    Carried,
    CuttingCard,
    Drawn,
    DrawnOutside,
    ErrorOff,
    ErrorOn,
    Event,
    KeySwitch,
    PresetChanged,
    Result,
    StandBy,
    Started,
)
from simulators.shoe_angel_eye.round import ORDER, Round

UNREAD, OVERDRAWN, BUTTON, PUSHED_AT_EXIT, PUSHED_MIDWAY, BAD_CODE, TOO_SLOW = range(1, 8)
MAX_INDEX: Final = 15
MAX_KEPT: Final = 3
"""Kept cards become part of the initial deal of the next round, which needs at least one new
card."""


class Phase(Enum):
    STAND_BY = "stand-by"
    FIRST = "first card of a new shoe"
    BURNING = "burning"
    DEALING = "dealing"
    RESULT = "result shown"


class NotNow(Exception):
    """A command that is invalid in the shoe's current state."""


class AngelEye:
    """The machine: its methods are the actions of hands, and `step` advances time."""

    def __init__(self, pile: Pile, settings: Mapping[str, Any]) -> None:
        self.mouth = Mouth(pile)
        self.said: list[Event] = []
        self.phase = Phase.STAND_BY
        self.round = Round()
        self.error: int | None = None
        self.key_locked = self.host_locked = False
        self.setting_mode = False
        self.misjudged: str | None = None
        """Reported as the next winner, whatever the cards are."""
        self.misplaced = False
        """The next card of the game is reported for the other hand."""
        self.carried: list[str] = []
        self._settings = settings
        self._excess: str | None = None
        self._drawn_locked = 0
        self._to_burn = self._burned = 0
        self._result_s = self._slot_s = 0.0

    # --- power and time -----------------------------------------------------------------------

    def start(self, new_shoe: bool) -> None:
        """Switch the power on; no state of a round is kept."""
        self.error = self._excess = None
        self.host_locked = False
        self.carried, self.round = [], Round()
        self._drawn_locked = 0
        self._slot_s = 0.0
        self.said += [Started(), StandBy()]
        burns = new_shoe and bool(self._settings["burn"])
        self.phase = Phase.FIRST if burns else Phase.STAND_BY

    def load(self, pile: Pile) -> None:
        """Load a new shoe of cards and restart the machine."""
        self.mouth.reload(pile)
        self.start(new_shoe=True)

    def step(self, dt: float) -> None:
        if self.mouth.half_drawn and self.error is None:
            self._slot_s += dt
            if self._slot_s >= self._settings["draw_limit_s"]:
                self._slot_s = 0.0
                self._fail(TOO_SLOW)
        if self.phase is Phase.RESULT and self.error is None:
            self._result_s -= dt
            if self._result_s <= 0:
                self._stand_by()

    @property
    def at_rest(self) -> bool:
        """Whether no timed state is pending: neither a card in the slot nor a result on display."""
        waits = self.mouth.half_drawn or self.phase is Phase.RESULT
        return not self.said and not (waits and self.error is None)

    # --- cards --------------------------------------------------------------------------------

    def draw(self, card: str | None = None, extra: bool = False) -> str:
        taken = self.mouth.take(card, extra)
        if taken == CUTTING_CARD:
            self.said.append(CuttingCard())
        else:
            self._out(taken, None)
        return taken

    def draw_two(self, read: str) -> list[str]:
        self.mouth.must_hold_two()
        two = [self._take_card(), self._take_card()]
        if read == "none":
            self._out(two[1], UNREAD)
        else:
            for card in two[: 1 if read == "first" else 2]:
                self._out(card, None)
        return two

    def draw_unread(self, card: str | None = None) -> str:
        taken = self._take_card() if card is None else self.mouth.take(card)
        self._out(taken, UNREAD)
        return taken

    def draw_foreign(self) -> None:
        """Draw a card whose code is readable and belongs to another set."""
        self.mouth.must_be_free()
        self._out(None, BAD_CODE)

    def draw_cutting_card(self) -> None:
        self.mouth.must_be_free()
        self.mouth.pile.take_cutting_card()
        self.said.append(CuttingCard())

    def overdraw(self, card: str | None = None) -> str:
        """Draw a card between rounds, even while the result is still on display."""
        if self.phase is Phase.STAND_BY and self.error is None:
            self.phase = Phase.RESULT
            self._result_s = 0.0
        if self.phase is not Phase.RESULT:
            raise Refused("the round is not complete: the next card belongs to it")
        return self.draw(card)

    def draw_half(self) -> None:
        self.mouth.take_half()
        self._slot_s = 0.0

    def push_back(self, where: str) -> None:
        if where == "midway":
            self.mouth.clear_jam()
            self._fail(PUSHED_MIDWAY)
            return
        # The shoe does not withdraw a report: the card counts as another one when drawn again.
        self.mouth.put_back_last()
        self._fail(PUSHED_AT_EXIT)

    def _take_card(self) -> str:
        """Draw the next card, and a cutting card before it."""
        taken = self.mouth.take()
        if taken == CUTTING_CARD:
            self.said.append(CuttingCard())
            taken = self.mouth.take()
        return taken

    def _out(self, card: str | None, fault: int | None) -> None:
        """Report a card that has left; `fault` is the fault of its face."""
        face = card if fault is None else None
        if self.setting_mode:
            self.said.append(DrawnOutside("setting", 0, face))
        elif self.key_locked or self.host_locked:
            self._drawn_locked = min(self._drawn_locked + 1, MAX_INDEX)
            self.said.append(DrawnOutside("locked", self._drawn_locked, face))
        elif self.error is not None:
            self.said.append(DrawnOutside("error", self.error, face))
        elif fault is not None:
            self._fail(fault)
        elif card is not None:
            self._for_the_game(card)

    def _for_the_game(self, card: str) -> None:
        if self.phase is Phase.FIRST:
            self.said.append(Drawn("first", 0, card))
            self._begin_burning(min(number_of(card), 10))
        elif self.phase is Phase.BURNING:
            self._burn(card)
        elif self.phase is Phase.RESULT:
            self._excess = card
            self._fail(OVERDRAWN)
        else:
            self._deal(card)

    def _deal(self, card: str) -> None:
        if self.phase is Phase.STAND_BY:
            self._open_round()
        side, index = self.round.add(card)
        if self.misplaced:
            side, self.misplaced = ("banker" if side == "player" else "player"), False
        self.said.append(Drawn(side, index, card))
        if self.round.next_place() is None:
            round_, winner = self.round, self.misjudged or self.round.winner
            self.misjudged = None
            self.said.append(Result(winner, round_.player_pair, round_.banker_pair))
            self.phase, self._result_s = Phase.RESULT, self._settings["result_s"]
            if self._result_s <= 0:
                self._stand_by()

    def _open_round(self) -> None:
        self.phase, self.round = Phase.DEALING, Round()
        for card in self.carried:
            side, index = self.round.add(card)
            if self._settings["kept_card_again"]:
                self.said.append(Drawn(side, index, card))
        self.carried = []

    def _stand_by(self) -> None:
        self.phase = Phase.STAND_BY
        self.said.append(StandBy())

    # --- burning ------------------------------------------------------------------------------

    def burn(self, count: int | None) -> None:
        """Start the burn procedure by hand: by the first card, or with a number of cards."""
        if self.phase is not Phase.STAND_BY:
            raise Refused(
                "cards are burned between rounds only; now: {phase}", phase=self.phase.value
            )
        if count is None:
            self.phase = Phase.FIRST
        else:
            self._begin_burning(count)

    def _begin_burning(self, count: int) -> None:
        self.phase, self._to_burn, self._burned = Phase.BURNING, count, 0
        if self._settings["burn_count"] == "once":
            self.said.append(Drawn("burn_count", count, None))

    def _burn(self, card: str) -> None:
        self._burned += 1
        each = self._settings["burn_count"] == "per_card"
        face = card if self._settings["burn_faces"] else None
        self.said.append(Drawn("burn_count" if each else "burn", self._burned, face))
        if self._burned == self._to_burn:
            self._stand_by()

    # --- errors -------------------------------------------------------------------------------

    def _fail(self, code: int) -> None:
        """Enter error mode. In error mode only cards are reported, because the exit is already
        barred."""
        if self.error is not None:
            return
        stays = bool(self._settings["error_mode"]) or code == OVERDRAWN
        self.said.append(ErrorOn(code, stays))
        self.error = code if stays else None

    def clear(self) -> None:
        """End any error except an overdraw; raises `NotNow`."""
        if self.error in (None, OVERDRAWN):
            raise NotNow("there is no error that clearing ends")
        self._error_off()

    def keep(self) -> None:
        """Keep the extra card for the next round; raises `NotNow`."""
        if self.error != OVERDRAWN or len(self.carried) >= MAX_KEPT:
            raise NotNow("there is no extra card to keep")
        self._error_off()
        assert self._excess is not None
        side, index = ORDER[len(self.carried)]
        self.carried.append(self._excess)
        self.said.append(Carried(side, index, self._excess))
        self._excess = None

    def discard(self) -> None:
        """Discard the extra card; raises `NotNow`."""
        if self.error != OVERDRAWN:
            raise NotNow("there is no extra card to discard")
        self._error_off()
        self._excess = None

    def _error_off(self) -> None:
        assert self.error is not None
        self.said.append(ErrorOff(self.error))
        self.error = None

    # --- lock, key and buttons ----------------------------------------------------------------

    def turn_key(self, locked: bool) -> None:
        self.key_locked = locked
        self._drawn_locked = 0
        self.said.append(KeySwitch(locked))

    def lock_by_host(self, locked: bool) -> None:
        self.host_locked = locked
        self._drawn_locked = 0
        if self._settings["lock_tells"]:
            self.said.append(KeySwitch(locked))

    def press(self, button: str) -> None:
        """Press a button on the shoe; its effect depends on the state."""
        if button == "result" and self.phase is Phase.RESULT and self.error is None:
            self._stand_by()
        elif button == "forced_exit" and self.phase is Phase.DEALING:
            self.said.append(Result("forced_exit"))
            self._stand_by()
        elif button in ("result", "forced_exit"):
            self._fail(BUTTON)
        else:
            try:
                {"clear": self.clear, "keep": self.keep, "discard": self.discard}[button]()
            except NotNow as error:
                raise Refused(str(error)) from None

    def change_preset(self, address: str, value: str) -> None:
        self.said.append(PresetChanged(address, value))

    def shown(self) -> dict[str, Any]:
        return {
            **self.mouth.shown(),
            "phase": self.phase.value,
            "player": list(self.round.player),
            "banker": list(self.round.banker),
            "player_total": total(self.round.player),
            "banker_total": total(self.round.banker),
            "kept": list(self.carried),
            "error": self.error,
            "locked": self.key_locked or self.host_locked,
            "key_locked": self.key_locked,
            "setting_mode": self.setting_mode,
        }
