"""A stream cut into lines, with a limit."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from drivers.lines import Lines
from drivers.testing.cuts import same_however_cut


def test_lines_come_out_the_same_however_the_stream_is_cut() -> None:
    def read(pieces: object) -> list[bytes | None]:
        lines = Lines(b"\n", 8)
        return [line for piece in pieces for line in lines.feed(piece)]  # type: ignore[attr-defined]

    assert same_however_cut(b"one\n\ntwo\n123456789\nlast", read) == [b"one", b"", b"two", None]


def test_a_line_of_just_the_limit_is_kept_and_one_byte_more_is_not() -> None:
    lines = Lines(b"\n", 4)
    assert lines.feed(b"1234\n12345\n1\n") == [b"1234", None, b"1"]


def test_half_a_line_is_forgotten_with_the_link() -> None:
    lines = Lines(b"\n", 4)
    lines.feed(b"12345")
    lines.forget()
    assert lines.feed(b"abc") == []
    lines.forget()
    assert lines.feed(b"d\n") == [b"d"]


def test_ten_megabytes_without_an_end_keep_the_buffer_under_its_limit() -> None:
    lines = Lines(b"\n", 64)
    noise = Random(1).randbytes(1 << 16).replace(b"\n", b"x")
    for _ in range(160):
        assert lines.feed(noise) == []
        assert lines.kept <= 64


@given(st.lists(st.binary(max_size=6).map(lambda text: text.replace(b"\n", b"")), max_size=8))
def test_what_is_joined_is_cut_apart_again(texts: list[bytes]) -> None:
    joined = b"".join(text + b"\n" for text in texts)
    assert Lines(b"\n", 6).feed(joined) == texts
