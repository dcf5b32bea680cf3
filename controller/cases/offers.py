"""Options for players: who is asked, what they may answer, what becomes of their wagers."""

from typing import Final

from msgspec.structs import replace

from controller.game.decided import decided
from controller.game.irregularities import RulingStep
from controller.round import position
from controller.round.betting import live
from controller.sentences.codes import Code
from controller.table.approvals import Act
from controller.table.case import AwaitsOption, Case, Offer
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import PlacedWager, Round, Table
from controller.table.words.message import Message
from controller.table.words.people import ChooseOptionWord, CloseOfferWord

EVERYBODY: Final = "*"
"""Stands for all players where the table does not track wagers: one offer, recorded as made."""

PLAY, WITHDRAW = "play", "withdraw"

EACH_BY_ITSELF: Final = (RulingStep.OFFER_EACH, RulingStep.OFFER_DEALING_ERROR)
"""Offers in which a player may take back one wager and leave another."""


def players(round_: Round, rules: Rules, in_doubt: tuple[int, ...] = ()) -> tuple[str, ...]:
    """Everybody with a wager that exposed cards have not decided."""
    if not rules.house.track_wagers:
        return (EVERYBODY,)
    return tuple(dict.fromkeys(wager.player for wager in undecided(round_, rules, in_doubt)))


def undecided(
    round_: Round, rules: Rules, in_doubt: tuple[int, ...] = (), player: str | None = None
) -> list[PlacedWager]:
    """The wagers that exposed cards have not decided, of everybody or of one player."""
    known = decided(rules.book, position.exposed(round_, in_doubt))
    wagers = live(round_)
    if player is not None:
        wagers = [wager for wager in wagers if wager.player == player]
    return [wager for wager in wagers if wager.wager not in known]


# --- what is said -------------------------------------------------------------------------------


def option(table: Table, message: Message[ChooseOptionWord], rules: Rules) -> Table:
    """One player's choice."""
    case, offer = _open(table)
    assert table.round is not None
    if message.source != "player":
        rules.may(message, Act.DEAL)
    seen_since = table.shoe is not None and table.shoe.drawn > offer.drawn
    if seen_since and not table.round.face_down and message.word.choice == WITHDRAW:
        raise Refused(Code.CARD_SEEN_SINCE_OFFER, offer.clause)
    round_, offer = _answered(table.round, offer, message, rules)
    return _taken_up(replace(table, round=round_), case, offer)


def close_offer(table: Table, message: Message[CloseOfferWord], rules: Rules) -> Table:
    rules.may(message, closed_by(rules))
    case, offer = _open(table)
    return _taken_up(table, case, _closed(offer))


def closed_by(rules: Rules) -> Act:
    """Whose word closes an offer."""
    return Act.CLOSE_OFFER if rules.house.track_wagers else Act.CLOSE_UNTRACKED_OFFER


def close_overdue(table: Table, rules: Rules) -> Table:
    """Time is up for an offer; silence plays on. Nothing is decided before cards are counted."""
    case = table.case
    if case is None or case.offer is None or table.doubt is not None:
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
    """The offer with its answers; the case goes on once everybody has answered."""
    # Only those it is open to answer, each once: see `_answered`.
    complete = len(offer.answers) == len(offer.open_to)
    awaits = None if complete else AwaitsOption(offer)
    return replace(table, case=replace(case, awaits=awaits))


def _answered(
    round_: Round, offer: Offer, message: Message[ChooseOptionWord], rules: Rules
) -> tuple[Round, Offer]:
    """Play on, or take back the wagers that may be taken back."""
    word = message.word
    player = message.name if message.source == "player" else word.player
    if player is None or player not in offer.open_to:
        raise Refused(Code.NOTHING_OFFERED_TO, offer.clause, player=player)
    if player in offer.answers:
        raise Refused(Code.ANSWERED_ALREADY, offer.clause, player=player)
    answers = replace(offer, answers={**offer.answers, player: word.choice})
    if word.choice == PLAY:
        return round_, answers
    back = _taken_back(round_, offer, player, word, rules)
    wagers = [
        replace(wager, returned_by=offer.returns) if wager.id in back else wager
        for wager in round_.wagers
    ]
    return replace(round_, wagers=tuple(wagers)), answers


def _taken_back(
    round_: Round, offer: Offer, player: str, word: ChooseOptionWord, rules: Rules
) -> set[str]:
    """Which wagers go back: each by itself where the clause says so, else all or none."""
    may = {wager.id for wager in undecided(round_, rules, offer.in_doubt, player)}
    if word.wagers is None:
        return may
    asked = {str(each) for each in word.wagers}
    if not asked <= may:
        raise Refused(Code.WAGER_STAYS, offer.clause, wager=min(asked - may))
    if asked != may and offer.kind not in EACH_BY_ITSELF:
        raise Refused(Code.ALL_WAGERS_OR_NONE, offer.clause)
    return asked


def _closed(offer: Offer) -> Offer:
    """Silence plays on, and is recorded."""
    silent = {player: PLAY for player in offer.open_to if player not in offer.answers}
    return replace(offer, answers={**offer.answers, **silent})
