"""Rows of wagers: made once, used again for the very wagers they were made of, never changed."""

from msgspec import to_builtins

from controller.views import audience
from support.table.bench import NATURAL, Bench


def test_a_row_is_made_once_however_many_wagers_follow() -> None:
    bench = Bench().bet(("ann", "player", 100))
    first = audience.dealer(bench.table, bench.rules)["wagers"]
    bench.player("place", "bob", wager="banker", amount=200, position=2)
    second = audience.dealer(bench.table, bench.rules)["wagers"]
    assert second[0] is first[0]
    assert len(first) == 1, "what was shown stays as it was"
    assert [row["player"] for row in second] == ["ann", "bob"]


def test_rows_are_the_same_list_while_no_wager_changes() -> None:
    bench = Bench().bet(("ann", "player", 100), ("bob", "banker", 200))
    before = audience.dealer(bench.table, bench.rules)["wagers"]
    bench.say("close_betting")
    bench.card(*NATURAL)
    assert audience.dealer(bench.table, bench.rules)["wagers"] is before


def test_raised_and_withdrawn_wagers_are_shown_as_they_lie() -> None:
    bench = Bench().bet(("ann", "player", 100), ("bob", "banker", 200), ("eve", "tie", 300))
    before = audience.dealer(bench.table, bench.rules)["wagers"]
    bench.player("raise", "bob", id="w2", amount=50)
    audience.dealer(bench.table, bench.rules)
    bench.player("withdraw", "ann", id="w1")
    shown = audience.dealer(bench.table, bench.rules)["wagers"]
    assert [(row["id"], row["amount"]) for row in shown] == [("w2", 250), ("w3", 300)]
    assert shown[1] is before[2]
    assert before[1]["amount"] == 200


def test_two_tables_are_not_shown_each_others_wagers() -> None:
    tables = [Bench().bet(), Bench().bet()]
    for number in range(4):
        for place, bench in enumerate(tables, start=1):
            amount, position = 100 * (number + 1), number + 1
            bench.player("place", f"p{place}", wager="tie", amount=amount, position=position)
            shown = audience.dealer(bench.table, bench.rules)["wagers"]
            assert shown == [to_builtins(wager) for wager in bench.round.wagers]


def test_everybody_but_the_public_is_shown_wagers_and_shares_their_rows() -> None:
    bench = Bench().bet(("ann", "player", 100))
    views = audience.render_views(bench.table, bench.rules)
    assert "wagers" not in views["public"]
    assert views["pit"]["wagers"] is views["dealer"]["wagers"] is views["surveillance"]["wagers"]
