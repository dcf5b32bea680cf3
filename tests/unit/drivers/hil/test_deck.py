"""A test deck's pass in sentences, and which card is due when one was lost or told twice."""

from drivers.cards import DECK, Card
from drivers.events import CardRead, CutCard, ExcessCard, ExcessNamed, ReadFailed
from drivers.hil.deck import DeckPass, cards_of, in_short, name, sentences, short
from drivers.io.deck_check import Read, compare
from support.rows import each_row


def cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


QH = Card.parse("QH")


def test_a_card_is_named_as_people_say_it() -> None:
    assert name(QH) == "the queen of hearts (QH)"
    assert name(Card.parse("TD")) == "the 10 of diamonds (TD)"
    assert [short(card) for card in cards("TD AS")] == ["10♦", "A♠"]


def test_a_card_one_too_many_counts_once() -> None:
    told = (CardRead(QH), ReadFailed(), ExcessCard(), ExcessNamed(QH), ExcessCard(QH), CutCard())
    assert [cards_of(event) for event in told] == [[QH], [None], [], [QH], [QH], []]


def test_a_lost_card_moves_the_next_one_on_and_a_doubled_one_does_not() -> None:
    drawing = DeckPass(DECK)
    assert (drawing.due, drawing.card.code) == (1, "AS")
    for card in cards("AS 3S"):
        drawing.tell(card)
    assert drawing.due == 4
    assert drawing.news() == []  # 2S may have been read as 3S: the next card decides
    for card in cards("4S 4S"):
        drawing.tell(card)
    assert drawing.due == 5
    assert drawing.news() == [
        "Card 2 of 52, the 2 of spades (2S), was drawn and never told: it was lost."
    ]
    for card in cards("5S 6S"):
        drawing.tell(card)
    assert drawing.news() == [
        "After card 4 the shoe told the 4 of spades (4S) although no such card was drawn then: "
        "doubled."
    ]
    assert drawing.news() == []


def test_a_card_of_which_nothing_came_is_passed_over() -> None:
    drawing = DeckPass(cards("AS 2S 3S"))
    drawing.tell(Card.parse("AS"))
    drawing.nothing_came()
    assert drawing.card.code == "3S"
    drawing.nothing_came()
    assert drawing.over
    assert [card.code for card in drawing.findings().missing] == ["2S", "3S"]


def test_a_pass_ends_however_much_is_told() -> None:
    drawing = DeckPass(cards("AS 2S"))
    for _ in range(9):
        drawing.tell(Card.parse("KC"))
    assert drawing.over
    assert len(drawing.findings(to_the_end=True).met) == 4


@each_row(
    "read, says",
    [
        (["AS", "2S", "3S"], ["3 of 3 cards were read rightly."]),
        (
            ["AS", None, "3S"],
            [
                "2 of 3 cards were read rightly.",
                "Card 2 of 3, the 2 of spades (2S), left the shoe and could not be read.",
            ],
        ),
        (
            ["AS", "2S"],
            [
                "2 of 3 cards were read rightly.",
                "No card came at the end: card 3, the 3 of spades (3S), was not drawn, or it was "
                "lost.",
            ],
        ),
        (
            ["AS", "2S", "3S", None],
            [
                "3 of 3 cards were read rightly.",
                "After card 3 the shoe told a card it could not read, and none was drawn.",
            ],
        ),
    ],
)
def test_everything_that_differed_is_said_in_order(read: list[str | None], says: list[str]) -> None:
    told: list[Read] = [None if code is None else Card.parse(code) for code in read]
    assert sentences(compare(cards("AS 2S 3S"), told, reached=0)) == says


def test_a_lost_link_is_said_before_the_card_that_went_with_it() -> None:
    drawing = DeckPass(cards("AS 2S 3S"))
    assert drawing.link_gone() == "The link was gone before card 1."
    drawing.tell(Card.parse("AS"))
    assert drawing.link_gone() == "The link was gone after card 1."
    drawing.tell(Card.parse("3S"))
    assert drawing.gone == (0, 1)
    assert sentences(drawing.findings(), drawing.gone) == [
        "2 of 3 cards were read rightly.",
        "The link was gone before card 1.",
        "The link was gone after card 1.",
        "Card 2 of 3, the 2 of spades (2S), was drawn and never told: it was lost.",
    ]
    assert in_short(drawing.findings(), (1,)) == (
        "The link was gone after card 1. 2 of 3 cards were read rightly."
    )


def test_what_differed_before_the_link_was_lost_is_said_first() -> None:
    found = compare(cards("AS 2S 3S"), cards("KC 2S 3S"))
    assert in_short(found, (2,)) == (
        "Card 1 of 3, the ace of spades (AS), was read as the king of clubs (KC). The link was "
        "gone after card 2. 2 of 3 cards were read rightly."
    )


def test_a_deck_in_another_order_is_suspected_first() -> None:
    said = sentences(compare(cards("AS 2S 3S"), cards("2S AS 3S")))
    assert "not in this order: see first whether the deck lay" in said[1]
