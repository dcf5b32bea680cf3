"""The tree over all heads, against RFC 6962's own words."""

import hashlib

from controller.floor.proof import tree
from support.rows import each_row


def by_the_book(leaves: list[bytes]) -> bytes:
    """RFC 6962, 2.1, word for word, over data that is not hashed yet."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\1" + by_the_book(leaves[:k]) + by_the_book(leaves[k:])).digest()


def site(size: int) -> list[tree.SiteHead]:
    return [tree.SiteHead("sands", f"t{n:04}", 1, n, bytes([n]) * 32) for n in range(size)]


@each_row("size", [0, 1, 2, 3, 4, 5, 7, 8, 9, 33, 100])
def test_a_tree_is_that_of_rfc_6962_and_every_leaf_comes_to_its_root(size: int) -> None:
    heads = site(size)
    leaves = [*map(tree.leaf, heads)]
    root = tree.root_of(leaves)
    assert root == by_the_book([head.raw for head in heads])
    for index, found in enumerate(leaves):
        path = tree.path_to(leaves, index)
        assert tree.root_by(path, found, index, size) == root
        assert tree.root_by(path, found, index + 1, size) != root
        assert tree.root_by([*path, root], found, index, size) is None
        assert not path or tree.root_by(path[:-1], found, index, size) is None


def test_a_place_that_a_tree_has_not_leads_nowhere() -> None:
    leaves = [*map(tree.leaf, site(5))]
    assert tree.root_by([], leaves[0], 0, 0) is None
    assert tree.root_by(tree.path_to(leaves, 4), leaves[4], 5, 5) is None
    assert tree.root_by(tree.path_to(leaves, 4), leaves[4], -1, 5) is None


def test_a_leaf_says_whose_head_it_is() -> None:
    """Names do not run together: table `a` of site `bc` is not table `ca` of site `b`."""
    one = tree.SiteHead("b", "ca", 1, 2, bytes(32))
    for other in (
        tree.SiteHead("bc", "a", 1, 2, bytes(32)),
        tree.SiteHead("b", "ca", 2, 1, bytes(32)),
        tree.SiteHead("b", "ca", 1, 2, bytes(31) + b"\1"),
    ):
        assert tree.leaf(one) != tree.leaf(other)
