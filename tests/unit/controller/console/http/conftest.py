"""Consoles on a real port, whose limits do not measure the machine the tests run on."""

import pytest

from controller.console.http import connections
from support.limits import MAX_WAIT_S


@pytest.fixture(autouse=True)
def patient_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that is not scheduled between its connection and its request is not late; lateness
    has tests of its own, which set a limit."""
    monkeypatch.setattr(connections, "HEADER_S", MAX_WAIT_S)
    monkeypatch.setattr(connections, "BODY_S", MAX_WAIT_S)
