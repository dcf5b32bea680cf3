"""The emulator's USB/IP server byte by byte, by the kernel's public description of it."""

import struct
from collections.abc import Iterable

import pytest

from drivers.testing.cuts import same_however_cut
from simulators.registry import make
from simulators.shoe_barcode_usb import BarcodeScanner
from simulators.wire.usbip import MAX_HEARD, MAX_PENDING, UsbipServer
from support.rows import each_row

LIST = bytes.fromhex("0111 8005 00000000")
IMPORT = bytes.fromhex("0111 8003 00000000") + b"1-1".ljust(32, b"\0")
REFUSED = bytes.fromhex("0111 0003 00000004")


def scanner(**settings: object) -> BarcodeScanner:
    made = make("shoe_barcode_usb", {"report_ms": 0, "decks": 1, **settings})
    assert isinstance(made, BarcodeScanner)
    return made


def answers(talk: UsbipServer, said: bytes) -> bytes:
    talk.hear(said)
    return talk.step(0)


def imported(of: BarcodeScanner) -> UsbipServer:
    talk = of.conversation()
    assert answers(talk, IMPORT)[:8] == bytes.fromhex("0111 0003 00000000")
    return talk


def submit(number: int, endpoint: int, inward: bool, length: int, setup: str = "") -> bytes:
    """The fields of the kernel's own captured example, with ours in their places."""
    head = struct.pack(">5I", 1, number, 0x0001_0002, int(inward), endpoint)
    rest = struct.pack(">IIIII", 0x200, length, 0xFFFF_FFFF, 0, 4)
    return head + rest + bytes.fromhex(setup).ljust(8, b"\0")


def unlink(number: int, which: int) -> bytes:
    return struct.pack(">5II24x", 2, number, 0x0001_0002, 0, 0, which)


def returned(number: int, data: bytes, status: int = 0, length: int | None = None) -> bytes:
    size = len(data) if length is None else length
    return struct.pack(">5IiIii12x", 3, number, 0, 0, 0, status, size, 0, -1) + data


def test_list_has_the_device_at_the_published_offsets() -> None:
    talk = scanner().conversation()
    said = answers(talk, LIST)
    assert said[:12] == bytes.fromhex("0111 0005 00000000 00000001")
    assert said[0x0C:].split(b"\0", 1)[0].startswith(b"/sys/devices/")
    assert said[0x10C:0x12C] == b"1-1".ljust(32, b"\0")
    assert said[0x12C:0x138] == struct.pack(">III", 1, 2, 2)
    assert said[0x138:0x144].hex(" ", 2) == "1209 0001 0100 0000 0001 0101"
    assert said[0x144:] == bytes([3, 1, 1, 0])
    assert talk.finished


def test_requests_are_understood_however_they_are_cut() -> None:
    def hears(pieces: Iterable[bytes]) -> bytes:
        talk = scanner().conversation()
        return b"".join(answers(talk, piece) for piece in pieces)

    control = submit(7, 0, True, 18, "80 06 0001 0000 1200")
    said = same_however_cut(IMPORT + control, hears)
    device = bytes.fromhex("12 01 1001 00 00 00 08 0912 0100 0001 01 02 03 01")
    assert said[8 + 0x138 :] == returned(7, device)


def test_imported_device_is_out_of_the_list_and_free_again_afterwards() -> None:
    device = scanner()
    first = imported(device)
    other = device.conversation()
    assert answers(other, LIST) == bytes.fromhex("0111 0005 00000000 00000000")
    second = device.conversation()
    assert answers(second, IMPORT) == bytes.fromhex("0111 0003 00000002")
    assert second.finished
    second.ended()
    first.ended()
    imported(device)


def test_unknown_bus_id_is_refused() -> None:
    talk = scanner().conversation()
    assert answers(talk, IMPORT[:8] + b"9-9".ljust(32, b"\0")) == REFUSED
    assert talk.finished


def test_read_waits_for_a_report_and_gets_one_packet() -> None:
    device = scanner()
    talk = imported(device)
    assert answers(talk, submit(1, 1, True, 8) + submit(2, 1, True, 8)) == b""
    device.words["scan"].do(label="S")
    assert device.step(0) == b"", "a served device gives no bytes of its own"
    assert talk.step(0) == returned(1, bytes([0, 0, 0x16, 0, 0, 0, 0, 0])) + returned(2, bytes(8))
    assert answers(talk, submit(3, 1, True, 4)) == returned(3, bytes([0, 0, 0x28, 0]))


def test_unlink_takes_a_waiting_read_back_and_says_so() -> None:
    device = scanner()
    talk = imported(device)
    assert answers(talk, submit(1, 1, True, 8) + unlink(2, 1)) == struct.pack(
        ">5Ii24x", 4, 2, 0, 0, 0, -104
    )
    assert answers(talk, unlink(3, 1)) == struct.pack(">5Ii24x", 4, 3, 0, 0, 0, 0)


@each_row(
    "setup, length, answer",
    [
        ("80 08 0000 0000 0100", 1, "01"),
        ("80 00 0000 0000 0200", 2, "0000"),
        ("81 0a 0000 0000 0100", 1, "00"),
        ("80 06 0003 0000 0400", 4, "04030904"),
        ("80 06 0103 0904 ff00", 255, "0c03" + "5300610062006f007400"),
        ("80 06 0002 0000 0900", 9, "09022200010100 8032"),
        ("81 06 0021 0000 0900", 9, "0921110100012240 00"),
        ("a1 03 0000 0000 0100", 1, "01"),
        ("a1 02 0000 0000 0100", 1, "00"),
        ("a1 01 0001 0000 0800", 8, "00" * 8),
    ],
)
def test_control_request_inward_is_answered(setup: str, length: int, answer: str) -> None:
    talk = imported(scanner())
    data = bytes.fromhex(answer)
    said = answers(talk, submit(9, 0, True, length, setup))
    if setup.startswith("81 06 0021"):
        data = data[:7] + said[48 + 7 :]  # the length of the report descriptor is asked for below
    assert said == returned(9, data)


def test_report_descriptor_has_the_length_that_is_announced() -> None:
    talk = imported(scanner())
    hid = answers(talk, submit(1, 0, True, 9, "81 06 0021 0000 0900"))[48:]
    announced = int.from_bytes(hid[7:9], "little")
    whole = answers(talk, submit(2, 0, True, 255, "81 06 0022 0000 ff00"))[48:]
    assert len(whole) == announced
    assert whole[:6].hex() == "05010906a101"
    assert whole[-1] == 0xC0


@each_row("setup", ["00 09 0100 0000 0000", "21 0a 0000 0000 0000", "21 0b 0000 0000 0000"])
def test_control_request_outward_is_taken(setup: str) -> None:
    talk = imported(scanner())
    assert answers(talk, submit(9, 0, False, 0, setup)) == returned(9, b"")


def test_lamps_can_be_set() -> None:
    talk = imported(scanner())
    said = answers(talk, submit(9, 0, False, 1, "21 09 0002 0000 0100") + b"\1")
    assert said == returned(9, b"", length=1)


@each_row(
    "setup, settings",
    [
        ("80 06 0005 0000 0900", {}),
        ("80 06 0403 0904 ff00", {}),
        ("c0 99 0000 0000 0000", {}),
        ("00 09 0700 0000 0000", {}),
        ("21 0a 0000 0000 0000", {"refuses_requests": True}),
    ],
)
def test_what_it_does_not_know_stalls(setup: str, settings: dict[str, object]) -> None:
    talk = imported(scanner(**settings))
    inward = int(setup[:2], 16) & 0x80 != 0
    assert answers(talk, submit(9, 0, inward, 0, setup)) == returned(9, b"", -32)


def test_write_to_an_endpoint_it_does_not_have_stalls() -> None:
    talk = imported(scanner())
    assert answers(talk, submit(9, 1, False, 2) + b"ab") == returned(9, b"", -32)


def test_idle_rate_zero_ends_the_repeats() -> None:
    device = scanner(repeat_ms=40)
    talk = imported(device)
    answers(talk, submit(1, 0, False, 0, "21 0a 0000 0000 0000"))
    answers(talk, b"".join(submit(n, 1, True, 8) for n in range(2, 9)))
    device.words["hold"].do(seconds=1)
    device.step(2)
    assert talk.step(0).count(bytes([0, 0, 0x28])) == 1


def test_quirk_repeats_whatever_the_host_says() -> None:
    device = scanner(repeat_ms=40, repeats=True)
    talk = imported(device)
    answers(talk, submit(1, 0, False, 0, "21 0a 0000 0000 0000"))
    answers(talk, b"".join(submit(n, 1, True, 8) for n in range(2, 9)))
    device.words["hold"].do(seconds=0.1)
    device.step(0.2)
    assert talk.step(0).count(bytes([0, 0, 0x28])) == 1 + 2


def test_unplugging_hangs_up_and_empties_the_list() -> None:
    device = scanner()
    talk = imported(device)
    device.words["unplug"].do()
    talk.step(0)
    assert talk.finished
    talk.ended()
    assert answers(device.conversation(), LIST)[8:] == bytes(4)
    assert answers(device.conversation(), IMPORT) == REFUSED
    device.words["plug"].do()
    imported(device)


def test_reports_nobody_fetched_are_gone_at_the_next_import() -> None:
    device = scanner()
    first = imported(device)
    device.words["scan"].do(label="S21")
    device.step(0)
    first.ended()
    second = imported(device)
    assert answers(second, submit(1, 1, True, 8)) == b""


@each_row(
    "noise",
    [b"GET / HTTP/1.0\r\n\r\n", bytes.fromhex("0100 8005 00000000"), bytes(MAX_HEARD + 1)],
)
def test_what_is_no_usbip_is_hung_up_on(noise: bytes) -> None:
    talk = scanner().conversation()
    assert answers(talk, noise) == b""
    assert talk.finished


@pytest.mark.parametrize(
    "noise", [struct.pack(">5I28x", 9, 1, 0, 0, 0), submit(1, 1, False, MAX_HEARD + 1)]
)
def test_what_is_no_transfer_is_hung_up_on(noise: bytes) -> None:
    talk = imported(scanner())
    assert answers(talk, noise) == b""
    assert talk.finished


def test_no_more_reads_wait_than_there_is_room_for() -> None:
    talk = imported(scanner())
    many = b"".join(submit(n, 1, True, 8) for n in range(1, MAX_PENDING + 2))
    assert answers(talk, many) == returned(MAX_PENDING + 1, b"", -32)
