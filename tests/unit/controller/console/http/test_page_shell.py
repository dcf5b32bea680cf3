"""A page loads two built files that a browser keeps, or its sources where these changed."""

import json
import re
import shutil
from pathlib import Path

import pytest
from starlette.applications import Starlette

from controller.console.http.page_shell import SitePages
from controller.console.http.pages import NOT_BUILT, STATIC, file_routes, site
from controller.floor.web.app import OWN, site_pages
from support.console import built_pages
from support.console.consoles import Browser, TestClient
from support.rows import each_row

SITES = {"console": site(), "floor": site_pages()}
PAGES = [(each, name) for each, found in SITES.items() for name in found.pages]
NEEDS_TOOL = pytest.mark.skipif(not built_pages.TOOL.exists(), reason="esbuild is not installed")


def files_of(html: str) -> list[str]:
    return re.findall(r'"(/static/[^"]+\.(?:js|css))"', html)


@pytest.fixture
def own(tmp_path: Path) -> SitePages:
    """The floor's website in folders of its own, not built yet."""
    without = shutil.ignore_patterns("built*")
    floor = shutil.copytree(OWN, tmp_path / "floor", ignore=without)
    shared = shutil.copytree(STATIC, tmp_path / "console", ignore=without)
    return SitePages(site_pages().pages, {"/static/floor": floor, "/static": shared})


def test_a_page_that_is_not_built_loads_its_sources(own: SitePages) -> None:
    client = TestClient(Starlette(routes=file_routes(own)))
    found = files_of(own.html("floor"))
    assert found[0] == "/static/css/tokens.css"
    assert found[-2:] == ["/static/js/theme.js", "/static/floor/js/floor_page.js"]
    for each in found:
        answer = client.get(each)
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-cache"


@NEEDS_TOOL
def test_a_built_page_loads_two_files_and_the_theme_kept_for_good(own: SitePages) -> None:
    built_pages.build(own)
    client = TestClient(Starlette(routes=file_routes(own)))
    found = files_of(SitePages(own.pages, own.folders).html("floor"))
    assert [re.sub(r"-\w{8}\.", ".", each.rpartition("/")[2]) for each in found] == [
        "floor.css",
        "theme.js",
        "floor.js",
    ]
    for each in found:
        for accepts in ("gzip", "identity"):
            answer = client.get(each, headers={"Accept-Encoding": accepts})
            assert answer.status_code == 200
            assert "immutable" in answer.headers["Cache-Control"]
            assert answer.headers.get("Content-Encoding", "identity") == accepts
    assert client.get("/static/floor/built/floor-00000000.js").status_code == 404


@NEEDS_TOOL
def test_a_page_whose_source_changed_loads_its_sources_until_it_is_built_again(
    own: SitePages,
) -> None:
    built_pages.build(own)
    before = files_of(own.html("floor"))
    source = own.folders["/static"] / "js" / "roads.js"
    source.write_text(source.read_text("utf-8") + "document.title = 'another';\n", "utf-8")
    assert files_of(own.html("floor"))[-1] == "/static/floor/js/floor_page.js"
    built_pages.build(own)
    after = files_of(SitePages(own.pages, own.folders).html("floor"))
    assert (after[0], after[-1] == before[-1]) == (before[0], True), "roads are of the lobby alone"
    lobby = files_of(SitePages(own.pages, own.folders).html("lobby"))[-1]
    assert "another" in (own.built / lobby.rpartition("/")[2]).read_text("utf-8")


@NEEDS_TOOL
@each_row("name, page", PAGES)
def test_every_page_is_built(name: str, page: str) -> None:
    found = SITES[name]
    built_pages.build(found)
    manifest = json.loads((found.built / "manifest.json").read_bytes())
    assert (page in manifest["pages"]) == (page not in NOT_BUILT)


@NEEDS_TOOL
def test_two_builds_are_equal(own: SitePages) -> None:
    contents = []
    for _ in range(2):
        built_pages.build(own)
        contents.append({each.name: each.read_bytes() for each in own.built.iterdir()})
        shutil.rmtree(own.built)
    assert contents[0] == contents[1]


def test_a_console_serves_what_its_pages_name(browser: Browser) -> None:
    named = files_of(browser.get("/dealer").text)
    assert len(named) >= 3
    assert {browser.get(each).status_code for each in named} == {200}
