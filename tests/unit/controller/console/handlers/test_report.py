"""The report of a shift over the wire: who may read it, and that its figures add up."""

from typing import Any

from support.console.consoles import Browser, Console, RunningTable
from support.rows import each_row

DAY = "since=0&until=90000"


def shift(table: RunningTable) -> None:
    """The Banker wins, a void, the Player wins under another dealer."""
    table.staff("open_table")
    table.load_shoe()
    for dealer, cards in (("anna", "2H KC 3D 6S TD"), ("sam", "9H 2C KD 3S")):
        table.staff("open_betting", who=dealer)
        table.staff("place", player="bo", wager="banker", amount=20000, position=1)
        table.staff("close_betting")
        table.shoe(*cards.split())
        table.staff("announce")
        table.staff("settle")
    table.staff("open_betting")
    table.staff("close_betting")
    table.shoe("9H", "2C")
    table.staff("report", who="anna", role="dealer", what="wrong_count")
    table.staff("approve")


def report(browser: Browser, query: str = DAY) -> dict[str, Any]:
    answer = browser.get(f"/api/report?{query}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_report_counts_rounds_money_dealers_and_clauses(console: Console, browser: Browser) -> None:
    shift(console.table)
    browser.sign_in("sam")
    found = report(browser)
    total = found["total"]
    assert (total["rounds"], total["voids"], found["results"]) == (3, 1, {"P": 1, "B": 1, "T": 0})
    assert (total["drop"], total["hold"]) == (40000, 20000 - 19000)
    assert {each["name"]: each["rounds"] for each in found["dealers"]} == {"anna": 1, "sam": 2}
    (banker,) = found["wagers"]
    assert banker["wager"] == "banker"
    assert banker["hold"] == banker["staked"] - banker["won"] - banker["returned"] == 1000
    assert sum(each["times"] for each in found["voids"]) == 1
    (hour,) = found["hours"]
    assert (hour["at"] % 3600, hour["rounds"]) == (0, 3)


def test_only_what_ended_in_the_stretch_counts(console: Console, browser: Browser) -> None:
    shift(console.table)
    browser.sign_in("eve")
    assert report(browser, "since=0&until=1")["total"]["rounds"] == 0


@each_row(
    "query",
    [
        "",
        "since=1",
        "since=x&until=2",
        "since=5&until=1",
        "since=0&until=99999999",
        "since=nan&until=1",
    ],
)
def test_a_stretch_that_makes_no_sense_is_refused(browser: Browser, query: str) -> None:
    browser.sign_in("sam")
    assert browser.get(f"/api/report?{query}").status_code == 400


def test_a_dealer_reads_no_report(browser: Browser) -> None:
    browser.sign_in("anna")
    refused = browser.get(f"/api/report?{DAY}")
    assert refused.status_code == 403
    assert refused.json()["code"] == "takes_role"
