"""The public's pages: they fit, can be read from afar, tell the truth, speak their languages."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from support.console.english import english_on
from support.console.kept import HOUSE, sealed
from support.console.known_shoes import IN_TURN, KNOWN, deal
from support.console.screens import Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]

WIDE = {"width": 1920, "height": 1080}
SIZES = {
    "wide": WIDE,
    "upright": {"width": 1080, "height": 1920},
    "small": {"width": 1024, "height": 768},
    "4K": {"width": 3840, "height": 2160},
    "ultra-wide": {"width": 2560, "height": 1080},
}
PHONE = {"width": 390, "height": 844}

OUTSIDE = """() => {
  const wrong = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (!node.data.trim() || owner.closest(".sr, [hidden]") || !owner.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    const box = owner.closest("#call, .hand, #ask, #counts, .plate, #head") ?? document.body;
    const room = box.getBoundingClientRect();
    if (left < room.left - 1 || right > room.right + 1) wrong.push(`${node.data} is too wide`);
    if (top < room.top - 3 || bottom > room.bottom + 3) wrong.push(`${node.data} is too high`);
  }
  return wrong;
}"""
"""Texts that do not lie within the part they belong to, or not on the screen."""

SMALLEST = """() => Math.min(...[...document.querySelectorAll("main *")]
  .filter((each) => !each.closest("svg, .sr, [hidden]") && each.checkVisibility()
    && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""

FADED = """() => [...document.querySelectorAll(".card")]
  .every((each) => parseFloat(getComputedStyle(each).opacity) < 0.5)"""

TEXTS = """() => [document.title, ...[...document.querySelectorAll("[aria-label]")]
  .map((each) => each.ariaLabel), document.body.innerText].join("\\n")"""


def overlaps(one: Locator, other: Locator) -> bool:
    a, b = one.bounding_box(), other.bounding_box()
    assert a is not None
    assert b is not None
    beside = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    above = a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
    return not beside and not above


@pytest.mark.second_tier
def test_every_state_fits_every_screen(serve: Serve, at: Open) -> None:
    table = serve(**HOUSE, betting_s=300.0)
    desk = table.desk
    desk.open_shoe("A")
    display = at(table, path="/display?lang=both", viewport=WIDE)

    def fits() -> None:
        display.up_to_date(desk.seq)
        for name, size in SIZES.items():
            display.page.set_viewport_size(size)  # type: ignore[arg-type]
            assert display.page.evaluate(OUTSIDE) == [], name
        display.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert display.page.evaluate(wide) <= 0

    desk.act("open_betting")
    fits()
    for size in SIZES.values():
        display.page.set_viewport_size(size)  # type: ignore[arg-type]
        ring = display.find("#countdown")
        assert not any(overlaps(ring, display.find(f".hand.{each}")) for each in SIDES)
        assert not overlaps(ring, display.find("#call"))
    desk.act("place", player="seat 1", wager="banker", amount=100000, position=1)
    desk.act("place", player="seat 2", wager="player", amount=100000, position=2)
    desk.act("close_betting")
    desk.draw("4H", "4D", "4C", "4S")  # a natural and a pair on both hands
    desk.act("expose", hand="player")
    desk.act("expose", hand="banker")
    desk.act("announce")
    fits()
    desk.act("settle")
    sealed(desk)
    desk.act("suspend")
    fits()


SIDES = ("player", "banker")


@pytest.mark.second_tier
def test_roads_scroll_and_never_shrink(serve: Serve, at: Open) -> None:
    """At three metres: a mark of the big road is 40 pixels, of the others 20, words are 22."""
    table = serve(**HOUSE)
    table.desk.open_shoe()
    deal(table.desk, IN_TURN)
    display = at(table, path="/display", viewport=WIDE)
    display.up_to_date(table.desk.seq)
    for road, cell in (("big_road", 40), ("big_eye_boy", 20), ("bead_plate", 40)):
        frame = display.find(f"[data-road={road}] > div")
        last = display.find(f"[data-road={road}] svg > g").last
        newest = display.find(f"[data-road={road}] .newest")
        expect(newest).to_have_count(1)
        room, mark, lit = frame.bounding_box(), last.bounding_box(), newest.bounding_box()
        assert room is not None
        assert mark is not None
        assert lit is not None
        assert abs(lit["width"] - cell) < 0.5
        assert lit["x"] <= mark["x"] <= lit["x"] + cell, "the newest mark is the one that is lit"
        free = room["x"] + room["width"] - (lit["x"] + lit["width"])
        assert free > cell - 1, "one more column is seen"
    assert display.page.evaluate(SMALLEST) >= 21.9


def marks(display: Screen, road: str) -> list[str]:
    found: list[str] = display.find(f"[data-road={road}] svg > g").evaluate_all(
        "each => each.map((mark) => mark.getAttribute('class'))"
    )
    return found


@pytest.mark.second_tier
def test_ask_roads_are_what_the_next_round_writes(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    deal(table.desk, KNOWN)
    display = at(table, path="/display", viewport=WIDE)
    for token, side in (("B", "banker"), ("P", "player"), ("P", "player"), ("B", "banker")):
        display.up_to_date(table.desk.seq)
        expect(display.find("#counts .rounds dd")).to_have_text(
            str(len(table.desk.view["results"]))
        )
        told = {
            road: display.find(f"#ask .{side} .{road} g").get_attribute("class")
            for road in ("big_eye_boy", "small_road", "cockroach_pig")
        }
        before = {road: len(marks(display, road)) for road in told}
        deal(table.desk, [token])
        expect(display.find("#counts .rounds dd")).to_have_text(
            str(len(table.desk.view["results"]))
        )
        for road, colour in told.items():
            written = marks(display, road)
            assert len(written) == before[road] + 1
            assert written[-1] == colour, road


@pytest.mark.second_tier
def test_marks_have_the_shapes_that_players_know(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    deal(table.desk, KNOWN)
    display = at(table, path="/display", viewport=WIDE)
    display.find(".cockroach_pig .stroke").first.wait_for()
    paint = "each => each.map((mark) => getComputedStyle(mark).fill)"
    assert set(display.find(".big_road .ring").evaluate_all(paint)) == {"none"}
    assert set(display.find(".big_eye_boy .hollow").evaluate_all(paint)) == {"none"}
    assert "none" not in display.find(".small_road .filled").evaluate_all(paint)
    lean = "each => [...new Set(each.map((mark) => mark.getAttribute('d')))].length"
    assert display.find(".cockroach_pig .stroke").evaluate_all(lean) == 1
    expect(display.find(".big_road .ties")).to_have_count(4)
    expect(display.find(".big_road .tie-count")).to_have_text(["2"])
    expect(display.find(".big_road .pair.banker")).to_have_count(1)
    expect(display.find(".bead_plate .pair.player")).to_have_count(1)
    colours = display.find(".big_road .ring.banker, .big_road .ring.player").evaluate_all(
        "each => [...new Set(each.map((mark) => getComputedStyle(mark).stroke))]"
    )
    assert len(colours) == 2
    expect(display.find(".dot")).to_have_count(0)
    display.go("/display?marks=dot")
    display.find(".small_road .dot").first.wait_for()
    expect(display.find(".blue:not(:has(.dot)), .red .dot")).to_have_count(0)


def test_the_public_is_told_the_truth(serve: Serve, at: Open) -> None:
    table = serve(**HOUSE, betting_s=300.0)
    desk = table.desk
    desk.open_shoe("A")
    pages = [at(table, path=path, viewport=WIDE) for path in ("/display", "/overlay")]
    desk.act("open_betting")
    for page in pages:
        page.shows("#call", "Place your bets")
        expect(page.find("#countdown")).to_be_visible()
    desk.act("suspend")
    for page in pages:
        page.shows("#call", "Play is paused")
        expect(page.find("body")).not_to_contain_text("Place your bets")
        expect(page.find("#countdown")).to_be_hidden()
        expect(page.find("#manual")).to_be_hidden()
        expect(page.find("body")).not_to_contain_text("gus")  # nor by whom, nor why
    desk.act("resume")
    for page in pages:
        expect(page.find("#countdown")).to_be_visible()
    desk.act("close_betting")
    desk.draw("7H", "AD", "7C", "6S")
    desk.act("expose", hand="player")
    for page in pages:
        expect(page.find('.card[data-motion="turned"]')).to_have_count(2)
        expect(page.find(".card.back")).to_have_count(2)
    desk.act("report", what="uncovered")
    desk.act("decide", text="void", outcome="void")
    desk.act("approve", who="max", role="pit_manager")
    for page in pages:
        page.shows(".stamp", "§6.1")
        expect(page.find(".card")).to_have_count(4)
        page.page.wait_for_function(FADED)  # it may still be turning
        page.go(page.page.url.removeprefix(table.url))  # opened now, it replays nothing
        page.shows(".stamp", "Wagers are returned")
        expect(page.find(".card[data-motion], .moving")).to_have_count(0)
    desk.act("open_betting")
    for page in pages:
        expect(page.find(".stamp")).to_have_count(0)


@pytest.mark.second_tier
def test_who_wants_no_motion_has_none(serve: Serve, at: Open) -> None:
    table = serve()
    desk = table.desk
    desk.open_shoe()
    display = at(table, path="/display", reduced_motion="reduce")
    display.up_to_date(desk.seq)
    deal(desk, ["B"])
    for part in ('.card[data-motion="laid"]', ".call.moving", ".newest"):
        # Asked until it answers: a page that is drawn anew takes the part away for a moment.
        expect(display.find(part).first).to_have_css("animation-name", "none")


@pytest.mark.second_tier
def test_a_page_speaks_the_languages_it_is_asked_for(serve: Serve, at: Open) -> None:
    table = serve(**HOUSE)
    desk = table.desk
    desk.open_shoe("A")
    deal_open(table)
    paths = ("/display", "/overlay", "/errors")
    chinese = [at(table, path=f"{path}?lang=zh", viewport=WIDE) for path in paths]
    english = [at(table, path=f"{path}?lang=en", viewport=WIDE) for path in paths]

    def look() -> None:
        for page in (*chinese[:2], *english[:2]):
            page.up_to_date(desk.seq)
            page.find(".road .ring").first.wait_for()
        for page in (chinese[2], english[2]):
            page.find("article").first.wait_for()
        for page in chinese:
            assert english_on(page) == []
            assert re.search(r"[\u4e00-\u9fff]", page.page.evaluate(TEXTS))
        for page in english:
            assert re.findall(r"[\u4e00-\u9fff]", page.page.evaluate(TEXTS)) == []

    look()
    desk.act("open_betting")
    look()
    desk.act("suspend")
    look()
    desk.act("resume")
    desk.act("report", what="uncovered")
    desk.act("decide", text="void", outcome="void")
    desk.act("approve", who="max", role="pit_manager")
    look()


def deal_open(table: Console) -> None:
    """One round by Method A, shown and settled."""
    sealed(table.desk)
    for side in SIDES:
        table.desk.act("expose", hand=side)
    table.desk.act("announce") if table.desk.view["state"] == "outcome" else finish(table)
    table.desk.act("settle")


def finish(table: Console) -> None:
    desk = table.desk
    for side in SIDES:
        if desk.view["state"] == f"{side}s_third":
            desk.draw("2D")
            desk.act("expose", hand=side)
    desk.act("announce")


@pytest.mark.second_tier
def test_an_overlay_has_the_parts_it_is_asked_for(serve: Serve, at: Open) -> None:
    table = serve(**HOUSE)
    table.desk.open_shoe()
    deal(table.desk, ["B", "P"])
    parts = {
        "": {"#limits", "#roads", "#line", "#call", ".hand.player"},
        "?show=roads": {"#roads"},
        "?show=cards,clock": {".hand.player", "#line"},
        "?show=result,limits": {"#call", "#limits"},
    }
    overlay = at(table, viewport=WIDE)
    for query, wanted in parts.items():
        overlay.go(f"/overlay{query}")
        overlay.up_to_date(table.desk.seq)
        for part in parts[""]:
            expect(overlay.find(part)).to_be_visible(visible=part in wanted)
    for query in ("", "?position=top&theme=light"):
        overlay.go(f"/overlay{query}")
        overlay.up_to_date(table.desk.seq)
        overlay.shows("#ref", "TABLE7-0001-0002")
        overlay.shows("#clock", " UTC")
        for box in [each.bounding_box() for each in overlay.find(".plate:visible").all()]:
            assert box is not None
            assert box["x"] >= 95
            assert box["x"] + box["width"] <= 1825
            assert box["y"] >= 53
            assert box["y"] + box["height"] <= 1027
