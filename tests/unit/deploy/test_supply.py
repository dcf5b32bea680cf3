"""What a release is made of: a bill of materials by the rules of its format, and its licences."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "deploy" / "supply.py"
LOCK = ROOT / "requirements-table.lock"
_spec = importlib.util.spec_from_file_location("supply", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
supply = importlib.util.module_from_spec(_spec)
sys.modules["supply"] = supply
_spec.loader.exec_module(supply)


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    made: dict[str, Any] = supply.bill(LOCK)
    return made


def test_document_is_as_the_format_asks(bill: dict[str, Any]) -> None:
    """By CycloneDX 1.5: what must be there, what it may be, and that every reference leads
    somewhere and none is given twice."""
    assert set(bill) == {
        "bomFormat", "specVersion", "serialNumber", "version", "metadata", "components",
        "dependencies",
    }  # fmt: skip
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.5", 1)
    uuid = r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    assert re.fullmatch(uuid, bill["serialNumber"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", bill["metadata"]["timestamp"])
    parts = [bill["metadata"]["component"], *bill["components"]]
    assert [part["type"] for part in parts] == ["application", *["library"] * (len(parts) - 1)]
    for part in parts:
        assert part["name"]
        assert part["version"]
        assert urlsplit(part["purl"]).scheme == "pkg"
        (licence,) = part["licenses"]
        assert set(licence) == {"license"}
        assert set(licence["license"]) in ({"id"}, {"name"})
        for each in part.get("hashes", []):
            assert each["alg"] == "SHA-256"
            assert re.fullmatch("[0-9a-f]{64}", each["content"])
    refs = [part["bom-ref"] for part in parts]
    assert len(refs) == len(set(refs))
    assert sorted(each["ref"] for each in bill["dependencies"]) == sorted(refs)
    for each in bill["dependencies"]:
        assert set(each["dependsOn"]) <= set(refs)
        assert len(each["dependsOn"]) == len(set(each["dependsOn"]))


def test_every_package_of_the_lock_that_is_installed_is_on_the_bill(bill: dict[str, Any]) -> None:
    on_bill = {(part["name"], part["version"]) for part in bill["components"]}
    in_lock = {
        (name, each.version) for name, each in supply.locked(LOCK).items() if not each.marker
    }
    assert in_lock <= on_bill
    assert len(in_lock) > 20
    assert all(part["hashes"] for part in bill["components"])
    root = bill["metadata"]["component"]["bom-ref"]
    reached, left = set(), [root]
    needs = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    while left:
        ref = left.pop()
        if ref not in reached:
            reached.add(ref)
            left += needs[ref]
    assert reached == set(needs), "nothing is there that nothing needs"


def test_bill_is_the_same_every_time(tmp_path: Path) -> None:
    made = []
    for zone in ("UTC", "Asia/Singapore"):
        folder = tmp_path / zone.replace("/", "-")
        folder.mkdir()
        subprocess.run(
            [sys.executable, SCRIPT, "bill", LOCK, folder],
            check=True, timeout=60, capture_output=True,
            env={"TZ": zone, "SOURCE_DATE_EPOCH": "1795000000", "PATH": "/usr/bin"},
        )  # fmt: skip
        made.append([(folder / name).read_bytes() for name in ("sabot.cdx.json", "LICENCES.txt")])
    assert made[0] == made[1]
    assert json.loads(made[0][0])["metadata"]["timestamp"] == "2026-11-18T11:06:40Z"


def test_every_licence_lets_a_casino_run_it(bill: dict[str, Any]) -> None:
    names = {part["licenses"][0]["license"]["name"] for part in bill["components"]}
    free = r"\b(MIT|BSD|Apache|ISC|PSF|MIT-0|any-OSI)"
    assert {name for name in names if not re.search(free, name)} == set()
    assert {name for name in names if "GPL" in name} == set()
    told = supply.licences(bill).splitlines()
    assert len(told) == len(bill["components"]) + 3


def lock(path: Path, *entries: tuple[str, str, str]) -> Path:
    path.write_text("".join(f"{n}=={v} \\\n    --hash=sha256:{h * 64}\n" for n, v, h in entries))
    return path


def test_refreshed_lock_says_what_changed(tmp_path: Path) -> None:
    old = lock(tmp_path / "old", ("a", "1", "0"), ("b", "1", "0"), ("c", "1", "0"), ("d", "1", "0"))
    new = lock(tmp_path / "new", ("a", "1", "0"), ("b", "2", "1"), ("d", "1", "f"), ("e", "3", "2"))
    assert list(supply.changes(old, new)) == [
        "b: 1 -> 2",
        "c: 1 -> gone",
        "d: 1, other files (1 hashes gone): ask why",
        "e: new -> 3",
    ]
    assert list(supply.changes(old, old)) == []
    assert "supply.py changes dist/locks/$$each $$each" in (ROOT / "Makefile").read_text()


def test_package_that_is_not_as_locked_or_says_no_licence_stops_the_bill(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is installed, and"):
        supply.bill(lock(tmp_path / "lock", ("msgspec", "0.0.1", "0")))
    with pytest.raises(ValueError, match="in the lock and not installed"):
        supply.bill(lock(tmp_path / "lock", ("no-such-package", "1", "0")))
