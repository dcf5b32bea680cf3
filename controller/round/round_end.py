"""The end of a round: announced, settled, settled again after a correction; and what follows it."""

from typing import Final

from msgspec.structs import replace

from controller.game.errors import NotWhole
from controller.game.hands import DealtRound as Dealt
from controller.game.money.limits import settle_within
from controller.game.wagers import RESULT_NAMES, WagerResult
from controller.messages.codes import Code
from controller.round import methods, position, reconstruction, shoe
from controller.round.wagers import betting
from controller.table.agenda import pending
from controller.table.approvals import Act
from controller.table.commands.message import Message
from controller.table.commands.people import AnnounceCommand, SettleCommand
from controller.table.phases import RoundEvent
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, ConfirmCards, CorrectCard
from controller.table.rules import Rules
from controller.table.state import (
    AnnouncedStage,
    ChipMove,
    DayStage,
    DeviceControl,
    Paid,
    Round,
    SettledStage,
    Table,
    VoidedStage,
    change_part,
    emit,
    latest_round,
    notify,
)
from drivers.cards import Card


def announce(table: Table, message: Message[AnnounceCommand], rules: Rules) -> Table:
    """Announce the outcome, by the dealer."""
    rules.require_act(message, Act.DEAL)
    round_ = table.round
    assert round_ is not None
    if position.due_card(rules.book, round_) is not position.Due.NOTHING:
        return table  # the totals are announced while cards are still due; nothing changes
    if table.devices.by_hand is not None and rules.house.confirm_by_hand:
        wanted = ConfirmCards(numbered_cards(round_))
        return pending.ask(table, ApprovalRequest(wanted, message.actor))
    return mark_announced(table)


def mark_announced(table: Table) -> Table:
    assert table.round is not None
    happened = (*table.happened, RoundEvent.OUTCOME_ANNOUNCED)
    return replace(table, round=replace(table.round, stage=AnnouncedStage()), happened=happened)


def numbered_cards(round_: Round) -> tuple[tuple[int, Card | None], ...]:
    """The cards of a round by their numbers, for people to look at."""
    return tuple((drawn.n, drawn.card) for drawn in position.hand_cards(round_))


def settle(table: Table, message: Message[SettleCommand], rules: Rules) -> Table:
    """Settle the round: losing wagers are collected and winning ones paid."""
    rules.require_act(message, Act.DEAL)
    round_ = table.round
    assert round_ is not None
    if any(isinstance(each.subject, CorrectCard) for each in table.requests):
        pending.nothing_is_asked_for(table)
    played = position.dealt_round(rules.book, round_)
    paid, names = settlement(table, played, rules)
    warned = _new(table.day.under_minimum_before, names)
    table = replace(
        table,
        round=replace(round_, stage=SettledStage(paid, warned=warned)),
        history=replace(table.history, results=(*table.history.results, road_token(played))),
        day=replace(table.day, under_minimum_before=(*table.day.under_minimum_before, *warned)),
        play=replace(table.play, control=methods.is_device_kept(round_, paid)),
        carried=(*table.carried, *reconstruction.carried_cards(round_, rules)),
        happened=(*table.happened, RoundEvent.ROUND_SETTLED),
    )
    return finish_round(table, rules)


def settle_again(table: Table, rules: Rules) -> Table:
    """Settle a corrected result, which supersedes the published one; the last token of the road
    changes."""
    round_ = table.round
    assert round_ is not None
    settled = round_.stage
    assert isinstance(settled, SettledStage)
    first_now = frozenset(settled.warned)
    before = tuple(who for who in table.day.under_minimum_before if who not in first_now)
    table = change_part(table, "day", under_minimum_before=before)
    played = position.dealt_round(rules.book, round_)
    paid, warned = settlement(table, played, rules)
    new = _new(before, warned)
    table, chips = chips_moved(table, round_, paid, rules)
    stage = SettledStage(paid, settled.superseded or settled.paid, new, chips)
    return replace(
        table,
        round=replace(round_, stage=stage),
        history=replace(table.history, results=(*table.history.results[:-1], road_token(played))),
        day=replace(table.day, under_minimum_before=(*before, *new)),
        play=replace(table.play, control=_control_by(table, round_, paid)),
    )


def _new(before: tuple[str, ...], warned: list[str]) -> tuple[str, ...]:
    if not warned:
        return ()
    known = frozenset(before)
    return tuple(who for who in dict.fromkeys(warned) if who not in known)


MAX_CHIPS_TOLD: Final = 12
"""The number of moves listed one by one; more are a list to be read where the wagers are."""


def chips_moved(
    table: Table, was: Round, paid: tuple[Paid, ...], rules: Rules
) -> tuple[Table, tuple[ChipMove, ...]]:
    """The chips to move, and for whom, when a settled round is settled otherwise."""
    had = {each.id: each.pays + each.returned for each in was.paid}
    kinds = {wager.id: wager.wager for wager in was.wagers}
    moves = []
    for each in paid:
        more = each.pays + each.returned - had.get(each.id, 0)
        if more:
            clause = each.clause or rules.book.wager_by_id[kinds[each.id]].pays[0].clause
            moves.append(ChipMove(each.id, each.player, abs(more), more > 0, clause))
    if len(moves) > MAX_CHIPS_TOLD:
        table = notify(table, Code.CHIPS_MOVE, round=was.number, wagers=len(moves))
    else:
        for move in moves:
            code = Code.CHIPS_TO_PLAYER if move.to_player else Code.CHIPS_FROM_PLAYER
            table = notify(
                table,
                code,
                round=was.number,
                player=move.player,
                wager=move.id,
                amount=move.amount,
                clause=move.clause,
            )
    return table, (*was.chips, *moves)


def _control_by(table: Table, round_: Round, paid: tuple[Paid, ...]) -> DeviceControl | None:
    """The player with the device by the corrected result, unless it has been handed on since."""
    has, had = table.play.control, methods.is_device_kept(round_, round_.paid)
    if table.play.drawer != (None if had is None else had.player):
        return has
    keeps = methods.is_device_kept(round_, paid)
    return has if has is not None and keeps is not None else keeps


def void_round(table: Table, clause: str | None, rules: Rules) -> Table:
    """Void the round: every wager goes back, earlier rounds stand."""
    round_ = latest_round(table)
    assert round_ is not None
    back = tuple(
        Paid(w.id, w.player, "push", "0", 0, w.amount, rules.book.void_returns or clause)
        for w in round_.wagers
    )
    chips = round_.chips
    if round_.over:  # settled already: chips have changed hands
        table, chips = chips_moved(table, round_, back, rules)
    stage = VoidedStage(clause or "void", back, round_.superseded, chips)
    ended = replace(round_, stage=stage)
    if table.round is None:
        assert table.history.gone is not None
        gone = replace(table.history.gone, round=ended, result=None, voided=True)
        return change_part(table, "history", gone=gone)
    table = replace(table, round=ended)
    if round_.over:  # settled already: its result leaves the road
        return change_part(table, "history", results=table.history.results[:-1])
    return emit(finish_round(table, rules), RoundEvent.ROUND_VOIDED)


def finish_round(table: Table, rules: Rules) -> Table:
    """Finish any round, void ones too: handles an empty shoe, the cutting card, a closing table."""
    table = count_after_cut(table, rules)
    if table.shoe is not None and shoe.empty_shoe(table.shoe):
        table = replace(table, shoe=replace(table.shoe, must_change=True))
    if table.day.is_closing:
        table = change_part(table, "day", stage=DayStage.CLOSED)
    return table


def count_after_cut(table: Table, rules: Rules) -> Table:
    """Count the rounds after the cutting card; after the last one the shoe is changed."""
    held = table.shoe
    if held is None or held.cut_card is None:
        return table
    rounds = held.cut_card.rounds_after
    change = rounds >= rules.house.rounds_after_cut
    out = replace(held.cut_card, rounds_after=rounds + 1)
    held = replace(held, cut_card=out, must_change=held.must_change or change)
    return replace(table, shoe=held)


def settlement(table: Table, played: Dealt, rules: Rules) -> tuple[tuple[Paid, ...], list[str]]:
    """The payment of every wager, and the players whose wager under the minimum was accepted."""
    round_ = table.round
    assert round_ is not None
    placed = betting.bets(round_)
    try:
        settled = settle_within(
            rules.book,
            played,
            placed,
            betting.limits(round_, rules),
            round_.terms.rounding or rules.rounding,
            frozenset(table.day.under_minimum_before),
        )
    except NotWhole:
        raise Refused(Code.PAYMENT_NOT_WHOLE) from None
    rule = rules.book.limits.under_minimum
    paid: list[Paid] = []
    warned: list[str] = []
    for bet, s in zip(placed, settled, strict=True):
        assert s.returned <= bet.amount
        player, result = bet.player or "", s.result
        name, odds = RESULT_NAMES[result], str(s.odds)
        paid.append(Paid(str(bet.id), player, name, odds, s.pays, s.returned, s.clause))
        if rule is not None and s.clause == rule.clause and result is not WagerResult.PUSH:
            warned.append(player)
    if len(placed) < len(round_.wagers):
        paid += [
            Paid(w.id, w.player, "push", "0", 0, w.amount, w.returned_by or None)
            for w in round_.wagers
            if w.returned_by is not None
        ]
    return tuple(paid), warned


def road_token(played: Dealt) -> str:
    """The round as the roads write it."""
    player, banker = played.player, played.banker
    pairs = ("b" if banker[0].rank is banker[1].rank else "") + (
        "p" if player[0].rank is player[1].rank else ""
    )
    return played.outcome.value[0].upper() + pairs
