"""Two people together: whose word lets a step do what one person alone may not."""

from typing import Final

from adversary.setting import RANKS, Line
from controller.table.case import Case, Ruled
from controller.table.requests import ConfirmCards
from controller.table.state import Round, Table

SECOND_WORDS: Final = ("approve", "decide", "answer")
"""With these a second person takes part; a fact that is answered is no approval, but the order of
cards is what 5.8.2.2 and RWS 5.10 ask a role for."""
NAMING: Final = ("deal_card", "enter_card")
LEAST: Final = RANKS["pit_supervisor"]
"""The lowest role of any row that takes a second person."""


def play(round_: Round | None) -> object:
    """All of a round that people would call changed."""
    if round_ is None:
        return None
    cards = [(d.n, d.card, d.hand, d.exposed) for d in round_.cards]
    return (cards, round_.wagers, round_.paid, round_.over, round_.void_by, round_.betting)


class Sanctions:
    """What of an episode was done by two: none of it while only one person speaks."""

    def __init__(self) -> None:
        self._cases: set[tuple[str, str, float]] = set()
        self._rounds: set[int] = set()
        """Rounds that two people have changed: what they end with is theirs."""
        self._named: dict[int, set[str]] = {}
        """Who called cards by their names in rounds that were dealt by hand."""
        self._confirmed: set[int] = set()
        """Rounds whose cards somebody confirmed who had named none of them."""
        self._names: set[frozenset[str]] = set()
        self._now = False

    def fork(self) -> "Sanctions":
        other = Sanctions()
        other._cases, other._rounds = set(self._cases), set(self._rounds)
        other._named = {number: set(names) for number, names in self._named.items()}
        other._confirmed, other._names = set(self._confirmed), set(self._names)
        return other

    def note(self, before: Table, after: Table, line: Line) -> None:
        """A word is taken: is it a second person's, or does a case go on that had one?"""
        case = before.case
        self._now = self._second(before, line)
        if case is not None and self._now:
            self._cases.add(_key(case))
        self._now = self._now or (case is not None and _key(case) in self._cases)
        if self._now and play(before.round) != play(after.round):
            self._rounds.add(before.history.rounds)
        if before.devices.by_hand is not None:
            self._note_by_hand(before, line)

    def _note_by_hand(self, before: Table, line: Line) -> None:
        named = self._named.setdefault(before.history.rounds, set())
        if line.get("do") in NAMING and line.get("with", {}).get("card"):
            named.add(str(line["who"]))
        confirms = before.request is not None and isinstance(before.request.subject, ConfirmCards)
        if confirms and self._now and line["who"] not in named:
            self._confirmed.add(before.history.rounds)

    def _second(self, before: Table, line: Line) -> bool:
        who, verb = str(line.get("who")), line.get("do")
        if verb not in SECOND_WORDS or RANKS.get(str(line.get("role")), 0) < LEAST:
            return False
        if verb == "answer" and not line.get("with", {}).get("order"):
            return False
        asked = {before.request.by} if before.request is not None and verb == "approve" else set()
        if before.case is not None:
            asked |= {before.case.reported_by, before.case.asker or before.case.reported_by}
        others = asked - {who}
        self._names |= {frozenset({who, other}) for other in others}
        # Whoever reported may still approve what somebody else decided.
        return bool(others) and (verb == "approve" or who not in asked)

    def cover(self, before: Table, later: bool) -> bool:
        """Whether what this step did was done by two, or `later` comes of what they did."""
        return self._now or (later and before.history.rounds in self._rounds | self._confirmed)

    def changed(self, before: Table) -> bool:
        """Whether two people have changed the round that was the last one."""
        return before.history.rounds in self._rounds

    def confirmed(self, before: Table) -> bool:
        """Whether the cards are what two people say they are: that is in their words alone."""
        return before.history.rounds in self._confirmed

    def recorded(self, table: Table) -> bool:
        """Both names stand with what was ruled, or with the card that was corrected."""
        if table.round is None or table.case is not None:
            return True  # what is not closed is not written down yet
        found = [{each.by, each.approved_by} for each in table.round.interventions.corrections]
        found += [_names(each) for each in table.rulings]
        return any(pair <= names for pair in self._names for names in found)


def _names(ruled: Ruled) -> set[str]:
    approver = str(getattr(ruled, "approved_by", ""))
    return {ruled.reported_by, ruled.decided_by, approver}


def _key(case: Case) -> tuple[str, str, float]:
    return (case.id, case.reported_by, case.since)
