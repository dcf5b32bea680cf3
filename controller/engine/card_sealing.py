"""Seals what must stay hidden before the step is decided, even if the step is then refused."""

from typing import Any, Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from controller.cases.manual_entry import manual_mode
from controller.game.hands import Outcome
from controller.journal.bodies import Given
from controller.messages.codes import Code
from controller.round import position
from controller.table.case import AwaitsCounts, AwaitsKept
from controller.table.commands.device_events import (
    CardDrawnEvent,
    DeviceResultEvent,
    ExcessCardEvent,
    ExcessNamedEvent,
    ReadFailedEvent,
)
from controller.table.commands.message import MalformedPayload, Message, Seal
from controller.table.commands.people import DealCardCommand, EnterCardCommand
from controller.table.commands.registry import REGISTRY, Payload
from controller.table.rules import Rules
from controller.table.state import Table
from drivers.cards import Card

_WINNERS: Final = (Outcome.PLAYER, Outcome.BANKER, Outcome.TIE)
_PAIRS: Final = (None, False, True)
_TOLD: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0"
"""The winner and both pair bits, as one character."""
_NO_TOTAL: Final = "-"

_TELLS_A_CARD: Final = (CardDrawnEvent, ReadFailedEvent, ExcessCardEvent, ExcessNamedEvent)
"""The events by which a device reports a card that has left the shoe."""
_MAY_HIDE: Final = frozenset(
    {MalformedPayload, DeviceResultEvent, EnterCardCommand, DealCardCommand, *_TELLS_A_CARD}
)
"""Every payload that may reveal a hidden card or result."""


class Sealing(Protocol):
    """Encrypts a face-down card: see `controller.journal.seal`."""

    def seal(self, card_code: str | None, frame: bytes) -> Any: ...


class SealedMessage(Struct, frozen=True, gc=False):
    """The message to carry out, and the form in which it is recorded."""

    message: Message[Payload]
    shown: Message[Payload]
    """The public form of the message: a sealed card shows only its commitment."""
    blob: bytes | None = None


def seal_message(
    table: Table, message: Message[Payload], rules: Rules, sealer: Sealing
) -> SealedMessage:
    """Seal the message's card or result if it is still hidden."""
    payload = message.payload
    if type(payload) not in _MAY_HIDE:
        return unsealed_message(message)
    if type(payload) in _TELLS_A_CARD or isinstance(payload, DealCardCommand):
        return _covered_card(table, message, rules, sealer)
    if isinstance(payload, EnterCardCommand) and _cards_are_kept(table):
        return _covered_card(table, message, rules, sealer)  # any other card is exposed by now
    if (
        isinstance(payload, DeviceResultEvent)
        and payload.winner is not None
        and _a_card_is_hidden(table)
    ):
        return _sealed(message, result_code(payload), sealer)
    if isinstance(payload, MalformedPayload) and _may_hide(table, payload):
        return _sealed(message, _told_card(payload), sealer)
    return unsealed_message(message)


def result_code(event: DeviceResultEvent) -> str:
    """A device's result in its sealed form, always three characters."""
    assert event.winner is not None
    place = _WINNERS.index(event.winner) * 9 + _PAIRS.index(event.player_pair) * 3
    totals = (event.player_total, event.banker_total)
    shown = "".join(_NO_TOTAL if each is None else str(each) for each in totals)
    return _TOLD[place + _PAIRS.index(event.banker_pair)] + shown


def result_of(code: str | None) -> DeviceResultEvent:
    """The result that `result_code` encoded."""
    assert code is not None
    place = _TOLD.index(code[0])
    player, banker = (None if each == _NO_TOTAL else int(each) for each in code[1:])
    return DeviceResultEvent(
        winner=_WINNERS[place // 9],
        player_pair=_PAIRS[place // 3 % 3],
        banker_pair=_PAIRS[place % 3],
        player_total=player,
        banker_total=banker,
    )


def unsealed_message(message: Message[Payload]) -> SealedMessage:
    """A message that contains nothing to hide."""
    return SealedMessage(message, message)


def _covered_card(
    table: Table, message: Message[Payload], rules: Rules, sealer: Sealing
) -> SealedMessage:
    card = getattr(message.payload, "card", None)
    # A finished shoe passes through once more for the count; its cards are not dealt.
    if table.decks.rest is not None or _lies_open(table, message, rules):
        return unsealed_message(message)
    return _sealed(message, card, sealer)


def _cards_are_kept(table: Table) -> bool:
    return table.case is not None and isinstance(table.case.awaits, AwaitsCounts | AwaitsKept)


def _may_hide(table: Table, payload: MalformedPayload) -> bool:
    """Whether a malformed payload may reveal a hidden card or result, although it is refused."""
    struct = REGISTRY[payload.name].struct
    if struct is DeviceResultEvent:
        return _a_card_is_hidden(table)
    if struct in _TELLS_A_CARD or struct is DealCardCommand:
        return True
    return struct is EnterCardCommand and _cards_are_kept(table)


def _told_card(payload: MalformedPayload) -> str | None:
    """The card or result in a malformed payload, in its sealed form."""
    answer = payload.fields.get(_field(payload))
    try:
        if _field(payload) == "winner":
            return result_code(DeviceResultEvent(winner=Outcome(answer)))
        return Card.parse(answer) if isinstance(answer, str) else None
    except ValueError:
        return None


def _field(payload: MalformedPayload) -> str:
    return "winner" if REGISTRY[payload.name].struct is DeviceResultEvent else "card"


def _a_card_is_hidden(table: Table) -> bool:
    """Whether a card is hidden; a device's result then reveals hands as surely as their cards."""
    return table.round is not None and any(not drawn.exposed for drawn in table.round.cards)


def _sealed(message: Message[Payload], code: str | None, sealer: Sealing) -> SealedMessage:
    sealed = sealer.seal(code, message.frame)
    seal = Seal(sealed.commitment, sealed.salt.hex())
    kept = replace(message, seal=seal, frame=b"")
    return SealedMessage(
        kept, replace(mask_message(kept), seal=Seal(sealed.commitment)), sealed.blob
    )


def _lies_open(table: Table, message: Message[Payload], rules: Rules) -> bool:
    """Whether the card is exposed when it is read. A card set aside is face down."""
    shoe, round_, kind = table.shoe, table.round, type(message.payload)
    if shoe is None or not table.day.is_open or table.count_check is not None:
        return False
    if kind is DealCardCommand:
        return manual_mode.is_next_card_open(table, rules)
    if kind is EnterCardCommand:
        return False
    if shoe.burn_left is None:
        return True
    if kind in _LIES_ASIDE or round_ is None or round_.face_down:
        return False
    return position.target_hand(rules.book, table) is not None


_LIES_ASIDE: Final = (ExcessCardEvent, ExcessNamedEvent)


def mask_message(message: Message[Payload]) -> Message[Payload]:
    """The message without its sealed values."""
    payload = message.payload
    if isinstance(payload, MalformedPayload):
        return replace(message, payload=replace(payload, fields=_emptied(payload)))
    if isinstance(payload, DeviceResultEvent):
        return replace(message, payload=DeviceResultEvent(winner=None))
    return with_card(message, None)


def _emptied(payload: MalformedPayload) -> Given:
    """The payload with its field names and without values, any of which may spell the card. On
    replay it must be refused for the same field, so an invalid value is replaced by another invalid
    one."""
    bad = payload.reason.params.get("field") if payload.reason.code == _NOT_AS_IT_MUST_BE else None
    return {name: {} if name == bad else None for name in payload.fields}


_NOT_AS_IT_MUST_BE: Final = Code.FIELD_NOT_AS_IT_MUST_BE.value


def with_card(message: Message[Payload], card: Card | None) -> Message[Payload]:
    payload = message.payload
    if isinstance(payload, _HAVE_A_CARD):
        return replace(message, payload=replace(payload, card=card))
    return message


_HAVE_A_CARD: Final = (
    CardDrawnEvent,
    ExcessCardEvent,
    ExcessNamedEvent,
    EnterCardCommand,
    DealCardCommand,
)


def unseal_message(message: Message[Payload], code: str | None) -> Message[Payload]:
    """A recorded message with its sealed value restored, for replay."""
    payload = message.payload
    if isinstance(payload, MalformedPayload):
        return message  # it is refused for a field's name or type, so no value is needed
    if isinstance(payload, DeviceResultEvent):
        return replace(message, payload=result_of(code))
    return with_card(message, None if code is None else Card(code))
