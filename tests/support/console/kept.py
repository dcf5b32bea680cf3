"""Kept pictures of the public pages with known shoes.

`make generate ONLY=public-pictures` takes new ones. A kept picture changes only in a commit that
shows the old one and the new one: look at both, and say in the commit why they differ.
"""

import base64
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from controller.game.money.limits import WagerRange
from support.console.known_shoes import KNOWN, deal
from support.console.screens import ARGUMENTS, CHROMIUM, Screen, screen
from support.console.table_in_hand import Console, TableInHand, console

KEPT = Path(__file__).parents[2] / "browser" / "kept"
WIDE: ViewportSize = {"width": 1920, "height": 1080}
TALL: ViewportSize = {"width": 1080, "height": 1920}
SCALE = 0.5
"""Laid out in full, kept at half the size."""
PAIRS = WagerRange(5000, 500000)
HOUSE: dict[str, Any] = {
    "hlga": True,
    "minimum": 10000,
    "maximum": 10000000,
    "differential": 20000000,
    "limits": {"tie": WagerRange(5000, 1000000), "banker_pair": PAIRS, "player_pair": PAIRS},
}
NEVER_THE_SAME = """() => document.querySelectorAll("#more b, #clock")
    .forEach((each) => each.style.setProperty("visibility", "hidden"))"""
"""The port and the clock."""


class Scene(NamedTuple):
    name: str
    path: str
    size: ViewportSize


SCENES = {
    "betting": [Scene("display-betting", "/display?lang=both", WIDE)],
    "result": [
        Scene("display-result-zh", "/display?lang=zh", WIDE),
        Scene("display-result-portrait-dots", "/display?lang=both&marks=dot&suits=4", TALL),
        Scene("overlay-result", "/overlay?lang=both", WIDE),
    ],
    "sealed": [Scene("overlay-sealed", "/overlay?lang=en", WIDE)],
    "held": [Scene("display-held", "/display?lang=both", WIDE)],
    "void": [Scene("display-void", "/display?lang=en&roads=ink", WIDE)],
}
"""By the moment of the evening in which each is seen."""


def pictures(browser: Browser, table: Console) -> Iterator[tuple[str, bytes]]:
    """An evening, and a picture of every scene when its time has come."""
    windows = {each: window(browser, table, size) for each, size in (("w", WIDE), ("t", TALL))}
    for moment in evening(table.desk):
        for scene in SCENES[moment]:
            shown = windows["w" if scene.size is WIDE else "t"].go(scene.path)
            settled(shown, table)
            shown.page.evaluate(NEVER_THE_SAME)
            yield scene.name, shown.page.screenshot(animations="disabled")
    for each in windows.values():
        each.context.close()


def evening(desk: TableInHand) -> Iterator[str]:
    """A known shoe, and then one moment after the other."""
    desk.open_shoe()
    deal(desk, KNOWN)
    desk.act("open_betting")
    yield "betting"
    desk.act("close_betting")
    desk.draw("5H", "QD", "TC", "3S", "2S", "AH")
    desk.act("announce")
    desk.act("settle")
    yield "result"
    desk.act("method", method="A")
    sealed(desk)
    yield "sealed"
    desk.act("expose", hand="player")
    desk.act("report", what="uncovered")
    yield "held"
    desk.act("decide", text="void", outcome="void")
    desk.act("approve", who="max", role="pit_manager")
    yield "void"


def sealed(desk: TableInHand) -> None:
    """Four cards lie face down."""
    desk.act("open_betting")
    desk.act("place", player="seat 1", wager="banker", amount=100000, position=1)
    desk.act("place", player="seat 2", wager="player", amount=100000, position=2)
    desk.act("close_betting")
    desk.draw("7H", "AD", "7C", "6S")


def window(browser: Browser, table: Console, size: ViewportSize, scale: float = SCALE) -> Screen:
    return screen(browser, table, viewport=size, device_scale_factor=scale)


def settled(shown: Screen, table: Console) -> None:
    """The page shows the table as it is, its roads and its typeface too."""
    if shown.page.url.endswith("/errors"):
        shown.find("article").first.wait_for()
        return
    shown.up_to_date(table.desk.seq)
    shown.find(".road .ring").first.wait_for()
    shown.page.evaluate("() => document.fonts.ready.then(() => 0)")


# --- comparing ------------------------------------------------------------------------------------

_DIFFERENT = """async ([one, two]) => {
  const picture = async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const [width, height] = [image.width, image.height];
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.filter = "blur(1px)";
    canvas.drawImage(image, 0, 0);
    return { width, height, data: canvas.getImageData(0, 0, width, height).data };
  };
  const [a, b] = [await picture(one), await picture(two)];
  if (a.width !== b.width || a.height !== b.height) return a.width * a.height;
  let found = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const apart = Math.max(...[0, 1, 2].map((c) => Math.abs(a.data[at + c] - b.data[at + c])));
    if (apart > 48) found += 1;
  }
  return found;
}"""


def apart(page: Page, one: bytes, two: bytes) -> int:
    """How many points of the two pictures, a little blurred, look different to an eye: edges of
    letters may fall otherwise on another machine, a mark may not."""
    found: int = page.evaluate(_DIFFERENT, [base64.b64encode(each).decode() for each in (one, two)])
    return found


def keep(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as room:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        with console(Path(room), demo=False, **HOUSE) as table:
            for name, picture in pictures(browser, table):
                (folder / f"{name}.png").write_bytes(picture)
        browser.close()


if __name__ == "__main__":
    keep(Path(sys.argv[1]) if len(sys.argv) > 1 else KEPT)
