"""`sabot floor run` in a process of its own, to be killed."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from controller.console.auth.accounts import DEMO_HASHER, SHORT_SECRET, Accounts
from controller.floor.embedded.nats import NatsServer
from controller.floor.service.keys import signer_of
from support.console.screens import PINS
from support.console.table_in_hand import STAFF
from support.floor.servers import FloorDatabase

SITE: Final = "site"


class FloorProgram:
    """One floor in a process of its own."""

    def __init__(self, folder: Path, database: FloorDatabase, nats_server: NatsServer) -> None:
        self.folder, self.config = folder, folder / "floor.toml"
        roles = "\n".join(
            f'{key} = "{database.as_(f"floor_{key}")}"'
            for key in ("sink", "derive", "web", "proof", "retention", "hooks", "owner")
        )
        self.config.write_text(
            f'[site]\nname = "{SITE}"\nmode = "demo"\n[database]\n{roles}\n'
            f'[nats]\nservers = ["{nats_server.url}"]\n'
            f'[keys]\nsigning = "{folder}/floor.signing"\n[tables]\nenrol = "themselves"\n'
            f'[web]\nport = 0\nstaff = "{folder}/staff.json"\n'
        )
        accounts = Accounts(folder / "staff.json", DEMO_HASHER, SHORT_SECRET)
        for who, role, secret, name in STAFF:
            accounts.add(who, role, secret, name)
        (folder / "pins.json").write_text(json.dumps(PINS), "utf-8")
        self.public = signer_of(folder / "floor.signing").public
        self.url = ""
        self._program: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "controller", "floor", "run", "--config", str(self.config)]
        log = (self.folder / "log").open("ab")
        self._program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log)
        log.close()
        assert self._program.stdout is not None
        line = self._program.stdout.readline().decode()
        assert line.startswith("serving "), (self.folder / "log").read_text()[-2000:]
        self.url = line.split()[1]

    def kill(self) -> None:
        assert self._program is not None
        self._program.kill()
        self._end()

    def stop(self) -> int:
        if self._program is None:
            return 0
        self._program.send_signal(signal.SIGTERM)
        return self._end()

    def _end(self) -> int:
        assert self._program is not None
        assert self._program.stdout is not None
        code = self._program.wait(30)
        self._program.stdout.close()
        self._program = None
        return code
