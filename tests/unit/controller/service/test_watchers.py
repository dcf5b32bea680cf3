"""What is watched beside a table, with a clock that tests turn and no table behind it."""

from pathlib import Path

import pytest

from controller.config import file as config
from controller.config.file import Config
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.runtime.loop import Clock
from controller.service.watchers import ClockWatch, FileWatch, Holding, MisreadWatch, ResultWatch
from controller.table.commands.device_events import ClockSteppedEvent, NoticeEvent, SelfTestEvent
from controller.table.commands.registry import Payload
from controller.upkeep import results, signing
from controller.upkeep.results import JobResult
from controller.views.structs.devices import DeviceView
from support.rows import each_row

NOW = 1_795_000_000.0


class Told(list[Payload]):
    """Everything that the table was told."""

    def __call__(self, word: Payload) -> None:
        self.append(word)


class Hands:
    """A clock with hands."""

    def __init__(self) -> None:
        self.steady, self.wall = 100.0, NOW
        self.clock = Clock(lambda: self.steady, lambda: self.wall)

    def pass_by(self, seconds: float) -> None:
        self.steady += seconds
        self.wall += seconds


@pytest.fixture
def site(tmp_path: Path) -> tuple[Config, Path]:
    """A configuration with the site's signature."""
    signing.make_key(tmp_path / "site.key", tmp_path / "site.pub")
    file = tmp_path / "table.toml"
    file.write_text(
        f'[table]\nrulebook = "mbs-baccarat-8"\n[money]\nchip_unit = 100\n'
        f'[journal]\npath = "{tmp_path}/journal.db"\n[checks]\nsite_key = "{tmp_path}/site.pub"\n'
    )
    signature = file.with_name("table.toml.sig")
    signature.write_bytes(signing.sign(file.read_bytes(), tmp_path / "site.key"))
    return config.load(file), file


@each_row("jump, told", [(1.9, []), (2.1, [2.1]), (-3600.0, [-3600.0])])
def test_a_clock_that_jumps_is_told_once_and_passing_time_is_no_jump(
    jump: float, told: list[float]
) -> None:
    hands, heard = Hands(), Told()
    watch = ClockWatch(hands.clock, 2.0, heard)
    hands.pass_by(86_400)
    watch.look()
    hands.wall += jump
    watch.look()
    watch.look()
    assert heard == [ClockSteppedEvent(seconds=step) for step in told]


def test_files_are_checked_when_it_is_time_and_hold_the_table_until_they_are_good(
    site: tuple[Config, Path],
) -> None:
    hands, heard = Hands(), Told()
    loaded, file = site
    good = file.read_text()
    watch = FileWatch(loaded, file, hands.clock, Holding(heard))

    def a_day_later() -> None:
        hands.pass_by(24 * 3600)
        watch.look()
        assert watch.checking is not None
        watch.checking.join(60)

    file.write_text(good + "# changed\n")
    watch.look()
    assert watch.checking is None, "it is not time yet"
    a_day_later()
    assert heard == [SelfTestEvent(bad=("configuration",))]
    a_day_later()
    assert len(heard) == 1, "said once"
    file.write_text(good)
    a_day_later()
    assert heard[1:] == [SelfTestEvent()]


def test_a_bad_night_holds_the_table_until_a_good_one(site: tuple[Config, Path]) -> None:
    hands, heard = Hands(), Told()
    watch = ResultWatch(site[0], hands.clock, Holding(heard), heard)
    watch.look()
    assert heard == [], "nothing has run yet"
    results.keep(site[0], results.NIGHT, JobResult(NOW, good=False, text="record 7 is damaged"))
    watch.look()
    assert heard == [], "not looked at every time"
    for _ in range(2):
        hands.pass_by(60)
        watch.look()
    failed = sentence(Code.JOB_FAILED, job=results.NIGHT)
    assert heard == [SelfTestEvent(bad=(results.NIGHT,)), NoticeEvent(note=failed)]
    results.keep(site[0], results.NIGHT, JobResult(NOW + 60, good=True, text="all good"))
    hands.pass_by(60)
    watch.look()
    assert heard[2:] == [SelfTestEvent()]


def test_a_backup_that_failed_or_came_to_an_end_is_told_and_holds_nothing(
    site: tuple[Config, Path],
) -> None:
    hands, heard = Hands(), Told()
    watch = ResultWatch(site[0], hands.clock, Holding(heard), heard)
    results.keep(site[0], results.BACKUP, JobResult(NOW, good=False, text="disk full"))
    watch.look()
    results.keep(site[0], results.BACKUP, JobResult(NOW, good=True, text="12 records"))
    hands.pass_by(3600)
    watch.look()
    hands.pass_by(3 * 86_400)
    watch.look()
    watch.look()
    assert heard == [
        NoticeEvent(note=sentence(Code.JOB_FAILED, job=results.BACKUP)),
        NoticeEvent(note=sentence(Code.JOB_LATE, job=results.BACKUP, days=3)),
    ]


def test_two_who_find_something_wrong_do_not_take_back_each_others_word() -> None:
    heard = Told()
    holding = Holding(heard)
    holding.found("files", ["a file"])
    holding.found("night", ["the journal"])
    holding.found("files", [])
    holding.found("night", [])
    holding.found("night", [])
    bad = [("a file",), ("a file", "the journal"), ("the journal",), ()]
    assert heard == [SelfTestEvent(bad=each) for each in bad]


def test_a_device_above_the_set_rate_is_flagged_once() -> None:
    heard, counts = Told(), {"CardRead": 900, "ReadFailed": 2, "LinkUp": 1}
    watch = MisreadWatch(
        lambda: [DeviceView("shoe", "", "", "up", counts, [], "", "", [])], 5.0, heard
    )
    watch.look()
    counts["ReadFailed"] = 4
    watch.look()
    assert heard == [], "4 of 904 is no more than 5 in a thousand"
    counts["ReadFailed"] = 5
    watch.look()
    watch.look()
    assert heard == [
        NoticeEvent(note=sentence(Code.DEVICE_MISREADS, device="shoe", misreads=5, cards=905))
    ]
