"""Short ways to say a ruling."""

from judge.situation import Does, Offer, Ruling, Situation
from judge.wagers import DT, MBS, RWS

DECIDES = {
    MBS: ("gaming_shift_manager", "6.1"),
    DT: ("gaming_shift_manager", "6.1"),
    RWS: ("table_game_shift_manager", "5.17"),
}
"""Who decides what a book does not cover; else the top of the ladder, by no clause (reading 6)."""
TOP = ("gaming_shift_manager", None)


def refused(why: str) -> Ruling:
    return Ruling(Does.REFUSED, why=why)


def goes_on(*clauses: str, why: str = "") -> Ruling:
    return Ruling(Does.GOES_ON, clauses, why=why)


def void(*clauses: str, must_replace: bool = False) -> Ruling:
    return Ruling(Does.VOID, clauses, must_replace=must_replace)


def referred(at: Situation, why: str = "") -> Ruling:
    role, clause = DECIDES.get(at.book, TOP)
    return Ruling(Does.REFERRED, (clause,), role=role, why=why)


def options(
    _at: Situation, clauses: tuple[str, ...], in_doubt: tuple[int, ...] = (), why: str = ""
) -> Ruling:
    """RWS 5.12: each bet by itself (5.12.3)."""
    return Ruling(Does.OPTIONS, clauses, Offer(each=True, in_doubt=in_doubt), why=why)


def per_book(
    at: Situation, mbs: Ruling, rws: Ruling | None = None, short: Ruling | None = None
) -> Ruling:
    """What a book is silent about goes to the role it names, or the top of the ladder."""
    found = mbs if at.mbs else rws if at.rws else short
    return referred(at, "the book is silent") if found is None else found
