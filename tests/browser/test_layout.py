"""Wagers by touching the drawn layout: what each did is read from the table's own view."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from support.console.screens import PHONE, TABLE_PC, Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]
View = dict[str, Any]

NINE = {"layout": "Appendix B"}
LARGE: ViewportSize = {"width": 1280, "height": 800}
STAKES = ("place", "raise", "decrease", "withdraw")


def betting(table: Console, at: Open, method: str = "B", **more: Any) -> Screen:
    table.desk.open_shoe(method)
    table.desk.act("open_betting")
    dealer = at(table, "dana", "/dealer", **more)
    dealer.waits_for("close_betting")
    return dealer


def lies(table: Console) -> list[tuple[str, str, int]]:
    rows = [each for each in table.desk.view["wagers"] if each["returned_by"] is None]
    return [(each["player"], each["wager"], each["amount"]) for each in rows]


def settles_at(table: Console, dealer: Screen, *wagers: tuple[str, str, int]) -> None:
    """What was touched has reached the table and come back to the page."""
    table.desk.waits_until(lambda: lies(table) == list(wagers))
    dealer.up_to_date(table.desk.seq)


def said(table: Console) -> list[str]:
    return [word for word in table.desk.words() if word in STAKES]


def spot(dealer: Screen, position: int, wager: str) -> Locator:
    return dealer.key(f"spot-{position}-{wager}")


def play(table: Console) -> None:
    """To the next round's betting."""
    desk = table.desk
    desk.act("close_betting")
    desk.draw("9H", "2C", "KD", "5S")
    for word in ("announce", "settle", "open_betting"):
        desk.act(word)


def test_a_chip_on_a_spot_is_a_wager_and_more_chips_raise_it(serve: Serve, at: Open) -> None:
    table = serve(**NINE)
    dealer = betting(table, at)
    dealer.lay(3, "banker", 10000)
    settles_at(table, dealer, ("seat 3", "banker", 10000))
    expect(spot(dealer, 3, "banker")).to_have_attribute("aria-label", "Seat 3, Banker, 100")
    dealer.press("tray-2500")
    # Faster than the table answers: no tap is lost and none counts twice.
    for _ in range(5):
        spot(dealer, 3, "banker").dispatch_event("click")
        spot(dealer, 5, "player_pair").dispatch_event("click")
    wanted = ("seat 3", "banker", 22500), ("seat 5", "player_pair", 12500)
    settles_at(table, dealer, *wanted)
    assert said(table) == ["place", "raise", "place", *["raise"] * 8]
    assert {each["placed_by"] for each in table.desk.view["wagers"]} == {"dana"}
    expect(spot(dealer, 3, "banker")).to_contain_text("225")
    dealer.shows("#figures", "350")


AT_ONCE = """keys => keys.forEach(key => {
  const button = document.querySelector(`[data-key="${key}"]`);
  button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  button.click();
})"""


@pytest.mark.second_tier
def test_chips_put_down_before_the_call_are_said_before_it(serve: Serve, at: Open) -> None:
    table = serve(**NINE)
    dealer = betting(table, at)
    expect(dealer.key("close_betting")).to_be_enabled()
    taps = ["spot-1-player", "spot-1-player", "spot-2-banker", "close_betting"]
    dealer.page.evaluate(AT_ONCE, taps)
    table.desk.until("dealing")
    assert lies(table) == [("seat 1", "player", 20000), ("seat 2", "banker", 10000)]


@pytest.mark.second_tier
def test_one_chip_comes_off_and_taps_are_undone(serve: Serve, at: Open) -> None:
    table = serve(**NINE)
    dealer = betting(table, at)
    expect(dealer.key("undo")).to_be_disabled()
    dealer.lay(2, "player", 10000, 2500)
    dealer.press("take-one", "spot-2-player")
    settles_at(table, dealer, ("seat 2", "player", 10000))
    dealer.press("undo")
    settles_at(table, dealer, ("seat 2", "player", 12500))
    dealer.press("undo")
    settles_at(table, dealer, ("seat 2", "player", 10000))
    dealer.press("undo")
    settles_at(table, dealer)
    assert said(table) == ["place", "raise", "decrease", "raise", "decrease", "withdraw"]
    # What somebody else put there comes off in the fewest chips that make it up.
    table.desk.act("place", player="seat 7", wager="tie", amount=60000, position=7)
    expect(dealer.key("take-one")).to_have_attribute("aria-pressed", "true")
    spot(dealer, 7, "tie").click()
    settles_at(table, dealer, ("seat 7", "tie", 50000))
    spot(dealer, 7, "tie").click()
    settles_at(table, dealer)


@pytest.mark.second_tier
def test_what_lay_there_last_is_placed_again_as_far_as_it_may_be(serve: Serve, at: Open) -> None:
    table = serve(**NINE)
    dealer = betting(table, at)
    dealer.lay(1, "banker", 50000)
    dealer.lay(2, "player", 10000)
    desk = table.desk
    desk.after(desk.seq - 1)
    settles_at(table, dealer, ("seat 1", "banker", 50000), ("seat 2", "player", 10000))
    desk.act("place", player="behind 4", wager="tie", amount=2500, position=4, seated=False)
    play(table)
    for n in range(3):  # seat 2's area is full
        desk.act("place", player=f"p{n}", wager="player", amount=2500, position=2)
    dealer.page.reload()
    dealer.up_to_date(desk.seq)
    expect(dealer.key("repeat")).to_be_enabled()  # a script's click on one that is not goes nowhere
    dealer.key("repeat").evaluate("button => { button.click(); button.click(); }")
    full = [(f"p{n}", "player", 2500) for n in range(3)]
    again = [("seat 1", "banker", 50000), ("behind 4", "tie", 2500)]
    settles_at(table, dealer, *full, *again)
    assert [each["seated"] for each in desk.view["wagers"]][-1] is False
    expect(dealer.find(".missed li")).to_have_count(1)
    dealer.shows(".missed", "Seat 2 · Player 100")
    dealer.shows(".missed", "3 wagers on that area")
    expect(spot(dealer, 2, "player")).to_have_class(re.compile(r"\bflagged\b"))
    dealer.press("undo")
    settles_at(table, dealer, *full)
    dealer.gone("missed-close")


@pytest.mark.second_tier
@pytest.mark.parametrize("size", [LARGE, TABLE_PC], ids=["1280", "1024"])
def test_a_refused_wager_is_marked_and_mended(serve: Serve, at: Open, size: dict[str, int]) -> None:
    table = serve(minimum=2500, maximum=100000, **NINE)
    dealer = betting(table, at, viewport=size)
    dealer.lay(3, "banker", 500)
    settles_at(table, dealer, ("seat 3", "banker", 500))
    dealer.press("close_betting")
    dealer.shows("#refusal", "Seat 3 · Banker 5: below the minimum 25")
    expect(spot(dealer, 3, "banker").locator(".flag")).to_have_text("5, minimum 25")
    expect(dealer.find(".spot.flagged")).to_have_count(1)
    expect(dealer.find("#seats")).to_have_class(re.compile(r"\barc\b"))
    dealer.find("#refusal").get_by_role("button", name="Make it 25", exact=True).click()
    settles_at(table, dealer, ("seat 3", "banker", 2500))
    expect(dealer.find(".spot.flagged")).to_have_count(0)
    # Over the maximum it is lowered; Enter does what mends.
    table.desk.act("raise", id="w1", amount=200000)
    dealer.up_to_date(table.desk.seq)
    dealer.page.evaluate("document.activeElement.blur()")
    dealer.enter()
    dealer.shows("#refusal", "over the maximum 1,000")
    dealer.page.keyboard.press("Enter")
    settles_at(table, dealer, ("seat 3", "banker", 100000))
    dealer.press("close_betting")
    table.desk.until("dealing")


@pytest.mark.second_tier
def test_the_heavier_side_gives_way_by_the_excess(serve: Serve, at: Open) -> None:
    table = serve(differential=50000, **NINE)
    dealer = betting(table, at)
    dealer.lay(3, "banker", 100000)
    settles_at(table, dealer, ("seat 3", "banker", 100000))
    dealer.press("close_betting")
    dealer.shows("#refusal", "500 too much on one side")
    expect(spot(dealer, 3, "banker").locator(".flag")).to_have_text("500 too much")
    dealer.press("offer-0")
    settles_at(table, dealer, ("seat 3", "banker", 50000))


@pytest.mark.second_tier
def test_a_chip_that_is_refused_marks_its_spot(serve: Serve, at: Open) -> None:
    table = serve(**NINE)
    dealer = betting(table, at)
    for n in range(3):
        table.desk.act("place", player=f"p{n}", wager="tie", amount=500, position=6)
    dealer.up_to_date(table.desk.seq)
    expect(spot(dealer, 6, "tie").locator(".several")).to_contain_text("3")
    dealer.lay(6, "tie", 2500)
    dealer.shows("#refusal", "Box full: 3 bets are on it already")
    expect(spot(dealer, 6, "tie")).to_have_class(re.compile(r"\bflagged\b"))
    assert len(lies(table)) == 3
    dealer.lay(6, "banker", 2500)
    expect(dealer.find(".spot.flagged")).to_have_count(0)


def heads(dealer: Screen) -> list[tuple[int, int]]:
    script = (
        "all => all.map(e => e.getBoundingClientRect()).map(r => [Math.round(r.x), r.width | 0])"
    )
    found: list[tuple[int, int]] = dealer.find("#seats .head").evaluate_all(script)
    return found


@pytest.mark.second_tier
def test_seats_stay_where_they_were_when_bets_close(serve: Serve, at: Open) -> None:
    table = serve(**NINE)
    dealer = betting(table, at, "A", viewport=LARGE)
    dealer.lay(3, "player", 100000)
    dealer.lay(5, "banker", 50000)
    laid = ("seat 3", "player", 100000), ("seat 5", "banker", 50000)
    settles_at(table, dealer, *laid)
    table.desk.act("place", player="behind 3", wager="player", amount=500, position=3, seated=False)
    settles_at(table, dealer, *laid, ("behind 3", "player", 500))
    before = heads(dealer)
    assert len(before) == 9
    assert before[0] > before[8], "numbered counter-clockwise: seat 1 is at the dealer's right"
    dealer.press("close_betting")
    table.desk.until("dealing")
    table.desk.draw("2H", "KC", "3D", "6S")
    dealer.up_to_date(table.desk.seq)
    assert heads(dealer) == before
    seat = '#seats [data-seat="{}"]'
    dealer.shows(seat.format(3), "1,005")
    expect(dealer.find(seat.format(3))).to_have_class(re.compile(r"\blit\b"))
    dealer.press("take-player", "take-banker")
    expect(dealer.find(seat.format(5))).to_have_class(re.compile(r"\blit\b"))
    for side in ("banker", "player"):
        table.desk.act("expose", hand=side)
    table.desk.draw("TD")
    table.desk.act("expose", hand="player")
    table.desk.act("announce")
    dealer.shows(f"{seat.format(5)} .won", "+475")
    dealer.shows(f"{seat.format(3)} .lost", "1,005")
    assert heads(dealer) == before


@pytest.mark.second_tier
def test_a_void_shows_what_goes_back(serve: Serve, at: Open) -> None:
    table = serve(**NINE)
    dealer = betting(table, at)
    desk = table.desk
    desk.act("place", player="seat 2", wager="tie", amount=5000, position=2)
    desk.act("close_betting")
    desk.draw("9H")
    desk.act("report", "dana", "dealer", what="wrong_count")
    desk.act("approve", "max", "pit_manager")
    dealer.shows('#seats [data-seat="2"] .back', "↩50")


def test_the_layout_by_keyboard(serve: Serve, at: Open) -> None:
    table = serve(numbered="clockwise", **NINE)
    dealer = betting(table, at)
    keys = dealer.page.keyboard
    expect(dealer.find('.spot[tabindex="0"]')).to_have_count(1)
    spot(dealer, 1, "player").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        keys.press(key)
    settles_at(table, dealer, ("seat 3", "banker", 10000))
    expect(spot(dealer, 3, "banker")).to_be_focused()
    keys.press("+")
    keys.press("Space")
    settles_at(table, dealer, ("seat 3", "banker", 60000))
    keys.press("Delete")
    settles_at(table, dealer, ("seat 3", "banker", 10000))
    keys.press("Shift+F10")
    dealer.press("w-w1")
    dealer.shows("dialog", "Take the wager off")


NARROWEST = "Math.min(...[...document.querySelectorAll('.spot')].map(e => e.offsetWidth))"
SIDES = "all => Math.min(...all.flatMap(e => [e.offsetWidth, e.offsetHeight]))"


@pytest.mark.second_tier
def test_every_target_takes_a_finger(serve: Serve, at: Open) -> None:
    table = serve(**NINE)
    dealer = betting(table, at, viewport=LARGE)
    for size, least in ((LARGE, 64), (TABLE_PC, 48)):
        dealer.page.set_viewport_size(size)
        expect(dealer.find("#seats.arc .spot")).to_have_count(45)
        expect(dealer.find("#seats .tray button").first).to_be_visible()
        dealer.page.wait_for_function(f"least => {NARROWEST} < least + 8", arg=least)
        for targets in (".spot", ".tray button"):
            assert dealer.find(targets).evaluate_all(SIDES) >= least, (size, targets)
    dealer.page.set_viewport_size(PHONE)
    expect(dealer.find("#seats.list .spot")).to_have_count(45)
    assert dealer.find(".spot").evaluate_all(SIDES) >= 48
    dealer.lay(9, "banker_pair", 2500)
    settles_at(table, dealer, ("seat 9", "banker_pair", 2500))
    wide = "() => document.documentElement.scrollWidth <= innerWidth"
    assert dealer.page.evaluate(wide), "nothing is cut off at the side"


@pytest.mark.second_tier
def test_more_kinds_than_a_seat_has_room_for_are_asked(serve: Serve, at: Open) -> None:
    table = serve(rulebook="mbs-dragon-tiger-baccarat", layout="Appendix D")
    dealer = betting(table, at)
    dealer.press("tray-2500", "spot-4-more", "o-dragon_tiger")
    settles_at(table, dealer, ("seat 4", "dragon_tiger", 2500))
    expect(spot(dealer, 4, "more")).to_have_attribute("aria-label", "Seat 4, More wagers, 25")
    dealer.press("take-one", "spot-4-more")
    settles_at(table, dealer)


@pytest.mark.second_tier
def test_other_players_and_exact_amounts_are_a_held_finger_away(serve: Serve, at: Open) -> None:
    table = serve(**NINE)
    dealer = betting(table, at)
    dealer.lay(3, "banker", 10000)
    settles_at(table, dealer, ("seat 3", "banker", 10000))
    spot(dealer, 3, "banker").click(delay=650)  # held
    dealer.shows("dialog", "placed by Dana")
    dealer.press("another")
    dealer.key("player-name").fill("ann")
    dealer.key("amount").fill("12.50")
    dealer.confirm()
    table.desk.waits_until(lambda: len(lies(table)) == 2)
    dealer.press("done")
    ann = table.desk.view["wagers"][1]
    told = (ann["player"], ann["position"], ann["wager"], ann["amount"], ann["seated"])
    assert told == ("ann", 3, "banker", 1250, False)
    assert said(table) == ["place", "place"], "holding a spot puts no chip there"
    spot(dealer, 3, "banker").click(button="right")
    expect(dealer.find("dialog .of-spot li")).to_have_count(2)


@pytest.mark.second_tier
def test_thousands_of_wagers_are_told_by_kind(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe("B")
    table.desk.act("open_betting")
    kinds = ("player", "banker", "tie", "player_pair", "banker_pair")
    for n in range(151):
        given: dict[str, Any] = {"wager": kinds[n // 14 % 5], "position": n % 14 + 1}
        table.desk.act("place", player=f"p{n}", amount=1000, **given)
    dealer = at(table, "dana", "/dealer")
    dealer.shows("#seats caption", "151 wagers")
    expect(dealer.find("#seats tbody tr")).to_have_count(5)
    assert dealer.find("#seats *").count() < 120
    dealer.press("place")
    dealer.waits_for("player-name")


@pytest.mark.second_tier
def test_a_table_that_does_not_track_wagers_has_no_layout(serve: Serve, at: Open) -> None:
    table = serve(track_wagers=False)
    dealer = betting(table, at)
    expect(dealer.find("#seats *")).to_have_count(0)
    dealer.gone("place")


PAST_THE_EDGE = """() => [...document.querySelectorAll("#hands, #hands *")]
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .map((each) => `${each.tagName}.${each.getAttribute("class")}`)"""


@pytest.mark.second_tier
def test_both_hands_fit_a_phone_while_paying(serve: Serve, at: Open) -> None:
    table = serve(**NINE)
    dealer = betting(table, at, viewport=PHONE)
    table.desk.act("close_betting")
    table.desk.draw("2H", "KC", "3D", "3S", "TD", "4S")
    table.desk.act("announce")
    dealer.up_to_date(table.desk.seq)
    dealer.waits_for("settle")
    assert dealer.page.evaluate(PAST_THE_EDGE) == []
