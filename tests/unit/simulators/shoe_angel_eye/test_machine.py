"""What the emulated Angel Eye does, on stepped time; its words are the hands."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.kit.contract import Refused
from simulators.registry import make
from simulators.shoe_angel_eye.device import Phase
from simulators.shoe_angel_eye.round import Round
from simulators.wire.unit import Unit


class Shoe(Unit):
    """A shoe that says each event once; `events` gives their data without number and BCC."""

    def __init__(self, **given: object) -> None:
        super().__init__(make("shoe_angel_eye", {"copies": 1, "burn": "no", **given}))
        self.machine = self.emulator.machine  # type: ignore[attr-defined]
        assert self.events() == [b"S", b"P"]

    def events(self, dt: float = 0.0) -> list[bytes]:
        return [part[1:-3] for part in self.step(dt).split(b"\x05")[1:]]

    def draw(self, cards: str) -> list[bytes]:
        for card in cards.split():
            self.do("draw", card=card)
        return self.events()


def test_round_ends_with_its_result_and_stand_by_after_the_display() -> None:
    shoe = Shoe()
    assert shoe.draw("2S KD 3H 7C 9S") == [
        *(b"D\x81\xb2", b"D\x91\x9d", b"D\x82\xc3", b"D\x92\xa7", b"D\x83\xb9"),
        b"G\xc0",
    ]
    assert shoe.events(2.9) == []
    assert shoe.events(0.2) == [b"P"]
    assert shoe.draw("2S") == [b"D\x81\xb2"]


def test_button_ends_the_display_of_a_result() -> None:
    shoe = Shoe()
    shoe.draw("9S 4D KH 3C")
    shoe.do("press", button="result")
    assert shoe.events() == [b"P"]


def test_no_display_time_means_the_next_card_is_of_the_next_round() -> None:
    shoe = Shoe(result_s=0)
    assert shoe.draw("9S 4D KH 3C 5S")[-3:] == [b"G\x90", b"P", b"D\x81\xb5"]


def test_shoe_that_is_wrong_once_tells_another_winner_or_hand_and_is_right_again() -> None:
    shoe = Shoe(result_s=0)
    shoe.do("misjudge", winner="banker")
    shoe.do("misplace")
    told = shoe.draw("9S 4D KH 3C")
    assert (told[0], told[-2]) == (b"D\x91\xb9", b"G\xc0")
    told = shoe.draw("9S 4D KH 3C")
    assert (told[0], told[-2]) == (b"D\x81\xb9", b"G\x90")
    with pytest.raises(Refused, match="player, banker, tie"):
        shoe.do("misjudge", winner="house")


@pytest.mark.parametrize("again", [False, True])
def test_kept_card_is_player_one_of_the_next_round(again: bool) -> None:
    shoe = Shoe(kept_card_again=again)
    shoe.draw("9S 4D KH 3C")
    assert shoe.draw("6H") == [b"E\xc2"]
    shoe.do("press", button="keep")
    assert shoe.events() == [b"e\x82", b"R\x81\xc6"]
    assert shoe.events(3.0) == [b"P"]
    told_again = [b"D\x81\xc6"] if again else []
    assert shoe.draw("4D") == [*told_again, b"D\x91\x94"]
    assert shoe.draw("3C KH")[-1] == b"G\x90"  # 6H and 3C against 4D and KH


def test_discarded_card_leaves_the_next_round_alone() -> None:
    shoe = Shoe()
    shoe.draw("9S 4D KH 3C 6H")
    shoe.do("press", button="discard")
    assert shoe.events(3.0) == [b"e\x82", b"P"]
    assert shoe.draw("4D") == [b"D\x81\x94"]


def test_keeping_ends_before_the_initial_deal_is_full() -> None:
    shoe = Shoe()
    shoe.draw("9S 4D KH 3C")
    for card in ("2S", "3S", "4S"):
        shoe.draw(card)
        shoe.do("press", button="keep")
    shoe.draw("5S")
    with pytest.raises(Refused, match="no extra card to keep"):
        shoe.do("press", button="keep")


def test_error_mode_bars_the_game_until_it_is_cleared() -> None:
    shoe = Shoe()
    shoe.draw("9S")
    shoe.do("unreadable")
    assert shoe.events() == [b"E\xc1"]
    assert shoe.draw("4C") == [b"d\x91\xa4"]
    shoe.do("press", button="clear")
    assert shoe.events() == [b"e\x81"]
    assert shoe.draw("5D") == [b"D\x91\x95"], "the place is still open"


def test_notice_without_error_mode_bars_nothing() -> None:
    shoe = Shoe(error_mode="no")
    shoe.do("foreign")
    assert shoe.events() == [b"E\x86"]
    assert shoe.draw("5D") == [b"D\x81\x95"]


@pytest.mark.parametrize("how", ["key", "host"])
def test_card_pulled_while_locked_is_no_card_of_the_game(how: str) -> None:
    shoe = Shoe()
    if how == "key":
        shoe.do("key")
        assert shoe.events() == [b"L\x81"]
    else:
        shoe.hear(b"\x02OPLK02\x031B")
        assert shoe.step(0.01) == b"\x06"
    assert shoe.draw("8S 4C") == [b"d\x81\xb8", b"d\x82\xa4"]
    if how == "key":
        shoe.do("key", locked=False)
        assert shoe.events() == [b"L\x80"]
    else:
        shoe.hear(b"\x02OPLK01\x0318")
        assert shoe.step(0.01) == b"\x06"
    assert shoe.draw("8S") == [b"D\x81\xb8"]


def test_lock_command_is_told_where_the_settings_say_so() -> None:
    shoe = Shoe(lock_tells=True)
    shoe.hear(b"\x02OPLK02\x031B")
    out = shoe.step(0.01)
    assert out[:1] == b"\x06"
    assert out[3:5] == b"L\x81"


def test_burn_follows_the_first_card() -> None:
    shoe = Shoe()
    shoe.do("burn")
    assert shoe.draw("2D") == [b"D\xc0\x92", b"D\xd2\x80"]
    assert shoe.draw("JC 7H") == [b"D\xa1\xab", b"D\xa2\xc7", b"P"]
    assert shoe.draw("9S") == [b"D\x81\xb9"]


def test_pictures_burn_ten() -> None:
    shoe = Shoe()
    shoe.do("burn")
    assert shoe.draw("QD")[1] == b"D\xda\x80"
    assert shoe.draw(" ".join(["2S", "3S", "4S", "5S", "6S"] * 2))[-2:] == [b"D\xaa\xb6", b"P"]


def test_burned_cards_as_the_other_readings_have_them() -> None:
    shoe = Shoe(burn_count="per_card")
    shoe.do("burn", count=2)
    assert shoe.draw("2D KH") == [b"D\xd1\x92", b"D\xd2\xcd", b"P"]
    shoe = Shoe(burn_count="never", burn_faces=False)
    shoe.do("burn", count=1)
    assert shoe.draw("2D") == [b"D\xa1\x80", b"P"]


def test_burning_waits_for_stand_by() -> None:
    shoe = Shoe()
    shoe.draw("9S")
    with pytest.raises(Refused, match="between rounds"):
        shoe.do("burn")


def test_new_shoe_begins_with_the_burn_and_a_restart_does_not() -> None:
    shoe = Shoe(burn="yes")
    assert shoe.machine.phase is Phase.FIRST
    shoe.do("restart")
    assert shoe.events() == [b"S", b"P"]
    assert shoe.draw("9S") == [b"D\x81\xb9"]
    shoe.do("load", seed=7)
    assert shoe.events() == [b"S", b"P"]
    assert shoe.draw("9S")[0] == b"D\xc0\xb9"
    assert shoe.shown()["device"]["cards_left"] == 415


def test_two_at_once_as_the_reader_sees_them() -> None:
    shoe = Shoe(deck="9S 4D KH 3C 2C 5C")
    assert shoe.do("draw_two") == ["9S", "4D"]
    assert shoe.events() == [b"E\xc1"]
    shoe.do("press", button="clear")
    shoe.events()
    shoe.do("draw_two", read="first")
    assert shoe.events() == [b"D\x81\xcd"]
    shoe.do("draw_two", read="both")
    assert shoe.events() == [b"D\x91\xa2", b"D\x82\xa5"]
    with pytest.raises(Refused, match="fewer than two"):
        shoe.do("draw_two")


def test_pushed_back_card_comes_again_as_another_one() -> None:
    shoe = Shoe(deck="9S 4D")
    shoe.do("draw")
    shoe.do("push_back")
    assert shoe.events() == [b"D\x81\xb9", b"E\xc4"]
    with pytest.raises(Refused, match="no card has been drawn"):
        shoe.do("push_back")
    shoe.do("press", button="clear")
    shoe.do("draw")
    assert shoe.events() == [b"e\x84", b"D\x91\xb9"]


def test_jam_is_a_slow_card_that_cannot_be_drawn() -> None:
    shoe = Shoe(deck="9S 4D")
    shoe.do("jam")
    with pytest.raises(Refused, match="jammed"):
        shoe.do("draw")
    assert shoe.events(5.0) == [b"E\xc7"]
    shoe.do("jam", on="no")
    shoe.do("press", button="clear")
    shoe.do("draw")
    assert shoe.events() == [b"e\x87", b"D\x81\xb9"]


def test_half_drawn_card_in_time_is_a_card() -> None:
    shoe = Shoe(deck="9S 4D")
    shoe.do("half_draw")
    assert shoe.events(4.9) == []
    shoe.do("draw")
    assert shoe.events(4.9) == [b"D\x81\xb9"]


def test_open_lid_bars_the_exit() -> None:
    shoe = Shoe()
    shoe.do("lid", open=True)
    with pytest.raises(Refused, match="lid is open"):
        shoe.do("draw")
    shoe.do("lid", open=False)
    assert shoe.draw("9S") == [b"D\x81\xb9"]


def test_cutting_card_comes_where_it_lies_and_plays_no_part() -> None:
    shoe = Shoe(deck="9S 4D CUT KH 3C")
    told = []
    for _ in range(5):
        shoe.do("draw")
        told += shoe.events()
    assert told[2] == b"C"
    assert told[-1] == b"G\x90"
    with pytest.raises(Refused, match="empty"):
        shoe.do("draw")


def test_cutting_card_lies_so_many_cards_from_the_end() -> None:
    shoe = Shoe(decks=1, cut_from_end=5, result_s=0)
    while b"C" not in shoe.events():
        shoe.do("draw")
        if shoe.machine.error:
            pytest.fail("drawing rightly is no error")
    assert shoe.machine.mouth.pile.left == 5


def test_named_card_must_be_in_the_shoe_or_slipped_in() -> None:
    shoe = Shoe(deck="9S")
    with pytest.raises(Refused, match="no KD is left"):
        shoe.do("draw", card="KD")
    shoe.do("draw", card="KD", extra="yes")
    assert shoe.events() == [b"D\x81\x9d"]
    assert shoe.machine.mouth.pile.left == 1


def test_restart_in_mid_round_forgets_the_round() -> None:
    shoe = Shoe()
    shoe.draw("9S 4D")
    shoe.do("unreadable")
    shoe.do("restart", counter="kept")
    assert shoe.events() == [b"S", b"P"], "what the line had not said is gone"
    assert shoe.draw("KH") == [b"D\x81\xcd"]


def test_clear_without_an_error_is_refused() -> None:
    with pytest.raises(Refused, match="no error"):
        Shoe().do("press", button="clear")


def test_words_stop_where_the_shoe_forgets() -> None:
    shoe = Shoe()
    shoe.do("hang")
    for _ in range(200):
        shoe.do("key")
    with pytest.raises(Refused, match="200 events wait"):
        shoe.do("key")
    shoe.do("resume")
    assert len(shoe.events(1.0)) == 200


@given(st.lists(st.sampled_from("A23456789TJQK"), min_size=6, max_size=6))
@settings(max_examples=200, deadline=None)
def test_round_obeys_the_table_of_play(ranks: list[str]) -> None:
    """Told a second time from the rules, as sentences."""
    worth = {rank: index + 1 if index < 9 else 0 for index, rank in enumerate("A23456789TJQK")}
    cards = iter(rank + "S" for rank in ranks)
    round_ = Round()
    while round_.next_place() is not None:
        round_.add(next(cards))
    value = [worth[rank] for rank in ranks]
    player, banker = (value[0] + value[2]) % 10, (value[1] + value[3]) % 10
    if player >= 8 or banker >= 8:
        expected = (2, 2)
    elif player >= 6:
        expected = (2, 3 if banker <= 5 else 2)
    else:
        third = value[4]
        draws = {
            **dict.fromkeys((0, 1, 2), True),
            3: third != 8,
            4: 2 <= third <= 7,
            5: 4 <= third <= 7,
            6: 6 <= third <= 7,
            7: False,
        }[banker]
        expected = (3, 3 if draws else 2)
    assert (len(round_.player), len(round_.banker)) == expected


@given(st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_data_bytes_never_look_like_control_characters(seed: int) -> None:
    shoe = Unit(make("shoe_angel_eye", {"copies": 1, "result_s": 0}, seed))
    out = shoe.step(0)
    for _ in range(60):
        shoe.do("draw")
        out += shoe.step(1)
    frames = out.split(b"\x05")
    assert frames[0] == b""
    for frame in frames[1:]:
        assert frame[-3] == 0x03
        assert not {0x02, 0x03, 0x05, 0x06, 0x15} & set(frame[:-3])
