"""A bare Debian, the installer, and a year of trouble in a few minutes. `make test-deploy`."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from nspawn import ROOT, Machine, make_base

pytestmark = pytest.mark.deploy

WHEELS = ROOT / "dist" / "wheelhouse"
PIN = "246810"
SABOT = "runuser -u sabot -- sabot"
PYTHON = "/opt/sabot/current/venv/bin/python -I -B"
CONFIG = """
[table]
rulebook = "mbs-baccarat-8"
burn = "none"
[money]
chip_unit = 100
[shoe]
driver = "shoe_angel_eye"
port = "/run/emulator/shoe"
[checks]
manifest = "/opt/sabot/current/manifest.json"
maker_key = "/etc/sabot/maker.pub"
free_disk_mb = 20
[logs]
file = "/var/log/sabot/sabot.log"
"""
TALK = """
import json, sys, urllib.request
base = "http://127.0.0.1:8470"
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
def ask(path, body=None, csrf=""):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Origin": base, "X-Sabot-CSRF": csrf}
    with opener.open(urllib.request.Request(base + path, data, headers), timeout=60) as answer:
        return json.load(answer)
csrf = ask("/api/sign-in", {"who": sys.argv[1], "secret": sys.argv[2]})["csrf"]
for line in sys.stdin:
    word, given = json.loads(line)
    said = ask("/api/words/" + word, {"key": word + str(hash(line)), "with": given}, csrf)
    assert said["accepted"], said
"""


class TablePc(Machine):
    """An installed table with an emulated shoe."""

    def install(self, options: str = "--wheelhouse /wheels") -> str:
        (self.folder / "etc/table.toml").write_text(CONFIG)
        script = (
            "/wheels/deploy/install.sh"
            if "wheelhouse" in options
            else "/checkout/deploy/install.sh"
        )
        return self.says(f"{script} {options} --config /etc/table.toml 2>&1")

    def plug_in_shoe(self) -> None:
        """The emulator is a service of its own, run by the user who owns the port."""
        self.run(
            "systemctl stop emulator 2>/dev/null; systemd-run --unit=emulator --uid=sabot "
            "-p RuntimeDirectory=emulator -p RuntimeDirectoryPreserve=yes "
            f"{PYTHON} -m simulators shoe_angel_eye --pty /run/emulator/shoe --panel 9000 "
            "--pace none"
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
            self.run(
                f"{SABOT} staff add {who} --role {role} --secret-stdin "
                "--config /etc/sabot/table.toml",
                given=f"{PIN}\n",
            )

    def say(self, *words: tuple[str, dict[str, object]], who: str = "pia") -> None:
        lines = "".join(json.dumps(word) + "\n" for word in words)
        (self.folder / "root/talk.py").write_text(TALK)
        self.run(f"python3 /root/talk.py {who} {PIN}", given=lines)

    def ready(self) -> dict[str, object]:
        found = self.run("curl -s http://127.0.0.1:8470/readyz", check=False).stdout
        return dict(json.loads(found)) if found.startswith("{") else {}

    def link(self) -> str:
        devices = self.ready().get("devices") or [{"link": ""}]
        assert isinstance(devices, list)
        return str(devices[0]["link"])

    def hands(self) -> dict[str, list[str]]:
        found = self.run("curl -s http://127.0.0.1:8470/api/table", check=False).stdout
        return dict(json.loads(found)["view"]["hands"]) if found.startswith("{") else {}

    def pid(self) -> str:
        return self.says("systemctl show -P MainPID sabot")

    def to_dealing(self) -> None:
        shoe = {"deck_set": "blue", "verified_by": "pia", "cut": True}
        self.say(
            ("open_table", {}), ("load_shoe", shoe), ("open_betting", {}), ("close_betting", {})
        )


@pytest.fixture(scope="module")
def pc(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TablePc]:
    """Installed without any network, from the wheelhouse alone."""
    assert (WHEELS / "manifest.json").exists(), "make wheelhouse SIGN_KEY=... first"
    make_base()
    folder = tmp_path_factory.mktemp("deploy") / "pc"
    machine = TablePc(folder, network=False, binds={str(WHEELS): "/wheels"})
    try:
        machine.boot()
        yield machine
    finally:
        machine.stop()
        shutil.rmtree(folder, ignore_errors=True)


# The tests of one machine follow each other, as its days would.


def test_offline_install_ends_with_the_dealers_page(pc: TablePc) -> None:
    told = pc.install()
    assert "exposure level" in told
    pc.staff()
    pc.plug_in_shoe()
    page = pc.says("curl -s http://127.0.0.1:8470/dealer")
    assert "<html" in page
    assert pc.says("systemctl show -P User sabot") == "sabot"


def test_a_second_install_changes_nothing_and_plays_on(pc: TablePc) -> None:
    before = pc.says("readlink /opt/sabot/current; cat /etc/sabot/table.toml")
    pc.install()
    assert pc.says("readlink /opt/sabot/current; cat /etc/sabot/table.toml") == before
    pc.wait("the shoe is back", lambda: pc.link() == "up")


def test_files_and_journal_are_whole_and_the_doctor_says_so(pc: TablePc) -> None:
    told = pc.says(f"{SABOT} verify-night")
    assert "as released" in told
    pc.run("systemctl start sabot-backup.service")
    page = pc.run(f"{SABOT} doctor", check=False).stdout
    assert "all is well" in page, page


def test_killed_in_mid_round_it_is_back_at_the_same_card(pc: TablePc) -> None:
    pc.to_dealing()
    pc.shoe("draw", card="9H")
    pc.wait("the card is there", lambda: pc.hands().get("player") == ["9H"])
    before = pc.pid()
    pc.run(f"kill -9 {before}")
    took = pc.wait("it is back", lambda: pc.hands().get("player") == ["9H"] and pc.pid() != before)
    print(f"\nkill -9 in mid-round until the page answers: {took:.2f} s")  # noqa: T201
    pc.say(("answer", {"value": False}))
    pc.say(("count", {"cards": 1}))


def test_a_hang_is_restarted_by_the_watchdog(pc: TablePc) -> None:
    before = pc.pid()
    pc.run(f"kill -STOP {before}")
    pc.wait("another process", lambda: pc.pid() not in (before, "0"))
    pc.wait("it answers", lambda: bool(pc.ready().get("ready")))
    assert pc.hands()["player"] == ["9H"]


def test_a_stop_loses_nothing_and_a_start_goes_on(pc: TablePc) -> None:
    pc.run("systemctl stop sabot")
    files = "/var/lib/sabot/journal.db --head /var/lib/sabot/head/journal.head"
    verify = f"{SABOT} journal verify {files}"
    assert "every one follows" in pc.says(verify)
    pc.run("systemctl start sabot")
    assert pc.hands()["player"] == ["9H"]


def test_a_backup_is_put_back_and_going_behind_the_head_takes_two_people(pc: TablePc) -> None:
    pc.run("/wheels/deploy/backup.sh")
    backup = pc.says("ls /var/lib/sabot/backups/journal-*.db | tail -n 1")
    pc.wait("it answers", lambda: bool(pc.ready().get("ready")))
    pc.say(("answer", {"value": True}))
    refused = pc.run(f"/wheels/deploy/restore.sh {backup}", check=False, given="pia\n0000\n")
    kept = pc.says("cat /var/lib/sabot/head/journal.head")
    assert "put back" not in refused.stdout or '"seq"' in kept
    pc.wait("it answers again", lambda: bool(pc.ready().get("ready")))


def test_a_flipped_byte_in_an_installed_file_stops_play(pc: TablePc) -> None:
    target = pc.says("ls /opt/sabot/current/venv/lib/python3*/site-packages/controller/table.py")
    path = pc.folder / target.lstrip("/")
    good = path.read_bytes()
    path.write_bytes(good.replace(b"VERSION = 1", b"VERSION = 3", 1))
    assert path.read_bytes() != good
    bad = pc.run(f"{SABOT} verify-files", check=False)
    assert bad.returncode == 1
    assert "controller/table.py: changed" in bad.stderr
    pc.run("systemctl restart sabot", check=False)
    pc.wait("it has given up", lambda: pc.says("systemctl is-failed sabot || true") == "failed")
    assert pc.says("systemctl show -P ExecMainStatus sabot") == "78"
    path.write_bytes(good)
    pc.run("systemctl restart sabot")
    assert pc.ready()["ready"]


def test_a_swapped_adapter_is_refused(pc: TablePc) -> None:
    config = pc.folder / "etc/sabot/table.toml"
    good = config.read_text()
    config.write_text(good.replace("[checks]", 'identity = "usb 0403:6001:A1"\n[checks]'))
    pc.run("systemctl restart sabot")
    pc.wait("it is refused", lambda: "0403:6001:A1" in pc.link())
    config.write_text(good)
    pc.run("systemctl restart sabot")
    pc.wait("the enrolled one is taken", lambda: pc.link() == "up")


def test_a_full_disk_stops_the_table_and_is_told(pc: TablePc) -> None:
    pc.run("systemctl stop sabot")
    pc.run(
        "mv /var/lib/sabot /var/lib/sabot.kept && mkdir /var/lib/sabot && "
        "mount -t tmpfs -o size=30m,mode=700,uid=$(id -u sabot),gid=$(id -g sabot) none "
        "/var/lib/sabot && "
        "cp -a /var/lib/sabot.kept/. /var/lib/sabot/ && "
        "dd if=/dev/zero of=/var/lib/sabot/ballast bs=1M count=28 2>/dev/null || true"
    )
    pc.run("systemctl start sabot", check=False)
    pc.wait("it says so", lambda: "self test failed" in str(pc.ready().get("stopped_by")))
    pc.run("rm /var/lib/sabot/ballast")
    pc.wait("devices are opened", lambda: pc.link() == "up")
    pc.run(
        "systemctl stop sabot && cp -a /var/lib/sabot/. /var/lib/sabot.kept/ && "
        "umount /var/lib/sabot && "
        "rmdir /var/lib/sabot && mv /var/lib/sabot.kept /var/lib/sabot && systemctl start sabot"
    )


def test_a_newer_release_is_taken_and_a_rollback_refused_once_it_has_written(
    pc: TablePc, tmp_path: Path
) -> None:
    newer = pc.folder / "newer"
    shutil.copytree(WHEELS, newer)
    old = next(newer.glob("sabot-*.whl"))
    unpacked = tmp_path / "wheel"
    subprocess.run(["python3", "-m", "zipfile", "-e", str(old), str(unpacked)], check=True)
    table = unpacked / "controller" / "table.py"
    table.write_text(table.read_text().replace("VERSION = 1", "VERSION = 2", 1))
    record = next(unpacked.glob("*.dist-info")) / "RECORD"
    record.write_text(
        re.sub(
            r"^controller/table\.py,.*$",
            f"controller/table.py,{_hash(table)}",
            record.read_text(),
            flags=re.M,
        )
    )
    old.unlink()
    shutil.make_archive(str(old.with_suffix("")), "zip", unpacked)
    old.with_suffix(".zip").rename(old)
    for each in ("manifest.json", "manifest.json.sig"):
        (newer / each).unlink()
    config = pc.folder / "etc/sabot/table.toml"
    unsigned = (
        config.read_text().replace("manifest =", "# manifest =").replace("maker_key", "# maker_key")
    )
    config.write_text(unsigned)
    pc.says("/newer/deploy/install.sh --wheelhouse /newer 2>&1")
    pc.wait("the newer one answers", lambda: bool(pc.ready().get("ready")))
    refused = pc.run("/newer/deploy/install.sh --rollback 2>&1", check=False)
    assert refused.returncode == 1
    assert "a newer release has written to this journal" in refused.stdout
    assert pc.ready()["ready"], "the newer one plays on"


def _hash(path: Path) -> str:
    digest = hashlib.sha256(path.read_bytes()).digest()
    return f"sha256={base64.urlsafe_b64encode(digest).rstrip(b'=').decode()},{path.stat().st_size}"


def test_uninstall_keeps_the_journal_and_purge_leaves_nothing(pc: TablePc) -> None:
    pc.run("/wheels/deploy/install.sh --uninstall")
    assert pc.says("ls /var/lib/sabot/journal.db /etc/sabot/table.toml | wc -l") == "2"
    assert pc.run("ls /opt/sabot /etc/systemd/system/sabot.service", check=False).returncode
    pc.run("systemctl stop emulator; /wheels/deploy/install.sh --uninstall --purge")
    assert pc.run("ls /var/lib/sabot /etc/sabot", check=False).returncode
