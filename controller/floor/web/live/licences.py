"""Tables that cannot open betting because the dealer lacks a licence, by the list that they have
applied.

A table itself notices this only when betting is to be opened, and then only its dealer sees it. The
floor has list, dealer and game, and so can report it earlier.
"""

from collections.abc import Iterable
from typing import Final

from controller.floor.web.live.board import Tile
from controller.floor.web.live.exceptions import StoredException
from controller.messages.catalogue import english
from controller.messages.sentence import Sentence
from controller.table.licences import Licence, SiteList, can_deal
from controller.table.refused import Refused

UNLICENSED: Final = "licence"
"""The kind of these rows."""
PEOPLE: Final = "people"
CLOSED: Final = "closed"


class Licences:
    def __init__(self) -> None:
        self._version: int | None = None
        """The version of the newest published list; None: there is no list."""
        self._of: dict[str, list[Licence]] = {}
        self.open: list[StoredException] = []
        """One for each table whose dealer cannot open betting."""

    def use(self, site: SiteList | None) -> None:
        self._version = None if site is None else site.version
        self._of = {}
        for each in site.licences if site is not None else ():
            self._of.setdefault(each.who.casefold(), []).append(each)

    def look(self, tiles: Iterable[Tile], now: float) -> None:
        since = {each.table: each.since for each in self.open}
        refused = [(tile, why) for tile in tiles if (why := self._why_not(tile, now)) is not None]
        self.open = [
            StoredException(
                *(0, tile.table, UNLICENSED, english(why), since.get(tile.table, now)),
                code=why.code,
                params=dict(why.params),
            )
            for tile, why in refused
        ]

    def _why_not(self, tile: Tile, now: float) -> Sentence | None:
        if tile.away or tile.dealer is None or tile.phase in ("", CLOSED):
            return None
        if self._version is None or tile.documents.get(PEOPLE) != self._version:
            return None  # it has applied another list, or none
        own = self._of.get(tile.dealer.casefold(), [])
        try:
            can_deal(SiteList(self._version, tuple(own)), tile.dealer, tile.rulebook, now)
        except Refused as refused:
            return refused.reason
        return None
