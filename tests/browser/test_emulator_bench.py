"""The bench page in a real browser: the shoe drawn, cards and faults by click, light and dark."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from drivers.testing.bench.emulated import Emulated, emulated
from support.console.english import SAID
from support.devices.emulated import LIMIT_S

pytestmark = pytest.mark.second_tier


@pytest.fixture(scope="module")
def shoe() -> Iterator[Emulated]:
    options = ("--tcp", "127.0.0.1:0", "--pace", "none", "--set", "burn=no")
    with emulated("shoe_angel_eye", *options, "--set", "result_s=3600") as running:
        yield running


@pytest.fixture
def page(browser: Browser, shoe: Emulated) -> Iterator[Page]:
    shoe.do("load", deck="9S 4D KH 3C 2S CUT 5H 6D 7C")
    opened = browser.new_page(viewport={"width": 1024, "height": 768})
    opened.set_default_timeout(LIMIT_S * 1000)
    opened.goto(shoe.ready["panel"])
    expect(opened.locator("#drawing svg")).to_be_visible()
    yield opened
    opened.close()


def test_round_is_dealt_by_click(page: Page) -> None:
    expect(page.locator("#drawing")).to_contain_text("8 cards left")
    page.click("#draw-next")
    expect(page.locator("#said")).to_have_text("draw: 9♠")
    page.click("[data-card='4D']")
    expect(page.locator("#drawing")).to_contain_text("Banker 4")
    for _ in range(2):
        page.click("#draw-next")
    expect(page.locator("#chips")).to_contain_text("result shown")
    page.click("#draw-next")
    expect(page.locator("#chips li.bad")).to_have_text("error 2")
    page.click("#rest summary")
    keep = page.locator("form[data-word=press]")
    keep.locator("select").select_option("keep")
    keep.locator("button").click()
    expect(page.locator("#chips li.bad")).to_have_count(0)
    expect(page.locator("#facts")).to_contain_text('["2S"]')


def test_draw_next_is_off_until_the_page_has_the_words(browser: Browser, shoe: Emulated) -> None:
    """Without them a tap would be lost; once they are there it draws a card."""
    shoe.do("load", deck="9S 4D KH 3C")
    opened = browser.new_page(viewport={"width": 1024, "height": 768})
    opened.set_default_timeout(LIMIT_S * 1000)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    opened.route("**/words", hold)
    with opened.expect_request("**/words"):
        opened.goto(shoe.ready["panel"], wait_until="commit")
    expect(opened.locator("#draw-next")).to_be_disabled()
    held.pop().continue_()
    opened.click("#draw-next")
    expect(opened.locator("#said")).to_have_text("draw: 9♠")
    opened.close()


def test_usual_faults_are_on_top_and_have_keys(page: Page) -> None:
    first = page.locator("#usual button").first
    expect(first).to_contain_text("Forced exit")
    page.keyboard.press("2")
    expect(page.locator("#said")).to_have_text("draw_two: 9♠, 4♦")
    page.keyboard.press("d")
    expect(page.locator("#said")).to_have_text("draw: K♥")
    page.keyboard.press("x")
    expect(page.locator("#chips")).not_to_contain_text("dealing")
    expect(page.locator("#dealer")).to_be_hidden()  # no table, no robot


def test_card_that_is_not_left_needs_a_sleeve(page: Page) -> None:
    expect(page.locator("[data-card='AS']")).to_be_disabled()
    page.check("#extra")
    page.click("[data-card='AS']")
    expect(page.locator("#said")).to_have_text("draw: A♠")


def test_faults_and_refusals_are_shown(page: Page, shoe: Emulated) -> None:
    cable = page.locator("[data-usual=unplug]")
    cable.click()
    expect(page.locator("#chips li.bad")).to_have_text("cable out")
    expect(cable).to_have_text("Plug the cable in")
    page.click("#rest summary")
    page.click("form[data-word=unplug] button")
    expect(page.locator("#said.bad")).to_have_text("unplug: the cable is out already")
    cable.click()
    expect(page.locator("#chips")).to_contain_text("cable in")
    shoe.do("lid", open=True)
    expect(page.locator("#chips li.bad")).to_have_text("lid open")
    shoe.do("lid", open=False)


def test_cards_come_by_themselves_until_stopped(page: Page) -> None:
    page.click("#rest summary")
    page.fill("#robot-s", "0.2")
    page.click("#robot")
    expect(page.locator("#chips")).to_contain_text("result shown")
    expect(page.locator("#robot")).to_have_text("Stop drawing")
    page.click("#robot")
    expect(page.locator("#robot")).to_have_text("Start drawing")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_can_be_read_by_everybody(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    found = Axe().run(page)
    serious = [each for each in found.response["violations"] if each["impact"] != "minor"]
    assert serious == []
    for width in (1024, 380):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_page_says_when_the_emulator_is_gone(browser: Browser) -> None:
    with emulated("shoe_bee_tek", "--tcp", "127.0.0.1:0") as shoe:
        opened = browser.new_page()
        opened.goto(shoe.ready["panel"])
        expect(opened.locator("#chips")).to_contain_text("game")
        expect(opened.locator("#gone")).to_be_hidden()
        assert shoe.stop() == 0
        expect(opened.locator("#gone")).to_be_visible()
        opened.close()


def test_it_speaks_the_language_of_the_page_that_frames_it(
    browser: Browser, shoe: Emulated
) -> None:
    """Whatever a hand can do has its Chinese words, and English is what it says by itself."""
    shoe.do("load", deck="9S 4D KH 3C 2S CUT 5H 6D 7C")
    opened = browser.new_page(viewport={"width": 1024, "height": 768})
    opened.goto(f"{shoe.ready['panel']}/?lang=zh-Hans")
    expect(opened.locator("#draw-next")).to_contain_text("抽下一张")
    opened.click("#draw-next")
    expect(opened.locator("#said")).to_contain_text("抽牌")
    opened.click("#rest summary")
    expect(opened.locator("form[data-word=press] button")).to_have_text("按钮")
    assert opened.locator("html").get_attribute("lang") == "zh-Hans"
    opened.click("form[data-word=resume] button")
    expect(opened.locator("#said.bad")).to_contain_text("设备并未停住")
    said = opened.evaluate(SAID)
    left = {word for text in said for word in re.findall("[A-Za-z]{2,}", text)} - CARDS
    assert left <= OWN_NAMES
    opened.close()


CARDS = {rank + suit for rank in "ATJQK" for suit in "SHDC"}
OWN_NAMES = {"shoe", "angel", "eye", "FORCED", "EXIT"}
"""The emulator's, and what stands on the shoe's button."""
