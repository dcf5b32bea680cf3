"""No view can hold the face of a card that lies face down."""

import pytest
from msgspec import NODEFAULT
from msgspec.inspect import CustomType, Metadata, type_info
from msgspec.structs import fields

from controller.game.hands import Side
from controller.table.cards import Drawn
from controller.views import audience
from controller.views.structs.cards import (
    CardView,
    EnteredView,
    Face,
    HandsView,
    NoExposedFace,
    card_view,
    face_of,
)
from drivers.cards import Card
from support.rows import each_row
from support.table.bench import Bench

SEALED = Drawn(1, Card("QH"), Side.PLAYER, exposed=False)
OPEN = Drawn(1, Card("QH"), Side.PLAYER, exposed=True)
UNREAD = Drawn(1, None, Side.PLAYER, exposed=True)


@each_row("drawn", [SEALED, UNREAD])
def test_a_face_is_made_of_a_card_that_lies_open_and_was_read(drawn: Drawn) -> None:
    with pytest.raises(NoExposedFace):
        Face(drawn)
    assert face_of(drawn) is None
    assert card_view(drawn).card is None


def test_the_face_of_an_open_card_is_its_code() -> None:
    assert face_of(OPEN) == "QH"
    assert card_view(OPEN) == CardView(1, Side.PLAYER, Face(OPEN), exposed=True)


def test_no_view_takes_a_face_as_text() -> None:
    with pytest.raises(NoExposedFace):
        HandsView((SEALED.card,), ())  # type: ignore[arg-type]
    with pytest.raises(NoExposedFace):
        HandsView((), (None, SEALED.card))  # type: ignore[arg-type]
    with pytest.raises(NoExposedFace):
        CardView(1, Side.PLAYER, SEALED.card, exposed=False)  # type: ignore[arg-type]
    with pytest.raises(NoExposedFace):
        EnteredView(1, SEALED.card)  # type: ignore[arg-type]


def test_a_sealed_card_is_null_in_the_view_of_every_audience() -> None:
    bench = Bench().open()
    bench.say("method", "max", method="A")
    bench.say("open_betting")
    bench.say("close_betting")
    bench.card("QH")
    views = audience.render_views(bench.table, bench.rules)
    for view in (views.public, views.dealer, views.surveillance):
        assert view.hands == HandsView((None,), ())
    assert [card.card for card in views.surveillance.cards] == [None]
    assert "QH" not in repr(views)


def test_every_field_for_a_face_takes_nothing_but_a_face() -> None:
    for struct, name in ((HandsView, "player"), (CardView, "card"), (EnteredView, "card")):
        (field,) = (each for each in fields(struct) if each.name == name)
        assert field.default is NODEFAULT
        assert Face in _customs(type_info(field.type))


def _customs(kind: object) -> set[type]:
    if isinstance(kind, CustomType):
        return {kind.cls}
    if isinstance(kind, Metadata):
        return _customs(kind.type)
    parts = getattr(kind, "types", None) or [getattr(kind, "item_type", None)]
    return {found for part in parts if part is not None for found in _customs(part)}
