"""A bare Debian without any network, the installer, and a year of trouble in a few minutes.

The tests of the machine follow each other, as its days would.
"""

from collections.abc import Callable

import pytest

from controller.upkeep import signing
from deploy.table_pc import CONFIG, FORMAT, TablePc

pytestmark = pytest.mark.deploy

BACK = """
import json, os, signal, sys, time, urllib.request
pid, card = int(sys.argv[1]), sys.argv[2]
os.kill(pid, signal.SIGKILL)
began = time.monotonic()
while True:
    try:
        with urllib.request.urlopen("http://127.0.0.1:8470/api/table", timeout=1) as answer:
            if json.load(answer)["view"]["hands"]["player"] == [card]:
                break
    except OSError:
        time.sleep(0.01)
print(f"{time.monotonic() - began:.2f}")
"""


@pytest.fixture(scope="module")
def pc(boot: Callable[[], TablePc]) -> TablePc:
    return boot()


def test_offline_install_ends_with_the_dealers_page(pc: TablePc) -> None:
    told = pc.install()
    assert "exposure level for sabot.service: 1.3" in told
    pc.staff()
    pc.plug_in_shoe()
    assert "<html" in pc.says("curl -s http://127.0.0.1:8470/dealer")
    assert pc.says("systemctl show -P User sabot") == "sabot"
    assert pc.says("stat -c %U:%a /var/lib/sabot /etc/sabot/table.toml") == "sabot:700\nroot:640"


def test_udev_takes_the_rules(pc: TablePc) -> None:
    """A USB adapter cannot be had here; what is wrong with a rule is told for any device."""
    told = pc.run("udevadm test /sys/class/tty/tty0 2>&1", check=False).stdout
    assert "70-sabot.rules" in told, told
    wrong = [line for line in told.splitlines() if "sabot.rules:" in line and "nvalid" in line]
    assert wrong == []


def test_a_second_install_changes_nothing_and_plays_on(pc: TablePc) -> None:
    state = "readlink /opt/sabot/current; ls /opt/sabot/releases; cat /etc/sabot/table.toml"
    before = pc.says(state)
    pc.install()
    assert pc.says(state) == before
    pc.wait("the shoe is back", lambda: pc.link() == "up")


def test_files_and_journal_are_whole_and_the_doctor_says_so(pc: TablePc) -> None:
    pc.say(("open_table", {}))
    pc.go_on()
    pc.run("systemctl start sabot-verify.service sabot-backup.service")
    assert "as released" in pc.says("sabot verify-night")
    page = pc.run("sabot doctor", check=False).stdout
    assert "all is well" in page, page
    pc.run("sabot support-bundle /tmp/bundle.zip && test -s /tmp/bundle.zip")


def test_killed_in_mid_round_it_is_back_at_the_same_card(pc: TablePc) -> None:
    pc.to_dealing()
    pc.shoe("draw", card="9H")
    pc.wait("the card is there", lambda: pc.cards() == ["9H"])
    (pc.folder / "root/back.py").write_text(BACK)
    took = [pc.says(f"python3 /root/back.py {pc.pid()} 9H") for _ in range(3)]
    print(f"\nkill -9 in mid-round until the same card shows: {', '.join(took)} s")  # noqa: T201
    pc.go_on(cards=1)


def test_a_hang_is_restarted_by_the_watchdog(pc: TablePc) -> None:
    before = pc.pid()
    pc.run(f"kill -STOP {before}")
    pc.wait("another process", lambda: pc.pid() not in (before, "0"))
    pc.wait_until_ready()
    assert pc.cards() == ["9H"]
    assert "Watchdog timeout" in pc.says("journalctl -u sabot -o cat -n 50")
    pc.go_on(cards=1)


def test_a_stop_loses_nothing_and_a_start_goes_on(pc: TablePc) -> None:
    pc.run("systemctl stop sabot")
    assert pc.says("systemctl show -P Result sabot") == "success"
    files = "/var/lib/sabot/journal.db --head /var/lib/sabot/head/journal.head"
    assert "every one follows" in pc.says(f"sabot journal verify {files}")
    pc.run("systemctl start sabot")
    assert pc.cards() == ["9H"]
    pc.go_on(cards=1)


def test_the_newest_backup_is_put_back_without_loss(pc: TablePc) -> None:
    pc.run("systemctl stop sabot")
    pc.run("/wheels/deploy/backup.sh")
    told = pc.says(f"/wheels/deploy/restore.sh {pc.newest_backup()}")
    assert "which ends at record" in told
    assert "are gone" not in told
    assert pc.cards() == ["9H"]
    assert pc.noted("journal_put_back")["record"] > 0
    assert "journal.db.before-" in pc.says("ls /var/lib/sabot"), "nothing is deleted"
    pc.go_on(cards=1)


def test_going_behind_the_last_record_takes_two_people_and_shows(pc: TablePc) -> None:
    pc.run("/wheels/deploy/backup.sh")
    backup = pc.newest_backup()
    pc.say(("suspend", {}), ("resume", {}))
    command = f"/wheels/deploy/restore.sh {backup}"
    for typed in ("", "pia\n0000\n", "pia\n246810\npia\n246810\n"):
        refused = pc.run(command, check=False, given=typed)
        assert refused.returncode == 1, refused
        assert "put back" not in refused.stdout
    pc.wait_until_ready()
    told = pc.run(command, given="pia\n246810\nmax\n246810\n").stdout
    assert "pia and max put back" in told
    assert pc.noted("journal_restored")["lost"] > 0
    assert pc.cards() == ["9H"]
    pc.go_on(cards=1)


def test_a_flipped_byte_in_an_installed_file_refuses_the_start(pc: TablePc) -> None:
    with pc.flipped_byte():
        bad = pc.run("sabot verify-files", check=False)
        assert bad.returncode == 1
        assert f"{FORMAT}: changed" in bad.stderr
        pc.run("systemctl restart sabot", check=False)
        pc.wait("it has given up", lambda: pc.says("systemctl is-failed sabot || true") == "failed")
        assert pc.says("systemctl show -P ExecMainStatus sabot") == "78"
        assert pc.says("systemctl show -P NRestarts sabot") == "0"
    pc.run("systemctl restart sabot")
    assert pc.cards() == ["9H"]


def test_the_daily_check_holds_a_running_table(pc: TablePc) -> None:
    pc.edit("/etc/sabot/table.toml", "[checks]", "[checks]\nverify_every_h = 0.001")
    pc.run("systemctl restart sabot")
    pc.wait("the shoe is up", lambda: pc.link() == "up")
    pc.go_on(cards=1)
    with pc.flipped_byte():
        pc.wait("play is held", lambda: pc.held() == ["self_test_failed"])
        assert "installed_files" in pc.noted("self_test_failed")["checks"]
    pc.wait("it is good again", lambda: pc.held() == ["self_test_had_failed"])
    pc.edit("/etc/sabot/table.toml", "[checks]\nverify_every_h = 0.001", "[checks]")
    pc.run("systemctl restart sabot")
    pc.go_on(cards=1)


def test_a_configuration_that_the_site_did_not_sign_refuses_the_start(pc: TablePc) -> None:
    etc = pc.folder / "etc/sabot"
    key = pc.folder.parent / "site.key"
    signing.make_key(key, etc / "site.pub")
    pc.edit("/etc/sabot/table.toml", "[checks]", '[checks]\nsite_key = "/etc/sabot/site.pub"')
    (etc / "table.toml.sig").write_bytes(signing.sign((etc / "table.toml").read_bytes(), key))
    pc.run("systemctl restart sabot")
    assert "as the site signed it" in pc.says("sabot verify-files")
    pc.edit("/etc/sabot/table.toml", "chip_unit = 100", "chip_unit = 500")
    refused = pc.run("systemctl restart sabot", check=False)
    assert refused.returncode
    assert pc.says("systemctl show -P ExecMainStatus sabot") == "78"
    assert "is not as it was signed" in pc.says("journalctl -u sabot -o cat -n 5")
    (etc / "table.toml").write_text(CONFIG)
    assert pc.run("systemctl restart sabot", check=False).returncode, "the line out is no way out"
    pc.run("rm /etc/sabot/table.toml.sig /etc/sabot/site.pub")
    pc.run("systemctl restart sabot")


def test_a_swapped_adapter_is_refused_until_two_people_put_it_in_place(pc: TablePc) -> None:
    mine, other = '"serial /run/emulator/shoe"', '"usb 0403:6001:A1"'
    pc.edit("/etc/sabot/table.toml", mine, other)
    pc.run("systemctl restart sabot")
    pc.wait("it is refused", lambda: "enrolled is usb 0403:6001:A1" in pc.link())
    pc.say(("count", {"cards": 1}), ("answer", {"value": False}))
    unit: dict[str, object] = {"device": "shoe", "identity": "serial /run/emulator/shoe"}
    pc.say(("swap_device", {**unit, "asset": "SHOE-2", "reason": "a spare one"}))
    pc.say(("approve", {}), who="max")
    pc.wait("the new one is taken", lambda: pc.link() == "up")
    pc.edit("/etc/sabot/table.toml", other, mine)
    pc.go_on(cards=1)


def test_a_full_disk_stops_the_table_says_so_and_nothing_is_lost(pc: TablePc) -> None:
    pc.run(
        "systemctl stop sabot && mv /var/lib/sabot /var/lib/sabot.kept && mkdir /var/lib/sabot && "
        "mount -t tmpfs -o size=64m,mode=700,uid=sabot,gid=sabot none /var/lib/sabot && "
        "cp -a /var/lib/sabot.kept/. /var/lib/sabot/ && systemctl start sabot"
    )
    pc.wait("the shoe is up", lambda: pc.link() == "up")
    pc.go_on(cards=1)
    pc.run("dd if=/dev/zero of=/var/lib/sabot/ballast bs=4k 2>/dev/null", check=False)
    pc.shoe("draw", card="2C")
    pc.wait("the pages say so", lambda: "cannot go on" in str(pc.ready().get("detail")))
    assert "disk" in pc.ready()["detail"]
    assert int(pc.says("systemctl show -P NRestarts sabot")) <= 3, "it does not run in circles"
    pc.run("rm /var/lib/sabot/ballast")
    pc.wait("devices are opened", lambda: pc.link() == "up")
    assert pc.cards() == ["9H"]
    files = "/var/lib/sabot/journal.db --head /var/lib/sabot/head/journal.head"
    told = pc.run(f"sabot journal verify {files}", check=False)
    assert "every one follows" in told.stdout
    assert told.returncode == 3, "it was put back behind its last record, and that stays told"
    pc.run(
        "systemctl stop sabot && cp -a /var/lib/sabot/. /var/lib/sabot.kept/ && "
        "umount /var/lib/sabot && rmdir /var/lib/sabot && "
        "mv /var/lib/sabot.kept /var/lib/sabot && systemctl start sabot"
    )


def test_a_report_of_the_day_is_printed(pc: TablePc) -> None:
    assert "Table stops by clause" in pc.says("sabot report day")
    assert "<svg" in pc.says("sabot report shift --as html")


def test_uninstall_keeps_the_journal_and_purge_leaves_nothing(pc: TablePc) -> None:
    pc.run("/wheels/deploy/install.sh --uninstall")
    assert pc.says("ls /var/lib/sabot/journal.db /etc/sabot/table.toml | wc -l") == "2"
    assert pc.run("ls /opt/sabot /etc/systemd/system/sabot.service", check=False).returncode
    pc.run("systemctl stop emulator; /wheels/deploy/install.sh --uninstall --purge")
    left = pc.says(
        "find / -xdev -iname '*sabot*' -not -path '/wheels*' -not -path '/proc/*' || true"
    )
    assert left == ""
    assert pc.run("id sabot", check=False).returncode
