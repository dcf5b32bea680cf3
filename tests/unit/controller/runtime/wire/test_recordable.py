"""An event that conforms to the contract can be recorded and read again; no other is taken."""

from dataclasses import fields, replace
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from controller.runtime.devices import ConnectedDevice
from controller.runtime.wire import driver_steps
from drivers.cards import DECK, Card
from drivers.conformity import MAX_CARDS, MAX_TEXT, conforms
from drivers.events import REPORTED_BY, Event, ExcessCard, LinkUp, ShuffleVerified, Verdict
from support.devices import line_shoe
from support.rows import each_row

KINDS = sorted({each for of in REPORTED_BY.values() for each in of}, key=lambda kind: kind.__name__)


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Everything that a field declared so may be."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (UnionType, Union):
        return st.one_of(*map(values, arguments))
    if origin is tuple:
        return st.lists(values(arguments[0]), max_size=3).map(tuple)
    if origin is Annotated:
        return st.sampled_from(arguments[1])
    plain: dict[Any, st.SearchStrategy[Any]] = {
        Card: st.sampled_from(DECK),
        int: st.integers(-(2**63), 2**63 - 1),
    }
    if issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    return plain[hint] if hint in plain else st.from_type(hint)


def events() -> st.SearchStrategy[Event]:
    def of(kind: type[Any]) -> st.SearchStrategy[Event]:
        hints = get_type_hints(kind, include_extras=True)
        return st.builds(kind, **{each.name: values(hints[each.name]) for each in fields(kind)})

    return st.sampled_from(KINDS).flatmap(of)


@given(event=events(), name=st.sampled_from(["shoe", "shuffler"]))
def test_what_conforms_is_recorded_and_read_again_as_it_was(event: Event, name: str) -> None:
    device = ConnectedDevice(name, line_shoe.Driver(), line_shoe.SHEET, "memory", lambda _: None)
    message = driver_steps.device_message(device, event)
    if message is not None:
        written = msgspec.json.encode(message.payload)
        assert msgspec.json.decode(written, type=type(message.payload)) == message.payload


class Other:
    """Of no type that any event declares."""


@given(event=events(), data=st.data())
def test_a_field_of_another_type_does_not_conform(event: Any, data: st.DataObject) -> None:
    assert conforms(event)
    for name in [each.name for each in fields(event)]:
        wrong = data.draw(st.sampled_from([Other(), 1.5, [1], {}, ("9H",), (True,)]))
        assert not conforms(replace(event, **{name: wrong})), name


@each_row(
    "event",
    [
        ExcessCard(why="\ud800"),
        ExcessCard(why="x" * (MAX_TEXT + 1)),
        ExcessCard(frame=b"x" * (MAX_TEXT + 1)),
        ShuffleVerified(Verdict.WRONG, cards=2**63),
        ShuffleVerified(Verdict.WRONG, cards=True),
        ShuffleVerified(Verdict.WRONG, missing=(DECK[0],) * (MAX_CARDS + 1)),
    ],
)
def test_what_no_record_could_hold_does_not_conform(event: Event) -> None:
    assert not conforms(event)


def test_what_the_port_tells_conforms() -> None:
    assert conforms(LinkUp(first=False))
