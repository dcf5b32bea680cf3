"""A finger that taps twice, and an Enter that is pressed twice, do one thing.

Whole rounds in which every tap is a double tap: at every size, in every method, with the second
tap 50 to 600 ms after the first. The second one never reaches the table, and the next solid button
never lies where the finger is.
"""

from collections.abc import Callable
from itertools import cycle

import pytest
from playwright.sync_api import FloatRect, Page, expect

from support.console.screens import PHONE, TABLE_PC, Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]

GAPS_MS = (50, 150, 250, 400, 600)
WIDE = {"width": 1280, "height": 800}
SIZES = {"1280": WIDE, "1024": TABLE_PC, "phone": PHONE}
PRIMARY = "#actions .step.primary"
CARDS = ("2H", "KC", "3D", "6S", "TD")
"""Player 5 draws, Banker 6 stands: one third card, so that sides are changed an odd time too."""
Again = Callable[[Page, FloatRect], None]


def middle(box: FloatRect) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap(page: Page, box: FloatRect) -> None:
    page.mouse.click(*middle(box))


def touch(page: Page, box: FloatRect) -> None:
    page.touchscreen.tap(*middle(box))


def enter(page: Page, _box: FloatRect) -> None:
    page.keyboard.press("Enter")


PRESSES = """() => {
    window.presses = [];
    for (const kind of ["pointerdown", "keydown"])
        addEventListener(kind, (event) => window.presses.push(event.timeStamp), true);
}"""
LAST_GAP = "() => window.presses.at(-1) - window.presses.at(-2)"


def apart(one: FloatRect, other: FloatRect) -> bool:
    across = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    down = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return across or down


def calm(dealer: Screen) -> None:
    """No word is on its way, and nothing rests."""
    expect(dealer.find("#work")).not_to_have_attribute("inert", "")
    expect(dealer.find("#work .resting")).to_have_count(0)


def begun(serve: Serve, method: str, **house: object) -> Console:
    """A table that is ready, with a player for each hand."""
    table = serve(hlga=True, **house)
    drawer = {"drawer": "seat 4"} if method == "C" else {}
    table.desk.open_shoe(method, **drawer)
    return table


def play(table: Console, dealer: Screen, again: Again, gaps: tuple[int, ...]) -> int:
    """A whole round, every tap twice; how many of them it took."""
    desk, cards, taps, gap = table.desk, iter(CARDS), 0, cycle(gaps)
    last: FloatRect | None = None
    dealer.page.evaluate(PRESSES)
    while desk.view["round"] < 2 and not desk.view["over"]:
        if desk.view["prompt"]["card_to"] is not None:
            desk.draw(next(cards))
            continue
        if desk.view["state"] == "betting" and not desk.view["wagers"]:
            desk.act("place", player="seat 4", wager="player", amount=1000, position=4)
            desk.act("place", player="seat 5", wager="banker", amount=1000, position=5)
        dealer.up_to_date(desk.seq)
        solid = dealer.find(PRIMARY)
        expect(solid).to_have_count(1)
        expect(solid).to_be_enabled()
        box, said = solid.bounding_box(), len(desk.words())
        assert box is not None
        assert last is None or apart(last, box), "the next one lies where the last one was"
        again(dealer.page, box)
        dealer.page.wait_for_timeout(next(gap))
        again(dealer.page, box)
        calm(dealer)
        new = desk.words()[said:]
        # A machine that was busy may have made two taps of it.
        twice = dealer.page.evaluate(LAST_GAP) <= max(GAPS_MS)
        assert not twice or len(new) == 1 or new == ["settle", "open_betting"], "one thing"
        last, taps = box if twice else None, taps + 1
    return taps


def test_a_double_tap_does_one_thing(serve: Serve, at: Open) -> None:
    table = begun(serve, "B")
    play(table, at(table, "dana", "/dealer", viewport=TABLE_PC), tap, GAPS_MS)
    assert table.desk.view["results"] == ["B"]


@pytest.mark.second_tier
@pytest.mark.parametrize("gap", GAPS_MS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("method", ["A", "B", "C"])
def test_at_every_gap(serve: Serve, at: Open, method: str, size: str, gap: int) -> None:
    table = begun(serve, method)
    phone = size == "phone"
    dealer = at(table, "dana", "/dealer", viewport=SIZES[size], has_touch=phone)
    play(table, dealer, touch if phone else tap, (gap,))
    assert table.desk.view["results"] == ["B"]


@pytest.mark.second_tier
@pytest.mark.parametrize("method", ["A", "B", "C"])
def test_enter_twice_does_one_thing(serve: Serve, at: Open, method: str) -> None:
    table = begun(serve, method)
    dealer = at(table, "dana", "/dealer")
    play(table, dealer, enter, GAPS_MS)
    assert table.desk.view["results"] == ["B"]


@pytest.mark.second_tier
def test_a_finger_that_comes_down_on_a_resting_button_has_not_pressed_it(
    serve: Serve, at: Open
) -> None:
    table = begun(serve, "B")
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_betting")
    table.desk.until("betting")
    box = dealer.key("close_betting").bounding_box()
    assert box is not None
    dealer.page.mouse.move(*middle(box))
    dealer.page.mouse.down()
    rested = dealer.key("close_betting").is_disabled()
    calm(dealer)
    sent: list[str] = []
    dealer.page.on("request", lambda request: sent.append(request.url))
    dealer.page.mouse.up()
    dealer.page.evaluate("() => 0")  # what the release led to has been sent by now
    assert not rested or sent == []


@pytest.mark.second_tier
def test_a_word_is_said_of_what_was_shown_as_the_finger_came_down(serve: Serve, at: Open) -> None:
    table = begun(serve, "B")
    dealer = at(table, "dana", "/dealer")
    dealer.press("open_betting")
    solid = dealer.key("close_betting")
    expect(solid).to_be_enabled()
    box, shown = solid.bounding_box(), table.desk.seq
    assert box is not None
    dealer.page.mouse.move(*middle(box))
    dealer.page.mouse.down()
    # A wager makes it no other word, and takes no button from under the finger.
    table.desk.act("place", player="seat 4", wager="player", amount=1000, position=4)
    dealer.up_to_date(table.desk.seq)
    with dealer.page.expect_request("**/api/commands/close_betting") as said:
        dealer.page.mouse.up()
    body = said.value.post_data_json
    assert body is not None
    assert body["seen"] == shown
    table.desk.until("dealing")


@pytest.mark.second_tier
@pytest.mark.parametrize(("method", "least"), [("B", 3), ("A", 8)])
def test_taps_of_a_round_where_paying_opens_the_next(
    serve: Serve, at: Open, method: str, least: int
) -> None:
    """From open betting to open betting. Method A: both hands taken and turned, and a third."""
    table = begun(serve, method, open_after_paying=True)
    dealer = at(table, "dana", "/dealer", viewport=WIDE)
    taps = play(table, dealer, tap, GAPS_MS)
    assert table.desk.view["results"] == ["B"]
    assert taps == 1 + least, "the first one opened the betting"


OPENED = """() => {
    window.gap = Infinity;
    let opened = 0;
    new MutationObserver((all) => {
        if (all.some((each) => [...each.addedNodes].some((node) => node.nodeName === "DIALOG")))
            opened = performance.now();
    }).observe(document.body, { childList: true });
    for (const kind of ["pointerdown", "keydown"])
        addEventListener(kind, (event) => { window.gap = event.timeStamp - opened; }, true);
}"""
REST_MS = 400


def press_focused(page: Page, _box: FloatRect) -> None:
    page.locator('[data-key="o-Wagers"]').focus()
    page.keyboard.press("Enter")


@pytest.mark.second_tier
@pytest.mark.parametrize("again", [tap, press_focused])
def test_a_window_takes_no_tap_and_no_enter_as_it_opens(
    serve: Serve, at: Open, again: Again
) -> None:
    table = begun(serve, "B")
    dealer = at(table, "dana", "/dealer", viewport=TABLE_PC)
    calm(dealer)
    dealer.press("report")
    family = dealer.key("o-Wagers")
    box = family.bounding_box()
    assert box is not None
    dealer.page.keyboard.press("Escape")
    dealer.page.evaluate(OPENED)
    for _ in range(20):  # until the machine was quick enough to tap in time
        dealer.press("report")
        expect(family).to_be_visible()
        again(dealer.page, box)
        early = dealer.page.evaluate("window.gap") < REST_MS
        if early:
            break
        dealer.page.keyboard.press("Escape")
    assert early
    expect(family).to_have_attribute("aria-pressed", "false")
    expect(dealer.find("dialog:not(.rests)")).to_have_count(1)
    again(dealer.page, box)
    expect(family).to_have_attribute("aria-pressed", "true")


@pytest.mark.second_tier
def test_something_is_wrong_tapped_twice_opens_one_window(serve: Serve, at: Open) -> None:
    table = begun(serve, "B")
    dealer = at(table, "dana", "/dealer", viewport=TABLE_PC)
    calm(dealer)
    box = dealer.key("report").bounding_box()
    assert box is not None
    for gap in (50, 150, 400):
        tap(dealer.page, box)
        dealer.page.wait_for_timeout(gap)
        tap(dealer.page, box)
        expect(dealer.find("dialog:not(.rests)")).to_have_count(1)
        expect(dealer.find("dialog")).to_have_count(1)
        expect(dealer.key("o-Drawing")).to_have_attribute("aria-pressed", "true")
        dealer.page.keyboard.press("Escape")
        expect(dealer.find("dialog")).to_have_count(0)
