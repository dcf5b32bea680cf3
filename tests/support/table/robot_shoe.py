"""The robot dealer at a session in this process: a whole shoe, with the views of every step."""

from collections.abc import Callable
from itertools import repeat
from random import Random
from typing import Final

import msgspec

from controller.engine.session import Session
from controller.engine.step import Answer
from controller.journal.bodies import JsonLine
from controller.runtime.snapshots import Snapshot, SnapshotLog
from controller.table.commands.message import Message, message_from_line
from controller.table.commands.registry import Payload
from controller.views import audience
from controller.views.answers import StepAnswer, step_answer
from controller.views.structs.encoding import plain
from simulators.dealer.links import Line
from simulators.dealer.paper import PaperShoe
from simulators.dealer.plan import Tally
from simulators.dealer.robot import Robot

MAX_ROUNDS: Final = 200
"""More than a shoe of eight decks can hold."""

Show = Callable[[Message[Payload], Answer], StepAnswer]


class Shown:
    """Views for everybody after every step, put up as the table's loop does."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.snapshots = SnapshotLog()

    def __call__(self, said: Message[Payload], answer: Answer) -> StepAnswer:
        views = audience.render_views(answer.table, answer.rules)
        seq = self._session.journal.head.seq
        told = step_answer(answer, views.dealer, seq)
        self.snapshots.post(Snapshot(seq, said.at, said.type, views, told, asked=True))
        return told


class RobotTable:
    """A session as the robot reaches it: the product's lines, without the text they come as."""

    def __init__(self, session: Session, show: Show) -> None:
        self._session = session
        self._show = show
        self._at = session.machine.table.at

    def say(self, line: Line) -> list[Line]:
        self._at += 1
        said = message_from_line(msgspec.convert({"at": self._at, **line}, JsonLine))
        return [plain(self._show(said, self._session.handle(said)))]

    def wait(self) -> Line:
        raise AssertionError("a shoe of paper says everything itself")


def play_shoe(session: Session, seed: int) -> Tally:
    """A closed table is opened, a shoe of eight decks loaded and played to its cutting card, with
    the robot's few wagers; nothing goes wrong. Raises where table and robot disagree."""
    table = RobotTable(session, Shown(session))
    shoe = PaperShoe(table, seed)
    return Robot(shoe, shoe, Random(seed)).play(repeat(None), MAX_ROUNDS, shoes=1)
