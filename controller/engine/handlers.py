"""The handler of each command and device event."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from controller.cases import decisions, devices, excess_cards, offers, requests, shoe_round
from controller.cases.manual_entry import card_count, entry, manual_mode
from controller.cases.reports import report
from controller.round import cutting_card, dealing, decks, methods, round_end, shoe, table_lifecycle
from controller.round.wagers import betting
from controller.table.commands import day as said_of_the_day
from controller.table.commands import device_events as said_by_devices
from controller.table.commands import people as said_by_people
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.table.rules import Rules
from controller.table.state import Table

Handler = Callable[[Table, Message[Any], Rules], Table]


def _record_only(table: Table, message: Message[Any], rules: Rules) -> Table:
    """Record the step and change nothing. Expired clocks were closed already, when the message's
    time was applied."""
    return table


def _close_betting(
    table: Table, message: Message[said_by_people.CloseBettingCommand], rules: Rules
) -> Table:
    """Close the betting ("No more bets"): the first cards are due, and cards drawn already are
    laid."""
    after = betting.close_betting(table, message, rules)
    open_still = after.round is not None and after.round.betting  # a second person approves first
    return after if open_still else dealing.demand_first_cards(after, rules)


HANDLERS: Final[Mapping[type[Payload], Handler]] = {
    # devices
    said_by_devices.CardDrawnEvent: card_count.handle_card,
    said_by_devices.ReadFailedEvent: card_count.handle_card,
    said_by_devices.ExcessCardEvent: dealing.handle_excess_card,
    said_by_devices.ExcessNamedEvent: entry.handle_excess_named,
    said_by_devices.ExcessDiscardedEvent: excess_cards.handle_excess_discarded,
    said_by_devices.DeviceResultEvent: shoe_round.handle_device_result,
    said_by_devices.EventsLostEvent: devices.handle_events_lost,
    said_by_devices.StartedEvent: shoe_round.handle_restart,
    said_by_devices.GaveUpEvent: shoe_round.handle_round_given_up,
    said_by_devices.StillPlaysEvent: shoe_round.handle_still_plays,
    said_by_devices.RoundEndedEvent: shoe_round.handle_round_ended,
    said_by_devices.ErrorReportedEvent: devices.handle_error,
    said_by_devices.ErrorClearedEvent: devices.handle_error_cleared,
    said_by_devices.LockedEvent: devices.note_event,
    said_by_devices.UnlockedEvent: devices.note_event,
    said_by_devices.LidOpenEvent: devices.handle_lid_open,
    said_by_devices.LidClosedEvent: devices.handle_lid_closed,
    said_by_devices.LinkLostEvent: devices.handle_link_lost,
    said_by_devices.LinkUpEvent: shoe_round.handle_link_up,
    said_by_devices.ByHandEvent: manual_mode.handle_set_up,
    said_by_devices.DriverFailedEvent: devices.handle_driver_failure,
    said_by_devices.VerifiedEvent: devices.handle_verified,
    said_by_devices.FaultEvent: devices.handle_fault,
    said_by_devices.NotVerifiedEvent: devices.handle_not_verified,
    said_by_devices.OutputTakenEvent: devices.handle_output_taken,
    said_by_devices.NoticeEvent: devices.note_event,
    said_by_devices.JournalLossEvent: table_lifecycle.handle_journal_loss,
    said_by_devices.RestartedEvent: table_lifecycle.handle_restart,
    said_by_devices.NotedEvent: _record_only,
    said_by_devices.SelfTestEvent: table_lifecycle.handle_self_test,
    said_by_devices.ClockSteppedEvent: table_lifecycle.handle_clock_step,
    said_by_devices.TimeIsUpEvent: _record_only,
    said_by_devices.SitePeopleEvent: table_lifecycle.apply_people_document,
    said_by_devices.SiteLimitsEvent: table_lifecycle.apply_limits_document,
    # the day
    said_of_the_day.OpenTableCommand: table_lifecycle.open_table,
    said_of_the_day.CloseTableCommand: table_lifecycle.close_table,
    said_of_the_day.StayOpenCommand: table_lifecycle.stay_open,
    said_of_the_day.SuspendCommand: table_lifecycle.suspend,
    said_of_the_day.ChangeLimitsCommand: table_lifecycle.change_limits,
    said_of_the_day.SwapDeviceCommand: requests.swap_device,
    said_of_the_day.DealByHandCommand: manual_mode.deal_by_hand,
    said_of_the_day.UseShoeCommand: manual_mode.use_shoe,
    said_of_the_day.StartShuffleCommand: shoe.start_shuffle,
    said_of_the_day.LoadShoeCommand: shoe.load_shoe,
    said_of_the_day.DeckSetCommand: decks.deck_set,
    said_of_the_day.PassRestCommand: decks.pass_rest,
    said_of_the_day.ReconcileCommand: decks.reconcile,
    said_of_the_day.ChooseMethodCommand: methods.choose_method,
    # a round
    said_by_people.OpenBettingCommand: betting.open_betting,
    said_by_people.CloseBettingCommand: _close_betting,
    said_by_people.PlaceCommand: betting.place_wager,
    said_by_people.RaiseWagerCommand: betting.raise_wager,
    said_by_people.DecreaseWagerCommand: betting.decrease_wager,
    said_by_people.WithdrawWagerCommand: betting.withdraw_wager,
    said_by_people.AcceptCardsCommand: methods.accept_cards,
    said_by_people.RefuseCardsCommand: methods.refuse_cards,
    said_by_people.RevealFirstCommand: methods.reveal_first,
    said_by_people.DealCardCommand: manual_mode.deal_card,
    said_by_people.ExposeCommand: dealing.expose,
    said_by_people.AnnounceCommand: round_end.announce,
    said_by_people.SettleCommand: round_end.settle,
    said_by_people.CutCardCommand: cutting_card.cut_card,
    # when something is wrong
    said_by_people.ReportCommand: report.report_irregularity,
    said_by_people.AnswerQuestionCommand: decisions.answer,
    said_by_people.ChooseOptionCommand: offers.choose_option,
    said_by_people.CloseOfferCommand: offers.close_offer,
    said_by_people.ApproveCommand: decisions.approve,
    said_by_people.RefuseCommand: decisions.refuse,
    said_by_people.DecideCommand: decisions.decide,
    said_by_people.CorrectCommand: entry.correct,
    said_by_people.EnterCardCommand: entry.enter_card,
    said_by_people.CountCommand: card_count.count,
    said_by_people.ResumeCommand: decisions.resume,
    said_by_people.ShoeEndedCommand: shoe_round.end_shoe_round,
    said_by_people.PutAsideCommand: shoe_round.put_shoe_round_aside,
}


def apply(table: Table, message: Message[Any], rules: Rules) -> Table:
    """Apply the payload to the table. Reports of a shoe that is out of use are ignored."""
    if table.devices.by_hand is not None and manual_mode.is_shoe_event(message):
        return manual_mode.ignore_shoe(table)
    return HANDLERS[type(message.payload)](table, message, rules)
