"""axe finds nothing serious, on every page, in both languages, light and dark."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from support.console.screens import PHONE, TABLE_PC, Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]

GRAVE = ("serious", "critical")


def faults(screen: Screen) -> list[str]:
    found = Axe().run(screen.page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for each in found
        if each["impact"] in GRAVE
        for node in each["nodes"]
    ]


def played(table: Console) -> None:
    """A settled round, a corrected one, and one that waits for a decision."""
    desk = table.desk
    desk.open_shoe("A")
    desk.act("open_betting")
    desk.act("place", player="seat 1", wager="banker", amount=100000, position=1)
    desk.act("place", player="seat 2", wager="player", amount=100000, position=2)
    desk.act("close_betting")
    desk.draw("2H", "KC", "7D", "8S")
    desk.act("expose", hand="player")
    desk.act("expose", hand="banker")
    desk.act("announce")
    desk.act("settle")
    desk.act("open_betting")
    desk.act("place", player="seat 1", wager="banker", amount=100000, position=1)
    desk.act("place", player="seat 2", wager="player", amount=100000, position=2)
    desk.act("close_betting")
    desk.draw("3H", "QC", "7C", "8D")


def states_of_the_dealer(table: Console, dealer: Screen) -> list[str]:
    """The page as it reveals, asks, confirms, and with each window open."""
    found = faults(dealer)
    dealer.press("expose-player")
    found += faults(dealer)
    dealer.press("take-back", "report")
    dealer.waits_for("simultaneous")
    found += faults(dealer)
    dealer.press("simultaneous")
    found += faults(dealer)
    dealer.confirm()
    dealer.waits_for("yes")
    found += faults(dealer)
    dealer.press("no")
    dealer.confirm()
    dealer.press("approve")
    dealer.press("max")
    expect(dealer.find("dialog.second .secret")).to_be_visible()
    found += faults(dealer)
    dealer.page.keyboard.press("Escape")
    dealer.up_to_date(table.desk.seq)
    return found


def look_at_everything(table: Console, at: Open, **how: Any) -> list[str]:
    played(table)
    found = look_at_the_display(table, at, **how)
    overlay = at(table, path="/overlay", **how)
    overlay.up_to_date(table.desk.seq)
    found += faults(overlay)
    door = at(table, **how)
    door.press("dana")
    found += faults(door)
    dealer = at(table, "dana", "/dealer", **how)
    dealer.waits_for("expose-player")
    found += states_of_the_dealer(table, dealer)
    pit = at(table, "max", "/pit", **how)
    pit.waits_for("approve")
    found += faults(pit)
    pit.go("/rounds")
    pit.press("round-1")
    expect(pit.find(".proof .holds").first).to_be_visible()
    found += faults(pit)
    pit.go("/report")
    expect(pit.find("#report section").first).to_be_visible()
    found += faults(pit)
    pit.go("/errors")
    expect(pit.find("article").first).to_be_visible()
    return found + faults(pit)


def look_at_the_display(table: Console, at: Open, **how: Any) -> list[str]:
    display = at(table, path="/display", **how)
    display.up_to_date(table.desk.seq)
    return faults(display)


def test_nothing_serious_on_the_display_and_while_hands_are_turned(serve: Serve, at: Open) -> None:
    table = serve()
    played(table)
    dealer = at(table, "dana", "/dealer", bypass_csp=True)
    dealer.waits_for("expose-player")
    assert look_at_the_display(table, at, bypass_csp=True) + faults(dealer) == []


@pytest.mark.second_tier
def test_nothing_serious_on_the_open_layout(serve: Serve, at: Open) -> None:
    """Chips, a spot that is marked, and the window of one spot."""
    table = serve(layout="Appendix B", minimum=2500)
    table.desk.open_shoe("B")
    table.desk.act("open_betting")
    table.desk.act("place", player="seat 3", wager="banker", amount=500, position=3)
    dealer = at(table, "dana", "/dealer", bypass_csp=True)
    dealer.press("close_betting", "take-one")
    expect(dealer.find(".spot.flagged")).to_have_count(1)
    found = faults(dealer)
    dealer.key("spot-3-banker").click(button="right")
    dealer.press("another")
    dealer.waits_for("player-name")
    assert found + faults(dealer) == []


@pytest.mark.second_tier
@pytest.mark.parametrize("viewport", [TABLE_PC, PHONE], ids=["table", "phone"])
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_nothing_serious_however_it_is_shown(
    serve: Serve, at: Open, viewport: dict[str, int], locale: str, color_scheme: str
) -> None:
    how = {"viewport": viewport, "locale": locale, "color_scheme": color_scheme}
    assert look_at_everything(serve(), at, bypass_csp=True, **how) == []
