"""A whole round of each method by clicking, from a closed table to the next round's first word."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from support.console.screens import Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]


def test_method_b_from_a_closed_table(serve: Serve, at: Open) -> None:
    table = serve()
    dealer = at(table, "dana", "/dealer")
    dealer.prompt("Open the table")
    dealer.press("open_table")
    dealer.second_person("pia")

    dealer.prompt("Load a shoe")
    dealer.press("load_shoe", "o-red", "o-pia", "o-true")
    dealer.confirm()
    dealer.prompt("Pia, approve or refuse in person")
    dealer.press("approve")
    dealer.second_person("pia")
    dealer.prompt("Open betting")
    dealer.press("open_betting")
    dealer.lay(1, "banker", 50000, 50000)
    dealer.lay(3, "player", 10000)
    dealer.lay(3, "tie", 2500)
    dealer.press("close_betting")
    dealer.prompt("Draw a card for the Player, face up")
    table.desk.draw("2H", "KC", "3D", "6S")
    dealer.prompt("Draw the Player's third card")
    dealer.shows(".hand.player .total", "5")
    table.desk.draw("TD")
    dealer.prompt("Player 5, Banker 6. Banker wins")
    dealer.press("announce")
    dealer.shows("#felt", "+950")
    dealer.press("settle")

    dealer.waits_for("open_betting")
    assert table.desk.view["results"] == ["B"]
    assert [paid["pays"] for paid in table.desk.view["settlements"]] == [95000, 0, 0]


def test_method_a_squeeze(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe("A")
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_betting")
    dealer.lay(1, "banker", 100000)
    dealer.lay(2, "player", 100000)
    dealer.lay(5, "player", 100000)
    dealer.press("close_betting")
    table.desk.until("dealing")
    table.desk.draw("2H", "KC", "3D", "6S")

    dealer.prompt("Pass the Player hand to Seat 2")
    expect(dealer.find("#felt .card.back")).to_have_count(4)
    dealer.press("leave-player")
    dealer.prompt("Pass the Player hand to Seat 5")
    dealer.press("take-player", "take-banker")
    dealer.gone("take-banker")
    dealer.shows(".hand.player .handler", "Seat 5")
    dealer.press("first", "o-banker")
    dealer.prompt("Place the Banker hand face up")
    # Not what the prompt asks for: chosen first, and taken back. Nothing is turned.
    dealer.press("expose-player", "take-back")
    expect(dealer.find("#felt .card.back")).to_have_count(4)
    # What it asks for takes one tap.
    dealer.press("expose-banker")
    expect(dealer.find(".hand.banker .card.back")).to_have_count(0)
    dealer.press("expose-player")
    dealer.prompt("Draw the Player's third card, face down")
    table.desk.draw("TD")
    dealer.press("expose-player", "announce", "settle")
    dealer.waits_for("open_betting")
    assert table.desk.view["results"] == ["B"]


@pytest.mark.second_tier
def test_one_card_turned_by_itself(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe("A")
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_betting", "close_betting")
    table.desk.until("dealing")
    table.desk.draw("9H", "KC", "3D", "6S")
    dealer.up_to_date(table.desk.seq)
    expect(dealer.find(".hand.player .turn")).to_have_count(2)
    dealer.find(".hand.player .turn").first.click()
    dealer.confirm()
    expect(dealer.find(".hand.player .turn")).to_have_count(1)
    assert table.desk.view["hands"] == {"player": ["9H", None], "banker": [None, None]}


def test_method_c_a_player_draws(serve: Serve, at: Open) -> None:
    table = serve(hlga=True)
    table.desk.open_shoe("B")
    pit = at(table, "ada", "/pit")
    pit.press("method", "m-C")
    pit.shows("#about", "Method C")

    dealer = at(table, "dana", "/dealer")
    dealer.prompt("Hand the device to a player")
    dealer.press("device", "o-seat 4")
    dealer.confirm()
    dealer.shows(".drawer", "Seat 4")
    dealer.press("open_betting")
    dealer.lay(4, "banker", 100000)
    dealer.press("close_betting")
    dealer.prompt("Have Seat 4 draw a card for the Player, face down")
    table.desk.draw("2H", "KC", "6D", "8S")
    dealer.up_to_date(table.desk.seq)
    dealer.press("take-player", "take-banker", "expose-player", "expose-banker")
    dealer.prompt("Tie")
    dealer.press("announce", "settle")
    dealer.waits_for("open_betting")
    assert table.desk.view["drawer"] == "seat 4"


def test_a_round_by_keyboard_alone(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe("B")
    dealer = at(table, "dana", "/dealer")
    dealer.prompt("Open betting")
    dealer.enter()
    dealer.prompt("Betting open")
    dealer.enter()
    dealer.prompt("Draw a card")
    table.desk.draw("9H", "2C", "KD", "5S")
    dealer.prompt("Announce")
    dealer.enter()
    dealer.prompt("Collect")
    dealer.enter()
    dealer.prompt("Open betting")
    assert table.desk.view["results"] == ["P"]


@pytest.mark.second_tier
def test_the_countdown_runs_while_bets_are_open(serve: Serve, at: Open) -> None:
    table = serve(betting_s=300.0)
    table.desk.open_shoe("B")
    dealer = at(table, "dana", "/dealer")
    display = at(table, path="/display")
    expect(dealer.find("#timer")).to_be_hidden()
    dealer.press("open_betting")
    expect(dealer.find("#timer output")).to_have_text(re.compile(r"^2\d\d$"))
    expect(display.find("#countdown")).to_be_visible()
    dealer.press("close_betting")
    expect(dealer.find("#timer")).to_be_hidden()
    expect(display.find("#countdown")).to_be_hidden()
