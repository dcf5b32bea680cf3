"""Refused: a step the rules do not allow. It is recorded and changes nothing."""


class Refused(Exception):
    """Why a step is not taken, and the clause that says so."""

    def __init__(self, reason: str, clause: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.clause = clause
