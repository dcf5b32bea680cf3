"""The floor's pages in a browser: exceptions first, an approval from here, a thousand tables."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import msgspec
import psycopg
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from controller.floor.documents import ALL
from controller.floor.shifts import Shifts
from controller.floor.store import standing_exceptions
from controller.floor.store.standing_exceptions import StandingKind
from controller.protocol.documents import LicensedPerson, People
from controller.protocol.names import TableName
from controller.protocol.orders import Order, OrderAnswer, OrderOutcome
from support.console.browsers import shared_browser  # noqa: F401
from support.console.screens import PATIENCE_MS, PINS
from support.floor.servers import FloorDatabase
from support.floor.web import FloorInHand

PAGES = ("floor", "devices", "people", "trends", "proof", "orders", "site", "tables/b-07")
WCAG = {"runOnly": ["wcag2a", "wcag2aa"], "resultTypes": ["violations"]}


def held(since: float, **more: Any) -> dict[str, Any]:
    return {
        "kind": "case",
        "code": "held_reported",
        "gaps": {"irregularity": "simultaneous", "by": "dana"},
        "text": "dana reported: two or more cards drawn at once",
        "since": time.time() - since,
        "role": "pit_supervisor",
        "clause": "5.8",
        **more,
    }


def ask(**more: Any) -> dict[str, Any]:
    return {
        "do": "approve",
        "says": "void the round?",
        "code": "",
        "gaps": {},
        "role": "pit_supervisor",
        "clause": "5.8.2.1",
        **more,
    }


@pytest.fixture
def window(browser: Browser, web: FloorInHand) -> Iterator[Page]:
    """Signed in as the shift manager; an error of any script fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    sign_in(context, web, "gus")
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def sign_in(context: BrowserContext, web: FloorInHand, who: str) -> None:
    given = {"who": who, "secret": PINS[who]}
    answer = context.request.post(f"{web.url}/api/sign-in", data=given, headers={"Origin": web.url})
    assert answer.ok, answer.text()


def rested(window: Page) -> None:
    """A window takes no tap at first."""
    expect(window.locator("dialog:not(.rests)")).to_have_count(1)


def tables(web: FloorInHand) -> None:
    """A small floor: one waits for approval, one has nothing to decide yet, the rest play."""
    for n in range(1, 10):
        web.beat(f"b-{n:02}", "B", every=600.0)
        web.live(f"b-{n:02}", 40 + n)
    web.live("b-07", 60, state="halted", held=[held(100)], asks=[ask()])
    web.live("b-02", 61, state="halted", held=[held(300)])


def test_a_stopped_table_is_approved_from_where_the_pit_stands(
    web: FloorInHand, window: Page
) -> None:
    tables(web)
    window.goto(f"{web.url}/floor")
    rows = window.locator(".exceptions .row")
    expect(rows).to_have_count(2)
    # The longest first; only the first that one can decide oneself is solid.
    assert rows.evaluate_all("rows => rows.map((row) => row.dataset.table)") == ["b-02", "b-07"]
    expect(window.locator(".exceptions .primary")).to_have_count(1)
    expect(rows.nth(1)).to_contain_text("5.8.2.1")
    window.click('[data-key="approve-b-07"]')
    box = window.locator("dialog")
    expect(box).to_contain_text("Void the round?")
    rested(window)
    box.locator("input").fill("0000")
    box.locator('[data-key="approve"]').click()
    expect(box).to_contain_text("2 tries left")
    assert web.tables.came == []
    box.locator("input").fill(PINS["gus"])
    box.locator('[data-key="approve"]').click()
    expect(box).to_have_count(0)
    ((to, carried),) = web.tables.came
    order = msgspec.json.decode(carried.order, type=Order)
    assert (to.table, order.word, order.who, order.seen) == ("b-07", "approve", "gus", 60)


@pytest.mark.second_tier
def test_what_was_approved_of_another_table_state_says_so(web: FloorInHand, window: Page) -> None:
    """The word goes with what the person had seen, whatever the table does meanwhile."""
    tables(web)
    window.goto(f"{web.url}/floor")
    window.click('[data-key="approve-b-07"]')
    web.live("b-07", 75, state="halted", held=[held(100)], asks=[ask(says="something else?")])
    box = window.locator("dialog")
    rested(window)
    box.locator("input").fill(PINS["gus"])
    box.locator('[data-key="approve"]').click()
    expect(window.locator("dialog")).to_have_count(0)
    ((_, carried),) = web.tables.came
    assert msgspec.json.decode(carried.order, type=Order).seen == 60


def test_a_change_redraws_its_own_tile_and_no_other(web: FloorInHand, window: Page) -> None:
    tables(web)
    window.goto(f"{web.url}/floor")
    expect(window.locator(".t")).to_have_count(9)
    window.evaluate("document.querySelectorAll('.t').forEach((tile) => { tile.dataset.old = 1 })")
    web.live("b-04", 90, phase="dealing", state="dealing")
    expect(window.locator('[data-key="table-b-04"]')).to_contain_text("Dealing")
    assert window.locator(".t[data-old]").count() == 8


@pytest.mark.second_tier
def test_a_thousand_tables_stand_on_one_screen(web: FloorInHand, window: Page) -> None:
    for n in range(1000):
        web.beat(f"t-{n:04}", f"P{n // 50:02}", every=600.0)
        web.live(f"t-{n:04}", n + 1)
    web.live("t-0500", 5000, state="halted", held=[held(10)], asks=[ask()])
    window.goto(f"{web.url}/floor")
    expect(window.locator(".t")).to_have_count(1000)
    expect(window.locator(".exceptions .row")).to_have_count(1)
    expect(window.locator("#counts")).to_contain_text("1stopped")
    window.evaluate("document.querySelectorAll('.t').forEach((tile) => { tile.dataset.old = 1 })")
    web.live("t-0007", 6000, phase="outcome", state="outcome")
    tile = window.locator('[data-key="table-t-0007"]')
    expect(tile).to_have_attribute("aria-label", "T-0007: Outcome")
    assert window.locator(".t[data-old]").count() == 999


def test_a_table_that_falls_silent_is_said_and_comes_back(web: FloorInHand, window: Page) -> None:
    tables(web)
    web.beat("b-09", "B", every=0.05)
    window.goto(f"{web.url}/floor")
    expect(window.locator('[data-table="b-09"]')).to_contain_text("Offline")
    expect(window.locator('[data-key="table-b-09"]')).to_have_class("t away")
    web.beat("b-09", "B", every=600.0)
    expect(window.locator('[data-table="b-09"]')).to_have_count(0)


@pytest.mark.second_tier
def test_a_tables_page_speaks_of_this_table_alone(web: FloorInHand, window: Page) -> None:
    tables(web)
    window.goto(f"{web.url}/tables/b-03")
    expect(window.locator("#counts")).to_contain_text("2stopped")
    says = "This table is not stopped."
    expect(window.locator(".exceptions")).to_have_text(says)
    web.live("b-03", 90, state="halted", held=[held(10)])
    expect(window.locator(".exceptions .row")).to_have_count(1)


@pytest.mark.second_tier
def test_a_broker_that_is_away_is_in_sight_whoever_is_silent(
    web: FloorInHand, window: Page, database: FloorDatabase
) -> None:
    tables(web)
    for n in range(10, 22):
        web.beat(f"b-{n}", "B", every=0.05)
    with database.connect() as owner:
        service = TableName("site", "")
        standing_exceptions.begin(owner, service, StandingKind.NO_BROKER, 1)
    window.goto(f"{web.url}/floor")
    expect(window.locator(".exceptions .row")).to_have_count(15)
    shown = window.locator(".exceptions > .row")
    expect(shown.nth(0)).to_contain_text("Broker not responding")
    names = shown.evaluate_all("rows => rows.map((row) => row.dataset.table)")
    assert names[:3] == ["", "b-02", "b-07"]


@pytest.mark.second_tier
def test_figures_that_cannot_be_read_are_not_said_to_be_none(
    web: FloorInHand, window: Page, database: FloorDatabase
) -> None:
    with psycopg.connect(database.server.conninfo(), autocommit=True) as owner:
        owner.execute(f"ALTER DATABASE {database.name} WITH ALLOW_CONNECTIONS false")
        owner.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
            [database.name],
        )
    for path in ("floor", "trends"):
        window.goto(f"{web.url}/{path}")
        expect(window.locator(".trend")).to_contain_text("Figures are not available now.")
        expect(window.locator(".trend")).not_to_contain_text("No round completed yet.")


def test_nobody_who_only_watches_is_offered_anything(browser: Browser, web: FloorInHand) -> None:
    tables(web)
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    sign_in(context, web, "eve")
    page = context.new_page()
    page.goto(f"{web.url}/floor")
    expect(page.locator(".exceptions .row")).to_have_count(2)
    expect(page.locator('[data-key="approve-b-07"]')).to_have_count(0)
    context.close()


@pytest.mark.second_tier
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_can_be_read_by_everybody(web: FloorInHand, window: Page, theme: str) -> None:
    """Contrast, names of controls, order of headings: what axe finds is nothing."""
    tables(web)
    window.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    for path in PAGES:
        window.goto(f"{web.url}/{path}")
        expect(window.locator("#live")).to_have_text("live")
        found = Axe().run(window, options=WCAG)
        wrong = [(each["id"], each["nodes"][0]["html"]) for each in found.response["violations"]]
        assert wrong == [], path


@pytest.mark.second_tier
def test_a_stranger_is_led_to_the_door_and_back(browser: Browser, web: FloorInHand) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{web.url}/proof")
    page.wait_for_url(f"{web.url}/?next=%2Fproof")
    page.click('[data-key="gus"]')
    page.locator("#enter input").fill(PINS["gus"])
    page.keyboard.press("Enter")
    page.wait_for_url(f"{web.url}/proof")
    context.close()


@pytest.mark.second_tier
def test_limits_wait_for_the_end_of_a_round(web: FloorInHand, window: Page) -> None:
    """A table refuses them while bets are open: the page does not ask for a PIN to be told so."""
    tables(web)
    window.goto(f"{web.url}/tables/b-03")
    expect(window.locator('[data-key="limits"]')).to_be_disabled()
    web.live("b-03", 62, state="ready", phase="ready", can=["open_betting", "limits"])
    expect(window.locator('[data-key="limits"]')).to_be_enabled()


@pytest.mark.second_tier
def test_a_method_that_the_table_offers_is_chosen_from_here(web: FloorInHand, window: Page) -> None:
    """By the table's own list; where it takes no method from its floor, the button says so."""
    offered = [
        {"id": "A", "clause": "4.2.1", "chosen_by": "pit_manager"},
        {"id": "B", "clause": "4.2.2", "chosen_by": "dealer"},
    ]
    web.beat("b-07", "B", every=600.0)
    web.live("b-07", 60, method="B", can=["limits"], methods=offered, floor_may=["method"])
    window.goto(f"{web.url}/tables/b-07")
    expect(window.locator('[data-key="method"]')).to_be_disabled()
    web.live("b-07", 61, method="B", can=["method"], methods=offered, floor_may=["method"])
    expect(window.locator('[data-key="close"]')).to_be_disabled()
    window.click('[data-key="method"]')
    box = window.locator("dialog")
    expect(box).to_contain_text("4.2.1")
    expect(box).to_contain_text("Pit manager or above")
    rested(window)
    box.locator('[data-key="m-A"]').click()
    box.locator("input:not([type=radio])").fill(PINS["gus"])
    box.locator("footer [data-key=method]").click()
    expect(box).to_have_count(0)
    ((_, carried),) = web.tables.came
    order = msgspec.json.decode(carried.order, type=Order)
    assert (order.word, order.given) == ("method", {"method": "A"})


def test_limits_leave_in_the_tables_own_minor_units(web: FloorInHand, window: Page) -> None:
    tables(web)
    web.live("b-03", 62, state="ready", phase="ready", can=["open_betting", "limits"])
    window.goto(f"{web.url}/tables/b-03")
    window.click('[data-key="limits"]')
    rested(window)
    window.fill("#least", "50")
    window.fill("#most", "20000")
    window.locator("dialog .secret").fill(PINS["gus"])
    window.click('dialog [data-key="limits"]')
    expect(window.locator("dialog")).to_have_count(0)
    ((_, carried),) = web.tables.came
    order = msgspec.json.decode(carried.order, type=Order)
    assert (order.word, order.given) == ("limits", {"minimum": 5000, "maximum": 2_000_000})


@pytest.mark.second_tier
def test_an_emptied_field_changes_no_limit_and_a_refusal_says_why(
    web: FloorInHand, window: Page
) -> None:
    tables(web)
    web.live("b-03", 62, state="ready", phase="ready", can=["open_betting", "limits"])
    why = "Minimum 5,000 is above maximum 100"
    web.tables.answers = lambda _: OrderAnswer("one", OrderOutcome.REFUSED, 62, "some_code", why)
    window.goto(f"{web.url}/tables/b-03")
    window.click('[data-key="limits"]')
    rested(window)
    window.fill("#least", "")
    window.fill("#most", "100")
    window.locator("dialog .secret").fill(PINS["gus"])
    window.click('dialog [data-key="limits"]')
    expect(window.get_by_text(why)).to_be_visible()
    ((_, carried),) = web.tables.came
    given = msgspec.json.decode(carried.order, type=Order).given
    assert given == {"minimum": 2500, "maximum": 10_000}


@pytest.mark.second_tier
def test_a_screen_that_nobody_touches_locks_itself(web: FloorInHand, window: Page) -> None:
    tables(web)
    window.clock.install()
    window.goto(f"{web.url}/floor")
    expect(window.locator("[data-key=lock]")).to_be_visible()
    window.clock.run_for(290_000)
    window.keyboard.press("Shift")  # keys are touches too
    window.clock.run_for(20_000)
    expect(window.locator("#lock")).to_be_hidden()
    window.clock.run_for(300_000)
    expect(window.locator("#lock")).to_be_visible()
    assert window.evaluate("document.getElementById('work').inert")
    window.keyboard.type(PINS["gus"])  # without a touch first
    window.keyboard.press("Enter")
    expect(window.locator("#lock")).to_be_hidden()


@pytest.mark.second_tier
def test_standing_limits_are_published_from_the_sites_page(web: FloorInHand, window: Page) -> None:
    tables(web)
    window.goto(f"{web.url}/site")
    expect(window.get_by_text("Put yourself on it first")).to_be_visible()
    window.click('[data-key="set-limits"]')
    rested(window)
    window.select_option("#table", "b-03")
    window.fill("#least", "50")
    window.click('[data-key="go-on"]')  # half of it is not enough
    window.fill("#most", "20000")
    window.click('[data-key="go-on"]')
    expect(window.locator("dialog .secret")).to_have_count(1)
    rested(window)
    window.locator("dialog .secret").fill(PINS["gus"])
    window.locator("dialog .secret").press("Enter")
    expect(window.locator("dialog")).to_have_count(0)
    expect(window.locator(".list").last).to_contain_text("20,000")


@pytest.mark.second_tier
def test_pages_go_by_the_sites_clock_and_the_language_that_was_chosen(
    web: FloorInHand, window: Page
) -> None:
    web.context.shifts = Shifts.of("Asia/Singapore", ["06:00"])
    tables(web)
    people = People((LicensedPerson("dana", "Dana", "dealer", 1_900_000_000.0, ("*",)),))
    with ThreadPoolExecutor() as beside:  # a loop of the browser's runs here
        beside.submit(lambda: asyncio.run(web.context.shelf.publish(ALL, people, "gus"))).result()
    window.goto(f"{web.url}/site")
    expect(window.locator(".list").first).to_contain_text("2030-03-18")  # 01:46 the next morning
    window.click('[data-key="edit-dana"]')
    rested(window)
    window.fill("#until", "2030-03-20")
    window.click('[data-key="go-on"]')
    expect(window.locator("dialog .secret")).to_have_count(1)
    rested(window)
    window.locator("dialog .secret").fill(PINS["gus"])
    window.locator("dialog .secret").press("Enter")
    expect(window.locator(".list").first).to_contain_text("2030-03-20")
    (kept,) = window.context.request.get(f"{web.url}/api/site").json()["documents"]
    (dana,) = kept["document"]["licences"]
    assert dana["until"] == datetime(2030, 3, 20, 15, 59, 59, tzinfo=UTC).timestamp()
    window.click('[data-key="me"]')
    rested(window)
    window.select_option('[data-key="language"]', "zh-Hans")
    expect(window.locator("#bar nav")).to_contain_text("人员")
