"""The shoe's own round, when it has to be ended after the table ended the round otherwise.

A shoe that plays rounds by itself goes on with a round that is void: it would take the next round's
cards for this one's, and the table would stop at each of them. So the next round does not open
before the shoe has ended its own, by the button its maker calls forced exit. The shoe reports this
itself. Where cards were never seen, that report would give them away, so the dealer confirms it
instead. A supervisor may waive it, with a reason.

Whether the shoe is in a round is derived from its events. The step that ends the round at the table
stores this in its own record, so a crash cannot separate the two.
"""

from typing import Final

from msgspec.structs import replace

from controller.cases import devices
from controller.messages.codes import Code
from controller.round import dealing, position
from controller.table.approvals import Act
from controller.table.commands.device_events import (
    CardDrawnEvent,
    DeviceResultEvent,
    GaveUpEvent,
    LinkUpEvent,
    ReadFailedEvent,
    RoundEndedEvent,
    StartedEvent,
    StillPlaysEvent,
)
from controller.table.commands.message import Message
from controller.table.commands.people import PutAsideCommand, ShoeEndedCommand
from controller.table.commands.registry import Payload
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import EndedAtShoe, PutAside, ShoeRound, Table, change_part, notify
from drivers.events import Where


def unfinished_round(table: Table) -> ShoeRound | None:
    """The round still to be ended at the shoe before the next one; None where there is none."""
    left = table.devices.left_at_shoe
    return left if left is not None and left.to_be_ended else None


def handle_link_up(table: Table, message: Message[LinkUpEvent], rules: Rules) -> Table:
    """Handle a shoe that is online and reports whether it plays rounds by itself. A shoe that comes
    online for the first time in mid-round may be in that round as well."""
    table = devices.handle_link_up(table, message, rules)
    if message.source != dealing.SHOE:
        return table
    if not message.payload.plays_rounds:
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


def handle_device_result(table: Table, message: Message[DeviceResultEvent], rules: Rules) -> Table:
    """Handle a result of the round at the table, or of one that is over there and still ran at the
    shoe."""
    if unfinished_round(table) is not None:
        return mark_ended(table, message.source)
    return dealing.handle_device_result(table, message, rules)


def handle_round_given_up(table: Table, message: Message[GaveUpEvent], rules: Rules) -> Table:
    if unfinished_round(table) is not None:
        return mark_ended(table, message.source)
    return devices.handle_round_given_up(table, message, rules)


def handle_restart(table: Table, message: Message[StartedEvent], rules: Rules) -> Table:
    return devices.handle_restart(mark_ended(table, message.source), message, rules)


def follow_shoe_round(before: Table, after: Table, message: Message[Payload]) -> Table:
    """Update the shoe's own round from this step's events, and what is left to be done at the
    shoe."""
    if after.devices.shoe_plays is None:
        return after
    payload = message.payload
    if isinstance(payload, _ENDS):
        return (
            change_part(after, "devices", shoe_plays=False) if after.devices.shoe_plays else after
        )
    if not after.devices.shoe_plays and _begins(before, payload):
        after = change_part(after, "devices", shoe_plays=True)
    return (
        _left_behind(after)
        if after.devices.shoe_plays and _ended_otherwise(before, after)
        else after
    )


_ENDS: Final = (DeviceResultEvent, GaveUpEvent, StartedEvent, ShoeEndedCommand)


_CARDS: Final = (CardDrawnEvent, ReadFailedEvent)


def _begins(table: Table, payload: Payload) -> bool:
    """Whether the event begins a round of the shoe: a card that is not burned has left it, read or
    not."""
    if not isinstance(payload, _CARDS):
        return False
    burned = isinstance(payload, CardDrawnEvent) and payload.hand in (Where.FIRST, Where.BURN)
    return not burned and table.shoe is not None and table.shoe.burn_left == 0


def _ended_otherwise(before: Table, after: Table) -> bool:
    """Whether this step ended a round otherwise than the shoe saw it: it is void, or people entered
    a card or moved one. No shoe takes a command to end its own round, and one that goes on takes
    the next round's cards for this one's."""
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


def handle_still_plays(table: Table, message: Message[StillPlaysEvent], rules: Rules) -> Table:
    """Record that the round is over at the table and not at the shoe."""
    return _left_behind(table)


def _left_behind(table: Table) -> Table:
    round_ = table.round
    if round_ is None or not round_.over or table.devices.left_at_shoe is not None:
        return table
    unseen = any(not drawn.exposed for drawn in position.hand_cards(round_))
    left = ShoeRound(round_.number, table.at, by_hand=unseen)
    return notify(change_part(table, "devices", left_at_shoe=left), Code.AT_SHOE_END_ROUND)


def handle_round_ended(table: Table, message: Message[RoundEndedEvent], rules: Rules) -> Table:
    return mark_ended(table, message.source)


def mark_ended(table: Table, by: str) -> Table:
    """Record that nothing is left to be done at the shoe, if anything was."""
    left = unfinished_round(table)
    if left is None:
        return table
    table = change_part(table, "devices", left_at_shoe=replace(left, end=EndedAtShoe(by)))
    return notify(table, Code.SHOE_ROUND_ENDED, round=left.round)


def end_shoe_round(table: Table, message: Message[ShoeEndedCommand], rules: Rules) -> Table:
    """The dealer's confirmation counts where the shoe's own report would give away unseen cards."""
    rules.require_act(message, Act.DEAL)
    left = _left(table)
    if not left.by_hand:
        raise Refused(Code.SHOE_SAYS_SO_ITSELF, round=left.round)
    return mark_ended(table, message.actor)


def put_shoe_round_aside(table: Table, message: Message[PutAsideCommand], rules: Rules) -> Table:
    """Waive the shoe's round by a supervisor's command: the next round opens all the same."""
    rules.require_act(message, Act.PUT_ASIDE)
    left, reason = _left(table), message.payload.reason
    aside = replace(left, end=PutAside(message.actor, reason))
    table = change_part(table, "devices", left_at_shoe=aside)
    return notify(table, Code.SHOE_ROUND_PUT_ASIDE, round=left.round, by=message.actor, says=reason)


def _left(table: Table) -> ShoeRound:
    left = unfinished_round(table)
    if left is None:
        raise Refused(Code.NOTHING_LEFT_AT_SHOE)
    return left
