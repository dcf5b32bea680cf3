"""`sabot hil` on a bench that is an emulator's port, with a program in the place of the person.

The program reads what the person is told and does just that, through the emulator's back door.
"""

import json
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.cli import hil
from drivers import registry
from drivers.cards import DECK, Card
from drivers.hil.report import CheckOutcome
from drivers.hil.report import load as load_report
from drivers.hil.results import ASK_THE_MAKER, KNOWN
from drivers.hil.vector import LeftOut, scrubbed
from drivers.io import capture
from drivers.testing.bench import hands, rigs
from drivers.testing.bench.emulated import Emulated, emulated
from drivers.testing.bench.rigged import MUTE, WRONG_UNIT
from drivers.testing.bench.rigs import BadRig, load
from drivers.testing.lives import SWIFT
from simulators import registry as emulators
from support import programs
from support.boxes import unboxed
from support.devices.pseudo_terminal import terminal

SABOT = Path(sys.executable).with_name("sabot")
LIMIT_S = 300
PLATE = "SHOE-0017"
EXAMPLE = Path(rigs.__file__).with_name("rig.example.toml")


class Bench:
    """A rig file and the unit it names."""

    def __init__(self, name: str, emulator: Emulated, folder: Path) -> None:
        self.name, self.emulator, self.folder = name, emulator, folder
        self.rig = folder / "rig.toml"
        self.out = folder / "out"
        self.packages = folder / "packages"
        """Of makers, beside those that are installed."""

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

    def _path(self) -> str:
        return os.pathsep.join([str(self.packages), os.environ.get("PYTHONPATH", "")]).strip(":")

    def run(self, does: Callable[[str], None], typed: str = PLATE) -> tuple[int, str]:
        """The exit status and everything that was shown; `does` is the person."""
        # Whoever runs the tests in the background may have taken Ctrl-C away.
        hears = ["env", "--default-signal=INT"]
        command = [*hears, str(SABOT), "hil", str(self.rig), "--out", str(self.out)]
        shown = []
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": self._path()},
        ) as process:
            self.process = process
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


def next_of(card: str) -> str:
    """Nothing came of it, so the person drew on."""
    number = Card.parse(card).number + 1
    return DECK[number % len(DECK)].code


RUNNERS_WORDS = re.compile(r"test_|assert|Error|::|\[100%]|in [\d.]+s\b|pytest|_pytest")
"""What a test runner says, and nobody at a bench reads."""


def runners_words(bench: Bench, *texts: str) -> list[str]:
    """The folder of this test is called as tests are."""
    return RUNNERS_WORDS.findall("".join(texts).replace(str(bench.folder), ""))


def a_person(
    emulator: Emulated, misread: str = "", lost: str = "", doubled: str = ""
) -> Callable[[str], None]:
    """Who draws what is asked for; at a unit that misreads one card, loses one or doubles one."""
    told_to_draw = re.sub(r"\\{(\w+)\\}", r"(?P<\1>\\w+)", re.escape(hands.DRAW))
    draw = re.compile(told_to_draw)

    def does(told: str) -> None:
        drawn = draw.fullmatch(told)
        if drawn:
            card = drawn["card"]
            wrong = {misread: ["KC"], lost: [next_of(card)], doubled: [card, card]}
            for each in wrong.get(card, [card]):
                emulator.do("draw", card=each, extra=True)
        elif told == hands.PULL:
            emulator.do("unplug")
        elif told == hands.PUT_BACK:
            emulator.do("plug")
        elif told == hands.LOAD_PACK:
            emulator.do("load", decks=1)

    return does


@pytest.mark.parametrize(
    "bench",
    ["shoe_angel_eye", pytest.param("shuffler_batch", marks=pytest.mark.second_tier)],
    indirect=True,
)
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
    sheet = registry.find(bench.name).sheet
    assert f"<h1>Bench report: {sheet.maker} {sheet.model}, unit {PLATE}</h1>" in report
    assert '<p class="verdict good"><b>PASSED</b>' in report
    assert "baud, 8 data bits, no parity, 1 stop bit" in report
    assert {case.partition("[")[0] for case in cases} <= KNOWN.keys(), "a row without a sentence"
    assert runners_words(bench, report, shown) == []
    kept = load_report(bench.out)
    assert kept.good
    assert kept.unit.serial in report
    assert bool(kept.unit.serial) == sheet.serial_number
    recording = capture.load(bench.out / "capture.jsonl")
    assert recording.about["asset"] == PLATE
    assert recording.moments[0].kind == "up"
    may_leave = scrubbed(recording, registry.find(bench.name), DECK)
    secrets = (PLATE, bench.emulator.port, recording.about["began"], str(serial_of(bench)))
    assert not any(secret in may_leave.written() for secret in secrets)
    assert (LeftOut.NUMBER in may_leave.left_out) == (sheet.kind == "shuffler")
    if sheet.kind == "shoe":  # what people asked of it is not in a capture
        assert len(may_leave.vectors) >= len(DECK)
        again = registry.find(bench.name).with_settings()
        told = [event for _, step in capture.played(recording, again) for event in step.events]
        assert capture.difference(recording, told) == ""


def serial_of(bench: Bench) -> object:
    """What the emulated unit says that its number is; an RS-232 shoe says nothing."""
    events = capture.load(bench.out / "capture.jsonl").moments
    told = [each.says.get("serial") for each in events if each.kind == "event"]
    return next((serial for serial in told if serial), PLATE)


@pytest.mark.parametrize("bench", ["shoe_bee_tek"], indirect=True)
def test_a_misread_card_is_in_the_report(bench: Bench) -> None:
    """Nor does a card that was lost, or told twice, put the others out of step."""
    handled = a_person(bench.emulator, misread="QH", lost="5S", doubled="7D")
    status, shown = bench.run(handled)
    assert status == 1, shown
    page = (bench.out / "report.html").read_text("utf-8")
    assert '<p class="verdict bad"><b>NOT PASSED</b>1 of' in page
    assert "Card 25 of 52, the queen of hearts (QH), was read as the king of clubs (KC)." in page
    assert "<b>What differed first.</b> Card 5 of 52, the 5 of spades (5S), was drawn" in page
    assert "A person cannot strike a byte on the line" in page
    assert "NOT PASSED" in shown
    assert runners_words(bench, page, shown) == []
    deck = load_report(bench.out).deck
    assert deck is not None
    assert [card.code for card in deck.missing] == ["5S"]
    assert [card.code for card in deck.doubled] == ["7D"]
    assert deck.right == 50
    assert deck.first is not None
    assert deck.first.number == 5


@pytest.mark.second_tier
@pytest.mark.parametrize("bench", ["shoe_bee_tek"], indirect=True)
def test_a_cable_lost_in_the_middle_of_the_deck_is_said_at_once_and_reported(bench: Bench) -> None:
    draws, told = a_person(bench.emulator), []
    bench.write(wait_s=5.0)

    def loses_the_cable(said: str) -> None:
        told.append(said)
        if "(5S)" in said:
            bench.emulator.do("unplug")
        elif said.startswith("The link was gone"):
            bench.emulator.do("plug")
        else:
            draws(said)

    status, shown = bench.run(loses_the_cable)
    assert status == 1, shown
    assert f"The link was gone after card 4. {hands.SEE_TO_THE_CABLE}" in told
    page = (bench.out / "report.html").read_text("utf-8")
    assert "<b>What differed first.</b> The link was gone after card 4." in page
    assert "try another cable" in page
    assert "Clean the reader" not in page
    kept = load_report(bench.out)
    assert kept.gone == (4,)
    assert kept.deck is not None
    assert [card.code for card in kept.deck.missing] == ["5S"]


MAKERS = """
from dataclasses import replace
from drivers import shoe_bee_tek
from drivers.contract import NOTHING

SHEET = replace(shoe_bee_tek.SHEET, name="makers_shoe")

class Driver(shoe_bee_tek.Driver):
    def feed(self, data, at):
        {feed}
"""


def by_a_maker(bench: Bench, feed: str) -> None:
    """The unit's driver is one that does this with what it hears."""
    package, about = bench.packages / "makers_shoe", bench.packages / "makers_shoe-1.dist-info"
    for folder in (package, about):
        folder.mkdir(parents=True)
    (package / "__init__.py").write_text(MAKERS.format(feed=feed), encoding="utf-8")
    vectors = Path(registry.__file__).parent / "shoe_bee_tek" / "vectors.json"
    (package / "vectors.json").write_bytes(vectors.read_bytes())
    (about / "METADATA").write_text("Name: makers-shoe\nVersion: 1\n", encoding="utf-8")
    entry = "[sabot.drivers]\nmakers_shoe = makers_shoe\n"
    (about / "entry_points.txt").write_text(entry, encoding="utf-8")
    bench.write(driver="makers_shoe", wait_s=2.0)


@pytest.mark.parametrize("bench", ["shoe_bee_tek"], indirect=True)
def test_a_driver_that_raises_is_named_and_neither_reader_nor_cable_is_blamed(bench: Bench) -> None:
    by_a_maker(bench, 'raise KeyError("the card is 9H")')
    status, shown = bench.run(a_person(bench.emulator))
    assert status == 1, shown
    failed = {row.name.partition("[")[0]: row for row in load_report(bench.out).failed}
    assert {"test_every_card_of_the_deck_once", "test_cable_out_and_in"} < failed.keys()
    assert {row.saw for row in failed.values()} == {"The driver's program failed (KeyError)."}
    assert {row.do for row in failed.values()} == {ASK_THE_MAKER}
    assert hands.PULL not in shown
    page = (bench.out / "report.html").read_text("utf-8")
    assert "the card is" not in page + shown
    assert "9H" not in page + shown


@pytest.mark.second_tier
@pytest.mark.parametrize("bench", ["shoe_bee_tek"], indirect=True)
def test_nobody_waits_for_a_driver_that_tells_nothing(bench: Bench) -> None:
    by_a_maker(bench, "return NOTHING")
    status, shown = bench.run(nobody)
    assert status == 1, shown
    assert "Draw the ace" not in shown
    rows = {row.name.partition("[")[0]: row for row in load_report(bench.out).rows}
    for name in ("test_every_card_of_the_deck_once", "test_cable_out_and_in"):
        assert (rows[name].outcome, rows[name].do) == (CheckOutcome.LEFT_OUT, MUTE)
    assert rows["test_its_vectors_come_out"].outcome is CheckOutcome.FAILED


@pytest.mark.second_tier
@pytest.mark.parametrize("bench", ["shuffler_batch"], indirect=True)
def test_a_shuffler_that_does_not_answer_is_said_not_to_identify_itself(bench: Bench) -> None:
    with terminal() as line:
        bench.write(port=line.path, identity=f"serial {line.path}", wait_s=1.0, can_unplug=False)
        status, shown = bench.run(nobody)
    assert status == 1, shown
    page = (bench.out / "report.html").read_text("utf-8")
    assert "<b>What differed first.</b> It did not identify itself: no answer came within" in page
    assert "the next card" not in page


@pytest.mark.second_tier
@pytest.mark.parametrize("bench", ["shoe_bee_tek"], indirect=True)
def test_a_session_that_is_stopped_says_so_and_keeps_what_it_has(bench: Bench) -> None:
    draws = a_person(bench.emulator)

    def stops(told: str) -> None:
        if "(4S)" in told:
            bench.process.send_signal(signal.SIGINT)
        else:
            draws(told)

    status, shown = bench.run(stops)
    assert status == pytest.ExitCode.INTERRUPTED
    assert "NOT FINISHED" in shown
    assert runners_words(bench, shown) == []
    kept = load_report(bench.out)
    assert kept.stopped
    assert not kept.good


@pytest.mark.second_tier
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
    refusal = [line for line in shown.splitlines() if "REFUSED" in line]
    assert len(refusal) == 1
    assert says in refusal[0]
    assert runners_words(bench, shown) == []
    assert not bench.out.exists()


@pytest.mark.second_tier
@pytest.mark.parametrize("bench", ["shuffler_batch"], indirect=True)
def test_another_firmware_is_refused(bench: Bench) -> None:
    bench.write(firmware="0.9")
    status, shown = bench.run(a_person(bench.emulator))
    assert status == WRONG_UNIT, shown
    assert "its firmware is 1.0.0, and the rig names 0.9" in shown
    assert "NOT FINISHED" in (bench.out / "report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('driver = "shoe_angle_eye"', "did you mean shoe_angel_eye"),
        ('colour = "red"', "colour"),
        ('asset = " "', "asset is empty"),
        ('identity = ""', "identity is empty"),
        ('port = "gopher://shoe"', "gopher:// is no port"),
        ('driver = "shoe_by_hand"', "shoe_by_hand has no wire, so it has no port"),
        ("wait_s = nan", "wait_s"),
        ("wait_s = 0", "wait_s"),
        ("quiet_s = -1.0", "quiet_s"),
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
    ended = programs.run_text("hil", tmp_path / "none.toml")
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert "none.toml: No such file or directory" in ended.stderr


def test_a_rig_without_a_wire_is_refused_in_a_line_and_leaves_no_folder(tmp_path: Path) -> None:
    rig, out = tmp_path / "rig.toml", tmp_path / "out"
    rig.write_text(EXAMPLE.read_text("utf-8").replace("shoe_angel_eye", "shoe_by_hand"), "utf-8")
    ended = programs.run_text("hil", rig, "--out", out)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert "shoe_by_hand has no wire, so it has no port" in ended.stderr
    assert ended.stderr.strip().count("\n") == 0
    assert not out.exists()


def test_a_report_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    earlier = tmp_path / "report.json"
    earlier.write_text("before the repair", encoding="utf-8")
    ended = programs.run_text("hil", EXAMPLE, "--out", tmp_path)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert "has a report already" in unboxed(ended.stderr)
    assert earlier.read_text("utf-8") == "before the repair"


def test_the_example_is_a_rig() -> None:
    shown = programs.run_text("hil", "--example")
    assert (shown.returncode, shown.stdout) == (0, EXAMPLE.read_text("utf-8"))
    assert load(EXAMPLE).asset == PLATE


def test_without_its_test_tools_it_says_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hil, "NEEDS", ("pytest", "no_such_tool"))
    with pytest.raises(hil.NoTestTools, match=r"needs no_such_tool: pip install 'sabot\[hil\]'"):
        hil.hil(Path("rig.toml"))
