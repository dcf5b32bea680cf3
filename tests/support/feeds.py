"""Connections to feeds: direct, and with the limit of waiting that all tests share."""

from functools import partial
from typing import Final

from websockets.sync.client import connect

from support.limits import MAX_WAIT_S

open_feed: Final = partial(connect, proxy=None, open_timeout=MAX_WAIT_S)
