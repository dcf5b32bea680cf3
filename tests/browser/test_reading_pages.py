"""Pages that read: the display, the overlay, the pit's devices, rounds and their proof."""

import json
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from controller.runtime.devices import ConnectedDevice
from drivers import registry
from drivers.events import LinkUp
from simulators import registry as emulators
from support.console.screens import Screen
from support.console.table_in_hand import Console
from support.devices import line_shoe

Serve = Callable[..., Console]
Open = Callable[..., Screen]

ROUNDS = [
    ("9H", "2C", "KD", "5S"),  # Player
    ("2H", "KC", "7D", "7S"),  # Player, 9 to 7; corrected below to a tie
    ("2S", "KD", "3C", "7H", "9D"),  # Banker
]


def play(table: Console, cards: tuple[str, ...]) -> None:
    desk = table.desk
    desk.act("open_betting")
    desk.act("place", player="seat 1", wager="banker", amount=100000, position=1)
    desk.act("close_betting")
    desk.draw(*cards)
    desk.act("announce")
    desk.act("settle")


def correct(table: Console, code: str) -> None:
    n = table.desk.view["cards"][3]["n"]
    table.desk.act("correct", who="dana", role="dealer", n=n, card=code, reason="misread")
    table.desk.act("approve", who="pia", role="pit_supervisor")


def test_display_shows_results_roads_limits_and_voids(serve: Serve, at: Open) -> None:
    table = serve(minimum=10000, maximum=5000000)
    table.desk.open_shoe()
    display = at(table, path="/display")
    display.shows("#limits", "All wagers")
    display.shows("#limits", "100 \u2013 50,000")
    table.desk.act("open_betting")
    display.shows("#call", "Place your bets")
    table.desk.act("close_betting")
    table.desk.draw("9H", "2C", "KD", "5S")
    expect(display.find("#hands .card")).to_have_count(4)
    expect(display.find(".won")).to_have_count(0)  # not before it is announced
    table.desk.act("announce")
    display.shows("#call", "Player wins")
    display.shows("#call .score", "9 \u2013 7")
    expect(display.find(".hand.player.won")).to_have_count(1)
    table.desk.act("settle")
    for name in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig"):
        display.shows("#board", name)
    expect(display.find(".bead_plate .solid.player")).to_have_count(1)
    table.desk.act("open_betting")
    table.desk.act("report", what="uncovered")
    table.desk.act("decide", text="void", outcome="void")
    table.desk.act("approve", who="max", role="pit_manager")
    display.shows("#call", "Round 2 is void")
    display.shows("#stamp", "Wagers are returned")


@pytest.mark.second_tier
def test_overlay_is_transparent_and_scales_with_its_frame(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    play(table, ROUNDS[0])
    widths = []
    for width, height in ((1920, 1080), (960, 540)):
        overlay = at(table, path="/overlay", viewport={"width": width, "height": height})
        overlay.shows("#call", "Player wins")
        paint = "each => getComputedStyle(each).backgroundColor"
        assert overlay.find("html").evaluate(paint) == "rgba(0, 0, 0, 0)"
        assert overlay.find("body").evaluate(paint) == "rgba(0, 0, 0, 0)"
        box = overlay.find(".hand.player").bounding_box()
        assert box is not None
        widths.append(box["width"])
    assert widths[0] > 1.8 * widths[1]


@pytest.mark.second_tier
def test_pit_says_why_and_how_the_devices_are(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    pit = at(table, "pia", "/pit")
    pit.shows("#devices", "No devices")
    pit.shows("#table", "blue")
    table.desk.say("shoe", "link_lost")
    pit.shows("#status", "The shoe does not respond")
    pit.shows("#stopped", "Stopped")


@pytest.mark.second_tier
def test_pit_shows_a_makers_error_until_it_is_cleared(serve: Serve, at: Open) -> None:
    table = serve()
    loop = table.desk.loop
    shoe = ConnectedDevice("shoe", line_shoe.Driver(), line_shoe.SHEET, "memory", lambda _: None)
    loop._devices["shoe"] = shoe
    table.desk.open_shoe()
    pit = at(table, "pia", "/pit")
    loop.hear("shoe", b"error 4\n", 1.0)
    pit.shows("#devices .error", "4: as it says · clear it at the device")
    loop.hear("shoe", b"cleared 4\n", 2.0)
    expect(pit.find("#devices .error")).to_have_count(0)


@pytest.mark.second_tier
def test_pit_starts_a_shuffle_and_the_machine_shows_it(serve: Serve, at: Open) -> None:
    table = serve()
    loop, emulator = table.desk.loop, emulators.make("shuffler_batch", {"motors": "0.01"})
    emulator.step(1.0)
    emulator.words["load"].do(decks=8)
    heard: list[bytes] = []

    def write(data: bytes) -> None:
        heard.append(data)
        emulator.hear(data)
        loop.hear("shuffler", emulator.step(0.1), time.monotonic())

    found = registry.find("shuffler_batch")
    machine = ConnectedDevice("shuffler", found.with_settings(), found.sheet, "memory", write)
    machine.takes = found.sheet.commands
    loop._devices["shuffler"] = machine
    loop.hear("shuffler", LinkUp(), time.monotonic())
    pit = at(table, "pia", "/pit")
    pit.shows("#devices", "Shuffler is ready")
    pit.find("[data-key=start-shuffle]").click()
    pit.shows("dialog", "Keep hands and cards clear.")
    pit.find("dialog").get_by_role("button", name="Start a shuffle").click()
    table.desk.waits_until(lambda: any(b"START SHUFFLE_VERIFY 8" in data for data in heard))
    assert any(record.body.find(b"start_shuffle") > 0 for record in table.desk.journal.records())


def test_a_round_is_found_recalled_and_proved(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    for cards in ROUNDS:
        play(table, cards)
        if cards is ROUNDS[1]:
            correct(table, "9S")
    table.desk.act("method", method="A")
    table.desk.act("open_betting", ref="studio-7/0042")
    table.desk.act("close_betting")
    table.desk.draw("9H", "2C", "KD", "5S")
    table.desk.act("expose", hand="player")

    eve = at(table, "eve", "/rounds")
    expect(eve.find("tbody .link")).to_have_count(4)
    eve.find("#more summary").click()
    eve.find("input[name=ref]").fill("studio-7/0042")
    eve.press("search")
    expect(eve.find("tbody .link")).to_have_count(1)
    eve.shows("tbody", "in play")
    eve.shows("tbody", "studio-7/0042")
    eve.find("input[name=ref]").fill("")
    eve.find("select[name=result]").select_option("T")
    eve.press("search")
    expect(eve.find("tbody .link")).to_have_text(["1/2"])
    eve.press("round-2")
    eve.shows(".corrections", "Dana asked, Pia approved: misread")
    eve.shows(".round-head dl", "DealerGus")
    eve.shows(".round-head dl", "replaces #")
    expect(eve.find(".corrections .card.suit-S")).to_have_count(2)
    # Step by step: back to where no card lay.
    eve.find(".steps .link").first.click()
    expect(eve.find(".phase .card")).to_have_count(0)
    eve.shows(".stepper", "Step 1 of")

    eve.press("to-list")
    with eve.page.expect_download() as saved:
        eve.find("#jsonl").click()
    lines = saved.value.path().read_text("utf-8").splitlines()
    assert [json.loads(line)["round"] for line in lines] == [2]

    eve.find("select[name=result]").select_option("")
    eve.press("search")
    eve.press("round-4")
    expect(eve.find(".proof tbody .holds")).to_have_count(2)
    eve.shows(".proof tbody", "sealed")


@pytest.mark.second_tier
def test_a_false_opening_does_not_hold(serve: Serve, at: Open) -> None:
    """The browser works the commitment out by itself, whatever the server says of it."""
    table = serve()
    table.desk.open_shoe("A")
    table.desk.act("open_betting")
    table.desk.act("close_betting")
    table.desk.draw("9H", "2C", "KD", "5S")
    table.desk.act("expose", hand="player")
    eve = at(table, "eve", "/rounds")

    def lie(route: Route) -> None:
        answer = route.fetch()
        proof = answer.json()
        opened = [each for each in proof["commitments"] if each["card"]]
        opened[0]["card"] = "AS"
        route.fulfill(response=answer, json=proof)

    eve.page.route("**/proof", lie)
    eve.press("round-1")
    expect(eve.find(".proof tbody .broken")).to_have_count(1)
    expect(eve.find(".proof tbody .holds")).to_have_count(1)
