"""What somebody at the table PC can do and what is noticed: sealed keys, a second program on the
journal, the disk in another PC, and the end of the machine's service.

The tests of the machine follow each other, as its days would.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

import pytest

from deploy.table_pc import PIN, TablePc

pytestmark = pytest.mark.deploy

JOURNAL: Final = "/var/lib/sabot/journal.db"
KEYS: Final = "/var/lib/sabot/keys"
TWO: Final = f"gus\n{PIN}\nzoe\n{PIN}\n"
VERIFY: Final = f"sabot journal verify {JOURNAL} --config /etc/sabot/table.toml"


@pytest.fixture(scope="module")
def pc(boot: Callable[[], TablePc]) -> TablePc:
    """In mid-round, at its first card."""
    pc = boot()
    pc.install()
    pc.staff()
    pc.run("sabot staff add gus --role gaming_shift_manager --secret-stdin", given=f"{PIN}\n")
    pc.run("sabot staff add zoe --role gaming_shift_manager --secret-stdin", given=f"{PIN}\n")
    pc.plug_in_shoe()
    pc.say(("open_table", {}))
    pc.go_on()
    pc.to_dealing()
    pc.shoe("draw", card="9H")
    pc.wait("the card is there", lambda: pc.cards() == ["9H"])
    return pc


def test_the_service_leaves_no_core_and_is_traced_by_nobody(pc: TablePc) -> None:
    pid = pc.pid()
    limits = pc.says(f"grep 'Max core file size' /proc/{pid}/limits")
    assert limits.split()[4:6] == ["0", "0"]
    owner = pc.says(f"stat -c %U /proc/{pid}/mem")
    assert owner == "root", "a program that may not be dumped belongs to root in /proc"


def test_keys_are_sealed_by_the_machine_and_the_round_goes_on(pc: TablePc) -> None:
    pc.run("systemctl stop sabot")
    told = pc.says("/opt/sabot/current/deploy/keys.sh --seal --with host")
    assert "journal.key" in told
    assert "journal.signing" in told
    assert pc.says(f"ls {KEYS}") == ""
    pc.run("systemctl start sabot")
    assert pc.cards() == ["9H"]
    pc.go_on(cards=1)
    pc.run("systemctl start sabot-verify.service")
    assert "every one follows" in pc.says(VERIFY)


def test_sealed_keys_are_opened_again_as_files(pc: TablePc) -> None:
    pc.run("systemctl stop sabot")
    pc.run(f"/opt/sabot/current/deploy/keys.sh --open {KEYS}")
    assert pc.says(f"stat -c %U:%a {KEYS}/journal.key {KEYS}/journal.signing") == (
        "sabot:600\nsabot:600"
    )
    assert pc.run("ls /etc/credstore.encrypted/sabot", check=False).returncode
    pc.run("systemctl start sabot")
    assert pc.cards() == ["9H"]
    pc.go_on(cards=1)


def test_a_second_program_on_the_journal_is_refused_and_the_table_plays_on(pc: TablePc) -> None:
    second = pc.run("timeout 60 sabot run --config /etc/sabot/table.toml 2>&1", check=False)
    assert second.returncode not in (0, 124), second.stdout
    assert "a journal has one writer" in second.stdout, second.stdout
    assert pc.cards() == ["9H"]
    assert pc.say()["state"] == "dealing"


def test_the_disk_in_another_pc_is_held_until_two_people_say_so(pc: TablePc) -> None:
    pc.run("systemctl stop sabot")
    pc.run("systemd-id128 new > /etc/machine-id.new && cat /etc/machine-id.new > /etc/machine-id")
    pc.run("systemctl start sabot")
    pc.wait_until_ready()
    assert "journal_loss" in pc.held()
    assert pc.noted("machine_is_another")["before"]
    pc.go_on(cards=1)
    assert pc.cards() == ["9H"]
    assert pc.run(VERIFY, check=False).returncode == 3, "that stays told"


def has_more_cards(pc: TablePc, before: int) -> bool:
    return len(pc.say()["cards"]) > before


def test_out_of_service_the_journal_is_proven_elsewhere_and_the_keys_are_gone(pc: TablePc) -> None:
    for card in ("2C", "KS", "5D"):
        before = len(pc.say()["cards"])
        pc.shoe("draw", card=card)
        pc.wait("the card is there", partial(has_more_cards, pc, before))
    pc.say(("announce", {}), ("settle", {}))
    pc.run("systemctl stop sabot && install -d -o sabot /mnt/safe")
    denied = pc.run("sabot retire /root/out 2>&1", check=False, given=TWO)
    assert "/root/out cannot be made" in denied.stdout
    retire = "sabot retire /mnt/safe/out"
    alone = f"gus\n{PIN}\ngus\n{PIN}\n"
    assert pc.run(retire, check=False, given=alone).returncode == 1
    assert pc.says(f"ls {KEYS}/journal.key {KEYS}/journal.signing").count("\n") == 1
    told = pc.run(retire, given=TWO).stdout
    assert "proven" in told
    assert "destroyed" in told
    assert pc.run(f"ls {KEYS}/journal.key {KEYS}/journal.signing", check=False).returncode
    copy = pc.says("ls /mnt/safe/out/*.db")
    found = pc.run(f"sabot journal verify {copy}", check=False)
    assert found.returncode == 3, "whole, with the loss that was recorded above"
    assert "a copy without sealed cards" in found.stdout
