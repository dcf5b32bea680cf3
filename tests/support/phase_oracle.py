"""The phase of a round as an onlooker would name it: worked out anew from what lies on the layout.

The table's own phase is moved by what happens (`controller.engine.phases`); this is the second
opinion it is held against after every step. It knows nothing of steps, happenings or rows, and
nothing of what holds a table: a held table is still in a phase.
"""

from controller.game.hands import Side
from controller.game.rulebook import Rulebook
from controller.game.table_of_play import point_total
from controller.table.cards import Drawn
from controller.table.phases import Phase
from controller.table.state import Round, Table
from drivers.cards import Card


def phase(book: Rulebook, table: Table) -> Phase:
    """What somebody would say who sees the table for the first time."""
    if not table.day.is_open:
        return Phase.CLOSED
    round_ = table.round
    if round_ is None or round_.over:
        shoe = table.shoe
        ready = shoe is not None and shoe.burn_left == 0 and not table.change_shoe
        return Phase.READY if ready else Phase.CHANGING_SHOE
    if round_.betting:
        return Phase.BETTING
    return _in_play(book, round_)


def _in_play(book: Rulebook, round_: Round) -> Phase:
    player, banker = _hand(round_, Side.PLAYER), _hand(round_, Side.BANKER)
    if len(player) < 2 or len(banker) < 2:
        return Phase.DEALING
    if not all(map(_open, (*player[:2], *banker[:2]))):
        return Phase.REVEALING
    third = _third(book, player, banker)
    if third is not None:
        return third
    if not all(map(_open, (*player, *banker))):
        return Phase.REVEALING  # a third card that is nobody's due as the cards lie (RWS 5.12.1)
    return Phase.SETTLING if round_.announced else Phase.OUTCOME


def _third(book: Rulebook, player: list[Drawn], banker: list[Drawn]) -> Phase | None:
    """Whose third card is to come or to be turned; None where both hands are complete."""
    play = book.play
    two_player, two_banker = (
        point_total([_points(book, drawn) for drawn in hand[:2]]) for hand in (player, banker)
    )
    of_player: int | None = None
    if play.player_takes_third(two_player, two_banker):
        if not any(map(_open, player[2:])):
            return Phase.PLAYERS_THIRD
        of_player = _points(book, player[2])
    takes = play.banker_takes_third(two_player, two_banker, of_player)
    return Phase.BANKERS_THIRD if takes and not any(map(_open, banker[2:])) else None


def _hand(round_: Round, side: Side) -> list[Drawn]:
    return [drawn for drawn in round_.cards if drawn.hand is side]


def _open(drawn: Drawn) -> bool:
    """It lies face up, and everybody knows what it is."""
    return drawn.exposed and drawn.card is not None


def _points(book: Rulebook, drawn: Drawn) -> int:
    assert drawn.card is not None
    return book.play.points[Card(drawn.card).number]
