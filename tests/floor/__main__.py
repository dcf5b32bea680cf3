"""Seeds of the fault tests until the time is over, with an evening of a whole floor after every
twenty of the sink's: `make test-all ONLY=floor-faults HOURS=n`."""

import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from controller.floor.embedded.nats import nats
from controller.floor.embedded.postgres import postgres
from support.floor.evening import Evening
from support.floor.faults import SinkProgram, played
from support.floor.program import FloorProgram
from support.floor.servers import made_database, made_template

FIRST = 1_000
"""Seeds below are those of tests/floor."""


def main(hours: float) -> None:
    folder = Path(tempfile.mkdtemp(prefix="sabot-floor-faults-"))
    end, seed, faults = time.monotonic() + hours * 3600, FIRST, Counter[str]()
    try:
        with (
            postgres(folder / "postgres", durable=False) as server,
            nats(folder / "nats") as broker,
            nats(folder / "evening-nats") as another,  # two floors at one broker share its tables
        ):
            made_template(server)
            sink = SinkProgram(made_database(server), broker)
            sink.start()
            sink.wait()
            evenings = made_database(server)
            evening = Evening(folder, evenings, another, FloorProgram(folder, evenings, another))
            evening.open()
            while time.monotonic() < end:
                faults.update(played(seed, sink, tables=12).faults)
                seed += 1
                if seed % 20 == 0:
                    faults.update(f"evening: {each}" for each in evening.play(seed))
                    sys.stdout.write(f"{seed - FIRST} seeds, nothing lost or doubled\n")
                    sys.stdout.flush()
            evening.close()
            sink.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    told = ", ".join(f"{many} {what}" for what, many in faults.most_common())
    sys.stdout.write(f"{seed - FIRST} seeds, nothing lost or doubled: {told}\n")


if __name__ == "__main__":
    main(float(sys.argv[1]))
