"""Options for players: who is asked, what they may answer, what becomes of their wagers."""

from typing import Final

from msgspec.structs import replace

from controller.cases.facts import has_decided_wager
from controller.game.decided_wagers import decided
from controller.game.irregularities import RulingStep
from controller.messages.codes import Code
from controller.round import position
from controller.round.wagers.betting import live_wagers
from controller.table.agenda import order
from controller.table.approvals import Act
from controller.table.case import AwaitsOption, Case, Offer
from controller.table.commands.message import Message
from controller.table.commands.people import ChooseOptionCommand, CloseOfferCommand
from controller.table.commands.registry import EVERYBODY
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import PlacedWager, Round, Table

PLAY, WITHDRAW = "play", "withdraw"

EACH_BY_ITSELF: Final = (RulingStep.OFFER_EACH, RulingStep.OFFER_DEALING_ERROR)
"""Offers in which a player may take back one wager and leave another."""


def affected_players(
    round_: Round, rules: Rules, in_doubt: tuple[int, ...] = ()
) -> tuple[str, ...]:
    """All players with a wager that exposed cards have not decided."""
    if not rules.house.track_wagers:
        return (EVERYBODY,)
    return tuple(dict.fromkeys(wager.player for wager in undecided_wagers(round_, rules, in_doubt)))


def undecided_wagers(
    round_: Round, rules: Rules, in_doubt: tuple[int, ...] = (), player: str | None = None
) -> list[PlacedWager]:
    """The wagers that exposed cards have not decided, of all players or of one."""
    known = decided(rules.book, position.exposed_cards(round_, in_doubt))
    wagers = live_wagers(round_)
    if player is not None:
        wagers = [wager for wager in wagers if wager.player == player]
    return [wager for wager in wagers if wager.wager not in known]


def can_free_wager(round_: Round, in_doubt: tuple[int, ...], rules: Rules) -> bool:
    """Whether doubting these cards lets a player take back a wager that they had decided."""
    if not in_doubt:
        return False
    by_all = decided(rules.book, position.exposed_cards(round_))
    by_others = decided(rules.book, position.exposed_cards(round_, in_doubt))
    if not rules.house.track_wagers:
        return len(by_others) < len(by_all)
    return any(w.wager in by_all and w.wager not in by_others for w in live_wagers(round_))


def update_after_exposure(table: Table, rules: Rules) -> Table:
    """Update the case after cards were shown. Wagers that they decide stay, all others may still be
    withdrawn; what turns on an outcome being established is ruled again."""
    case, round_ = table.case, table.round
    if case is None or round_ is None:
        return table
    row = rules.book.irregularity_by_id.get(case.id)
    if row is not None and row.ruled_anew and has_decided_wager(round_, rules):
        return replace(table, case=replace(case, ruling=None, step=0, clause=None, awaits=None))
    offer = case.offer
    if offer is None or not rules.house.track_wagers:
        return table
    still = set(affected_players(round_, rules, offer.in_doubt)) | set(offer.answers)
    open_to = tuple(who for who in offer.open_to if who in still)
    return _taken_up(table, case, replace(offer, open_to=open_to))


def taken_up_again(table: Table, rules: Rules) -> Table:
    """Reopen an offer that another case interrupted, with all its time; cards shown meanwhile
    count."""
    case = table.case
    assert case is not None
    assert case.offer is not None
    offer = replace(case.offer, at=table.at)
    table = replace(table, case=replace(case, awaits=AwaitsOption(offer)))
    return update_after_exposure(table, rules)


# --- notices ------------------------------------------------------------------------------------


def choose_option(table: Table, message: Message[ChooseOptionCommand], rules: Rules) -> Table:
    """Record one player's choice."""
    case, offer = _open(table)
    assert table.round is not None
    if message.source != "player":
        rules.require_act(message, Act.DEAL)
    round_, offer = _answered(table.round, offer, message, rules)
    return _taken_up(replace(table, round=round_), case, offer)


def close_offer(table: Table, message: Message[CloseOfferCommand], rules: Rules) -> Table:
    rules.require_act(message, order.closes_offer(rules))
    case, offer = _open(table)
    return _taken_up(table, case, _closed(offer))


def close_overdue(table: Table, rules: Rules) -> Table:
    """Close an offer whose time is up; no answer means play on. Nothing is decided while the table
    is held."""
    case, stands = table.case, table.count_check is not None or table.clocks.stopped_at is not None
    if case is None or case.offer is None or stands:
        return table
    if not overdue(case.offer, table.at, rules):
        return table
    return _taken_up(table, case, _closed(case.offer))


def overdue(offer: Offer, at: float, rules: Rules) -> bool:
    limit = rules.house.option_timeout_s
    return limit is not None and at >= offer.at + limit


def _open(table: Table) -> tuple[Case, Offer]:
    case = table.case
    if case is None or case.offer is None or table.round is None:
        raise Refused(Code.NOTHING_OFFERED)
    return case, case.offer


def _taken_up(table: Table, case: Case, offer: Offer) -> Table:
    """Store the answers of the offer; the case goes on once all players have answered."""
    # Only answers that are open, each once: see `_answered`.
    complete = len(offer.answers) == len(offer.open_to)
    awaits = None if complete else AwaitsOption(offer)
    return replace(table, case=replace(case, awaits=awaits))


def _answered(
    round_: Round, offer: Offer, message: Message[ChooseOptionCommand], rules: Rules
) -> tuple[Round, Offer]:
    """Store the answer: play on, or take back the wagers that may be taken back."""
    command = message.payload
    player = message.actor if message.source == "player" else command.player
    if EVERYBODY in offer.open_to and player != EVERYBODY:
        raise Refused(Code.OFFERED_TO_EVERYBODY, offer.clause)
    if player is None or player not in offer.open_to:
        raise Refused(Code.NOTHING_OFFERED_TO, offer.clause, player=player)
    if player in offer.answers:
        raise Refused(Code.ANSWERED_ALREADY, offer.clause, player=player)
    answers = replace(offer, answers={**offer.answers, player: command.choice})
    if command.choice == PLAY:
        own = {wager.id for wager in round_.wagers if wager.player == player}
        if unknown := {str(each) for each in command.wagers or ()} - own:
            raise Refused(Code.NO_SUCH_WAGER, offer.clause, wager=min(unknown))
        return round_, answers
    back = _taken_back(round_, offer, player, command, rules)
    wagers = [
        replace(wager, returned_by=offer.returns) if wager.id in back else wager
        for wager in round_.wagers
    ]
    return replace(round_, wagers=tuple(wagers)), answers


def _taken_back(
    round_: Round, offer: Offer, player: str, command: ChooseOptionCommand, rules: Rules
) -> set[str]:
    """Which wagers go back: each by itself where the clause provides so, else all or none."""
    may = {wager.id for wager in undecided_wagers(round_, rules, offer.in_doubt, player)}
    if command.wagers is None:
        return may
    asked = {str(each) for each in command.wagers}
    if not asked <= may:
        raise Refused(Code.WAGER_STAYS, offer.clause, wager=min(asked - may))
    if asked != may and offer.kind not in EACH_BY_ITSELF:
        raise Refused(Code.ALL_WAGERS_OR_NONE, offer.clause)
    return asked


def _closed(offer: Offer) -> Offer:
    """Close the offer: players without an answer play on, and that is recorded."""
    silent = {player: PLAY for player in offer.open_to if player not in offer.answers}
    return replace(offer, answers={**offer.answers, **silent})
