"""Which pages there are, and who may frame which: the demo's are a demo's alone."""

from pathlib import Path

import pytest

from controller.console.auth.guard import HEADERS, POLICY
from support.console.consoles import Browser, Console
from support.rows import each_row

SHOE = "http://127.0.0.1:9999"
STAFF = ("/", "/pit", "/rounds", "/overlay")


@pytest.fixture
def demo(tmp_path: Path) -> Console:
    return Console(tmp_path, mode="demo", benches={"shoe": SHOE, "shuffler": "http://127.0.0.1:1"})


@each_row("path", ["/dealer", "/display", *STAFF])
def test_no_page_of_a_live_table_may_be_framed(browser: Browser, path: str) -> None:
    headers = browser.get(path).headers
    assert headers[POLICY] == HEADERS[POLICY]
    assert "frame-ancestors 'none'" in headers[POLICY]
    assert headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("name", ["demo", "style"])
def test_a_live_table_has_no_demo_page(browser: Browser, name: str) -> None:
    for path in (f"/{name}", f"/static/{name}.html"):
        assert browser.get(path).status_code == 404
    assert "benches" not in browser.get("/api/staff").json()


def test_a_demos_dealer_and_display_are_framed_by_its_own_origin_alone(demo: Console) -> None:
    with demo.browser() as browser:
        for path in ("/dealer", "/display"):
            headers = browser.get(path).headers
            assert headers[POLICY].count("frame-ancestors") == 1
            assert "frame-ancestors 'self'" in headers[POLICY]
            assert "frame-src" not in headers[POLICY]
            assert headers["X-Frame-Options"] == "SAMEORIGIN"
        for path in (*STAFF, "/style", "/demo"):
            assert "frame-ancestors 'none'" in browser.get(path).headers[POLICY]


def test_a_demo_page_frames_itself_and_the_emulated_shoe(demo: Console) -> None:
    with demo.browser() as browser:
        policy = browser.get("/demo").headers[POLICY]
        assert policy.endswith(f"; frame-src 'self' {SHOE}")
        assert "unsafe" not in policy
        assert browser.get("/api/staff").json()["benches"]["shoe"] == SHOE


@pytest.mark.parametrize(
    ("path", "packs"),
    [
        ("/static/js/dealer.js", True),
        ("/static/css/base.css", True),
        ("/static/lang/zh-Hans.json", True),
        ("/static/fonts/inter.woff2", False),
    ],
)
def test_texts_come_packed_to_whoever_can_unpack_them(
    browser: Browser, path: str, packs: bool
) -> None:
    packed = browser.get(path, **{"Accept-Encoding": "gzip"})
    plain = browser.get(path, **{"Accept-Encoding": "identity"})
    assert packed.headers.get("Content-Encoding") == ("gzip" if packs else None)
    assert "Content-Encoding" not in plain.headers
    assert packed.content == plain.content  # the client unpacks it
    if packs:
        assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 2
        assert packed.headers["Vary"] == "Accept-Encoding"
    seen = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert browser.get(path, **seen).status_code == 304
