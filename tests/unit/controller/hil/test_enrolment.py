"""Enrolling a unit: what is read, what a person confirms, what becomes of the file."""

import subprocess
from pathlib import Path

from controller.config import file as config
from controller.hil import enrolment
from drivers.testing.bench.emulated import emulated
from support import programs
from support.devices.pseudo_terminal import terminal
from support.rows import each_row

FILE = """# table seven
[table]
rulebook = "mbs-baccarat-8"
[money]
chip_unit = 100
[{device}]
driver = "{driver}"  # the old one is in the cellar
port = "{port}"
# asset = "SHOE-0017"   # the number on the plate
"""


def enrol(file: Path, device: str, typed: str) -> "subprocess.CompletedProcess[str]":
    return programs.run_text("device", "enrol", device, "--config", file, given=typed)


def written(tmp_path: Path, device: str, driver: str, port: str) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(FILE.format(device=device, driver=driver, port=port))
    file.chmod(0o640)
    return file


def test_a_shoe_is_read_confirmed_and_written_and_comments_stay(tmp_path: Path) -> None:
    with terminal() as line:
        file = written(tmp_path, "shoe", "shoe_angel_eye", line.path)
        done = enrol(file, "shoe", "SHOE-7\ny\n")
    assert done.returncode == 0, done.stderr
    assert "this line tells no serial number" in done.stdout
    shoe = config.load(file).shoe
    assert shoe is not None
    assert (shoe.asset, shoe.identity) == ("SHOE-7", f"serial {line.path}")
    text = file.read_text()
    assert 'asset = "SHOE-7"   # the number on the plate\n' in text
    assert "# the old one is in the cellar" in text
    assert file.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["table.toml"]


def test_a_machine_that_tells_its_serial_number_is_asked_for_it(tmp_path: Path) -> None:
    options = ("--pty", tmp_path / "line", "--pace", "none")
    with emulated("shuffler_batch", *options) as shuffler:
        file = written(tmp_path, "shuffler", "shuffler_batch", shuffler.port)
        done = enrol(file, "shuffler", "SHUF-1\ny\n")
    assert done.returncode == 0, done.stderr
    assert "it says of itself:" in done.stdout
    assert "this line tells no serial number" not in done.stdout


def test_whoever_does_not_confirm_changes_nothing(tmp_path: Path) -> None:
    with terminal() as line:
        file = written(tmp_path, "shoe", "shoe_angel_eye", line.path)
        before = file.read_text()
        done = enrol(file, "shoe", "SHOE-7\nn\n")
    assert done.returncode == 1
    assert file.read_text() == before


def test_a_signed_configuration_is_signed_again_elsewhere(tmp_path: Path) -> None:
    with terminal() as line:
        file = written(tmp_path, "shoe", "shoe_angel_eye", line.path)
        file.write_text(file.read_text() + '[checks]\nsite_key = "/etc/sabot/site.pub"\n')
        before = file.read_text()
        done = enrol(file, "shoe", "SHOE-7\ny\n")
    assert done.returncode == 1
    assert f'asset = "SHOE-7"\nidentity = "serial {line.path}"' in done.stderr
    assert "sign it again" in done.stderr
    assert file.read_text() == before


def test_a_device_that_is_not_configured_and_one_that_is_none_are_refused(tmp_path: Path) -> None:
    file = written(tmp_path, "shoe", "shoe_angel_eye", "/dev/nothing")
    assert "has no [shuffler]" in enrol(file, "shuffler", "").stderr
    assert "give shoe or shuffler" in enrol(file, "chair", "").stderr
    assert "/dev/nothing" in enrol(file, "shoe", "").stderr


LINES = {"asset": 'say "A"', "identity": "usb 0403:6001:B"}


@each_row(
    "text, becomes",
    [
        ("[shoe]\n", '[shoe]\nidentity = "usb 0403:6001:B"\nasset = "say \\"A\\""\n'),
        (
            '[shoe]\n asset="x" # plate\nidentity = \'y\'\n[shuffler]\nasset = "other"\n',
            '[shoe]\nasset = "say \\"A\\"" # plate\nidentity = "usb 0403:6001:B"\n'
            '[shuffler]\nasset = "other"\n',
        ),
        (
            "a = 1\n[shoe]\n[shoe.settings]\n",
            'a = 1\n[shoe]\nidentity = "usb 0403:6001:B"\nasset = "say \\"A\\""\n[shoe.settings]\n',
        ),
        ('shoe = { driver = "x" }\n', None),
        ("[shoes]\n", None),
    ],
)
def test_only_the_lines_of_the_section_change(text: str, becomes: str | None) -> None:
    assert enrolment.with_lines(text, "shoe", LINES) == becomes
