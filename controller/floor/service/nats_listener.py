"""Messages of tables other than records: beats, live views and document requests."""

from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg

from controller.floor.documents import Shelf
from controller.floor.sink.instances import Instances
from controller.floor.sink.presence import Presence, is_sound
from controller.floor.web.live.board import Board
from controller.protocol.documents import DocumentRequest, Documents
from controller.protocol.live import Beat, LiveView
from controller.protocol.names import BadName, TableName, of_subject
from controller.protocol.unreadable import UNREADABLE

log = structlog.get_logger()

Told = TypeVar("Told", Beat, LiveView, DocumentRequest)
LIVE_PENDING: Final = 64 * 1024 * 1024


class Hearing:
    """Handles messages of tables, from any transport."""

    def __init__(
        self,
        presence: Presence,
        instances: Instances,
        board: Board,
        shelf: Shelf,
        now: Callable[[], float],
    ) -> None:
        self._presence = presence
        self._instances = instances
        self._board = board
        self._shelf = shelf
        self._now = now

    def beat(self, beat: Beat) -> None:
        if is_sound(beat):
            now = self._now()
            self._instances.hear(TableName(beat.site, beat.table), beat.instance, now)
            self._presence.take_beat(beat, now)
            self._board.beat(beat, now)

    def live(self, view: LiveView) -> None:
        self._board.live(view, self._now())

    async def documents(self, asked: DocumentRequest) -> Documents | None:
        """The requested documents; None if the lookup fails: the table keeps its own and asks
        again."""
        try:
            return await self._shelf.newer(asked)
        except Exception as error:  # noqa: BLE001
            log.warning("documents_not_told", why=type(error).__name__)
            return None


class Listening:
    """Subscribes at the brokers."""

    def __init__(self, client: Client, site: str, hearing: Hearing) -> None:
        self._client = client
        self._site = site
        self._hearing = hearing

    async def start(self) -> None:
        await self._client.subscribe(f"tbl.{self._site}.*.beat", cb=self._beat)
        await self._client.subscribe(f"tbl.{self._site}.*.doc", queue="documents", cb=self._asked)
        live = f"tbl.{self._site}.*.live"
        await self._client.subscribe(live, cb=self.live, pending_bytes_limit=LIVE_PENDING)

    async def _beat(self, message: Msg) -> None:
        beat = _read(message, Beat)
        if beat is not None:
            self._hearing.beat(beat)

    async def live(self, message: Msg) -> None:
        view = _read(message, LiveView)
        if view is not None:
            self._hearing.live(view)

    async def _asked(self, message: Msg) -> None:
        asked = _read(message, DocumentRequest)
        if asked is None or not TableName(asked.site, asked.table).awaits(message.reply):
            return
        found = await self._hearing.documents(asked)
        if found is not None:
            await message.respond(msgspec.msgpack.encode(found))


def _read(message: Msg, kind: type[Told]) -> Told | None:
    """Decodes a message; None if it has another type, or another table's name than its subject."""
    try:
        name = of_subject(message.subject)
        answer = msgspec.msgpack.decode(message.data, type=kind)
    except (BadName, *UNREADABLE):
        return None
    return answer if (answer.site, answer.table) == name else None
