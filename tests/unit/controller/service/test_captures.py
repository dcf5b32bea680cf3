"""What a live table captures: sealed, one file a device, and never in the way of the table."""

import base64
from pathlib import Path

import pytest

from controller.runtime.build import Plug
from controller.service import captures
from drivers.errors import LinkError
from drivers.io.capture import load
from drivers.io.identity import Identity

KEY = bytes(range(32))
PLUGS = [Plug("shoe", "shoe_angel_eye", "/dev/shoe"), Plug("shuffler", "shuffler_batch", "/dev/s")]


BYTES = b"\x05\x31 a frame of the shoe"
"""Longer than chance: four digits stand in random text of this length once in some hundred runs."""


class Line:
    identity = Identity("serial", "/dev/x")

    def read(self, _timeout_s: float) -> bytes:
        return BYTES

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


def test_each_device_has_a_sealed_file_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "captures"
    with captures.sealed_captures(folder, KEY, PLUGS, lambda: 0.0) as around:
        assert around is not None
        assert around("shoe", Line()).read(0) == BYTES
        around("shuffler", Line()).write(b"hello")
    shoe, shuffler = sorted(folder.iterdir())
    assert shoe.stat().st_mode & 0o777 == 0o600
    for plain in (BYTES, BYTES.hex().encode(), base64.b64encode(BYTES)):
        assert plain not in shoe.read_bytes()
    assert [moment.data for moment in load(shoe, KEY).moments] == [b"", BYTES]
    assert [moment.data for moment in load(shuffler, KEY).moments] == [b"", b"hello"]
    assert load(shuffler, KEY).about["driver"] == "shuffler_batch"


def test_nothing_is_captured_unless_there_is_a_folder_and_a_device(tmp_path: Path) -> None:
    with captures.sealed_captures(None, KEY, PLUGS, lambda: 0.0) as around:
        assert around is None
    with captures.sealed_captures(tmp_path / "c", KEY, [], lambda: 0.0) as around:
        assert around is None
    assert not (tmp_path / "c").exists()


def test_folder_that_takes_no_file_stops_the_start_in_words(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.touch()
    with (
        pytest.raises(LinkError, match=r"cannot be written: .*see logs.capture"),
        captures.sealed_captures(taken / "c", KEY, PLUGS, lambda: 0.0),
    ):
        pass
