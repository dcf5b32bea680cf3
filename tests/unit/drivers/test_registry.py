import sys
from pathlib import Path

import pytest

from drivers import registry
from drivers.contract import DataSheet, Setting
from drivers.errors import BadSetting
from drivers.io.identity import LineSettings, line_for
from drivers.registry import BrokenDriver, NoSuchDriver, checked, find, names
from support.devices.packages import installed
from support.rows import each_row

SHEET = DataSheet(
    "acme_shoe",
    "shoe",
    "Acme",
    "One",
    "serial",
    numbered=False,
    checked="nothing",
    serial_number=False,
    settings={
        "wrap": Setting("1-9", ("1-9", "0-9"), "how the counter turns"),
        "read_only": Setting(True, (True, False), "sends nothing"),
        "window_s": Setting(1.0, None, "how long", "s"),
        "label": Setting("", None, "any text"),
    },
)


def _package(tmp_path: Path, text: str) -> None:
    (tmp_path / "acme_sabot_shoe.py").write_text(text, encoding="utf-8")


ACME = """
from drivers.contract import NOTHING, DataSheet

SHEET = DataSheet(
    "acme_shoe", "shoe", "Acme", "One", "serial", numbered=False, checked="", serial_number=False
)

class Driver:
    def __init__(self, settings):
        self.settings = settings

    def hello(self, at):
        return NOTHING
"""


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A maker's package beside ours, found by its entry point."""
    installed(tmp_path, "acme-sabot", "sabot.drivers", "acme_shoe = acme_sabot_shoe")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "acme_sabot_shoe", raising=False)
    return tmp_path


def test_a_makers_own_driver_is_found_by_its_entry_point(acme: Path) -> None:
    _package(acme, ACME)
    assert names() == [*registry.OURS, "acme_shoe"]
    made = find("acme_shoe").with_settings()
    assert made.hello(0.0).events == ()


def test_a_makers_driver_cannot_take_the_place_of_ours(acme: Path) -> None:
    points = "[sabot.drivers]\nshoe_angel_eye = acme_sabot_shoe\n"
    (acme / "acme_sabot-1.0.dist-info/entry_points.txt").write_text(points, encoding="utf-8")
    _package(acme, ACME.replace("acme_shoe", "shoe_angel_eye"))
    assert names() == [*registry.OURS, "shoe_angel_eye (acme-sabot)"], "whoever lists is told"
    assert find("shoe_angel_eye").sheet.maker != "Acme"
    with pytest.raises(BrokenDriver, match=r"acme_sabot_shoe \(package acme-sabot\).*Sabot's own"):
        find("shoe_angel_eye (acme-sabot)")
    assert list(registry.usable()) == list(registry.OURS)


@pytest.mark.parametrize("first", ["acme_sabot", "bolt_sabot"])
def test_of_two_packages_with_one_name_both_are_named_and_none_is_used(
    acme: Path,
    first: str,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whichever comes first on the path; and a third one is used as ever."""
    _package(acme, ACME)
    other = tmp_path_factory.mktemp("bolt")
    points = "acme_shoe = bolt_shoe\nbolt_shoe = bolt_shoe"
    installed(other, "bolt-sabot", "sabot.drivers", points)
    own = ACME.replace("acme_shoe", "bolt_shoe")
    (other / "bolt_shoe.py").write_text(own, encoding="utf-8")
    monkeypatch.syspath_prepend(str(other))
    monkeypatch.delitem(sys.modules, "bolt_shoe", raising=False)
    if first == "acme_sabot":
        monkeypatch.syspath_prepend(str(acme))
    both = r"acme_sabot_shoe \(package acme-sabot\) and bolt_shoe \(package bolt-sabot\)"
    with pytest.raises(BrokenDriver, match=f"driver 'acme_shoe' in {both} cannot be used"):
        find("acme_shoe")
    assert names() == [*registry.OURS, "acme_shoe", "bolt_shoe"]
    assert list(registry.usable()) == [*registry.OURS, "bolt_shoe"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("raise RuntimeError('no licence')", "no licence"),
        ("SHEET = None", "Driver"),
        (ACME.replace('"acme_shoe"', '"other"'), "calls itself 'other'"),
        ("import asyncio\nraise asyncio.CancelledError", "CancelledError"),
        (ACME.replace('"shoe"', '"toaster"'), "kind 'toaster'"),
        (ACME.replace("numbered=False", "numbered=0"), "SHEET.numbered is a int"),
        (ACME.replace("numbered", "contract='2', numbered"), "SHEET.contract is a str"),
        (ACME.replace("numbered", "settings=None, numbered"), "SHEET.settings is a NoneType"),
        (ACME.replace("numbered", "settings={'a': 1}, numbered"), "no Setting"),
        (ACME.replace("numbered", "commands=('Lock',), numbered"), "no command"),
    ],
)
def test_a_makers_driver_that_cannot_be_used_says_where_and_why(
    acme: Path, text: str, says: str
) -> None:
    _package(acme, text)
    with pytest.raises(BrokenDriver, match=f"acme_shoe.*acme_sabot_shoe.*{says}"):
        find("acme_shoe")


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(NoSuchDriver, match="did you mean shoe_angel_eye"):
        find("shoe_angle_eye")
    with pytest.raises(
        NoSuchDriver, match="driver 'toaster'\\. There are: shoe_angel_eye, shoe_bee_tek"
    ):
        find("toaster")


def test_settings_that_are_not_given_have_their_default() -> None:
    assert checked(SHEET, {"wrap": "0-9", "window_s": 2}) == {
        "wrap": "0-9",
        "read_only": True,
        "window_s": 2.0,
        "label": "",
    }


@each_row(
    "settings, says",
    [
        ({"warp": "1-9"}, "acme_shoe has no setting 'warp'; did you mean wrap?"),
        ({"wrap": "1-8"}, "wrap = '1-8', but it may be 1-9, 0-9"),
        ({"read_only": 1}, "read_only = 1, but it may be True, False"),
        ({"window_s": "1"}, "window_s = '1', but it takes a float"),
        ({"window_s": True}, "window_s = True, but it takes a float"),
        ({"label": None}, "label = None, but it takes a str"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_name(
    settings: dict[str, object], says: str
) -> None:
    with pytest.raises(BadSetting) as refused:
        checked(SHEET, settings)
    assert says in str(refused.value)


def test_every_driver_of_ours_is_there_with_its_sheet_and_starts_with_its_defaults() -> None:
    for name in registry.OURS:
        registered = find(name)
        assert registered.sheet.name == name
        driver = registered.with_settings()
        driver.hello(0.0)
        assert driver.feed(b"", 0.0).events == ()


def test_settings_of_a_serial_line_are_the_ports_and_a_usb_device_has_none() -> None:
    assert "baud" not in checked(SHEET, {"baud": 9600, "wrap": "0-9"})
    assert find("shoe_angel_eye").with_settings({"baud": 9600})
    assert line_for(SHEET, {"baud": 4800, "parity": "even", "stop_bits": 2}) == LineSettings(
        4800, 8, "E", 2
    )
    with pytest.raises(BadSetting, match="parity = 'maybe'"):
        line_for(SHEET, {"parity": "maybe"})
    with pytest.raises(BadSetting, match="shoe_barcode_usb has no setting 'baud'"):
        find("shoe_barcode_usb").with_settings({"baud": 9600})
