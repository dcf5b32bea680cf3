"""A report as data: written and read again, and how a unit is wired, in a sentence."""

from pathlib import Path

import pytest

from drivers import registry
from drivers.cards import DECK
from drivers.contract import Settings
from drivers.hil import report
from drivers.hil.report import BadReport, CheckOutcome
from drivers.io.identity import Identity
from support.devices.bench_sessions import ADAPTER, SHEET, row, session
from support.rows import each_row


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    told = session([*DECK[:20], None, *DECK[22:]], row("test_hello"))
    (tmp_path / report.FILE).write_bytes(report.written(told))
    assert report.load(tmp_path) == told
    assert report.load(tmp_path / report.FILE) == told


@each_row(
    "text, says",
    [
        (None, "No such file"),
        ("<html>", "is no report"),
        ("{}", "is no report"),
        ("newer", "newer Sabot"),
        ("joker", "Invalid enum value 'XX'"),
    ],
)
def test_what_is_no_report_is_refused_in_a_sentence(
    text: str | None, says: str, tmp_path: Path
) -> None:
    good = report.written(session())
    made = {
        "newer": good.replace(b'report": 1', b'report": 9'),
        "joker": good.replace(b"AS", b"XX"),
    }
    if text is not None:
        (tmp_path / report.FILE).write_bytes(made.get(text, text.encode()))
    with pytest.raises(BadReport, match=says):
        report.load(tmp_path)


def test_good_is_tried_whole_and_right() -> None:
    assert session().good
    assert not session([]).good
    assert not session(stopped="It was stopped before its end.").good
    assert not session(rows=(row("test_hello", CheckOutcome.LEFT_OUT),)).good


@each_row(
    "driver, settings, identity, says",
    [
        (
            "shoe_bee_tek",
            {"parity": "E", "stop_bits": 2, "baud": 4800},
            Identity("serial", "/dev/ttyS0"),
            "serial port /dev/ttyS0, 4800 baud, 8 data bits, even parity, 2 stop bits",
        ),
        (
            "shoe_bee_tek",
            {},
            ADAPTER,
            "USB adapter 0403:6001 (FT232R) number A5 in USB socket 1-1.2, 9600 baud, 8 data bits, "
            "no parity, 1 stop bit",
        ),
        ("shoe_bee_tek", {}, Identity("tcp", "10.0.0.7:4001"), "device server 10.0.0.7:4001 over"),
        ("shoe_bee_tek", {}, Identity("rfc2217", "a:1"), "its line set to 9600 baud"),
        (
            "shoe_barcode_usb",
            {},
            Identity("usb", "bus 1 device 5", "05e0:1200", "", "1-2", "Scanner"),
            "USB 05e0:1200 (Scanner) in USB socket 1-2",
        ),
        (
            "shoe_barcode_usb",
            {},
            Identity("usbip", "a:3240/1-1", "05e0:1200"),
            "USB 05e0:1200 over the network from a:3240/1-1",
        ),
    ],
)
def test_wiring_is_said_as_a_technician_would(
    driver: str, settings: Settings, identity: Identity, says: str
) -> None:
    assert says in report.wiring(registry.find(driver).sheet, settings, identity)


def test_an_adapter_s_number_is_not_the_unit_s() -> None:
    facts = report.unit_facts(SHEET, {"format": "B"}, ADAPTER, asset="S", firmware="1")
    assert (facts.serial, facts.settings) == ("", "format = B")
