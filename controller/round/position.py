"""What a round waits for, computed from exposed cards only."""

from enum import Enum
from typing import Final

import msgspec

from controller.game.hands import SCORES, Side
from controller.game.hands import DealtRound as Dealt
from controller.game.rulebook import Rulebook
from controller.game.table_of_play import TableOfPlay
from controller.table.agenda.order import is_busy
from controller.table.cards import Drawn
from controller.table.state import Round, Table
from drivers.cards import Card

INITIAL = (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER)


class Due(Enum):
    """What the round waits for."""

    # Members are looked up at every card; an enum would hash its name each time.
    __hash__ = object.__hash__

    CARD = "card"
    EXPOSURE = "exposure"
    PLAYERS_THIRD = "players_third"
    BANKERS_THIRD = "bankers_third"
    NOTHING = "nothing"


def hand(round_: Round, side: Side) -> list[Drawn]:
    return [drawn for drawn in round_.cards if drawn.hand is side]


def hand_cards(round_: Round) -> list[Drawn]:
    return [drawn for drawn in round_.cards if drawn.hand is not None]


def total(book: Rulebook, cards: list[Drawn]) -> int:
    """The point total of cards; the caller has checked that all are exposed."""
    points = book.play.points
    return sum(points[_seen(drawn).number] for drawn in cards) % 10


def _seen(drawn: Drawn) -> Card:
    assert drawn.exposed, "only exposed cards count"
    assert drawn.card is not None, "a card that could not be read counts once it is entered"
    return drawn.card


def totals_of_two(book: Rulebook, round_: Round) -> tuple[int, int]:
    """The totals of the first two cards of Player and Banker, all exposed."""
    return total(book, hand(round_, Side.PLAYER)[:2]), total(book, hand(round_, Side.BANKER)[:2])


class Standing(msgspec.Struct, frozen=True, gc=False):
    """What the cards of a round call for."""

    due: Due
    called_for: Due
    next_side: Side | None
    """The hand the next card goes to, once wagers are closed."""


_STANDING: Final = "standing"
"""The name under which a round caches it, with the book it was computed by."""


def standing(book: Rulebook, round_: Round) -> Standing:
    """The standing of the round. Cached on it: several functions ask in one step and in the
    next."""
    kept: tuple[Rulebook, Standing] | None = round_.__dict__.get(_STANDING)
    if kept is not None and kept[0] is book:
        return kept[1]
    found = _worked_out(book.play, round_)
    round_.__dict__[_STANDING] = (book, found)
    return found


def due_card(book: Rulebook, round_: Round) -> Due:
    """The card that is due next; a face-down card never decides it."""
    return standing(book, round_).due


def min_cards_left(book: Rulebook, round_: Round) -> int:
    """The number of cards the round still takes in any case; face-down cards call for none."""
    if due_card(book, round_) is Due.CARD:
        return len(INITIAL) - len(hand_cards(round_))
    return int(due_card(book, round_) in (Due.PLAYERS_THIRD, Due.BANKERS_THIRD))


def due_card_in_public(book: Rulebook, round_: Round) -> Due:
    """The same for an onlooker, for whom a third card is due until it is exposed."""
    return standing(book, round_).called_for


def next_side(book: Rulebook, round_: Round) -> Side | None:
    """The hand the next card goes to; None when no card is due."""
    return None if round_.betting else standing(book, round_).next_side


def target_hand(book: Rulebook, table: Table) -> Side | None:
    """The hand a card drawn now is laid on; None where it would go aside."""
    return None if is_busy(table) else due_hand(book, table.round)


def due_hand(book: Rulebook, round_: Round | None) -> Side | None:
    """The hand of the next card by the round alone, whether or not something has to be dealt with
    first."""
    if round_ is None or round_.betting or round_.over or round_.announced:
        return None
    return standing(book, round_).next_side


def _worked_out(play: TableOfPlay, round_: Round) -> Standing:
    laid = [drawn for drawn in round_.cards if drawn.hand is not None]
    if len(laid) < 4:
        return _TO_BE_DEALT[len(laid)]
    player, banker = _values(play, laid)
    if len(player) < 2 or len(banker) < 2:
        return Standing(Due.CARD, Due.CARD, None)
    hidden = _HIDDEN in player or _HIDDEN in banker
    if hidden and (_HIDDEN in player[:2] or _HIDDEN in banker[:2]):
        return Standing(Due.EXPOSURE, Due.EXPOSURE, None)
    third = _third_due(play, player, banker)
    if hidden:
        # Of hands that are played as laid (RWS 5.12.1) a third card may be due to neither.
        return Standing(Due.EXPOSURE, Due.EXPOSURE if third is Due.NOTHING else third, None)
    return _LIES_OPEN[third]


_TO_BE_DEALT: Final = tuple(Standing(Due.CARD, Due.CARD, side) for side in INITIAL)
"""What is due, by the number of cards of the initial deal that are laid."""

_HIDDEN: Final = -1
"""Used in place of the value of a card that is face down or could not be read."""


def _values(play: TableOfPlay, laid: list[Drawn]) -> tuple[list[int], list[int]]:
    """The values of the cards of both hands, as far as all can see them."""
    points, players = play.points_by_code, Side.PLAYER
    player: list[int] = []
    banker: list[int] = []
    for drawn in laid:
        face = drawn.card if drawn.exposed else None
        value = _HIDDEN if face is None else points[face]
        (player if drawn.hand is players else banker).append(value)
    return player, banker


def _third_due(play: TableOfPlay, player: list[int], banker: list[int]) -> Due:
    """The third card due, by the exposed first two cards of each hand and the thirds."""
    thirds = play.thirds[(player[0] + player[1]) % 10][(banker[0] + banker[1]) % 10]
    third: int | None = None
    if thirds.player:
        if len(player) < 3 or player[2] == _HIDDEN:
            return Due.PLAYERS_THIRD
        third = player[2]
    if third not in thirds.banker:
        return Due.NOTHING
    lies_open = len(banker) > 2 and banker[2] != _HIDDEN
    return Due.NOTHING if lies_open else Due.BANKERS_THIRD


_LIES_OPEN: Final = {
    Due.PLAYERS_THIRD: Standing(Due.PLAYERS_THIRD, Due.PLAYERS_THIRD, Side.PLAYER),
    Due.BANKERS_THIRD: Standing(Due.BANKERS_THIRD, Due.BANKERS_THIRD, Side.BANKER),
    Due.NOTHING: Standing(Due.NOTHING, Due.NOTHING, None),
}
"""Which third card is due, where every card is exposed."""


def dealt_round(book: Rulebook, round_: Round) -> Dealt:
    """The finished round as the game takes it: the hands as laid, whatever a later table of play
    would have drawn."""
    player: list[Card] = []
    banker: list[Card] = []
    for drawn in round_.cards:
        if drawn.hand is not None:
            (player if drawn.hand is Side.PLAYER else banker).append(_seen(drawn))
    order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
    play = book.play
    scores = SCORES[len(player), len(banker)]
    return Dealt(tuple(order), scores[play.total(player)][play.total(banker)])


def exposed_cards(round_: Round, in_doubt: tuple[int, ...] = ()) -> list[Card | None]:
    """The hands as all may see them, to determine what is decided; cards in doubt do not count."""
    player, banker = hand(round_, Side.PLAYER), hand(round_, Side.BANKER)
    order: list[Drawn | None] = [None] * 4
    for place, drawn in enumerate(player[:2]):
        order[2 * place] = drawn
    for place, drawn in enumerate(banker[:2]):
        order[2 * place + 1] = drawn
    order += [*player[2:3], *banker[2:3]]
    return [
        drawn.card if drawn and drawn.exposed and drawn.card and drawn.n not in in_doubt else None
        for drawn in order
    ]
