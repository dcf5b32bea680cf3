"""A feed's connection: whoever is at its other end reads, and says next to nothing."""

from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MESSAGE_BYTES_MOST: Final = 4096
SAYS_MOST: Final = 1024
"""Bytes that a reader may say at once: answers to our pings, pings of its own, a goodbye."""
SAYS_A_SECOND: Final = 16.0
"""And in the long run: two of the smallest frames."""


class ListeningSocket(WebSocketsSansIOProtocol):
    """Drops whoever says more than a reader has to say, before it is looked at: a hundred who send
    empty frames as fast as they can would else be all that the web's loop comes to."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._may_say = float(SAYS_MOST)
        self._said_at = self.loop.time()

    def data_received(self, data: bytes) -> None:
        if self.handshake_initiated and not self._takes(len(data)):
            self.transport.abort()
        else:
            super().data_received(data)

    def _takes(self, count: int) -> bool:
        now = self.loop.time()
        regained = (now - self._said_at) * SAYS_A_SECOND
        self._may_say, self._said_at = min(SAYS_MOST, self._may_say + regained) - count, now
        return self._may_say >= 0
