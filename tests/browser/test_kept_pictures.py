"""Display and overlay look as they did: known shoes, compared with kept pictures."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from support.console.kept import HOUSE, KEPT, apart, pictures
from support.console.screens import PICTURES
from support.console.table_in_hand import console

pytestmark = pytest.mark.second_tier

FEW = 14
"""Points that may differ: less than the smallest mark of a road has."""


def test_public_pages_look_as_they_were_kept(browser: Browser, tmp_path: Path) -> None:
    """If the change is wanted: `make generate ONLY=public-pictures`; commit old and new."""
    PICTURES.mkdir(exist_ok=True)
    blank = browser.new_page()
    wrong: dict[str, int] = {}
    seen: set[str] = set()
    with console(tmp_path, demo=False, **HOUSE) as table:
        for name, picture in pictures(browser, table):
            seen.add(name)
            (PICTURES / f"kept-{name}.png").write_bytes(picture)
            kept = KEPT / f"{name}.png"
            if (found := apart(blank, kept.read_bytes(), picture)) > FEW:
                wrong[name] = found
    blank.close()
    assert wrong == {}, f"look at {PICTURES}/kept-*.png beside {KEPT}"
    assert {each.stem for each in KEPT.glob("*.png")} == seen
