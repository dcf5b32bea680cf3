"""The contract suite on every emulator, in `make test`."""

from drivers.testing.plugin import *  # noqa: F403
