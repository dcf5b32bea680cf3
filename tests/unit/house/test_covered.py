"""Which tests the coverage figure counts."""

from house import covered
from house.source import ROOT


def test_unit_tests_count_and_others_do_not() -> None:
    assert covered.counts(ROOT / "tests/unit/controller/game/test_money.py")
    assert not covered.counts(ROOT / "tests/unit/controller/game/test_every_hand.py")
    assert not covered.counts(ROOT / "tests/scenario/test_restart.py")


def test_what_is_left_out_exists() -> None:
    """A test that was renamed would otherwise be followed again, and cost minutes."""
    gone = [test for test in covered.EXHAUSTIVE if not (covered.COUNTED / test).exists()]
    assert gone == []
