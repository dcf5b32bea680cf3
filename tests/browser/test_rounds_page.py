"""The page of rounds and the report: addresses, the back button, filters, paper, phone, Chinese."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from support.console.english import english_on
from support.console.screens import PHONE, PINS, Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]

TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def evening(table: Console) -> None:
    """The Player wins; a tie that was the Player's before a card was corrected; a void."""
    desk = table.desk
    desk.open_shoe()
    for cards in (("9H", "2C", "KD", "5S"), ("2H", "KC", "7D", "7S")):
        desk.act("open_betting", who="dana", role="dealer")
        desk.act("place", player="seat 3", wager="banker", amount=50000, position=3)
        desk.act("close_betting")
        desk.draw(*cards)
        desk.act("announce")
        desk.act("settle")
    n = desk.view["cards"][3]["n"]
    desk.act("correct", who="dana", role="dealer", n=n, card="9S", reason="误读")
    desk.act("approve", who="pia", role="pit_supervisor")
    desk.act("open_betting")
    desk.act("place", player="seat 3", wager="banker", amount=50000, position=3)
    desk.act("close_betting")
    desk.draw("9H", "2C")
    desk.act("report", what="uncovered")
    desk.act("decide", text="镜头", outcome="void")
    desk.act("approve", who="max", role="pit_manager")


@pytest.fixture
def table(serve: Serve) -> Console:
    found = serve()
    evening(found)
    return found


def test_a_round_has_an_address_and_the_back_button_works(table: Console, at: Open) -> None:
    """Somebody is given a link, signs in, and walks on from there and back."""
    eve = at(table, path="/rounds/1/2?corrected=1")
    eve.press("eve")
    for digit in PINS["eve"]:
        eve.page.get_by_role("button", name=digit, exact=True).click()
    eve.find(".digits .primary").click()
    eve.page.wait_for_url("**/rounds/1/2?corrected=1")
    eve.shows("#round h2", "Shoe 1, round 2")
    expect(eve.page).to_have_title("Shoe 1, round 2 · Sabot")
    expect(eve.find(".ledger .link")).to_have_count(1)  # the filter came along
    eve.press("to-list")
    eve.page.wait_for_url("**/rounds?corrected=1")
    expect(eve.find("#round")).to_be_hidden()
    eve.press("all")
    expect(eve.find(".ledger .link")).to_have_count(3)
    eve.press("round-3")
    eve.shows("#round h2", "Shoe 1, round 3")
    eve.press("previous")
    eve.shows("#round h2", "Shoe 1, round 2")
    for where in ("**/rounds/1/3", "**/rounds", "**/rounds?corrected=1"):
        eve.page.go_back()
        eve.page.wait_for_url(where)
    expect(eve.find(".ledger .link")).to_have_count(1)
    expect(eve.find("input[name=corrected]")).to_be_checked()
    eve.page.go_forward()
    expect(eve.find(".ledger .link")).to_have_count(3)
    expect(eve.find("input[name=corrected]")).not_to_be_checked()


@pytest.mark.second_tier
def test_filters_are_asked_of_the_console(table: Console, at: Open) -> None:
    eve = at(table, "eve", "/rounds")
    expect(eve.find(".ledger .link")).to_have_count(3)
    for name, value, wanted in (
        ("clause", "6.1", ["1/3"]),
        ("dealer", "Dana", ["1/2", "1/1"]),
        ("dealer", "nobody-here", []),
    ):
        eve.find(f"input[name={name}]").fill(value)
        eve.press("search")
        eve.page.wait_for_url(f"**/rounds?{name}={value}")
        expect(eve.find(".ledger .link")).to_have_text(wanted)
        eve.press("all")
        expect(eve.find(f"input[name={name}]")).to_have_value("")
    eve.find("input[name=void]").check()
    eve.press("search")
    expect(eve.find(".ledger .link")).to_have_text(["1/3"])
    expect(eve.find(".ledger .stamp")).to_have_count(1)
    expect(eve.find("#csv")).to_have_attribute("href", "/api/rounds/export.csv?void=1")


@pytest.mark.second_tier
def test_steps_say_what_happened_to_the_millisecond(table: Console, at: Open) -> None:
    eve = at(table, "eve", "/rounds/1/2")
    steps = eve.find(".steps li")
    expect(steps.nth(1)).to_contain_text("Seat 3 placed 500 on Banker")
    expect(steps.nth(3)).to_contain_text("2♥ to the Player")
    expect(steps.nth(7)).to_contain_text("Announced: Player wins 9 to 7")
    expect(steps.last).to_contain_text("Corrected: 7♠ → 9♠")
    expect(steps.nth(3).locator(".face.suit-H")).to_have_text("2♥")
    assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3}", steps.nth(3).locator("time").inner_text())
    eve.shows(".round-head dl", "UTC")
    # The table as it lay after any of them.
    steps.nth(3).locator(".link").click()
    expect(eve.find(".phase .card")).to_have_count(1)
    eve.go("/rounds/1/3")
    eve.shows(".steps", "Round void: all wagers returned")
    expect(eve.find(".round-head .stamp")).to_be_visible()
    eve.go("/rounds/7/7")
    eve.shows("#round", "This round cannot be shown.")


@pytest.mark.second_tier
def test_paper_shows_the_round_or_the_list_and_no_controls(table: Console, at: Open) -> None:
    eve = at(table, "eve", "/rounds", color_scheme="dark")
    expect(eve.find(".ledger .link")).to_have_count(3)
    eve.page.emulate_media(media="print", color_scheme="dark")
    expect(eve.find("#bar")).to_be_hidden()
    expect(eve.find("#search")).to_be_hidden()
    expect(eve.find(".ledger")).to_be_visible()
    eve.go("/rounds/1/2")
    expect(eve.find(".steps li").last).to_be_visible()
    for gone in ("#found", ".stepper", ".ways", ".phase"):
        expect(eve.find(gone)).to_be_hidden()
    expect(eve.find(".steps")).to_have_css("color", "rgb(15, 24, 21)")
    cut = "each => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth"
    assert not eve.find("#round").evaluate(cut)


@pytest.mark.second_tier
def test_no_english_is_left_on_a_chinese_page_and_a_phone_has_room(
    table: Console, at: Open
) -> None:
    pit = at(table, "max", "/rounds", locale="zh-CN", viewport=PHONE)
    for path, shown in (
        ("/rounds", ".ledger .link"),
        ("/rounds/1/2", ".proof h3"),
        ("/rounds/1/3", ".proof h3"),
        ("/report", "#report section"),
    ):
        pit.go(path)
        expect(pit.find(shown).first).to_be_visible()
        assert pit.page.evaluate(TOO_WIDE) == 0, path
        assert english_on(pit) == [], path


def test_report_tells_the_shift_and_prints(table: Console, at: Open) -> None:
    pit = at(table, "max", "/report")
    pit.shows(".figures.counts", "Rounds3")
    pit.shows(".figures.amounts", "Turnover1,000")
    dealers = pit.find("#report section").nth(2)
    expect(dealers).to_contain_text("Dana")
    expect(dealers.locator("tbody tr")).to_have_count(2)
    clipped = """() => [...document.querySelectorAll('#report th, #report td, #report dd')]
        .filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.textContent)"""
    assert pit.page.evaluate(clipped) == []
    pit.press("yesterday")
    pit.page.wait_for_url("**/report?since=*")
    pit.shows(".figures.counts", "Rounds0")
    pit.page.go_back()
    pit.shows(".figures.counts", "Rounds3")
    pit.page.emulate_media(media="print")
    expect(pit.find("#search")).to_be_hidden()
    expect(pit.find("#report section").last).to_be_visible()
