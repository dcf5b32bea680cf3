"""What a round that ended otherwise than the shoe saw it leaves to be done there.

A shoe that plays rounds by itself goes on with a round that is void: it would take the next one's
cards for this one's, and the table would stop at each of them. So the next round does not open
before the shoe has ended its own, by the button its maker calls forced exit. The shoe says so
itself; where cards were never seen, that it has nothing more to end would tell of them, and there
the dealer says it. A supervisor may put it aside, with a reason.

Whether the shoe is in a round is followed by what it tells. The step that ends the round at the
table leaves it so, in its own record: no stop of the program comes between.
"""

from typing import Final

from msgspec.structs import replace

from controller.cases import devices
from controller.round import dealing, position
from controller.sentences.codes import Code
from controller.table.approvals import Act
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import EndedAtShoe, PutAside, ShoeRound, Table, change_part, notice
from controller.table.words.devices import (
    CardDrawnWord,
    DeviceResultWord,
    GaveUpWord,
    LinkUpWord,
    ReadFailedWord,
    RoundEndedWord,
    StartedWord,
    StillPlaysWord,
)
from controller.table.words.message import Message
from controller.table.words.people import PutAsideWord, ShoeEndedWord
from controller.table.words.vocabulary import Word
from drivers.events import Where


def to_be_ended(table: Table) -> ShoeRound | None:
    """What is still to be ended at the shoe before the next round; None: nothing is."""
    left = table.devices.left_at_shoe
    return left if left is not None and left.to_be_ended else None


def connected(table: Table, message: Message[LinkUpWord], rules: Rules) -> Table:
    """The shoe can be heard, and its driver tells whether it plays rounds by itself. One that is
    heard for the first time in mid-round may be in that round as well."""
    table = devices.link_up(table, message, rules)
    if message.source != dealing.SHOE:
        return table
    if not message.word.plays_rounds:
        return (
            table
            if table.devices.shoe_plays is None
            else change_part(table, "devices", shoe_plays=None)
        )
    if table.devices.shoe_plays is not None:
        return table
    round_ = table.round
    playing = round_ is not None and not round_.over and bool(round_.cards)
    return change_part(table, "devices", shoe_plays=playing)


def device_result(table: Table, message: Message[DeviceResultWord], rules: Rules) -> Table:
    """Of the round at the table, or of the one that is over there and was still played."""
    if to_be_ended(table) is not None:
        return ended(table, message.source)
    return dealing.device_result(table, message, rules)


def gave_up(table: Table, message: Message[GaveUpWord], rules: Rules) -> Table:
    if to_be_ended(table) is not None:
        return ended(table, message.source)
    return devices.gave_up(table, message, rules)


def started(table: Table, message: Message[StartedWord], rules: Rules) -> Table:
    return devices.started(ended(table, message.source), message, rules)


def followed(before: Table, after: Table, message: Message[Word]) -> Table:
    """With what this step tells of the shoe's own round, and leaves to be done there."""
    if after.devices.shoe_plays is None:
        return after
    word = message.word
    if isinstance(word, _ENDS):
        return (
            change_part(after, "devices", shoe_plays=False) if after.devices.shoe_plays else after
        )
    if not after.devices.shoe_plays and _begins(before, word):
        after = change_part(after, "devices", shoe_plays=True)
    return (
        _left_behind(after)
        if after.devices.shoe_plays and _ended_otherwise(before, after)
        else after
    )


_ENDS: Final = (DeviceResultWord, GaveUpWord, StartedWord, ShoeEndedWord)


_CARDS: Final = (CardDrawnWord, ReadFailedWord)


def _begins(table: Table, word: Word) -> bool:
    """A card that is not burned has left the shoe, read or not."""
    if not isinstance(word, _CARDS):
        return False
    burned = isinstance(word, CardDrawnWord) and word.hand in (Where.FIRST, Where.BURN)
    return not burned and table.shoe is not None and table.shoe.burn_left == 0


def _ended_otherwise(before: Table, after: Table) -> bool:
    """Whether this step ended a round otherwise than the shoe saw it: it is void, or people said
    what a card is or where it lies. No shoe takes a command to end its own, and one that goes on
    takes the next round's cards for this one's."""
    now, then = after.round, before.round
    if now is None or then is None or now.number != then.number or not now.cards:
        return False
    if now.void_by is not None:
        return then.void_by is None
    if not now.over or then.over:
        return False
    if (
        now.interventions.corrected
        or now.interventions.corrections
        or now.interventions.kept_as_laid
        or now.interventions.moved
        or now.device.places_differ
    ):
        return True
    return now.device.result is None and any(each.hand is None for each in now.cards)


def still_plays(table: Table, message: Message[StillPlaysWord], rules: Rules) -> Table:
    """The round is over at the table and not at the shoe."""
    return _left_behind(table)


def _left_behind(table: Table) -> Table:
    round_ = table.round
    if round_ is None or not round_.over or table.devices.left_at_shoe is not None:
        return table
    unseen = any(not drawn.exposed for drawn in position.on_hands(round_))
    left = ShoeRound(round_.number, table.at, by_hand=unseen)
    return notice(change_part(table, "devices", left_at_shoe=left), Code.AT_SHOE_END_ROUND)


def round_ended(table: Table, message: Message[RoundEndedWord], rules: Rules) -> Table:
    return ended(table, message.source)


def ended(table: Table, by: str) -> Table:
    """Nothing is left to be done there, if anything was."""
    left = to_be_ended(table)
    if left is None:
        return table
    table = change_part(table, "devices", left_at_shoe=replace(left, end=EndedAtShoe(by)))
    return notice(table, Code.SHOE_ROUND_ENDED, round=left.round)


def ended_by_hand(table: Table, message: Message[ShoeEndedWord], rules: Rules) -> Table:
    """The dealer's word counts where the shoe's own would tell of cards that nobody saw."""
    rules.may(message, Act.DEAL)
    left = _left(table)
    if not left.by_hand:
        raise Refused(Code.SHOE_SAYS_SO_ITSELF, round=left.round)
    return ended(table, message.name)


def put_aside(table: Table, message: Message[PutAsideWord], rules: Rules) -> Table:
    """The next round opens all the same, by a supervisor's word."""
    rules.may(message, Act.PUT_ASIDE)
    left, reason = _left(table), message.word.reason
    aside = replace(left, end=PutAside(message.name, reason))
    table = change_part(table, "devices", left_at_shoe=aside)
    return notice(table, Code.SHOE_ROUND_PUT_ASIDE, round=left.round, by=message.name, says=reason)


def _left(table: Table) -> ShoeRound:
    left = to_be_ended(table)
    if left is None:
        raise Refused(Code.NOTHING_LEFT_AT_SHOE)
    return left
