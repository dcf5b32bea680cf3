"""The journal of a demo that runs on this machine; it is removed with the demo."""

import os
import tempfile
from pathlib import Path
from typing import Final

PREFIX: Final = "sabot-demo-"
JOURNAL: Final = "journal.db"


def running() -> Path | None:
    """Return the journal of the demo that was started last; None without one. Folders of other
    users are ignored, because anybody may create one of that name."""
    folders = Path(tempfile.gettempdir()).glob(f"{PREFIX}*")
    found = [folder / JOURNAL for folder in folders if _is_ours(folder)]
    there = [journal for journal in found if journal.is_file()]
    return max(there, key=lambda each: each.stat().st_ctime, default=None)


def _is_ours(folder: Path) -> bool:
    try:
        return folder.stat().st_uid == os.getuid()
    except OSError:
        return False
