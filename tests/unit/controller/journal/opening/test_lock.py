import os
from pathlib import Path

import pytest

from controller.journal.errors import JournalUnwritable
from controller.journal.opening.lock import alone
from support.journal.journals import opened


def test_whoever_is_alone_keeps_every_writer_out(filled: Path) -> None:
    with (
        alone(filled / "journal.db"),
        pytest.raises(JournalUnwritable, match=f"by process {os.getpid()}"),
    ):
        opened(filled)
    opened(filled).close()


def test_nobody_is_alone_beside_a_writer(filled: Path) -> None:
    with opened(filled), pytest.raises(JournalUnwritable, match="already open for writing"):
        alone(filled / "journal.db").__enter__()
