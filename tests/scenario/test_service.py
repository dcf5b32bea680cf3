"""`sabot run` as systemd runs it: a real process, a real notify socket, an emulated shoe, HTTP."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.config import file as config
from controller.console.auth.accounts import SHORT_SECRET, Accounts
from controller.floor.embedded.nats import nats
from controller.journal import audit
from controller.journal.keys.signing import text_of
from controller.journal.seal import load_key
from controller.table.commands.registry import REGISTRY
from controller.upkeep import results, signing
from drivers.io.capture import load
from drivers.testing.bench.emulated import Emulated, emulated
from support import programs
from support.console.consoles import QUICK
from support.floor.model_floor import FLOOR, NAME
from support.floor.nats_floor import NatsFloor
from support.limits import MAX_WAIT_S

CONTROLLER = (sys.executable, "-m", "controller")
LIMIT_S = MAX_WAIT_S
LOOK_S = 0.01
PIN = "246810"
STAFF = {"dan": "dealer", "pia": "pit_supervisor", "max": "pit_manager"}


class Site:
    """A table PC's folder: configuration, accounts, journal, and the socket systemd listens on."""

    def __init__(self, folder: Path, port: str) -> None:
        self.folder, self.file = folder, folder / "table.toml"
        self.journal = folder / "journal.db"
        self.more = ""
        self.shoe = port
        accounts = Accounts(folder / "staff.json", QUICK, SHORT_SECRET)
        for who, role in STAFF.items():
            accounts.add(who, role, PIN)
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.settimeout(LIMIT_S)
        self.notify.bind(str(folder / "notify"))
        self.configure()

    def configure(self, more: str = "") -> None:
        folder = self.folder
        self.file.write_text(
            f'[table]\nrulebook = "mbs-baccarat-8"\nburn = "none"\n'
            f"minimum = 100\nmaximum = 1000000\n[money]\nchip_unit = 100\n"
            f'[journal]\npath = "{self.journal}"\nhead = "{folder}/head"\nkey = "{folder}/key"\n'
            f'[shoe]\ndriver = "shoe_angel_eye"\nport = "{self.shoe}"\n'
            f'asset = "SHOE-1"\nidentity = "serial {self.shoe}"\n'
            f'[console]\nport = 0\nstaff = "{folder}/staff.json"\n{more}'
        )

    def told(self, word: bytes) -> bytes:
        """Read what systemd hears until `word` is in it."""
        while word not in (heard := self.notify.recv(4096)):
            pass
        return heard

    def silent_for(self, seconds: float) -> bool:
        """Whether nothing more comes once what was said before has been read."""
        self.notify.settimeout(seconds)
        try:
            for _ in range(100):
                self.notify.recv(4096)
        except TimeoutError:
            return True
        finally:
            self.notify.settimeout(LIMIT_S)
        return False

    @contextmanager
    def running(self, **environment: str) -> Iterator["Running"]:
        """A service that is up, started as systemd does, stopped at the end whatever happens."""
        told = {**os.environ, "NOTIFY_SOCKET": str(self.folder / "notify"), **environment}
        words = ["run", "--config", str(self.file)]
        with (self.folder / "log").open("wb") as log:
            process = subprocess.Popen([*CONTROLLER, *words], stderr=log, env=told)
        try:
            self.told(b"READY=1")
            with httpx.Client(base_url=self._url(), timeout=LIMIT_S) as http:
                yield Running(process, http)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait(LIMIT_S)

    def _url(self) -> str:
        lines = (self.folder / "log").read_text().splitlines()
        urls: list[str] = [json.loads(line)["url"] for line in lines if '"console"' in line]
        return urls[-1]


class Running:
    """A service and somebody at its dealer's page."""

    def __init__(self, process: "subprocess.Popen[bytes]", http: httpx.Client) -> None:
        self.process, self.http = process, http
        self.csrf = ""

    def sign_in(self, who: str) -> None:
        me = self.http.post("/api/sign-in", json={"who": who, "secret": PIN}, headers=self._own())
        assert me.status_code == 200, me.text
        self.csrf = me.json()["csrf"]

    def _own(self) -> dict[str, str]:
        return {"Origin": str(self.http.base_url).rstrip("/"), "X-Sabot-CSRF": self.csrf}

    def say(self, word: str, second: str | None = None, **given: Any) -> dict[str, Any]:
        key = f"{word}-{os.urandom(8).hex()}"
        body: dict[str, Any] = {"key": key, "with": given}
        if second is not None:
            body["second"] = {"who": second, "secret": PIN}
        elif REGISTRY[word].in_person:
            body["secret"] = PIN
        said = self.http.post(f"/api/commands/{word}", json=body, headers=self._own())
        assert said.status_code == 200, said.text
        found: dict[str, Any] = said.json()
        return found

    def view(self, audience: str = "public") -> dict[str, Any]:
        asked = self.http.get("/api/table", params={"audience": audience})
        view: dict[str, Any] = asked.json()["view"]
        return view

    def wait_for(self, **wanted: Any) -> dict[str, Any]:
        """Ask until the public view is as wanted; the test's own time limit bounds it."""
        while True:
            view = self.view()
            if all(view.get(key) == value for key, value in wanted.items()):
                return view
            time.sleep(LOOK_S)

    def ready(self) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get("/readyz").json()
        return found

    def wait_for_link(self, state: str) -> None:
        while state not in self.ready()["devices"][0]["link"]:
            time.sleep(LOOK_S)

    def to_dealing(self) -> None:
        self.sign_in("pia")
        self.say("open_table")
        self.say("load_shoe", deck_set="blue", verified_by="max", cut=True)
        self.say("approve", second="max")
        self.say("open_betting")
        self.say("close_betting")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(LIMIT_S)


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[Emulated]:
    """It burns no card, as the table: it would call the first one of a round its burn card."""
    with emulated(
        "shoe_angel_eye",
        "--pty",
        tmp_path / "shoe",
        "--pace",
        "none",
        "--set=burn=no",
        "--set=spacing_s=0",
    ) as shoe:
        yield shoe


@pytest.fixture
def site(tmp_path: Path, shoe: Emulated) -> Iterator[Site]:
    site = Site(tmp_path, shoe.port)
    yield site
    site.notify.close()


def steps(site: Site) -> list[dict[str, Any]]:
    bodies = [json.loads(record.body) for record in audit.read(site.journal)]
    return [body["in"] for body in bodies if "in" in body]


def test_killed_in_mid_round_it_comes_back_at_the_same_card(site: Site, shoe: Emulated) -> None:
    with site.running() as table:
        table.to_dealing()
        shoe.do("draw", card="9H")
        table.wait_for(hands={"player": ["9H"], "banker": []})
        shoe.do("draw", card="2C")  # these bytes may or may not have arrived
        table.kill()
    with site.running() as table:
        table.sign_in("pia")
        assert table.view()["hands"]["player"] == ["9H"]
        assert table.view()["state"] in ("suspended", "halted"), "people are asked what it meant"
    cards = [step for step in steps(site) if step.get("event") == "card"]
    assert [step["card"] for step in cards][:1] == ["9H"]
    assert len(cards) <= 2
    assert audit.verify(site.journal, site.folder / "head").good


def test_the_self_test_is_recorded_before_a_device_is_heard(site: Site) -> None:
    with site.running() as table:
        table.wait_for_link("up")
    events = [step.get("event") for step in steps(site)]
    assert events.index("self_test") < events.index("link_up")


def test_asked_to_stop_it_says_so_loses_nothing_and_ends_well(site: Site, shoe: Emulated) -> None:
    with site.running() as table:
        table.to_dealing()
        shoe.do("draw", card="9H")
        table.wait_for(hands={"player": ["9H"], "banker": []})
        table.process.terminate()
        site.told(b"STOPPING=1")
        assert table.process.wait(LIMIT_S) == 0
    assert audit.verify(site.journal, site.folder / "head").good


def test_the_watchdog_is_fed_while_everything_moves_and_not_by_a_stopped_process(
    site: Site,
) -> None:
    with site.running(WATCHDOG_USEC="900000") as table:
        site.told(b"WATCHDOG=1")
        site.told(b"WATCHDOG=1")
        table.process.send_signal(signal.SIGSTOP)
        assert site.silent_for(2)  # six beats and more
        table.process.send_signal(signal.SIGCONT)
        site.told(b"WATCHDOG=1")


def test_a_failed_self_test_holds_the_table_and_opens_no_device(site: Site) -> None:
    site.configure("[checks]\nfree_disk_mb = 2000000000\n")
    with site.running() as table:
        table.sign_in("pia")
        found = table.ready()
        assert found["devices"] == []
        table.say("open_table")
        view = table.view("pit")
        assert [hold["what"] for hold in view["held"]] == ["self_test_failed"]
        assert checks_failed(view) == [["disk_space"]]


def checks_failed(view: dict[str, Any]) -> list[list[str]]:
    """What each notice about a self-test names."""
    notes = [note for note in view["notes"] if note["code"] == "self_test_failed"]
    return [note["gaps"]["checks"] for note in notes]


def test_a_configuration_that_was_changed_after_signing_refuses_the_start(site: Site) -> None:
    private, public = site.folder / "site.key", site.folder / "site.pub"
    signing.make_key(private, public)
    site.configure(f'[checks]\nsite_key = "{public}"\n')
    signature = site.file.with_name("table.toml.sig")
    signature.write_bytes(signing.sign(site.file.read_bytes(), private))
    with site.running():
        pass
    site.file.write_text(site.file.read_text().replace("chip_unit = 100", "chip_unit = 200"))
    assert "is not as it was signed" in refused_start(site)


def refused_start(site: Site) -> str:
    """What it says before it ends with the status after which systemd does not try again."""
    refused = programs.run_text("run", "--config", site.file)
    assert refused.returncode == 78
    return refused.stderr


def test_a_misspelt_key_refuses_the_start_for_good(site: Site) -> None:
    """As systemd starts it: what it ends with is what its interpreter ends with."""
    site.configure("prot = 8470\n")
    refused = subprocess.run(
        [*CONTROLLER, "run", "--config", str(site.file)],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert refused.returncode == 78
    assert "did you mean 'console.port'?" in refused.stderr
    assert refused_start(site) == refused.stderr


def test_a_table_begins_with_the_limits_it_is_to_display_and_one_that_has_begun_goes_on(
    site: Site,
) -> None:
    complete = site.file.read_text()
    lacking = complete.replace("minimum = 100\nmaximum = 1000000\n", "")
    assert lacking != complete
    site.file.write_text(lacking)
    assert "(clause 3.5.1)" in refused_start(site)
    assert not site.journal.exists()
    site.file.write_text(complete)
    with site.running():
        pass
    site.file.write_text(lacking)
    with site.running() as table:
        table.sign_in("pia")
        while "limits_not_displayed" not in [n["code"] for n in table.view("pit")["notes"]]:
            pass


def test_a_unit_that_nobody_enrolled_is_not_listened_to(site: Site) -> None:
    text = site.file.read_text()
    site.file.write_text(text.replace('asset = "SHOE-1"\n', ""))
    with site.running() as table:
        found = table.ready()
        assert found["devices"] == []
        assert found["stopped_by"]
        table.sign_in("pia")
        assert checks_failed(table.view("pit")) == [["shoe_enrolment"]]


def test_a_file_changed_while_the_table_runs_holds_play_and_a_good_check_lets_it_go_on(
    site: Site,
) -> None:
    private, public = site.folder / "site.key", site.folder / "site.pub"
    signing.make_key(private, public)
    site.configure(f'[checks]\nsite_key = "{public}"\nverify_every_h = 0.0001\n')
    good = site.file.read_bytes()
    site.file.with_name("table.toml.sig").write_bytes(signing.sign(good, private))
    with site.running() as table:
        table.sign_in("pia")
        table.say("open_table")
        table.wait_for(state="changing_shoe")
        site.file.write_bytes(good + b"# changed\n")
        table.wait_for(state="halted")
        assert checks_failed(table.view("pit")) == [["configuration"]]
        site.file.write_bytes(good)
        while table.view("pit")["held"][0]["what"] != "self_test_had_failed":
            pass
        table.say("resume", reason="checked")
        table.wait_for(state="changing_shoe")


def test_without_its_key_the_pages_say_why_and_with_it_the_table_goes_on(site: Site) -> None:
    with site.running() as table:
        table.sign_in("pia")
        table.say("open_table")
    key = site.folder / "key"
    key.rename(site.folder / "aside")
    with site.running() as table:
        found = table.http.get("/readyz")
        assert found.status_code == 503
        assert "put the key back" in found.json()["detail"]
        assert table.http.get("/dealer").status_code == 200
        (site.folder / "aside").rename(key)
        site.told(b"is up")
    assert audit.verify(site.journal, site.folder / "head").good


def test_what_the_night_found_reaches_the_pit(site: Site) -> None:
    loaded = config.load(site.file)
    bad = results.JobResult(time.time(), good=False, text="record 7 is damaged")
    results.keep(loaded, results.NIGHT, bad)
    with site.running() as table:
        table.sign_in("pia")
        while not (said := checks_failed(table.view("pit"))):
            pass
        assert said == [["night"]]
        assert table.ready()["stopped_by"]


def test_a_training_table_writes_to_a_journal_of_its_own_and_says_so(site: Site) -> None:
    with site.running():
        pass
    live = audit.verify(site.journal).head
    site.configure('[site]\nmode = "training"\n')
    with site.running() as table:
        table.to_dealing()
        assert table.view()["mode"] == "training"
    assert audit.verify(site.journal).head == live
    assert audit.verify(site.journal.with_name("journal.db.training")).head.seq > 2


def test_metrics_are_for_this_machine_and_tell_no_card(site: Site, shoe: Emulated) -> None:
    with site.running() as table:
        table.to_dealing()
        shoe.do("draw", card="9H")
        table.wait_for(hands={"player": ["9H"], "banker": []})
        text = table.http.get("/metrics").text
    assert 'sabot_cards_total{device="shoe"} 1.0' in text
    assert "sabot_journal_seconds_count" in text
    assert "9H" not in text


def test_two_people_put_another_unit_in_place_and_the_wrong_one_is_refused(site: Site) -> None:
    site.configure()
    text = site.file.read_text()
    site.file.write_text(text.replace(f'"serial {site.shoe}"', '"usb 0403:6001:A1"'))
    with site.running() as table:
        table.wait_for_link("lost")
        table.sign_in("pia")
        table.say("open_table")
        (shoe,) = table.http.get("/api/devices").json()["devices"]
        assert shoe["identity"] == f"serial {site.shoe}", "the pit is shown what is plugged in"
        unit = {"device": "shoe", "identity": shoe["identity"], "asset": "SHOE-2"}
        table.say("swap_device", reason="bench", **unit)
        table.sign_in("max")
        table.say("approve")
        table.wait_for_link("up")


def test_what_the_devices_say_is_captured_sealed_when_asked_for(site: Site, shoe: Emulated) -> None:
    site.configure(f'[logs]\ncapture = "{site.folder}/captures"\n')
    with site.running() as table:
        table.to_dealing()
        shoe.do("draw", card="9H")
        table.wait_for(hands={"player": ["9H"], "banker": []})
        table.process.terminate()
        assert table.process.wait(LIMIT_S) == 0
    (file,) = (site.folder / "captures").iterdir()
    came = b"".join(each.data for each in load(file, load_key(site.folder / "key")).moments)
    nine_of_hearts = b"D\x81\xc9"  # for the Player
    assert nine_of_hearts in came
    assert nine_of_hearts.hex().encode() not in file.read_bytes()


def test_service_sends_its_records_to_the_floor_and_goes_on_where_it_was_killed(
    site: Site, shoe: Emulated
) -> None:
    key = site.folder / "floor.pub"
    key.write_text(text_of(FLOOR.public) + "\n")
    with nats(site.folder / "broker") as broker, NatsFloor(broker.url) as floor:
        site.configure(
            f'[floor]\nurl = "{broker.url}"\nsite = "{NAME.site}"\ntable = "{NAME.table}"\n'
            f'floor_key = "{key}"\npit = "north"\npseudonyms = true\n'
        )
        with site.running() as table:
            table.to_dealing()
            shoe.do("draw", card="9H")
            table.wait_for(hands={"player": ["9H"], "banker": []})
            floor.until(lambda: floor.floor.head() == audit.head(site.journal))
            assert table.http.get("/api/devices").json()["floor"]["connected"]
            table.kill()
        with site.running() as table:
            table.sign_in("pia")
            floor.until(lambda: floor.floor.head() == audit.head(site.journal))
            table.process.terminate()
            assert table.process.wait(LIMIT_S) == 0
    beat = floor.beats[-1]
    assert (beat.pit, beat.title, beat.devices[0].name) == ("north", "table 1", "shoe")
    assert len({each.instance for each in floor.beats}) == 2
    records = list(audit.read(site.journal))
    assert [each.digest for each in floor.floor.rows] == [
        each.digest for each in records[: len(floor.floor.rows)]
    ]
