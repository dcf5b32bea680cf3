"""The manual in a browser: its search finds a page, and nothing comes from elsewhere."""

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from support.console.screens import Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]


def test_search_finds_a_page_with_nothing_but_this_table(serve: Serve, at: Open) -> None:
    table = serve()
    page = at(table, path="/manual/").page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.get_by_label("Search").fill("power cards count")
    link = page.locator("#found a", has_text="power").first
    expect(link).to_be_visible()
    link.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("power")
    assert page.url.startswith(f"{table.url}/manual/power-cut.html")
    page.get_by_label("Search").fill("zzzz")
    expect(page.locator("#found")).to_have_text("No page has all of these words.")
    page.keyboard.press("Escape")
    expect(page.locator("#found")).to_be_hidden()
    assert asked
    assert all(each.startswith(f"{table.url}/manual/") for each in asked)


def test_axe_finds_nothing_serious_by_day_and_by_night(serve: Serve, at: Open) -> None:
    page = at(serve(), path="/manual/dealer.html").page
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
