"""What a command is: one struct with its fields, and who may send it and when.

A command takes only the fields of its struct; any other is refused by name. The legal commands of a
table, `--help-words`, the web's forms, OpenAPI, JSON Schema and the pages' buttons are all made
from these.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from controller.table import approvals
from controller.table.approvals import Act
from controller.table.phases import ANY_PHASE, Phase

STAFF: Final = ("staff",)
ANYBODY: Final = ("staff", "player")
SHOE: Final = ("shoe",)
SHUFFLER: Final = ("shuffler",)
DEVICES: Final = ("shoe", "shuffler")
SYSTEM: Final = ("system",)
EVERYBODY: Final = "*"
"""Stands for all players where the table does not track wagers: one offer, recorded as made."""
DEALER: Final = "dealer"
"""Stands for the dealer on duty among the players who handle cards."""
NOT_A_PERSON: Final = frozenset({*DEVICES, *SYSTEM, EVERYBODY})
"""Actors the table writes where no person acted; no person may have such a name."""
NOT_A_PLAYER: Final = NOT_A_PERSON | {DEALER}
MAX_NAME: Final = 64
"""Characters in the longest name of anybody or anything."""


class Payload(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The payload of one command or event."""


class Command(Payload, frozen=True):
    """What a person may send, with its fields."""


class DeviceEvent(Payload, frozen=True):
    """What a device, the machine or the site reports, with its fields."""


W = TypeVar("W", bound=Payload)


@dataclass(frozen=True)
class MessageType:
    """A command or event type as the table registers it."""

    name: str
    description: str
    struct: type[Payload]
    speakers: tuple[str, ...]
    act: Act | None
    """The act that authorises it; None where the subject decides, or a device sends it."""
    phases: frozenset[Phase]
    """Phases in which it is legal while nothing holds the table."""
    while_held: bool
    while_restarted: bool
    """It is allowed before a restart is explained."""
    leads_in: frozenset[Phase]
    """Phases in which the table waits for it."""
    counts_first: bool
    """It is refused while cards may be missing."""
    in_person: bool
    """Others rely on the sender's identity: where people sign in it takes the sender's own PIN."""


def shortened_name(name: str) -> str:
    """A made-up name as it is shown to people, cut where it is too long."""
    return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…"


REGISTRY: dict[str, MessageType] = {}
"""Every command and event, in the order of `--help-words`."""


def takes_own_pin(name: str) -> bool:
    """Whether it takes the sender's own PIN where people sign in: by its type, or by the row of its
    act."""
    message_type = REGISTRY[name]
    return message_type.in_person or approvals.approval_row(message_type.act or Act.DEAL).in_person


def command(
    name: str,
    text: str,
    *,
    by: tuple[str, ...] = STAFF,
    act: Act | None = None,
    phases: frozenset[Phase] = ANY_PHASE,
    held: bool = False,
    restarted: bool = False,
    leads_in: tuple[Phase, ...] = (),
    counts_first: bool = False,
    in_person: bool = False,
) -> Callable[[type[W]], type[W]]:
    """Register a struct as a command."""

    def entered(struct: type[W]) -> type[W]:
        REGISTRY[name] = TYPE_OF[struct] = MessageType(
            name,
            text,
            struct,
            by,
            act,
            phases,
            held,
            restarted,
            frozenset(leads_in),
            counts_first,
            in_person,
        )
        TYPE_NAMES[struct] = name
        return struct

    return entered


TYPE_NAMES: dict[type[Payload], str] = {}
TYPE_OF: dict[type[Payload], MessageType] = {}


def device_event(
    name: str,
    text: str,
    *,
    by: tuple[str, ...],
    phases: frozenset[Phase] = ANY_PHASE,
) -> Callable[[type[W]], type[W]]:
    """Register an event that is accepted whatever holds the table, also while it is closed."""
    return command(name, text, by=by, phases=phases, held=True, restarted=True)


# --- kinds of fields ----------------------------------------------------------------------------


def form_field(kind: str, title: str, **more: Any) -> Meta:
    """How a field is asked for: its kind sets which control a page shows. `needed`: a form requires
    it, although JSON lines may leave it out."""
    return Meta(title=title, extra={"kind": kind, **more})


Text: TypeAlias = Annotated[str, Meta(max_length=500, pattern=r"\S")]
Name: TypeAlias = Annotated[str, Meta(max_length=MAX_NAME, pattern=r"\S")]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=10**9)]
MAX_AMOUNT: Final = 10**12
"""The largest amount, in minor units, that a table accepts."""
Amount: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_AMOUNT)]
Money: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_AMOUNT)]
CARD_PATTERN: Final = "^([2-9]|10|[AJQKTajqkt])[SHDCshdc]$"
CardCode: TypeAlias = Annotated[str, Meta(pattern=CARD_PATTERN)]
"""A card as a key: two spellings of one card may be counted apart."""
Numbers: TypeAlias = Annotated[tuple[Number, ...], Meta(max_length=60)]
Reference: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9._:/#-]{0,63}$")]
"""Another system's own name for something."""
WagerId: TypeAlias = Name | Number
WagerIds: TypeAlias = Annotated[tuple[WagerId, ...], Meta(max_length=200)]
