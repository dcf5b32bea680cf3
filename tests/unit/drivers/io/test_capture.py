"""Captures: written, sealed, read back, damaged, played again."""

import io
import json
from pathlib import Path
from random import Random
from typing import BinaryIO

import pytest

from drivers.cards import Card
from drivers.commands import DeviceCommand
from drivers.contract import NOTHING, Step
from drivers.errors import LinkError, UnsupportedCommand
from drivers.events import (
    CardRead,
    ErrorRaised,
    LinkLost,
    Notice,
    ShuffleVerified,
    Verdict,
    Where,
)
from drivers.io.capture import (
    BLOCK_BYTES,
    MAX_BLOCK_BYTES,
    BadCapture,
    Capture,
    Captured,
    Moment,
    Recording,
    difference,
    load,
    plain,
    played,
)
from drivers.io.identity import Identity
from drivers.registry import find
from support.rows import each_row

KEY = bytes(range(32))
FRAME = bytes.fromhex("05 31 44 81 B8 03 34 46")
READ = CardRead(Card.parse("8S"), Where.PLAYER, 1, FRAME)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Line:
    """A port with these bytes to read."""

    identity = Identity("serial", "/dev/x")

    def __init__(self, *reads: bytes | LinkError) -> None:
        self.reads = list(reads)
        self.written = b""
        self.closed = False

    def read(self, _timeout_s: float) -> bytes:
        what = self.reads.pop(0) if self.reads else b""
        if isinstance(what, LinkError):
            raise what
        return what

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.closed = True


def capture(
    path: Path, clock: Clock, key: bytes | None = None, bytes_max: int = 1 << 30
) -> Capture:
    entropy = Random(1).randbytes
    return Capture(path.open("wb"), {"driver": "shoe_x"}, clock, key, entropy, bytes_max)


def filled(path: Path, key: bytes | None = None) -> Path:
    """A short session: link, card, an answer of ours, loss."""
    clock = Clock()
    file = capture(path, clock, key)
    port = Captured(Line(FRAME[:3], FRAME[3:], LinkError("unplugged")), file)
    for _ in range(2):
        clock.now += 0.25
        port.read(0)
    file.record_events(READ)
    clock.now += 2
    port.write(b"\x06")
    with pytest.raises(LinkError):
        port.read(0)
    file.close()
    return path


MOMENTS = (
    Moment(0.0, "up", says=""),
    Moment(0.25, "in", FRAME[:3]),
    Moment(0.5, "in", FRAME[3:]),
    Moment(0.5, "event", says=plain(READ)),
    Moment(2.5, "out", b"\x06"),
    Moment(2.5, "lost", says="unplugged"),
)


@pytest.mark.parametrize("key", [None, KEY], ids=["bench", "sealed"])
def test_capture_is_read_back_as_it_was(tmp_path: Path, key: bytes | None) -> None:
    recording = load(filled(tmp_path / "c", key), key)
    assert recording.about["driver"] == "shoe_x"
    assert recording.moments == MOMENTS
    assert not recording.cut


def test_bench_capture_can_be_read_by_eye(tmp_path: Path) -> None:
    lines = filled(tmp_path / "c").read_text().splitlines()
    assert json.loads(lines[2]) == {"at": 0.25, "in": "053144"}
    assert json.loads(lines[4])["card"] == "8S"


def test_sealed_capture_shows_neither_card_nor_length(tmp_path: Path) -> None:
    sizes = []
    for name, label in (("a", b"S21"), ("b", b"S101")):
        clock = Clock()
        file = capture(tmp_path / name, clock, KEY)
        for byte in label:
            file.passed("in", bytes([0, 0, byte, 0, 0, 0, 0, 0]))
        file.record_events(CardRead(Card.parse("TS" if name == "b" else "2S")))
        file.close()
        text = (tmp_path / name).read_text()
        assert "card" not in text.splitlines()[1]
        sizes.append([len(line) for line in text.splitlines()])
    assert sizes[0] == sizes[1]


def test_sealed_moments_of_a_second_are_one_block_and_quiet_writes_it(tmp_path: Path) -> None:
    clock = Clock()
    file = capture(tmp_path / "c", clock, KEY)
    port = Captured(Line(b"a", b"b"), file)
    port.read(0)
    clock.now += 0.5
    port.read(0)
    assert len((tmp_path / "c").read_bytes().splitlines()) == 1
    clock.now += 0.5
    port.read(0)
    assert len((tmp_path / "c").read_bytes().splitlines()) == 2
    file.close()
    assert [moment.data for moment in load(tmp_path / "c", KEY).moments] == [b"", b"a", b"b"]


def test_flood_is_sealed_before_it_fills_the_memory(tmp_path: Path) -> None:
    file = capture(tmp_path / "c", Clock(), KEY)
    for _ in range(MAX_BLOCK_BYTES // 4096):
        file.passed("in", bytes(4096))
    lines = (tmp_path / "c").read_bytes().splitlines()
    assert len(lines) > 1, "one block is out already"
    file.close()
    assert len(load(tmp_path / "c", KEY).moments) == MAX_BLOCK_BYTES // 4096
    assert MAX_BLOCK_BYTES % BLOCK_BYTES == 0


def test_sealed_capture_needs_its_own_key(tmp_path: Path) -> None:
    path = filled(tmp_path / "c", KEY)
    with pytest.raises(BadCapture, match="is sealed: give the key"):
        load(path)
    with pytest.raises(BadCapture, match="line 2: does not open"):
        load(path, bytes(32))
    with pytest.raises(BadCapture):
        load(path, b"short")


def test_block_that_was_changed_moved_or_taken_out_shows(tmp_path: Path) -> None:
    path = filled(tmp_path / "c", KEY)
    head, first, second = path.read_bytes().splitlines(keepends=True)
    for wrong in (head + second, head + second + first, head + first[:-20] + first[-3:] + second):
        path.write_bytes(wrong)
        with pytest.raises(BadCapture):
            load(path, KEY)


def test_last_line_that_was_not_finished_is_left_out_and_told(tmp_path: Path) -> None:
    path = filled(tmp_path / "c")
    path.write_bytes(path.read_bytes()[:-5])
    recording = load(path)
    assert recording.cut
    assert recording.moments == MOMENTS[:-1]


@each_row(
    "text",
    [
        b"",
        b"nonsense\n",
        b"[]\n",
        b'{"sabot_capture": 2, "sealed": false}\n',
        b'{"sabot_capture": 1, "sealed": false}\n{"at": 0}\n',
        b'{"sabot_capture": 1, "sealed": false}\n{"at": "x", "in": ""}\n',
        b'{"sabot_capture": 1, "sealed": false}\n{"at": 0, "in": "0"}\n',
        b'{"sabot_capture": 1, "sealed": false}\n{"at": 0, "link": "sideways"}\n',
        b'{"sabot_capture": 1, "sealed": false}\n' + b"[" * 100_000 + b"\n",
        b'{"sabot_capture": 1, "sealed": true, "id": "zz"}\n',
    ],
)
def test_what_is_no_capture_is_refused(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "c").write_bytes(text)
    with pytest.raises(BadCapture, match="c"):
        load(tmp_path / "c", KEY)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCapture, match="No such file"):
        load(tmp_path / "none")


class FullDisk(io.BytesIO):
    def write(self, _data: object) -> int:
        raise OSError(28, "No space left on device")


def test_capture_that_cannot_be_written_says_so_and_lets_the_device_go_on() -> None:
    file: BinaryIO = FullDisk()
    failing = Capture(file, {}, Clock())
    line = Line(b"card")
    port = Captured(line, failing)
    assert port.read(0) == b"card"
    port.write(b"\x06")
    assert line.written == b"\x06"
    assert failing.failed == "the capture cannot be written: No space left on device"
    assert port.identity is Line.identity
    port.close()
    assert line.closed


def test_capture_ends_at_its_limit(tmp_path: Path) -> None:
    file = capture(tmp_path / "c", Clock(), bytes_max=200)
    for _ in range(10):
        file.passed("in", bytes(8))
    assert "as long as it may be" in file.failed
    file.close()
    assert (tmp_path / "c").stat().st_size <= 200
    assert len(load(tmp_path / "c").moments) > 0


def test_driver_says_the_same_when_the_capture_is_played_again(tmp_path: Path) -> None:
    recording = load(filled(tmp_path / "c"))
    driver = find("shoe_angel_eye").with_settings()
    told = [event for _, step in played(recording, driver) for event in step.events]
    cards = [event for event in told if isinstance(event, CardRead)]
    assert cards == [READ]
    assert difference(recording, list(cards)) == ""


def test_difference_is_named_without_a_card(tmp_path: Path) -> None:
    recording = load(filled(tmp_path / "c"))
    other = CardRead(Card.parse("9S"), Where.PLAYER, 1, FRAME)
    assert (
        difference(recording, [other]) == "event 1 was CardRead, now CardRead with another content"
    )
    assert difference(recording, [Notice("x")]) == "event 1 was CardRead, now Notice"
    assert difference(recording, [READ, READ]) == "there were 1 events, now 2"


def test_an_event_has_grown_by_a_field_since_the_capture_was_written() -> None:
    raised = ErrorRaised(4, "pushed back", must_clear=True)
    old = {key: value for key, value in plain(raised).items() if key != "means"}
    recording = Recording({}, (Moment(0.0, "event", says=old),))
    assert difference(recording, [raised]) == ""
    assert "another content" in difference(recording, [ErrorRaised(4, "pulled")])


class Ticking:
    """A driver with a time-out, or with one that never moves on."""

    def __init__(self, stuck: bool = False) -> None:
        self.due: float | None = None
        self.stuck = stuck
        self.ticks: list[float] = []

    def hello(self, at: float) -> Step:
        self.due = at + 1
        return NOTHING

    def feed(self, data: bytes, at: float) -> Step:
        return Step((Notice(f"{len(data)} bytes at {at}"),))

    def ask(self, command: DeviceCommand, at: float) -> Step:
        raise UnsupportedCommand(f"{command} at {at}")

    def tick(self, at: float) -> Step:
        self.ticks.append(at)
        self.due = at if self.stuck else None
        return NOTHING

    def deadline(self) -> float | None:
        return self.due


def test_time_outs_come_at_their_time_when_a_capture_is_played(tmp_path: Path) -> None:
    driver = Ticking()
    list(played(load(filled(tmp_path / "c")), driver))
    assert driver.ticks == [1.0]


def test_driver_whose_time_stands_still_is_found(tmp_path: Path) -> None:
    with pytest.raises(BadCapture, match="does not move on"):
        list(played(load(filled(tmp_path / "c")), Ticking(stuck=True)))


def test_every_kind_of_value_becomes_plain() -> None:
    verified = ShuffleVerified(Verdict.WRONG, 415, missing=(Card.parse("9H"),))
    told = plain(verified)
    assert (told["event"], told["verdict"], told["cards"]) == ("ShuffleVerified", "wrong", 415)
    assert (told["missing"], told["extra"]) == (["9H"], [])
    assert json.loads(json.dumps(told)) == told
    assert plain(LinkLost("gone")) == {"event": "LinkLost", "why": "gone"}
