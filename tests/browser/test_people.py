"""Signing in, the lock, the second person, languages: who speaks at a screen."""

from collections.abc import Callable

from playwright.sync_api import expect

from support.console.screens import Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]


def enter(screen: Screen, secret: str) -> None:
    for digit in secret:
        screen.page.get_by_role("button", name=digit, exact=True).click()
    screen.page.get_by_role("button", name="Enter", exact=True).click()


def test_name_tile_and_pin_lead_to_ones_own_page(serve: Serve, at: Open) -> None:
    table = serve()
    dealer = at(table)
    dealer.shows("#demo", "DEMONSTRATION")
    dealer.press("dana")
    dealer.shows(".demo-pin", "1111")
    dealer.picture("sign-in")
    enter(dealer, "9999")
    dealer.shows("#says", "wrong")
    enter(dealer, "1111")
    dealer.page.wait_for_url("**/dealer")
    dealer.shows("#demo", "Not play")


def test_a_page_sends_whoever_is_not_signed_in_to_the_door_and_back(serve: Serve, at: Open) -> None:
    table = serve(demo=False)
    pit = at(table, path="/pit")
    pit.page.wait_for_url("**/?next=/pit")
    expect(pit.find("#demo")).to_be_hidden()
    pit.press("max")
    expect(pit.find(".demo-pin")).to_have_count(0)
    enter(pit, "3333")
    pit.page.wait_for_url("**/pit")
    pit.shows(".why", "Open the table")


def test_three_failures_lock_the_account(serve: Serve, at: Open) -> None:
    table = serve()
    dealer = at(table)
    dealer.press("dana")
    for _ in range(3):
        with dealer.page.expect_response("**/api/sign-in"):
            enter(dealer, "0000")
    dealer.shows("#says", "locked")
    expect(dealer.key("dana")).to_be_disabled()


def test_the_screen_locks_and_no_card_is_lost_by_it(serve: Serve, at: Open) -> None:
    now = [1000.0]
    table = serve(steady=lambda: now[0])
    table.desk.open_shoe()
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_betting", "close_betting")
    dealer.prompt("Draw a card for the Player")
    now[0] += 301
    expect(dealer.find("#lock")).to_be_visible()
    table.desk.draw("9H")
    expect(dealer.find(".hand.player .card.suit-H")).to_have_count(1)
    dealer.picture("locked")
    enter(dealer, "9999")
    dealer.shows("#lock-says", "wrong")
    enter(dealer, "1111")
    expect(dealer.find("#lock")).to_be_hidden()
    dealer.prompt("Draw a card for the Banker")
    dealer.press("lock")
    expect(dealer.find("#lock")).to_be_visible()
    expect(dealer.find("#work")).to_have_attribute("inert", "")


def test_the_second_person_is_somebody_else_and_high_enough(serve: Serve, at: Open) -> None:
    table = serve()
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_table")
    tiles = dealer.find("dialog .tile")
    expect(tiles).to_have_count(4)  # neither the dealer nor surveillance
    dealer.second_person("pia", "9999")
    dealer.shows("dialog.second .warn", "The PIN of Pia is wrong")
    dealer.prompt("Open the table")
    dealer.second_person("pia")
    dealer.prompt("Load a shoe")


def test_language_is_ones_own_and_dark_is_the_screens(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    dealer = at(table, "dana", "/dealer")
    dealer.prompt("Open betting")
    dealer.press("me", "o-zh-Hans")
    dealer.prompt("开始下注")
    expect(dealer.find("html")).to_have_attribute("lang", "zh-Hans")
    dealer.press("me", "theme")
    expect(dealer.find("html")).to_have_attribute("data-theme", "dark")
    dealer.picture("dealer-zh-dark")
    # The same person at another screen has the same language; another person has their own.
    elsewhere = at(table, "dana", "/dealer")
    elsewhere.prompt("开始下注")
    at(table, "pia", "/pit").shows("#status", "Open betting")
    # Nothing but these two choices is ever kept in the browser.
    kept = dealer.page.evaluate("() => [Object.keys(localStorage).sort(), sessionStorage.length]")
    assert kept == [["language", "theme"], 0]


def test_closing_after_this_round_lets_it_finish(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    pit = at(table, "pia", "/pit")
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_betting", "close_betting")
    table.desk.until("dealing")
    pit.up_to_date(table.desk.seq)
    pit.press("close")
    pit.confirm()
    dealer.shows("#prompt", "closes after this round")
    table.desk.draw("9H", "2C", "KD", "5S")
    dealer.press("announce", "settle")
    dealer.prompt("Open the table")


def test_the_pit_stops_the_table_and_changes_the_limits(serve: Serve, at: Open) -> None:
    table = serve(minimum=10000)
    table.desk.open_shoe()
    pit = at(table, "pia", "/pit")
    pit.press("suspend")
    pit.confirm()
    pit.shows(".why", "paused")
    pit.press("resume")
    pit.confirm()
    pit.shows(".why", "Open betting")
    pit.press("limits", "clear-minimum", "minimum-50000", "maximum-1000000")
    pit.confirm()
    pit.shows("#rulings", "limits from the next round")
    limits = table.desk.view["limits"]
    assert (limits["min"], limits["max"]) == (50000, 1000000)


def test_the_dealer_tells_of_the_cutting_card(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_betting", "cut_card")
    dealer.confirm()
    dealer.gone("cut_card")
    assert table.desk.view["shoe_in_use"]["cut_card_out"]
