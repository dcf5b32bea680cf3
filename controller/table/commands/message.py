"""A message: who sends which command, and the JSON line it comes from and is recorded as.

Outside, a line is `{"at", "from", "who", "role", "do" or "event", "with": {...}}`; the most
frequent fields of devices (`card hand index code winner`) stand on the line itself. Inside,
`Message.word` is the command's own struct. What does not fit its struct becomes `Malformed`: the
table refuses it by name and records it as it came.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import replace

import controller.table.commands.device_events  # noqa: F401  (enters the devices' words)
from controller.journal.bodies import NO_TIME, ON_THE_LINE, Given, JsonLine
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table.commands import reports
from controller.table.commands.registry import (
    ANYBODY,
    REGISTRY,
    TYPE_NAMES,
    TYPE_OF,
    MessageType,
    Payload,
    shortened_name,
)


class MalformedPayload(Payload, frozen=True):
    """A known command with fields it does not have, or with wrong values."""

    name: str
    fields: Given
    reason: Sentence


FLOOR: Final = "floor"
"""A person's command that the floor forwarded, over its signature."""

W_co = TypeVar("W_co", bound=Payload, covariant=True)


class Seal(msgspec.Struct, frozen=True, gc=False):
    """The identification of a sealed card before it is exposed."""

    commitment: str | None = None
    salt: str | None = None


NO_SEAL: Final = Seal()


class Message(msgspec.Struct, Generic[W_co], frozen=True, gc=False):
    """One command or event, and who sends it."""

    source: str
    payload: W_co
    at: float = NO_TIME
    who: str | None = None
    role: str | None = None
    key: str | None = None
    """Made for each tap of a button, so that a repeated request acts once."""
    mark: str | None = None
    """A digest of what was sent with the key, so that the key cannot be used for anything else."""
    frame: bytes = b""
    """The device's own bytes, kept next to what they were read as; sealed where the card is."""
    seal: Seal = NO_SEAL
    via: str | None = None
    """The way a command came that was not sent at the table: `FLOOR`. None: it was sent there."""

    @property
    def type(self) -> str:
        """The name of the command or event."""
        return type_name(self.payload)

    @property
    def actor(self) -> str:
        """The actor who sends it."""
        return self.who or self.source


def type_name(payload: Payload) -> str:
    return payload.name if type(payload) is MalformedPayload else TYPE_NAMES[type(payload)]


def message_type(payload: Payload) -> MessageType | None:
    """The registry entry; None for an unknown type."""
    return (
        REGISTRY.get(payload.name)
        if type(payload) is MalformedPayload
        else TYPE_OF.get(type(payload))
    )


def is_known_type(type_: str) -> bool:
    return type_ in REGISTRY


def message_from_line(line: JsonLine) -> Message[Payload]:
    """The typed message; its type must be `known`."""
    return Message(
        line.source,
        typed_payload(line.type, line.fields()),
        at=line.at,
        who=line.who,
        role=line.role,
        key=line.key,
        mark=line.mark,
        frame=line.frame,
        seal=Seal(line.commitment) if line.commitment else NO_SEAL,
        via=line.via,
    )


def new_message(source: str, type_: str, **more: Any) -> Message[Payload]:
    """A message by its type's name: `at who role key frame via` are the envelope, the rest is the
    payload."""
    names = ("at", "who", "role", "key", "frame", "via")
    envelope = {name: more.pop(name) for name in names if name in more}
    return Message(source, typed_payload(type_, more), **envelope)


def typed_payload(type_: str, given: Given) -> Payload:
    """The payload from its fields; `Malformed`, with the field, where it does not fit."""
    if type_ == "report" and (why := reports.misplaced_field(given)):
        return MalformedPayload(type_, given, why)
    try:
        return msgspec.convert(given, REGISTRY[type_].struct, str_keys=False)
    except msgspec.ValidationError:
        return MalformedPayload(type_, given, _why(type_, given))


_NOT_TEXT: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Controls, and characters that turn, hide or break a line: a name with one reads as another
name."""


def has_unprintable_text(given: object) -> bool:
    """Whether any given text holds an unprintable character. Checked where people send commands and
    not for records: what was once accepted stays accepted."""
    if isinstance(given, str):
        return _NOT_TEXT.search(given) is not None
    if isinstance(given, Mapping):
        return any(
            has_unprintable_text(key) or has_unprintable_text(value) for key, value in given.items()
        )
    return isinstance(given, list | tuple) and any(map(has_unprintable_text, given))


def _why(type_: str, given: Given) -> Sentence:
    """The first field that is wrong, and how."""
    fields = msgspec.structs.fields(REGISTRY[type_].struct)
    unknown = sorted(set(given) - {each.encode_name for each in fields})
    if unknown:
        return sentence(Code.NO_SUCH_FIELD, word=type_, field=shortened_name(unknown[0]))
    for each in fields:
        if each.required and each.encode_name not in given:
            return sentence(Code.FIELD_NEEDED, word=type_, field=each.encode_name)
    for each in fields:
        if each.encode_name in given and not _fits(given[each.encode_name], each.type):
            return sentence(Code.FIELD_NOT_AS_IT_MUST_BE, word=type_, field=each.encode_name)
    return sentence(Code.FIELD_NOT_AS_IT_MUST_BE, word=type_, field=type_)


def _fits(value: object, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def json_line(message: Message[Payload]) -> JsonLine:
    """The line a message is recorded as."""
    payload, type_ = message.payload, message.type
    do = event = card = hand = index = code = winner = None
    if message.source in ANYBODY:
        do, given = type_, fields_of(payload)
    elif type(payload) is MalformedPayload:  # which may have fields that fit no line
        event, given = type_, fields_of(payload)
    else:
        event = type_
        card, hand, index, code, winner = [getattr(payload, name, None) for name in ON_THE_LINE]
        given = {
            name: msgspec.to_builtins(value)
            for name, default in _beside_the_line(type(payload))
            if (value := getattr(payload, name)) != default
        }
    return JsonLine(
        message.source,
        message.at,
        event,
        card,
        msgspec.to_builtins(hand),
        index,
        code,
        msgspec.to_builtins(winner),
        message.who,
        message.role,
        do,
        given,
        message.key,
        message.mark,
        message.frame,
        message.seal.commitment,
        message.via,
    )


@cache
def _beside_the_line(struct: type[Payload]) -> tuple[tuple[str, object], ...]:
    """The fields that stand in `with`, and what is not written of each."""
    names, defaults = struct.__struct_fields__, struct.__struct_defaults__
    needed = len(names) - len(defaults)
    every = zip(names, (*[NODEFAULT] * needed, *defaults), strict=True)
    return tuple(each for each in every if each[0] not in ON_THE_LINE)


def fields_of(payload: Payload) -> Given:
    """The fields that were given in the payload, as plain data."""
    found: Given = (
        dict(payload.fields) if type(payload) is MalformedPayload else msgspec.to_builtins(payload)
    )
    return found


def staff_message(type_: str, who: str, role: str, **given: Any) -> Message[Payload]:
    return replace(Message("staff", typed_payload(type_, given)), who=who, role=role)
