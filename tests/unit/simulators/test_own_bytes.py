"""A simulator never brings the product with it: nothing is shared but bytes."""

import json
import subprocess
import sys

from simulators.registry import DEVICES
from support.rows import each_row


@each_row("name", DEVICES)
def test_no_emulator_loads_the_product(name: str) -> None:
    program = (
        "import json, sys, simulators.__main__\n"
        "from simulators.registry import make\n"
        f"make({name!r}).step(1.0)\n"
        "json.dump(sorted({each.partition('.')[0] for each in sys.modules}), sys.stdout)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, timeout=60
    )
    loaded = set(json.loads(done.stdout))
    assert "simulators" in loaded
    assert not loaded & {"drivers", "controller"}
