"""The reader on real terminals and sockets: nothing lost in silence, every loss and return told."""

import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from drivers.contract import DataSheet
from drivers.errors import BadSetting, LinkError
from drivers.events import LinkLost, LinkUp
from drivers.io.identity import Identity, Port
from drivers.io.ports import open_port
from drivers.io.reader import BACK_OFF_S, Brought, Delivery, Reader, into, reader_for
from support.devices.emulated import LIMIT_S
from support.devices.pseudo_terminal import Terminal, terminal

SHEET = DataSheet("shoe_x", "shoe", "maker", "model", "serial", True, "", False, baud=4800)


class Inbox:
    def __init__(self, room: int = 100) -> None:
        self.queue: queue.Queue[Delivery] = queue.Queue(room)

    def next(self) -> bytes | LinkUp | LinkLost:
        return self.queue.get(timeout=LIMIT_S).what

    def bytes(self, count: int) -> bytes:
        out = b""
        while len(out) < count:
            what = self.next()
            assert isinstance(what, bytes), what
            out += what
        return out


@contextmanager
def reading(opens: Callable[[], Port], inbox: Inbox) -> Iterator[Reader]:
    reader = Reader("shoe", opens, into(inbox.queue), time.monotonic)
    reader.start()
    try:
        yield reader
    finally:
        reader.stop()


@pytest.fixture
def line() -> Iterator[Terminal]:
    with terminal() as made:
        yield made


def test_bytes_come_stamped_and_in_order(line: Terminal) -> None:
    inbox = Inbox()
    with reading(lambda: open_port(line.path), inbox) as reader:
        before = time.monotonic()
        assert inbox.next() == LinkUp(first=True)
        line.say(b"\x05\x31\x44")
        first = inbox.queue.get(timeout=LIMIT_S)
        assert before <= first.at <= time.monotonic()
        assert isinstance(first.what, bytes)
        assert first.what + inbox.bytes(3 - len(first.what)) == b"\x05\x31\x44"
        reader.write(b"\x06")
        assert line.heard(1) == b"\x06"
        assert reader.identity == Identity("serial", line.path)


def test_delivery_does_not_print_its_bytes() -> None:
    assert "ab" not in repr(Delivery(b"ab", 1.0))


def test_pulled_cable_and_its_return_are_each_told_once(tmp_path: Path) -> None:
    inbox, shoe = Inbox(), tmp_path / "shoe"
    with terminal() as first:
        shoe.symlink_to(first.path)
        with reading(lambda: open_port(str(shoe)), inbox) as reader:
            assert inbox.next() == LinkUp(first=True)
            shoe.unlink()  # the number of a terminal that is gone may be given to another
            first.pull()
            assert isinstance(inbox.next(), LinkLost)
            gone = inbox.next()  # another reason: not unplugged any more, but not there
            assert isinstance(gone, LinkLost)
            assert "there is no" in gone.why
            with pytest.raises(LinkError, match="the link is down, 3 bytes were not sent"):
                reader.write(b"abc")
            with terminal() as second:
                (tmp_path / "new").symlink_to(second.path)
                (tmp_path / "new").rename(shoe)
                assert inbox.next() == LinkUp(first=False)
                second.say(b"x")
                assert inbox.bytes(1) == b"x"
                assert reader.links == 2


def test_port_that_is_missing_is_told_once_however_often_it_is_tried() -> None:
    tried = threading.Semaphore(0)

    def opens() -> Port:
        tried.release()
        raise LinkError("not there")

    inbox = Inbox()
    with reading(opens, inbox) as reader:
        for _ in range(len(BACK_OFF_S) + 2):
            assert tried.acquire(timeout=LIMIT_S)
        assert inbox.next() == LinkLost("not there")
        assert reader.advanced > len(BACK_OFF_S)
        assert not reader.up
    assert inbox.queue.empty()


def test_error_of_our_own_is_told_and_does_not_end_the_reader(line: Terminal) -> None:
    fails = iter([True, False])

    def opens() -> Port:
        if next(fails):
            raise ZeroDivisionError("the card was 9H")
        return open_port(line.path)

    inbox = Inbox()
    with reading(opens, inbox):
        lost = inbox.next()
        assert isinstance(lost, LinkLost)
        assert "the reader failed (ZeroDivisionError)" in lost.why
        assert "the card" not in lost.why, "what an error says may be a card"
        assert inbox.next() == LinkUp(first=True)


def test_full_inbox_stops_the_reader_and_loses_nothing(line: Terminal) -> None:
    inbox = Inbox(room=2)
    sent = bytes(range(256)) * 8
    with reading(lambda: open_port(line.path), inbox):
        assert inbox.next() == LinkUp(first=True)
        for at in range(0, len(sent), 64):
            line.say(sent[at : at + 64])
        assert inbox.bytes(len(sent)) == sent


def test_reader_waits_while_nobody_takes_what_it_has(line: Terminal) -> None:
    tried: queue.Queue[bytes | LinkUp | LinkLost] = queue.Queue()
    open_again = threading.Event()
    taken: list[bytes | LinkUp | LinkLost] = []

    def deliver(what: Brought, _at: float, _timeout_s: float) -> bool:
        tried.put(what)
        if open_again.is_set() or isinstance(what, LinkUp):
            taken.append(what)
            return True
        return False

    reader = Reader("shoe", lambda: open_port(line.path), deliver, time.monotonic)
    reader.start()
    try:
        assert tried.get(timeout=LIMIT_S) == LinkUp(first=True)
        line.say(b"a")
        assert tried.get(timeout=LIMIT_S) == b"a"
        stands = reader.advanced
        assert [tried.get(timeout=LIMIT_S) for _ in range(3)] == [b"a"] * 3
        assert reader.advanced == stands  # a watchdog sees that nothing moves
        open_again.set()
        while b"a" not in taken:
            tried.get(timeout=LIMIT_S)
    finally:
        reader.stop()


def test_stop_ends_a_reader_whose_inbox_stays_full(line: Terminal) -> None:
    inbox = Inbox(room=1)
    with reading(lambda: open_port(line.path), inbox):
        while not inbox.queue.full():
            line.say(b"x")
    open_port(line.path).close()  # and the port is free again


def test_stop_before_start_and_twice_is_no_error() -> None:
    reader = Reader("shoe", lambda: open_port("/dev/none"), into(queue.Queue(1)), time.monotonic)
    reader.stop()
    reader.stop()


def test_advanced_grows_while_the_line_is_silent(line: Terminal) -> None:
    inbox = Inbox()
    with reading(lambda: open_port(line.path), inbox) as reader:
        assert inbox.next() == LinkUp(first=True)
        seen = reader.advanced
        until = time.monotonic() + LIMIT_S
        while reader.advanced < seen + 3:
            assert time.monotonic() < until
            threading.Event().wait(0.01)


def test_network_link_is_lost_and_found_again() -> None:
    inbox = Inbox()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(LIMIT_S)
        url = f"socket://127.0.0.1:{listening.getsockname()[1]}"
        with reading(lambda: open_port(url), inbox):
            for first in (True, False):
                assert inbox.next() == LinkUp(first=first)
                with closing(listening.accept()[0]) as far:
                    far.sendall(b"card")
                    assert inbox.bytes(4) == b"card"
                assert isinstance(inbox.next(), LinkLost)


def test_reader_of_a_data_sheet_sets_its_line(
    line: Terminal,
) -> None:
    import termios

    inbox = Inbox()
    opened: list[Identity] = []

    def around(port: Port) -> Port:
        opened.append(port.identity)
        return port

    reader = reader_for(SHEET, line.path, into(inbox.queue), time.monotonic, around=around)
    reader.start()
    try:
        assert inbox.next() == LinkUp(first=True)
        assert line.attributes()[4] == termios.B4800
        assert opened == [Identity("serial", line.path)]
    finally:
        reader.stop()


def test_wrong_unit_is_told_as_a_lost_link(line: Terminal) -> None:
    inbox = Inbox()
    enrolled = "usb 0403:6001:A5"
    reader = reader_for(
        SHEET, line.path, into(inbox.queue), time.monotonic, enrolled=lambda: enrolled
    )
    reader.start()
    try:
        lost = inbox.next()
        assert isinstance(lost, LinkLost)
        assert f"enrolled is {enrolled}" in lost.why
    finally:
        reader.stop()


def test_port_that_cannot_be_is_refused_at_once() -> None:
    with pytest.raises(BadSetting, match="loop://"):
        reader_for(SHEET, "loop://", into(queue.Queue(1)), time.monotonic)


def test_inbox_without_a_limit_is_refused() -> None:
    with pytest.raises(AssertionError, match="without a limit"):
        into(queue.Queue())
