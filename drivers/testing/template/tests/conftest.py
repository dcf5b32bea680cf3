from drivers.testing.plugin import *  # noqa: F403
