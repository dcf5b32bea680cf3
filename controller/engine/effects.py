"""What a step did to the table, as it is recorded beside the words that did it.

A release that did not decide a step takes its effect from here and judges nothing. So an effect is
plain data about the state and knows no rule: fields that were set, values that were added to a
list or stand in the place of others, and the same again inside its parts. It is made
by looking which values are other ones than before; what a step leaves alone it leaves identical.

No hidden card is in it. Such a card is known by its commitment, and whoever holds the key puts it
back from the sealed part of the record in which it was drawn.
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
    """What a sealed record holds."""

    code: str | None
    """The card, or the result."""
    salt: str

    @property
    def card(self) -> Card | None:
        return None if self.code is None else Card(self.code)

    def __repr__(self) -> str:
        return "Secret(...)"


Secrets = Mapping[str, Secret]
"""What sealed records hold, by commitment."""


def effect(before: msgspec.Struct, after: msgspec.Struct) -> Delta:
    """What made the one of the other, with no hidden card in it."""
    made = Delta({}, {}, {}, {})
    often, every, seldom, covers = _FIELDS[type(after)]
    then, since = astuple(before), astuple(after)
    # One comparison for the many fields that most steps leave alone; where one of those is another,
    # the few that are found without looking at each here.
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
    """Whether it is the part that was there, and not another round or shoe."""
    kind = type(now)
    return (kind is not Round and kind is not Shoe) or was.number == now.number


_WAGERS: Final = "wagers"


def _wagers_changed(after: Any, was: object) -> "Splice | None":
    """A round may have ten thousand wagers: whoever changed one knows which, and says of which
    wagers it made the others. Where it was other ones, all are written."""
    change = last_change(after)
    known = change is not None and change.before is was
    return Splice(change.start, change.end, change.by) if change and known else None


class PlainState(msgspec.Struct):
    """A table, or a struct in it, as plain data in the form of whichever release wrote it."""

    fields: dict[str, Any] = {}

    def apply(self, delta: Delta) -> None:
        """Take a recorded step, in place."""
        self.fields.update(delta.set)
        for name, more in delta.add.items():
            self._list(name).extend(more)
        for name, splice in delta.splice.items():
            self._list(name)[splice.start : splice.end] = splice.by
        for name, inner in delta.within.items():
            PlainState(self.fields[name]).apply(inner)

    def _list(self, name: str) -> list[Any]:
        """One that can be added to: what comes from a table is a tuple."""
        if type(self.fields[name]) is tuple:
            self.fields[name] = list(self.fields[name])
        found: list[Any] = self.fields[name]
        return found

    def read(self) -> Table:
        """Raises `ValidationError` for what is no table of this release."""
        return msgspec.convert(self.fields, Table)


# --- hidden cards -------------------------------------------------------------------------------

_Card = TypeVar("_Card", Drawn, UnplacedCard)


def _cover_card(card: _Card) -> _Card:
    if card.commitment is None or card.salt is None:
        return card
    # A face that people entered is known, and is not the one behind the commitment; the salt would
    # still open that one.
    sealed = check(card.commitment, card.salt, card.card)
    return replace(card, card=None if sealed else card.card, salt=None)


def _cover_cards(cards: tuple[Drawn, ...]) -> tuple[Drawn, ...]:
    return tuple([drawn if drawn.exposed else _cover_card(drawn) for drawn in cards])


def _cover_result(text: DeviceResult) -> DeviceResult:
    """While a card of a hand is hidden it would give that away."""
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
    """Hands are the keys of some dicts of the state, and only plain data has its keys sorted."""
    return msgspec.to_builtins(value, str_keys=True)


def _written_round(round_: Round) -> Any:
    """Whole, where another was before it: a round that has just begun has no hands as keys."""
    shown = _cover_round(round_)
    return shown if round_.handling == _UNTOUCHED else _plain(shown)


_UNTOUCHED: Final = HandHandling()
_Cover = Callable[[Any], Any]
_Fields = tuple[tuple[int, str, bool], ...]
_PLAIN: Final = frozenset({bool, int, float, str, bytes, Phase, type(None)})
"""What is one value with nothing in it: no list to be added to, and no card."""


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
    """A struct in which it is looked for what a step changed."""

    often: _Fields
    every: _Fields
    seldom: int
    """So many come first that change seldom."""
    covers: Mapping[str, _Cover]
    """How those are written that may hide a card or have hands for keys."""


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
"""A part that is missing here is written whole."""


def state(table: Table) -> PlainState:
    """The whole table as plain data, with no hidden card in it."""
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
    """The table with its hidden cards put back."""
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
