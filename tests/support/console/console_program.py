"""A table on disk with its console as a program, to be killed: prints its URL, ends by SIGTERM.

python -m tests.support.console.console_program FOLDER
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from controller.console.auth.accounts import Accounts
from controller.console.data.round_history import OnDisk
from controller.console.http.server import ConsoleServer, ListenAddress, Setup, bound, context_of
from controller.journal.seal import Sealer, load_key
from controller.rulebooks import rulebook
from controller.runtime import open_table
from controller.runtime.build import running_table
from controller.runtime.loop import Clock
from controller.service import logs
from controller.service.boot import boot_id, since_boot
from controller.table.rules import HouseRules, Rules


def main(folder: Path) -> None:
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    logs.configure()
    rules = Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", burn="none"))
    journal = folder / "journal.db"
    with open_table.open_table(rules, journal) as session:
        clock = Clock(time.monotonic, time.time)
        with running_table(session, [], clock) as table:
            setup = Setup(
                rules=rules,
                accounts=Accounts(folder / "staff.json"),
                wall=time.time,
                steady=since_boot,
                boot=boot_id(),
                entropy=os.urandom,
                records=OnDisk(journal),
                sealer=Sealer(load_key(folder / "journal.db.key"), os.urandom),
                sessions_file=folder / "sessions.json",
            )
            address = ListenAddress(port=0)
            server = ConsoleServer(context_of(table.loop, setup), address, bound(address))
            server.start()
            sys.stdout.write(json.dumps({"url": server.url}) + "\n")
            sys.stdout.flush()
            while not ended.wait(0.2):
                pass
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
