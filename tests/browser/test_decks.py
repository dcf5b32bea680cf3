"""Deck sets on the pages: kept by the pit, counted by the dealer, and one of them a card short."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from drivers.cards import DECK
from support.console.screens import Screen
from support.console.table_in_hand import Console

pytestmark = pytest.mark.second_tier

Serve = Callable[..., Console]
Open = Callable[..., Screen]
DEALT = ("9H", "2C", "KD", "6S")


def test_a_set_that_lacks_a_card_is_named_on_the_pages(serve: Serve, at: Open) -> None:
    table = serve(deck_control=True, decks=4)
    desk = table.desk
    desk.act("open_table")
    pit = at(table, "pia", "/pit", viewport={"width": 1280, "height": 800})
    pit.press("receive-decks")
    pit.key("deck-name").fill("A-17")
    pit.confirm()
    pit.press("inspected-A-17", "confirm")
    pit.press("approve")
    pit.second_person("max")
    pit.shows("#decks", "inspected")
    desk.act("load_shoe", deck_set="A-17", verified_by="pia", cut=True)
    desk.act("approve", who="pia", role="pit_supervisor")
    desk.act("open_betting")
    desk.act("close_betting")
    desk.draw(*DEALT)
    desk.say("shoe", "cut_card")
    desk.act("announce")
    desk.act("settle")
    dealer = at(table, "dana", "/dealer")
    dealer.prompt("count deck set A-17")
    dealer.press("pass_rest")
    desk.waits_until(lambda: desk.view["rest_passed"] == 0)
    rest = [card.code for card in DECK for _ in range(4)]
    for each in (*DEALT, "7S"):
        rest.remove(each)
    desk.draw(*rest)
    dealer.shows("#rail", "203 have passed")
    dealer.press("reconcile")
    pit.shows("#decks .down", "7♠")
    dealer.press("load_shoe")
    expect(dealer.key("o-A-17")).to_have_count(0)
