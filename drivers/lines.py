"""A stream cut into lines, with a limit: for devices whose messages end with one byte."""


class Lines:
    """A line splitter. Every cut of the same bytes gives the same lines. It stores at most `limit`
    bytes."""

    def __init__(self, end: bytes, limit: int) -> None:
        assert len(end) == 1
        self._end = end
        self._limit = limit
        self._kept = bytearray()
        self._over = False  # the current line is too long: its rest is dropped

    def feed(self, data: bytes) -> list[bytes | None]:
        """Return every complete line, without its end; None for one that was too long."""
        *ended, rest = data.split(self._end)
        lines: list[bytes | None] = []
        for piece in ended:
            self._keep(piece)
            lines.append(None if self._over else bytes(self._kept))
            self.forget()
        self._keep(rest)
        return lines

    def forget(self) -> bytes:
        """Drop an incomplete line from before a lost link, which is not the start of the next one.
        Return its bytes, or nothing if it was too long to be stored."""
        kept = bytes(self._kept)
        self._kept.clear()
        self._over = False
        return kept

    @property
    def begun(self) -> bool:
        """Whether more than blanks is incomplete."""
        return self._over or bool(self._kept.strip())

    @property
    def kept(self) -> int:
        """How many bytes are incomplete."""
        return len(self._kept)

    def _keep(self, piece: bytes) -> None:
        if self._over or len(self._kept) + len(piece) > self._limit:
            self._over = True
            self._kept.clear()
        else:
            self._kept += piece
