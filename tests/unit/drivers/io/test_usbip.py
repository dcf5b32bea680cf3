"""USB/IP from the host's side: against the emulator's server, and against one that misbehaves."""

import errno
import re
import shutil
import struct
import subprocess
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest
import usb.core

from drivers.errors import LinkError, WrongDevice
from drivers.io import usbip
from drivers.io.identity import Port
from drivers.io.ports import open_port
from drivers.io.usbip_link import MAX_DEVICES, Exported, Imported, TransferFailed, exported
from drivers.testing.bench.emulated import Emulated, emulated
from support.devices.emulated import LIMIT_S
from support.devices.typed import reports, scan
from support.devices.usbip_server import (
    DEVICE_DESCRIPTOR,
    IMPORTED,
    LISTED,
    Host,
    lists,
    serving,
    submitted,
    unlinked,
)
from support.rows import each_row

SYSTEM = "/usr/bin:/usr/sbin:/bin:/sbin"


@pytest.fixture
def scanner() -> Iterator[Emulated]:
    settings = ("--set", "deck=2S TD 9H", "--set", "decks=1", "--set", "report_ms=0")
    with emulated("shoe_barcode_usb", "--usbip", "127.0.0.1:0", *settings) as made:
        yield made


def packets(port: Port, count: int) -> list[bytes]:
    out = [port.read(LIMIT_S) for _ in range(count)]
    assert all(out), out
    return out


def place(scanner: Emulated) -> tuple[str, int]:
    host, number = re.fullmatch(r"usbip://(.*):(\d+)/1-1", scanner.port).groups()  # type: ignore[union-attr]
    return host, int(number)


def wait_until_free(scanner: Emulated) -> None:
    """The server has seen that the host hung up."""
    until = time.monotonic() + LIMIT_S
    while scanner.state()["device"]["imported"]:
        assert time.monotonic() < until


# --- the emulator -----------------------------------------------------------------------------


def test_debians_own_client_lists_the_emulator(scanner: Emulated) -> None:
    client = shutil.which("usbip", path=SYSTEM)
    if client is None:
        pytest.skip("Debian's usbip is not installed")
    host, port = place(scanner)
    done = subprocess.run(
        [client, "--tcp-port", str(port), "list", "--remote", host],
        capture_output=True,
        text=True,
        check=True,
        timeout=LIMIT_S,
    )
    assert re.search(r"1-1: .*\(1209:0001\)", done.stdout)
    assert "(03/01/01)" in done.stdout


def test_scanned_label_arrives_packet_by_packet(scanner: Emulated) -> None:
    with closing(open_port(scanner.port)) as port:
        assert port.identity.enrolment == "usb 1209:0001:SB-0001"
        assert port.read(0) == b""
        scanner.do("draw")
        assert packets(port, 8) == reports(scan("S21"))
        scanner.do("draw")
        assert packets(port, 10) == reports(scan("D101"))
        assert port.read(0) == b""
        with pytest.raises(LinkError, match="cannot be written to"):
            port.write(b"x")
        assert scanner.state()["device"]["idle"] == 0
        assert scanner.state()["device"]["boot_protocol"] is True


def test_bus_id_is_needed_only_among_several_and_a_wrong_one_lists_what_there_is(
    scanner: Emulated,
) -> None:
    with closing(open_port(scanner.port.removesuffix("/1-1"))) as port:
        assert port.identity.serial == "SB-0001"
    wait_until_free(scanner)
    with pytest.raises(WrongDevice, match=r"0 devices are .*2-1; .*: 1-1 \(1209:0001\)"):
        open_port(scanner.port.replace("1-1", "2-1"))


def test_imported_device_is_nobody_elses(scanner: Emulated) -> None:
    with closing(open_port(scanner.port)):
        with pytest.raises(WrongDevice, match="not in use: none"):
            open_port(scanner.port)
        with pytest.raises(TransferFailed) as refused:
            Imported(*place(scanner), "1-1")
        assert refused.value.number == errno.EBUSY
    wait_until_free(scanner)
    open_port(scanner.port).close()


def test_unplugged_scanner_is_a_lost_link_and_is_found_again(scanner: Emulated) -> None:
    with closing(open_port(scanner.port)) as port:
        scanner.do("unplug")
        with pytest.raises(LinkError, match="unplugged"):
            port.read(LIMIT_S)
    with pytest.raises(WrongDevice, match="0 devices"):
        open_port(scanner.port)
    scanner.do("plug")
    with closing(open_port(scanner.port)) as port:
        scanner.do("draw", card="9H")
        assert packets(port, 8) == reports(scan("H91"))


def test_label_scanned_while_nobody_has_the_device_is_gone(scanner: Emulated) -> None:
    open_port(scanner.port).close()
    wait_until_free(scanner)
    scanner.do("draw", card="2S")
    with closing(open_port(scanner.port)) as port:
        scanner.do("draw", card="9H")
        assert packets(port, 8) == reports(scan("H91"))


@pytest.mark.parametrize("quirk", ["refuses_requests=yes", "serial="])
def test_scanner_that_knows_less_is_read_all_the_same(quirk: str) -> None:
    options = ("--set", quirk, "--set", "report_ms=0", "--set", "decks=1")
    with (
        emulated("shoe_barcode_usb", "--usbip", "127.0.0.1:0", *options) as scanner,
        closing(open_port(scanner.port)) as port,
    ):
        scanner.do("draw", card="AS")
        assert packets(port, 8) == reports(scan("SA1"))


def test_pyusb_sees_a_whole_device(scanner: Emulated) -> None:
    backend = usbip.Backend(*place(scanner))
    try:
        device = usb.core.find(backend=backend, idVendor=0x1209)
        assert (device.manufacturer, device.product) == ("Sabot", "Barcode shoe")
        assert device.speed == 2
        interface = device[0][0, 0]
        assert (interface.bInterfaceClass, interface.bNumEndpoints) == (3, 1)
        assert interface[0].wMaxPacketSize == 8
        device.set_configuration(1)
        assert device.get_active_configuration().bConfigurationValue == 1
        device.set_interface_altsetting(0, 0)
        device.clear_halt(0x81)
        assert bytes(device.ctrl_transfer(0x81, 6, 0x2200, 0, 200))[:6].hex() == "05010906a101"
        with pytest.raises(usb.core.USBError) as stalled:
            device.ctrl_transfer(0xC0, 99, 0, 0, 1)
        assert stalled.value.errno == errno.EPIPE
        with pytest.raises(IndexError):
            device[0][1, 0]
    finally:
        backend.close()


@contextmanager
def opened_on(script: Callable[[Host], None]) -> Iterator[Port]:
    """The port of a device whose server lists it, and then does as the script says."""
    with (
        serving(lists, script) as (host, port),
        closing(open_port(f"usbip://{host}:{port}/1-1")) as opened,
    ):
        yield opened


# --- a server to order ------------------------------------------------------------------------


@pytest.mark.parametrize("tail", [(0, -1), (-1, 0)], ids=["as the text says", "as its example has"])
def test_answers_are_taken_with_the_spare_fields_either_way_round(tail: tuple[int, int]) -> None:
    def script(host: Host) -> None:
        _, number, endpoint, _ = host.imported(tail)
        assert endpoint == 1
        host.say(submitted(number, bytes(range(8)), tail=tail))

    with opened_on(script) as opened:
        assert opened.read(LIMIT_S) == bytes(range(8))


def test_packet_that_comes_after_a_timeout_is_not_lost() -> None:
    def script(host: Host) -> None:
        _, first, _, _ = host.imported()
        go_on.acquire()
        host.say(submitted(first, b"first---"))
        _, second, _, _ = host.transfer()
        assert second == first + 1, "one read at a time is with the device"
        host.say(submitted(second, b"second--"))

    go_on = threading.Semaphore(0)
    with opened_on(script) as opened:
        assert opened.read(0) == b""
        assert opened.read(0.01) == b""
        go_on.release()
        assert opened.read(LIMIT_S) == b"first---"
        assert opened.read(LIMIT_S) == b"second--"


def test_answer_that_is_cut_anywhere_is_put_together() -> None:
    def script(host: Host) -> None:
        _, number, _, _ = host.imported()
        for byte in submitted(number, b"8 bytes."):
            host.say(bytes([byte]))

    with opened_on(script) as opened:
        came = b""
        while not came:
            came = opened.read(0.001)
        assert came == b"8 bytes."


@pytest.mark.parametrize("raced", [False, True], ids=["taken back", "done meanwhile"])
def test_read_under_way_is_taken_back_when_the_port_closes(raced: bool) -> None:
    def script(host: Host) -> None:
        _, number, _, _ = host.imported()
        command, own, _, which = host.transfer()
        assert (command, which) == (2, number.to_bytes(4, "big"))
        if raced:
            host.say(submitted(number, bytes(8)))
        host.say(unlinked(own, 0 if raced else -errno.ECONNRESET))
        with pytest.raises(ConnectionError):
            host.take(1)

    with serving(lists, script) as (host, port):
        opened = open_port(f"usbip://{host}:{port}/1-1")
        assert opened.read(0) == b""
        opened.close()


def test_control_transfer_that_is_not_answered_is_taken_back() -> None:
    def script(host: Host) -> None:
        assert host.request() == 0x8003
        host.say(IMPORTED)
        _, number, _, _ = host.transfer()
        command, own, _, which = host.transfer()
        assert (command, which) == (2, number.to_bytes(4, "big"))
        host.say(unlinked(own, -errno.ECONNRESET))
        _, number, _, _ = host.transfer()
        _, own, _, _ = host.transfer()
        host.say(submitted(number, b"late") + unlinked(own, 0))

    with serving(script) as (host, port):
        backend = usbip.Backend(host, port)
        device = Exported("1-1", 1, 2, 2, 0x1209, 1)
        handle = backend.open_device(device)
        buffer = array("B", bytes(4))
        with pytest.raises(usb.core.USBTimeoutError):
            backend.ctrl_transfer(handle, 0x80, 6, 0x0100, 0, buffer, 1)
        assert backend.ctrl_transfer(handle, 0x80, 6, 0x0100, 0, buffer, 1) == 4
        assert buffer.tobytes() == b"late"
        backend.close()


@each_row(
    "status, says", [(-errno.ESHUTDOWN, "unplugged"), (-errno.EPROTO, "EPROTO"), (7, "status")]
)
def test_failed_read_is_a_link_error(status: int, says: str) -> None:
    def script(host: Host) -> None:
        _, number, _, _ = host.imported()
        host.say(submitted(number, b"", status))

    with opened_on(script) as opened, pytest.raises(LinkError, match=says):
        opened.read(LIMIT_S)


@each_row(
    "wrong",
    [
        lambda number: submitted(number + 9, bytes(8)),
        lambda number: submitted(number, bytes(9)),
        lambda number: struct.pack(">5I28x", 9, number, 0, 0, 0),
        lambda _number: b"",
    ],
)
def test_server_that_breaks_the_protocol_is_a_lost_link(wrong: object) -> None:
    def script(host: Host) -> None:
        _, number, _, _ = host.imported()
        host.say(wrong(number))  # type: ignore[operator]

    with opened_on(script) as opened, pytest.raises(LinkError, match="unplugged"):
        opened.read(LIMIT_S)


@each_row(
    "answer, says",
    [
        (struct.pack(">HHI", 0x0111, 0x0003, 0), "no USB/IP server"),
        (struct.pack(">HHI", 0x0211, 0x0005, 0), "version 0x0211"),
        (struct.pack(">HHI", 0x0111, 0x0005, 1), "gives no list"),
        (struct.pack(">HHII", 0x0111, 0x0005, 0, MAX_DEVICES + 1), "lists 257 devices"),
        (LISTED[:100], "closed"),
        (b"", "closed"),
    ],
)
def test_what_is_no_list_of_devices_is_refused(answer: bytes, says: str) -> None:
    def script(host: Host) -> None:
        host.request()
        host.say(answer)

    with serving(script) as (host, port), pytest.raises(LinkError, match=says):
        exported(host, port)


def test_older_server_of_the_same_major_version_is_understood() -> None:
    def script(host: Host) -> None:
        host.request()
        host.say(b"\x01\x06" + LISTED[2:])

    with serving(script) as (host, port):
        assert [each.usb_id for each in exported(host, port)] == ["1209:0001"]


@each_row(
    "descriptor",
    ["09 02 0900", "09 02 ffff 01 01 00 80 32", "09 02 0b00 01 01 00 80 32 07 05"],
)
def test_damaged_configuration_is_a_link_error(descriptor: str) -> None:
    raw = bytes.fromhex(descriptor)

    def script(host: Host) -> None:
        assert host.request() == 0x8003
        host.say(IMPORTED)
        while True:
            try:
                _, number, _, setup = host.transfer()
            except ConnectionError:
                return
            length = int.from_bytes(setup[6:8], "little")
            known = {b"\6\0\2": raw, b"\x08\0\0": b"\1"}
            host.say(submitted(number, known.get(setup[1:4], DEVICE_DESCRIPTOR)[:length]))

    with serving(lists, script) as (host, port), pytest.raises(LinkError):
        open_port(f"usbip://{host}:{port}/1-1")
