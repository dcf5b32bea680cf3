"""Somebody who has never seen it: the demo as it is started, a round drawn on the shoe's own page,
then two cards at once on purpose, led out by the book. Everything is a real program."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from support.console.demo_program import running_demo
from support.console.screens import PATIENCE_MS, TABLE_PC, Screen

pytestmark = pytest.mark.second_tier


def card_by_card(bench: Page, dealer: Screen, cards: int) -> None:
    """One after the other, each looked at on the felt before the next."""
    lying = dealer.find("#felt .cards .card")
    for _ in range(cards):
        before = lying.count()
        bench.click("#draw-next")
        expect(lying).to_have_count(before + 1)


def sign_in(dealer: Screen, name: str, pin: str) -> None:
    dealer.page.get_by_role("button", name=name).click()
    for digit in pin:
        dealer.page.get_by_role("button", name=digit, exact=True).click()
    dealer.page.get_by_role("button", name="Enter", exact=True).click()


def finished(dealer: Screen, bench: Page) -> None:
    """Third cards, if the table of play asks for them, then to the end of the round."""
    announce = dealer.key("announce")
    third = dealer.page.locator("#prompt .do", has_text="third card")
    expect(announce.or_(third)).to_be_visible()
    while third.is_visible():
        card_by_card(bench, dealer, 1)
        expect(announce.or_(third)).to_be_visible()
    dealer.press("announce", "settle")


@pytest.mark.timeout(300)  # seven programs start on a machine that may be busy
def test_a_newcomer_deals_breaks_and_is_led_out(browser: Browser) -> None:
    with running_demo() as told:
        url, panel, _ = re.findall(r"http://127\.0\.0\.1:\d+(?=\s)", told)
        context = browser.new_context(viewport=TABLE_PC, locale="en-US")
        context.set_default_timeout(PATIENCE_MS)
        dealer = Screen(context, url).go("/")
        sign_in(dealer, "Anna", "1111")
        dealer.press("open_betting", "close_betting")
        link = dealer.find("#actions .waiting a")
        expect(link).to_have_attribute("href", panel)
        with context.expect_page() as opened:
            link.click()
        bench = opened.value
        card_by_card(bench, dealer, 4)
        dealer.page.bring_to_front()  # a page in the background is drawn once a second
        finished(dealer, bench)

        dealer.press("open_betting", "close_betting")
        dealer.prompt("Draw a card for the Player")
        bench.click("[data-usual=draw_two]")
        expect(dealer.find("#felt .cards .card")).to_have_count(2)
        dealer.press("report", "simultaneous")
        dealer.confirm()
        dealer.press("no")
        dealer.confirm()
        dealer.shows("#side .case", "5.8.2.1")
        dealer.press("approve")
        dealer.second_person("ben", "2222")
        dealer.prompt("Round 2 is void")
        dealer.shows(".rulings", "5.8.2.1")
        context.close()
