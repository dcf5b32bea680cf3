"""Which function carries out each word."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from controller.cases import decisions, devices, discarded, offers, requests, shoe_round
from controller.cases.manual_entry import by_hand, counting, entry
from controller.cases.reported import report
from controller.round import cutting_card, dealing, decks, house, methods, settling, shoe
from controller.round.wagers import betting
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.words import day as said_of_the_day
from controller.table.words import devices as said_by_devices
from controller.table.words import people as said_by_people
from controller.table.words.message import Message
from controller.table.words.vocabulary import Word

Carry = Callable[[Table, Message[Any], Rules], Table]


def _written_down(table: Table, message: Message[Any], rules: Rules) -> Table:
    """Recorded among the steps, and play goes on. What has run its time was closed when the
    message's time was taken."""
    return table


def _close_betting(
    table: Table, message: Message[said_by_people.CloseBettingWord], rules: Rules
) -> Table:
    """ "No more bets": the first cards of the round are due, and those out already are laid."""
    after = betting.close_betting(table, message, rules)
    open_still = after.round is not None and after.round.betting  # a second person is asked first
    return after if open_still else dealing.first_cards_due(after, rules)


CARRY: Final[Mapping[type[Word], Carry]] = {
    # devices
    said_by_devices.CardDrawnWord: counting.told,
    said_by_devices.ReadFailedWord: counting.told,
    said_by_devices.ExcessCardWord: dealing.excess,
    said_by_devices.ExcessNamedWord: entry.excess_named,
    said_by_devices.ExcessDiscardedWord: discarded.excess_discarded,
    said_by_devices.DeviceResultWord: shoe_round.device_result,
    said_by_devices.EventsLostWord: devices.events_lost,
    said_by_devices.StartedWord: shoe_round.started,
    said_by_devices.GaveUpWord: shoe_round.gave_up,
    said_by_devices.StillPlaysWord: shoe_round.still_plays,
    said_by_devices.RoundEndedWord: shoe_round.round_ended,
    said_by_devices.ErrorReportedWord: devices.error,
    said_by_devices.ErrorClearedWord: devices.error_cleared,
    said_by_devices.LockedWord: devices.to_know,
    said_by_devices.UnlockedWord: devices.to_know,
    said_by_devices.LidOpenWord: devices.lid_open,
    said_by_devices.LidClosedWord: devices.lid_closed,
    said_by_devices.LinkLostWord: devices.link_lost,
    said_by_devices.LinkUpWord: shoe_round.connected,
    said_by_devices.ByHandWord: by_hand.told,
    said_by_devices.DriverFailedWord: devices.driver_failed,
    said_by_devices.VerifiedWord: devices.verified,
    said_by_devices.FaultWord: devices.fault,
    said_by_devices.NotVerifiedWord: devices.not_verified,
    said_by_devices.OutputTakenWord: devices.taken,
    said_by_devices.NoticeWord: devices.to_know,
    said_by_devices.JournalLossWord: house.journal_loss,
    said_by_devices.RestartedWord: house.restarted,
    said_by_devices.NotedWord: _written_down,
    said_by_devices.SelfTestWord: house.self_test,
    said_by_devices.ClockSteppedWord: house.clock_stepped,
    said_by_devices.TimeIsUpWord: _written_down,
    said_by_devices.SitePeopleWord: house.people_taken_over,
    said_by_devices.SiteLimitsWord: house.limits_taken_over,
    # the day
    said_of_the_day.OpenTableWord: house.open_table,
    said_of_the_day.CloseTableWord: house.close_table,
    said_of_the_day.StayOpenWord: house.stay_open,
    said_of_the_day.SuspendWord: house.suspend,
    said_of_the_day.ChangeLimitsWord: house.change_limits,
    said_of_the_day.SwapDeviceWord: requests.swap_device,
    said_of_the_day.DealByHandWord: by_hand.deal_by_hand,
    said_of_the_day.UseShoeWord: by_hand.use_shoe,
    said_of_the_day.StartShuffleWord: shoe.start_shuffle,
    said_of_the_day.LoadShoeWord: shoe.load_shoe,
    said_of_the_day.DeckSetWord: decks.deck_set,
    said_of_the_day.PassRestWord: decks.pass_rest,
    said_of_the_day.ReconcileWord: decks.reconcile,
    said_of_the_day.ChooseMethodWord: methods.choose_method,
    # a round
    said_by_people.OpenBettingWord: betting.open_betting,
    said_by_people.CloseBettingWord: _close_betting,
    said_by_people.PlaceWord: betting.place,
    said_by_people.RaiseWagerWord: betting.raise_wager,
    said_by_people.DecreaseWagerWord: betting.decrease,
    said_by_people.WithdrawWagerWord: betting.withdraw,
    said_by_people.AcceptCardsWord: methods.accept_cards,
    said_by_people.RefuseCardsWord: methods.refuse_cards,
    said_by_people.RevealFirstWord: methods.reveal_first,
    said_by_people.DealCardWord: by_hand.deal_card,
    said_by_people.ExposeWord: dealing.expose,
    said_by_people.AnnounceWord: settling.announce,
    said_by_people.SettleWord: settling.settle,
    said_by_people.CutCardWord: cutting_card.cut_card,
    # when something is wrong
    said_by_people.ReportWord: report.report,
    said_by_people.AnswerQuestionWord: decisions.answer,
    said_by_people.ChooseOptionWord: offers.option,
    said_by_people.CloseOfferWord: offers.close_offer,
    said_by_people.ApproveWord: decisions.approve,
    said_by_people.RefuseWord: decisions.refuse,
    said_by_people.DecideWord: decisions.decide,
    said_by_people.CorrectWord: entry.correct,
    said_by_people.EnterCardWord: entry.enter_card,
    said_by_people.CountWord: counting.count,
    said_by_people.ResumeWord: decisions.resume,
    said_by_people.ShoeEndedWord: shoe_round.ended_by_hand,
    said_by_people.PutAsideWord: shoe_round.put_aside,
}


def carry(table: Table, message: Message[Any], rules: Rules) -> Table:
    """The table after the word. What a shoe says that is out of use is not taken."""
    if table.devices.by_hand is not None and by_hand.is_of_the_shoe(message):
        return by_hand.not_taken(table)
    return CARRY[type(message.word)](table, message, rules)
