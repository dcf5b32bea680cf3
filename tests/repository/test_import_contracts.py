"""The import contracts notice a driver, an emulator, a book and a room that nobody listed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from metrics.source import PACKAGES, ROOT

PLANTED: Final = {
    "drivers/shoe_planted/driver.py": "import threading\n",
    "drivers/shuffler_planted/codec.py": "from drivers.testing import vectors\n",
    "simulators/shoe_planted/device.py": "from drivers.cards import Card\n",
    "simulators/shuffler_planted/device.py": "from simulators.wire import cable\n",
    "controller/rulebooks/planted_book.py": "import random\n",
    "controller/rulebooks/other_book.py": "from controller.table import state\n",
    "controller/planted/room.py": "",
}
BROKEN: Final = {
    "A driver is bytes in, events and bytes out",
    "What runs at a table imports nothing of the kit it is tested with",
    "A simulator writes its own bytes",
    "An emulated device stands on the kit alone",
    "The game, the books, the roads and the cards touch nothing outside",
    "The command stands on the table, the table on the round",
}


def test_what_is_planted_breaks_the_contract_of_its_kind(tmp_path: Path) -> None:
    left_out = shutil.ignore_patterns("__pycache__", "static", "*.json", "*.md")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=left_out)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name, text in PLANTED.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    run = subprocess.run(
        command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 1, run.stderr
    *_, broken = run.stdout.partition("Broken contracts")
    found = {name for name in BROKEN if re.search(rf"^{name}", broken, re.MULTILINE)}
    assert found == BROKEN
