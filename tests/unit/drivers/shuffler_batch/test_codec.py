"""The batch shuffler's lines: vectors, round trips, damage, and that no order fits in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cards import DECK, Card
from drivers.errors import FrameError
from drivers.events import FaultClass, ShufflerState, Verdict
from drivers.shuffler_batch.codec import (
    GRAMMAR,
    MAX_LINE_BYTES,
    MODES,
    REASONS,
    Count,
    Line,
    OrderTold,
    ShuffleReport,
    UnknownLine,
    opened,
)
from drivers.testing.cuts import flips
from support.rows import each_row

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[4] / "drivers/shuffler_batch/vectors.json").read_text()
)


def expecting(what: str) -> list[Any]:
    return [pytest.param(v, id=f"{v['n']}-{v['says']}") for v in VECTORS if v["expect"] == what]


def bytes_of(vector: dict[str, Any]) -> bytes:
    return bytes.fromhex(vector["hex"])


@each_row("vector", expecting("line"))
def test_every_vector_is_read_and_written_again(vector: dict[str, Any]) -> None:
    line = opened(bytes_of(vector)[:-1]).read()
    assert f"{line.kind}{line.number:04d} {line.word}" in vector["text"]
    assert line.to_bytes() == bytes_of(vector)


def test_the_vectors_have_every_word() -> None:
    lines = [opened(bytes_of(v)[:-1]).read() for v in VECTORS if v["expect"] == "line"]
    assert {(line.kind, line.word) for line in lines} == set(GRAMMAR)


@each_row(
    "what, error",
    [("order", OrderTold), ("unknown", UnknownLine), ("damaged", FrameError)],
)
def test_what_must_not_be_read(what: str, error: type[FrameError]) -> None:
    vectors = [v for v in VECTORS if v["expect"] == what]
    assert vectors
    for vector in vectors:
        with pytest.raises(FrameError) as caught:
            opened(bytes_of(vector)[:-1]).read()
        assert type(caught.value) is error, vector["says"]
        for part in vector["text"].split():
            assert part not in str(caught.value), "an error quotes nothing of the line"


@each_row("vector", expecting("line"))
def test_a_flipped_bit_is_never_another_line(vector: dict[str, Any]) -> None:
    for damaged in flips(bytes_of(vector)[:-1]):
        with pytest.raises(FrameError):
            opened(damaged)


def counts() -> st.SearchStrategy[tuple[tuple[Card, int], ...]]:
    copies = st.dictionaries(st.sampled_from(DECK), st.integers(1, 99))
    return copies.map(lambda found: tuple(sorted(found.items(), key=lambda entry: entry[0].number)))


FIELDS: dict[tuple[str, str], Callable[[], st.SearchStrategy[tuple[Any, ...]]]] = {
    ("E", "VERIFIED"): lambda: st.tuples(
        st.integers(0, 9999),
        st.integers(0, 10),
        st.sampled_from([verdict.name for verdict in Verdict]),
        st.integers(0, 9999),
        counts(),
        counts(),
        st.integers(0, 9999),
        st.integers(0, 9999),
    ),
    ("E", "STATE"): lambda: st.tuples(
        st.sampled_from([s.name for s in ShufflerState if s is not ShufflerState.OFFLINE])
    ),
    ("E", "FAULT"): lambda: st.tuples(
        st.integers(0, 99), st.sampled_from([kind.name for kind in FaultClass])
    ),
    ("Q", "START"): lambda: st.tuples(st.sampled_from(MODES), st.integers(0, 10)),
    ("A", "NO"): lambda: st.tuples(st.sampled_from(REASONS)),
    ("E", "TAKEN"): lambda: st.just(()),
}


@given(st.sampled_from(sorted(FIELDS)), st.integers(0, 9999), st.data())
def test_round_trip(which: tuple[str, str], number: int, data: st.DataObject) -> None:
    kind, word = which
    line = Line(kind, number, word, data.draw(FIELDS[which]()))
    written = line.to_bytes()
    assert written.endswith(b"\n")
    assert len(written) <= MAX_LINE_BYTES
    assert opened(written[:-1]).read() == line


def test_the_longest_line_fits() -> None:
    everything = tuple((card, 99) for card in DECK)
    line = Line(
        "E", 9999, "VERIFIED", (9999, 10, "NOT_VERIFIED", 9999, everything, everything, 9999, 9999)
    )
    assert len(line.to_bytes()) < 700


@given(st.permutations([card.code for card in DECK][:6]))
def test_a_count_has_one_spelling(order: list[str]) -> None:
    """Whatever order the cards lay in, only one text is taken: it cannot tell which it was."""
    text = "E0001 VERIFIED 1 1 WRONG 46 " + ",".join(f"{code}:1" for code in order) + " - 0 0"
    if order == [card.code for card in DECK][:6]:
        assert opened(_sealed(text)).read().word == "VERIFIED"
    else:
        with pytest.raises(OrderTold):
            opened(_sealed(text)).read()


@given(st.lists(st.sampled_from([card.code for card in DECK]), min_size=3, max_size=12))
def test_cards_in_a_row_are_dropped_in_whatever_dress(cards: list[str]) -> None:
    for dress in (" ".join(cards), ",".join(cards), "".join(cards), "x " + ";".join(cards)):
        with pytest.raises(OrderTold):
            opened(dress.encode())


def _sealed(text: str) -> bytes:
    return Line("E", 1, text.removeprefix("E0001 ")).to_bytes()[:-1]


@given(st.binary(max_size=300))
def test_noise_is_a_frame_error_and_nothing_else(noise: bytes) -> None:
    try:
        opened(noise)
    except FrameError:
        return
    pytest.fail("random bytes were taken for a line")


def report(
    verdict: str, cards: int, missing: str = "", extra: str = "", others: int = 0
) -> ShuffleReport:
    def counted(text: str) -> Count:
        return tuple((Card(code), 1) for code in text.split())

    return ShuffleReport.of(1, 1, verdict, cards, counted(missing), counted(extra), others, 0)


def test_a_report_must_agree_with_itself() -> None:
    assert report("OK", 52).sane
    assert not report("OK", 51).sane
    assert not report("OK", 52, others=1).sane
    assert report("WRONG", 51, missing="AS").sane
    assert report("WRONG", 52, missing="AS", extra="KC").sane
    assert report("WRONG", 52, missing="AS", others=1).sane
    assert not report("WRONG", 52, missing="AS").sane
    assert not report("WRONG", 52).sane
    assert report("WRONG", 51).sane, "a machine that only counts"
    assert report("COUNT_ONLY", 52).sane
    assert not report("NOT_VERIFIED", 52, extra="AS").sane
