"""Put on a program's path by a test: when the program ends, it writes which modules it held."""

import atexit
import os
import sys

_FILE = os.environ.get("SABOT_TEST_HELD")


def _tell() -> None:
    assert _FILE is not None
    with open(_FILE, "w", encoding="utf-8") as out:
        out.write("\n".join(sorted(sys.modules)))


if _FILE:
    atexit.register(_tell)
