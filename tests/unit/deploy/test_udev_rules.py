"""The udev rules, read by a small reader of their language: Debian 12 has no `udevadm verify`."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

RULES = Path(__file__).parents[3] / "deploy" / "udev" / "70-sabot.rules"

PART = re.compile(r'([A-Z]+)(?:\{([A-Za-z_]+)\})?(==|!=|\+=|=)"([^"]*)"')
MATCHES = {"SUBSYSTEM", "SUBSYSTEMS", "ENV"}
ACTS = {"GOTO", "LABEL", "GROUP", "MODE", "SYMLINK", "IMPORT"}

Part = tuple[str, str, str, str]


def lines() -> list[list[Part]]:
    """Every rule as its parts; a part nobody knows fails."""
    found = []
    for line in RULES.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        parts = [PART.fullmatch(part.strip()) for part in line.split(", ")]
        assert all(parts), line
        found.append([(m[1], m[2] or "", m[3], m[4]) for m in parts if m])
    return found


@dataclass
class Device:
    """What udev knows when it comes to our rules, and what our rules do with it."""

    subsystem: str
    env: dict[str, str]
    builtins: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    given: dict[str, str] = field(default_factory=dict)

    def matches(self, part: Part) -> bool:
        key, name, sign, value = part
        if key == "SUBSYSTEMS":
            return self.env.get("on") == value
        is_ = self.subsystem if key == "SUBSYSTEM" else self.env.get(name, "")
        return (is_ == value) == (sign == "==")

    def act(self, part: Part) -> str | None:
        """Do it; gives where to go on, if elsewhere."""
        key, _, sign, value = part
        if key == "GOTO":
            return value
        if key == "IMPORT":
            self.builtins.append(value)
        elif key == "SYMLINK":
            assert sign == "+=", "other rules' links stay"
            self.links.append(re.sub(r"\$env\{(\w+)\}", lambda m: self.env[m[1]], value))
        else:
            self.given[key] = value
        return None


def ruled(subsystem: str, **env: str) -> Device:
    device, label = Device(subsystem, env), None
    for rule in lines():
        tests = [part for part in rule if part[0] in MATCHES and part[2] in ("==", "!=")]
        acts = [part for part in rule if part not in tests]
        if label is not None:
            if ("LABEL", "", "=", label) not in rule:
                continue
            label = None
        if all(map(device.matches, tests)):
            for part in acts:
                label = device.act(part) or label
    assert label is None, f"there is no label {label}"
    return device


ADAPTER = {"on": "usb", "ID_BUS": "usb", "ID_VENDOR_ID": "0403", "ID_MODEL_ID": "6001"}


def test_every_part_is_of_a_known_kind() -> None:
    for rule in lines():
        assert {part[0] for part in rule} <= MATCHES | ACTS, rule


def test_an_adapter_with_a_serial_number_is_named_by_it_and_by_its_socket() -> None:
    at = "pci-0000:00:14.0-usb-0:2:1.0"
    found = ruled("tty", **ADAPTER, ID_SERIAL_SHORT="A10LX3VF", ID_PATH=at)
    assert found.links == ["sabot/0403-6001-A10LX3VF", f"sabot/at-{at}"]
    assert found.given == {"GROUP": "sabot", "MODE": "0660", "LABEL": "sabot_end"}
    assert found.builtins == [], "what is known already is not asked for again"


def test_a_cheap_adapter_is_named_by_its_socket_alone() -> None:
    assert ruled("tty", **ADAPTER, ID_PATH="x").links == ["sabot/at-x"]


def test_what_earlier_rules_did_not_find_out_is_asked_for() -> None:
    assert "usb_id" in ruled("tty", on="usb").builtins
    assert ruled("tty", **ADAPTER).builtins == ["path_id"]


@pytest.mark.parametrize("other", [{"subsystem": "tty"}, {"subsystem": "usb", "ID_BUS": "usb"}])
def test_other_devices_are_left_alone(other: dict[str, str]) -> None:
    found = ruled(**other)
    assert found.links == []
    assert "GROUP" not in found.given
