"""Rounds read back: search, phases, corrections, proof, export."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from controller.console.data.recall import OnDisk, Recall, summary
from controller.engine.session import open_session
from controller.journal.records import digest_of
from controller.journal.seal import Sealer, check
from controller.journal.store import Journal
from support.console.consoles import HOUSE, Browser, Console, RunningTable, rules_of
from support.journal.in_memory import InMemory

FACE_DOWN = {"method": "A"}


def shoe(table: RunningTable, name: str = "red") -> None:
    table.staff("load_shoe", deck_set=name, verified_by="sam", cut=True)


def play(table: RunningTable, cards: str) -> None:
    """A round dealt face up."""
    table.staff("open_betting")
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
    play(table, "9H 2C KD 3S")
    play(table, "2H 9C KD KS")
    void(table)
    table.staff("load_shoe", deck_set="blue", verified_by="sam", cut=True)
    if table.session.machine.table.request is not None:
        table.staff("approve", who="mia", role="pit_manager")
    play(table, "9H 9C KD KS")
    table.staff("open_betting")


def found(browser: Browser, query: str = "") -> list[dict[str, Any]]:
    answer = browser.get(f"/api/rounds{query}")
    assert answer.status_code == 200, answer.text
    rounds: list[dict[str, Any]] = answer.json()["rounds"]
    return rounds


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
        ("?corrected=1", []),
        ("?since=99999999999", []),
        ("?until=99999999999", [None, "T", "void", "B", "P"]),
        ("?limit=2", [None, "T"]),
        ("?before=2-4", ["void", "B", "P"]),
    ],
)
def test_search_narrows(
    console: Console, browser: Browser, query: str, wanted: list[str | None]
) -> None:
    a_day(console.table)
    browser.sign_in("sam")
    assert results(browser, query) == wanted


@pytest.mark.parametrize(
    "query",
    ["shoe=x", "round=-1", "since=noon", "result=X", "before=1", "before=x-y", "limit=201"],
)
def test_search_that_makes_no_sense_says_so(browser: Browser, query: str) -> None:
    browser.sign_in("sam")
    assert browser.get(f"/api/rounds?{query}").status_code == 400


def test_pages_of_a_search_join_without_gap(console: Console, browser: Browser) -> None:
    a_day(console.table)
    browser.sign_in("sam")
    seen, cursor = [], ""
    while cursor is not None:
        page = browser.get(f"/api/rounds?limit=2&before={cursor}").json()
        seen += [(each["shoe"], each["round"]) for each in page["rounds"]]
        cursor = page["before"]
    assert seen == [(2, 5), (2, 4), (1, 3), (1, 2), (1, 1)]


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
    proof = browser.get("/api/rounds/1/2/proof").json()
    records = {record.seq: record for record in console.journal.records()}
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


def test_journal_on_disk_is_read_beside_its_writer(tmp_path: Path) -> None:
    rules, sealer = rules_of(HOUSE), Sealer(bytes(32), bytes)
    path = tmp_path / "journal.db"
    with Journal.open(path, head_path=tmp_path / "head") as journal:
        table = RunningTable(open_session(rules, journal, sealer))
        try:
            a_day(table)
            recall = Recall(rules, OnDisk(path), sealer)
            shoes = [[each.result for each in rounds] for rounds in recall.summaries()]
            assert shoes == [[None, "T"], [None, "B", "P"]]
            played = recall.find(1, 2)
            assert played is not None
            assert summary(played).result == "B"
            assert recall.proof(played)["chain_holds"]
            assert recall.proof(played)["head"]["seq"] == journal.head.seq
        finally:
            table.close()


def test_shoe_that_was_changed_is_read_once(console: Console, browser: Browser) -> None:
    a_day(console.table)
    browser.sign_in("sam")
    read: list[int] = []

    class Counting(InMemory):
        def read(self, after: int = 0) -> Any:
            read.append(after)
            return super().read(after)

    recall = Recall(console.rules, Counting(console.journal), console.sealer)
    list(recall.summaries())
    first = len(read)
    list(recall.summaries())
    assert len(read) - first == 1, "only the shoe in use is read again"


def test_another_configuration_is_said_plainly(console: Console, browser: Browser) -> None:
    a_day(console.table)
    other = rules_of(type(HOUSE)("mbs-baccarat-8", burn="first_card"))
    console.context.recall = Recall(other, InMemory(console.journal), console.sealer)
    browser.sign_in("sam")
    answer = browser.get("/api/rounds")
    assert answer.status_code == 404
    assert answer.json()["code"] == "rounds_cannot_be_played"
