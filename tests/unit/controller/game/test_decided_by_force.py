"""`decided` against brute force: deal every way the round can still go, and look what they share.

A card that is face down and a card that is not drawn yet are the same thing here: any card of the
deck. That a later card was drawn says nothing about an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from random import Random

from controller.game.decided_wagers import decided
from controller.rulebooks import rulebook
from drivers.cards import Card
from support.clauses.from_the_documents import (
    BOOKS,
    DECK,
    DOCUMENTS,
    RANKS,
    Ending,
    Hand,
    TableOfPlay,
    Verdict,
    deal,
    first_two_wagers,
    judge_first_two,
    judge_result,
    result_wagers,
)
from support.rows import each_row

PAIR_BOOKS = ("mbs-baccarat-8", "rws-commission-baccarat-4", "mbs-baccarat-tournament-5")
DRAGON_TIGER = "mbs-dragon-tiger-baccarat"
SANDS_SUPER = "mbs-sands-super-baccarat"

SAMPLED_PREFIXES = 4000
SAMPLED_THIRD_CARDS = 4000
SAMPLED_ROUNDS = 2000

# One card of each point value; the suits differ so that both colours meet in either hand.
ONE_OF_EACH = ("KS", "AH", "2D", "3C", "4D", "5S", "6H", "7C", "8D", "9S")

Code = str | None
Prefix = Sequence[Code]

each_book = each_row("book_id", BOOKS)


# -- The reference ---------------------------------------------------------------------------------


def ways(table: TableOfPlay, *hidden: Code) -> Iterable[int]:
    """What these cards can count together. One unknown card makes every total possible."""
    known = [card for card in hidden if card is not None]
    return [table.total(known)] if len(known) == len(hidden) else range(10)


def endings(book_id: str, prefix: Prefix) -> frozenset[Ending]:
    """Every way the round can end. Only point values matter, so only those are gone through."""
    table = DOCUMENTS[book_id].table
    unknown: list[Code] = [None] * (6 - len(prefix))
    p1, b1, p2, b2, fifth, sixth = [*prefix, *unknown]
    return endings_from(
        book_id,
        tuple(ways(table, p1, p2)),
        tuple(ways(table, b1, b2)),
        tuple(ways(table, fifth)),
        tuple(ways(table, sixth)),
    )


@cache
def endings_from(
    book_id: str,
    players: tuple[int, ...],
    bankers: tuple[int, ...],
    fifths: tuple[int, ...],
    sixths: tuple[int, ...],
) -> frozenset[Ending]:
    table = DOCUMENTS[book_id].table
    found: set[Ending] = set()
    for player, banker in product(players, bankers):
        match table.fifth_card_goes_to(player, banker):
            case None:
                found.add(Ending(player, banker, 2, 2))
            case "banker":
                found.update(Ending(player, (banker + fifth) % 10, 2, 3) for fifth in fifths)
            case "player":
                found.update(both_may_draw(table, player, banker, fifths, sixths))
    return frozenset(found)


def both_may_draw(
    table: TableOfPlay, player: int, banker: int, fifths: Iterable[int], sixths: Iterable[int]
) -> Iterator[Ending]:
    for fifth in fifths:
        total = (player + fifth) % 10
        if table.sixth_card_is_due(banker, fifth):
            yield from (Ending(total, (banker + sixth) % 10, 3, 3) for sixth in sixths)
        else:
            yield Ending(total, banker, 3, 2)


def agreed(verdicts: Iterable[Verdict]) -> str | None:
    """The result that all the ways share; a push decides nothing."""
    results = {verdict.result for verdict in verdicts}
    return results.pop() if results in ({"win"}, {"lose"}) else None


@cache
def decided_by_result(book_id: str, ends: frozenset[Ending]) -> dict[str, str]:
    shared = {
        wager: agreed(judge_result(book_id, wager, end) for end in ends)
        for wager in result_wagers(book_id)
    }
    return {wager: result for wager, result in shared.items() if result}


@cache
def decided_by_first_two(book_id: str, hand: Hand, first: Code, second: Code) -> dict[str, str]:
    firsts = DECK if first is None else (first,)
    seconds = DECK if second is None else (second,)
    shared = {
        wager: agreed(judge_first_two(book_id, wager, a, b) for a in firsts for b in seconds)
        for wager in first_two_wagers(book_id, hand)
    }
    return {wager: result for wager, result in shared.items() if result}


def decided_by_force(book_id: str, prefix: Prefix) -> dict[str, str]:
    p1, b1, p2, b2 = [*prefix, *[None] * 4][:4]
    return {
        **decided_by_result(book_id, endings(book_id, prefix)),
        **decided_by_first_two(book_id, "player", p1, p2),
        **decided_by_first_two(book_id, "banker", b1, b2),
    }


# -- The product -----------------------------------------------------------------------------------

CARDS: dict[Code, Card | None] = {code: Card.parse(code) for code in DECK}
CARDS[None] = None


def decided_by_product(book_id: str, prefix: Prefix) -> dict[str, str]:
    found = decided(rulebook(book_id), [CARDS[code] for code in prefix])
    return {wager: result.value for wager, result in found.items()}


def check(book_id: str, prefixes: Iterable[Prefix]) -> None:
    for prefix in prefixes:
        want = decided_by_force(book_id, prefix)
        assert decided_by_product(book_id, prefix) == want, (book_id, prefix)


# -- The reference is right ------------------------------------------------------------------------


def fill(prefix: Prefix) -> Iterator[tuple[str, ...]]:
    """The prefix with every rank in every unknown place; suits do not touch the result."""
    places = [*prefix, *[None] * (6 - len(prefix))]
    ranks = [f"{rank}S" for rank in RANKS]
    return product(*[ranks if place is None else [place] for place in places])


@each_book
def test_reference_finds_what_dealing_card_by_card_finds(book_id: str) -> None:
    random = Random(f"naive {book_id}")
    for _ in range(40):
        prefix: list[Code] = random.choices(DECK, k=6)
        for hidden in random.sample(range(6), k=random.randrange(4)):
            prefix[hidden] = None
        dealt = {deal(book_id, cards).end for cards in fill(prefix)}
        assert endings(book_id, prefix) == dealt, prefix


# -- The product against the reference -------------------------------------------------------------


@each_book
def test_no_card_one_card_and_two_cards(book_id: str) -> None:
    for length in range(3):
        check(book_id, product((None, *DECK), repeat=length))


@each_book
def test_four_cards_of_every_value_with_any_of_them_face_down(book_id: str) -> None:
    check(book_id, product((None, *ONE_OF_EACH), repeat=4))


@each_book
def test_third_cards_over_every_two_totals(book_id: str) -> None:
    # A hand of its total and a king, or one card of it face down; then both third cards likewise.
    random = Random(f"third cards {book_id}")
    every = list(product((None, *ONE_OF_EACH), repeat=4))
    sampled = random.sample(every, SAMPLED_THIRD_CARDS)
    check(book_id, ((p, "KH", "KC", b, fifth, sixth) for p, b, fifth, sixth in sampled))


@each_book
def test_prefixes_drawn_at_random_with_cards_face_down(book_id: str) -> None:
    random = Random(f"prefixes {book_id}")
    check(book_id, (random_prefix(random) for _ in range(SAMPLED_PREFIXES)))


def random_prefix(random: Random) -> list[Code]:
    # Many short prefixes decide nothing, so the longer ones are drawn more often.
    length = random.choice((1, 2, 3, 3, 4, 4, 5, 5, 6, 6))
    face_down = random.choice((0.0, 0.15, 0.5))
    cards = random.choices(DECK, k=length)
    return [None if random.random() < face_down else card for card in cards]


@each_book
def test_complete_round_decides_all_but_the_pushes(book_id: str) -> None:
    random = Random(f"rounds {book_id}")
    for _ in range(SAMPLED_ROUNDS):
        cards = random.choices(DECK, k=6)
        dealt = deal(book_id, cards)
        found = decided_by_product(book_id, cards[: len(dealt.player) + len(dealt.banker)])
        judged: dict[str, str] = {
            w: judge_result(book_id, w, dealt.end).result for w in result_wagers(book_id)
        }
        judged |= decided_by_first_two(book_id, "player", *dealt.player[:2])
        judged |= decided_by_first_two(book_id, "banker", *dealt.banker[:2])
        assert found == {w: r for w, r in judged.items() if r != "push"}, cards


# -- By hand, from reading 5 -----------------------------------------------------------------------


@each_book
@each_row("count", range(7))
def test_cards_face_down_decide_nothing(book_id: str, count: int) -> None:
    assert decided_by_product(book_id, [None] * count) == {}


@each_row("book_id", [*PAIR_BOOKS, DRAGON_TIGER])
def test_third_cards_alone_decide_nothing_about_the_cards_under_them(book_id: str) -> None:
    assert decided_by_product(book_id, [None, None, None, None, "5H", "2S"]) == {}


def test_sands_super_five_as_third_card_alone_rules_out_totals_from_1_to_4() -> None:
    # A Player that draws has 0-5 and ends on 5-9 or 0; one that stands has 6-9. It keeps 1-4 only
    # against a natural, and then it neither wins nor ties.
    lost = [f"{side}_wins_on_{n}" for side in ("player", "tie") for n in range(1, 5)]
    found = decided_by_product(SANDS_SUPER, [None, None, None, None, "5H"])
    assert found == dict.fromkeys(lost, "lose")


@each_row(
    "prefix, lost",
    [
        (["4D"], "player_black"),
        (["KS"], "player_red"),
        ([None, "4D"], "banker_black"),
        ([None, None, "KS"], "player_red"),
        ([None, None, None, "QC", None], "banker_red"),
    ],
)
def test_sands_super_first_card_loses_the_other_colour(prefix: list[Code], lost: str) -> None:
    assert decided_by_product(SANDS_SUPER, prefix) == {lost: "lose"}


@each_row("book_id", PAIR_BOOKS)
def test_first_two_cards_of_the_player_decide_player_pair(book_id: str) -> None:
    assert decided_by_product(book_id, ["8S", None, "8H"]) == {"player_pair": "win"}
    assert decided_by_product(book_id, ["TS", None, "6H"]) == {"player_pair": "lose"}
    # Reading 1: a ten and a king are worth the same and are no pair.
    assert decided_by_product(book_id, ["TS", None, "KS"]) == {"player_pair": "lose"}


def test_dragon_tiger_seven_in_two_cards_leaves_the_small_dragon_open() -> None:
    # The Banker must beat 7 to win, so it cannot win with 6.
    lost = ("big_dragon", "big_tiger", "small_tiger")
    assert decided_by_product(DRAGON_TIGER, ["7S", None, "KH"]) == dict.fromkeys(lost, "lose")


def test_dragon_tiger_drawing_player_loses_the_small_dragon() -> None:
    assert decided_by_product(DRAGON_TIGER, ["2S", None, "3H"]) == {"small_dragon": "lose"}


def test_dragon_tiger_first_two_of_the_player_always_lose_a_dragon() -> None:
    for first, second in product(DECK, repeat=2):
        found = decided_by_product(DRAGON_TIGER, [first, None, second])
        assert "lose" in (found.get("big_dragon"), found.get("small_dragon")), (first, second)


def test_player_nine_decides_neither_main_wager_since_both_can_push() -> None:
    found = decided_by_product(SANDS_SUPER, ["9H", None, "KS"])
    assert {"player", "banker", "tie", "player_wins_on_9", "tie_wins_on_9"}.isdisjoint(found)
    assert found["sands_six"] == "lose"
    assert {found[f"banker_wins_on_{n}"] for n in range(1, 10)} == {"lose"}


@each_book
def test_tie_leaves_the_main_wagers_undecided(book_id: str) -> None:
    found = decided_by_product(book_id, ["9H", "9S", "KS", "QD"])
    assert found["tie"] == "win"
    assert {"player", "banker"}.isdisjoint(found)


def test_fifth_card_not_due_is_ignored() -> None:
    natural = ["9H", "2S", "KS", "QD"]
    with_more = [*natural, "7C", "7D"]
    for book_id in BOOKS:
        assert decided_by_product(book_id, with_more) == decided_by_product(book_id, natural)
