"""A floor on a bare Debian with Debian's own PostgreSQL and NATS, and a table that sends to it.

The tests of the machine follow each other, as its days would. It has no network: floor and table
are installed from their folders, and speak by loopback under the site's certificates.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.nspawn import BASE, ROOT, make_base
from deploy.table_pc import CONFIG, TablePc

pytestmark = pytest.mark.deploy

FLOOR_WHEELS = ROOT / "dist" / "floor-wheelhouse"
INSTALL = "/floor-wheels/deploy/floor/install.sh"
FLOOR_BASE = BASE.with_name("floor")
HEAD = "SELECT seq FROM floor.head WHERE table_id = 'bac-07'"


@pytest.fixture(scope="module")
def pc(boot: Callable[..., TablePc]) -> TablePc:
    assert (FLOOR_WHEELS / "requirements-floor.lock").exists(), "make floor-wheelhouse first"
    make_base(FLOOR_BASE, "postgresql", "nats-server")
    return boot(binds={str(FLOOR_WHEELS): "/floor-wheels"}, base=FLOOR_BASE)


def floor_pid(pc: TablePc) -> str:
    return pc.says("systemctl show -P MainPID sabot-floor")


def floor_lives(pc: TablePc) -> bool:
    return "lives" in pc.run("curl -s http://127.0.0.1:8480/healthz", check=False).stdout


def kept(pc: TablePc) -> int:
    """How far the floor has the table's records; 0 while its database does not answer."""
    found = pc.run(f'runuser -u postgres -- psql -qtAc "{HEAD}" sabot_floor', check=False).stdout
    return int(found.strip() or 0)


def play_a_little(pc: TablePc) -> None:
    pc.say(("suspend", {}), ("resume", {}))


def all_is_there(pc: TablePc) -> None:
    """Whatever the table has written up to now comes to the floor, each record once. It goes on
    writing, so a copy of its journal is taken anew for each look."""
    play_a_little(pc)

    def same() -> bool:
        pc.run("/opt/sabot/current/deploy/backup.sh")
        pc.run(f"install -m 600 -o sabot-floor {pc.newest_backup()} /tmp/journal.db")
        told = pc.run("sabot-floor compare bac-07 /tmp/journal.db 2>&1", check=False).stdout
        return "each once and with the same digest" in told and "not sent yet" not in told

    pc.wait("the floor has every record", same)


def test_install_brings_up_database_broker_and_floor(pc: TablePc) -> None:
    told = pc.says(f"{INSTALL} --wheelhouse /floor-wheels --site marina --host localhost 2>&1")
    assert "COMPARE THE KEY WITH YOUR PAPER" in told
    assert "exposure level for sabot-floor.service" in told
    pc.wait("the pages are there", lambda: floor_lives(pc))
    for unit in ("postgresql", "sabot-floor-broker", "sabot-floor", "sabot-floor-backup.timer"):
        assert pc.says(f"systemctl is-active {unit}") == "active"
    assert pc.says("stat -c %U:%a /var/lib/sabot-floor /etc/sabot-floor/floor.toml") == (
        "sabot-floor:700\nroot:640"
    )


def test_a_second_install_changes_nothing(pc: TablePc) -> None:
    state = (
        "ls /opt/sabot-floor/releases;"
        " cat /etc/sabot-floor/floor.toml /etc/postgresql/*/main/pg_*.conf;"
        " sha256sum /var/lib/sabot-floor/site/*.crt /var/lib/sabot-floor/floor.pub"
    )
    before = pc.says(state)
    pc.run(f"{INSTALL} --wheelhouse /floor-wheels --host localhost")
    assert pc.says(state) == before


def test_a_changed_release_is_refused_and_nothing_of_it_is_run(pc: TablePc) -> None:
    before = pc.says("readlink /opt/sabot-floor/venv")
    evil = "/root/evil/deploy/floor/install.sh"
    pc.run(f"cp -r /floor-wheels /root/evil && sed -i '2i touch /root/ran' {evil}")
    refused = pc.run(
        "/opt/sabot-floor/deploy/floor/install.sh --wheelhouse /root/evil 2>&1; rm -r /root/evil",
        check=False,
    )
    assert "deploy/floor/install.sh: changed" in refused.stdout
    assert pc.run("ls /root/ran", check=False).returncode, "it was not run"
    assert pc.says("readlink /opt/sabot-floor/venv") == before


def test_an_enrolled_table_sends_its_records(pc: TablePc) -> None:
    section = pc.says(
        "sabot-floor enrol bac-07 --title 'Baccarat 7' --pit north"
        " --out /var/lib/sabot-floor/bac-07"
    )
    section = section[section.index("[floor]") :]
    pc.install(config=CONFIG + section + "\n")
    pc.run(
        "install -m 640 -o root -g sabot /var/lib/sabot-floor/bac-07/* /etc/sabot/"
        " && rm -r /var/lib/sabot-floor/bac-07 && systemctl restart sabot"
    )
    pc.staff()
    pc.plug_in_shoe()
    pc.say(("open_table", {}))
    pc.go_on()
    pc.to_dealing()
    pc.wait("records come", lambda: kept(pc) > 0)
    all_is_there(pc)


def test_a_killed_floor_is_back_and_hears_the_table(pc: TablePc) -> None:
    before = floor_pid(pc)
    pc.run(f"kill -9 {before}")
    pc.wait("another process", lambda: floor_pid(pc) not in (before, "0"))
    pc.wait("the pages are there", lambda: floor_lives(pc))
    all_is_there(pc)


def test_a_killed_database_is_back_and_has_everything(pc: TablePc) -> None:
    main = 'systemctl show -P MainPID "postgresql@$(ls /etc/postgresql)-main"'
    before = pc.says(main)
    pc.run(f"kill -9 {before}")
    pc.wait("another process", lambda: pc.says(main) not in (before, "0"))
    all_is_there(pc)
    assert floor_lives(pc)


def test_a_killed_broker_is_back(pc: TablePc) -> None:
    pc.run("kill -9 $(systemctl show -P MainPID sabot-floor-broker)")
    all_is_there(pc)


def test_a_hang_is_restarted_by_the_watchdog(pc: TablePc) -> None:
    before = floor_pid(pc)
    pc.run(f"kill -STOP {before}")
    pc.wait("another process", lambda: floor_pid(pc) not in (before, "0"))
    all_is_there(pc)


def test_backup_is_made_tried_and_put_back(pc: TablePc) -> None:
    pc.run("systemctl start sabot-floor-backup.service")
    (dump,) = pc.says("ls /var/backups/sabot-floor/*.dump").splitlines()
    assert "restored and looked at" in pc.says("journalctl -o cat -u sabot-floor-backup")
    play_a_little(pc)  # this is in no backup
    pc.run("systemctl stop sabot-floor")
    as_owner = "runuser -u postgres --"
    pc.run(
        f"{as_owner} dropdb sabot_floor && {as_owner} createdb -O floor_owner sabot_floor"
        f" && {as_owner} pg_restore --exit-on-error --dbname=sabot_floor {dump}"
    )
    pc.run("systemctl start sabot-floor")
    all_is_there(pc)


def test_old_months_go_by_their_own_unit(pc: TablePc) -> None:
    pc.run("systemctl start sabot-floor-archive.service")
    assert pc.says("systemctl show -P Result sabot-floor-archive.service") == "success"


def test_uninstalled_it_leaves_the_records(pc: TablePc) -> None:
    before = kept(pc)
    assert "the records stay" in pc.says(f"{INSTALL} --uninstall")
    assert pc.run("systemctl is-active sabot-floor", check=False).stdout.strip() != "active"
    assert kept(pc) == before
    assert Path(pc.folder / "var/lib/sabot-floor/floor.signing").exists()
