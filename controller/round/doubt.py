"""Cards may have left the shoe that nobody read: the table asks how many lie there.

What comes meanwhile waits: where it belongs is not known before the cards are counted. Nothing here
looks at a face.
"""

from msgspec.structs import replace

from controller.round import procedures
from controller.round.rules import Message
from controller.round.state import Came, Doubt, Table, noted

COUNT = "count"
FIRST = "cards may be missing: count those that lie on the layout first"
MAY_SAY = frozenset({COUNT, "approve", "refuse", "enter_card", "open_table"})
"""What people may say before the count is known."""


def raised(table: Table, why: str) -> Table:
    """Doubt about the count; where no shoe is in use there is nothing to count."""
    round_ = table.round
    between = round_ is None or round_.over
    if table.shoe is None or (between and table.change_shoe):
        return table
    doubt = table.doubt
    if doubt is None:
        return replace(noted(table, why), doubt=Doubt(why))
    table = uncounted(table)  # what somebody counted was before this loss
    if not heard_since(doubt):
        return table
    return replace(noted(table, why), doubt=replace(doubt, gaps=doubt.gaps + 1))


def uncounted(table: Table) -> Table:
    """The table without a count that waits for the second person."""
    waits = table.request is not None and table.request.what == COUNT
    return replace(table, request=None) if waits else table


def heard_since(doubt: Doubt) -> bool:
    """Whether a card came after the latest loss; if not, another loss is the same doubt."""
    return bool(doubt.came) and doubt.came[-1].gaps == doubt.gaps


def keep(table: Table, doubt: Doubt, message: Message) -> Table:
    """A card came while the count is in doubt."""
    came = Came(
        message.word,
        message.card,
        message.hand,
        message.given.get("commitment"),
        message.given.get("salt"),
        doubt.gaps,
    )
    return replace(table, doubt=replace(doubt, came=(*doubt.came, came)))


def lying(table: Table) -> int:
    """How many cards the dealer must find: of this round on both hands and aside, those that lie
    over from the last, those that came in doubt; while a shoe is prepared, all that left it."""
    doubt, held, round_ = table.doubt, table.shoe, table.round
    came = len(doubt.came) if doubt is not None else 0
    if held is not None and held.burn_left != 0:
        return held.drawn + came
    in_play = len(round_.cards) if round_ is not None and not round_.over else 0
    kept = len(procedures.kept(table.case)) if table.case is not None else 0
    return in_play + len(table.carried) + kept + came


def where(table: Table) -> str:
    """Which cards are counted, for people."""
    held, round_ = table.shoe, table.round
    if held is not None and held.burn_left != 0:
        return "count all cards that have left this shoe, burned ones too"
    if round_ is None or round_.over:
        return "count the cards on the layout that belong to no finished round"
    return "count the cards of this round on the layout, on both hands and aside"
