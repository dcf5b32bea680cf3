"""The same evening in every language, light and dark, on a table PC and on a phone.

The pictures are kept in `tests/browser/artefacts/` to be looked at. What a machine can see of them
is asserted: nothing is wider than the screen, and every button a dealer needs is large enough.
"""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from support.console.pictures import HOUSE, opened_by, walk
from support.console.screens import PHONE, PICTURES, TABLE_PC, Screen
from support.console.table_in_hand import console

pytestmark = pytest.mark.second_tier

TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
TOO_SMALL = """() => [...document.querySelectorAll("#actions button, dialog footer button")]
    .filter(each => each.offsetParent && !each.matches(".clause, .close") && each.offsetHeight < 64)
    .map(each => each.textContent)"""


def evening(browser: Browser, folder: Path, name: str, **how: Any) -> list[str]:
    """What is wrong with any picture of it."""
    wrong: list[str] = []
    PICTURES.mkdir(exist_ok=True)

    def shot(taken: Screen, what: str) -> None:
        taken.page.screenshot(path=PICTURES / f"{what}-{name}.png")
        wide = taken.page.evaluate(TOO_WIDE)
        wrong.extend([f"{what} is {wide} too wide"] if wide > 0 else [])
        wrong.extend(f"{what}: {each!r} is small" for each in taken.page.evaluate(TOO_SMALL))

    opened = opened_by(browser, **how)
    with console(folder, **HOUSE) as table:
        walk(table, opened, shot)
    for context in browser.contexts:
        context.close()
    return wrong


@pytest.mark.parametrize("viewport", [TABLE_PC, PHONE], ids=["table", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_an_evening_fits_every_screen(
    browser: Browser, tmp_path: Path, locale: str, scheme: str, viewport: dict[str, int]
) -> None:
    name = f"{locale[:2]}-{scheme}-{viewport['width']}"
    how = {"viewport": viewport, "locale": locale, "color_scheme": scheme}
    assert evening(browser, tmp_path, name, **how) == []
