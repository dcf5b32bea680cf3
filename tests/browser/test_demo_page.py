"""The demo's one window: three pages alive in it, the guide that ticks by itself, the robot at a
press. Everything is a real program; the shoe's page comes from its own."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, ViewportSize, expect

from support.console.demo_program import running_demo
from support.console.screens import PATIENCE_MS

pytestmark = pytest.mark.second_tier

SIZE: ViewportSize = {"width": 1280, "height": 800}


@pytest.fixture
def address() -> Iterator[str]:
    """A demo for each test: the guide begins at a table where nothing has happened."""
    with running_demo() as told:
        found = re.search(r"http://\S+/demo", told)
        assert found is not None
        assert told.index(found[0]) == told.index("http"), "it is the first address there is"
        yield found[0]


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport=SIZE, locale="en-US")
    context.set_default_timeout(PATIENCE_MS)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(address)
    yield opened
    context.close()
    assert errors == []


def frames(page: Page) -> tuple[FrameLocator, FrameLocator, FrameLocator]:
    """The dealer's page, the shoe's, the guests'."""
    dealer, shoe, guests = (
        page.frame_locator(f"{part} iframe") for part in ("#seat", "#shoe", "#guests")
    )
    return dealer, shoe, guests


def says(page: Page, text: str) -> None:
    expect(page.locator("#coach .said b")).to_have_text(text)


@pytest.mark.timeout(300)  # five programs start on a machine that may be busy
def test_guide_leads_through_a_round_step_by_step(address: str, page: Page) -> None:
    page.click("[data-key=deal]")
    dealer, shoe, _ = frames(page)
    says(page, "Open betting")
    dealer.locator("[data-key=open_betting]").click()
    says(page, "Place a wager")
    dealer.locator("[data-key=close_betting]").click()
    says(page, "Draw four cards")
    expect(page.locator("html")).to_have_attribute("data-where", "shoe")
    for cards in range(1, 5):
        shoe.locator("#draw-next").click()
        expect(dealer.locator("#felt .cards .card")).to_have_count(cards)
    says(page, "Announce the outcome")  # the first cards of the demo's own seed
    page.click("[data-key=skip]")
    says(page, "Deal as you like")
    page.goto(address)
    says(page, "Deal as you like")


@pytest.mark.timeout(300)
def test_robot_deals_a_living_table_goes_wrong_and_is_led_out(page: Page) -> None:
    dealer, shoe, guests = frames(page)
    expect(shoe.locator("#draw-next")).to_be_visible()
    page.click("[data-key=watch]")
    says(page, "The robot deals")
    expect(guests.locator("#hands .card").first).to_be_visible()
    expect(dealer.locator("#felt .card").first).to_be_visible()
    shoe.locator("[data-manner=mistakes]").click()
    state = page.locator("#coach .said span")
    expect(state).to_have_text("Halted")
    expect(state).not_to_have_text("Halted")
    page.click("[data-key=take-over]")
    expect(page.locator("[data-key=take-over]")).to_have_count(0)
    expect(shoe.locator("#dealer-says")).to_contain_text("has stopped")


def test_dealers_page_in_the_frame_opens_other_pages_beside(page: Page) -> None:
    page.click("[data-key=deal]")
    link = frames(page)[0].locator('#bar nav a[href="/rounds"]')
    with page.context.expect_page() as opened:
        link.click()
    expect(opened.value).to_have_url(re.compile("/rounds$"))
    expect(frames(page)[0].locator("#felt")).to_be_visible()
