"""A card too many that the dealer discarded with a button of the shoe."""

from msgspec.structs import replace

from controller.game.rulebook import KEPT, Excess
from controller.messages.codes import Code
from controller.round import position, reconstruction
from controller.table.agenda.order import is_busy
from controller.table.cards import Drawn
from controller.table.commands.device_events import ExcessDiscardedEvent
from controller.table.commands.message import Message
from controller.table.holds import Hold, HoldReason
from controller.table.rules import Rules
from controller.table.state import Table, add_hold, notify


def handle_excess_discarded(
    table: Table, message: Message[ExcessDiscardedEvent], rules: Rules
) -> Table:
    """Handle a discard at the shoe. Where the house burns such a card, this follows the ruling.
    Where the table keeps it for the next round, the card is out if the book leaves that choice to
    the house; otherwise it stays, and a person checks where it is."""
    drawn = _kept_for_the_next(table, rules)
    if drawn is None:
        return table
    uses = rules.book.excess
    if Excess.BURN in uses.allowed:
        table = notify(
            _thrown_away(table, drawn), Code.EXCESS_DISCARDED, n=drawn.n, clause=uses.clause
        )
    else:
        table = notify(table, Code.EXCESS_STAYS, n=drawn.n, clause=uses.clause)
    held = Hold(HoldReason.EXCESS_DISCARDED, table.at, message.source, number=drawn.n)
    return add_hold(table, held)


def _kept_for_the_next(table: Table, rules: Rules) -> Drawn | None:
    """The latest card kept to begin the next round. None while cards are counted, a case is open or
    a card is due: its use is not decided yet."""
    if is_busy(table):
        return None
    round_ = table.round
    if round_ is None or round_.over:
        return table.carried[-1] if table.carried and rules.excess in KEPT else None
    aside = reconstruction.carried_cards(round_, rules)
    due = position.target_hand(rules.book, table) is not None
    return aside[-1] if aside and not due else None


def _thrown_away(table: Table, drawn: Drawn) -> Table:
    round_ = table.round
    if round_ is None or round_.over:
        return replace(table, carried=tuple(each for each in table.carried if each is not drawn))
    out = replace(drawn, discarded=True)
    cards = tuple(out if each is drawn else each for each in round_.cards)
    return replace(table, round=replace(round_, cards=cards))
