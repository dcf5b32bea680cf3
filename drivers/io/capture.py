"""Captures: files with every byte in both directions and its time, which can be replayed.

A capture is lines of JSON. The first describes what was captured; each other is one moment: bytes
in or out, the link, or an event of the driver. With a key, as on a live table, the moments are
sealed: those of one second are joined, padded to a multiple of `BLOCK_BYTES` and encrypted, so that
the file reveals neither a card nor a length that would give one away. A block is bound to its file
and its place in it.

A capture that can no longer be written never stops the device: it ends, and `failed` has the
reason.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from drivers.cards import Card
from drivers.contract import Driver, Step
from drivers.errors import DeviceError, LinkError
from drivers.events import Event
from drivers.io.identity import Identity, Port

VERSION: Final = 1
BLOCK_BYTES: Final = 8192
"""More than the cards of one second need, so that a block with one more label is not longer."""
MAX_BLOCK_BYTES: Final = 1 << 20
BLOCK_S: Final = 1.0
MAX_CAPTURE_BYTES: Final = 1 << 30
MAX_LINE_BYTES: Final = 1 << 22
MAX_TICKS: Final = 10_000
"""The limit between two moments: a driver whose deadline does not advance is defective."""

_NONCE_BYTES: Final = 12
_ID_BYTES: Final = 16
_DOMAIN: Final = b"sabot capture 1\0"


class BadCapture(DeviceError):
    """A file that is no capture, is damaged, or is sealed with another key."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One line of a capture. It may contain a card, so it is not printed."""

    at: float
    """Seconds since the capture began."""
    kind: str
    """One of in, out, up, lost, event."""
    data: bytes = field(default=b"", repr=False)
    says: Any = field(default=None, repr=False)
    """The reason why the link was lost; or the event, as `plain` returns it."""


def plain(event: Event) -> dict[str, Any]:
    """Return an event as plain data with its card and frame: for a bench, never for a live
    table."""
    return {
        "event": type(event).__name__,
        **{f.name: _plain(getattr(event, f.name)) for f in fields(event)},
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return value.code
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value


# --- writing ----------------------------------------------------------------------------------


class Capture:
    """A capture being written, by the reader's thread and the loop's."""

    def __init__(
        self,
        out: BinaryIO,
        about: Mapping[str, Any],
        clock: Callable[[], float],
        key: bytes | None = None,
        entropy: Callable[[int], bytes] | None = None,
        bytes_max: int = MAX_CAPTURE_BYTES,
    ) -> None:
        """Take over `out`, an open and empty file; `close` closes it. `key` has 32 bytes;
        `entropy(n)` returns n random bytes and is required with a key."""
        assert key is None or entropy is not None, "a sealed capture needs a source of chance"
        self.failed = ""
        self._out = out
        self._clock = clock
        self._began = clock()
        self._left = bytes_max
        self._lock = Lock()
        self._cipher = None if key is None else AESGCM(key)
        self._entropy = entropy
        self._file_id = b"" if entropy is None else entropy(_ID_BYTES)
        self._block: list[bytes] = []
        self._block_at = 0.0
        self._block_bytes = self._blocks = 0
        head = {"sabot_capture": VERSION, "sealed": key is not None, "id": self._file_id.hex()}
        self._write(_line({**head, **about}))

    def passed(self, direction: str, data: bytes) -> None:
        """Record bytes that went `in` or `out`."""
        self._note({direction: data.hex()})

    def link(self, up: bool, why: str = "") -> None:
        self._note({"link": "up"} if up else {"link": "lost", "why": why})

    def record_events(self, event: Event) -> None:
        self._note(plain(event))

    def tick(self) -> None:
        """Write a block that is due."""
        with self._lock:
            if self._block and self._clock() - self._block_at >= BLOCK_S:
                self._seal()

    def close(self) -> None:
        with self._lock:
            self._seal()
            self._out.close()

    def _note(self, what: dict[str, Any]) -> None:
        with self._lock:
            now = self._clock()
            line = _line({"at": round(now - self._began, 6), **what})
            if self._cipher is None:
                self._write(line)
                return
            if self._block and now - self._block_at >= BLOCK_S:
                self._seal()
            if not self._block:
                self._block_at = now
            self._block.append(line)
            self._block_bytes += len(line)
            if self._block_bytes >= MAX_BLOCK_BYTES:
                self._seal()

    def _seal(self) -> None:
        if self._cipher is None or not self._block:
            return
        text = b"".join(self._block)
        self._block.clear()
        self._block_bytes = 0
        text += b" " * (-len(text) % BLOCK_BYTES)
        assert self._entropy is not None
        nonce = self._entropy(_NONCE_BYTES)
        secret = nonce + self._cipher.encrypt(nonce, text, _place(self._file_id, self._blocks))
        self._write(_line({"block": self._blocks, "sealed": b64encode(secret).decode()}))
        self._blocks += 1

    def _write(self, line: bytes) -> None:
        if self.failed:
            return
        self._left -= len(line)
        if self._left < 0:
            self.failed = "the capture is as long as it may be: begin another"
            return
        try:
            self._out.write(line)
            self._out.flush()
        except OSError as error:
            self.failed = f"the capture cannot be written: {error.strerror}"


class Captured:
    """A wrapper that captures a port which has just been opened."""

    def __init__(self, port: Port, capture: Capture) -> None:
        self._port = port
        self._capture = capture
        capture.link(up=True)

    @property
    def identity(self) -> Identity:
        return self._port.identity

    def read(self, timeout_s: float) -> bytes:
        try:
            data = self._port.read(timeout_s)
        except LinkError as error:
            self._capture.link(up=False, why=str(error))
            raise
        if data:
            self._capture.passed("in", data)
        self._capture.tick()
        return data

    def write(self, data: bytes) -> None:
        self._port.write(data)
        self._capture.passed("out", data)

    def close(self) -> None:
        self._port.close()


def _line(what: dict[str, Any]) -> bytes:
    return json.dumps(what, ensure_ascii=False).encode() + b"\n"


def _place(file_id: bytes, number: int) -> bytes:
    return _DOMAIN + file_id + number.to_bytes(8, "big")


# --- reading ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Recording:
    about: Mapping[str, Any]
    moments: tuple[Moment, ...] = field(repr=False)
    cut: bool = False
    """The last line is incomplete: the program was stopped while writing it."""


def load(path: Path, key: bytes | None = None) -> Recording:
    """Load a whole capture; raises `BadCapture`."""
    lines = _lines(path)
    cut = bool(lines.pop())
    about = _head(path, lines)
    inner = _opened(path, lines, about, key) if about.get("sealed") else enumerate(lines[1:], 2)
    try:
        moments = tuple(_moment(_parsed(path, number, line)) for number, line in inner)
    except (KeyError, ValueError, TypeError) as error:
        raise BadCapture(f"{path} has a line that is no moment of a capture") from error
    return Recording(about, moments, cut)


def is_sealed(path: Path) -> bool:
    """Return whether a capture is sealed, without its key; raises `BadCapture`."""
    return bool(_head(path, _lines(path)[:-1]).get("sealed"))


def _lines(path: Path) -> list[bytes]:
    """Return the lines; the last is what follows the last end of line."""
    try:
        return path.read_bytes().split(b"\n")
    except OSError as error:
        raise BadCapture(f"{path}: {error.strerror}") from error


def _head(path: Path, lines: list[bytes]) -> dict[str, Any]:
    about = _parsed(path, 1, lines[0] if lines else b"")
    if about.get("sabot_capture") != VERSION:
        raise BadCapture(f"{path} is no capture of ours, or of a newer version")
    return about


def _parsed(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line) if len(line) <= MAX_LINE_BYTES else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise BadCapture(f"{path}, line {number}: not a line of a capture")
    return found


def _opened(
    path: Path, lines: list[bytes], about: Mapping[str, Any], key: bytes | None
) -> Iterator[tuple[int, bytes]]:
    if key is None:
        raise BadCapture(f"{path} is sealed: give the key it was sealed with")
    try:
        cipher, file_id = AESGCM(key), bytes.fromhex(str(about.get("id")))
    except ValueError as error:
        raise BadCapture(f"{path}: {error}") from error
    for number, line in enumerate(lines[1:], 2):
        block = _parsed(path, number, line)
        try:
            secret = b64decode(block["sealed"], validate=True)
            place = _place(file_id, number - 2)
            text = cipher.decrypt(secret[:_NONCE_BYTES], secret[_NONCE_BYTES:], place)
        except (InvalidTag, KeyError, ValueError, TypeError):
            raise BadCapture(
                f"{path}, line {number}: does not open: another key, or it was changed"
            ) from None
        yield from ((number, each) for each in text.split(b"\n")[:-1])


def _moment(line: dict[str, Any]) -> Moment:
    at = float(line.pop("at"))
    for direction in ("in", "out"):
        if direction in line:
            return Moment(at, direction, bytes.fromhex(line[direction]))
    if "link" in line:
        up = {"up": True, "lost": False}[line["link"]]
        return Moment(at, "up" if up else "lost", says=line.get("why", ""))
    return Moment(at, "event", says={"event": str(line["event"]), **line})


# --- playing ----------------------------------------------------------------------------------


def played(recording: Recording, driver: Driver) -> Iterator[tuple[Moment, Step]]:
    """Yield the driver's step for each moment of a capture; time-outs happen at their time."""
    for moment in recording.moments:
        for _ in range(MAX_TICKS):
            due = driver.deadline()
            if due is None or due > moment.at:
                break
            yield Moment(due, "tick"), driver.tick(due)
        else:
            raise BadCapture("the driver's deadline does not move on: it is broken")
        if moment.kind == "up":
            yield moment, driver.hello(moment.at)
        elif moment.kind == "in":
            yield moment, driver.feed(moment.data, moment.at)


def difference(recording: Recording, events: list[Event]) -> str:
    """Return where these events differ from those of the capture; empty if they are equal.

    A field that events did not have when the capture was written is not compared. The text has the
    number and kind of the event: a card is not quoted.
    """
    was = [moment.says for moment in recording.moments if moment.kind == "event"]
    now = [json.loads(json.dumps(plain(event))) for event in events]
    for number, (old, new) in enumerate(zip(was, now, strict=False), 1):
        if old != {key: new.get(key) for key in old}:
            kinds = f"{old['event']}, now {new['event']}"
            return f"event {number} was {kinds}" + (
                " with another content" if old["event"] == new["event"] else ""
            )
    if len(was) != len(now):
        return f"there were {len(was)} events, now {len(now)}"
    return ""
