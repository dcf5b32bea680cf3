"""The Debian package does what the installer does, and goes as it came."""

import subprocess
from collections.abc import Callable

import pytest

from deploy.nspawn import ROOT
from deploy.table_pc import CONFIG, WHEELS, TablePc

pytestmark = pytest.mark.deploy


@pytest.fixture(scope="module")
def pc(boot: Callable[..., TablePc], tmp_path_factory: pytest.TempPathFactory) -> TablePc:
    folder = tmp_path_factory.mktemp("deb")
    subprocess.run([ROOT / "deploy/deb.sh", WHEELS, folder], check=True, stdout=subprocess.DEVNULL)
    return boot(binds={str(folder): "/deb"})


def test_the_package_installs_and_serves(pc: TablePc) -> None:
    (pc.folder / "etc/sabot").mkdir()
    (pc.folder / "etc/sabot/table.toml").write_text(CONFIG)
    pc.run("dpkg -i /deb/sabot_*.deb 2>&1")
    pc.staff()
    pc.plug_in_shoe()
    assert "<html" in pc.says("curl -s http://127.0.0.1:8470/dealer")
    assert "as released" in pc.says("sabot verify-files")


def test_the_same_package_again_changes_nothing(pc: TablePc) -> None:
    before = pc.says("readlink /opt/sabot/current")
    pc.run("dpkg -i /deb/sabot_*.deb 2>&1")
    assert pc.says("readlink /opt/sabot/current") == before
    pc.wait("the shoe is back", lambda: pc.link() == "up")


def test_removed_it_leaves_the_journal_and_purged_nothing(pc: TablePc) -> None:
    pc.run("systemctl stop emulator; dpkg -r sabot 2>&1")
    assert pc.says("ls /var/lib/sabot/journal.db /etc/sabot/table.toml | wc -l") == "2"
    assert pc.run("ls /opt/sabot", check=False).returncode
    pc.run("dpkg -P sabot 2>&1")
    assert pc.run("ls -d /var/lib/sabot /etc/sabot", check=False).stdout == ""
    assert pc.run("id sabot", check=False).returncode
