"""Every word the table understands: who says it, with which fields, and what carries it out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from controller.game.roles import Role
from controller.round import (
    betting,
    counting,
    dealing,
    devices,
    methods,
    naming,
    people,
    shoe,
    site,
)
from controller.round.errors import Refused
from controller.round.rules import Message, Rules
from controller.round.state import Table, noted

Carry = Callable[[Table, Message, Rules], Table]


@dataclass(frozen=True)
class Word:
    """One word: `fields` are those of `with` (for people) or of the line itself (for devices)."""

    says: str
    carry: Carry
    speakers: tuple[str, ...] = ("staff",)
    fields: str = ""


def open_table(table: Table, message: Message, rules: Rules) -> Table:
    rules.need(message, Role.PIT_SUPERVISOR)
    method = table.method or rules.default_method()
    methods.check_place(rules.method(method), rules)
    # A gaming day lasts from opening to closing: what was let pass once may be let pass again.
    return replace(table, opened=True, method=method, under_minimum_before=())


def close_table(table: Table, message: Message, rules: Rules) -> Table:
    """Between rounds at once; during one, after it."""
    rules.need(message, Role.PIT_SUPERVISOR)
    if table.round is None or table.round.over:
        return replace(table, opened=False, close_after=False)
    return replace(table, close_after=True)


def read_failed(table: Table, message: Message, rules: Rules) -> Table:
    if message.card is not None:
        raise Refused("a card that could not be read has no face")
    return dealing.card(table, message, rules)


def restarted(table: Table, message: Message, rules: Rules) -> Table:
    """The process came back. A restart is not a power failure: in mid-round people are asked."""
    round_ = table.round
    if round_ is None or round_.over:
        return table
    return replace(table, suspended=True)


def time_is_up(table: Table, message: Message, rules: Rules) -> Table:
    """What has run its time was closed when the message's time was taken."""
    return table


def journal_loss(table: Table, message: Message, rules: Rules) -> Table:
    """The journal's end is damaged or missing: nobody plays over that before people have looked."""
    said = str(message.given.get("says", "part of the journal is lost"))
    return dealing.latch(noted(table, said), "journal_loss")


def written_down(table: Table, message: Message, rules: Rules) -> Table:
    """A sign-in that failed, an account locked: written down among the steps, and play goes on."""
    return table


_SHOE = ("shoe",)
_SHUFFLER = ("shuffler",)
_DEVICE = ("shoe", "shuffler")
_ANYBODY = ("staff", "player")

WORDS: Mapping[str, Word] = {
    # devices
    "card": Word("a card left the shoe", dealing.card, _SHOE, "card, hand?, index?"),
    "read_failed": Word("a card left the shoe and could not be read", read_failed, _SHOE),
    # Not every shoe tells of the cutting card: where it does not, the dealer who sees it does.
    "cut_card": Word("the cutting card came", dealing.cut_card, ("shoe", "staff")),
    "excess": Word("the shoe calls a card one too many", dealing.excess, _SHOE, "card?"),
    "excess_named": Word(
        "the shoe says which card it called one too many", naming.excess_named, _SHOE, "card"
    ),
    "events_lost": Word(
        "the shoe said something that was lost", devices.events_lost, _SHOE, "says?"
    ),
    "started": Word("the shoe was reset or switched on", devices.started, _SHOE),
    "result": Word("the shoe's own result", dealing.device_result, _SHOE, "winner"),
    "gave_up": Word("the shoe has given the round up", devices.gave_up, _SHOE),
    "error": Word("the shoe reports an error", devices.error, _SHOE, "code, says?"),
    "error_cleared": Word("the shoe's error is over", devices.error_cleared, _SHOE),
    "locked": Word("the shoe is locked", devices.notice, _SHOE),
    "unlocked": Word("the shoe is unlocked", devices.notice, _SHOE),
    "lid_open": Word("a lid was opened", devices.lid_open, _DEVICE),
    "lid_closed": Word("the lid was closed", devices.lid_closed, _DEVICE),
    "link_lost": Word("the device cannot be reached", devices.link_lost, _DEVICE),
    "link_up": Word("the device is back", devices.link_up, _DEVICE, "count?"),
    "verified": Word("the shuffler has verified the decks", devices.verified, _SHUFFLER, "cards?"),
    "fault": Word("the shuffler has a fault", devices.fault, _SHUFFLER, "says?"),
    "not_verified": Word(
        "what the shuffler holds is not verified", devices.fault, _SHUFFLER, "says?"
    ),
    "taken": Word("cards were taken out of the shuffler", devices.taken, _SHUFFLER),
    "notice": Word(
        "a device, or the machine itself, says something to know",
        devices.notice,
        (*_DEVICE, "system"),
        "says",
    ),
    "journal_loss": Word("the journal lost its end", journal_loss, ("system",), "says"),
    "restarted": Word("the process came back after a stop", restarted, ("system",)),
    "noted": Word(
        "an event outside play is written down", written_down, ("system",), "what, who?, says?"
    ),
    "self_test": Word("what a self-test found", site.self_test, ("system",), "bad, good?"),
    "clock_stepped": Word("the clock jumped", site.clock_stepped, ("system",), "seconds"),
    "time_is_up": Word("an offer has run its time", time_is_up, ("system",)),
    # the day
    "open_table": Word("the table opens", open_table),
    "close_table": Word("the table closes, after this round if there is one", close_table),
    "suspend": Word("the pit stops the table where it is", site.suspend),
    "limits": Word(
        "the limits change from the next round on",
        site.change_limits,
        fields="minimum?, maximum?, differential?",
    ),
    "swap_device": Word(
        "another unit takes a device's place",
        site.swap_device,
        fields="device, identity, asset, reason",
    ),
    "load_shoe": Word(
        "a new shoe is loaded", shoe.load_shoe, fields="deck_set, verified_by, cut, decks?"
    ),
    "method": Word("the method is chosen", methods.choose_method, fields="method, drawer?, leave?"),
    # a round
    "open_betting": Word("“Place your bets, please”", betting.open_betting),
    "place": Word(
        "a wager is placed",
        betting.place,
        _ANYBODY,
        "wager, amount, position, id?, seated?, player (when staff place it)",
    ),
    "raise": Word("a wager is raised", betting.raise_, _ANYBODY, "id, amount"),
    "withdraw": Word("a wager is taken back", betting.withdraw, _ANYBODY, "id"),
    "close_betting": Word("“No more bets”", dealing.close_betting, fields="anyway?"),
    "accept_cards": Word(
        "a player takes a hand",
        methods.accept_cards,
        _ANYBODY,
        "hand, player (when staff say it), leave?",
    ),
    "refuse_cards": Word(
        "a player does not want the hand",
        methods.refuse_cards,
        _ANYBODY,
        "hand, player (when staff say it)",
    ),
    "reveal_first": Word("which hand is revealed first", methods.reveal_first, fields="hand"),
    "expose": Word("a hand, or one card of it, lies open", dealing.expose, fields="hand, card?"),
    "announce": Word("totals or the outcome are announced", dealing.announce),
    "settle": Word("losing wagers are collected, winning ones paid", dealing.settle),
    # when something is wrong
    "report": Word(
        "something went wrong",
        dealing.report,
        fields="what, facts?, cards?, lies?, round?, hand?, to?",
    ),
    "answer": Word(
        "the answer to a question",
        people.answer,
        fields="value, or order, or left",
    ),
    "option": Word(
        "a player's choice",
        people.option,
        _ANYBODY,
        "choice (play or withdraw), wagers?, player (when staff say it)",
    ),
    "close_offer": Word("the offer is closed; silence plays on", people.close_offer),
    "approve": Word("the second person says yes", people.approve),
    "refuse": Word("the second person says no", people.refuse),
    "decide": Word(
        "the role the book names decides",
        people.decide,
        fields="text, outcome? (go_on, void, reconstruct, remove), remove?, order?",
    ),
    "correct": Word("a misread card is put right", people.correct, fields="n, card, reason"),
    "enter_card": Word("an unreadable card is entered", people.enter_card, fields="card, n?"),
    "count": Word("so many cards lie on the layout", counting.count, fields="cards"),
    "resume": Word("what held the table is cleared", people.resume),
}
