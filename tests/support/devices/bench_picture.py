"""The manual's picture of a bench report: a session on an emulated shoe that misreads a card, loses
one and doubles one."""

from pathlib import Path

from playwright.sync_api import Browser

from drivers.testing.bench.emulated import emulated
from hil.test_bench_run import Bench, a_person

SHOE = "shoe_bee_tek"
WIDE, HIGH = 1000, 1300


def write_report(browser: Browser, kept: Path, folder: Path) -> Path:
    """`report.jpg` in `folder`; gives the session's own folder, which is in `kept`."""
    with emulated(SHOE, "--tcp", "127.0.0.1:0", "--pace", "none") as shoe:
        bench = Bench(SHOE, shoe, kept)
        bench.write(firmware="3.2", identity=shoe.port.replace("socket://", "tcp "))
        status, shown = bench.run(a_person(shoe, misread="QH", lost="5S", doubled="7D"))
        assert status == 1, shown
    page = browser.new_page(viewport={"width": WIDE, "height": HIGH})
    page.goto(f"file://{bench.out / 'report.html'}")
    page.screenshot(path=folder / "report.jpg", type="jpeg", quality=60)
    page.close()
    return bench.out
