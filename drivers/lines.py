"""A stream cut into lines, with a limit: for devices that end what they say with one byte."""


class Lines:
    """The same bytes cut anywhere give the same lines. Never keeps more than `limit` bytes."""

    def __init__(self, end: bytes, limit: int) -> None:
        assert len(end) == 1
        self._end = end
        self._limit = limit
        self._kept = bytearray()
        self._over = False  # the line under way is too long: what is left of it is not kept

    def feed(self, data: bytes) -> list[bytes | None]:
        """Every line that has ended, without its end; None for one that was too long."""
        *ended, rest = data.split(self._end)
        lines: list[bytes | None] = []
        for piece in ended:
            self._keep(piece)
            lines.append(None if self._over else bytes(self._kept))
            self.forget()
        self._keep(rest)
        return lines

    def forget(self) -> bytes:
        """Half a line from before a lost link is not the start of the next one; gives what there
        was of it, nothing where it was too long to be kept."""
        kept = bytes(self._kept)
        self._kept.clear()
        self._over = False
        return kept

    @property
    def begun(self) -> bool:
        """More than blanks waits for its end."""
        return self._over or bool(self._kept.strip())

    @property
    def kept(self) -> int:
        """How many bytes wait for their end."""
        return len(self._kept)

    def _keep(self, piece: bytes) -> None:
        if self._over or len(self._kept) + len(piece) > self._limit:
            self._over = True
            self._kept.clear()
        else:
            self._kept += piece
