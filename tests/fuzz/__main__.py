"""python -m fuzz [SECONDS] [DRIVER ...]: fuzz each codec for so long, a minute by default.

Every turn has its own seed and says so, so that what breaks can be run again.
"""

import secrets
import sys
import time

from drivers import registry
from drivers.testing.fuzz import run

EXAMPLES = 200


def main(arguments: list[str]) -> None:
    seconds = float(arguments[0]) if arguments else 60.0
    for name in arguments[1:] or registry.usable():
        until, turns = time.monotonic() + seconds, 0
        while not turns or time.monotonic() < until:
            seed = secrets.randbits(32)
            try:
                run(name, EXAMPLES, seed)
            except BaseException:
                sys.stderr.write(f"{name}: broke with seed {seed}\n")
                raise
            turns += 1
        sys.stdout.write(f"{name}: {turns * EXAMPLES} lives, nothing broke\n")


if __name__ == "__main__":
    main(sys.argv[1:])
