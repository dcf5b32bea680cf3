"""Does a story show the irregularity it is named after?

Told by what was said and by what the table showed before and after, never by a sentence: a wrong
number is wrong before it is ruled, a reconstruction moves a card or the table says that all lay
right, two at once are two. Stories in which it did not happen are named so, and are not asked.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.game.irregularities import RulingStep
from controller.messages.codes import Code
from controller.rulebooks import rulebook
from controller.table.commands.reports import IDS
from controller.table.phases import AFTER_THE_CALL, ROUND_PHASES, Phase

DID_NOT_HAPPEN: Final = "did_not_happen"
_AFTER_THE_CALL: Final = frozenset(phase.value for phase in AFTER_THE_CALL)
_BETWEEN_ROUNDS: Final = frozenset(each.value for each in Phase if each not in ROUND_PHASES)

View = Mapping[str, Any]


@dataclass(frozen=True)
class Told:
    """One word of a story: what the pit saw before and after it."""

    said: Mapping[str, Any]
    taken: bool
    before: View
    after: View
    aside: bool
    """A card lay aside then."""

    @property
    def word(self) -> str | None:
        return self.said.get("do")

    @property
    def given(self) -> Mapping[str, Any]:
        return self.said.get("with") or {}

    def reports(self, row: str) -> bool:
        return self.taken and self.word == "report" and self.given.get("what") == row

    def finds(self, row: str) -> bool:
        """Somebody reports it, or it comes up by what a device or the table itself says."""
        return self.reports(row) or (row in _rows(self.after) and row not in _rows(self.before))

    @property
    def after_the_call(self) -> bool:
        return self.before.get("phase") in _AFTER_THE_CALL

    @property
    def of_an_earlier_round(self) -> bool:
        named: int = self.given.get("round", 0)
        now: int = self.before.get("round") or 0
        return 0 < named < now


def _rows(view: View) -> set[str]:
    ruled = {each["id"] for each in view.get("rulings") or ()}
    return ruled | ({view["case"]["id"]} if view.get("case") else set())


def row_of(stem: str) -> str | None:
    """The irregularity a story is named after; the longer name where two fit."""
    if DID_NOT_HAPPEN in stem:
        return None
    fitting = [row for row in IDS if stem == row or stem.startswith(f"{row}_")]
    return max(fitting, key=len, default=None)


def missing(row: str, book: str, told: Iterable[Told]) -> str | None:
    """What the story does not show; None where it shows what it is named after."""
    steps = list(told)
    what, shown = _SHOWN.get(row, _COMES_UP)
    if not any(shown(row, step) for step in steps):
        return what
    if _reconstructs(row, book, steps) and not _moves(steps):
        return "that a card is put right, or that all lay right"
    return None


# --- what each shows ----------------------------------------------------------------------------

Shown = Callable[[str, Told], bool]


def _comes_up(row: str, step: Told) -> bool:
    return step.finds(row)


def _lies(row: str, step: Told) -> Mapping[str, list[int]]:
    """Where cards were said to lie, in the report or when the table asked."""
    case = step.before.get("case") or {}
    about = step.reports(row) or (step.taken and case.get("id") == row)
    return (step.given.get("lies") or {}) if about else {}


def _table_shows(step: Told) -> dict[int, str | None]:
    return {card["n"]: card["hand"] for card in step.before.get("cards") or ()}


def _lies_elsewhere(row: str, step: Told) -> bool:
    shown = _table_shows(step)
    lies = _lies(row, step)
    return any(shown.get(n) != hand for hand, numbers in lies.items() for n in numbers)


def _number_is_wrong(row: str, step: Told) -> bool:
    shown = _table_shows(step)
    lie = {**shown, **{n: hand for hand, ns in _lies(row, step).items() for n in ns}}
    return any(
        list(lie.values()).count(hand) != list(shown.values()).count(hand)
        for hand in ("player", "banker")
    )


def _or_too_late(shown: Shown) -> Shown:
    """An earlier round's cards are gone: that it is reported too late is what is shown."""
    return lambda row, step: shown(row, step) or (step.reports(row) and step.of_an_earlier_round)


def _two_together(row: str, step: Told) -> bool:
    lie_there = len(step.before.get("cards") or ())
    return step.finds(row) and min(lie_there, len(step.given.get("cards") or (1, 2))) >= 2


def _lies_aside(_row: str, step: Told) -> bool:
    return step.aside


def _exposed(row: str, step: Told) -> bool:
    return step.reports(row) and any(card["exposed"] for card in step.after["cards"])


def _late(*words: str) -> Shown:
    def shown(row: str, step: Told) -> bool:
        tried = not step.taken and step.word in words
        return step.after_the_call and (tried or step.reports(row))

    return shown


def _outside(outside: Callable[[View, int], bool], limit: str) -> Shown:
    def shown(row: str, step: Told) -> bool:
        most = (step.after.get("limits") or {}).get(limit)
        untracked = step.reports(row) and not step.after["wagers"]
        return untracked or (most is not None and outside(step.after, most))

    return shown


def _under(view: View, minimum: int) -> bool:
    return any(wager["amount"] < minimum for wager in view["wagers"])


def _over(view: View, maximum: int) -> bool:
    return any(wager["amount"] > maximum for wager in view["wagers"])


def _too_far_apart(view: View, differential: int) -> bool:
    """Of the table, or of one box."""
    boxes = {wager["position"] for wager in view["wagers"]}
    groups = [view["wagers"], *([w for w in view["wagers"] if w["position"] == b] for b in boxes)]
    for wagers in groups:
        on = {
            side: sum(wager["amount"] for wager in wagers if wager["wager"] == side)
            for side in ("player", "banker")
        }
        if abs(on["player"] - on["banker"]) > differential:
            return True
    return False


def _any(*several: Shown) -> Shown:
    return lambda row, step: any(shown(row, step) for shown in several)


def _in_play(row: str, step: Told) -> bool:
    return step.finds(row) and (step.after_the_call or step.before.get("phase") == "betting")


def _closed(row: str, step: Told) -> bool:
    return step.finds(row) and (step.after_the_call or step.after["phase"] in _AFTER_THE_CALL)


def _dealt(row: str, step: Told) -> bool:
    return step.finds(row) and bool(step.before.get("cards"))


def _is_settled(row: str, step: Told) -> bool:
    """The last round is settled and the next has not been called."""
    lies = step.before.get("void") is None and bool(step.before.get("cards"))
    return step.reports(row) and lies and step.before.get("phase") in _BETWEEN_ROUNDS


def _is_void(row: str, step: Told) -> bool:
    return step.reports(row) and step.before.get("void") is not None


def _is_earlier(row: str, step: Told) -> bool:
    return step.reports(row) and step.of_an_earlier_round


_COMES_UP: Final = ("that it comes up at all", _comes_up)
_EXCEEDED: Final = _outside(_too_far_apart, "differential")
_SHOWN: Final[Mapping[str, tuple[str, Shown]]] = {
    "wrong_number": ("a hand with another number of cards", _or_too_late(_number_is_wrong)),
    "wrong_order": ("a card that lies elsewhere", _or_too_late(_lies_elsewhere)),
    "simultaneous": ("two cards or more at once", _two_together),
    "excess_card": ("a card that lies aside", _or_too_late(_lies_aside)),
    "exposed_in_error": ("a card that lies open", _exposed),
    "late_wager": ("a wager after the call", _late("place", "raise")),
    "late_withdrawal": ("a withdrawal after the call", _late("withdraw")),
    "under_minimum": ("a wager under the minimum", _outside(_under, "min")),
    "over_maximum": ("a wager over the maximum", _any(_outside(_over, "max"), _EXCEEDED)),
    "differential": ("the differential exceeded", _EXCEEDED),
    "power_failure": ("a round in play", _any(_in_play, _is_settled)),
    "face_up_in_device": ("a round in play", _any(_in_play, _is_settled)),
    "exposed_while_moving": ("a round in play", _any(_in_play, _is_settled)),
    "device_reset": ("a round after the call", _any(_closed, _is_settled)),
    "not_enough_cards": ("a round after the call", _closed),
    "handler_absent": ("a round", _any(_in_play, _is_settled)),
    "cards_taken": ("cards on the table", _dealt),
    "wrong_player": ("cards on the table", _dealt),
    "not_passed": ("cards on the table", _dealt),
    "void_aftermath": ("a round that is void", _is_void),
    "late_error": ("an earlier round", _is_earlier),
}


# --- a reconstruction ---------------------------------------------------------------------------


def _reconstructs(row: str, book: str, steps: Iterable[Told]) -> bool:
    """Whether it was ruled by a clause whose every ruling in this row lays cards anew."""
    known = rulebook(book).irregularity_by_id.get(row)
    clauses = {
        each["clause"] for step in steps for each in step.after["rulings"] if each["id"] == row
    }
    lays: dict[str, list[bool]] = {}
    for ruling in known.rulings if known else ():
        anew = any(then.step == RulingStep.RECONSTRUCT for then in ruling.then)
        lays.setdefault(ruling.clause, []).append(anew)
    return any(all(lays[clause]) for clause in clauses if clause in lays)


def _moves(steps: Iterable[Told]) -> bool:
    """A card went elsewhere, or the table said that none had to."""
    return any(
        step.after["moved"] or any(note["code"] == ALL_LIE_RIGHT for note in step.after["notes"])
        for step in steps
    )


ALL_LIE_RIGHT: Final = Code.ALL_LIE_RIGHT.value
