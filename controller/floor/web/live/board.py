"""The board: the state of every table, from the views that tables send. Pure, one writer.

A view has the number of its record; a view older than the last one of the same program is dropped,
so a screen never goes back. Each change of a tile raises the board's revision, and a screen gets
only the tiles that changed after the revision it has.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from controller.floor.sink.presence import patience_s
from controller.messages.sentence import Param
from controller.protocol.live import Beat, DeviceBeat, LiveView, OfferedMethod
from controller.protocol.names import TableName

INSTANCES_KEPT: Final = 8
RESULTS_SHOWN: Final = 6
UNKNOWN_S: Final = 6.0
"""The permitted silence of a table whose beat interval is not known yet."""


class Stop(msgspec.Struct, frozen=True):
    """One hold of a table, as its own pit page shows it."""

    kind: str
    code: str
    params: dict[str, Param] = msgspec.field(name="gaps")
    text: str
    since: float
    role: str | None = None
    clause: str | None = None
    second: bool = False
    remedy: "LiveSentence | None" = None
    ends: "LiveSentence | None" = None


class LiveSentence(msgspec.Struct, frozen=True):
    """A sentence by its code; `text` is English with the table's own currency."""

    code: str
    params: dict[str, Param] = msgspec.field(name="gaps")
    text: str


class Ask(msgspec.Struct, frozen=True):
    """The decision that the table waits for, and by whom."""

    do: str
    text: str = msgspec.field(name="says")
    code: str
    params: dict[str, Param] = msgspec.field(name="gaps")
    role: str | None = None
    clause: str | None = None
    second: bool = False
    there: bool = False
    """Whether it needs an approval at the table."""
    since: float | None = None


class BoardLimits(msgspec.Struct, frozen=True):
    min: int | None = None
    max: int | None = None
    differential: int | None = None


class BoardPrompt(msgspec.Struct, frozen=True):
    """The prompt of the table's own screen; `code` is null if there is nothing to do."""

    do: str
    code: str | None = None
    gaps: dict[str, Param] = {}


class BoardHands(msgspec.Struct, frozen=True):
    """The cards on the layout; null for a face-down card."""

    player: tuple[str | None, ...] = ()
    banker: tuple[str | None, ...] = ()


class BoardTotals(msgspec.Struct, frozen=True):
    player: int | None = None
    banker: int | None = None


class BoardView(msgspec.Struct, frozen=True):
    """The part of a table's pit view that the floor uses."""

    state: str
    phase: str
    round: int | None = None
    shoe: int | None = None
    method: str | None = None
    dealer: str | None = None
    limits: BoardLimits = BoardLimits()
    results: tuple[str, ...] = ()
    held: tuple[Stop, ...] = ()
    asks: tuple[Ask, ...] = ()
    can: tuple[str, ...] = ()
    close_after: bool = False
    void: str | None = None
    hands: BoardHands = BoardHands()
    totals: BoardTotals = BoardTotals()
    prompt: BoardPrompt | None = None
    methods: tuple[OfferedMethod, ...] = ()
    floor_may: tuple[str, ...] | None = None
    """The commands that the table accepts from the floor; None: not given."""


class Tile(msgspec.Struct, frozen=True):
    """One table on the map."""

    table: str
    title: str
    pit: str
    state: str = "unknown"
    """The phase, `halted` while it is held; `unknown` before the first view."""
    phase: str = ""
    shoe: int | None = None
    round: int | None = None
    method: str | None = None
    dealer: str | None = None
    limits: BoardLimits = BoardLimits()
    currency: str = ""
    minor_units: int = 2
    results: tuple[str, ...] = ()
    stops: tuple[Stop, ...] = ()
    asks: tuple[Ask, ...] = ()
    can: tuple[str, ...] = ()
    close_after: bool = False
    methods: tuple[OfferedMethod, ...] = ()
    floor_may: tuple[str, ...] | None = None
    seq: int = 0
    at: float = 0.0
    away: bool = False
    """Whether three beats are missing."""
    heard: float = 0.0
    """The time of the last message, by the floor's clock; changes without a new revision."""
    unsent: int = 0
    mode: str = "live"
    rulebook: str = ""
    release: str = ""
    clock_off: float = 0.0
    """How far the table's clock is ahead of the floor's, to a tenth of a second."""
    devices: tuple[DeviceBeat, ...] = ()
    rounds_hour: int = 0
    documents: dict[str, int] = {}
    unread: bool = False
    """It sent a view that this release cannot read: its state is unknown."""


class MapStop(msgspec.Struct, frozen=True):
    """The first hold of a table, as its tile shows it."""

    code: str
    params: dict[str, Param] = msgspec.field(name="gaps")
    text: str
    since: float


class MapTile(msgspec.Struct, frozen=True):
    """The data that the map draws of a table, and no more: a screen gets a thousand of them at
    once."""

    table: str
    title: str
    pit: str
    phase: str
    method: str | None
    dealer: str | None
    min: int | None
    max: int | None
    minor_units: int
    results: str
    """One letter for each result."""
    stop: MapStop | None
    seq: int
    away: bool
    heard: float
    rounds_hour: int


def on_the_map(tile: Tile) -> MapTile:
    stop = tile.stops[0] if tile.stops else None
    return MapTile(
        tile.table,
        tile.title,
        tile.pit,
        tile.phase,
        tile.method,
        tile.dealer,
        tile.limits.min,
        tile.limits.max,
        tile.minor_units,
        "".join(each[:1] for each in tile.results),
        None if stop is None else MapStop(stop.code, stop.params, stop.text, stop.since),
        tile.seq,
        tile.away,
        tile.heard,
        tile.rounds_hour,
    )


class Counts(msgspec.Struct, frozen=True):
    """The counts at the head of the page."""

    stopped: int
    in_play: int
    changing_shoe: int
    closed: int
    away: int
    tables: int


class Board:
    """The tiles of all tables of one site."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.revision = 0
        self.whole_since = 0
        """A screen below this revision needs the whole board: a table was removed."""
        self._tiles: dict[str, Tile] = {}
        self._changed: dict[str, int] = {}
        """The revision of each tile's last change."""
        self._views: dict[str, BoardView] = {}
        self._results: dict[str, tuple[str, ...]] = {}
        """The results of the shoe, as guests see them."""
        self._instances: dict[str, list[str]] = {}
        """The programs of each table, the current one last; late messages of earlier ones are
        dropped."""
        self._patience_s: dict[str, float] = {}

    # --- reading -----------------------------------------------------------------------------

    def tiles(self, after: int = 0) -> list[Tile]:
        """The tiles that changed after a revision, in the order of their names."""
        found = [self._tiles[each] for each, at in self._changed.items() if at > after]
        return sorted(found, key=lambda tile: (tile.pit, tile.table))

    def tile(self, table: str) -> Tile | None:
        return self._tiles.get(table)

    def view(self, table: str) -> BoardView | None:
        """The table as its own pit page shows it."""
        return self._views.get(table)

    def public_results(self, table: str) -> tuple[str, ...]:
        return self._results.get(table, ())

    def counts(self) -> Counts:
        tiles = self._tiles.values()
        stopped = sum(bool(each.stops) for each in tiles)
        by_phase = [each.phase for each in tiles if not each.stops and not each.away]
        closed, changing = by_phase.count("closed"), by_phase.count("changing_shoe")
        in_play = len([each for each in by_phase if each]) - closed - changing
        away = sum(each.away for each in tiles)
        return Counts(stopped, in_play, changing, closed, away, len(self._tiles))

    # --- messages of tables ------------------------------------------------------------------

    def enrolled(self, table: str, title: str, pit: str, since: float) -> None:
        """Adds a table of the register, with or without messages; its own messages override the
        register."""
        if table not in self._tiles:
            self._put(Tile(table, title or table, pit, away=True), heard=since)

    def removed(self, table: str) -> None:
        if self._tiles.pop(table, None) is not None:
            self.revision += 1
            self.whole_since = self.revision
            self._changed.pop(table, None)
            self._views.pop(table, None)
            self._results.pop(table, None)
            self._instances.pop(table, None)

    def live(self, answer: LiveView, now: float) -> bool:
        """Stores a view; False if it is outdated or unreadable. An unreadable one also removes the
        stored view, which is no longer correct."""
        before = self._tiles.get(answer.table) or Tile(answer.table, answer.table, "")
        known = self._instances.setdefault(answer.table, [])
        if answer.instance in known[:-1] or (answer.instance in known and answer.seq < before.seq):
            return False
        if answer.instance not in known:
            self._instances[answer.table] = [*known, answer.instance][-INSTANCES_KEPT:]
        try:
            view = msgspec.convert(answer.view, BoardView)
        except msgspec.ValidationError:
            self._not_read(before, answer, now)
            return False
        self._views[answer.table] = view
        self._results[answer.table] = _public_results(answer)
        self._put(
            replace(
                before,
                state=view.state,
                phase=view.phase,
                shoe=view.shoe,
                round=view.round,
                method=view.method,
                dealer=view.dealer or before.dealer,
                limits=view.limits,
                results=view.results[-RESULTS_SHOWN:],
                stops=view.held,
                asks=view.asks,
                can=view.can,
                close_after=view.close_after,
                methods=view.methods,
                floor_may=view.floor_may,
                seq=answer.seq,
                at=answer.at,
                away=False,
                unread=False,
            ),
            heard=now,
        )
        return True

    def _not_read(self, before: Tile, answer: LiveView, now: float) -> None:
        self._views.pop(answer.table, None)
        self._results.pop(answer.table, None)
        bare = Tile(
            answer.table, before.title, before.pit, release=before.release, mode=before.mode
        )
        self._put(replace(bare, seq=answer.seq, at=answer.at, unread=True), heard=now)

    def beat(self, answer: Beat, now: float) -> None:
        before = self._tiles.get(answer.table) or Tile(answer.table, answer.table, "")
        self._patience_s[answer.table] = patience_s(answer.every)
        self._put(
            replace(
                before,
                title=answer.title or before.title,
                pit=answer.pit or before.pit,
                unsent=answer.unsent,
                mode=answer.mode,
                rulebook=answer.rulebook,
                release=answer.release,
                currency=answer.currency,
                minor_units=answer.minor_units,
                clock_off=round(answer.at - now, 1),
                devices=tuple(answer.devices),
                documents=answer.documents,
                away=False,
            ),
            heard=now,
        )

    def played(self, rounds: dict[str, int]) -> None:
        """Stores the rounds in the last hour, by table."""
        for tile in tuple(self._tiles.values()):
            self._put(replace(tile, rounds_hour=rounds.get(tile.table, 0)))

    def tick(self, now: float) -> list[TableName]:
        """Updates silence; returns the tables that have just become silent."""
        silent = []
        for tile in tuple(self._tiles.values()):
            patience = self._patience_s.get(tile.table, UNKNOWN_S)
            if not tile.away and now - tile.heard > patience:
                self._put(replace(tile, away=True))
                silent.append(TableName(self.site, tile.table))
        return silent

    def _put(self, tile: Tile, heard: float | None = None) -> None:
        """Stores a tile. A mere beat does not raise the revision, because no screen would
        change."""
        before = self._tiles.get(tile.table)
        known = before.heard if before is not None else 0.0
        tile = replace(tile, heard=known)
        if tile != before:
            self.revision += 1
            self._changed[tile.table] = self.revision
        self._tiles[tile.table] = tile if heard is None else replace(tile, heard=heard)


class _PublicView(msgspec.Struct, frozen=True):
    results: tuple[str, ...] = ()


def _public_results(answer: LiveView) -> tuple[str, ...]:
    try:
        return msgspec.convert(answer.public, _PublicView).results
    except msgspec.ValidationError:
        return ()
