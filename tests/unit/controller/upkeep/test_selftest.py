"""What must be right before a device is talked to: each wrong thing gets its own sentence."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from controller.config.file import DEMO, Config, Device, JournalPaths
from controller.messages.catalogue import ENGLISH, SHIPPED, catalogue
from controller.upkeep import nightly, results, selftest
from controller.upkeep.selftest import CheckResult, Grade, Machine
from support.journal.journals import opened, step

NOW = 2_000_000_000.0
MADE = 1_700_000_000.0


@pytest.fixture
def config(tmp_path: Path) -> Config:
    with opened(tmp_path) as journal:
        journal.append(step(1))
    key = tmp_path / "journal.key"
    key.write_bytes(bytes(32))
    key.chmod(0o600)
    files = JournalPaths(str(tmp_path / "journal.db"), str(tmp_path / "head.json"), str(key))
    return msgspec.structs.replace(DEMO, journal=files)


def machine(**says: object) -> Machine:
    plenty = {"now": lambda: NOW, "free_disk": lambda _: 10**12, "free_memory": lambda: 10**10}
    return Machine(**{**plenty, **says})  # type: ignore[arg-type]


def found(config: Config, machine: Machine, check: str) -> CheckResult:
    return {each.check: each for each in selftest.run(config, machine, MADE)}[check]


def test_a_machine_in_order_passes_every_check(config: Config) -> None:
    passed = selftest.run(config, machine(), MADE)
    assert [each.grade for each in passed] == [Grade.GOOD] * len(passed)
    assert len({each.check for each in passed}) == len(passed) >= 6


def test_a_live_table_without_an_electronic_shoe_has_no_unit_to_confirm(config: Config) -> None:
    live = msgspec.structs.replace(config.site, mode="live")
    site = msgspec.structs.replace(config, site=live, shoe=Device("shoe_by_hand", ""))
    passed = selftest.run(site, machine(), MADE)
    assert [each for each in passed if each.grade is Grade.BAD] == []
    with_unit = msgspec.structs.replace(site, shoe=Device("shoe_angel_eye", "/dev/sabot-shoe"))
    assert found(with_unit, machine(), "shoe_enrolment").grade is Grade.BAD


@pytest.mark.parametrize("language", SHIPPED)
def test_every_check_that_can_hold_the_table_has_a_name_in_every_language(
    language: str, config: Config, tmp_path: Path
) -> None:
    live = msgspec.structs.replace(config.site, mode="live")
    device = Device("shoe_angel_eye", "/dev/sabot-shoe")
    site = msgspec.structs.replace(config, site=live, shoe=device, shuffler=device)
    checks = {each.check for each in selftest.run(site, machine(), MADE)}
    checks |= {each.what for each in nightly.check_files(site, tmp_path / "table.toml")}
    checks |= {job.name for job in results.JOBS}
    names = catalogue(language).names["check"]
    assert checks == set(names)
    if language != ENGLISH:
        assert not set(names.values()) & checks


def spoil_key(config: Config) -> None:
    Path(config.journal.key).chmod(0o644)


def lose_key(config: Config) -> None:
    Path(config.journal.key).unlink()


BAD: dict[str, tuple[str, Machine, Callable[[Config], None] | None, str]] = {
    "a full disk": ("disk_space", machine(free_disk=lambda _: 5), None, "500 MB are needed"),
    "no memory": ("memory", machine(free_memory=lambda: 5), None, "100 MB are needed"),
    "a clock before the release": ("clock", machine(now=lambda: 5.0), None, "timedatectl"),
    "a key others may read": ("key_file", machine(), spoil_key, "chmod 600"),
    "a lost key": ("key_file", machine(), lose_key, "Put it back"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_wrong_stops_the_start_and_says_what_to_do(what: str, config: Config) -> None:
    check, says, spoil, told = BAD[what]
    if spoil is not None:
        spoil(config)
    result = found(config, says, check)
    assert result.grade is Grade.BAD
    assert told in str(result)
    assert result in selftest.bad(selftest.run(config, says, MADE))


def test_a_folder_that_is_not_there_is_bad(config: Config, tmp_path: Path) -> None:
    away = msgspec.structs.replace(config.journal, head=str(tmp_path / "gone" / "head"))
    moved = msgspec.structs.replace(config, journal=away)
    assert found(moved, machine(), "head_disk").grade is Grade.BAD


def test_a_clock_behind_the_journal_is_told_and_does_not_stop(config: Config) -> None:
    lagging = found(config, machine(now=lambda: 900.0), "clock")
    assert lagging.grade is Grade.BAD, "900 is before the release too"
    with_old_release = {r.check: r for r in selftest.run(config, machine(now=lambda: 900.0), 0.0)}
    assert with_old_release["clock"].grade is Grade.WARNING
    assert "100 s behind" in with_old_release["clock"].text


@pytest.mark.parametrize(("there", "grade"), [(True, Grade.GOOD), (False, Grade.WARNING)])
def test_a_port_that_is_missing_is_told_before_it_is_opened(
    config: Config, there: bool, grade: Grade
) -> None:
    shoe = Device("shoe_angel_eye", "/dev/sabot-shoe")
    with_shoe = msgspec.structs.replace(config, shoe=shoe)
    assert found(with_shoe, machine(port_there=lambda _: there), "shoe_port").grade is grade


def test_this_machine_tells_its_own_memory_and_disk(tmp_path: Path) -> None:
    real = Machine(now=lambda: NOW)
    assert real.free_memory() > 0
    assert real.free_disk(tmp_path) > 0
