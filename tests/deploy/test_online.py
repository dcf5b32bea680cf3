"""From a checkout, with nothing but the package registries; a bare Debian gets what is missing.

How this machine reaches them (certificates, pip's and apt's settings) is lent to it for the time.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.nspawn import ROOT
from deploy.table_pc import CONFIG, TablePc

pytestmark = pytest.mark.deploy

UNSIGNED = re.sub(r"(manifest|maker_key) = .*\n", "", CONFIG)
LENT = (
    "/etc/ssl/certs",
    "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
    "/etc/pip.conf",
    "/root/.config/pip",
    "/etc/apt/auth.conf.d",
)


def lent(folder: Path) -> dict[str, str]:
    """What is bound into the machine: a checkout of what is committed, and this machine's way to
    the registries."""
    checkout = folder / "checkout"
    files = subprocess.run(
        ["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True
    ).stdout
    for name in files.splitlines():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, checkout / name)
    settings = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True
    ).stdout
    local = re.findall(r"(?<!/)(/[^\s']+)", settings)
    indexes = [str(Path(path).parent) for path in re.findall(r"file://(/[^\s']+)", settings)]
    paths = {path for path in (*LENT, *local, *indexes) if Path(path).exists()}
    return {str(checkout): "/checkout", **{path: path for path in paths}}


@pytest.fixture(scope="module")
def pc(boot: Callable[..., TablePc], tmp_path_factory: pytest.TempPathFactory) -> TablePc:
    return boot(network=True, binds=lent(tmp_path_factory.mktemp("online")))


def test_online_install_gets_what_is_missing_and_serves(pc: TablePc) -> None:
    pc.run("apt-get remove --yes python3-venv python3.11-venv >/dev/null 2>&1")
    assert pc.run("python3 -c 'import ensurepip'", check=False).returncode, "it is a bare machine"
    pc.environment |= {key: value for key, value in os.environ.items() if key.startswith("PIP_")}
    told = pc.install("", UNSIGNED)
    assert "exposure level" in told
    pc.staff()
    pc.plug_in_shoe()
    assert "<html" in pc.says("curl -s http://127.0.0.1:8470/dealer")
    assert "not checked" in pc.says("sabot verify-files"), "nobody signed a checkout"
