"""Cards: drawn, laid, exposed, and laid aside until their place is due."""

from msgspec.structs import replace

from controller.game.hands import Side
from controller.round import doubt, position, shoe
from controller.sentences.codes import Code
from controller.table.approvals import Act
from controller.table.cards import Drawn
from controller.table.case import AwaitsCounts, Case
from controller.table.holds import Latch, LatchKind
from controller.table.phases import Happening
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import (
    DeviceResult,
    Round,
    Shoe,
    Table,
    found,
    happens,
    latched,
    notice,
)
from controller.table.words.devices import (
    CardDrawnWord,
    DeviceResultWord,
    ExcessCardWord,
    ReadFailedWord,
)
from controller.table.words.message import Message
from controller.table.words.people import ExposeWord
from drivers.cards import Card

SHOE = "shoe"
"""Who reports what the table itself finds in the cards."""

AnyCard = Message[CardDrawnWord] | Message[ReadFailedWord] | Message[ExcessCardWord]


def card(table: Table, message: AnyCard, rules: Rules) -> Table:
    """A card has left the shoe. Whatever was wrong with that, it is out and is written down."""
    held = table.shoe
    if held is None:
        raise Refused(Code.NO_SHOE_FOR_CARD)
    if not table.opened:
        return _while_closed(table, held)
    if table.doubt is not None:
        return doubt.keep(table, table.doubt, message)
    if held.burn_left != 0:
        return shoe.burned(table, face(message))
    held, drawn = _drawn(held, message)
    if table.busy or table.restarted_at is not None:
        return _while_held(replace(table, shoe=held), drawn)
    if shoe.too_many(held):
        return found(_aside(replace(table, shoe=held), drawn), Case("wrong_count", SHOE))
    return _lay(table, held, drawn, message, rules)


def face(message: AnyCard) -> str | None:
    """What the device read; None where it could not."""
    word = message.word
    return None if isinstance(word, ReadFailedWord) else word.card


def excess(table: Table, message: Message[ExcessCardWord], rules: Rules) -> Table:
    """The shoe itself calls the card one too many: it lies aside whatever we think is due."""
    held = table.shoe
    prepared = held is not None and held.burn_left == 0 and table.opened
    held_up = table.busy or table.restarted_at is not None
    if held is None or not prepared or held_up:
        return card(table, message, rules)
    held, drawn = _drawn(held, message)
    return _too_many(replace(table, shoe=held), drawn)


def _while_closed(table: Table, held: Shoe) -> Table:
    """Nobody plays from a shoe that was drawn from behind a closed table."""
    table = replace(table, shoe=replace(held, drawn=held.drawn + 1), change_shoe=True)
    return notice(table, Code.CARD_WHILE_CLOSED)


def _while_held(table: Table, drawn: Drawn) -> Table:
    """A card drawn while a case is open lies aside; 5.11 asks for two that are kept."""
    case = table.case
    if case is not None and isinstance(case.awaits, AwaitsCounts):
        return replace(table, case=replace(case, kept=(*case.kept, drawn)))
    return _aside(notice(table, Code.CARD_WHILE_HELD, n=drawn.n), drawn)


def _drawn(held: Shoe, message: AnyCard) -> tuple[Shoe, Drawn]:
    """The shoe with one less, and the card as it left it."""
    read = face(message)
    drawn = Drawn(
        held.drawn + 1,
        read,
        None,
        exposed=False,
        commitment=message.seal.commitment,
        salt=message.seal.salt,
        unnamed=read is None and isinstance(message.word, ExcessCardWord),
    )
    return replace(held, drawn=drawn.n), drawn


def _lay(table: Table, held: Shoe, drawn: Drawn, message: AnyCard, rules: Rules) -> Table:
    round_, side = table.round, position.goes_to(rules.book, table)
    if side is None or round_ is None:
        return _too_many(replace(table, shoe=held), drawn)
    laid = replace(drawn, hand=side, exposed=not round_.face_down)
    lying = replace(round_, cards=(*round_.cards, laid))
    if _elsewhere(message, lying, side):
        table = disagrees(table)
    happened = (*table.happened, Happening.CARD_LAID)
    if laid.exposed:
        held = _noted(held, [laid])
        happened = (*happened, Happening.CARDS_SHOWN)
    table = replace(table, shoe=held, round=lying, happened=happened)
    if laid.exposed:
        table = lay_asides(_look_at(table, held, [laid]), rules)
    elif laid.card is None:
        table = notice(table, Code.UNREAD_FACE_DOWN, n=laid.n)
    return enough_left(table, rules)


def _elsewhere(message: AnyCard, lying: Round, side: Side) -> bool:
    """Whether the shoe drew the card for another place: two cards before it may be missing, or a
    whole turn of the shoe's counter. A number that no hand has says nothing."""
    word = message.word
    if type(word) is not CardDrawnWord or word.hand is None:
        return False
    place = len(position.hand(lying, side))
    says = word.index if word.index in (1, 2, 3) else place
    return (word.hand.value, says) != (side.value, place)


def disagrees(table: Table) -> Table:
    """The device and the table see the round differently: somebody looks before it goes on."""
    return latched(table, Latch(LatchKind.DEVICE_DISAGREES, table.at, SHOE))


def _too_many(table: Table, drawn: Drawn) -> Table:
    """No card was due: it lies aside until somebody says what becomes of it."""
    return found(_aside(table, drawn), Case("excess_card", SHOE))


def _aside(table: Table, drawn: Drawn) -> Table:
    round_ = table.round
    if round_ is None or round_.over:
        return replace(table, carried=(*table.carried, drawn))
    return replace(table, round=replace(round_, cards=(*round_.cards, drawn)))


def enough_left(table: Table, rules: Rules) -> Table:
    """Whether the shoe has the cards that the round still needs."""
    held = table.shoe
    if held is None or not shoe.empty(held) or table.round is None or table.busy:
        return table
    if position.next_side(rules.book, table.round) is None:
        return table
    return found(table, Case("not_enough_cards", SHOE))


# --- exposing -----------------------------------------------------------------------------------


def expose_cards(table: Table, numbers: list[int], rules: Rules) -> Table:
    """These cards now lie open for everybody: they enter the ledger and are checked."""
    round_, held = table.round, table.shoe
    assert round_ is not None
    assert held is not None
    cards, turned = [], []
    for drawn in round_.cards:
        lying = drawn
        if drawn.n in numbers and not drawn.exposed:
            lying = replace(drawn, exposed=True)
            turned.append(lying)
        cards.append(lying)
    held = _noted(held, turned)
    table = replace(table, round=replace(round_, cards=tuple(cards)), shoe=held)
    table = happens(table, Happening.CARDS_SHOWN)
    return lay_asides(_look_at(table, held, turned), rules)


def _noted(held: Shoe, turned: list[Drawn]) -> Shoe:
    """The ledger with the faces that could be read."""
    for drawn in turned:
        if drawn.card is not None:
            held = shoe.note(held, Card.coded(drawn.card), drawn.n)
    return held


def _look_at(table: Table, held: Shoe, turned: list[Drawn]) -> Table:
    """Checks that look at a face, once it may be seen."""
    unshuffled = False
    for drawn in turned:
        if drawn.card is None:
            table = found(table, Case("unreadable", SHOE, n=drawn.n))
        elif shoe.impossible(held, Card.coded(drawn.card)):
            table = found(table, Case("foreign_card", SHOE, n=drawn.n))
        unshuffled = unshuffled or shoe.new_deck_order(held, drawn.n)
    return found(table, Case("unshuffled", SHOE)) if unshuffled else table


def lay_asides(table: Table, rules: Rules) -> Table:
    """A card that lay aside goes where it is due, as soon as that is known."""
    round_ = table.round
    if round_ is None or round_.betting or round_.over:
        return table
    if table.busy or table.restarted_at is not None:
        return table
    for drawn in round_.cards:
        if drawn.hand is None or not drawn.exposed:
            return _lay_aside(table, round_, rules)
    return table if round_.device_says is None else _compare_result(table, rules)


def _lay_aside(table: Table, round_: Round, rules: Rules) -> Table:
    """The same, where some card lies aside or face down."""
    aside: Drawn | None = None
    hidden: list[int] = []
    for drawn in round_.cards:
        if drawn.hand is None:
            aside = aside or drawn
        elif not drawn.exposed:
            hidden.append(drawn.n)
    if hidden and not round_.face_down:
        return expose_cards(table, hidden, rules)
    if aside is not None and (side := position.next_side(rules.book, round_)) is not None:
        cards = tuple(replace(c, hand=side) if c is aside else c for c in round_.cards)
        laid = replace(round_, cards=cards)
        return lay_asides(happens(replace(table, round=laid), Happening.CARD_LAID), rules)
    return table if round_.device_says is None else _compare_result(table, rules)


def expose(table: Table, message: Message[ExposeWord], rules: Rules) -> Table:
    """A hand, or one card, is marked as lying open."""
    rules.may(message, Act.DEAL)
    round_, word = current(table), message.word
    numbers = _which(round_, word)
    if not numbers:
        raise Refused(Code.NO_FACE_DOWN_CARD)
    if word.card is None and len(position.on_hands(round_)) < len(position.INITIAL):
        raise Refused(Code.INITIAL_DEAL_NOT_COMPLETE)
    if word.card is None and round_.first is not None and _out_of_turn(round_, word.hand):
        clause = rules.method(round_.method).first
        raise Refused(Code.OTHER_HAND_FIRST, clause, hand=round_.first)
    return enough_left(expose_cards(table, numbers, rules), rules)


def current(table: Table) -> Round:
    if table.round is None or table.round.over:
        raise Refused(Code.NO_ROUND)
    return table.round


def _out_of_turn(round_: Round, hand: Side) -> bool:
    first = position.hand(round_, round_.first) if round_.first else []
    return hand is not round_.first and any(not drawn.exposed for drawn in first[:2])


def _which(round_: Round, word: ExposeWord) -> list[int]:
    lying = position.hand(round_, word.hand)
    if word.card is not None:
        lying = lying[word.card - 1 : word.card]  # nothing at all for 0
    return [drawn.n for drawn in lying if not drawn.exposed]


# --- the device's own result --------------------------------------------------------------------


def device_result(table: Table, message: Message[DeviceResultWord], rules: Rules) -> Table:
    """The device's own result is evidence: a difference holds the table, once it may be seen."""
    winner = message.word.winner
    if winner is None:
        raise Refused(Code.FIELD_NEEDED, word=message.verb, field="winner")
    says = DeviceResult(winner, message.seal.commitment)
    round_ = replace(current(table), device_says=says)
    return _compare_result(replace(table, round=round_), rules)


def _compare_result(table: Table, rules: Rules) -> Table:
    """Not before every card on a hand may be seen: a complaint would give the sealed ones away."""
    round_ = table.round
    if round_ is None or round_.device_says is None or table.busy:
        return table
    waits_for = position.due(rules.book, round_)
    hidden = any(not drawn.exposed for drawn in position.on_hands(round_))
    if waits_for is not position.Due.CARD and hidden:
        return table
    over = waits_for is position.Due.NOTHING
    agrees = over and round_.device_says.winner is position.dealt(rules.book, round_).outcome
    table = replace(table, round=replace(round_, device_says=None))
    return table if agrees else disagrees(table)
