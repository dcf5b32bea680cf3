"""A table PC for `make test-all ONLY=deploy`: a booted Debian, an emulated shoe, two people."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from deploy.nspawn import ROOT, Machine

FORMAT: Final = "controller/journal/records.py"
"""An installed file to tamper with; it has the number of the record format."""
WHEELS: Final = ROOT / "dist" / "wheelhouse"
MAKER_KEY: Final = ROOT / "dist" / "test-maker.key"
PIN: Final = "246810"
PYTHON: Final = "/opt/sabot/current/venv/bin/python -I -B"
CONSOLE: Final = "http://127.0.0.1:8470"
CONFIG: Final = """\
[table]
rulebook = "mbs-baccarat-8"
burn = "none"
minimum = 100
maximum = 1000000
[money]
chip_unit = 100
[shoe]
driver = "shoe_angel_eye"
port = "/run/emulator/shoe"
asset = "SHOE-0017"
identity = "serial /run/emulator/shoe"
[checks]
manifest = "/opt/sabot/current/manifest.json"
maker_key = "/etc/sabot/maker.pub"
free_disk_mb = 20
[logs]
file = "/var/log/sabot/sabot.log"
"""
TALK: Final = """
import json, os, sys, urllib.error, urllib.request
base = "http://127.0.0.1:8470"
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
def ask(path, body=None, csrf=""):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Origin": base, "X-Sabot-CSRF": csrf}
    try:
        with opener.open(urllib.request.Request(base + path, data, headers), timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"{path} {body}: {json.loads(error.read())}")
csrf = ask("/api/sign-in", {"who": sys.argv[1], "secret": sys.argv[2]})["csrf"]
in_person = ask("/api/about")["in_person"]
for line in sys.stdin:
    word, given = json.loads(line)
    body = {"key": word + "-" + os.urandom(8).hex(), "with": given}
    own = {"secret": sys.argv[2]} if word in in_person else {}
    ask("/api/commands/" + word, {**body, **own}, csrf)
print(json.dumps(ask("/api/table?audience=" + sys.argv[3])["view"]))
"""

Word = tuple[str, dict[str, object]]


class TablePc(Machine):
    """An installed table with an emulated shoe."""

    def install(self, options: str = "--wheelhouse /wheels", config: str = CONFIG) -> str:
        (self.folder / "root/table.toml").write_text(config)
        _, offline, wheels = options.partition("--wheelhouse ")
        where = wheels if offline else "/checkout"
        return self.says(f"{where}/deploy/install.sh --config /root/table.toml {options} 2>&1")

    def plug_in_shoe(self) -> None:
        """The emulator is a service of its own, run by the user who owns the port."""
        self.run(
            "systemctl stop emulator 2>/dev/null; systemd-run --unit=emulator --uid=sabot "
            "-p RuntimeDirectory=emulator -p RuntimeDirectoryPreserve=yes "
            f"{PYTHON} -m simulators shoe_angel_eye --pty /run/emulator/shoe --panel 9000 "
            "--pace none --set burn=no"
        )
        self.wait("the shoe is up", lambda: self.link() == "up")

    def shoe(self, word: str, **given: object) -> None:
        body = json.dumps(given)
        self.run(
            f"curl -sS --fail-with-body -H 'Content-Type: application/json' -d '{body}' "
            f"http://127.0.0.1:9000/do/{word}"
        )

    def staff(self) -> None:
        for who, role in (("pia", "pit_supervisor"), ("max", "pit_manager")):
            self.run(f"sabot staff add {who} --role {role} --secret-stdin", given=f"{PIN}\n")

    def say(self, *words: Word, who: str = "pia", audience: str = "pit") -> dict[str, Any]:
        """Say these words at the console; gives what the pit, or another audience, then sees."""
        lines = "".join(json.dumps(word) + "\n" for word in words)
        (self.folder / "root/talk.py").write_text(TALK)
        found: dict[str, Any] = json.loads(
            self.run(f"python3 /root/talk.py {who} {PIN} {audience}", given=lines).stdout
        )
        return found

    def ready(self) -> dict[str, Any]:
        found = self.run(f"curl -s {CONSOLE}/readyz", check=False).stdout
        return dict(json.loads(found)) if found.startswith("{") else {}

    def held(self) -> list[str]:
        """What holds the table, what has to be ended first in front."""
        return [str(hold["what"]) for hold in self.say()["held"]]

    def noted(self, code: str) -> dict[str, Any]:
        """The gaps of the last notice with this code."""
        notes = [note for note in self.say()["notes"] if note["code"] == code]
        assert notes, f"no {code} among what the pit is told"
        return dict(notes[-1]["gaps"])

    def wait_until_ready(self) -> None:
        self.wait("it answers", lambda: bool(self.ready().get("ready")))

    def link(self) -> str:
        devices = self.ready().get("devices") or [{"link": ""}]
        return str(devices[0]["link"])

    def table(self) -> dict[str, Any]:
        found = self.run(f"curl -s {CONSOLE}/api/table", check=False).stdout
        return dict(json.loads(found)["view"]) if found.startswith("{") else {}

    def cards(self) -> list[str]:
        """What lies on the Player's hand."""
        return list(self.table().get("hands", {}).get("player", []))

    def pid(self) -> str:
        return self.says("systemctl show -P MainPID sabot")

    def to_dealing(self) -> None:
        self.load_shoe()
        self.say(("open_betting", {}), ("close_betting", {}))

    def load_shoe(self) -> None:
        """One loads it, and whoever is named vouches for it."""
        shoe: dict[str, object] = {"deck_set": "blue", "verified_by": "pia", "cut": True}
        self.say(("load_shoe", shoe), who="max")
        self.say(("approve", {}))

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.folder / path.lstrip("/")
        text = file.read_text()
        assert old in text, f"{path} has no {old!r}"
        file.write_text(text.replace(old, new, 1))

    def site_packages(self) -> Path:
        found = self.says("ls -d /opt/sabot/current/venv/lib/python3*/site-packages")
        return self.folder / found.lstrip("/")

    def go_on(self, cards: int = 0) -> None:
        """The people at the table answer what it asks, until nothing holds it any more."""
        view: dict[str, Any] = {}
        for _ in range(8):
            self.wait("the shoe is up", lambda: self.link() == "up")
            view = self.say()
            asks = [each["ask"] for each in view["asks"]]
            if "count" in asks:
                self.say(("count", {"cards": cards}))
            elif "interrupted" in asks:
                self.say(("answer", {"value": False}))
            elif view["request"] is not None:
                self.say(("approve", {}), who="max")
            elif view["stopped_by"]:
                self.say(("resume", {}))
            else:
                return
        raise AssertionError(f"it does not go on: {view}")

    def newest_backup(self) -> str:
        return self.says("ls /var/lib/sabot/backups/journal-*.db | tail -n 1")

    @contextmanager
    def flipped_byte(self) -> Iterator[None]:
        """One bit of one installed file, while the block runs."""
        path = self.site_packages() / FORMAT
        good = path.read_bytes()
        path.write_bytes(bytes([good[0] ^ 1]) + good[1:])
        try:
            yield
        finally:
            path.write_bytes(good)
