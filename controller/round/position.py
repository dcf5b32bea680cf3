"""What a round waits for, worked out from what lies exposed and from nothing else."""

from enum import Enum

from controller.game.hands import DealtRound as Dealt
from controller.game.hands import Side
from controller.game.rulebook import Rulebook
from controller.game.table_of_play import TableOfPlay, point_total
from controller.table.cards import Drawn
from controller.table.state import Round, Table
from drivers.cards import Card

INITIAL = (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER)


class Due(Enum):
    """What the round waits for."""

    CARD = "card"
    EXPOSURE = "exposure"
    PLAYERS_THIRD = "players_third"
    BANKERS_THIRD = "bankers_third"
    NOTHING = "nothing"


def hand(round_: Round, side: Side) -> list[Drawn]:
    return [drawn for drawn in round_.cards if drawn.hand is side]


def on_hands(round_: Round) -> list[Drawn]:
    return [drawn for drawn in round_.cards if drawn.hand is not None]


def total(book: Rulebook, cards: list[Drawn]) -> int:
    """The point total of exposed cards; whoever asks has made sure they are."""
    points = book.play.points
    return sum(points[_seen(drawn).number] for drawn in cards) % 10


def _seen(drawn: Drawn) -> Card:
    assert drawn.exposed, "only exposed cards count"
    assert drawn.card is not None, "a card that could not be read counts once it is entered"
    return Card.coded(drawn.card)


def due(book: Rulebook, round_: Round) -> Due:
    """What is due next; a face-down card never decides it."""
    points, hidden = book.play.points, False
    player: list[int] = []
    banker: list[int] = []
    for drawn in round_.cards:
        if drawn.hand is None:
            continue
        value = 0
        if drawn.exposed and drawn.card is not None:
            value = points[Card.coded(drawn.card).number]
        else:
            hidden = True
        (player if drawn.hand is Side.PLAYER else banker).append(value)
    if len(player) < 2 or len(banker) < 2:
        return Due.CARD
    return Due.EXPOSURE if hidden else _third_due(book.play, player, banker)


def _third_due(table: TableOfPlay, player: list[int], banker: list[int]) -> Due:
    """By the values of cards that all lie open."""
    p, b = point_total(player[:2]), point_total(banker[:2])
    third: int | None = None
    if table.player_takes_third(p, b):
        if len(player) < 3:
            return Due.PLAYERS_THIRD
        third = player[2]
    if table.banker_takes_third(p, b, third) and len(banker) < 3:
        return Due.BANKERS_THIRD
    return Due.NOTHING


def next_side(book: Rulebook, round_: Round) -> Side | None:
    """The hand the next card goes to; None when no card is due."""
    if round_.betting:
        return None
    lying = len(on_hands(round_))
    if lying < len(INITIAL):
        return INITIAL[lying]
    match due(book, round_):
        case Due.PLAYERS_THIRD:
            return Side.PLAYER
        case Due.BANKERS_THIRD:
            return Side.BANKER
    return None


def goes_to(book: Rulebook, table: Table) -> Side | None:
    """The hand a card drawn now is laid to; None when it would lie aside."""
    round_ = table.round
    if table.busy:
        return None
    if round_ is None or round_.over or round_.announced:
        return None
    return next_side(book, round_)


def dealt(book: Rulebook, round_: Round) -> Dealt:
    """The finished round as the game sees it."""
    player, banker = hand(round_, Side.PLAYER), hand(round_, Side.BANKER)
    order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
    return book.play.deal([_seen(drawn) for drawn in order])


def exposed(round_: Round, in_doubt: tuple[int, ...] = ()) -> list[Card | None]:
    """The hands as everybody may see them, for asking what is decided; cards in doubt count not."""
    player, banker = hand(round_, Side.PLAYER), hand(round_, Side.BANKER)
    order: list[Drawn | None] = [None] * 4
    for place, drawn in enumerate(player[:2]):
        order[2 * place] = drawn
    for place, drawn in enumerate(banker[:2]):
        order[2 * place + 1] = drawn
    order += [*player[2:3], *banker[2:3]]
    return [
        Card.coded(drawn.card)
        if drawn and drawn.exposed and drawn.card and drawn.n not in in_doubt
        else None
        for drawn in order
    ]


def initial_deal_lies(round_: Round) -> bool:
    return all(len(hand(round_, side)) >= 2 for side in Side)


def initial_deal_is_open(round_: Round) -> bool:
    """Whether the first two cards of both hands lie there and everybody knows them."""
    return initial_deal_lies(round_) and all(
        _known(drawn) for side in Side for drawn in hand(round_, side)[:2]
    )


def third_to_come(book: Rulebook, round_: Round) -> Side | None:
    """Whose third card is called for and does not lie open yet; None when the hands are complete,
    or when that is not known because a card of the initial deal lies face down."""
    if not initial_deal_is_open(round_):
        return None
    player, banker = hand(round_, Side.PLAYER), hand(round_, Side.BANKER)
    points = book.play.points
    p, b = (total(book, cards[:2]) for cards in (player, banker))
    third: int | None = None
    if book.play.player_takes_third(p, b):
        if len(player) < 3 or not _known(player[2]):
            return Side.PLAYER
        third = points[_seen(player[2]).number]
    if not book.play.banker_takes_third(p, b, third):
        return None
    return None if len(banker) > 2 and _known(banker[2]) else Side.BANKER


def _known(drawn: Drawn) -> bool:
    return drawn.exposed and drawn.card is not None
