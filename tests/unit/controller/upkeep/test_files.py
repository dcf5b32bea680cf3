"""A changed, missing or added file is found by name; the list itself cannot be changed."""

import zipfile
from pathlib import Path

import msgspec
import pytest

from controller.upkeep import files, signing

WHEEL = {
    "acme/__init__.py": b"# acme\n",
    "acme/table.py": b"print('deal')\n",
    "acme-1.0.dist-info/METADATA": b"Name: acme\n",
    "acme-1.0.dist-info/RECORD": b"left to pip\n",
    "acme-1.0.data/purelib/extra.py": b"x = 1\n",
    "acme-1.0.data/scripts/acme": b"#!python\n",
}


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    private, public = tmp_path / "maker.key", tmp_path / "maker.pub"
    signing.make_key(private, public)
    return private, public


@pytest.fixture
def released(tmp_path: Path, keys: tuple[Path, Path]) -> tuple[Path, Path, Path]:
    """A signed manifest of one wheel and a unit file, and the wheel installed."""
    wheel, site, unit = tmp_path / "acme-1.0.whl", tmp_path / "site", tmp_path / "acme.service"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in WHEEL.items():
            archive.writestr(name, data)
    unit.write_text("[Service]\n")
    for name, data in WHEEL.items():
        path = site / name.replace("acme-1.0.data/purelib/", "")
        if "scripts" not in name:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    manifest = files.of_wheels([wheel], "1.0", {str(unit): unit})
    data = msgspec.json.encode(manifest)
    path = tmp_path / "manifest.json"
    path.write_bytes(data)
    path.with_name("manifest.json.sig").write_bytes(signing.sign(data, keys[0]))
    return path, site, unit


def told(released: tuple[Path, Path, Path], public: Path) -> list[str]:
    path, site, _ = released
    return [str(each) for each in files.differences(files.read(path, public), site)]


def test_installed_as_released_differs_in_nothing(
    released: tuple[Path, Path, Path], keys: tuple[Path, Path]
) -> None:
    assert told(released, keys[1]) == []


def test_a_flipped_bit_a_missing_and_an_added_file_are_each_named(
    released: tuple[Path, Path, Path], keys: tuple[Path, Path]
) -> None:
    _, site, unit = released
    table = site / "acme" / "table.py"
    table.write_bytes(bytes([table.read_bytes()[0] ^ 1]) + table.read_bytes()[1:])
    (site / "acme" / "__init__.py").unlink()
    (site / "sitecustomize.py").write_text("import os\n")
    (site / "acme" / "__pycache__").mkdir()
    (site / "acme" / "__pycache__" / "table.cpython-311.pyc").write_bytes(b"code")
    unit.write_text("[Service]\nUser=root\n")
    assert told(released, keys[1]) == [
        f"{unit}: changed",
        "acme/__init__.py: missing",
        "acme/__pycache__/table.cpython-311.pyc: not listed",
        "acme/table.py: changed",
        "sitecustomize.py: not listed",
    ]


def test_a_link_to_elsewhere_is_not_listed_either(
    released: tuple[Path, Path, Path], keys: tuple[Path, Path], tmp_path: Path
) -> None:
    (released[1] / "elsewhere").symlink_to(tmp_path)
    assert told(released, keys[1]) == ["elsewhere: not listed"]


def test_a_list_that_was_rewritten_is_refused(
    released: tuple[Path, Path, Path], keys: tuple[Path, Path]
) -> None:
    path = released[0]
    path.write_bytes(path.read_bytes().replace(b'"1.0"', b'"1.1"'))
    with pytest.raises(signing.BadSignature, match="is not as it was signed"):
        files.read(path, keys[1])


def test_a_list_signed_by_somebody_else_is_refused(
    released: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    private, public = tmp_path / "other.key", tmp_path / "other.pub"
    signing.make_key(private, public)
    with pytest.raises(signing.BadSignature):
        files.read(released[0], public)


@pytest.mark.parametrize("gone", ["manifest.json", "manifest.json.sig"])
def test_a_missing_list_or_signature_is_told(
    gone: str, released: tuple[Path, Path, Path], keys: tuple[Path, Path]
) -> None:
    (released[0].parent / gone).unlink()
    with pytest.raises(files.BadManifest, match=gone):
        files.read(released[0], keys[1])


@pytest.mark.parametrize("data", [b"[]", b'{"format": 2, "release": "", "files": {}}'])
def test_a_signed_file_that_is_no_manifest_is_told(
    data: bytes, keys: tuple[Path, Path], tmp_path: Path
) -> None:
    path = tmp_path / "odd.json"
    path.write_bytes(data)
    path.with_name("odd.json.sig").write_bytes(signing.sign(data, keys[0]))
    with pytest.raises(files.BadManifest, match=r"odd\.json"):
        files.read(path, keys[1])


def test_key_files_are_private_new_and_tell_their_fingerprint(tmp_path: Path) -> None:
    private, public = tmp_path / "site.key", tmp_path / "site.pub"
    said = signing.make_key(private, public)
    assert private.stat().st_mode & 0o777 == 0o600
    assert said == signing.fingerprint(public)
    with pytest.raises(signing.BadKey, match="File exists"):
        signing.make_key(private, public)


@pytest.mark.parametrize("data", [b"", b"rubbish", b"AAAA\n"])
def test_a_file_that_holds_no_key_is_told(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "no.key"
    path.write_bytes(data)
    with pytest.raises(signing.BadKey, match=r"no\.key"):
        signing.fingerprint(path)
    with pytest.raises(signing.BadKey, match=r"no\.key"):
        signing.sign(b"", path)
