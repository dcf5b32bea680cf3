"""The count: people say how many cards lie there, and the table goes on or takes what is missing.

Nobody but the dealer can know this, so one person's word is enough where it agrees. Where it does
not, a second person counts too. A card more than the table knows has left the shoe unread: it takes
the place that was due, before everything that came after the loss. A card fewer is for the role the
book names.
"""

from msgspec.structs import replace

from controller.game.roles import Role
from controller.round import dealing, doubt, procedures
from controller.round.errors import Refused
from controller.round.rules import Message, Rules, wanted
from controller.round.state import Came, Request, Table, noted

MOST = 600
"""More than the largest shoe holds."""

FEWER = "count_differs"
ORDER = "count_order"
"""What no book has a row for: the role it names decides."""


def count(table: Table, message: Message, rules: Rules) -> Table:
    """So many cards lie there. Said unasked it is the dealer's report of a card that was drawn and
    not read: a cable that came out behind a device server says nothing, and neither does a reader
    that saw nothing."""
    rules.need(message, Role.DEALER)
    cards = wanted(message, "cards", int)
    if not 0 <= cards <= MOST:
        raise Refused(f"{cards} cards cannot lie there")
    table = doubt.uncounted(table if table.doubt is not None else _unasked(table))
    difference = cards - doubt.lying(table)
    if not difference:
        return _laid(table, 0, message.name, rules)
    if table.request is not None:
        raise Refused(f"a second person has yet to approve or refuse: {table.request.what}")
    _laid(table, max(0, difference), message.name, rules)  # refused now rather than afterwards
    more = "more" if difference > 0 else "fewer"
    reason = f"{_cards(cards)} on the layout, {abs(difference)} {more} than were read"
    # The difference is kept: a card that comes before the second person speaks does not change it.
    given = {"cards": cards, "difference": difference}
    return replace(table, request=Request(doubt.COUNT, message.name, given, reason))


def _unasked(table: Table) -> Table:
    in_doubt = doubt.raised(table, "the dealer counts the cards")
    if in_doubt.doubt is None:
        raise Refused("no shoe is in use: there are no cards to count")
    return in_doubt


def approved(table: Table, request: Request, rules: Rules) -> Table:
    """A second person has counted too."""
    difference = int(request.given["difference"])
    table = _laid(table, max(0, difference), request.by, rules)
    if difference < 0:
        return procedures.open_case(table, FEWER, request.by, rules)
    return table


def _laid(table: Table, missing: int, by: str, rules: Rules) -> Table:
    """The count is known: what is missing takes its place unread, then what came since."""
    held = table.doubt
    assert held is not None
    table = replace(table, doubt=None)
    if missing:
        table = noted(table, f"{_cards(missing)} left the shoe unread")
    unread = Came("read_failed", None, None, None, None, 0)
    for came in (*[unread] * missing, *held.came):
        table = _lay(table, came, rules)
    if missing and held.gaps > 1:
        # Lost more than once, with cards in between: which came when is for people to say.
        table = procedures.open_case(table, ORDER, by, rules)
    return dealing.take_asides(procedures.next_case(table, rules), rules)


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _lay(table: Table, came: Came, rules: Rules) -> Table:
    given = {"commitment": came.commitment, "salt": came.salt} if came.commitment else {}
    message = Message("shoe", event=came.word, card=came.card, hand=came.hand, given=given)
    carry = dealing.excess if came.word == "excess" else dealing.card
    return carry(table, message, rules)
