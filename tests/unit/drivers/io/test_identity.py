"""What a port is called, how its line is set, and what a unit is enrolled by."""

import pytest

from drivers import registry
from drivers.contract import DataSheet
from drivers.errors import BadSetting
from drivers.io.identity import Address, Identity, LineSettings, check_kind, line_for, parse
from support.rows import each_row

SHEET = DataSheet("shoe_x", "shoe", "maker", "model", "serial", False, "", False, baud=4800)


@each_row(
    "url, is_",
    [
        ("/dev/ttyUSB0", Address("/dev/ttyUSB0", "serial", "/dev/ttyUSB0")),
        ("usb-FTDI_A50", Address("usb-FTDI_A50", "serial", "usb-FTDI_A50")),
        ("socket://shoe:4002", Address("socket://shoe:4002", "tcp", "", "shoe", 4002)),
        ("socket://10.0.0.7", Address("socket://10.0.0.7", "tcp", "", "10.0.0.7", 4001)),
        ("socket://[::1]:9", Address("socket://[::1]:9", "tcp", "", "::1", 9)),
        ("rfc2217://a:1", Address("rfc2217://a:1", "rfc2217", "", "a", 1)),
        ("usbip://a/1-1.2", Address("usbip://a/1-1.2", "usbip", "1-1.2", "a", 3240)),
        ("usbip://a:9", Address("usbip://a:9", "usbip", "", "a", 9)),
        ("usb://0c2e:0B61", Address("usb://0c2e:0B61", "usb", vid=0x0C2E, pid=0x0B61)),
        ("usb://1:2@1-1.2", Address("usb://1:2@1-1.2", "usb", "1-1.2", vid=1, pid=2)),
        ("usb://1:2:A@7", Address("usb://1:2:A@7", "usb", vid=1, pid=2, serial="A@7")),
        ("usb://1:2:A:7", Address("usb://1:2:A:7", "usb", vid=1, pid=2, serial="A:7")),
    ],
)
def test_url_is_taken_apart(url: str, is_: Address) -> None:
    assert parse(url) == is_


@each_row(
    "url",
    [
        "",
        "  ",
        "a\0b",
        "loop://",
        "http://a:1",
        "socket://",
        "socket://a:port",
        "socket://a:99999",
        "socket://a:1/x",
        "rfc2217://a:1?logging=debug",
        "usb://12345:1",
        "usb://zz:1",
        "usb://1234",
        "usb://-1:2",
        "usb://1:2@",
        "usb://1:2@socket",
        "usb://1:2@1-1.",
        "usb://1:2@1-1:A7",
    ],
)
def test_what_is_no_port_is_refused_with_what_to_write(url: str) -> None:
    with pytest.raises(BadSetting, match=r"write|port"):
        parse(url)


def test_line_is_the_data_sheets_unless_set() -> None:
    assert line_for(SHEET) == LineSettings(4800, 8, "N", 1)
    given = {"baud": 9600, "data_bits": 7, "parity": "even", "stop_bits": 2}
    assert line_for(SHEET, given) == LineSettings(9600, 7, "E", 2)


@each_row(
    "given",
    [
        {"baud": "fast"},
        {"baud": 0},
        {"baud": True},
        {"data_bits": 9},
        {"parity": "X"},
        {"parity": 1},
        {"stop_bits": 3},
    ],
)
def test_impossible_line_is_refused_by_name(given: dict[str, object]) -> None:
    with pytest.raises(BadSetting, match=next(iter(given))):
        line_for(SHEET, given)


def test_unit_is_enrolled_by_the_most_particular_thing() -> None:
    adapter = Identity("serial", "/dev/ttyUSB0", "0403:6001", "A50285BI", "1-1.2", "FT232R")
    assert adapter.enrolment == "usb 0403:6001:A50285BI"
    plain = Identity("serial", "/dev/ttyUSB0", "1a86:7523", "", "1-1.2", "CH340")
    assert plain.enrolment == "usb 1a86:7523 in socket 1-1.2"
    assert Identity("serial", "/dev/ttyS0").enrolment == "serial /dev/ttyS0"
    assert Identity("tcp", "10.0.0.7:4001").enrolment == "tcp 10.0.0.7:4001"
    assert str(adapter) == "/dev/ttyUSB0 0403:6001 serial A50285BI in socket 1-1.2 FT232R"


@each_row(
    "driver, wrong, right",
    [
        ("shoe_barcode_usb", "/dev/ttyUSB0", "usbip://127.0.0.1:3240/1-1"),
        ("shoe_barcode_usb", "socket://10.0.0.5:4001", "usb://05e0:1200"),
        ("shoe_angel_eye", "usb://05e0:1200", "/dev/ttyUSB0"),
    ],
)
def test_a_device_is_not_looked_for_on_the_wrong_kind_of_port(
    driver: str, wrong: str, right: str
) -> None:
    sheet = registry.find(driver).sheet
    check_kind(sheet, parse(right))
    with pytest.raises(BadSetting, match=f"{driver} is reached by"):
        check_kind(sheet, parse(wrong))
