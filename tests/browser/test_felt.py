"""The dealer's felt at both sizes of a table's screen: no figure is cut, and cards can be seen and
touched while the hands are passed and turned."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from support.console.screens import TABLE_PC, Screen
from support.console.table_in_hand import Console
from support.console.tiers import in_second_tier

Serve = Callable[..., Console]
Open = Callable[..., Screen]

LARGE = {"width": 1280, "height": 800}
SIZES = pytest.mark.parametrize(
    "size", [in_second_tier(LARGE, id="1280"), pytest.param(TABLE_PC, id="1024")]
)
NINE = {"layout": "Appendix B"}
SEATS = 14
HIGHEST = 10_000_000

# Along the text, not across the page: a seat of the arc is turned.
CUT = """() => [...document.querySelectorAll("#seats .stakes")].filter((cell) => {
    const lines = [...cell.querySelectorAll(".stake")];
    const wide = lines.some((each) => each.offsetLeft < 0 || each.offsetWidth > cell.clientWidth);
    const band = document.querySelector("#seats").getBoundingClientRect();
    const out = cell.getBoundingClientRect().bottom > band.bottom + 1;
    const more = cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight;
    return wide || out || more;
}).map((cell) => cell.innerText)"""
HEIGHTS = "all => all.map(each => each.getBoundingClientRect()).map(r => [r.width, r.height])"
CARDS = "#hands .row > :is(.card, .turn)"

# Each line of a button's words, against the button, its key cap and its edge at the bottom.
COVERED = """() => [...document.querySelectorAll("#actions .step, .hand .step")].filter((step) => {
    const box = step.getBoundingClientRect();
    const cap = step.querySelector("kbd")?.getBoundingClientRect();
    const below = getComputedStyle(step, "::after");
    const edge = step.matches(".primary") ? parseFloat(below.height) + 2 : 0;
    const lines = [];
    const words = document.createTreeWalker(step.querySelector(".label"), NodeFilter.SHOW_TEXT);
    for (let node = words.nextNode(); node; node = words.nextNode()) {
        if (node.parentElement.matches(".sr")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        lines.push(...range.getClientRects());
    }
    return lines.some((line) =>
        line.left < box.left || line.right > box.right || line.top < box.top ||
        line.bottom > box.bottom - edge ||
        (cap && line.right > cap.left - 3 && line.left < cap.right && line.bottom > cap.top &&
         line.top < cap.bottom));
}).map((step) => step.innerText)"""


def full_table(table: Console) -> None:
    desk = table.desk
    desk.open_shoe("B")
    desk.act("open_betting")
    for seat in range(1, SEATS + 1):
        wager = "banker" if seat % 2 else "player"
        given: dict[str, Any] = {"wager": wager, "amount": HIGHEST, "position": seat}
        desk.act("place", player=f"seat {seat}", **given)
    desk.act("close_betting")


def shows_whole(dealer: Screen, table: Console) -> None:
    dealer.up_to_date(table.desk.seq)
    expect(dealer.find("#seats .stake")).to_have_count(SEATS)
    assert dealer.page.evaluate(CUT) == []
    assert dealer.find("#seats .stake .shape").count() == SEATS


@SIZES
def test_no_figure_is_cut(serve: Serve, at: Open, size: dict[str, int]) -> None:
    table = serve()
    full_table(table)
    dealer = at(table, "dana", "/dealer", viewport=size)
    shows_whole(dealer, table)
    table.desk.draw("2H", "KC", "3D", "6S", "4D")
    table.desk.act("announce")
    dealer.shows("#seats", "+100,000")
    shows_whole(dealer, table)


@pytest.mark.second_tier
@SIZES
def test_no_figure_is_cut_when_play_stops(serve: Serve, at: Open, size: dict[str, int]) -> None:
    table = serve()
    full_table(table)
    dealer = at(table, "dana", "/dealer", viewport=size)
    table.desk.draw("9H", "??")
    shows_whole(dealer, table)


@pytest.mark.second_tier
@SIZES
def test_no_figure_is_cut_when_a_round_is_void(
    serve: Serve, at: Open, size: dict[str, int]
) -> None:
    table = serve()
    full_table(table)
    dealer = at(table, "dana", "/dealer", viewport=size)
    table.desk.draw("9H")
    table.desk.act("report", "dana", "dealer", what="wrong_count")
    table.desk.act("approve", "max", "pit_manager")
    dealer.shows("#seats", "↩100,000")
    shows_whole(dealer, table)


def cards_at_least(dealer: Screen, table: Console, size: dict[str, int], name: str) -> None:
    dealer.up_to_date(table.desk.seq)
    least = 140 if size is LARGE else 96
    found: list[tuple[float, float]] = dealer.find(CARDS).evaluate_all(HEIGHTS)
    assert len(found) >= 4
    assert min(high for _, high in found) >= least, (name, found)
    assert min(wide for wide, _ in found) >= 64, (name, found)
    felt = dealer.find("#felt").bounding_box()
    foot = dealer.find(".hand.banker footer").bounding_box()
    assert felt
    assert foot
    assert foot["y"] + foot["height"] <= felt["y"] + felt["height"]
    assert dealer.page.evaluate(CUT) == []
    assert dealer.page.evaluate(COVERED) == []


@pytest.mark.second_tier
@pytest.mark.parametrize(
    ("house", "size"),
    [
        pytest.param({}, LARGE, id="14-1280"),
        pytest.param(NINE, TABLE_PC, id="9-1024"),
        pytest.param({}, TABLE_PC, id="14-1024"),
        pytest.param(NINE, LARGE, id="9-1280"),
    ],
)
def test_cards_can_be_seen_while_hands_are_passed_and_turned(
    serve: Serve, at: Open, size: dict[str, int], house: dict[str, Any]
) -> None:
    table = serve(**house)
    desk = table.desk
    desk.open_shoe("A")
    desk.act("open_betting")
    for seat, wager in ((3, "player"), (5, "banker")):
        given: dict[str, Any] = {"wager": wager, "amount": 500_000, "position": seat}
        desk.act("place", player=f"seat {seat}", **given)
    desk.act("close_betting")
    dealer = at(table, "dana", "/dealer", viewport=size)
    desk.draw("2H", "KC", "3D", "6S")
    seats = "9" if house else "14"
    cards_at_least(dealer, table, size, f"passing-{seats}")
    dealer.press("take-player", "take-banker")
    expect(dealer.key("expose-player")).to_have_count(1)
    cards_at_least(dealer, table, size, f"revealing-{seats}")
    for side in ("banker", "player"):
        desk.act("expose", hand=side)
    desk.draw("TD")
    desk.act("expose", hand="player")
    cards_at_least(dealer, table, size, f"result-{seats}")


@pytest.mark.second_tier
@SIZES
def test_a_buttons_words_lie_beside_its_key(serve: Serve, at: Open, size: dict[str, int]) -> None:
    table = serve(open_after_paying=True)
    desk = table.desk
    desk.open_shoe("B")
    desk.act("open_betting")
    desk.act("close_betting")
    desk.draw("9H", "2C", "KD", "5S")
    dealer = at(table, "dana", "/dealer", viewport=size)
    dealer.press("announce")
    dealer.waits_for("settle-open")
    dealer.waits_for("settle")
    assert dealer.page.evaluate(COVERED) == []
