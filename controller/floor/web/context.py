"""What every page of the floor is given."""

from collections.abc import Callable
from dataclasses import dataclass, field

from controller.floor.documents import Shelf
from controller.floor.web.live.board import Board
from controller.floor.web.live.exceptions import ExceptionRow, Kept, rows
from controller.floor.web.live.lobby import Lobby
from controller.floor.web.orders import OrderDesk
from controller.floor.web.people import People
from controller.floor.web.queries import WebStore


@dataclass
class FloorContext:
    """One floor: its board, its people, its copy of the records."""

    site: str
    title: str
    board: Board
    people: People
    store: WebStore
    desk: OrderDesk
    shelf: Shelf
    wall: Callable[[], float]
    lobby_names_dealers: bool = False
    kept: list[Kept] = field(default_factory=list)
    """The open exceptions as the database has them, looked at every second."""
    store_down: str | None = None
    """Why the database does not answer; None while it does."""

    def __post_init__(self) -> None:
        self.lobby = Lobby(self.board, self.lobby_names_dealers)

    def exceptions(self) -> list[ExceptionRow]:
        return rows(self.board.tiles(), self.kept)
