"""The auditor's program beside the product: both must say the same of every file."""

import importlib.util
import json
from pathlib import Path
from typing import Any

from controller.floor.proof.verify import verify
from metrics.source import ROOT

AUDIT = ROOT / "deploy/floor/audit.py"


def _program() -> Any:
    spec = importlib.util.spec_from_file_location("auditors_program", AUDIT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


audit = _program()


def both(path: Path, *keys: bytes) -> str | None:
    """What both verifiers say of a good file; None where both say that it is bad."""
    ours = verify(path, keys)
    try:
        theirs: str | None = audit.audited(path.read_bytes(), keys)
    except (audit.Bad, audit.struct.error):
        theirs = None
    assert ours.good == (theirs is not None), (str(ours), theirs)
    assert theirs is None or str(ours) == f"good: {theirs}"
    return theirs


def changed(file: Path, data: bytes) -> Path:
    other = file.with_name("changed.sabot")
    other.write_bytes(data)
    return other


def split(file: Path) -> tuple[dict[str, Any], bytes]:
    _, line, _, rest = file.read_bytes().split(b"\n", 3)
    return json.loads(line), rest
