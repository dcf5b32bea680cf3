"""Hourly roots: signed, one after the other, no head ever going back."""

from msgspec.structs import replace

from controller.floor.proof import roots
from controller.floor.proof.roots import KeptRoot, fault_among, rooted
from controller.floor.proof.tree import SiteHead
from controller.journal.keys.signing import Signer

FLOOR = Signer(b"f" * 32)


def heads(seq: int) -> list[SiteHead]:
    return [SiteHead("sands", name, 1, seq, bytes([seq]) * 32) for name in ("b", "a", "c")]


def hours(count: int) -> list[KeptRoot]:
    found: list[KeptRoot] = []
    for n in range(count):
        found.append(rooted(FLOOR, "sands", n * 3600, heads(n), found[-1].root if found else None))
    return found


def test_roots_follow_each_other() -> None:
    kept = hours(4)
    assert fault_among(kept) is None
    assert [head.table for head in kept[0].heads] == ["a", "b", "c"]


def test_an_hour_left_out_or_put_elsewhere_shows() -> None:
    kept = hours(4)
    assert "missing" in str(fault_among([kept[0], *kept[2:]]))
    assert "missing" in str(fault_among([kept[1], kept[0]]))


def test_after_a_clock_that_was_ahead_the_hour_goes_back_and_none_comes_twice() -> None:
    kept = hours(3)
    ahead = rooted(FLOOR, "sands", 10**9 * 3600, heads(3), kept[-1].root)
    right = rooted(FLOOR, "sands", 3 * 3600, heads(4), ahead.root)
    assert fault_among([*kept, ahead, right]) is None
    assert "missing" in str(fault_among([*kept, right])), "it cannot be left out"
    again = rooted(FLOOR, "sands", 2 * 3600, heads(4), ahead.root)
    assert "has another root" in str(fault_among([*kept, ahead, again]))


def test_a_head_that_went_back_shows_though_the_floor_signed_it() -> None:
    first = rooted(FLOOR, "sands", 0, heads(5), None)
    second = rooted(FLOOR, "sands", 3600, heads(4), first.root)
    assert "sands/a (history 1) had 5 records" in str(fault_among([first, second]))
    gone = rooted(FLOOR, "sands", 3600, heads(5)[:2], first.root)
    assert "sands/c" in str(fault_among([first, gone]))


def test_whatever_is_changed_in_a_root_shows() -> None:
    kept = hours(1)[0]
    assert kept.fault() is None
    changes: dict[str, object] = {
        "site": "other",
        "hour": 3600,
        "previous": b"1" * 32,
        "root": b"2" * 32,
        "size": 4,
        "key": Signer(b"x" * 32).public,
        "signature": bytes(64),
    }
    for name, value in changes.items():
        assert replace(kept, root=replace(kept.root, **{name: value})).fault(), name
    assert replace(kept, heads=kept.heads[::-1]).fault()
    other = (*kept.heads[:2], SiteHead("sands", "c", 1, 9, bytes(32)))
    assert replace(kept, heads=other).fault()


def test_heads_are_kept_as_text_and_come_back() -> None:
    kept = hours(2)[1]
    assert roots.leaves_in(roots.leaves_text(kept.heads)) == kept.heads


def test_a_table_that_was_not_there_has_no_path() -> None:
    assert roots.path_in(hours(1)[0], ("sands", "z", 1)) is None
    assert roots.hour_of(7199.9) == 3600
