"""The Bee-Tek's lines, caused by hands and compared with the published samples."""

import json
from pathlib import Path

import pytest

from simulators.kit.cards import NEW_DECK
from simulators.kit.contract import Refused
from simulators.registry import make
from simulators.wire.unit import Unit
from support.rows import each_row

VECTORS = {
    vector["name"]: bytes.fromhex(vector["hex"])
    for vector in json.loads(
        (Path(__file__).parents[4] / "drivers/shoe_bee_tek/vectors.json").read_text("utf-8")
    )
}
BARE = {"terminator": "none"}


def shoe(**settings: object) -> Unit:
    unit = Unit(make("shoe_bee_tek", settings))
    assert unit.step(0) == b"", "it says nothing by itself"
    return unit


def said(unit: Unit, *words: str, **given: object) -> bytes:
    for word in words:
        unit.do(word)
    if given:
        unit.do("draw", **given)
    return unit.step(0)


@each_row(
    "vector, settings, words, card",
    [
        ("A: card in game mode", BARE, (), "4S"),
        ("A: card in game mode, CR LF", {}, (), "4S"),
        ("A: burn card, rank first", BARE, ("burn",), "3H"),
        (
            "A: burn card, suit first",
            {**BARE, "order": "suit_first_in_burn"},
            ("burn",),
            "3H",
        ),
        ("A: alarm E3", BARE, ("unreadable",), None),
        ("A: alarm E3 in alarm mode", {**BARE, "alarm_mode": "yes"}, ("unreadable",), None),
        ("A: alarm E3 in burn mode", BARE, ("burn", "unreadable"), None),
        ("A: <Game> as a card not read", {**BARE, "unread": "game"}, ("foreign",), None),
        (
            "A: <Game> in burn mode",
            {**BARE, "unread": "game"},
            ("burn", "draw_two"),
            None,
        ),
        ("A: warning 1", BARE, ("warn",), None),
        ("A: card and its echo", {**BARE, "echo": "yes"}, (), "4S"),
        ("A: ten written with two digits", {"ten": "10"}, (), "TD"),
        (
            "A: ten written with two digits, suit first",
            {"ten": "10", "order": "suit_first"},
            (),
            "TD",
        ),
        ("A: short form, trusted", {**BARE, "short": True}, (), "4S"),
    ],
)
def test_sample_line_is_said(
    vector: str, settings: dict[str, object], words: tuple[str, ...], card: str | None
) -> None:
    given = {} if card is None else {"card": card}
    assert said(shoe(**settings), *words, **given) == VECTORS[vector]


def test_echo_stands_behind_the_end_of_the_line() -> None:
    unit = shoe(echo=True)
    out = said(unit, card="4S") + said(unit, card="KD")
    assert out == VECTORS["A: card, CR LF, echo, next card"]
    assert said(unit, "burn", card="4S").endswith(b"<Card:4S> \r\n"), "in game mode only"


@pytest.mark.parametrize(("end", "name"), [("lf", "A: LF only"), ("cr", "A: CR only")])
def test_ends_of_lines(end: str, name: str) -> None:
    unit = shoe(terminator=end)
    assert said(unit, card="4S") + said(unit, card="5H") == VECTORS[name]


def test_equal_neighbours_are_two_cards() -> None:
    unit = shoe()
    out = said(unit, card="4S") + said(unit, card="4S")
    assert out == VECTORS["A: two equal cards are two cards"]


@each_row("card", NEW_DECK)
def test_code_line_of_every_card(card: str) -> None:
    assert said(shoe(format="B"), card=card) == VECTORS[f"B: {card}"]


def test_code_lines_know_nothing_but_cards() -> None:
    unit = shoe(format="B")
    assert said(unit, "unreadable", "foreign", "warn", "alarm", "burn", "draw_two") == b""


def test_other_alarms_and_warnings_by_hand() -> None:
    unit = shoe(terminator="none")
    unit.do("alarm", code=5, text="Something")
    unit.do("warn", number=2)
    assert unit.step(0) == VECTORS["A: another alarm"] + VECTORS["A: warning 2"]
    with pytest.raises(Refused, match="without brackets"):
        unit.do("alarm", text="a > b")


def test_mode_is_offered_by_one_button_and_taken_by_the_other() -> None:
    unit = shoe(terminator="none", mode_notice=True)
    with pytest.raises(Refused, match="nothing to confirm"):
        unit.do("press", button="enter")
    unit.do("press", button="mode")
    assert said(unit, card="3H") == b" [Game]<Card:3H> "
    unit.do("press", button="enter")
    assert unit.step(0) == VECTORS["A: <Game> in burn mode"]
    assert said(unit, card="3H") == VECTORS["A: burn card, rank first"]
    with pytest.raises(Refused, match="burn mode already"):
        unit.do("burn")
    unit.do("burn", on="no")
    assert unit.step(0) == VECTORS["A: <Game> as the name of the mode"]


def test_diagnosis_tells_nothing() -> None:
    unit = shoe()
    unit.do("key")
    assert said(unit, card="4S") == b""
    unit.do("key", on=False)
    assert said(unit, card="4S") != b""


def test_two_at_once_as_the_reader_sees_them() -> None:
    unit = shoe(terminator="none", deck="9S CUT 4D KH 3C 2S")
    unit.do("draw_two", read="both")
    assert unit.step(0) == b" [Game]<Card:9S>  [Game]<Card:4D> "
    unit.do("draw_two", read="first")
    assert unit.step(0) == b" [Game]<Card:KH> "


def test_what_has_no_message_is_silent() -> None:
    unit = shoe(deck="9S CUT 4D")
    unit.do("draw")
    unit.step(0)
    unit.do("push_back")
    unit.do("half_draw")
    unit.do("push_back", where="midway")
    unit.do("draw")
    assert unit.step(0) == b" [Game]<Card:9S> \r\n", "the card that was pushed back"
    assert unit.do("draw") == "CUT"
    unit.do("cutting_card")
    unit.do("lid")
    with pytest.raises(Refused, match="lid"):
        unit.do("draw")
    unit.do("lid", open=False)
    unit.do("jam")
    with pytest.raises(Refused, match="jam"):
        unit.do("draw")
    unit.do("jam", on=False)
    assert unit.step(10) == b""
    unit.do("draw")
    assert unit.step(0) == b" [Game]<Card:4D> \r\n"


def test_restart_goes_back_to_game_mode_in_silence() -> None:
    unit = shoe()
    unit.do("burn")
    unit.do("restart")
    assert unit.step(1) == b""
    assert said(unit, card="4S").startswith(b" [Game]")


def test_new_shoe_is_full() -> None:
    unit = shoe(decks=6)
    said(unit, card="4S")
    unit.do("load", seed=3)
    assert unit.shown()["device"]["cards_left"] == 312


def test_words_stop_where_the_shoe_forgets() -> None:
    unit = shoe()
    unit.do("hang")
    for _ in range(200):
        unit.do("draw")
    with pytest.raises(Refused, match="200 events wait"):
        unit.do("draw")
