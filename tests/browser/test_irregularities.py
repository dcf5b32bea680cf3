"""Something goes wrong: picked from the list, led through question by question, to its end.

The first tier has one test of each kind of page control; the second reports everything that can be
reported, under every method, and answers yes and no.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from controller.table.commands.reports import IDS
from support.console.screens import Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]

FAMILIES = {
    "Drawing": ["simultaneous", "excess_card", "wrong_number", "wrong_order", "exposed_in_error"],
    "Handling": ["wrong_player", "not_passed", "handler_absent", "cards_taken"],
    "Cards": [
        "foreign_card",
        "face_up_in_device",
        "wrong_count",
        "unshuffled",
        "order_altered",
        "not_enough_cards",
    ],
    "Device": [
        "device_reset",
        "power_failure",
        "display_wrong",
        "exposed_while_moving",
        "order_altered_moving",
    ],
    "Wagers": [
        "late_wager",
        "late_withdrawal",
        "under_minimum",
        "over_maximum",
        "differential",
        "earlier_limits",
        "chip_position",
    ],
    "Other": ["late_error", "void_aftermath", "uncovered"],
}
FAMILY_OF = {each: family for family, ids in FAMILIES.items() for each in ids}


def dealt(
    table: Console, method: str = "B", cards: tuple[str, ...] = ("2H", "3C", "4D", "5S")
) -> None:
    """A round with two players' wagers and its first cards out."""
    desk = table.desk
    desk.open_shoe(method, **({"drawer": "seat 1"} if method == "C" else {}))
    desk.act("open_betting")
    desk.act("place", player="seat 1", wager="banker", amount=200000, position=1)
    desk.act("place", player="seat 1", wager="tie", amount=10000, position=1)
    desk.act("place", player="seat 2", wager="player", amount=50000, position=2)
    desk.act("close_betting")
    desk.draw(*cards)


def report(dealer: Screen, what: str) -> None:
    dealer.press("report", f"o-{FAMILY_OF[what]}", what)
    if what == "uncovered":  # nobody can decide what nobody describes
        dealer.key("text").fill("something happened")
    dealer.confirm()


def test_every_irregularity_has_its_place_in_the_list() -> None:
    assert sorted(FAMILY_OF) == sorted(IDS)


def test_drawn_at_once_the_order_known_one_wager_withdrawn(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table)
    dealer = at(table, "dana", "/dealer")
    report(dealer, "simultaneous")
    dealer.prompt("Is the order of the cards known?")
    dealer.press("yes", "c4", "c3")
    dealer.confirm()
    said = dealer.find("#side .said-cards")
    expect(said).to_contain_text("1. Card 4")
    expect(said.locator(".card").first).to_have_attribute("aria-label", "Card 4: Five of spades")
    table.desk.act("approve", "pia", "pit_supervisor")  # exposed cards decide nothing any more
    dealer.shows("#side .case", "5.8.1")
    first_wager = table.desk.view["wagers"][0]["id"]
    dealer.press(f"out-{first_wager}")
    dealer.confirm()
    dealer.press("play-seat 2")
    dealer.confirm()
    dealer.prompt("a card that is exposed or with a player goes to the other hand")
    table.desk.act("approve", "pia", "pit_supervisor")  # what moves exposed cards takes two again
    dealer.prompt("Announce")
    dealer.press("announce", "settle")
    dealer.waits_for("open_betting")
    view = table.desk.view
    assert view["hands"] == {"player": ["2H", "5S"], "banker": ["3C", "4D"]}
    assert view["results"] == ["T"]
    dealer.shows(".rulings", "5.8")


def test_drawn_at_once_in_the_initial_deal_is_void_by_two_people(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table, cards=("9H", "2C"))
    dealer = at(table, "dana", "/dealer")
    report(dealer, "simultaneous")
    dealer.press("no", "take-back")
    dealer.waits_for("yes")
    dealer.press("no")
    dealer.confirm()
    dealer.shows("#side .case", "5.8.2.1")
    dealer.press("approve")
    expect(dealer.find('dialog [data-key="dana"]')).to_have_count(0)
    dealer.second_person("pia")
    dealer.clear_away()
    dealer.prompt("Open betting")
    dealer.shows(".rulings", "5.8.2.1")
    assert table.desk.view["void"] == "5.8.2.1"
    assert {paid["returned"] for paid in table.desk.view["settlements"]} == {200000, 10000, 50000}


@pytest.mark.second_tier
def test_cards_taken_and_what_is_missing_counted(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table, "A", ("2H", "KC", "??", "6S"))
    dealer = at(table, "dana", "/dealer")
    dealer.press("report", "o-Handling", "cards_taken", "o-player")
    dealer.confirm()
    dealer.press("no")
    dealer.confirm()
    dealer.shows("#side .asks", "0 of 2")
    table.desk.draw("9C", "TD")
    dealer.press("count")
    for code in ("2H", "KC", "6S", "9C", "TD", "3D"):
        dealer.press(f"-{code}")
    dealer.confirm()
    dealer.second_person("gus")
    dealer.prompt("hand")
    assert table.desk.view["state"] == "revealing"


def test_an_unreadable_card_is_entered_refused_and_entered_again(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table, cards=("9H", "2C", "??"))
    dealer = at(table, "dana", "/dealer")
    pit = at(table, "pia", "/pit")
    display = at(table, path="/display")
    dealer.press("enter")
    dealer.pick_card("KH")
    dealer.confirm()
    pit.shows("#waits", "entered by hand")
    display.shows("#manual", "entered by hand")
    pit.press("refuse")
    pit.own_pin("pia")
    dealer.press("enter")
    dealer.pick_card("KD")
    dealer.confirm()
    pit.press("approve")
    pit.own_pin("pia")
    dealer.prompt("Draw a card for the Banker")
    assert table.desk.view["hands"]["player"] == ["9H", "KD"]


@pytest.mark.second_tier
def test_a_power_failure_is_offered_to_all(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table, "A")
    dealer = at(table, "dana", "/dealer")
    report(dealer, "power_failure")
    dealer.shows("#side .offers", "Seat 2")
    dealer.press("play-seat 1")
    dealer.confirm()
    dealer.press("close-offer")
    dealer.confirm()
    dealer.second_person("pia")
    dealer.waits_for("expose-player")
    dealer.shows(".rulings", "5.17.1")


@pytest.mark.second_tier
def test_the_lid_holds_the_table_until_a_supervisor_clears_it(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table, cards=("9H",))
    dealer = at(table, "dana", "/dealer")
    table.desk.say("shoe", "lid_open")
    dealer.up_to_date(table.desk.seq)
    dealer.prompt("The lid of the shoe is open")
    dealer.gone("resume")  # nobody's word ends it: the lid has to be closed
    table.desk.say("shoe", "lid_closed")
    dealer.up_to_date(table.desk.seq)
    dealer.press("resume", "o-Checked: no card was touched", "confirm")
    dealer.second_person("pia")
    dealer.prompt("Draw a card for the Banker")


def test_cards_in_doubt_are_counted_by_two(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table, cards=("9H", "2C"))
    dealer = at(table, "dana", "/dealer")
    table.desk.say("shoe", "events_lost")
    dealer.press("count-3")
    dealer.confirm()
    dealer.press("approve")
    dealer.second_person("pia")
    dealer.waits_for("enter")  # the card nobody read lies open and is entered
    assert len(table.desk.view["cards"]) == 3


@pytest.mark.second_tier
def test_the_differential_is_put_right_by_the_pit(serve: Serve, at: Open) -> None:
    table = serve(differential=100000)
    desk = table.desk
    desk.open_shoe()
    desk.act("open_betting")
    desk.act("place", player="seat 1", wager="banker", amount=300000, position=1)
    dealer = at(table, "dana", "/dealer")
    dealer.press("close_betting")
    dealer.shows("#refusal", "2,000 too much on one side")
    expect(dealer.find("#refusal").get_by_text("Close anyway")).to_have_count(0)
    report(dealer, "differential")
    wager = desk.view["wagers"][0]["id"]
    dealer.waits_for("place")  # wagers are put right while the table is held for it
    dealer.key("spot-1-banker").click(button="right")
    dealer.press(f"w-{wager}", "chip-50000", "decrease")
    pit = at(table, "max", "/pit")
    pit.press("decide", f"w{wager}", f"part-{wager}-100000", f"part-{wager}-50000")
    pit.press("o-By the rulebook")
    pit.confirm()
    pit.own_pin("max")
    dealer.press("close_betting")
    dealer.prompt("Draw a card")
    assert desk.view["wagers"][0]["amount"] == 100000


def test_what_no_rule_covers_is_decided_by_the_role_the_book_names(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table)
    dealer = at(table, "dana", "/dealer")
    report(dealer, "uncovered")
    dealer.press("decide", "o-void")
    dealer.find("dialog input[type=text]").fill("the layout caught fire")
    dealer.confirm()
    dealer.second_person("gus")
    dealer.clear_away()
    dealer.prompt("Open betting")
    dealer.shows(".rulings", "the layout caught fire")
    assert table.desk.view["void"] == "6.1"


@pytest.mark.second_tier
def test_the_second_person_sees_where_cards_were_said_to_lie(serve: Serve, at: Open) -> None:
    table = serve(rulebook="rws-commission-baccarat-4")
    dealt(table, "one")
    dealer = at(table, "dana", "/dealer")
    dealer.press("report", "o-Drawing", "wrong_order", "c3", "c3", "c4", "c1")
    expect(dealer.key("c3")).to_have_attribute("aria-pressed", "false")  # back where it lay
    dealer.confirm()
    dealer.press("no")
    dealer.confirm()
    pit = at(table, "pia", "/pit")
    rows = pit.find("#waits figure.said-cards")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("Reported on: Player")
    expect(rows.nth(0).locator(".card")).to_have_count(2)
    expect(rows.nth(0).locator(".card").nth(1)).to_have_attribute(
        "aria-label", "Card 4: Five of spades"
    )


@pytest.mark.second_tier
def test_the_second_person_sees_which_wagers_are_struck(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table, cards=("9H",))
    dealer = at(table, "dana", "/dealer")
    late = table.desk.view["wagers"][0]["id"]
    dealer.press("report", "o-Wagers", "late_wager", f"w{late}", f"part-{late}-50000")
    dealer.confirm()
    pit = at(table, "pia", "/pit")
    pit.shows("#waits .taken-off", "Seat 1 · Banker")
    pit.shows("#waits .taken-off", "500 of it")


@pytest.mark.second_tier
def test_the_second_person_sees_what_was_decided_and_why(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table)
    table.desk.act("report", "gus", what="uncovered")
    boss = at(table, "gus", "/pit")
    boss.press("decide", "o-remove", "o-All players agree")
    expect(boss.key("confirm")).to_be_disabled()  # no wager is chosen yet
    wager = table.desk.view["wagers"][2]["id"]
    boss.press(f"w{wager}")
    boss.confirm()
    boss.shows("dialog.second .lead", "Wagers come off")
    boss.own_pin("gus")
    pit = at(table, "ada", "/pit")
    pit.shows("#waits .approve", "Wagers come off")
    pit.shows("#waits .taken-off", "Seat 2 · Player")
    pit.shows("#waits .because", "All players agree")


@pytest.mark.second_tier
def test_a_decided_void_is_approved_with_its_reason(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table)
    table.desk.act("report", "gus", what="uncovered")
    table.desk.act("decide", "gus", outcome="void", text="the layout caught fire")
    pit = at(table, "pia", "/pit")
    pit.shows("#waits .approve", "Void the round")
    pit.shows("#waits .because", "the layout caught fire")
    pit.press("approve")
    pit.own_pin("pia")
    pit.shows("#rulings", "decided by Gus, approved by Pia")


def test_a_card_shown_by_mistake_is_ticked_by_hand(serve: Serve, at: Open) -> None:
    table = serve(hlga=True)
    dealt(table, "A")
    table.desk.act("expose", hand="banker")
    dealer = at(table, "dana", "/dealer")
    dealer.press("report", "o-Drawing", "exposed_in_error")
    expect(dealer.find('dialog .pick-card[aria-pressed="true"]')).to_have_count(0)
    dealer.shows("dialog .warn", "shown to all")
    expect(dealer.find("dialog .pick-card:not([disabled])")).to_have_count(2)
    dealer.press("c1")
    dealer.confirm()
    shown = [True, True, False, True]
    table.desk.waits_until(lambda: [each["exposed"] for each in table.desk.view["cards"]] == shown)


@pytest.mark.second_tier
def test_a_card_that_nobody_read_is_counted_unasked(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table, cards=("9H", "2C"))
    dealer = at(table, "dana", "/dealer")
    dealer.press("count_cards", "n3")
    dealer.confirm()
    dealer.waits_for("approve")
    dealer.press("approve")
    dealer.second_person("pia")
    dealer.waits_for("enter")


@pytest.mark.second_tier
def test_a_settled_round_takes_neither_cards_nor_wagers_back(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table, cards=("2H", "KC", "7D", "7S"))
    table.desk.act("announce")
    table.desk.act("settle")
    table.desk.act("report", "dana", "dealer", what="uncovered")
    boss = at(table, "gus", "/pit")
    boss.press("decide")
    boss.waits_for("o-void")
    boss.gone("o-reconstruct")
    boss.gone("o-remove")


def test_a_settled_round_is_corrected_by_two(serve: Serve, at: Open) -> None:
    table = serve()
    dealt(table, cards=("2H", "KC", "7D", "7S"))
    table.desk.act("announce")
    table.desk.act("settle")
    dealer = at(table, "dana", "/dealer")
    pit = at(table, "pia", "/pit")
    dealer.press("correct", "c4")
    dealer.pick_card("9S")
    dealer.press("o-The device read the card wrongly")
    dealer.confirm()
    pit.shows("#waits .before-after", "before")
    pit.press("approve")
    pit.own_pin("pia")
    dealer.prompt("Open betting")
    pit.shows(".differences", "Pay Seat 1 2,000")
    assert table.desk.view["results"] == ["T"]


# --- everything that can be reported -----------------------------------------------------------


@pytest.mark.second_tier
@pytest.mark.parametrize("answer", ["yes", "no"])
@pytest.mark.parametrize("method", ["A", "B", "C"])
@pytest.mark.parametrize("what", IDS)
def test_everything_reported_ends(
    serve: Serve, at: Open, what: str, method: str, answer: str
) -> None:
    table = serve(hlga=True)
    dealt(table, method)
    dealer = at(table, "dana", "/dealer")
    report(dealer, what)
    # Long enough for any of them; one that goes round in circles ends here.
    for _ in range(12):
        if not see_on(table, dealer, answer):
            break
    assert table.desk.view["case"] is None


def see_on(table: Console, dealer: Screen, answer: str) -> bool:
    """One step towards the end; False when nothing is open."""
    seq = table.desk.seq
    view = table.desk.view
    if view["offers"]:
        dealer.press(f"play-{view['offers'][0]['to']}")
        dealer.confirm()
    elif view["asks"]:
        _ANSWERS.get(view["asks"][0]["ask"], _yes_or_no)(table, dealer, answer)
    else:
        return False
    table.desk.after(seq)
    dealer.up_to_date(table.desk.seq)
    return True


def _yes_or_no(table: Console, dealer: Screen, answer: str) -> None:
    asked = table.desk.view["asks"][0]
    dealer.press(answer)
    if asked["ask"] == "order_known" and answer == "yes":
        _tap_in_order(table, dealer)
    dealer.confirm()


def _tap_in_order(table: Console, dealer: Screen) -> None:
    for number in table.desk.view["case"]["concerns"]:
        dealer.press(f"c{number}")


def _approve(table: Console, dealer: Screen, answer: str) -> None:  # noqa: ARG001
    dealer.press("approve")
    dealer.second_person("gus")


def _decide(table: Console, dealer: Screen, answer: str) -> None:  # noqa: ARG001
    dealer.press("decide")
    if table.desk.view["asks"][0]["ask"] != "put_right":
        dealer.press("o-go_on")
    dealer.press("o-All players agree")
    dealer.confirm()
    dealer.second_person("gus")


def _order(table: Console, dealer: Screen, answer: str) -> None:  # noqa: ARG001
    dealer.press("order")
    _tap_in_order(table, dealer)
    dealer.confirm()
    dealer.second_person("gus")


def _enter(table: Console, dealer: Screen, answer: str) -> None:  # noqa: ARG001
    dealer.press("enter")
    dealer.pick_card("6C")
    dealer.confirm()


def _lies(table: Console, dealer: Screen, answer: str) -> None:  # noqa: ARG001
    """The first card lies on the other hand: that is the wrong side, and one too many there."""
    dealer.press("lies", "c1")
    dealer.confirm()


_ANSWERS = {
    "approve": _approve,
    "decide": _decide,
    "put_right": _decide,
    "missing": _decide,
    "order": _order,
    "lies": _lies,
    "enter": _enter,
}
