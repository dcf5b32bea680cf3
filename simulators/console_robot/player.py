"""The robot with four buttons: normal, fast, with mistakes, stop.

It plays in a thread of the emulated shoe's program and operates the shoe's back door. It stops as
soon as a person sends a command to the table or uses the shoe.
"""

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle, repeat
from random import Random
from typing import Any, Final

from simulators.console_robot.table import TakenOver, web_table
from simulators.dealer.links import Stopped, Stuck
from simulators.dealer.mistakes import Mistake, by_script
from simulators.dealer.oracle import Disagreement
from simulators.dealer.plan import Plan
from simulators.dealer.robot import Robot
from simulators.kit.contract import Refused
from simulators.wire.serve import Busy, Server

MAX_ROUNDS: Final = 1_000_000
TRIES: Final = 3
"""Attempts without progress before the robot stops."""
TRY_AGAIN_S: Final = 2.0
END_S: Final = 5.0
STAKES: Final = 2_500

WRONG_ROUNDS: Final = """
two 2
right
unreadable 3
extra
right
cable 2
wrong_order
foreign 4
right
early
"""
"""The mistakes, in order. The table or its dealer detects each one and can continue from it."""

FLOOR_ROUNDS: Final = """
foreign 4
right
right
two 2
right
extra
right
right
cable 2
right
wrong_order
right
right
unreadable 3
right
"""
"""The mistakes at a floor. The very first round has to be void, which needs a second person."""


@dataclass(frozen=True)
class Manner:
    description: str
    plan: Plan
    errs: str = ""
    """The script of mistakes, repeated."""
    patience_s: float = 0.0
    """Seconds in which a person may decide before the robot decides as the second person."""

    def rounds(self) -> Iterator[Mistake | None]:
        return cycle(by_script(self.errs)) if self.errs else repeat(None)


def _plan(card_s: float, word_s: float, think_s: float = 0.0) -> Plan:
    return Plan(
        verified_by="ben", card_s=card_s, word_s=word_s, think_s=think_s, stakes=STAKES, joins=True
    )


MANNERS: Final[Mapping[str, Manner]] = {
    "normal": Manner("at a dealer's pace", _plan(1.1, 1.0)),
    "fast": Manner("a round in two seconds", _plan(0.15, 0.1)),
    "mistakes": Manner("things go wrong and are put right", _plan(1.0, 0.8, 2.0), WRONG_ROUNDS),
    "floor": Manner(
        "things go wrong, and a pit has time to decide", _plan(1.0, 0.8, 2.0), FLOOR_ROUNDS, 45.0
    ),
}


class Player:
    """Plays at the console at `url` with the shoe of `server`; thread-safe."""

    def __init__(self, url: str, server: Server, seed: int = 0) -> None:
        self.table = url
        self._server = server
        self._random = Random(seed)
        self._lock = threading.Lock()
        self._playing: _Sitting | None = None
        self._why = ""
        self._trouble = ""
        """The last obstacle, for the robot's operator."""
        self._rounds = 0

    def shown(self) -> dict[str, Any]:
        with self._lock:
            return {
                "table": self.table,
                "manners": {name: manner.description for name, manner in MANNERS.items()},
                "playing": self._playing and self._playing.manner,
                "rounds": self._rounds,
                "why": self._why,
                "trouble": self._trouble,
            }

    def play(self, manner: str) -> None:
        """Start playing in this manner; raises `LookupError` for an unknown one."""
        chosen = MANNERS[manner]
        self.stop("")
        sitting = _Sitting(self, manner, chosen)
        with self._lock:
            self._playing, self._why = sitting, ""
        sitting.start()

    def stop(self, why: str = "stopped") -> None:
        with self._lock:
            sitting, self._playing = self._playing, None
            if sitting is not None:
                self._why = why
        if sitting is not None:
            sitting.leave()

    def touched(self) -> None:
        """Stop, because a person uses the shoe."""
        self.stop("taken_over")

    # --- of the thread that plays ----------------------------------------------------------------

    def sit_at(self, sitting: "_Sitting", manner: Manner) -> None:
        """Play until stopped, taken over, or stuck."""
        why, tries = "stuck", 0
        # At a floor no person is at the table to restart the robot, so it tries without limit.
        while (tries < TRIES or manner.patience_s > 0) and not sitting.left:
            before = self._rounds
            try:
                self._play(sitting, manner)
            except Stopped:
                why = "stopped"
                break
            except TakenOver:
                why = "taken_over"
                break
            except (Stuck, Disagreement, Busy) as error:
                self._trouble = str(error)
            tries = 1 if self._rounds > before else tries + 1
            sitting.pause(TRY_AGAIN_S)
        with self._lock:
            if self._playing is sitting:
                self._playing, self._why = None, why

    def _play(self, sitting: "_Sitting", manner: Manner) -> None:
        hand = _Hand(self._server)
        with web_table(self.table, lambda: sitting.left, manner.patience_s) as table:
            robot = Robot(table, hand, self._random, manner.plan, sitting.wait, self._counted)
            robot.play(manner.rounds(), MAX_ROUNDS)

    def _counted(self, _round: dict[str, Any]) -> None:
        with self._lock:
            self._rounds += 1


class _Sitting:
    """One thread that plays in one manner."""

    def __init__(self, player: Player, name: str, manner: Manner) -> None:
        self.manner = name
        self._left = threading.Event()
        self._thread = threading.Thread(target=player.sit_at, args=(self, manner), daemon=True)

    @property
    def left(self) -> bool:
        return self._left.is_set()

    def start(self) -> None:
        self._thread.start()

    def leave(self) -> None:
        """End the thread after its current command; the thread itself may call this."""
        self._left.set()
        if self._thread is not threading.current_thread():
            self._thread.join(END_S)

    def pause(self, seconds: float) -> None:
        self._left.wait(seconds)

    def wait(self, seconds: float) -> None:
        """Wait as `pause` does, and raise `Stopped` where the robot was stopped."""
        if self._left.wait(seconds):
            raise Stopped


class _Hand:
    """The back door of the shoe in this process."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def do(self, word: str, **given: object) -> Any:
        def done() -> tuple[object, str | None]:
            try:
                return self._server.unit.do(word, **given), None
            except Refused as error:
                return None, str(error)

        answer, refused = self._server.call(done)
        if refused is not None:
            raise Refused(refused)
        return answer

    def look(self) -> dict[str, Any]:
        return self._server.call(self._server.unit.emulator.shown)
