"""The tables the robot plays at: five books, their methods, both faces."""

from dataclasses import dataclass, field
from typing import Any

from judge.money import Limits
from judge.wagers import DT, MBS, RWS, SANDS, TOURNAMENT

_MBS = Limits(minimum=500, maximum=5000, differential=12000)
_RWS = Limits(minimum=500, differential=6000)


@dataclass(frozen=True)
class Way:
    book: str
    method: str
    face_down: bool
    limits: Limits = field(default_factory=Limits)

    def house(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "burn": "none",
            "decks": 4,
            "deal_face": "down" if self.face_down else "up",
            "hlga": self.method == "C",
        }
        limits = vars(self.limits)
        # Limits of one kind of wager are no field of a house, and no way has any.
        return {**found, **{name: each for name, each in limits.items() if each}}

    def __str__(self) -> str:
        return f"{self.book} {self.method or '-'} face {'down' if self.face_down else 'up'}"


WAYS = (
    *(Way(book, "B", down, _MBS) for book in (MBS, DT) for down in (False, True)),
    *(Way(book, method, True, _MBS) for book in (MBS, DT) for method in ("A", "C")),
    *(Way(RWS, "", down, _RWS) for down in (False, True)),
    *(Way(book, "", down) for book in (SANDS, TOURNAMENT) for down in (False, True)),
)
