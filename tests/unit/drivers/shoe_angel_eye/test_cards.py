"""Every card that leaves the shoe comes out once: unreadable, burned, overdrawn, outside a game."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.cards import Card
from drivers.error_meaning import ErrorMeaning
from drivers.events import (
    BadFrame,
    CardRead,
    CutCard,
    DeviceResult,
    ErrorCleared,
    ErrorRaised,
    Event,
    EventsLost,
    ExcessCard,
    ExcessNamed,
    Notice,
    ReadFailed,
    StandBy,
    Started,
    Where,
    Winner,
)
from support.devices.angel_frames import PLACES, RANKS, SUITS, Bench, drawn, numbered
from support.rows import each_row


def heard(*datas: bytes, settings: dict[str, object] | None = None, apart: float = 2.0) -> Bench:
    """Events in running numbers, so far apart, and the silence after them."""
    bench = Bench({"sequence": "1-9", "start_counts": "yes", **(settings or {})})
    for whole in numbered(datas):
        bench.hear(whole * 3, apart)
    bench.wait(30.0)
    return bench


def words(bench: Bench) -> list[str]:
    """What left the shoe, in short; notices and frames are left out."""
    said = []
    for event in bench.events:
        match event:
            case CardRead(card, where, index):
                said.append(f"{where.value if where else '?'} {index} {card.code}")
            case ReadFailed():
                said.append("unread")
            case ExcessCard(card, why):
                said.append(f"excess {why} {card.code if card else '?'}")
            case ExcessNamed(card, where, index):
                said.append(f"named {where.value if where else '?'} {index} {card.code}")
            case Notice() | StandBy() | ErrorCleared():
                pass
            case ErrorRaised(code):
                said.append(f"error {code}")
            case _:
                said.append(type(event).__name__)
    return said


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["P", "B", "burn", "first"]),
            st.integers(1, 3),
            st.builds("".join, st.tuples(st.sampled_from(RANKS), st.sampled_from(list(SUITS)))),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_any_cards_come_out_as_they_went_in(went: list[tuple[str, int, str]]) -> None:
    names = {"P": "player", "B": "banker", "burn": "burn", "first": "first"}
    bench = heard(*(drawn(*each) for each in went))
    assert words(bench) == [f"{names[what]} {index} {card}" for what, index, card in went]


# --- unreadable -------------------------------------------------------------------------------

E1, E1_NOTICE, E6 = b"E\xc1", b"E\x81", b"E\xc6"
FACELESS = drawn("P", 2, None)
NEXT = drawn("B", 2, "4D")


@each_row(
    "datas, apart, said",
    [
        ([FACELESS], 0.3, ["unread"]),
        ([E1], 0.3, ["error 1", "unread"]),
        ([E6], 0.3, ["error 6", "unread"]),
        ([E1, FACELESS], 0.3, ["error 1", "unread"]),
        ([FACELESS, E1], 0.3, ["unread", "error 1"]),
        ([E1_NOTICE, FACELESS], 0.3, ["error 1", "unread"]),
        ([E6, drawn("P", 2, "9H")], 0.3, ["error 6", "player 2 9H"]),
        ([E1_NOTICE, NEXT], 0.3, ["error 1", "unread", "banker 2 4D"]),
        ([E1, b"e\x81", NEXT], 0.3, ["error 1", "unread", "banker 2 4D"]),
        ([E1, b"e\x81", E1], 0.3, ["error 1", "unread", "error 1", "unread"]),
        ([E1, FACELESS, E1, FACELESS], 0.3, ["error 1", "unread", "error 1", "unread"]),
        ([FACELESS, FACELESS], 0.3, ["unread", "unread"]),
        ([E1, FACELESS], 2.0, ["error 1", "unread", "unread"]),
        ([FACELESS, E1], 2.0, ["unread", "error 1", "unread"]),
        ([E1, b"d\x91\x80"], 0.3, ["error 1", "unread", "excess error ?"]),
    ],
)
def test_an_unreadable_card_is_one_card(datas: list[bytes], apart: float, said: list[str]) -> None:
    assert words(heard(*datas, apart=apart)) == said


def test_error_and_faceless_card_are_two_where_the_setting_says_so() -> None:
    bench = heard(E1, FACELESS, apart=0.3, settings={"unread_card": "two_cards"})
    assert words(bench) == ["error 1", "unread", "unread"]


def test_the_error_is_told_at_once_and_its_card_within_a_second() -> None:
    bench = Bench()
    (whole,) = numbered([E1])
    assert bench.hear(whole) == [ErrorRaised(1, "the card cannot be read", must_clear=True)]
    assert bench.driver.deadline() == bench.at + 1.0
    assert bench.wait(1.0) == [ReadFailed()]


def test_a_loss_between_error_and_card_parts_them() -> None:
    bench = Bench()
    first, _, third = numbered([E1, b"P", FACELESS])
    bench.hear(first)
    bench.hear(third, 0.3)
    assert words(bench) == ["error 1", "unread", "EventsLost", "unread"]


# --- burned -----------------------------------------------------------------------------------

FIRST = drawn("first", 0, "3D")
BURNED = [drawn("burn", n, None) for n in (1, 2, 3)]
FACED = [drawn("burn", n, "5C") for n in (1, 2, 3)]
COUNTS = [drawn("count", n, None) for n in (1, 2, 3)]
P1 = drawn("P", 1, "8S")


@each_row(
    "datas, said",
    [
        ([FIRST, COUNTS[2], *FACED, b"P"], ["first 0 3D", "burn 1 5C", "burn 2 5C", "burn 3 5C"]),
        ([FIRST, COUNTS[2], *BURNED, b"P"], ["first 0 3D", *["unread"] * 3]),
        ([FIRST, *BURNED, b"P"], ["first 0 3D", *["unread"] * 3]),
        ([FIRST, COUNTS[2], b"P"], ["first 0 3D", *["unread"] * 3]),
        ([FIRST, COUNTS[2], P1], ["first 0 3D", *["unread"] * 3, "player 1 8S"]),
        ([FIRST, *COUNTS, b"P"], ["first 0 3D", *["unread"] * 3]),
        ([FIRST, *COUNTS[::-1], P1], ["first 0 3D", *["unread"] * 3, "player 1 8S"]),
        ([drawn("first", 0, "AS"), COUNTS[0], b"P"], ["first 0 AS", "unread"]),
        ([FIRST, drawn("count", 9, "KH")], ["first 0 3D", "burn 9 KH"]),
        ([FIRST, COUNTS[1], drawn("count", 2, "KH")], ["first 0 3D", "unread", "burn 2 KH"]),
        ([drawn("first", 0, None)], ["unread"]),
        ([FIRST, COUNTS[2], b"S"], ["first 0 3D", "EventsLost", "Started"]),
        ([FIRST, drawn("count", 12, None), b"P"], ["first 0 3D", "EventsLost"]),
    ],
)
def test_burned_cards_are_counted_however_the_shoe_tells_them(
    datas: list[bytes], said: list[str]
) -> None:
    assert words(heard(*datas)) == said


def test_what_a_count_means_is_found_out_anew_for_every_burn() -> None:
    bench = heard(FIRST, *COUNTS, b"P", FIRST, COUNTS[2], *FACED, b"P", apart=0.5)
    burned = ["burn 1 5C", "burn 2 5C", "burn 3 5C"]
    assert words(bench) == ["first 0 3D", *["unread"] * 3, "first 0 3D", *burned]


def test_a_burn_count_is_what_the_setting_says() -> None:
    faced = [FIRST, drawn("count", 1, "KH"), drawn("burn", 1, "5C"), b"P"]
    assert words(heard(*faced, settings={"burn_count": "announced"})) == [
        "first 0 3D",
        "burn 1 5C",
    ]
    each = [FIRST, COUNTS[0], b"P"]
    assert words(heard(*each, settings={"burn_count": "each_card"})) == ["first 0 3D", "unread"]


# --- one too many -----------------------------------------------------------------------------

E2, OVER, R = b"E\xc2", b"e\x82", drawn("P", 1, "6H", b"R")
AGAIN = drawn("P", 1, "6H")


@each_row(
    "datas, said",
    [
        ([E2, OVER, R], ["excess overdraw ?", "error 2", "named player 1 6H"]),
        ([E2, OVER, R, AGAIN], ["excess overdraw ?", "error 2", "named player 1 6H"]),
        (
            [E2, OVER, R, drawn("B", 1, "2C"), AGAIN],
            ["excess overdraw ?", "error 2", "named player 1 6H", "banker 1 2C"],
        ),
        (
            [E2, OVER, R, AGAIN, AGAIN],
            ["excess overdraw ?", "error 2", "named player 1 6H", "player 1 6H"],
        ),
        (
            [E2, OVER, R, drawn("P", 1, "7H")],
            ["excess overdraw ?", "error 2", "named player 1 6H", "player 1 7H"],
        ),
        (
            [E2, OVER, R, b"G\x90", AGAIN],
            ["excess overdraw ?", "error 2", "named player 1 6H", "DeviceResult"],
        ),
        (
            [E2, OVER, R, drawn("B", 1, "2C"), b"G\x90", AGAIN],
            [
                "excess overdraw ?",
                "error 2",
                "named player 1 6H",
                "banker 1 2C",
                "DeviceResult",
                "player 1 6H",
            ],
        ),
        ([E2, OVER], ["excess overdraw ?", "error 2", "ExcessDiscarded"]),
        ([E2, OVER, b"P"], ["excess overdraw ?", "error 2", "ExcessDiscarded"]),
        ([E2, OVER, P1], ["excess overdraw ?", "error 2", "ExcessDiscarded", "player 1 8S"]),
        ([R], ["excess carried 6H"]),
        (
            [E2, OVER, P1, R],
            ["excess overdraw ?", "error 2", "ExcessDiscarded", "player 1 8S", "excess carried 6H"],
        ),
        ([E2, OVER, drawn("P", 1, None, b"R")], ["excess overdraw ?", "error 2"]),
        (
            [E2, OVER, R, b"E\x81", AGAIN],
            ["excess overdraw ?", "error 2", "named player 1 6H", "error 1", "unread"],
        ),
        ([R, b"S", AGAIN], ["excess carried 6H", "Started", "player 1 6H"]),
    ],
)
def test_an_excess_card_is_counted_once_and_named_later(
    datas: list[bytes], said: list[str]
) -> None:
    assert words(heard(*datas, apart=0.5)) == said


def test_a_card_that_is_named_after_it_seemed_thrown_away_asks_for_the_count() -> None:
    late = heard(E2, OVER, R, apart=2.0)
    assert words(late) == ["excess overdraw ?", "error 2", "ExcessDiscarded", "EventsLost"]


def test_what_was_said_while_the_cable_was_out_throws_no_card_away() -> None:
    bench = Bench()
    for whole in numbered([E2, OVER]):
        bench.hear(whole * 3, 0.5)
    bench.reconnect(0.2)
    bench.wait(30.0)
    assert "ExcessDiscarded" not in words(bench)


def test_two_cards_are_carried_and_dealt_again() -> None:
    second = drawn("B", 1, "TS", b"R")
    bench = heard(E2, OVER, R, E2, OVER, second, AGAIN, drawn("B", 1, "TS"), apart=0.5)
    assert words(bench).count("excess overdraw ?") == 2
    assert words(bench)[-1] == "named banker 1 TS"
    assert not any(isinstance(event, CardRead) for event in bench.events)


def test_r_means_what_the_setting_says() -> None:
    reported = heard(E2, OVER, R, settings={"r_event": "report_only"})
    assert words(reported) == ["excess overdraw ?", "error 2"]
    assert isinstance(reported.events[-1], Notice)
    anew = heard(P1, R, settings={"r_event": "redeal_clear"})
    assert anew.events[-1] == DeviceResult(Winner.GIVEN_UP)
    assert words(anew) == ["player 1 8S", "DeviceResult"]


def test_a_card_outside_a_game_says_why() -> None:
    datas = [b"d\x81\xb8", b"d\x92\xa4", b"d\xa0\x9d", b"d\xf0\x9d"]
    assert words(heard(*datas)) == [
        "excess locked 8S",
        "excess error 4C",
        "excess setting KD",
        "excess outside a game KD",
    ]


# --- what is not in the documents -------------------------------------------------------------


@each_row("place", [0xB1, 0xE1, 0xF1])
def test_a_card_for_an_unknown_purpose_is_still_a_card(place: int) -> None:
    bench = heard(bytes((0x44, place, 0xB8)), bytes((0x44, place, 0x80)))
    assert words(bench) == ["? 1 8S", "unread"]
    assert sum(isinstance(event, Notice) for event in bench.events) == 2


@each_row("face", [0x80, 0x88, 0x90, 0x9E, 0x9F, 0xD1, 0xE5, 0xFD])
def test_what_is_none_of_the_52_is_a_card_that_could_not_be_read(face: int) -> None:
    assert words(heard(bytes((0x44, 0x81, face)))) == ["unread"]


@each_row("data", [b"G\x80", b"G\xb0", b"X", b"Z\xb8\xb8", b"M\x81\x82\x83\x84\x85\x86"])
def test_what_nobody_explains_is_a_notice_without_its_bytes(data: bytes) -> None:
    (notice,) = heard(data).events
    assert isinstance(notice, Notice)
    assert "\\x" not in repr(notice)
    assert not any(f"{byte:02X}" in notice.says for byte in data[1:])


@each_row("data", [b"S\x80", b"G", b"D\x81", b"D\x81\xb8\xb8", b"M01001", b"E"])
def test_a_frame_of_the_wrong_length_is_damage(data: bytes) -> None:
    (report,) = heard(data).events
    assert isinstance(report, BadFrame)


def test_a_forced_exit_gives_the_round_up_whatever_its_pair_bits_are() -> None:
    assert heard(b"G\xf3").events == [DeviceResult(Winner.GIVEN_UP)]


def test_an_error_nobody_explains_keeps_its_number() -> None:
    (raised,) = heard(b"E\xea").events
    assert raised == ErrorRaised(42, "error 42, which no public source explains", must_clear=True)
    assert raised.means is ErrorMeaning.OTHER


def test_bit_7_clear_is_read_and_said_once_or_refused() -> None:
    clear = [b"D\x01\x38", b"D\x11\x4d"]
    bench = heard(*clear)
    assert words(bench) == ["player 1 8S", "banker 1 KH"]
    assert sum("bit 7" in event.says for event in bench.events if isinstance(event, Notice)) == 1
    strict = heard(*clear, settings={"require_bit7": True})
    assert not any(isinstance(event, CardRead) for event in strict.events)
    assert any(isinstance(event, BadFrame) and event.may_be_card for event in strict.events)


def test_no_event_shows_a_face() -> None:
    every: list[Event] = []
    for card in ("8S", "KH"):
        datas = [drawn(what, 1, card) for what in PLACES]
        datas += [drawn("P", 1, card, b"R"), drawn("P", 1, card, b"d"), b"C", b"G\x91"]
        bench = heard(*datas)
        bench.hear(datas[0][:2], 5.0)
        bench.wait(20.0)
        every += bench.events
    assert {type(each) for each in every} >= {CardRead, ExcessCard, CutCard, DeviceResult, BadFrame}
    half = len(every) // 2
    assert list(map(repr, every[:half])) == list(map(repr, every[half:]))


def test_where_and_index_are_told_as_the_shoe_said_them() -> None:
    raw = bytes.fromhex("05454480B8033341")
    bench = Bench()
    card, notice = bench.hear(raw)
    assert card == CardRead(Card.parse("8S"), Where.PLAYER, 0, raw)
    assert isinstance(notice, Notice)


def test_a_restart_is_told_with_the_loss_before_it() -> None:
    bench = heard(P1, b"P", settings={"sequence": "1-9"})
    bench.say(numbered([b"S"])[0])
    assert [type(event) for event in bench.events[-2:]] == [EventsLost, Started]
