"""Where a round stands, worked out from what lies exposed and from nothing else."""

from enum import Enum

from controller.game.hands import Round as Dealt
from controller.game.hands import Side
from controller.game.rulebook import Rulebook
from controller.game.table_of_play import TableOfPlay, point_total
from controller.round.machine import State
from controller.round.state import Drawn, Round, Table
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
    if table.case is not None or table.doubt is not None:
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


def phase(book: Rulebook, table: Table) -> State:
    """The state of the machine that fits what the table knows."""
    if not table.opened:
        return State.CLOSED
    if table.suspended:
        return State.SUSPENDED
    if table.case is not None or table.latches or table.doubt is not None:
        return State.HALTED
    round_ = table.round
    if round_ is None or round_.over:
        shoe = table.shoe
        ready = shoe is not None and shoe.burn_left == 0 and not table.change_shoe
        return State.READY if ready else State.CHANGING_SHOE
    if round_.betting:
        return State.BETTING
    return _in_play(book, round_)


def _in_play(book: Rulebook, round_: Round) -> State:
    waits_for = due(book, round_)
    if waits_for is Due.CARD:
        return State.DEALING
    if waits_for is Due.NOTHING:
        return State.SETTLING if round_.announced else State.OUTCOME
    thirds = len(on_hands(round_)) > len(INITIAL)
    if waits_for is Due.EXPOSURE and not thirds:
        return State.REVEALING
    if waits_for is Due.EXPOSURE:
        hidden = [drawn for drawn in on_hands(round_)[4:] if not drawn.exposed or not drawn.card]
        player = hidden[0].hand is Side.PLAYER if hidden else False
        return State.PLAYERS_THIRD if player else State.BANKERS_THIRD
    return State.PLAYERS_THIRD if waits_for is Due.PLAYERS_THIRD else State.BANKERS_THIRD
