"""Who of the site may open betting: its list of people, as the table has taken it over."""

import msgspec

from controller.messages.codes import Code
from controller.table.refused import Refused

ALL_GAMES = "*"


class Licence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The licence of one person, without a name: a record needs none."""

    who: str
    until: float
    """Seconds since 1970; from then on it is expired."""
    games: tuple[str, ...]
    """Rulebooks by id, or `*`."""


class SiteList(msgspec.Struct, frozen=True):
    """The list in force."""

    version: int
    licences: tuple[Licence, ...]


def can_deal(site: SiteList | None, who: str, game: str, at: float) -> None:
    """Refuse a dealer whom the site's list does not let deal this game now; where a table has no
    list, all may."""
    if site is None:
        return
    good = _good(site, who, at)
    if not any(game in each.games or ALL_GAMES in each.games for each in good):
        raise Refused(Code.LICENCE_LACKS_GAME, who=who, game=game)


def can_command(site: SiteList | None, who: str, at: float) -> None:
    """Refuse a remote sender who does not work at this site, or not any more: the people at the
    table cannot see them."""
    if site is not None:
        _good(site, who, at)


def _good(site: SiteList, who: str, at: float) -> list[Licence]:
    """The person's licences that have not expired; refuses where there is none."""
    own = [each for each in site.licences if each.who.casefold() == who.casefold()]
    if not own:
        raise Refused(Code.NOT_ON_THE_SITES_LIST, who=who)
    good = [each for each in own if at < each.until]
    if not good:
        raise Refused(Code.LICENCE_HAS_RUN_OUT, who=who)
    return good
