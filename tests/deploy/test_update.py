"""Another release in the middle of a shoe, and back again while that is still possible."""

from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.table_pc import TablePc
from deploy.wheels import other_release

pytestmark = pytest.mark.deploy


@pytest.fixture(scope="module")
def pc(boot: Callable[..., TablePc], tmp_path_factory: pytest.TempPathFactory) -> TablePc:
    """In mid-round, with two later releases at /later and /newer."""
    folder: Path = tmp_path_factory.mktemp("wheels")
    other_release(folder / "later", newer_records=False)
    other_release(folder / "newer", newer_records=True)
    pc = boot(binds={str(folder / each): f"/{each}" for each in ("later", "newer")})
    pc.install()
    pc.staff()
    pc.plug_in_shoe()
    pc.say(("open_table", {}))
    pc.go_on()
    pc.to_dealing()
    pc.shoe("draw", card="9H")
    pc.wait("the card is there", lambda: pc.cards() == ["9H"])
    return pc


def at_the_same_card(pc: TablePc) -> None:
    pc.wait_until_ready()
    assert pc.cards() == ["9H"]
    assert "as released" in pc.says("sabot verify-files")
    pc.go_on(cards=1)


def test_an_update_in_mid_round_goes_on_at_the_same_card(pc: TablePc) -> None:
    first = pc.says("readlink /opt/sabot/current")
    pc.install("--wheelhouse /later")
    assert pc.says("readlink /opt/sabot/current") != first
    assert "# another release" in pc.says("cat /etc/systemd/system/sabot.service")
    at_the_same_card(pc)


def test_a_rollback_brings_the_release_and_its_units_back(pc: TablePc) -> None:
    told = pc.says("/later/deploy/install.sh --rollback 2>&1")
    assert "this release reads the" in told
    assert "# another release" not in pc.says("cat /etc/systemd/system/sabot.service")
    at_the_same_card(pc)


def test_after_a_newer_record_a_rollback_is_refused_with_the_reason(pc: TablePc) -> None:
    pc.install("--wheelhouse /newer")
    at_the_same_card(pc)
    newer = pc.says("readlink /opt/sabot/current")
    refused = pc.run("/newer/deploy/install.sh --rollback 2>&1", check=False)
    assert refused.returncode == 1
    assert "a newer release has written to this journal" in refused.stdout
    assert pc.says("readlink /opt/sabot/current") == newer
    at_the_same_card(pc)


def test_only_this_release_and_the_one_before_are_kept(pc: TablePc) -> None:
    assert len(pc.says("ls /opt/sabot/releases").split()) == 2


def test_a_broken_configuration_is_refused_and_the_release_stays(pc: TablePc) -> None:
    before = pc.says("readlink /opt/sabot/current")
    pc.edit("/etc/sabot/table.toml", "chip_unit", "chips")
    refused = pc.run("/later/deploy/install.sh --wheelhouse /later 2>&1", check=False)
    assert refused.returncode == 1
    assert "did you mean 'money.chip_unit'" in refused.stdout
    assert pc.says("readlink /opt/sabot/current") == before
    pc.edit("/etc/sabot/table.toml", "chips", "chip_unit")


def test_a_changed_release_is_refused_and_nothing_of_it_is_run(pc: TablePc) -> None:
    before = pc.says("readlink /opt/sabot/current")
    pc.run("cp -r /later /root/evil && sed -i '2i touch /root/ran' /root/evil/deploy/install.sh")
    refused = pc.run(
        "/opt/sabot/current/deploy/install.sh --wheelhouse /root/evil 2>&1", check=False
    )
    assert refused.returncode == 1
    assert "deploy/install.sh: changed" in refused.stdout
    assert pc.run("ls /root/ran", check=False).returncode, "it was not run"
    assert pc.says("readlink /opt/sabot/current") == before
