"""Captures of a live table's devices, for their makers, encrypted with the journal's key.

There is one file for each device and start. A capture that ends early, because of a full disk or
its own limit, is logged and never affects the table.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import structlog

from controller.runtime.build import Around, Plug
from drivers.errors import LinkError
from drivers.io.capture import Capture, Captured
from drivers.io.identity import Port

log = structlog.get_logger()


@contextmanager
def sealed_captures(
    folder: Path | None, key: bytes, plugs: list[Plug], clock: Callable[[], float]
) -> Iterator[Around | None]:
    """Yield the wrapper that captures each device's port until the block ends; None without a
    folder.

    Raises `LinkError` for a folder that is not writable.
    """
    if folder is None or not plugs:
        yield None
        return
    files = {plug.name: _begun(folder, key, plug, clock) for plug in plugs}

    def around(device: str, port: Port) -> Port:
        return Captured(port, files[device])

    try:
        yield around
    finally:
        _end(files)


def _begun(folder: Path, key: bytes, plug: Plug, clock: Callable[[], float]) -> Capture:
    began = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    path = folder / f"{plug.name}-{began}-{os.getpid()}.capture"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise LinkError(f"{path} cannot be written: {error.strerror}; see logs.capture") from error
    about = {"driver": plug.driver, "port": plug.port, "settings": plug.settings, "began": began}
    return Capture(os.fdopen(opened, "wb"), about, clock, key, os.urandom)


def _end(files: Mapping[str, Capture]) -> None:
    for device, capture in files.items():
        capture.close()
        if capture.failed:
            log.error("capture_ended", device=device, why=capture.failed)
