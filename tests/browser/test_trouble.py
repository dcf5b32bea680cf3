"""Trouble explains itself: halts with their sentences, all of them in order, a void with a shoe
that still plays, the title and the tones; and nobody clears a hold without saying why."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from controller.table.commands.message import staff_message
from controller.views.structs.encoding import plain
from support.console.emulated_shoe import EmulatedShoe
from support.console.screens import Screen
from support.console.table_in_hand import Console, TableInHand
from support.console.tiers import split_tiers

Serve = Callable[..., Console]
Open = Callable[..., Screen]

PIA = ("pia", "pit_supervisor")


def dealt(desk: TableInHand, *cards: str) -> None:
    desk.open_shoe()
    desk.act("open_betting")
    desk.act("place", player="seat 3", wager="player", amount=50000, position=3)
    desk.act("place", player="seat 5", wager="tie", amount=5000, position=5)
    desk.act("close_betting")
    desk.draw(*cards)


HALTS: dict[str, tuple[str, dict[str, Any], str, str, str]] = {
    "link": (
        "link_lost",
        {},
        "The shoe does not respond",
        "Clears at the shoe",
        "Check cable and power of the shoe",
    ),
    "error": (
        "error",
        {"code": 12, "means": "jam", "says": "E12 FEED"},
        "Cards are stuck in the shoe",
        "Clears at the shoe",
        "Take the jammed cards out of the shoe",
    ),
    "count": (
        "events_lost",
        {},
        "Something the shoe said was lost",
        "A dealer counts; a different number needs approval by a pit supervisor",
        "count the cards of this round",
    ),
    "case": (
        "error",
        {"code": 4, "means": "several_at_once"},
        "Shoe reported: two or more cards drawn at once",
        "A dealer can clear this",
        "is the order of the cards known?",
    ),
    "disagrees": (
        "result",
        {"winner": "banker"},
        "Shoe says Banker; the cards on the table say Player",
        "A pit supervisor requests, a second person approves",
        "correct the wrong one, or request to resume",
    ),
}


@pytest.mark.parametrize("halt", split_tiers(HALTS, first=("case",)))
def test_a_halt_says_what_since_when_who_and_what_to_do(serve: Serve, at: Open, halt: str) -> None:
    word, given, what, who, do = HALTS[halt]
    table = serve()
    cards = ("9H", "2C", "KD", "6S") if halt == "disagrees" else ("9H", "2C")
    dealt(table.desk, *cards)
    dealer = at(table, "dana", "/dealer")
    dealer.up_to_date(table.desk.seq)
    expect(dealer.page).to_have_title("Dealer · Sabot")
    table.desk.say("shoe", word, **given)
    dealer.up_to_date(table.desk.seq)
    expect(dealer.page).to_have_title("Stopped · Dealer")
    head = dealer.find("#prompt").inner_text().casefold()
    places = [head.index(part.casefold()) for part in (what, "Round 1 · since", who, do)]
    assert places == sorted(places), head
    expect(dealer.find("#stopped .octagon")).to_be_visible()
    dealer.shows("#stopped", "STOP")
    expect(dealer.find("#figures .elapsed")).to_be_visible()
    expect(dealer.find(".holds")).to_have_count(0)  # the head says all of one
    assert greens(dealer) == []


def void_to_approve(desk: TableInHand) -> None:
    desk.act("report", "dana", "dealer", what="simultaneous")
    desk.act("answer", "dana", "dealer", value=False)


def unread_card_and_pause(desk: TableInHand) -> None:
    desk.draw("??")
    desk.act("suspend", *PIA)


Trouble = Callable[[TableInHand], object]
SLOT_ACTS: dict[str, tuple[Trouble, str]] = {
    "a void to approve": (
        void_to_approve,
        "approve",
    ),
    "a fact": (lambda desk: desk.act("report", "dana", "dealer", what="simultaneous"), "yes"),
    "an unread card": (lambda desk: desk.draw("??"), "enter"),
    "a count": (lambda desk: desk.say("shoe", "events_lost"), "count-cards"),
    "a pause": (lambda desk: desk.act("suspend", *PIA), "resume"),
    "an unread card and a pause": (
        unread_card_and_pause,
        "enter",
    ),
}


@pytest.mark.second_tier
@pytest.mark.parametrize("trouble", SLOT_ACTS)
def test_what_answers_a_halt_is_in_sight_in_a_slot(serve: Serve, at: Open, trouble: str) -> None:
    happens, key = SLOT_ACTS[trouble]
    table = serve()
    dealt(table.desk, "9H", "2C")
    happens(table.desk)
    dealer = at(table, "dana", "/dealer")  # 1024 x 768, the smallest screen of a dealer
    act = dealer.find(f'#actions .slot [data-key="{key}"]')
    expect(act).to_be_enabled()
    expect(act).to_be_in_viewport(ratio=1)
    if key != "yes":  # both answers weigh the same
        expect(dealer.find("#actions .step.primary")).to_have_count(1)
        dealer.enter()
        expect(dealer.find("dialog")).to_be_visible()


@pytest.mark.second_tier
def test_all_that_holds_a_table_is_listed_in_order_for_dealer_and_pit(
    serve: Serve, at: Open
) -> None:
    table = serve()
    dealt(table.desk, "9H", "2C")
    dealer, pit = at(table, "dana", "/dealer"), at(table, "pia", "/pit")
    table.desk.act("suspend", *PIA)
    table.desk.say("shoe", "lid_open")
    table.desk.act("report", "dana", "dealer", what="simultaneous")
    for page in (dealer, pit):
        page.up_to_date(table.desk.seq)
        kinds = page.find(".holds li").evaluate_all("all => all.map(li => li.dataset.hold)")
        assert kinds == ["simultaneous", "lid_open", "paused"]
        expect(page.find(".holds li .elapsed")).to_have_count(3)
        assert greens(page) == []
    expect(pit.page).to_have_title("Stopped · Pit")
    pit.shows(".holds", "Close the shoe. Draw no card until then")


GREENS = """() => {
  const found = [];
  const green = (colour) => {
    const scale = colour.startsWith("color(") ? 255 : 1; // as a mix of two is told
    const [r, g, b, a = 1] = (colour.match(/[\\d.]+/g) ?? []).map((each) => Number(each) * scale);
    return a > 0.05 && g - Math.max(r, b) > 14;
  };
  for (const each of document.querySelectorAll("body, body *")) {
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(each);
    const text = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const seen = { background: style.backgroundColor };
    if (text) seen.color = style.color;
    if (parseFloat(style.borderBottomWidth)) seen.border = style.borderBottomColor;
    if (each instanceof SVGElement) Object.assign(seen, { fill: style.fill, stroke: style.stroke });
    for (const [what, colour] of Object.entries(seen)) {
      if (/^(rgb|color)/.test(colour) && green(colour)) {
        found.push(`${each.tagName}.${each.getAttribute("class")} ${what} ${colour}`);
      }
    }
  }
  return found;
}"""


def greens(page: Screen) -> list[str]:
    """What is drawn in green, by its computed colours."""
    found: list[str] = page.page.evaluate(GREENS)
    return found


@pytest.mark.second_tier
def test_the_measure_of_green_sees_a_page_that_plays(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    dealer = at(table, "dana", "/dealer")
    dealer.waits_for("open_betting")
    assert any("primary" in each for each in greens(dealer))


# --- clearing -----------------------------------------------------------------------------------


def test_nobody_clears_a_hold_without_a_reason(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table.desk, "9H")
    pit = at(table, "pia", "/pit")
    table.desk.say("shoe", "lid_open")
    table.desk.say("shoe", "lid_closed")
    pit.up_to_date(table.desk.seq)
    pit.press("resume")
    expect(pit.key("confirm")).to_be_disabled()
    assert table.desk.view["state"] == "halted"
    pit.key("typed").fill("  ")
    expect(pit.key("confirm")).to_be_disabled()
    pit.key("typed").fill("a sleeve caught it")
    pit.confirm()
    table.desk.until("dealing")
    pit.shows(
        "#rulings", "Pia cleared: a lid was opened and is closed again. Reason: a sleeve caught it"
    )
    expect(pit.page).to_have_title("Pit · Sabot")


@pytest.mark.second_tier
def test_over_a_device_that_disagrees_somebody_else_approves(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table.desk, "9H", "2C", "KD", "6S")
    pit = at(table, "pia", "/pit")
    table.desk.say("shoe", "result", winner="banker")
    pit.up_to_date(table.desk.seq)
    pit.shows('[data-key="resume"]', "needs a second approval")
    pit.press("resume", "o-Surveillance checked and agrees", "confirm")
    pit.waits_for("approve")
    assert table.desk.view["request"]["reason"] == "Surveillance checked and agrees"
    pit.press("approve")
    pit.second_person("max")
    table.desk.until("outcome")


# --- tones --------------------------------------------------------------------------------------

TONES = """
window.tones = 0;
for (const name of ["createOscillator"]) {
  const made = AudioContext.prototype[name];
  AudioContext.prototype[name] = function () { window.tones += 1; return made.call(this); };
}
"""


@pytest.mark.second_tier
def test_a_tone_says_that_the_table_stops_and_that_it_goes_on(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table.desk, "9H")
    pit = at(table, "pia", "/pit")
    pit.page.add_init_script(TONES)
    pit.go("/pit")
    pit.up_to_date(table.desk.seq)
    pit.find("#waits").click()  # a browser is silent until it is touched

    def tones() -> int:
        pit.up_to_date(table.desk.seq)
        heard: int = pit.page.evaluate("window.tones")
        return heard

    table.desk.draw("2C")
    assert tones() == 0, "a card is no reason"
    table.desk.say("shoe", "lid_open")
    stopped = tones()
    assert stopped > 0
    table.desk.say("shoe", "lid_closed")
    before = tones()
    table.desk.act("resume", *PIA, reason="looked")
    assert tones() > before
    pit.press("me", "o-off")
    pit.page.keyboard.press("Escape")
    quiet = tones()
    table.desk.say("shoe", "lid_open")
    assert tones() == quiet, "off is off"
    pit.go("/pit")
    pit.up_to_date(table.desk.seq)
    pit.press("me")
    expect(pit.key("o-off")).to_have_attribute("aria-pressed", "true")


# --- a void round -------------------------------------------------------------------------------


def void(table: Console) -> None:
    table.desk.act("report", "dana", "dealer", what="wrong_count")
    table.desk.act("approve", *PIA)


Rectangle = Any


def overlap(one: Rectangle, other: Rectangle) -> bool:
    return bool(
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


@pytest.mark.second_tier
def test_the_approval_of_a_void_says_what_becomes_of_the_round(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table.desk, "9H", "2C")
    table.desk.act("report", "dana", "dealer", what="wrong_count")
    dealer = at(table, "dana", "/dealer")
    dealer.prompt("Void round 1 and return all wagers? A pit supervisor must approve")
    dealer.shows(".since-who", "A pit supervisor approves or refuses")


@pytest.mark.second_tier
def test_the_stamp_covers_no_card(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table.desk, "9H", "2C", "KD", "5S")
    dealer = at(table, "dana", "/dealer", reduced_motion="reduce")  # as it lies, not as it falls
    void(table)
    dealer.waits_for("done-wagers")
    stamp = dealer.find(".stamp").bounding_box()
    cards = dealer.find(".hand .card")
    expect(cards).to_have_count(4)
    assert not any(overlap(stamp, card.bounding_box()) for card in cards.all())


def test_a_void_is_a_stamp_and_a_list_that_is_worked_off(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table.desk, "9H", "2C")
    dealer = at(table, "dana", "/dealer")
    void(table)
    dealer.up_to_date(table.desk.seq)
    dealer.shows(".stamp", "VOID")
    dealer.shows(".stamp", "Round 1 · Pia")
    dealer.shows("#prompt", "decided by Pia")
    dealer.shows(".since-who .clause", "5.1.1")
    dealer.shows(".goes-back li >> nth=0", "Seat 3")
    dealer.shows(".goes-back li >> nth=0", "500")
    dealer.shows('[data-key="tick-wagers"]', "550 to 2 seats")
    dealer.gone("open_betting")
    dealer.shows("#actions .waiting", "once round 1 is cleared")
    dealer.prompt("Return all wagers")
    solid = dealer.find("#actions .step.primary")
    where = solid.bounding_box()
    dealer.clear_away("wagers")
    expect(dealer.key("tick-wagers")).to_have_attribute("aria-pressed", "true")
    dealer.waits_for("done-rack")
    assert not overlap(where, solid.bounding_box()), "a second tap lands on nothing"
    dealer.gone("open_betting")
    dealer.enter()
    expect(dealer.key("tick-rack")).to_have_attribute("aria-pressed", "true")
    dealer.prompt("Open betting")
    dealer.press("open_betting")
    table.desk.until("betting")
    expect(dealer.find(".stamp")).to_have_count(0)


@pytest.fixture
def with_a_shoe(serve: Serve) -> Iterator[tuple[Console, EmulatedShoe]]:
    """A console with an emulated shoe that plays its own round."""
    shoe = EmulatedShoe()
    table = serve(devices=(shoe.device,))
    shoe.start(table.desk.loop)
    yield table, shoe
    shoe.stop()


@pytest.mark.second_tier
def test_a_void_with_a_shoe_that_still_plays(
    with_a_shoe: tuple[Console, EmulatedShoe], at: Open
) -> None:
    table, shoe = with_a_shoe
    desk = table.desk
    dealt(desk)
    dealer, pit = at(table, "dana", "/dealer"), at(table, "pia", "/pit")
    for card in ("9H", "2C"):
        seq = desk.seq
        shoe.do("draw", card=card, extra=True)
        desk.after(seq)
    void(table)
    desk.waits_until(lambda: desk.view["left_at_shoe"] is not None)
    dealer.prompt("Press FORCED EXIT on the shoe")
    dealer.shows(".needed", "FORCED EXIT on the shoe")
    dealer.gone("open_betting")
    answer = plain(desk.loop.ask(staff_message("open_betting", "dana", "dealer")).result(60))
    assert answer["code"] == "end_round_at_shoe", "the table itself refuses it"
    pit.shows(".needed", "FORCED EXIT on the shoe")
    shoe.do("press", button="forced_exit")
    dealer.shows('[data-key="at-shoe"]', "the shoe has closed round 1")
    dealer.clear_away()
    dealer.press("open_betting")
    desk.until("betting")
    desk.act("close_betting")
    seq = desk.seq
    shoe.do("draw", card="5D", extra=True)
    desk.after(seq)
    assert desk.view["state"] == "dealing", "and the next cards halt nothing"


@pytest.mark.second_tier
def test_a_supervisor_puts_the_shoes_round_aside(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table.desk, "9H", "2C")
    void(table)
    table.desk.say("shoe", "still_plays")
    dealer = at(table, "dana", "/dealer")
    dealer.press("put-aside")
    expect(dealer.key("confirm")).to_be_disabled()
    dealer.press("o-The button does not work", "confirm")
    dealer.second_person("pia")
    dealer.shows('[data-key="at-shoe"]', "skipped by Pia: The button does not work")
    dealer.clear_away()
    dealer.press("open_betting")
    table.desk.until("betting")


@pytest.mark.second_tier
def test_what_is_said_about_cards_leaves_them_in_sight(serve: Serve, at: Open) -> None:
    """At a table PC: windows stand beside the cards; a question says where each answer leads."""
    table = serve(hlga=True, positions=9)
    desk = table.desk
    everybody_bets(desk)
    desk.draw("9H", "2C", "KD")
    dealer = at(table, "dana", "/dealer")
    for opens in ("report", "correct"):
        dealer.press(opens)
        _lie_beside(dealer)
        dealer.page.keyboard.press("Escape")
        expect(dealer.find("dialog")).to_have_count(0)
    dealer.press("report", "simultaneous", "confirm")
    dealer.shows(".leads", "Each player may withdraw wagers")
    dealer.shows(".leads", "Round void, all wagers returned")
    dealer.shows('[data-key="no"]', "request void")
    assert _card_height(dealer) > LEAST_CARD
    dealer.press("no", "confirm", "approve")
    _lie_beside(dealer)
    dealer.second_person("max")
    dealer.shows(".stamp", "VOID")
    assert _card_height(dealer) > LEAST_CARD


def everybody_bets(desk: TableInHand) -> None:
    """Fourteen stakes at nine seats, and bets are closed."""
    desk.open_shoe()
    desk.act("open_betting")
    for seat in range(1, 10):
        desk.act("place", player=f"seat {seat}", wager="player", amount=100000, position=seat)
    for seat in range(1, 6):
        desk.act("place", player=f"seat {seat}", wager="tie", amount=5000, position=seat)
    desk.act("close_betting")


LEAST_CARD = 96
"""Points high at 1024x768, with every seat's stakes above them."""


def _card_height(dealer: Screen) -> float:
    box = dealer.find("#hands .row .card").first.bounding_box()
    assert box is not None
    return box["height"]


def _lie_beside(dealer: Screen) -> None:
    window = dealer.find("dialog.beside").bounding_box()
    assert window is not None
    expect(dealer.find("#hands .row .card")).to_have_count(3)
    for each in dealer.find("#hands .row .card").all():
        box = each.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= window["x"], "the window lies over a card"
