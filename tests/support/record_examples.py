"""`python -m support.record_examples`: plays a round and puts its records into the manual.

The page keeps its order: each example is replaced by the record with its number.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from support.programs import run_text

PAGE: Final = Path(__file__).parents[2] / "deploy/manual/record-format.md"
BEGAN: Final = 1794830400.0
CONFIG: Final = """[table]
rulebook = "mbs-baccarat-8"
deal_face = "down"
burn = "none"
minimum = 100
maximum = 10000
[money]
chip_unit = 100
rounding = "exact"
currency = "SGD"
minor_units = 2
"""


def _lines() -> Iterator[dict[str, Any]]:
    pit = {"from": "staff", "who": "pia", "role": "pit_supervisor"}
    dealer = {"from": "staff", "who": "dan", "role": "dealer"}
    shoe = {"deck_set": "blue", "verified_by": "pia", "cut": True}
    wager = {"player": "ann", "position": 1, "wager": "player", "amount": 100}
    yield {**pit, "do": "open_table"}
    yield {**dealer, "do": "load_shoe", "with": shoe}
    yield {**pit, "do": "approve"}
    yield {**dealer, "do": "open_betting"}
    yield {**dealer, "do": "place", "with": wager}
    yield {**dealer, "do": "settle"}  # which is refused
    yield {**dealer, "do": "close_betting"}
    for card in ("9H", "2C", "KD", "6S"):
        yield {"from": "shoe", "event": "card", "card": card}
    yield from ({**dealer, "do": "expose", "with": {"hand": hand}} for hand in ("player", "banker"))
    yield from ({**dealer, "do": do} for do in ("announce", "settle"))


def records() -> dict[int, str]:
    """The records of that round as they are exported, by their numbers."""
    lines = [{**line, "at": BEGAN + n} for n, line in enumerate(_lines(), start=1)]
    given = "".join(json.dumps(line) + "\n" for line in lines)
    with TemporaryDirectory() as folder:
        config, journal = Path(folder, "table.toml"), Path(folder, "journal.db")
        config.write_text(CONFIG, "utf-8")
        table = ("table", "--jsonl", "--stepped", "--journal", journal, "--config", config)
        run_text(*table, given=given).check_returncode()
        exported = run_text("journal", "export", journal, "--jsonl").stdout
    return {json.loads(line)["seq"]: line for line in exported.splitlines()}


def main() -> None:
    found, lines = records(), PAGE.read_text("utf-8").splitlines()
    for n, line in enumerate(lines):
        if line.startswith('{"seq":'):
            lines[n] = found[json.loads(line)["seq"]]
    PAGE.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
