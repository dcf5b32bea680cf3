"""Exact odds, against published figures and against dealing shoes at random."""

import random
from collections import Counter
from fractions import Fraction
from math import perm

import pytest

from controller.game.errors import DecksNotAllowed
from controller.game.hands import Outcome
from controller.game.odds import odds, score_orderings
from controller.game.wagers import WagerResult
from controller.rulebooks import RULEBOOKS, rulebook
from drivers.cards import DECK
from support.rows import each_row


def outcome_orderings(book_id: str, decks: int) -> Counter[Outcome]:
    found: Counter[Outcome] = Counter()
    for score, orderings in score_orderings(rulebook(book_id).play, decks).items():
        found[score.outcome] += orderings
    return found


@each_row("book_id", RULEBOOKS)
def test_eight_decks_give_the_known_orderings(book_id: str) -> None:
    assert outcome_orderings(book_id, 8) == {
        Outcome.BANKER: 2292252566437888,
        Outcome.PLAYER: 2230518282592256,
        Outcome.TIE: 475627426473216,
    }


@pytest.mark.second_tier
@each_row("book_id", RULEBOOKS)
def test_every_ordering_is_counted_once_for_every_number_of_decks(book_id: str) -> None:
    allowed = rulebook(book_id).decks
    for decks in range(allowed.fewest, allowed.most + 1):
        assert outcome_orderings(book_id, decks).total() == perm(52 * decks, 6)


@each_row("book_id", RULEBOOKS)
def test_every_ordering_of_eight_decks_is_counted_once(book_id: str) -> None:
    assert outcome_orderings(book_id, 8).total() == perm(52 * 8, 6)


@each_row("book_id", RULEBOOKS)
def test_chances_add_up_and_edge_follows_from_them(book_id: str) -> None:
    for wager, chances in odds(rulebook(book_id), 8).items():
        assert chances.win + chances.push + chances.lose == 1, wager
        levels = rulebook(book_id).wager(wager).pays
        if len(levels) == 1:
            assert chances.edge == chances.lose - chances.win * levels[0].odds, wager


# House edges for eight decks that anybody can look up, in per cent.
PUBLISHED = {
    ("mbs-baccarat-8", "banker"): 1.0579,
    ("mbs-baccarat-8", "player"): 1.2351,
    ("mbs-baccarat-8", "tie"): 14.3596,
    ("mbs-baccarat-8", "player_pair"): 10.3614,
    ("mbs-sands-super-baccarat", "banker"): 1.4581,
}


@each_row("book_id, wager", PUBLISHED)
def test_edges_agree_with_published_ones(book_id: str, wager: str) -> None:
    edge = odds(rulebook(book_id), 8)[wager].edge
    assert round(100 * float(edge), 4) == PUBLISHED[book_id, wager]


@each_row("book_id", RULEBOOKS)
def test_shoes_dealt_at_random_come_close(book_id: str) -> None:
    """Six standard deviations: a seeded run that fails is a wrong count, not bad luck."""
    book = rulebook(book_id)
    exact = odds(book, 8)
    rng = random.Random(6)
    shoe = list(DECK) * 8
    wins: Counter[str] = Counter()
    rounds = 4000
    for _ in range(rounds):
        dealt = book.play.deal(rng.sample(shoe, 6))
        verdicts = book.judge.round(dealt)
        wins.update(
            wager
            for wager, verdict in verdicts.items()
            if verdict is not None and verdict.result is WagerResult.WIN
        )
    for wager, chances in exact.items():
        expected = float(chances.win)
        spread = (expected * (1 - expected) / rounds) ** 0.5
        assert abs(wins[wager] / rounds - expected) < 6 * spread, wager


@each_row("decks", [-1, 0, 3, 9, 10, 11])
def test_decks_a_book_does_not_allow_are_refused_with_the_clause(decks: int) -> None:
    with pytest.raises(DecksNotAllowed, match=r"clause 2\.2\.1 asks for 4 to 8"):
        odds(rulebook("rws-commission-baccarat-4"), decks)


def test_tournament_banker_favours_the_player() -> None:
    """Even money without commission: the edge is what the Player wager loses, turned round."""
    found = odds(rulebook("mbs-baccarat-tournament-5"), 8)
    assert found["banker"].edge == -found["player"].edge < Fraction(0)
