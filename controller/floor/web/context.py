"""The services that every page of the floor uses."""

from collections.abc import Callable
from dataclasses import dataclass, field

from controller.floor.documents import Shelf
from controller.floor.shifts import Shifts
from controller.floor.web.live.board import Board
from controller.floor.web.live.exceptions import ExceptionRow, StoredException, no_database, rows
from controller.floor.web.live.licences import Licences
from controller.floor.web.live.lobby import Lobby
from controller.floor.web.orders import OrderSender
from controller.floor.web.people import FloorPeople
from controller.floor.web.queries import WebStore


@dataclass
class FloorContext:
    """One floor: its board, its people, its copy of the records."""

    site: str
    title: str
    board: Board
    people: FloorPeople
    store: WebStore
    reports: WebStore
    """A second connection for slow queries, so that they delay no other page."""
    desk: OrderSender
    shelf: Shelf
    wall: Callable[[], float]
    shifts: Shifts
    lobby_names_dealers: bool = True
    kept: list[StoredException] = field(default_factory=list)
    """The open exceptions in the database, read every second."""
    store_down: str | None = None
    """Why the database is down; None while it is up."""
    store_down_since: float = 0.0

    def __post_init__(self) -> None:
        self.lobby = Lobby(self.board, self.lobby_names_dealers)
        self.licences = Licences()

    def exceptions(self) -> list[ExceptionRow]:
        kept = [*self.kept, *self.licences.open]
        if self.store_down is not None:
            kept.append(no_database(self.store_down_since))
        return rows(self.board.tiles(), kept)

    def store_failed(self, why: str) -> None:
        if self.store_down is None:
            self.store_down_since = self.wall()
        self.store_down = why
