"""What a step did to the table, as it is recorded beside the words that did it.

A release that did not decide a step takes its effect from here and judges nothing. So an effect is
plain data about the state and knows no rule: fields that were set, values that were added to a
list or stand in the place of others, and the same again inside the shoe and the round. It is made
by looking which values are other ones than before; what a step leaves alone it leaves identical.

No hidden card is in it. Such a card is known by its commitment, and whoever holds the key puts it
back from the sealed part of the record in which it was drawn.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import astuple, replace

from controller.engine.sealing import WINNER_OF
from controller.journal.seal import check
from controller.round.wager_index import change_of
from controller.table.cards import Drawn, UnplacedCard
from controller.table.case import Case
from controller.table.state import CHANGES_OFTEN, DeviceResult, Doubt, Round, Shoe, Table

LooseState = dict[str, Any]
"""A table as plain data, in the form of whichever release wrote it."""


class Delta(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """From one state to the next."""

    set: dict[str, Any] = {}
    """Fields with their new values."""
    add: dict[str, Any] = {}
    """Fields that are lists, with what was added at their end."""
    splice: dict[str, "Splice"] = {}
    """Fields that are lists, with what takes the place of a part of them."""
    within: dict[str, "Delta"] = msgspec.field(name="in", default={})
    """Fields that are structs of their own."""


class Splice(msgspec.Struct, frozen=True, array_like=True):
    """`by` in the place of what stood from `start` to `end`."""

    start: int
    end: int
    by: Any


class Secret(msgspec.Struct, frozen=True):
    """What a sealed record holds."""

    code: str | None
    salt: str

    def __repr__(self) -> str:
        return "Secret(...)"


Secrets = Mapping[str, Secret]
"""What sealed records hold, by commitment."""


def effect(before: Table, after: Table) -> Delta:
    """What made the one of the other, with no hidden card in it."""
    return _between(before, after)


def _between(before: Table | Shoe | Round, after: Table | Shoe | Round) -> Delta:
    put: dict[str, Any] = {}
    add: dict[str, Any] = {}
    splice: dict[str, Splice] = {}
    within: dict[str, Delta] = {}
    names, often, covers = _FIELDS[type(after)]
    then, since = astuple(before), astuple(after)
    # One comparison for the many fields that most steps leave alone.
    start = often if then[:often] == since[:often] else 0
    for place in range(start, len(names)):
        was, now = then[place], since[place]
        if was is now:
            continue
        name, kind = names[place], type(now)
        if (kind is Round or kind is Shoe) and was is not None and was.number == now.number:
            within[name] = _between(was, now)
        elif name == _WAGERS and (changed := _wagers_changed(after, was)) is not None:
            splice[name] = changed
        elif kind is tuple and was and len(now) > len(was) and now[: len(was)] == was:
            cover, more = covers.get(name), now[len(was) :]
            add[name] = more if cover is None else cover(more)
        elif was != now:
            cover = covers.get(name)
            put[name] = now if cover is None or now is None else cover(now)
    return Delta(put, add, splice, within)


_WAGERS: Final = "wagers"


def _wagers_changed(after: Any, was: object) -> "Splice | None":
    """A round may have ten thousand wagers: whoever changed one knows which, and says of which
    wagers it made the others. Where it was other ones, all are written."""
    change = change_of(after)
    known = change is not None and change.before is was
    return Splice(change.start, change.end, change.by) if change and known else None


def apply(delta: Delta, onto: LooseState) -> None:
    """Take a recorded step, in place."""
    onto.update(delta.set)
    for name, more in delta.add.items():
        _list(onto, name).extend(more)
    for name, splice in delta.splice.items():
        _list(onto, name)[splice.start : splice.end] = splice.by
    for name, inner in delta.within.items():
        apply(inner, onto[name])


def _list(onto: LooseState, name: str) -> list[Any]:
    """One that can be added to: what comes from a table is a tuple."""
    if type(onto[name]) is tuple:
        onto[name] = list(onto[name])
    found: list[Any] = onto[name]
    return found


# --- hidden cards -------------------------------------------------------------------------------

_Card = TypeVar("_Card", Drawn, UnplacedCard)


def _cover_drawn(drawn: Drawn) -> Drawn:
    return drawn if drawn.exposed else _cover_card(drawn)


def _cover_card(card: _Card) -> _Card:
    if card.commitment is None or card.salt is None:
        return card
    # A face that people entered is known, and is not the one behind the commitment; the salt would
    # still open that one.
    sealed = check(card.commitment, card.salt, card.card)
    return replace(card, card=None if sealed else card.card, salt=None)


def _cover_cards(cards: tuple[Drawn, ...]) -> tuple[Drawn, ...]:
    return tuple(map(_cover_drawn, cards))


def _cover_result(says: DeviceResult) -> DeviceResult:
    """It is kept only while a card of a hand is hidden, which it would give away."""
    return says if says.commitment is None else replace(says, winner=None)


def _cover_round(round_: Round) -> Round:
    says = round_.device_says
    return replace(
        round_, cards=_cover_cards(round_.cards), device_says=says and _cover_result(says)
    )


def _cover_doubt(doubt: Doubt) -> Doubt:
    return replace(doubt, came=tuple(map(_cover_card, doubt.came)))


def _cover_case(case: Case) -> Case:
    return replace(case, kept=_cover_cards(case.kept))


def _plain(value: object) -> Any:
    """Hands are the keys of some dicts of the state, and only plain data has its keys sorted."""
    return msgspec.to_builtins(value, str_keys=True)


_Cover = Callable[[Any], Any]
_FIELDS: Final[dict[type, tuple[tuple[str, ...], int, dict[str, _Cover]]]] = {
    Table: (
        Table.__struct_fields__,
        Table.__struct_fields__.index(CHANGES_OFTEN[Table]),
        {
            "round": lambda round_: _plain(_cover_round(round_)),
            "carried": _cover_cards,
            "doubt": _cover_doubt,
            "case": lambda case: _plain(_cover_case(case)),
            "queue": lambda queue: _plain(tuple(map(_cover_case, queue))),
        },
    ),
    Shoe: (Shoe.__struct_fields__, Shoe.__struct_fields__.index(CHANGES_OFTEN[Shoe]), {}),
    Round: (
        Round.__struct_fields__,
        Round.__struct_fields__.index(CHANGES_OFTEN[Round]),
        {
            "cards": _cover_cards,
            "device_says": _cover_result,
            "handlers": _plain,
            "refusals": _plain,
        },
    ),
}
"""The fields of what a step is looked for in, from which on they change often, and how those
are written that may hide a card or have hands for keys."""


def state(table: Table) -> LooseState:
    """The whole table as plain data, with no hidden card in it."""
    shown = replace(
        table,
        round=table.round and _cover_round(table.round),
        carried=_cover_cards(table.carried),
        doubt=table.doubt and _cover_doubt(table.doubt),
        case=table.case and _cover_case(table.case),
        queue=tuple(map(_cover_case, table.queue)),
    )
    found: LooseState = _plain(shown)
    return found


def uncovered(table: Table, secrets: Secrets) -> Table:
    """The table with its hidden cards put back."""
    return replace(
        table,
        round=table.round and _uncover_round(table.round, secrets),
        carried=_put_back(table.carried, secrets),
        doubt=table.doubt and replace(table.doubt, came=_put_back(table.doubt.came, secrets)),
        case=table.case and _uncover_case(table.case, secrets),
        queue=tuple(_uncover_case(case, secrets) for case in table.queue),
    )


def _uncover_case(case: Case, secrets: Secrets) -> Case:
    return replace(case, kept=_put_back(case.kept, secrets))


def _uncover_round(round_: Round, secrets: Secrets) -> Round:
    says = round_.device_says
    if says is not None and says.commitment is not None:
        says = replace(says, winner=WINNER_OF[secrets[says.commitment].code or ""])
    return replace(round_, cards=_put_back(round_.cards, secrets), device_says=says)


def _put_back(cards: tuple[_Card, ...], secrets: Secrets) -> tuple[_Card, ...]:
    return tuple(_uncover_card(card, secrets) for card in cards)


def _uncover_card(card: _Card, secrets: Secrets) -> _Card:
    if card.commitment is None or card.salt is not None:
        return card
    secret = secrets.get(card.commitment)
    if secret is None:
        return card
    return replace(card, card=secret.code if card.card is None else card.card, salt=secret.salt)
