"""Any messages in any cut, and any bytes at all."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from drivers.cards import DECK, Card
from support.devices.device_says import heard, made, said

cards = st.sampled_from(DECK)
ends = st.sampled_from(["", " ", " \r\n", " \n", " \r", "\r\n"])


@st.composite
def card_a(draw: st.DrawFn) -> tuple[str, str]:
    card: Card = draw(cards)
    rank = draw(st.sampled_from(["T", "10"])) if card.rank.value == "T" else card.rank.value
    text = draw(st.sampled_from([rank + card.suit.value, card.suit.value + rank]))
    text = draw(st.sampled_from([text, text.lower()]))
    mode = draw(st.sampled_from(["Game", "Manual Burn Cards"]))
    echo = draw(st.sampled_from(["", text, card.code]))
    wire = f"{draw(st.sampled_from(['', ' ']))}[{mode}]<Card:{text}>{draw(ends)}{echo}"
    return wire, f"card {card.code}" + (" burn" if mode.startswith("M") else "")


@st.composite
def other_a(draw: st.DrawFn) -> tuple[str, str]:
    wire, word = draw(
        st.sampled_from(
            [
                (" [Game]<Alarm:E3 Card Not Read>", "read_failed"),
                (" [GameAlarm]<Alarm:E3 Card Not Read>", "read_failed"),
                ("<W0x01>", "notice"),
                ("[Game]<W0x02>", "notice"),
            ]
        )
    )
    return wire + draw(ends), word


@st.composite
def card_b(draw: st.DrawFn) -> tuple[str, str]:
    card: Card = draw(cards)
    suit, rank = "HDCS".index(card.suit.value), "A23456789TJQK".index(card.rank.value) + 1
    body = f"0D{suit}{rank:X}"
    total = sum(body.encode()) & 0xFF
    return f"*{body}{total:02X}{draw(ends)}", f"card {card.code}"


lines = st.one_of(
    st.lists(st.one_of(card_a(), other_a()), max_size=12), st.lists(card_b(), max_size=12)
)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


places = st.lists(st.integers(0, 10_000), max_size=12)


@given(lines, places)
def test_what_was_sent_is_what_is_heard(sent: list[tuple[str, str]], places: list[int]) -> None:
    wire = "".join(text for text, _ in sent).encode()
    assert said(heard(made("shoe_bee_tek"), *cut(wire, places))) == [word for _, word in sent]


near_messages = st.lists(
    st.one_of(
        st.binary(max_size=8),
        st.sampled_from(
            [
                b"[Game]",
                b"<Card:4S>",
                b"<Card:4",
                b"S>",
                b"[",
                b"<",
                b"*0D21D7",
                b"*0D",
                b"4S",
                b" ",
            ]
        ),
    ),
    max_size=20,
).map(b"".join)


@given(near_messages, places)
def test_any_bytes_in_any_cut_say_the_same(data: bytes, places: list[int]) -> None:
    assert heard(made("shoe_bee_tek"), *cut(data, places)) == heard(made("shoe_bee_tek"), data)


@given(near_messages)
def test_no_byte_but_blanks_goes_by_without_a_word(data: bytes) -> None:
    events = heard(made("shoe_bee_tek", {"echo": False}), data)
    assert bool(events) == bool(data.strip(b" \r\n"))
