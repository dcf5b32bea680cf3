"""How a card is held from the wire to the snapshot: another representation is noticed here."""

from metrics.card import card_forms


def test_a_card_has_five_representations() -> None:
    found = [form.partition(":")[0] for form in card_forms()]
    assert found[:4] == ["bytes", "CardRead", "CardDrawnEvent", "Drawn"]
    assert len(found) == 5, "the last is the view"
