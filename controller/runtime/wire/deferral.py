"""Defers events that would reveal face-down cards until the cards are exposed.

A shoe that reports its result, or the end of its round, after four cards reveals that no third card
is due. If the cards are never exposed, the event is never recorded, counted or shown.
"""

from controller.runtime import card_redaction
from controller.runtime.devices import ConnectedDevice
from controller.runtime.wire import translate
from controller.table.state import Table
from drivers.conformity import conforms
from drivers.events import ErrorCleared, ErrorRaised, Event


def is_withheld(device: ConnectedDevice, event: Event, table: Table) -> bool:
    """Whether the event is not handled now. An event that may be handled later is kept in
    `device.held`."""
    if translate.tells_hands(event) and card_redaction.is_face_down(table):
        device.held.append(event)
        return True
    return _is_never_handled(device, event, table)


def _is_never_handled(device: ConnectedDevice, event: Event, table: Table) -> bool:
    if isinstance(event, ErrorRaised | ErrorCleared) and not conforms(event):
        return False  # the driver fails; for a result even the failure would reveal it
    if isinstance(event, ErrorCleared) and event.code in device.untold:
        device.untold.discard(event.code)
        return True
    plays = table.devices.shoe_plays is not None
    tells = translate.tells_its_end(event) if plays else translate.tells_hands(event)
    if not tells or device.name != translate.SHOE or not card_redaction.has_unseen_cards(table):
        return False
    if isinstance(event, ErrorRaised):
        device.untold.add(event.code)
    return True


def next_released_event(device: ConnectedDevice, table: Table) -> Event | None:
    """Remove the oldest deferred event that may be handled now from `device.held`, and return
    it."""
    if device.held and card_redaction.has_unseen_cards(table):
        device.held.clear()
    return device.held.popleft() if device.held and not card_redaction.is_face_down(table) else None
