"""The manual at `/manual`: open to all, under the console's policy, no broken link."""

import re
from pathlib import Path

import drivers.commands
import drivers.contract
import drivers.error_meaning
import drivers.events
from controller.console.auth.guard import HEADERS, POLICY
from controller.views.schemas import sent_structs
from controller.views.structs.messages import MESSAGES
from support.console.consoles import Browser
from support.console.manual_site import fetch_site

MANUAL = Path(__file__).parents[5] / "deploy" / "manual"
REFERENCE = {"reference-http", "reference-feed", "reference-json-lines", "reference-driver"}


def test_every_link_and_anchor_of_the_site_exists(browser: Browser) -> None:
    files = fetch_site(browser)
    pages = {each.stem for each in MANUAL.glob("*.md")} - {"README"} | REFERENCE | {"index"}
    assert {name.removesuffix(".html") for name in files if name.endswith(".html")} == pages
    pictures = {f"pictures/{each.name}" for each in (MANUAL / "pictures").iterdir()}
    assert {name for name in files if name.startswith("pictures/")} == pictures


def test_pages_need_no_session_and_keep_the_policy(browser: Browser) -> None:
    for path in ("/manual/", "/manual/dealer.html", "/manual/search.json"):
        answer = browser.get(path)
        assert answer.status_code == 200
        assert answer.headers[POLICY] == HEADERS[POLICY]
    assert not re.search(r"<style|\sstyle=|\son\w+=", browser.get("/manual/").text)


def test_what_is_no_page_is_not_found(browser: Browser) -> None:
    for name in ("nothing.html", "..%2f..%2fREADME.html", "pictures/nothing.jpg", "page.html"):
        assert browser.get(f"/manual/{name}").status_code == 404


def test_reference_has_every_request_and_every_line(browser: Browser) -> None:
    page = browser.get("/manual/reference-http.html").text
    for path in browser.get("/openapi.json").json()["paths"]:
        assert f" {path}</h3>" in page
    lines = browser.get("/manual/reference-json-lines.html").text
    for name in ("open_betting", "report", "card", "events_lost"):
        assert f">{name}</h3>" in lines


def test_reference_has_every_field_of_every_message_of_the_feeds(browser: Browser) -> None:
    page = browser.get("/manual/reference-feed.html").text
    for struct in sent_structs(MESSAGES):
        assert f">{struct.__name__}" in page
        for name in struct.__struct_fields__:
            assert f"<code>{name}: " in page, (struct, name)


def test_reference_has_every_class_of_the_contract_with_its_sentence(browser: Browser) -> None:
    page = browser.get("/manual/reference-driver.html").text
    for module in (drivers.contract, drivers.events, drivers.commands, drivers.error_meaning):
        own = [
            each
            for each in vars(module).values()
            if isinstance(each, type) and each.__module__ == module.__name__
        ]
        assert own
        for each in own:
            assert f'<h3 id="{each.__name__.lower()}' in page or each.__name__.startswith("_")
    assert "The port is open" in page


def test_page_of_the_feed_names_every_field_of_a_view(browser: Browser) -> None:
    named = set(re.findall(r"`([a-z_]+)`", (MANUAL / "feed.md").read_text("utf-8")))
    for who, audiences in (("sam", ("public", "dealer", "pit")), ("mia", ("surveillance",))):
        browser.sign_in(who)
        for audience in audiences:
            view = browser.get(f"/api/table?audience={audience}").json()["view"]
            assert view.keys() <= named, view.keys() - named
