"""A keyboard of this machine is asked about before it is taken, and enrolling gives it back."""

import io
from pathlib import Path

import pytest
import typer
from pytest_mock import MockerFixture

from controller.config import file as config
from controller.hil import enrolment, keyboards
from support.devices.usb_devices import Scanner, plug

URL = "usb://0c2e:0b61"
FILE = f"""[table]
rulebook = "mbs-baccarat-8"
[money]
chip_unit = 100
[shoe]
driver = "shoe_barcode_usb"
port = "{URL}"
"""


def types(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


@pytest.mark.parametrize("typed", ["n\n", "\n", ""])
def test_whoever_does_not_say_yes_keeps_it(
    mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    keyboard = Scanner()
    plug(mocker, keyboard)
    types(monkeypatch, typed)
    with pytest.raises(typer.Abort):
        keyboards.consented(URL)
    assert keyboard.detached == []


def test_a_yes_names_the_one_that_may_be_taken(
    mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plug(mocker, Scanner())
    types(monkeypatch, "y\n")
    assert keyboards.consented(URL) == "usb 0c2e:0b61:S1"
    assert "serial S1 in socket 1-1.2" in capsys.readouterr().err


def test_nobody_is_asked_about_what_is_no_keyboard(
    mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug(mocker, Scanner(kernel=False))
    types(monkeypatch, "")
    assert keyboards.consented(URL) == ""
    assert keyboards.consented("/dev/ttyUSB0") == ""


def test_enrolling_looks_asks_tries_and_gives_back(
    mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(FILE)
    scanner = Scanner()
    plug(mocker, scanner)
    types(monkeypatch, "y\nSHOE-9\ny\n")
    enrolment.enrol(file, "shoe")
    assert (scanner.detached, scanner.attached) == ([0], [0])
    shoe = config.load(file).shoe
    assert shoe is not None
    assert (shoe.asset, shoe.identity) == ("SHOE-9", "usb 0c2e:0b61:S1")


def test_a_keyboard_that_may_not_be_taken_is_not_enrolled(
    mocker: MockerFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(FILE)
    scanner = Scanner()
    plug(mocker, scanner)
    types(monkeypatch, "n\nSHOE-9\ny\n")
    with pytest.raises(typer.Abort):
        enrolment.enrol(file, "shoe")
    assert (scanner.detached, file.read_text()) == ([], FILE)
