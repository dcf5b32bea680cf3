"""The manual's pictures of what the public sees."""

from pathlib import Path

from playwright.sync_api import Browser

from support.console.kept import HOUSE, TALL, WIDE, Scene, evening, settled, window
from support.console.table_in_hand import console

SCALE = 2 / 3
BESIDE_A_CAMERA = """() => document.documentElement.style.setProperty("background",
    "radial-gradient(ellipse 62% 78% at 50% 78%, "
    + "#4c8a6d, #245c46 92%, #6b4a32 93% 98%, #3b2f2a 99%)")"""
"""What a camera would see, so that a plate looks as it does on air."""

SCENES = {
    "betting": [Scene("overlay-betting", "/overlay?lang=both", WIDE)],
    "result": [
        Scene("display", "/display?lang=both", WIDE),
        Scene("display-portrait", "/display?lang=zh,en", TALL),
        Scene("overlay", "/overlay?lang=both", WIDE),
    ],
    "held": [Scene("display-held", "/display?lang=both", WIDE)],
    "void": [
        Scene("display-void", "/display?lang=both", WIDE),
        Scene("errors", "/errors", {"width": 1200, "height": 900}),
    ],
}


def write_public(browser: Browser, room: Path, folder: Path) -> None:
    with console(room, demo=False, **HOUSE, betting_s=20.0) as table:
        for moment in evening(table.desk):
            for scene in SCENES.get(moment, []):
                shown = window(browser, table, scene.size, SCALE).go(scene.path)
                settled(shown, table)
                if scene.path.startswith("/overlay"):
                    shown.page.evaluate(BESIDE_A_CAMERA)
                path = folder / f"{scene.name}.jpg"
                shown.page.screenshot(path=path, type="jpeg", quality=72, animations="disabled")
                shown.context.close()
