"""Which clause rules, and what it does: section 5 of the rulings with readings 16-30.

`judged` gives every ruling that the documents allow, nearly always one. Where a document leaves
more than one way open, all are given, and the reason stands beside them.
"""

from collections.abc import Callable

from judge import wagers_misplaced
from judge.decided import established
from judge.situation import Does, Offer, Report, Ruling, Situation, When
from judge.where_cards_lie import (
    excess_card,
    exposed_in_error,
    order_altered,
    order_altered_moving,
    simultaneous,
    wrong_number,
    wrong_order,
    wrong_player,
)
from judge.words import goes_on, options, per_book, referred, refused, void

TOO_LATE = ("foreign_card", "wrong_count", "unshuffled")
"""What leaves a settled round standing, and nobody is asked (5.1.2, RWS 5.5)."""
ONCE_MBS = ("foreign_card", "wrong_count", "unshuffled", "order_altered", "order_altered_moving")
ONCE_RWS = ("foreign_card", "wrong_count", "unshuffled", "wrong_order", "wrong_number")
ONCE_OTHERS = ("foreign_card", "order_altered", "wrong_number")
"""What is void unless somebody decides otherwise: two of a lower role do not undo that."""
PLAYED_ON = ("exposed_while_moving", "handler_absent", "wrong_player")
"""Whose clauses have the round played on: of one that is over they leave nothing to do."""

Judging = Callable[[Situation, Report], tuple[Ruling, ...]]


def judged(at: Situation, report: Report) -> tuple[Ruling, ...]:  # noqa: PLR0911
    """What the documents allow the table to do about a report."""
    if report.round is not None and not 1 <= report.round <= at.round:
        return (refused("reading 17: that round was never played"),)
    if report.what == "earlier_limits" or (report.round or at.round) < at.round:
        return (_earlier_limits(at) if report.what == "earlier_limits" else _earlier(at, report),)
    if report.what == "late_error" and report.round is None:
        alike = (_earlier(at, report), refused("names no earlier round"), referred(at))
        return alike if at.round > 1 else (refused("no earlier round"), *alike)
    if not report.happened:
        return (refused("reading 18: it did not happen"),)
    if _was_decided(at, report):
        return (refused("6.1: whoever decides what is not covered has decided it"),)
    if at.when is When.OVER:
        return _after_settlement(at, report)
    return RULES[report.what](at, report)


def _was_decided(at: Situation, report: Report) -> bool:
    """Another card is another matter; who names none means any."""
    once = ONCE_MBS if at.mbs else ONCE_RWS if at.rws else ONCE_OTHERS
    if report.what not in once:
        return False
    named = [set(cards) for what, cards in at.decided if what == report.what]
    return any(not report.cards or not cards or set(report.cards) <= cards for cards in named)


def _earlier_limits(at: Situation) -> Ruling:
    if at.round <= (at.when is not When.OVER):
        return refused("reading 18: no round was played before")
    return per_book(at, goes_on("5.16"))


WRONG_CARDS = {"foreign_card": "5.5.1", "wrong_count": "5.5.2", "unshuffled": "5.5.5"}
"""What makes the running round void where it is played with such cards, with RWS's clause."""


def _earlier(at: Situation, report: Report) -> Ruling:
    """An error of an earlier round never touches the running one (reading 17), but for wrong cards
    that are still in use (reading 33)."""
    clause = WRONG_CARDS.get(report.what)
    if clause is not None:
        if at.when is not When.OVER and report.in_use:
            return void(clause) if at.rws else void("5.1.1", "5.1")
        unasked = at.when is When.OVER
        return Ruling(Does.GOES_ON, ("5.5",) if at.rws else ("5.1.2",), unasked=unasked)
    if at.mbs:
        return referred(at, "the earlier round is recorded; nothing moves")
    return goes_on("5.11") if at.rws else goes_on("5.2")


def _after_settlement(at: Situation, report: Report) -> tuple[Ruling, ...]:
    if report.what in TOO_LATE:
        clauses = ("5.5", "5.5.1", "5.5.2", "5.5.5") if at.rws else ("5.1.2", "5.1")
        stands = Ruling(Does.GOES_ON, clauses, unasked=True, why="reading 17: it stands")
        return (
            (stands,)
            if at.mbs or at.rws or report.what == "foreign_card"
            else (
                stands,
                referred(at, "Sands Super and Tournament are silent about it"),
            )
        )
    found = RULES[report.what](at, report)
    if report.what == "power_failure" and not at.void and (at.mbs or at.rws):
        # 5.17.2, RWS 5.4.1: with an outcome established the round is concluded, and this one is.
        return (per_book(at, goes_on("5.17.2"), goes_on("5.4.1")),)
    if report.what in PLAYED_ON:
        found = (referred(at, "reading 17: the round is over"),)
    still_void = report.what == "wrong_number" and not at.mbs
    return tuple(
        referred(at, "reading 17: it would change what is settled")
        if _changes(each) and not (still_void and each.does is Does.VOID and not at.void)
        else each
        for each in found
    )


def _changes(ruling: Ruling) -> bool:
    moves = (Does.VOID, Does.OPTIONS, Does.PUT_RIGHT, Does.STRUCK, Does.MISSING)
    return ruling.does in moves or ruling.rebet or "reconstructs" in ruling.why


# --- what is wrong with the cards in use --------------------------------------------------------


def _foreign_card(at: Situation, report: Report) -> tuple[Ruling, ...]:
    if report.belongs:
        return (
            goes_on("5.1", "5.1.1", "5.5.1", why="it belongs"),
            refused("it belongs: nothing happened"),
        )
    return (void("5.5.1") if at.rws else void("5.1.1", "5.1"),)


def _wrong_count(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    return (per_book(at, void("5.1.1", "5.1"), void("5.5.2")),)


def _unshuffled(at: Situation, report: Report) -> tuple[Ruling, ...]:
    if not report.unshuffled:
        found = per_book(at, goes_on("5.1", "5.1.1"), goes_on("5.5.5"))
        return (found, refused("they are shuffled"))
    return (per_book(at, void("5.1.1", "5.1"), void("5.5.5")),)


def _not_enough_cards(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    return (per_book(at, void("5.3"), void("5.5.4"), void("5.5")),)


def _face_up_in_device(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    if at.mbs and at.cards and at.when is When.IN_PLAY:
        return (goes_on("5.6"),)
    return (referred(at, "5.6 speaks of the time after the first card; the others are silent"),)


# --- wagers -------------------------------------------------------------------------------------


def _late_wager(at: Situation, report: Report) -> tuple[Ruling, ...]:
    if at.when is When.BETTING:
        return (refused("reading 18: “No more bets” has not been called"),)
    clause = "5.4" if at.mbs else "5.6"
    if report.wagers:
        return (Ruling(Does.STRUCK, (clause,)),)
    return (goes_on(clause),)


def _late_withdrawal(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    if at.when is When.BETTING:
        return (refused("reading 18: “No more bets” has not been called"),)
    return (per_book(at, goes_on("5.5"), goes_on("5.6"), goes_on("5.7")),)


# --- passing and squeezing ----------------------------------------------------------------------


def _not_passed(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    put_right = options(at, ("5.12", "5.12.1", "5.12.2"))
    return (per_book(at, goes_on("5.7.1"), put_right),)


def _handler_absent(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    return (per_book(at, goes_on("5.10"), goes_on("5.3")),)


def _cards_taken(at: Situation, report: Report) -> tuple[Ruling, ...]:
    if not at.mbs:
        return (referred(at),)
    if report.read:
        why = "reading 18: the device's readings complete the hand"
        return (Ruling(Does.GOES_ON, ("5.11",), unasked=True, why=why),)
    if report.value_known:
        return (goes_on("5.11", why="surveillance knows them"),)
    clauses = ("5.11", "5.11.1", "5.11.2.1", "5.11.5")
    return (Ruling(Does.MISSING, clauses, must_replace=True),)


def _exposed_while_moving(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    if at.mbs and at.method == "C":
        return (goes_on("5.12.1"),)
    return (referred(at, "5.12 is for Method C"),)


# --- the device, the power, what the house shows ------------------------------------------------


def _device_reset(at: Situation, report: Report) -> tuple[Ruling, ...]:
    if at.when is When.BETTING:
        return (refused("reading 18: before the call"), referred(at, "outside the clause"))
    if at.rws:
        doubt = () if report.reconstructable else at.numbers
        nothing_dealt = () if at.cards else (refused("no card is dealt: no dealing error yet"),)
        return (options(at, ("5.12",), in_doubt=doubt), *nothing_dealt)
    if not at.mbs:
        return (referred(at),)
    if at.any_exposed:
        return (referred(at, "reading 10: a card is exposed"),)
    return (Ruling(Does.OPTIONS, ("5.9",), Offer(each=True), rebet=True),)


def _power_failure(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    if established(at.book, at.layout):
        return (per_book(at, goes_on("5.17.2"), goes_on("5.4.1")),)
    all_or_none = Offer(each=False, ends_when_established=True)
    offered = Ruling(Does.OPTIONS, ("5.17.1",), all_or_none)
    return (per_book(at, offered, void("5.4.2")),)


def _void_aftermath(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    if not (at.when is When.OVER and at.void):
        return (refused("reading 18: no round is void"),)
    return (per_book(at, goes_on("5.13"), goes_on("5.15")),)


def _chip_position(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    return (goes_on("5.13"),) if at.rws else (referred(at),)


def _display_wrong(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    return (per_book(at, goes_on("6.3"), goes_on("5.14")),)


def _uncovered(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    return (referred(at),)


RULES: dict[str, Judging] = {
    "foreign_card": _foreign_card,
    "wrong_count": _wrong_count,
    "unshuffled": _unshuffled,
    "order_altered": order_altered,
    "not_enough_cards": _not_enough_cards,
    "late_wager": _late_wager,
    "late_withdrawal": _late_withdrawal,
    "face_up_in_device": _face_up_in_device,
    "wrong_order": wrong_order,
    "wrong_player": wrong_player,
    "not_passed": _not_passed,
    "exposed_in_error": exposed_in_error,
    "excess_card": excess_card,
    "wrong_number": wrong_number,
    "simultaneous": simultaneous,
    "device_reset": _device_reset,
    "handler_absent": _handler_absent,
    "cards_taken": _cards_taken,
    "exposed_while_moving": _exposed_while_moving,
    "order_altered_moving": order_altered_moving,
    "void_aftermath": _void_aftermath,
    "under_minimum": wagers_misplaced.under_minimum,
    "over_maximum": wagers_misplaced.over_maximum,
    "power_failure": _power_failure,
    "differential": wagers_misplaced.differential,
    "chip_position": _chip_position,
    "display_wrong": _display_wrong,
    "uncovered": _uncovered,
}
"""Every irregularity of section 5, but those about earlier rounds, which `judged` has itself."""
