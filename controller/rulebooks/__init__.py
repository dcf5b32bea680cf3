"""The five approved documents as data: one file each, every entry with its clause."""

from typing import Final

from controller.game.errors import UnknownRulebook, nearest
from controller.game.rulebook import Rulebook
from controller.rulebooks.mbs_baccarat_8 import MBS_BACCARAT_8
from controller.rulebooks.mbs_baccarat_tournament_5 import MBS_BACCARAT_TOURNAMENT_5
from controller.rulebooks.mbs_dragon_tiger_baccarat import MBS_DRAGON_TIGER_BACCARAT
from controller.rulebooks.mbs_sands_super_baccarat import MBS_SANDS_SUPER_BACCARAT
from controller.rulebooks.rws_commission_baccarat_4 import RWS_COMMISSION_BACCARAT_4

RULEBOOKS: Final[dict[str, Rulebook]] = {
    book.id: book
    for book in (
        MBS_BACCARAT_8,
        RWS_COMMISSION_BACCARAT_4,
        MBS_DRAGON_TIGER_BACCARAT,
        MBS_SANDS_SUPER_BACCARAT,
        MBS_BACCARAT_TOURNAMENT_5,
    )
}


def rulebook(book_id: str) -> Rulebook:
    try:
        return RULEBOOKS[book_id]
    except KeyError:
        raise UnknownRulebook(
            f"there is no rulebook {book_id!r}; {nearest(book_id, RULEBOOKS)}"
        ) from None
