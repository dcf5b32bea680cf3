"""The suite for `sabot hil`, from any place of installation."""

from drivers.testing.plugin import *  # noqa: F403
