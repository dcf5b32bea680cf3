"""Robot, table and emulated shoe as three programs: nothing passes between them but text and bytes.

In mid-round the cable is pulled while a card is drawn, put back, and the shoe goes on.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from drivers.testing.bench.emulated import emulated
from support.devices.emulated import LIMIT_S

SHOES = {
    "shoe_angel_eye": ("--tcp", "burn=no", "spacing_s=0", "result_s=0"),
    "shoe_bee_tek": ("--tcp",),
    "shoe_barcode_usb": ("--usbip",),
}


@pytest.mark.second_tier
@pytest.mark.parametrize("name", SHOES)
def test_a_script_with_a_pulled_cable_is_played_to_its_end(name: str, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("right\ncable 3\nright\ncut\nright\n")
    where, *settings = SHOES[name]
    options = [part for each in settings for part in ("--set", each)]
    with emulated(name, where, "127.0.0.1:0", "--pace", "none", *options) as shoe:
        table = (sys.executable, "-m", "controller", "table", "--jsonl")
        done = subprocess.run(
            [
                *(sys.executable, "-m", "simulators", "dealer"),
                *("--shoe", shoe.ready["panel"], "--script", str(script), "--"),
                *(*table, "--shoe", name, "--port", shoe.port),
            ],
            capture_output=True,
            timeout=2 * LIMIT_S,
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    played = json.loads(done.stdout.splitlines()[-1])["played"]
    assert played["rounds"] == 5
    assert played["shoes"] == 2, "the cutting card came, and another shoe was loaded"
    assert played["mistakes"] == {"cable": 1, "cut": 1}
    assert sum(played["outcomes"].values()) + played["void"] == 5
