"""Power lost after every change of the disk, unsynced sectors torn: what was acknowledged stays."""

import os
import random
import shutil
from pathlib import Path

import pytest

from support.journal.journal_writer import assert_survived, work
from support.journal.power_cut import PowerCutDisk


def cut_everywhere(tmp_path: Path, records: int, seed: int) -> int:
    """How many images were looked at."""
    rng = random.Random(seed)
    live, images = tmp_path / "live", tmp_path / "images"
    live.mkdir()
    images.mkdir()
    acknowledged: list[int] = []
    count = 0

    def cut(disk: PowerCutDisk) -> None:
        nonlocal count
        count += 1
        folder = images / str(count)
        disk.image(folder, rng)
        if (live / "head.json").exists():
            shutil.copy(live / "head.json", folder)
        (folder / "acknowledged").write_text(" ".join(map(str, acknowledged)))

    disk = PowerCutDisk(f"power-cut-{seed}", cut)
    work(live, records, acknowledged.append, disk.name)
    work(live, 3, acknowledged.append, disk.name)
    disk.unregister()
    for folder in sorted(images.iterdir()):
        seen = [int(each) for each in (folder / "acknowledged").read_text().split()]
        length = assert_survived(folder, seen)
        work(folder, 2, lambda _: None)
        assert_survived(folder, list(range(1, length + 3)))
    shutil.rmtree(images)
    shutil.rmtree(live)
    return count


@pytest.mark.usefixtures("small_log")
def test_power_cut_at_every_change_of_the_disk(tmp_path: Path) -> None:
    assert cut_everywhere(tmp_path, 25, seed=1) > 100


@pytest.mark.second_tier
@pytest.mark.usefixtures("small_log")
def test_power_cut_at_every_change_under_many_seeds(tmp_path: Path) -> None:
    first = int(os.environ.get("SABOT_SEED", "100"))
    assert sum(cut_everywhere(tmp_path, 60, seed) for seed in range(first, first + 40)) > 8000
