"""Two reports side by side: what was put right, what is still bad, what became worse."""

from typing import Any

from drivers.cards import DECK, Card
from drivers.hil.comparison import Change, compare, html, text
from drivers.hil.report import CheckOutcome
from drivers.io.deck_check import Read
from support.devices.bench_sessions import DECK_ROW, row, session
from support.rows import each_row

KC = Card.parse("KC")
BAD: list[Read] = [*DECK[:4], *DECK[5:24], KC, *DECK[25:33], DECK[32], *DECK[33:]]
LATER: dict[str, Any] = {"began": "2026-11-17 12:00:00 +0000"}


def test_a_repair_that_helped_says_so_card_by_card() -> None:
    both = compare(session(BAD), session(**LATER))
    assert both.good
    assert both.warnings == ()
    assert text(both)[0].endswith("It is right now: 1 put right, nothing worse.")
    assert list(both.cards) == [
        "50 of 52 cards were read rightly before, 52 of 52 after.",
        "Card 5, the 5 of spades (5S): before lost, now read rightly.",
        "Card 25, the queen of hearts (QH): before read as the king of clubs (KC), now read "
        "rightly.",
        "Card 33, the 7 of diamonds (7D): before told twice, now read rightly.",
    ]
    changes = {each.row.name: each.change for each in both.rows}
    assert changes == {DECK_ROW: Change.FIXED, "test_silence": Change.STILL_GOOD}


def test_what_is_still_bad_and_what_became_worse_come_first() -> None:
    after = session([None, *DECK[1:]], rows=(row("test_silence", CheckOutcome.FAILED),), **LATER)
    both = compare(session(BAD), after)
    assert not both.good
    assert [each.change for each in both.rows] == [Change.BROKEN, Change.GONE]
    assert "Card 1, the ace of spades (AS): before read rightly, now not readable." in both.cards
    assert compare(session(BAD), session(BAD, **LATER)).rows[0].change is Change.STILL_BAD
    assert "Card 5, the 5 of spades (5S): still lost." in compare(session(BAD), session(BAD)).cards


@each_row(
    "changed, says",
    [
        ({"asset": "SHOE-0018"}, "These are two units: SHOE-0017 and SHOE-0018."),
        ({"firmware": "3.3"}, "The firmware is another: before 3.2, now 3.3."),
        ({"wiring": "another cable"}, "now another cable."),
        ({"sabot": "0.4.0"}, "Sabot is another: before 0.3.0, now 0.4.0."),
        ({"began": "2026-11-01 10:00:00 +0000"}, "The first report is the later one"),
    ],
)
def test_what_makes_them_hard_to_compare_is_said(changed: dict[str, str], says: str) -> None:
    both = compare(session(), session(**{**LATER, **changed}))
    assert says in " ".join(both.warnings)
    assert both.good == ("asset" not in changed)


def test_another_deck_is_not_compared_card_by_card() -> None:
    both = compare(session(), session(deck=None, **LATER))
    assert both.cards == ()
    short = compare(session(DECK[:1] * 2), session(**LATER))
    assert len(short.cards) > 2


def test_the_page_shows_both_decks_and_what_changed() -> None:
    told = html(compare(session(BAD), session(**LATER)))
    assert told.count("<svg") == 2
    assert 'class="verdict good"><b>It is right now: 1 put right' in told
    assert "put right</td>" in told
