"""The deck as a picture: a field for each card, in a word as well as in a colour."""

import xml.etree.ElementTree as ET

from drivers.cards import DECK, Card
from drivers.hil.picture import LOOKS, matrix
from drivers.io.deck_check import CardOutcome, Findings, compare

SVG = "{http://www.w3.org/2000/svg}"


def fields(findings: Findings) -> dict[str, str]:
    """What the tip of each card's field says."""
    root = ET.fromstring(matrix(findings))
    tips = [each.findtext(f"{SVG}title") or "" for each in root.iter(f"{SVG}rect")]
    return {tip[tip.index("(") + 1 :][:2]: tip.partition(": ")[2] for tip in tips if tip}


def words(findings: Findings) -> list[str]:
    return [each.text or "" for each in ET.fromstring(matrix(findings)).iter(f"{SVG}text")]


def test_every_card_has_its_field_with_what_became_of_it() -> None:
    drawn, king = list(DECK), Card.parse("KC")
    read = [*drawn[:4], *drawn[5:10], None, *drawn[11:20], king, *drawn[21:30], drawn[29]]
    told = fields(compare(drawn, [*read, *drawn[30:50]], reached=0))
    assert len(told) == 52
    assert told["AS"] == "read"
    assert told["5S"] == "lost: never told"
    assert told["JS"] == "left, not read"
    assert told["8H"] == "misread as the king of clubs (KC)"
    assert told["4D"] == "read; told twice"
    assert told["KC"] == "not drawn"


def test_a_misread_card_shows_as_what_it_was_read() -> None:
    read: list[Card | None] = [Card.parse("TD") if card.code == "QH" else card for card in DECK]
    said = words(compare(DECK, read))
    assert "→ 10♦" in said
    assert said.count(LOOKS[CardOutcome.RIGHT].word) == 51
    assert {"read: 51", "misread as: 1"} < set(said)
    assert not any("lost" in each for each in said)


def numbers(findings: Findings) -> int:
    """All that the key under the picture counts."""
    keys = [each.says for each in LOOKS.values()]
    told = [each.rpartition(": ") for each in words(findings)]
    return sum(int(count) for says, _, count in told if says in keys)


def test_the_numbers_add_up_to_the_deck() -> None:
    """A card that was told twice is not counted as read too."""
    once = compare(DECK, [*DECK[:10], DECK[9], *DECK[10:]])
    assert {"read: 51", "told twice: 1"} < set(words(once))
    assert numbers(once) == 52
    drawn = [*DECK, *DECK]
    assert numbers(compare(drawn, [*drawn[:60], drawn[59], *drawn[61:]])) == 104
    not_in_the_deck = compare(DECK[:3], [*DECK[:2], Card.parse("KC"), DECK[2]])
    assert {"read: 3", "told twice"} < set(words(not_in_the_deck))


def test_several_decks_count_how_often_a_card_was_right() -> None:
    drawn = [*DECK, *DECK]
    read = drawn[:60] + drawn[61:]
    said = words(compare(drawn, read))
    assert said.count("1 of 2") == 1
    assert said.count("2 of 2") == 51


def test_a_short_deck_leaves_fields_empty() -> None:
    told = fields(compare(DECK[:3], DECK[:3]))
    assert told["KC"] == "not in this deck"
