"""A wheelhouse of another release, made from the one that was built: for updates and rollbacks."""

import base64
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

from deploy.table_pc import FORMAT, MAKER_KEY, WHEELS


def other_release(folder: Path, *, newer_records: bool) -> None:
    """The same program with another record format, or only with another comment; signed."""
    shutil.copytree(WHEELS, folder)
    (wheel,) = folder.glob("sabot-*.whl")
    unpacked = folder / "unpacked"
    subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, unpacked], check=True)
    changed = unpacked / FORMAT
    text = changed.read_text()
    version = re.search(r"^RECORD_FORMAT: Final = (\d+)$", text, re.MULTILINE)
    assert version
    if newer_records:
        text = text.replace(version.group(), f"RECORD_FORMAT: Final = {int(version.group(1)) + 1}")
    changed.write_text(text + "# another release\n")
    (record,) = unpacked.glob("*.dist-info/RECORD")
    line = re.compile(rf"^{re.escape(FORMAT)},.*$", re.MULTILINE)
    entry = f"{FORMAT},{_hash(changed)},{changed.stat().st_size}"
    record.write_text(line.sub(entry, record.read_text()))
    wheel.unlink()
    shutil.make_archive(str(wheel.with_suffix("")), "zip", unpacked)
    wheel.with_suffix(".zip").rename(wheel)
    shutil.rmtree(unpacked)
    _sign(folder)


def _hash(path: Path) -> str:
    digest = hashlib.sha256(path.read_bytes()).digest()
    return f"sha256={base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


def _sign(folder: Path) -> None:
    """As `make wheelhouse` does; a unit of the other release differs too."""
    unit = folder / "deploy/systemd/sabot.service"
    unit.write_text(unit.read_text() + "# another release\n")
    also = ["--also", f"/etc/systemd/system/sabot.service={unit}"]
    subprocess.run(
        [sys.executable, "-m", "controller", "sign", "wheels", folder, "--key", MAKER_KEY, *also],
        check=True,
        stdout=subprocess.DEVNULL,
    )
