"""The bench page in a real browser: the shoe drawn, cards and faults by click, light and dark."""

import shutil
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from support.devices.emulated import LIMIT_S, Emulated, emulated

expect.set_options(timeout=LIMIT_S * 1000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("Chromium is not installed: browser tests are left out")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        yield opened
        opened.close()


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
    keep = page.locator("form[data-word=press]")
    keep.locator("select").select_option("keep")
    keep.locator("button").click()
    expect(page.locator("#chips li.bad")).to_have_count(0)
    expect(page.locator("#facts")).to_contain_text('["2S"]')


def test_card_that_is_not_left_needs_a_sleeve(page: Page) -> None:
    expect(page.locator("[data-card='AS']")).to_be_disabled()
    page.check("#extra")
    page.click("[data-card='AS']")
    expect(page.locator("#said")).to_have_text("draw: A♠")


def test_faults_and_refusals_are_shown(page: Page, shoe: Emulated) -> None:
    page.click("form[data-word=unplug] button")
    expect(page.locator("#chips li.bad")).to_have_text("cable out")
    page.click("form[data-word=unplug] button")
    expect(page.locator("#said.bad")).to_have_text("unplug: the cable is out already")
    page.click("form[data-word=plug] button")
    expect(page.locator("#chips")).to_contain_text("cable in")
    shoe.do("lid", open=True)
    expect(page.locator("#chips li.bad")).to_have_text("lid open")
    shoe.do("lid", open=False)


def test_robot_deals_until_it_is_stopped(page: Page) -> None:
    page.fill("#robot-s", "0.2")
    page.click("#robot")
    expect(page.locator("#chips")).to_contain_text("result shown")
    expect(page.locator("#robot")).to_have_text("Stop robot")
    page.click("#robot")
    expect(page.locator("#robot")).to_have_text("Start robot")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_can_be_read_by_everybody(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    found = Axe().run(page)
    serious = [each for each in found.response["violations"] if each["impact"] != "minor"]
    assert serious == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1024


def test_page_says_when_the_emulator_is_gone(browser: Browser) -> None:
    with emulated("shoe_bee_tek", "--tcp", "127.0.0.1:0") as shoe:
        opened = browser.new_page()
        opened.goto(shoe.ready["panel"])
        expect(opened.locator("#chips")).to_contain_text("game")
        expect(opened.locator("#gone")).to_be_hidden()
        assert shoe.stop() == 0
        expect(opened.locator("#gone")).to_be_visible()
        opened.close()
