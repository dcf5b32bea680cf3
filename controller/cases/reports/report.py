"""Reports of irregularities: refused where they cannot be true, otherwise a case is opened."""

from msgspec.structs import replace

from controller.cases import engine, facts, offers
from controller.cases.reports import preconditions
from controller.game.hands import Side
from controller.game.irregularities import Irregularity, Precondition
from controller.messages.codes import Code
from controller.round import dealing, position
from controller.round.wagers import wager_corrections
from controller.table.approvals import Act
from controller.table.case import Case, ReportedFacts
from controller.table.commands.message import Message
from controller.table.commands.people import Lies, ReportCommand
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import Table, latest_round, queue_case


def report_irregularity(table: Table, message: Message[ReportCommand], rules: Rules) -> Table:
    """Open a case for the report, with its clause or the question it turns on."""
    rules.require_act(message, Act.DEAL)
    command = message.payload
    if command.what == preconditions.TOGETHER:
        table = with_those_together(table, command.cards)
    number = _round_meant(table, command)
    reported = ReportedFacts(round=number, text=command.text or "")
    case = Case(command.what, message.actor, asker=message.actor, about=reported)
    if facts.is_of_earlier_round(table, case):
        # The round's cards and wagers are gone with it: nothing that a report names can be checked.
        return queue_case(table, case)
    about = ReportedFacts(
        named_cards(table, command.cards),
        named_cards(table, command.order),
        layout_positions(table, command.lies),
        number,
        command.hand,
        command.to,
        wager_corrections.named_removals(command.wagers),
        reported.text,
    )
    known = command.facts.known() if command.facts else {}
    case = replace(case, about=about, facts=known)
    row = engine.irregularity(rules, command.what)
    if row is None:
        return queue_case(table, case)
    _refuse_unmet(table, case, row, rules)
    if Precondition.NOT_RULED_YET in row.needs:
        # The cards meant now, whatever is drawn before the case is opened.
        meant = preconditions.reported_cards(table, case)
        case = replace(case, about=replace(about, cards=meant))
    return queue_case(_shown(table, case, row, rules), case)


def with_those_together(table: Table, named: tuple[int, ...] = ()) -> Table:
    """The table before a ruling on cards that came out together: those named, or the last two.

    A card that no hand needed, and that was taken for the next round, may be one of them: then it
    is of this round again.
    """
    round_ = table.round
    if round_ is None or round_.over or round_.betting:
        return table
    drawn = sorted(each.n for each in (*round_.cards, *table.carried))
    together = named or drawn[-2:]
    back = tuple(each for each in table.carried if each.n in together)
    if not back:
        return table
    left = tuple(each for each in table.carried if each.n not in together)
    return replace(table, round=replace(round_, cards=(*round_.cards, *back)), carried=left)


def _round_meant(table: Table, command: ReportCommand) -> int | None:
    """The round named, else the one in play, else the last; None where none was ever played."""
    if command.round is None:
        # Reports of earlier limits are of no round in particular.
        return None if command.what == engine.EARLIER_LIMITS else table.history.rounds or None
    if not 1 <= command.round <= table.history.rounds:
        raise Refused(Code.NO_SUCH_ROUND_PLAYED, round=command.round)
    return command.round


def named_cards(table: Table, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Cards of the round by their numbers, each once."""
    last = latest_round(table)
    lie_there = {drawn.n for drawn in last.cards} if last else set()
    if len(set(numbers)) != len(numbers) or not set(numbers) <= lie_there:
        raise Refused(Code.NAME_CARDS_ONCE)
    return numbers


def layout_positions(table: Table, positions: Lies | None) -> dict[Side, tuple[int, ...]] | None:
    """The reported positions of cards; None where the report has none."""
    if positions is None:
        return None
    by_hand = positions.by_hand()
    named_cards(table, tuple(n for numbers in by_hand.values() for n in numbers))
    return by_hand


def _refuse_unmet(table: Table, case: Case, row: Irregularity, rules: Rules) -> None:
    """Refuse a report that the table's own record contradicts."""
    last = row.rulings[-1].clause if row.rulings else rules.book.uncovered.clause
    clause = row.described_by or last or None
    why = preconditions.unmet(table, case, row.needs, rules)
    if why is not None:
        raise Refused.from_sentence(why, clause)
    _wagers_lie_there(table, replace(case, clause=clause), rules)


def _wagers_lie_there(table: Table, case: Case, rules: Rules) -> None:
    """Refuse wagers that are not on the layout now, not only after an approval."""
    wager_corrections.remove_wagers(table, case, case.about.wagers, rules, came_late=True)


def _shown(table: Table, case: Case, row: Irregularity, rules: Rules) -> Table:
    """Expose the cards that a report names as shown, whatever else is asked."""
    round_ = table.round
    if Precondition.CARDS_SHOWN not in row.needs or round_ is None or round_.over:
        return table
    hand = case.about.hand
    cards = position.hand(round_, hand) if hand is not None else []
    numbers = {*case.about.cards, *(drawn.n for drawn in cards)}
    hidden = [drawn.n for drawn in round_.cards if drawn.n in numbers and not drawn.exposed]
    if not hidden:
        return table
    return offers.update_after_exposure(dealing.expose_cards(table, hidden, rules), rules)
