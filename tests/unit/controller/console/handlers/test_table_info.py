"""What a page reads of the table's setup: what can be reported, and in which languages."""

from pathlib import Path

import pytest

from controller.messages.catalogue import SHIPPED
from controller.rulebooks import RULEBOOKS
from controller.table.commands.reports import FORMS, IDS
from controller.table.rules import HouseRules
from support.console.consoles import Browser, Console


def test_everything_that_can_be_reported_says_its_fields(browser: Browser) -> None:
    browser.sign_in("anna")
    found = {
        each["id"]: each for each in browser.get("/api/irregularities").json()["irregularities"]
    }
    assert list(found) == list(IDS)
    together = {each["name"]: each for each in found["simultaneous"]["fields"]}
    assert list(together) == ["what", "round", "cards", "order", "facts"]
    assert together["facts"]["choices"] == ["order_known"]
    assert found["simultaneous"]["asks_for"] == ["cards", "order", "round"]
    assert [each["name"] for each in found["wrong_order"]["fields"]] == [
        *("what", "round", "cards", "lies", "facts")
    ]
    assert [each["name"] for each in found["late_wager"]["fields"]] == [
        *("what", "round", "wagers")
    ]


@pytest.mark.parametrize("book", RULEBOOKS)
def test_every_question_of_a_report_can_be_answered_in_it(book: str, tmp_path: Path) -> None:
    """A page may send what it asks for: no fact of a book's ruling is unknown to its report."""
    console = Console(tmp_path, HouseRules(book, burn="none"))
    with console.browser() as browser:
        browser.sign_in("anna")
        rows = browser.get("/api/irregularities").json()["irregularities"]
    for row in rows:
        assert {each["fact"] for each in row["facts"]} <= set(FORMS[row["id"]].facts), row["id"]
        for each in row["facts"]:
            assert each["code"] == f"ask_{each['fact']}"
            assert each["gaps"] == {"irregularity": row["id"]}
            assert each["asks"].endswith("?")


@pytest.mark.parametrize("book", RULEBOOKS)
def test_clauses_are_told_in_the_readers_language_or_not_at_all(book: str, tmp_path: Path) -> None:
    with Console(tmp_path, HouseRules(book, burn="none")).browser() as browser:
        browser.sign_in("anna")
        told = {
            language: browser.get(f"/api/clauses?language={language}").json()["clauses"]
            for language in ("en", "zh-Hans", "tlh")
        }
        assert browser.get("/api/clauses").json()["clauses"] == told["en"]
    assert len(told["en"]) > 40
    assert set(told["zh-Hans"]) == set(told["en"]), "every clause of every book has its Chinese"
    assert not any(text.isascii() for text in told["zh-Hans"].values())
    assert told["tlh"] == {}


def test_languages_are_the_catalogues_by_their_own_names(browser: Browser) -> None:
    found = browser.get("/api/languages").json()["languages"]
    assert found == [{"id": "en", "name": "English"}, {"id": "zh-Hans", "name": "简体中文"}]
    assert {each["id"] for each in found} == set(SHIPPED)


@pytest.mark.parametrize("language", SHIPPED)
def test_catalogue_is_served_to_the_pages_as_the_server_reads_it(
    browser: Browser, language: str
) -> None:
    path = f"/static/lang/{language}.json"
    first = browser.http.get(path)
    assert first.headers["content-type"].startswith("application/json")
    assert first.json()["sentences"]["not_now"]
    assert first.headers["cache-control"] == "no-cache", "an update shows at once"
    assert first.headers["content-security-policy"].startswith("default-src 'none'")
    again = browser.http.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304, "and is not sent twice"


def test_no_other_file_is_among_the_languages(browser: Browser) -> None:
    for path in ("/static/lang/fr.json", "/static/lang/%2e%2e/catalogue.py", "/static/lang/"):
        assert browser.http.get(path).status_code == 404
