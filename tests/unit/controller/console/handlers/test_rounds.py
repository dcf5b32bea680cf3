"""Rounds read back: search, phases, corrections, proof, export."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from controller.console.data.round_history import OnDisk, Recall
from controller.console.data.round_list import RoundList
from controller.console.handlers import rounds
from controller.engine.session import open_session
from controller.journal.records import digest_of
from controller.journal.seal import Sealer, check
from controller.journal.store import Journal
from support.console.consoles import HOUSE, Browser, Console, RunningTable, rules_of
from support.journal.in_memory import InMemory
from support.journal.journals import SIGNER
from support.rows import each_row

FACE_DOWN = {"method": "A"}


def shoe(table: RunningTable, name: str = "red") -> None:
    table.load_shoe(name)


def play(table: RunningTable, cards: str, **given: Any) -> None:
    """A round dealt face up."""
    table.staff("open_betting", **given)
    table.staff("close_betting")
    table.shoe(*cards.split())
    table.staff("announce")
    table.staff("settle")


def void(table: RunningTable) -> None:
    """A round that ends in a void."""
    table.staff("open_betting")
    table.staff("close_betting")
    table.shoe("9H", "2C")
    table.staff("report", who="anna", role="dealer", what="wrong_count")
    table.staff("approve")


def a_day(table: RunningTable) -> None:
    """Two shoes: player, banker, a void; then a tie, and one under way."""
    table.staff("open_table")
    shoe(table)
    play(table, "9H 2C KD 3S", ref="studio-7/1")
    play(table, "2H 9C KD KS")
    void(table)
    shoe(table, "blue")
    play(table, "9H 9C KD KS")
    table.staff("open_betting")


def found(browser: Browser, query: str = "") -> list[dict[str, Any]]:
    answer = browser.get(f"/api/rounds{query}")
    assert answer.status_code == 200, answer.text
    listed: list[dict[str, Any]] = answer.json()["rounds"]
    return listed


def results(browser: Browser, query: str = "") -> list[str | None]:
    return ["void" if each["void"] else each["result"] for each in found(browser, query)]


def test_search_finds_the_newest_first(console: Console, browser: Browser) -> None:
    a_day(console.table)
    browser.sign_in("eve")
    assert results(browser) == [None, "T", "void", "B", "P"]
    first = found(browser)[-1]
    assert (first["shoe"], first["round"]) == (1, 1)
    assert (first["player"], first["banker"]) == (["9H", "KD"], ["2C", "3S"])
    assert first["ended"] > first["began"]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("?result=P", ["P"]),
        ("?result=void", ["void"]),
        ("?shoe=2", [None, "T"]),
        ("?round=2", ["B"]),
        ("?irregularity=wrong_count", ["void"]),
        ("?irregularity=late_error", []),
        ("?text=WRONG_count", ["void"]),
        ("?void=true", ["void"]),
        ("?void=0", [None, "T", "void", "B", "P"]),
        ("?clause=5.2.3", []),
        ("?dealer=Sam&result=B", ["B"]),
        ("?result=&clause=&text=", [None, "T", "void", "B", "P"]),
        ("?corrected=1", []),
        ("?since=99999999999", []),
        ("?until=99999999999", [None, "T", "void", "B", "P"]),
        ("?limit=2", [None, "T"]),
        ("?dealer=sam", [None, "T", "void", "B", "P"]),
        ("?dealer=mia", []),
        ("?ref=studio-7/1", ["P"]),
        ("?ref=studio-7", []),
        ("?text=studio-7", ["P"]),
    ],
)
def test_search_narrows(
    console: Console, browser: Browser, query: str, wanted: list[str | None]
) -> None:
    a_day(console.table)
    browser.sign_in("sam")
    assert results(browser, query) == wanted


def test_search_finds_what_was_ruled_or_is_void_by_a_clause(
    console: Console, browser: Browser
) -> None:
    a_day(console.table)
    browser.sign_in("sam")
    (ruled,) = found(browser, "?void=1")
    for clause in {ruled["void"], *(each["clause"] for each in ruled["rulings"])} - {None}:
        assert found(browser, f"?clause={clause}") == [ruled]
    assert ruled["rulings"][0]["clause"] is not None


def test_search_finds_what_was_corrected(console: Console, browser: Browser) -> None:
    a_day(console.table)
    table = console.table
    table.staff("close_betting")
    table.shoe("2H", "KC", "7D", "7S")
    table.staff("announce")
    table.staff("settle")
    browser.sign_in("sam")
    n = browser.get("/api/table?audience=pit").json()["view"]["cards"][3]["n"]
    table.staff("correct", who="anna", role="dealer", n=n, card="9S", reason="misread")
    table.staff("approve")
    (corrected,) = found(browser, "?corrected=1")
    assert (corrected["shoe"], corrected["round"]) == (2, 5)
    assert [(each["was"], each["now"]) for each in corrected["corrections"]] == [("7S", "9S")]


@each_row(
    "query",
    [
        *("shoe=x", "round=-1", "since=noon", "result=X", "before=1-1", "before=x", "limit=201"),
        *("void=perhaps", "corrected=2", "shoe=1" + "0" * 30),
    ],
)
def test_search_that_makes_no_sense_says_so(browser: Browser, query: str) -> None:
    browser.sign_in("sam")
    assert browser.get(f"/api/rounds?{query}").status_code == 400


def test_pages_of_a_search_join_without_gap(console: Console, browser: Browser) -> None:
    a_day(console.table)
    browser.sign_in("sam")
    seen: list[tuple[int, int]] = []
    cursor: str | None = ""
    while cursor is not None:
        assert len(seen) < 9, "it ends"
        page = browser.get(f"/api/rounds?limit=2&before={cursor}").json()
        seen += [(each["shoe"], each["round"]) for each in page["rounds"]]
        cursor = page["before"]
    assert seen == [(2, 5), (2, 4), (1, 3), (1, 2), (1, 1)]


def test_a_long_search_goes_on_where_it_stopped(
    console: Console, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "MAX_LOOKED_AT", 2)
    a_day(console.table)
    browser.sign_in("sam")
    pages: list[list[int]] = []
    cursor: str | None = ""
    while cursor is not None:
        page = browser.get(f"/api/rounds?result=P&before={cursor}").json()
        pages.append([each["round"] for each in page["rounds"]])
        cursor = page["before"]
    assert pages == [[], [], [1]]


def test_round_is_recalled_phase_by_phase(console: Console, browser: Browser) -> None:
    a_day(console.table)
    browser.sign_in("anna")
    told = browser.get("/api/rounds/1/1").json()
    assert [each["what"] for each in told["phases"]] == [
        "open_betting",
        "close_betting",
        *["card"] * 4,
        "announce",
        "settle",
    ]
    hands = [each["view"]["hands"]["player"] for each in told["phases"]]
    assert hands[1:6] == [[], ["9H"], ["9H"], ["9H", "KD"], ["9H", "KD"]]
    assert told["phases"][-1]["who"] == "sam"
    assert told["corrections"] == []


def test_correction_shows_before_and_after(console: Console, browser: Browser) -> None:
    table = console.table
    table.staff("open_table")
    shoe(table)
    play(table, "9H 2C KD 6S")
    table.staff("correct", who="anna", role="dealer", n=1, card="7H", reason="a seven")
    table.staff("approve", who="mia", role="pit_manager")
    browser.sign_in("sam")
    told = browser.get("/api/rounds/1/1").json()
    (changed,) = told["corrections"]
    assert (changed["by"], changed["approved_by"], changed["reason"]) == ("anna", "mia", "a seven")
    assert changed["before"]["hands"]["player"] == ["9H", "KD"]
    assert changed["after"]["hands"]["player"] == ["7H", "KD"]
    assert told["summary"]["corrected"] is True
    assert told["summary"]["result"] == "B"
    (listed,) = found(browser)
    assert listed == told["summary"], "the summary it supersedes is no round of its own"
    assert told["superseded"] == [listed["supersedes"]]
    cursor = browser.get("/api/rounds?limit=1").json()["before"]
    assert found(browser, f"?before={cursor}") == [], "nor on the next page"
    assert listed["summary"] > listed["supersedes"]
    proof = browser.get("/api/rounds/1/1/proof").json()
    assert proof["chain_holds"] is True, "its summaries are links of the chain too"


def test_a_round_made_void_at_the_next_shoe_is_told_so(console: Console, browser: Browser) -> None:
    table = console.table
    table.staff("open_table")
    shoe(table)
    play(table, "9H 2C KD 6S")
    table.staff("cut_card", who="anna", role="dealer")
    shoe(table)
    table.staff("report", who="anna", role="dealer", what="uncovered")
    top = {"who": "gus", "role": "gaming_shift_manager"}
    table.staff("decide", **top, outcome="void", text="it does not stand")
    browser.sign_in("sam")
    (listed,) = found(browser)
    assert (listed["shoe"], listed["round"], listed["void"]) == (1, 1, "6.1")
    told = browser.get("/api/rounds/1/1").json()
    assert told["summary"] == listed
    assert told["superseded"], "and what was settled first is still there"
    assert told["phases"][-1]["view"]["hands"]["player"] == ["9H", "KD"]
    assert browser.get("/api/rounds/1/1/proof").json()["chain_holds"] is True


@pytest.mark.parametrize("path", ["1/99", "9/1", "0/0", "99999999999999999999/1", "1/x"])
def test_round_that_is_not_there(console: Console, browser: Browser, path: str) -> None:
    a_day(console.table)
    browser.sign_in("sam")
    assert browser.get(f"/api/rounds/{path}").status_code == 404


def test_nobody_reads_rounds_without_signing_in(browser: Browser) -> None:
    for path in ("", "/1/1", "/1/1/proof", "/export.csv"):
        assert browser.get(f"/api/rounds{path}").status_code == 401


def squeeze(table: RunningTable, cards: str = "9H 2C KD 3S") -> None:
    table.staff("open_table")
    shoe(table)
    table.staff("method", who="mia", role="pit_manager", method="A")
    table.staff("open_betting")
    table.staff("close_betting")
    table.shoe(*cards.split())


def test_proof_opens_commitments_once_exposed(console: Console, browser: Browser) -> None:
    squeeze(console.table)
    browser.sign_in("eve")
    sealed = browser.get("/api/rounds/1/1/proof").json()
    assert [each["card"] for each in sealed["commitments"]] == [None] * 4
    assert [each["holds"] for each in sealed["commitments"]] == [None] * 4
    console.table.staff("expose", hand="player")
    proof = browser.get("/api/rounds/1/1/proof").json()
    assert [each["card"] for each in proof["commitments"]] == ["9H", None, "KD", None]
    for each in proof["commitments"]:
        assert each["holds"] is (None if each["card"] is None else True)
        if each["card"]:
            assert check(each["commitment"], each["salt"], each["card"])
    assert sealed["commitments"][0]["commitment"] == proof["commitments"][0]["commitment"]


def test_proof_is_the_chain(console: Console, browser: Browser) -> None:
    a_day(console.table)
    browser.sign_in("eve")
    # Before the proof: that somebody signed in is a record too, and may come between the two.
    records = {record.seq: record for record in console.journal.records()}
    proof = browser.get("/api/rounds/1/2/proof").json()
    previous = bytes.fromhex(proof["previous"])
    for each in proof["records"]:
        record = records[each["seq"]]
        assert digest_of(previous, record.seq, record).hex() == each["digest"]
        assert each["fits"] is True
        previous = record.digest
    assert proof["chain_holds"] is True
    assert [each["seq"] for each in proof["records"]] == list(
        range(proof["first"], proof["last"] + 1)
    )
    assert proof["head"]["seq"] >= max(records)


def test_export_is_for_the_pit_and_surveillance(console: Console, browser: Browser) -> None:
    a_day(console.table)
    browser.sign_in("anna")
    assert browser.get("/api/rounds/export.csv").status_code == 403
    browser.sign_in("eve")
    table = list(csv.DictReader(io.StringIO(browser.get("/api/rounds/export.csv").text)))
    assert [each["result"] for each in table] == ["", "T", "", "B", "P"]
    assert table[-1]["player"] == "9H KD"
    lines = browser.get("/api/rounds/export.jsonl?result=B").text.splitlines()
    assert [json.loads(each)["result"] for each in lines] == ["B"]


def test_a_dealer_is_found_by_the_name_on_the_screen(console: Console, browser: Browser) -> None:
    console.table.staff("open_table")
    shoe(console.table)
    play(console.table, "9H 2C KD 3S")
    browser.sign_in("sam")
    console.context.accounts.add("lin", "dealer", "8273", "林")
    assert found(browser, "?dealer=林") == []
    console.table.staff("open_betting", "lin", "dealer")
    (open_now,) = found(browser, "?dealer=林")
    assert (open_now["dealer"], open_now["over"]) == ("lin", False)


def test_journal_on_disk_is_read_beside_its_writer(tmp_path: Path) -> None:
    rules, sealer = rules_of(HOUSE), Sealer(bytes(32), bytes)
    path = tmp_path / "journal.db"
    with Journal.open(path, head_path=tmp_path / "head", signer=SIGNER) as journal:
        table = RunningTable(open_session(rules, journal, sealer))
        try:
            a_day(table)
            recall = Recall(rules, OnDisk(path), sealer)
            rows = [each.result for each in RoundList(OnDisk(path)).rows()]
            assert rows == [None, "T", None, "B", "P"]
            played = recall.find(1, 2)
            assert played is not None
            assert [each.kind for each in played.summaries] == ["summary"]
            assert recall.find(2, 3) is None, "it was the last round of the shoe before"
            assert recall.proof(played).chain_holds
            assert recall.proof(played).head.seq == journal.head.seq
        finally:
            table.close()


class Counting(InMemory):
    """Which records were asked for."""

    def __init__(self, journal: Any) -> None:
        super().__init__(journal)
        self.after: list[int] = []

    def read(self, after: int = 0) -> Any:
        self.after.append(after)
        return super().read(after)


def test_list_needs_no_key_and_plays_nothing_again(console: Console, browser: Browser) -> None:
    a_day(console.table)
    records = Counting(console.journal)
    console.context.recall = None
    console.context.rounds = RoundList(records)
    browser.sign_in("sam")
    console.table.settle_down()  # the table writes the sign-in in its own thread
    assert results(browser) == [None, "T", "void", "B", "P"]
    assert len(records.after) == 1, "what was written since the shoe was loaded"
    assert results(browser, "?result=P") == ["P"]
    assert records.after[1:] == [console.journal.head.seq], "and the next time nothing again"
    assert browser.get("/api/rounds/1/1").status_code == 404


def test_open_round_shows_what_everybody_has_seen(console: Console, browser: Browser) -> None:
    squeeze(console.table)
    browser.sign_in("sam")
    (listed,) = found(browser)
    assert (listed["over"], listed["ended"], listed["result"], listed["summary"]) == (
        *(False, None, None, None),
    )
    assert [*listed["player"], *listed["banker"]] == [None] * 4
    console.table.staff("expose", hand="player")
    (listed,) = found(browser)
    assert (listed["player"], listed["banker"]) == (["9H", "KD"], [None, None])
    assert (listed["dealer"], listed["deck_set"]) == ("sam", "red")
    told = browser.get("/api/rounds/1/1").json()
    assert told["summary"] == listed


def test_void_is_the_round_of_who_opened_the_betting(console: Console, browser: Browser) -> None:
    table = console.table
    table.staff("open_table")
    shoe(table)
    table.staff("open_betting", who="anna", role="dealer")
    table.staff("close_betting", who="anna", role="dealer")
    table.shoe("9H", "2C")
    table.staff("report", who="anna", role="dealer", what="wrong_count")
    table.staff("approve")
    browser.sign_in("eve")
    assert [each["void"] for each in found(browser, "?dealer=anna")] == ["5.1.1"]
    assert found(browser, "?dealer=sam") == []
    (line,) = csv.DictReader(io.StringIO(browser.get("/api/rounds/export.csv").text))
    assert line["dealer"] == "anna"


def test_another_key_is_said_plainly(console: Console, browser: Browser) -> None:
    squeeze(console.table)
    another = Sealer(bytes([1] * 32), bytes)
    console.context.recall = Recall(console.rules, InMemory(console.journal), another)
    browser.sign_in("sam")
    assert len(found(browser)) == 1, "the list is what was written down"
    answer = browser.get("/api/rounds/1/1")
    assert answer.status_code == 404
    assert answer.json()["code"] == "rounds_cannot_be_played"
