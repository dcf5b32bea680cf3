"""The manual's pictures of the floor: 44 tables that a script speaks for, on a real database."""

import random
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect

from controller.floor.embedded.postgres import Postgres
from support.console.screens import PINS
from support.floor.servers import made_database, made_template
from support.floor.web import FloorInHand, floor_web

PITS, TABLES = "ABCDE", 9
DEALERS = ("anna", "wei", "mei", "kumar", "dewi", "jun", "grace", "farid", "lin", "tom", "priya")
PHASES = ("betting", "dealing", "revealing", "players_third", "outcome", "settling")
STOPPED: dict[str, dict[str, Any]] = {
    "b-07": {
        "code": "held_reported",
        "gaps": {"irregularity": "simultaneous", "by": "anna"},
        "since": 232,
        "clause": "5.8",
        "asks": {
            "code": "prompt_approve_void",
            "gaps": {"role": "pit_supervisor", "round": 41},
            "clause": "5.8.2.1",
            "says": "",
        },
    },
    "d-03": {"code": "held_reported", "gaps": {"irregularity": "foreign_card", "by": "wei"}},
}
ELSE = {"b-04": "closed", "e-09": "changing_shoe"}


def people(floor: FloorInHand) -> None:
    """An evening: most play, two have stopped."""
    luck = random.Random(7)
    for pit in PITS:
        for n in range(1, TABLES + 1):
            table = f"{pit.lower()}-{n:02}"
            phase = ELSE.get(table) or luck.choice(PHASES)
            floor.beat(table, pit, every=3600.0)
            floor.live(
                table,
                100 + n,
                phase=phase,
                dealer=luck.choice(DEALERS),
                results=luck.choices("BPBPT", k=6),
                **_stopped(table, phase),
            )
    floor.board.played({tile.table: luck.randint(54, 71) for tile in floor.board.tiles()})


def _stopped(table: str, phase: str) -> dict[str, Any]:
    why = STOPPED.get(table)
    if why is None:
        return {"state": phase}
    since = time.time() - why.get("since", 21)
    remedy = {"code": "held_for_an_answer", "gaps": {"role": "pit_supervisor"}, "text": ""}
    role = "pit_supervisor"
    held = {"kind": "case", "text": "", **why, "since": since, "role": role, "remedy": remedy}
    asks = why.get("asks")
    asked = [{"do": "approve", "role": role, **asks}] if asks else []
    return {"state": "halted", "held": [held], "asks": asked}


def write_floor(browser: Browser, folder: Path) -> None:
    """`floor.jpg`: exceptions, the map, how the house stands."""
    with tempfile.TemporaryDirectory() as place:
        server = Postgres(Path(place) / "postgres", durable=False)
        server.start()
        try:
            made_template(server)
            database = made_database(server)
            with floor_web(Path(place), database.as_("floor_web")) as floor:
                people(floor)
                _shot(browser, floor, folder / "floor.jpg")
        finally:
            server.stop()


def _shot(browser: Browser, floor: FloorInHand, to: Path) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 860})
    given = {"who": "gus", "secret": PINS["gus"]}
    context.request.post(f"{floor.url}/api/sign-in", data=given, headers={"Origin": floor.url})
    page = context.new_page()
    page.goto(f"{floor.url}/floor")
    expect(page.locator(".t")).to_have_count(len(PITS) * TABLES)
    expect(page.locator(".exceptions .row")).to_have_count(len(STOPPED))
    page.wait_for_timeout(500)
    page.screenshot(path=to, type="jpeg", quality=82)
    context.close()
