"""How a card is held on its way: another form, or another encoding of it, is noticed here."""

from house import representations


def test_a_card_has_five_representations_and_is_encoded_once() -> None:
    found = representations.of_a_card()
    assert found.representations == set(representations.REPRESENTATIONS)
    for form in ("bytes", "CardRead", "CardDrawnWord", "Drawn", "JSON"):
        assert found.forms[form] == 1, form
    assert found.encodings["Encoder.encode"] == 1
    assert found.encodings["Decoder.decode"] == 0
