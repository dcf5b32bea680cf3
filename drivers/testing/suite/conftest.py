"""The suite as `sabot hil` runs it, from wherever it is installed."""

from drivers.testing.plugin import *  # noqa: F403
