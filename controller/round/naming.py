"""A card that was counted before its face was known gets one from the device: not another card."""

from msgspec.structs import replace

from controller.round import dealing, people
from controller.round.rules import Message, Rules
from controller.round.state import Came, Doubt, Drawn, Table, noted


def excess_named(table: Table, message: Message, rules: Rules) -> Table:
    """The device says which card it called one too many."""
    if table.doubt is not None and (named := _in_doubt(table.doubt, message)) is not None:
        return replace(table, doubt=named)
    drawn = _unnamed(table)
    if drawn is None:
        return noted(table, "the device names a card one too many that nobody has seen leave")
    if drawn.card is not None:
        differs = drawn.exposed and drawn.card != message.card
        return dealing.latch(table, "device_disagrees") if differs else table
    if not drawn.exposed:
        return _with(table, drawn, _face(drawn, message))
    table = people.put_card(table, drawn.n, message.card or "")
    case = table.case
    if case is None or case.waits_for != "enter" or case.given.get("n") != drawn.n:
        return table
    return people.go_on(table, case, rules)  # nobody has to enter it any more


def _in_doubt(doubt: Doubt, message: Message) -> Doubt | None:
    came = [each for each in doubt.came if each.word == "excess" and each.card is None]
    if not came:
        return None
    named = [_came(each, message) if each is came[-1] else each for each in doubt.came]
    return replace(doubt, came=tuple(named))


def _came(came: Came, message: Message) -> Came:
    return replace(came, card=message.card, **_seals(message))


def _face(drawn: Drawn, message: Message) -> Drawn:
    return replace(drawn, card=message.card, unnamed=False, **_seals(message))


def _seals(message: Message) -> dict[str, str | None]:
    return {key: message.given.get(key) for key in ("commitment", "salt")}


def _unnamed(table: Table) -> Drawn | None:
    cards = (*(table.round.cards if table.round else ()), *table.carried)
    return next((drawn for drawn in reversed(cards) if drawn.unnamed), None)


def _with(table: Table, old: Drawn, new: Drawn) -> Table:
    carried = tuple(new if each is old else each for each in table.carried)
    table = replace(table, carried=carried)
    if table.round is None:
        return table
    cards = tuple(new if each is old else each for each in table.round.cards)
    return replace(table, round=replace(table.round, cards=cards))
