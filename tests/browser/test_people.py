"""Signing in, the lock, the second person, languages: who speaks at a screen."""

import os
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from controller.console.auth import totp
from controller.console.auth.kiosks import Kiosks, kiosks_path
from support.console.screens import PHONE, Screen
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
    enter(dealer, "9999")
    dealer.shows(".pad-says", "Wrong name or PIN: 2 tries left")
    enter(dealer, "1111")
    dealer.page.wait_for_url("**/dealer")
    dealer.shows("#demo", "No real money")


@pytest.mark.second_tier
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


@pytest.mark.second_tier
def test_three_failures_lock_the_account(serve: Serve, at: Open) -> None:
    table = serve()
    dealer = at(table)
    dealer.press("dana")
    for _ in range(3):
        with dealer.page.expect_response("**/api/sign-in"):
            enter(dealer, "0000")
    dealer.shows("#says", "a pit manager or above unlocks it")
    expect(dealer.key("dana")).to_be_disabled()
    dealer.shows('[data-key="dana"]', "locked after three wrong PINs")


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
    enter(dealer, "9999")
    dealer.shows("#lock .pad-says", "Wrong name or PIN: 2 tries left")
    expect(dealer.find("#lock .secret")).to_be_focused()
    enter(dealer, "1111")
    expect(dealer.find("#lock")).to_be_hidden()
    dealer.prompt("Draw a card for the Banker")
    dealer.press("lock")
    expect(dealer.find("#lock")).to_be_visible()
    expect(dealer.find("#work")).to_have_attribute("inert", "")


@pytest.mark.second_tier
def test_the_second_person_is_somebody_else_and_high_enough(serve: Serve, at: Open) -> None:
    table = serve()
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_table")
    tiles = dealer.find("dialog .tile")
    expect(tiles).to_have_count(4)  # neither the dealer nor surveillance
    dealer.second_person("pia", "9999")
    dealer.shows("dialog.second .warn", "Wrong PIN for Pia")
    dealer.shows("dialog.second .tries", "2 tries left")
    dealer.prompt("Open the table")
    dealer.second_person("pia")
    dealer.prompt("Load a shoe")


@pytest.mark.second_tier
def test_a_wrong_pin_counts_down_and_another_person_may_speak(serve: Serve, at: Open) -> None:
    table = serve()
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_table")
    dealer.second_person("pia", "9999")
    dealer.shows("dialog.second .tries", "2 tries left")
    expect(dealer.find("dialog.second .secret")).to_be_focused()
    dealer.page.keyboard.type("9999")
    dealer.page.keyboard.press("Enter")
    dealer.shows("dialog.second .tries", "1 try left, then the account locks")
    dealer.page.keyboard.type("9999")
    dealer.page.keyboard.press("Enter")
    dealer.shows("dialog.second", "Pia is locked now: three wrong PINs")
    dealer.shows("dialog.second", "Pit manager or above unlocks an account")
    expect(dealer.find('dialog [data-key="pia"]')).to_be_disabled()
    dealer.second_person("max")
    dealer.prompt("Load a shoe")


@pytest.mark.second_tier
def test_while_a_pin_is_checked_the_pad_says_so_and_keeps_what_is_typed(
    serve: Serve, at: Open
) -> None:
    table = serve()
    dealer = at(table, "dana", "/dealer")
    checked: list[Route] = []

    def holds(route: Route) -> None:
        checked.append(route)

    dealer.page.route("**/api/commands/*", holds)
    dealer.press("open_table")
    dealer.second_person("pia", "9999")
    dealer.shows("dialog.second .pad-says", "Checking the PIN")
    five = dealer.find("dialog.second .digit >> text='5'")
    before = five.bounding_box()
    dealer.page.keyboard.type("22")
    dealer.page.keyboard.press("Enter")  # the first is not answered yet
    checked.pop().continue_()
    dealer.shows("dialog.second .tries", "2 tries left")
    assert five.bounding_box() == before, "no key moves under a finger"
    expect(dealer.find("dialog.second .secret")).to_have_value("22")
    dealer.page.keyboard.type("22")
    dealer.page.keyboard.press("Enter")
    dealer.shows("dialog.second .pad-says", "Checking the PIN")
    checked.pop().continue_()
    dealer.prompt("Load a shoe")


@pytest.mark.second_tier
def test_the_pit_manager_unlocks_an_account_in_person(serve: Serve, at: Open) -> None:
    table = serve()
    accounts = table.accounts
    for _ in range(3):
        accounts.attempt("dana", "0000")
    supervisor = at(table, "pia", "/pit")
    supervisor.shows("#accounts", "Pit manager or above unlocks it")
    supervisor.gone("unlock-dana")
    pit = at(table, "max", "/pit")
    pit.press("unlock-dana")
    pit.own_pin("max", "9999")
    pit.shows("dialog.second .tries", "2 tries left")
    pit.own_pin("max")
    expect(pit.find("dialog")).to_have_count(0)
    expect(pit.find("#accounts")).to_be_empty()
    found = accounts.find("dana")
    assert found is not None
    assert not found.locked_at("table")
    assert "account_unlocked" in table.desk.noted()


@pytest.mark.second_tier
def test_after_lock_and_unlock_the_second_person_can_type_at_once(serve: Serve, at: Open) -> None:
    table = serve()
    dealer = at(table, "dana", "/dealer")
    dealer.press("lock")
    enter(dealer, "1111")
    expect(dealer.find("#lock")).to_be_hidden()
    dealer.press("open_table", "pia")
    expect(dealer.find("dialog.second .secret")).to_be_focused()
    ids = "() => [...document.querySelectorAll('[id]')].map((each) => each.id)"
    found = dealer.page.evaluate(ids)
    assert sorted(found) == sorted(set(found)), "no two things on a page have one name"
    dealer.page.keyboard.type("2222")
    dealer.page.keyboard.press("Enter")
    dealer.prompt("Load a shoe")


def test_approval_is_not_offered_to_who_reported_it(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    table.desk.act("open_betting")
    table.desk.act("place", player="seat 1", wager="banker", amount=200000, position=1)
    table.desk.act("place", player="seat 2", wager="tie", amount=50000, position=2)
    table.desk.act("close_betting")
    table.desk.draw("9H", "2C")
    table.desk.act("report", "pia", "pit_supervisor", what="simultaneous")
    table.desk.act("answer", "pia", "pit_supervisor", value=False)
    reporter, other = at(table, "pia", "/pit"), at(table, "max", "/pit")
    reporter.shows(
        "#waits .takes", "You requested it: needs a second approval, Pit supervisor or above"
    )
    expect(reporter.find("#waits button.primary")).to_have_count(0)
    reporter.press("approve")
    expect(reporter.find('dialog [data-key="pia"]')).to_have_count(0)
    reporter.page.keyboard.press("Escape")
    for text in (
        "Return 2,500 to 2 players",
        "Round 1 is cancelled",
        "2 cards out of play",
    ):
        other.shows("#waits .follows", text)
    other.shows('[data-key="refuse"]', "Gaming shift manager then decides")
    expect(other.key("approve")).to_contain_text("Approve the void")
    other.press("approve")
    expect(other.key("say-it")).to_contain_text("as Max, Pit manager")
    other.own_pin("max")
    other.shows("#rulings", "Round 1")
    assert table.desk.view["void"] == "5.8.2.1"


@pytest.mark.second_tier
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
    # The same person at another screen has the same language; another person has their own.
    elsewhere = at(table, "dana", "/dealer")
    elsewhere.prompt("开始下注")
    at(table, "pia", "/pit").shows("#waits", "Open betting")
    # Nothing but these two choices is ever kept in the browser.
    kept = dealer.page.evaluate("() => [Object.keys(localStorage).sort(), sessionStorage.length]")
    assert kept == [["language", "theme"], 0]


@pytest.mark.second_tier
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
    # Too early: it is taken back at the dealer's screen or the pit's, and said again.
    dealer.press("stay_open")
    dealer.second_person("pia")
    expect(dealer.find("#prompt")).not_to_contain_text("closes after this round")
    pit.press("close")
    pit.confirm()
    pit.press("stay_open")
    pit.press("close")
    pit.confirm()
    pit.waits_for("stay_open")
    table.desk.draw("9H", "2C", "KD", "5S")
    dealer.press("announce", "settle")
    dealer.prompt("Open the table")


@pytest.mark.second_tier
def test_the_pit_stops_the_table_and_changes_the_limits(serve: Serve, at: Open) -> None:
    table = serve(minimum=10000)
    table.desk.open_shoe()
    pit = at(table, "pia", "/pit")
    pit.press("suspend")
    pit.confirm()
    pit.shows("#status", "Pia stopped the table")
    pit.press("resume", "o-Fixed and tested", "confirm")
    pit.shows(".why", "Open betting")
    pit.press("limits", "more-minimum")
    pit.key("maximum").fill("10,000")
    pit.confirm()
    pit.shows("#rulings", "Limits from next round")
    limits = table.desk.view["limits"]
    assert (limits["min"], limits["max"]) == (20000, 1000000)


def test_limits_show_old_and_new_and_a_refusal_keeps_what_was_typed(serve: Serve, at: Open) -> None:
    table = serve(minimum=2500, maximum=1000000)
    table.desk.open_shoe()
    table.desk.act("open_betting")
    table.desk.act("place", player="seat 3", wager="banker", amount=2500, position=3)
    pit = at(table, "pia", "/pit")
    pit.press("limits")
    minimum = pit.key("minimum").locator("xpath=ancestor::*[contains(@class, 'limit-row')]")
    expect(minimum).to_contain_text("stays")
    pit.key("minimum").fill("50")
    expect(minimum.locator("s")).to_have_text("25")
    pit.shows(".feels", "Seat 3: Banker 25 below 50")
    expect(pit.key("confirm")).to_be_disabled()  # it is said between rounds
    pit.shows('[data-key="confirm"]', "after this round")
    table.desk.act("close_betting")
    table.desk.draw("9H", "2C", "KD", "3S")
    pit.up_to_date(table.desk.seq)
    pit.key("maximum").select_text()
    table.desk.act("announce")
    table.desk.act("settle")
    pit.up_to_date(table.desk.seq)
    expect(pit.key("minimum")).to_have_value("50")
    pit.page.keyboard.insert_text("20")  # over what was selected before the page was drawn again
    pit.shows('[data-key="confirm"]', "Change 2 limits")
    pit.confirm()
    pit.shows("#refusal", "20")
    expect(pit.key("minimum")).to_have_value("50")
    expect(pit.key("maximum")).to_have_value("20")
    pit.key("maximum").fill("5000")
    pit.confirm()
    pit.gone("leave-limits")
    limits = table.desk.view["limits"]
    assert (limits["min"], limits["max"], limits["differential"]) == (5000, 500000, None)


@pytest.mark.second_tier
def test_one_kind_of_wager_and_an_area_have_limits_of_their_own(serve: Serve, at: Open) -> None:
    table = serve(minimum=2500, maximum=1000000)
    table.desk.open_shoe()
    pit = at(table, "max", "/pit")
    pit.press("limits")
    pit.key("limits-of").select_option("tie")
    pit.gone("differential")
    pit.key("maximum").fill("1000")
    pit.confirm()
    pit.gone("leave-limits")
    pit.shows("#table", "1,000")
    pit.press("limits", "less-per_area")
    pit.confirm()
    pit.gone("leave-limits")
    limits = table.desk.view["limits"]
    assert limits["wagers"] == {"tie": {"min": 2500, "max": 100000}}
    assert limits["per_area"] == 2


@pytest.mark.second_tier
def test_a_squeeze_that_was_asked_for_is_permitted_by_the_pit(serve: Serve, at: Open) -> None:
    table = serve(rulebook="rws-commission-baccarat-4", deal_face="down")
    desk = table.desk
    desk.open_shoe("one")
    desk.act("open_betting")
    desk.act("place", player="seat 4", wager="banker", amount=200000, position=4)
    desk.act("close_betting")
    desk.say("player", "accept_cards", who="seat 4", hand="banker")
    pit = at(table, "pia", "/pit")
    pit.shows("#waits .why", "Seat 4 asks to squeeze the Banker hand")
    pit.press("permit-squeeze")
    pit.gone("permit-squeeze")
    assert desk.view["handlers"] == {"banker": "seat 4"}


@pytest.mark.second_tier
def test_the_dealer_permits_or_declines_a_squeeze_and_is_offered_nothing_else(
    serve: Serve, at: Open
) -> None:
    table = serve(rulebook="rws-commission-baccarat-4", deal_face="down")
    desk = table.desk
    desk.open_shoe("one")
    desk.act("open_betting")
    desk.act("place", player="seat 4", wager="banker", amount=200000, position=4)
    desk.act("place", player="seat 2", wager="player", amount=200000, position=2)
    desk.act("close_betting")
    dealer = at(table, "dana", "/dealer")
    dealer.shows('[data-key="take-banker"]', "Permit Seat 4 to squeeze")
    dealer.gone("leave-banker")  # nobody has asked: there is nothing to decline
    desk.say("player", "accept_cards", who="seat 4", hand="banker")
    dealer.prompt("Seat 4 asks to squeeze the Banker hand")
    dealer.shows('#actions .slot [data-key="take-banker"]', "Permit")
    dealer.shows('#actions .slot [data-key="leave-banker"]', "Decline")
    dealer.press("leave-banker")
    dealer.gone("leave-banker")
    desk.say("player", "accept_cards", who="seat 4", hand="banker")
    dealer.waits_for("leave-banker")
    dealer.press("take-banker")
    dealer.gone("take-banker")
    assert desk.view["handlers"] == {"banker": "seat 4"}
    desk.draw("2H", "KC", "3D", "6S")
    dealer.up_to_date(desk.seq)
    dealer.waits_for("expose-player")
    dealer.gone("take-player")  # its cards lie there: it is too late


@pytest.mark.second_tier
def test_a_shoe_that_is_refused_stays_as_it_was_chosen(serve: Serve, at: Open) -> None:
    table = serve()
    desk = table.desk
    desk.open_shoe()
    desk.say("shuffler", "verified", cards=208)  # half of what this table plays with
    dealer = at(table, "dana", "/dealer")
    dealer.press("load_shoe", "o-red", "o-shuffler", "o-true")
    dealer.confirm()
    expect(dealer.find("dialog .toast")).to_be_visible()
    for chosen in ("o-red", "o-shuffler", "o-true"):
        expect(dealer.key(chosen)).to_have_attribute("aria-pressed", "true")
    dealer.press("o-pia", "confirm")
    expect(dealer.find("dialog")).to_have_count(0)
    assert desk.view["request"]["given"]["deck_set"] == "red"


@pytest.mark.second_tier
def test_what_no_rule_covers_is_told_in_words(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    table.desk.act("open_betting")
    pit = at(table, "pia", "/pit")
    pit.press("report", "o-Other", "uncovered")
    expect(pit.key("confirm")).to_be_disabled()
    pit.key("text").fill("a drink was spilt over the layout")
    pit.confirm()
    boss = at(table, "gus", "/pit")
    boss.shows(".in-words", "a drink was spilt over the layout")
    boss.shows(".in-words", "Pia")


@pytest.mark.second_tier
def test_on_a_phone_the_thumb_reaches_yes_and_no(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    table.desk.act("open_betting")
    table.desk.act("close_betting")
    table.desk.draw("9H", "2C", "??")
    table.desk.act("enter_card", "dana", "dealer", card="KH")
    pit = at(table, "pia", "/pit", viewport=PHONE)
    pit.waits_for("approve")
    for scrolled in (0, 400):
        pit.page.evaluate(f"() => scrollTo(0, {scrolled})")
        for key in ("approve", "refuse"):
            box = pit.key(key).bounding_box()
            assert box is not None
            assert box["y"] > PHONE["height"] * 0.75
            assert box["y"] + box["height"] <= PHONE["height"]
    wide = pit.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide == PHONE["width"]


@pytest.mark.second_tier
def test_names_and_devices_are_what_people_call_them(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    table.desk.act("open_betting", "dana", "dealer")
    device = {"name": "shoe", "driver": "shoe_x", "port": "/dev/ttyUSB0", "link": "up"}
    counts = {"CardRead": 219, "BadFrame": 2}
    shown: list[dict[str, Any]] = [{**device, "counts": counts, "errors": [], "identity": None}]
    pit = at(table, "pia", "/pit")
    pit.page.route("**/api/devices", lambda route: route.fulfill(json={"devices": shown}))
    pit.shows("#devices", "Shoe OK")
    pit.shows("#devices", "219 cards read, none unread")
    pit.shows("#table", "DealerDana")
    pit.shows("#table", "Verified byPia")
    text = pit.find("#work").inner_text()
    assert not {"ttyUSB0", "shoe_x", "BadFrame", "dana"} & set(text.split())


@pytest.mark.second_tier
def test_the_dealer_tells_of_the_cutting_card(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_betting", "cut_card")
    dealer.confirm()
    expect(dealer.key("cut_card")).to_be_disabled()
    assert table.desk.view["shoe_in_use"]["cut_card_out"]


@pytest.mark.second_tier
def test_away_from_the_table_name_pin_and_code_are_typed(serve: Serve, at: Open) -> None:
    """As a phone in the pit does it; what comes through a proxy is never the table."""
    table = serve(demo=False)
    secret = totp.new_secret(bytes(totp.KEY_BYTES))
    table.accounts.second_factor("max", secret)
    phone = at(table)
    phone.page.set_extra_http_headers({"X-Forwarded-For": "10.0.0.5"})
    phone.go("/")
    expect(phone.find("#name")).to_be_focused()
    expect(phone.find(".tile")).to_have_count(0)
    phone.page.keyboard.type("max")
    phone.page.get_by_label("Authenticator code").fill("000000")
    enter(phone, "3333")
    phone.shows(".pad-says", "Wrong name, PIN or code")
    step = int(time.time() // totp.STEP_S)
    phone.page.get_by_label("Authenticator code").fill(totp.code_at(totp.key_of(secret), step))
    enter(phone, "3333")
    phone.page.wait_for_url("**/pit")
    phone.shows(".why", "Open the table")


@pytest.mark.second_tier
def test_the_link_of_a_kiosk_makes_its_browser_the_table(serve: Serve, at: Open) -> None:
    table = serve(demo=False)
    token = Kiosks(kiosks_path(table.accounts.path), os.urandom).add("desk", time.time())
    # From another page: only then is the link's own loaded as a whole, and once.
    kiosk, other = at(table, path="/errors"), at(table, path="/errors")
    for each in (kiosk, other):
        each.page.set_extra_http_headers({"X-Forwarded-For": "10.0.0.9"})
    kiosk.go(f"/#kiosk={token}")
    expect(kiosk.key("dana")).to_be_visible()
    assert token not in kiosk.page.url
    other.go(f"/#kiosk={token}")
    other.shows("#says", "This link was used")


@pytest.mark.second_tier
def test_a_telephone_is_enrolled_at_the_table_by_its_first_code(serve: Serve, at: Open) -> None:
    table = serve()
    pit = at(table).sign_in("max", "/pit")
    pit.press("me")
    pit.press("totp")
    for digit in "3333":
        pit.page.get_by_role("button", name=digit, exact=True).click()
    pit.press("say-it")
    key = (pit.key("totp-key").text_content() or "").replace(" ", "")
    field = pit.page.get_by_label("First code")
    field.fill("12")
    pit.press("confirm")
    pit.shows(".toast", "Wrong code")
    field.fill(totp.code_at(totp.key_of(key), int(time.time() // 30)))
    pit.press("confirm")
    pit.shows(".toast", "Your phone is enrolled")
    pit.press("me")
    pit.shows("dialog", "Your authenticator is enrolled")
    account = table.accounts.find("max")
    assert account is not None
    assert account.totp == key
