"""What two trees print, compared figure by figure."""

from bench.against import compared, figures

PRINTED = """\
shoe_feed: a card's last byte to the card durable, 400 in turns:
  table    p50    {p50} us   p99   {p99} us
  ratio    p50   1.31; target at most 1.35: met
by the robot in memory:
  {rounds} rounds a second on one core
"""


def printed(p50: str, p99: str, rounds: str) -> str:
    return PRINTED.format(p50=p50, p99=p99, rounds=rounds)


def test_medians_of_both_trees_stand_in_one_line_with_their_ratio() -> None:
    before = [figures(printed("800", "2,000", each)) for each in ("1,000", "400", "1,200")]
    after = [figures(printed("880", "2,000", each)) for each in ("500", "9,000", "400")]
    lines = [line.split(maxsplit=3) for line in compared(before, after)]
    assert [line[:3] for line in lines] == [
        ["1.10", "800.00", "880.00"],
        ["0.50", "1,000.00", "500.00"],
    ]
    assert lines[1][3].startswith("by the robot in memory: # rounds a second")


def test_a_figure_of_one_tree_alone_is_left_out() -> None:
    shown = list(compared([figures("alone 7 us"), figures("alone 8 us")], [figures("other 5 us")]))
    assert shown == []
