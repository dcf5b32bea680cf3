"""Options for players: who is asked, what they may answer, what becomes of their wagers."""

from msgspec.structs import replace

from controller.game.decided import decided
from controller.game.irregularities import Step
from controller.round import play
from controller.round.betting import live
from controller.round.errors import Refused
from controller.round.rules import Message, Rules
from controller.round.state import Offer, Round, Wager

EVERYBODY = "*"
"""Stands for all players where the table does not track wagers: one offer, recorded as made."""

PLAY, WITHDRAW = "play", "withdraw"


def players(round_: Round, rules: Rules, in_doubt: tuple[int, ...] = ()) -> tuple[str, ...]:
    """Everybody with a wager that exposed cards have not decided."""
    if not rules.house.track_wagers:
        return (EVERYBODY,)
    return tuple(dict.fromkeys(wager.player for wager in undecided(round_, rules, in_doubt)))


def undecided(round_: Round, rules: Rules, in_doubt: tuple[int, ...] = ()) -> list[Wager]:
    known = decided(rules.book, play.exposed(round_, in_doubt))
    return [wager for wager in live(round_) if wager.wager not in known]


def answered(round_: Round, offer: Offer, message: Message, rules: Rules) -> tuple[Round, Offer]:
    """One player's answer: play on, or take back the wagers that may be taken back."""
    player = message.name if message.source == "player" else str(message.given.get("player", ""))
    if player not in offer.open_to:
        raise Refused(f"nothing is offered to {player or 'nobody'}", offer.clause)
    if player in offer.answers:
        raise Refused(f"{player} has answered already", offer.clause)
    choice = message.given.get("choice")
    if choice not in (PLAY, WITHDRAW):
        raise Refused(f"the choice is {PLAY} or {WITHDRAW}", offer.clause)
    answers = replace(offer, answers={**offer.answers, player: str(choice)})
    if choice == PLAY:
        return round_, answers
    back = _taken_back(round_, offer, player, message, rules)
    wagers = [
        replace(wager, returned_by=offer.returns) if wager.id in back else wager
        for wager in round_.wagers
    ]
    return replace(round_, wagers=tuple(wagers)), answers


def _taken_back(
    round_: Round, offer: Offer, player: str, message: Message, rules: Rules
) -> set[str]:
    """Which wagers go back: each by itself where the clause says so, else all or none."""
    open_ones = undecided(round_, rules, offer.in_doubt)
    may = {wager.id for wager in open_ones if wager.player == player}
    named = message.given.get("wagers")
    if named is None:
        return may
    asked = {str(each) for each in named}
    if not asked <= may:
        raise Refused(f"wager {min(asked - may)!r} cannot be withdrawn", offer.clause)
    each_by_itself = offer.kind in (Step.OFFER_EACH.value, Step.OFFER_DEALING_ERROR.value)
    if asked != may and not each_by_itself:
        raise Refused("all wagers or none", offer.clause)
    return asked


def complete(offer: Offer) -> bool:
    return set(offer.answers) >= set(offer.open_to)


def closed(offer: Offer) -> Offer:
    """Silence plays on, and is recorded."""
    silent = {player: PLAY for player in offer.open_to if player not in offer.answers}
    return replace(offer, answers={**offer.answers, **silent})


def overdue(offer: Offer, at: float, rules: Rules) -> bool:
    limit = rules.house.option_timeout_s
    return limit is not None and at >= offer.at + limit
