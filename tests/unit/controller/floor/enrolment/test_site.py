"""A site's folder: made once, keys for their owner alone, every identity given once."""

import hashlib
import json
import os
import stat
from pathlib import Path

import pytest

from controller.floor.enrolment import site as enrolment
from controller.floor.enrolment.authority import EnrolError
from controller.floor.enrolment.site import SiteFolder
from controller.protocol.names import BadName

NOW, DAY = 1_794_000_000.0, 86400.0
SIGNING = b"s" * 32


@pytest.fixture
def site(tmp_path: Path) -> SiteFolder:
    found = SiteFolder(tmp_path / "site")
    found.init("sands", ["broker.sands.example", "10.0.0.7"], "0.0.0.0:4222", NOW)
    return found


def test_everything_secret_is_for_its_owner_alone(site: SiteFolder) -> None:
    assert stat.S_IMODE(site.folder.stat().st_mode) == 0o700
    for name in ("ca.key", "broker.key", "floor.key", "enrolled.json", "nats.conf"):
        assert stat.S_IMODE((site.folder / name).stat().st_mode) == 0o600, name


def test_an_authority_is_made_once(site: SiteFolder, tmp_path: Path) -> None:
    before = (site.folder / "ca.key").read_bytes()
    with pytest.raises(EnrolError, match="has an authority already"):
        site.init("sands", ["x"], "0.0.0.0:4222", NOW)
    assert (site.folder / "ca.key").read_bytes() == before
    empty = SiteFolder(tmp_path / "empty")
    with pytest.raises(EnrolError, match="no authority yet"):
        empty.enrol("bac-01", SIGNING, NOW)
    with pytest.raises(EnrolError, match="by which names"):
        empty.init("sands", [], "0.0.0.0:4222", NOW)
    with pytest.raises(BadName):
        empty.init("Sands.1", ["x"], "0.0.0.0:4222", NOW)


def test_a_table_gets_what_it_needs_and_the_floor_keeps_no_key_of_it(
    site: SiteFolder, tmp_path: Path
) -> None:
    given = site.enrol("bac-01", SIGNING, NOW)
    assert set(given.files) == {
        "floor-ca.crt",
        "floor.crt",
        "floor.key",
        "floor.pub",
        "floor.token",
    }
    out = tmp_path / "bundle"
    enrolment.write_bundle(out, given)
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert stat.S_IMODE((out / "floor.key").stat().st_mode) == 0o600
    with pytest.raises(EnrolError, match="cannot be made"):
        enrolment.write_bundle(out, given)
    kept = b"".join(file.read_bytes() for file in site.folder.iterdir() if file.is_file())
    assert given.files["floor.key"] not in kept
    token = given.files["floor.token"].strip()
    assert token not in kept
    assert hashlib.sha256(token).digest() == given.enrolled.bearer_digest


def test_a_table_is_enrolled_twice_only_on_purpose(site: SiteFolder) -> None:
    first = site.enrol("bac-01", SIGNING, NOW).enrolled
    with pytest.raises(EnrolError, match="bac-01 is enrolled"):
        site.enrol("bac-01", SIGNING, NOW + 1)
    second = site.enrol("bac-01", SIGNING, NOW + 2, again=True).enrolled
    assert first.identity != second.identity
    assert site.register.good(NOW + 3) == [second]
    assert first.identity not in site.broker_file.read_text()
    assert second.identity in site.broker_file.read_text()
    with pytest.raises(BadName):
        site.enrol("a.b", SIGNING, NOW)


def test_revoked_and_run_out_are_not_in_the_brokers_file(site: SiteFolder) -> None:
    gone = site.enrol("bac-01", SIGNING, NOW).enrolled
    old = site.enrol("bac-02", SIGNING, NOW - 800 * DAY).enrolled
    stays = site.enrol("bac-03", SIGNING, NOW).enrolled
    assert site.revoke("bac-01", NOW + 1) == [gone]
    text = site.broker_file.read_text()
    assert (gone.identity in text, old.identity in text, stays.identity in text) == (
        False,
        False,
        True,
    )
    with pytest.raises(EnrolError, match="bac-01 is not enrolled"):
        site.revoke("bac-01", NOW + 2)
    assert len(site.register.tables) == 3, "nothing is forgotten"


def test_permissions_name_the_tables_own_subjects_and_no_others(site: SiteFolder) -> None:
    enrolled = site.enrol("bac-01", SIGNING, NOW).enrolled
    (line,) = [
        each for each in site.broker_file.read_text().splitlines() if enrolled.identity in each
    ]
    rights = json.loads(line)["permissions"]
    subjects = rights["publish"]["allow"] + rights["subscribe"]["allow"]
    assert all(".sands.bac-01." in subject for subject in subjects)
    assert not [subject for subject in subjects if "*" in subject]


def test_a_key_that_others_can_read_is_not_used(site: SiteFolder) -> None:
    (site.folder / "ca.key").chmod(0o640)
    with pytest.raises(EnrolError, match="is open to others"):
        site.enrol("bac-01", SIGNING, NOW)
    assert site.register.tables == ()


def test_only_a_broker_is_told_to_read_its_file_again(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    file = tmp_path / "nats.pid"

    def note(pid: int, number: int) -> None:
        told.append((pid, number))

    for text in (None, "x", "999999999", str(os.getpid())):
        if text is not None:
            file.write_text(text)
        assert not enrolment.reload(file, note)
    assert told == []
