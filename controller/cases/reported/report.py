"""Somebody says what went wrong: refused where it did not happen, else a case is opened."""

from msgspec.structs import replace

from controller.cases import engine, facts, offers
from controller.cases.reported import preconditions
from controller.game.hands import Side
from controller.game.irregularities import Irregularity, Precondition
from controller.round import dealing, position
from controller.round.wagers import putting_right
from controller.sentences.codes import Code
from controller.table.approvals import Act
from controller.table.case import Case, ReportedFacts
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import Table, found, last_round
from controller.table.words.message import Message
from controller.table.words.people import Lies, ReportWord


def report(table: Table, message: Message[ReportWord], rules: Rules) -> Table:
    """The clause comes out, or the question it turns on."""
    rules.may(message, Act.DEAL)
    word = message.word
    table = _with_those_together(table, word)
    number = _round_meant(table, word)
    told = ReportedFacts(round=number, text=word.text or "")
    case = Case(word.what, message.name, asker=message.name, about=told)
    if facts.is_earlier(table, case):
        # Its cards and wagers are gone with it: nothing that a report names can be looked at.
        return found(table, case)
    about = ReportedFacts(
        named(table, word.cards),
        named(table, word.order),
        lying(table, word.lies),
        number,
        word.hand,
        word.to,
        putting_right.named_off(word.wagers),
        told.text,
    )
    known = word.facts.known() if word.facts else {}
    case = replace(case, about=about, facts=known)
    row = engine.irregularity(rules, word.what)
    if row is None:
        return found(table, case)
    _happened(table, case, row, rules)
    if Precondition.NOT_RULED_YET in row.needs:
        # Those that are meant now, whatever is drawn before the case is opened.
        meant = preconditions.meant(table, case)
        case = replace(case, about=replace(about, cards=meant))
    return found(_shown(table, case, row, rules), case)


def _with_those_together(table: Table, word: ReportWord) -> Table:
    """A card that no hand needed, and that was taken for the next round, may have come out together
    with the one before it: then it is of this round again."""
    round_ = table.round
    if word.what != preconditions.TOGETHER or round_ is None or round_.over or round_.betting:
        return table
    drawn = sorted(each.n for each in (*round_.cards, *table.carried))
    together = word.cards or drawn[-2:]
    back = tuple(each for each in table.carried if each.n in together)
    if not back:
        return table
    left = tuple(each for each in table.carried if each.n not in together)
    return replace(table, round=replace(round_, cards=(*round_.cards, *back)), carried=left)


def _round_meant(table: Table, word: ReportWord) -> int | None:
    """The one named, else the one in play, else the last; None where none was ever played."""
    if word.round is None:
        # Limits of earlier rounds are of no round in particular.
        return None if word.what == engine.EARLIER_LIMITS else table.history.rounds or None
    if not 1 <= word.round <= table.history.rounds:
        raise Refused(Code.NO_SUCH_ROUND_PLAYED, round=word.round)
    return word.round


def named(table: Table, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Cards of the round by their numbers, each once."""
    last = last_round(table)
    lie_there = {drawn.n for drawn in last.cards} if last else set()
    if len(set(numbers)) != len(numbers) or not set(numbers) <= lie_there:
        raise Refused(Code.NAME_CARDS_ONCE)
    return numbers


def lying(table: Table, lies: Lies | None) -> dict[Side, tuple[int, ...]] | None:
    """Where cards were said to lie; None: nobody said it."""
    if lies is None:
        return None
    by_hand = lies.by_hand()
    named(table, tuple(n for numbers in by_hand.values() for n in numbers))
    return by_hand


def _happened(table: Table, case: Case, row: Irregularity, rules: Rules) -> None:
    """Refuse what the table knows did not happen."""
    last = row.rulings[-1].clause if row.rulings else rules.book.uncovered.clause
    clause = row.described_by or last or None
    why = preconditions.unmet(table, case, row.needs, rules)
    if why is not None:
        raise Refused.because(why, clause)
    _wagers_lie_there(table, replace(case, clause=clause), rules)


def _wagers_lie_there(table: Table, case: Case, rules: Rules) -> None:
    """Refuse wagers that do not lie there now rather than when somebody has approved."""
    putting_right.taken_off(table, case, case.about.wagers, rules, came_late=True)


def _shown(table: Table, case: Case, row: Irregularity, rules: Rules) -> Table:
    """Cards that a report says were shown lie open from now on, whatever else is asked."""
    round_ = table.round
    if Precondition.CARDS_SHOWN not in row.needs or round_ is None or round_.over:
        return table
    hand = case.about.hand
    cards = position.hand(round_, hand) if hand is not None else []
    numbers = {*case.about.cards, *(drawn.n for drawn in cards)}
    hidden = [drawn.n for drawn in round_.cards if drawn.n in numbers and not drawn.exposed]
    if not hidden:
        return table
    return offers.after_showing(dealing.expose_cards(table, hidden, rules), rules)
