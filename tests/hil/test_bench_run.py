"""`sabot hil` on a bench that is an emulator's port, with a program in the place of the person.

The program reads what the person is told and does just that, through the emulator's back door.
"""

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers import registry
from drivers.io import capture
from hil import hands
from hil.rigged import WRONG_UNIT
from hil.rigs import BadRig, load
from hil.units import SWIFT
from simulators import registry as emulators
from support.devices.emulated import Emulated, emulated

SABOT = Path(sys.executable).with_name("sabot")
LIMIT_S = 300
PLATE = "SHOE-0017"
EXAMPLE = Path(__file__).with_name("rig.example.toml")


class Bench:
    """A rig file and the unit it names."""

    def __init__(self, name: str, emulator: Emulated, folder: Path) -> None:
        self.name, self.emulator, self.folder = name, emulator, folder
        self.rig = folder / "rig.toml"
        self.out = folder / "out"

    def write(self, **changed: object) -> None:
        facts = {
            "driver": self.name,
            "port": self.emulator.port,
            "identity": f"serial {self.emulator.port}",
            "asset": PLATE,
            "firmware": "1.0.0",
            "quiet_s": 0.0,
            "wait_s": 110.0,
            **changed,
        }
        text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in facts.items())
        self.rig.write_text(text, encoding="utf-8")

    def run(self, does: Callable[[str], None], typed: str = PLATE) -> tuple[int, str]:
        """The exit status and everything that was shown; `does` is the person."""
        command = [SABOT, "hil", str(self.rig), "--out", str(self.out)]
        shown = []
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(typed + "\n")
            process.stdin.flush()
            for line in process.stdout:
                shown.append(line)
                if line.startswith(">> "):
                    does(line.removeprefix(">> ").strip())
            status = process.wait(LIMIT_S)
        return status, "".join(shown)


@pytest.fixture
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    name: str = request.param
    known = emulators.settings_of(name)
    chosen = [f"--set={key}={value}" for key, value in SWIFT.items() if key in known]
    with emulated(name, "--pty", tmp_path / "unit", "--pace", "none", *chosen) as emulator:
        found = Bench(name, emulator, tmp_path)
        found.write()
        yield found


def nobody(_: str) -> None:
    """Does nothing that is asked."""


def a_person(emulator: Emulated, misread: str = "") -> Callable[[str], None]:
    told_to_draw = re.sub(r"\\{(\w+)\\}", r"(?P<\1>\\w+)", re.escape(hands.DRAW))
    draw = re.compile(told_to_draw)

    def does(told: str) -> None:
        drawn = draw.fullmatch(told)
        if drawn:
            card = "KC" if drawn["card"] == misread else drawn["card"]
            emulator.do("draw", card=card, extra=True)
        elif told == hands.PULL:
            emulator.do("unplug")
        elif told == hands.PUT_BACK:
            emulator.do("plug")
        elif told == hands.LOAD_PACK:
            emulator.do("load", decks=1)

    return does


@pytest.mark.parametrize("bench", ["shoe_angel_eye", "shuffler_batch"], indirect=True)
def test_a_person_is_led_through_and_everything_is_kept(bench: Bench) -> None:
    status, shown = bench.run(a_person(bench.emulator))
    assert status == 0, shown
    suite = ET.parse(bench.out / "junit.xml").getroot()
    properties = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert properties["asset"] == PLATE
    assert properties["identity"] == f"serial {bench.emulator.port}"
    cases = [case.get("name", "") for case in suite.iter("testcase")]
    assert f"test_hello[{bench.name}-rig]" in cases
    report = (bench.out / "report.html").read_text("utf-8")
    assert f"<h1>{bench.name} {PLATE}</h1>" in report
    assert '<p class="good">passed</p>' in report
    recording = capture.load(bench.out / "capture.jsonl")
    assert recording.about["asset"] == PLATE
    assert recording.moments[0].kind == "up"
    if (
        registry.find(bench.name).sheet.kind == "shoe"
    ):  # what people asked of it is not in a capture
        again = registry.find(bench.name).with_settings()
        told = [event for _, step in capture.played(recording, again) for event in step.events]
        assert capture.difference(recording, told) == ""


@pytest.mark.parametrize("bench", ["shoe_bee_tek"], indirect=True)
def test_a_misread_card_is_in_the_report(bench: Bench) -> None:
    status, shown = bench.run(a_person(bench.emulator, misread="QH"))
    assert status == 1, shown
    report = (bench.out / "report.html").read_text("utf-8")
    assert '<p class="bad">NOT passed</p>' in report
    assert "QH was read as KC." in report
    assert "a person cannot strike a byte on the line" in report


@pytest.mark.parametrize("bench", ["shoe_angel_eye"], indirect=True)
@pytest.mark.parametrize(
    ("changed", "typed", "says"),
    [
        ({"identity": "usb 0403:6001:OTHER"}, PLATE, "enrolled is usb 0403:6001:OTHER"),
        ({}, "SHOE-0018", "the plate says SHOE-0018, and the rig names SHOE-0017"),
    ],
)
def test_any_other_unit_is_refused_before_anything_is_sent(
    bench: Bench, changed: dict[str, object], typed: str, says: str
) -> None:
    bench.write(**changed)
    status, shown = bench.run(nobody, typed)
    assert status == WRONG_UNIT, shown
    assert says in shown
    assert not (bench.out / "report.html").exists()


@pytest.mark.parametrize("bench", ["shuffler_batch"], indirect=True)
def test_another_firmware_is_refused(bench: Bench) -> None:
    bench.write(firmware="0.9")
    status, shown = bench.run(a_person(bench.emulator))
    assert status == WRONG_UNIT, shown
    assert "its firmware is 1.0.0, and the rig names 0.9" in shown


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('driver = "shoe_angle_eye"', "did you mean shoe_angel_eye"),
        ('colour = "red"', "colour"),
        ('asset = " "', "asset is empty"),
        ('identity = ""', "identity is empty"),
        ('port = "gopher://shoe"', "gopher:// is no port"),
        ("settings = {baud = 1}", "baud = 1"),
        ("settings = {colour = 1}", "no setting 'colour'"),
    ],
)
def test_a_rig_that_cannot_be_is_said_in_a_sentence(line: str, says: str, tmp_path: Path) -> None:
    name = line.partition(" ")[0]
    lines = EXAMPLE.read_text("utf-8").splitlines()
    kept = [each for each in lines if not each.startswith((name, "[settings]"))]
    (tmp_path / "rig.toml").write_text("\n".join([line, *kept]), encoding="utf-8")
    with pytest.raises(BadRig, match=re.escape(says)):
        load(tmp_path / "rig.toml")


def test_a_run_with_a_bad_rig_or_none_ends_with_a_sentence(tmp_path: Path) -> None:
    ended = subprocess.run(
        [SABOT, "hil", str(tmp_path / "none.toml")],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert "none.toml: No such file or directory" in ended.stderr


def test_the_example_is_a_rig() -> None:
    shown = subprocess.run(
        [SABOT, "hil", "--example"], capture_output=True, text=True, check=True, timeout=LIMIT_S
    ).stdout
    assert shown == EXAMPLE.read_text("utf-8")
    assert load(EXAMPLE).asset == PLATE


def test_without_a_checkout_it_says_where_to_go(tmp_path: Path) -> None:
    """The packages alone, as they are installed on a table PC."""
    root = Path(__file__).parents[2]
    for package in ("controller", "drivers"):
        shutil.copytree(
            root / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    ended = subprocess.run(
        [sys.executable, "-m", "controller", "hil", "rig.toml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert ended.returncode == 1
    assert "runs from a checkout" in ended.stderr
