"""Two consoles at once, wires cut and held, servers stopped, taps doubled, pages grown old."""

import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from support.console.console_to_kill import Program
from support.console.screens import PATIENCE_MS, PINS, Screen
from support.console.table_in_hand import Console, accounts_in
from support.console.wire_to_cut import WireToCut

Serve = Callable[..., Console]
Open = Callable[..., Screen]
Wired = Callable[[int], WireToCut]


@pytest.fixture
def wired() -> Iterator[Wired]:
    wires: list[WireToCut] = []

    def made(port: int) -> WireToCut:
        wires.append(WireToCut(port))
        return wires[-1]

    yield made
    for wire in wires:
        wire.close()


@pytest.mark.second_tier
def test_two_consoles_see_the_same_and_one_tap_counts(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    one = at(table, "dana", "/dealer")
    other = at(table, "dana", "/dealer")
    pit = at(table, "pia", "/pit")
    for dealer in (one, other):
        expect(dealer.key("open_betting")).to_be_enabled()
    # Both press at what is the same moment for people: one word is said, the other has moved on.
    buttons = [dealer.key("open_betting").element_handle() for dealer in (one, other)]
    for button in buttons:
        button.evaluate("button => button.click()")
    for dealer in (one, other):
        dealer.waits_for("close_betting")
        dealer.up_to_date(table.desk.seq)
    pit.shows("#about", "Betting")
    assert table.desk.view["round"] == 1
    assert table.desk.words().count("open_betting") == 1


@pytest.mark.second_tier
def test_a_double_tap_is_one_word(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    dealer = at(table, "dana", "/dealer")
    expect(dealer.key("open_betting")).to_be_enabled()
    dealer.key("open_betting").evaluate("button => { button.click(); button.click(); }")
    dealer.waits_for("place")
    dealer.press("place", "chip-10000")
    dealer.key("confirm").evaluate("button => { button.click(); button.click(); }")
    expect(dealer.find("dialog .sum")).to_have_text("0Clear")
    dealer.press("done")
    assert table.desk.words().count("open_betting") == 1
    assert len(table.desk.view["wagers"]) == 1
    # The same wager again is another tap and another wager.
    dealer.press("place", "chip-10000")
    dealer.confirm()
    expect(dealer.find("dialog .sum")).to_have_text("0Clear")
    assert len(table.desk.view["wagers"]) == 2


def test_a_word_whose_answer_was_lost_is_said_once(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    dealer = at(table, "dana", "/dealer")
    keys: list[str] = []

    def lose_the_first(route: Route) -> None:
        body = route.request.post_data_json
        assert body is not None
        keys.append(body["key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    dealer.page.route("**/api/commands/open_betting", lose_the_first)
    with dealer.page.expect_response("**/api/commands/open_betting") as answered:
        dealer.press("open_betting")
    assert answered.value.json()["accepted"]
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert table.desk.words().count("open_betting") == 1


def test_a_silent_wire_makes_the_page_stale_and_it_comes_back(
    serve: Serve, at: Open, wired: Wired
) -> None:
    table = serve()
    table.desk.open_shoe()
    wire = wired(table.port)
    dealer = at(table, "dana", "/dealer", url=wire.url)
    display = at(table, path="/display", url=wire.url)
    dealer.prompt("Open betting")
    display.shows("#call", "begins soon")
    wire.hold()
    for screen in (dealer, display):
        expect(screen.find("#stale")).to_be_visible()
    expect(dealer.find("#work")).to_have_attribute("inert", "")
    # What happens meanwhile is there when the wire is whole again, each step once.
    table.desk.act("open_betting")
    table.desk.act("close_betting")
    table.desk.draw("9H", "2C")
    wire.mend()
    expect(dealer.find("#stale")).to_be_hidden()
    expect(dealer.find("#felt .card")).to_have_count(2)
    expect(dealer.find("#work")).not_to_have_attribute("inert", "")
    dealer.up_to_date(table.desk.seq)
    display.up_to_date(table.desk.seq)


@pytest.mark.second_tier
def test_a_cut_wire_is_followed_from_the_last_step(serve: Serve, at: Open, wired: Wired) -> None:
    table = serve()
    table.desk.open_shoe()
    wire = wired(table.port)
    dealer = at(table, "dana", "/dealer", url=wire.url)
    asked: list[str] = []
    dealer.page.on("websocket", lambda socket: asked.append(socket.url))
    dealer.prompt("Open betting")
    seq = table.desk.seq
    wire.cut()
    expect(dealer.find("#stale")).to_be_visible()
    table.desk.act("open_betting")
    wire.mend()
    dealer.prompt("Betting open")
    expect(dealer.find("#stale")).to_be_hidden()
    assert asked[-1].endswith(f"/feed/dealer?after={seq}")


@pytest.mark.second_tier
def test_the_table_is_killed_and_the_page_goes_on_in_the_same_round(
    browser: Browser, tmp_path: Path, wired: Wired
) -> None:
    accounts_in(tmp_path)
    with closing(Program(tmp_path)) as program:
        wire = wired(program.port)
        context = browser.new_context(locale="en-US")
        context.set_default_timeout(PATIENCE_MS)
        boss = Screen(context, wire.url).sign_in("gus", "/dealer")
        boss.press("open_table", "load_shoe", "o-blue", "o-pia", "o-true")
        boss.confirm()
        boss.press("approve")
        boss.second_person("pia")
        boss.press("open_betting")
        boss.lay(1, "banker", 50000)
        boss.shows("#seats .staked", "500")
        assert program.end(signal.SIGKILL) == -signal.SIGKILL
        expect(boss.find("#stale")).to_be_visible()

    with closing(Program(tmp_path)) as again:
        wire.lead_to(again.port)
        expect(boss.find("#lock")).to_be_visible()
        boss.find("#lock .secret").fill(PINS["gus"])
        boss.page.keyboard.press("Enter")
        boss.prompt("was the round disrupted?")
        boss.press("no")
        boss.confirm()
        boss.prompt("Betting open")
        expect(boss.find("#seats .staked .amount")).to_have_text(["500"])
        assert boss.errors == []
        context.close()
        assert again.end(signal.SIGTERM) == 0


def test_a_page_that_has_grown_old_cannot_act(serve: Serve, at: Open, wired: Wired) -> None:
    table = serve()
    table.desk.open_shoe()
    wire = wired(table.port)
    dealer = at(table, "dana", "/dealer", url=wire.url)
    dealer.waits_for("open_betting")
    wire.hold()
    table.desk.act("open_betting")
    # Before it knows: the word goes out with what was seen, and comes back as moved on.
    dealer.key("open_betting").evaluate("button => button.click()")
    wire.mend()
    dealer.waits_for("close_betting")
    assert table.desk.view["state"] == "betting"
    assert table.desk.words().count("open_betting") == 1
