"""Machines for the tests of a table PC; one a module, started one after the other."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from deploy.nspawn import BASE, make_base
from deploy.table_pc import WHEELS, TablePc

Boot = Callable[..., TablePc]


@pytest.fixture(scope="module")
def boot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boot]:
    """`boot(network=False)` gives a bare Debian that is up, with the wheelhouse at /wheels."""
    assert (WHEELS / "manifest.json").exists(), "make wheelhouse SIGN_KEY=... first"
    make_base()
    with ExitStack() as running:

        def booted(
            *, network: bool = False, binds: dict[str, str] | None = None, base: Path = BASE
        ) -> TablePc:
            folder = tmp_path_factory.mktemp("deploy") / "pc"
            given = {str(WHEELS): "/wheels", **(binds or {})}
            machine = TablePc(folder, network=network, binds=given, base=base)
            return running.enter_context(_running(machine))

        yield booted


@contextmanager
def _running(machine: TablePc) -> Iterator[TablePc]:
    try:
        machine.boot()
        yield machine
    finally:
        machine.stop()
        shutil.rmtree(machine.folder, ignore_errors=True)
