"""The effect of a step on the table's state, recorded with its command.

A release that did not decide a step applies this effect and does not judge the step. So an effect
is plain data and contains no rule: fields that were set, values that were appended to a list or
replaced in it, and the same inside nested parts. It is computed by comparing values by identity
first; a step leaves what it does not change identical.

An effect contains no hidden card. Such a card is referred to by its commitment, and the holder of
the key restores it from the sealed part of the record in which it was drawn.
"""

from collections.abc import Callable, Mapping
from itertools import compress
from operator import is_not
from types import UnionType
from typing import Any, Final, NamedTuple, TypeVar, get_args

import msgspec
from msgspec.structs import astuple, replace

from controller.engine.card_sealing import result_of
from controller.journal.bodies import Delta, Splice
from controller.journal.seal import check
from controller.round.wagers.wager_index import last_change
from controller.table.cards import Drawn, UnplacedCard
from controller.table.case import Case
from controller.table.phases import Phase
from controller.table.state import (
    CHANGES_OFTEN,
    CardCount,
    CardCountCheck,
    CountStage,
    DeckKeeping,
    DeviceReport,
    DeviceResult,
    GamingDay,
    HandHandling,
    Interventions,
    KnownDevices,
    PlayHistory,
    PlaySettings,
    Round,
    RoundLog,
    SettledStage,
    Shoe,
    SiteSettings,
    Table,
    TableClocks,
)
from drivers.cards import Card


class Secret(msgspec.Struct, frozen=True):
    """The content of a sealed record."""

    code: str | None
    """The card, or the result."""
    salt: str

    @property
    def card(self) -> Card | None:
        return None if self.code is None else Card(self.code)

    def __repr__(self) -> str:
        return "Secret(...)"


Secrets = Mapping[str, Secret]
"""The contents of sealed records, by commitment."""


def effect(before: msgspec.Struct, after: msgspec.Struct) -> Delta:
    """The difference between two states, without hidden cards."""
    made = Delta({}, {}, {}, {})
    often, every, seldom, covers = _FIELDS[type(after)]
    then, since = astuple(before), astuple(after)
    # One comparison covers the many fields that most steps do not change. If one of those differs,
    # each is compared; the few fields that change often are always compared.
    same = then[:seldom] == since[:seldom]
    for place, name, plain in often if same else compress(every, map(is_not, then, since)):
        was, now = then[place], since[place]
        if was is now:
            continue
        if plain:
            if was != now:
                made.set[name] = now
            continue
        kind, cover = type(now), covers.get(name)
        if kind in _FIELDS and kind is type(was) and _is_the_same(was, now):
            if (inner := effect(was, now)) != _NOTHING:
                made.within[name] = inner
        elif name == _WAGERS and (changed := _wagers_changed(after, was)) is not None:
            made.splice[name] = changed
        elif kind is tuple and 0 < (had := len(was)) < len(now) and now[:had] == was:
            more = now[had:]
            made.add[name] = more if cover is None else cover(more)
        elif was != now:
            made.set[name] = now if cover is None or now is None else cover(now)
    return made


_NOTHING: Final = Delta()


def _is_the_same(was: Any, now: Any) -> bool:
    """Whether the value is the same round or shoe, and not a new one."""
    kind = type(now)
    return (kind is not Round and kind is not Shoe) or was.number == now.number


_WAGERS: Final = "wagers"


def _wagers_changed(after: Any, was: object) -> "Splice | None":
    """The changed range of the wagers. A round may have ten thousand, so the function that changes
    them notes which; if the note does not apply, all are written."""
    change = last_change(after)
    known = change is not None and change.before is was
    return Splice(change.start, change.end, change.by) if change and known else None


class PlainState(msgspec.Struct):
    """A table, or a struct in it, as plain data in the format of the release that wrote it."""

    fields: dict[str, Any] = {}

    def apply(self, delta: Delta) -> None:
        """Apply a recorded step, in place."""
        self.fields.update(delta.set)
        for name, more in delta.add.items():
            self._list(name).extend(more)
        for name, splice in delta.splice.items():
            self._list(name)[splice.start : splice.end] = splice.by
        for name, inner in delta.within.items():
            PlainState(self.fields[name]).apply(inner)

    def _list(self, name: str) -> list[Any]:
        """The field as a mutable list; a table has tuples."""
        if type(self.fields[name]) is tuple:
            self.fields[name] = list(self.fields[name])
        found: list[Any] = self.fields[name]
        return found

    def read(self) -> Table:
        """Convert to a table. Raises `ValidationError` if the data does not fit this release."""
        return msgspec.convert(self.fields, Table)


# --- hidden cards -------------------------------------------------------------------------------

_Card = TypeVar("_Card", Drawn, UnplacedCard)


def _cover_card(card: _Card) -> _Card:
    if card.commitment is None or card.salt is None:
        return card
    # A face that people entered is public, and may differ from the one behind the commitment, whose
    # salt would still open that one.
    sealed = check(card.commitment, card.salt, card.card)
    return replace(card, card=None if sealed else card.card, salt=None)


def _cover_cards(cards: tuple[Drawn, ...]) -> tuple[Drawn, ...]:
    return tuple([drawn if drawn.exposed else _cover_card(drawn) for drawn in cards])


def _cover_result(text: DeviceResult) -> DeviceResult:
    """Mask the result while a card of a hand is hidden, because it would reveal the card."""
    return text if text.commitment is None else DeviceResult(None, text.commitment)


def _cover_device(device: DeviceReport) -> DeviceReport:
    return device if device.result is None else replace(device, result=_cover_result(device.result))


def _cover_round(round_: Round) -> Round:
    cards, device = _cover_cards(round_.cards), _cover_device(round_.device)
    return replace(round_, cards=cards, device=device)


def _cover_check(stage: CountStage) -> CountStage:
    if not isinstance(stage, CardCountCheck):
        return stage
    return replace(stage, unplaced=tuple(map(_cover_card, stage.unplaced)))


def _cover_case(case: Case) -> Case:
    return replace(case, kept=_cover_cards(case.kept))


def _plain(value: object) -> Any:
    """Plain data of a value. Some dicts of the state have hands as keys, and only keys of plain
    data are sorted."""
    return msgspec.to_builtins(value, str_keys=True)


def _written_round(round_: Round) -> Any:
    """The whole round, if it replaces another: a round that has just begun has no hands as keys."""
    shown = _cover_round(round_)
    return shown if round_.handling == _UNTOUCHED else _plain(shown)


_UNTOUCHED: Final = HandHandling()
_Cover = Callable[[Any], Any]
_Fields = tuple[tuple[int, str, bool], ...]
_PLAIN: Final = frozenset({bool, int, float, str, bytes, Phase, type(None)})
"""Types of atomic values, which contain neither lists nor cards."""


def _is_plain(kind: Any) -> bool:
    return _PLAIN.issuperset(get_args(kind) if isinstance(kind, UnionType) else (kind,))


def _fields(struct: type[msgspec.Struct], **covers: _Cover) -> "_StructFields":
    every = tuple(
        (place, each.name, _is_plain(each.type))
        for place, each in enumerate(msgspec.structs.fields(struct))
    )
    first = CHANGES_OFTEN.get(struct)
    seldom = 0 if first is None else struct.__struct_fields__.index(first)
    return _StructFields(every[seldom:], every, seldom, covers)


class _StructFields(NamedTuple):
    """The fields of a struct that is compared field by field."""

    often: _Fields
    every: _Fields
    seldom: int
    """The number of leading fields that change seldom."""
    covers: Mapping[str, _Cover]
    """The encoders of fields that may hide a card or have hands as keys."""


_FIELDS: Final[dict[type, _StructFields]] = {
    Table: _fields(
        Table,
        round=_written_round,
        carried=_cover_cards,
        case=lambda case: _plain(_cover_case(case)),
        queue=lambda queue: _plain(tuple(map(_cover_case, queue))),
    ),
    Shoe: _fields(Shoe),
    Round: _fields(Round, cards=_cover_cards),
    DeviceReport: _fields(DeviceReport, result=_cover_result),
    HandHandling: _fields(HandHandling, handlers=_plain, refusals=_plain, squeeze_asked=_plain),
    CardCount: _fields(CardCount, stage=_cover_check),
    PlayHistory: _fields(PlayHistory, gone=_plain),
    **{
        part: _fields(part)
        for part in (
            DeckKeeping,
            GamingDay,
            Interventions,
            KnownDevices,
            PlaySettings,
            RoundLog,
            SettledStage,
            SiteSettings,
            TableClocks,
        )
    },
}
"""Structs that are compared by field; any other part is written whole."""


def state(table: Table) -> PlainState:
    """The whole table as plain data, without hidden cards."""
    shown = replace(
        table,
        round=_if_any(table.round, _cover_round),
        carried=_cover_cards(table.carried),
        card_count=replace(table.card_count, stage=_cover_check(table.card_count.stage)),
        case=_if_any(table.case, _cover_case),
        queue=tuple(map(_cover_case, table.queue)),
    )
    return PlainState(_plain(shown))


def restore_hidden_cards(table: Table, secrets: Secrets) -> Table:
    """The table with its hidden cards restored."""
    return replace(
        table,
        round=_if_any(table.round, lambda round_: _uncover_round(round_, secrets)),
        carried=_put_back(table.carried, secrets),
        card_count=_uncover_count(table.card_count, secrets),
        case=_if_any(table.case, lambda case: _uncover_case(case, secrets)),
        queue=tuple(_uncover_case(case, secrets) for case in table.queue),
    )


_Value = TypeVar("_Value")


def _if_any(value: _Value | None, change: Callable[[_Value], _Value]) -> _Value | None:
    return None if value is None else change(value)


def _uncover_count(count: CardCount, secrets: Secrets) -> CardCount:
    if not isinstance(count.stage, CardCountCheck):
        return count
    arrived = _put_back(count.stage.unplaced, secrets)
    return replace(count, stage=replace(count.stage, unplaced=arrived))


def _uncover_case(case: Case, secrets: Secrets) -> Case:
    return replace(case, kept=_put_back(case.kept, secrets))


def _uncover_round(round_: Round, secrets: Secrets) -> Round:
    text = round_.device.result
    if text is not None and text.commitment is not None:
        reported = result_of(secrets[text.commitment].code)
        text = replace(
            text,
            winner=reported.winner,
            player_pair=reported.player_pair,
            banker_pair=reported.banker_pair,
            player_total=reported.player_total,
            banker_total=reported.banker_total,
        )
    cards, device = _put_back(round_.cards, secrets), replace(round_.device, result=text)
    return replace(round_, cards=cards, device=device)


def _put_back(cards: tuple[_Card, ...], secrets: Secrets) -> tuple[_Card, ...]:
    return tuple(_uncover_card(card, secrets) for card in cards)


def _uncover_card(card: _Card, secrets: Secrets) -> _Card:
    if card.commitment is None or card.salt is not None:
        return card
    secret = secrets.get(card.commitment)
    if secret is None:
        return card
    return replace(card, card=card.card or secret.card, salt=secret.salt)
