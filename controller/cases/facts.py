"""Facts that rulings turn on: computed from exposed cards, or asked of a person."""

from collections.abc import Callable, Mapping
from typing import Final

from controller.game.decided_wagers import decided
from controller.game.irregularities import COMPUTED, Fact, Precondition, Ruling
from controller.round import position, reconstruction
from controller.table.cards import Drawn
from controller.table.case import Case
from controller.table.rules import Rules
from controller.table.state import Round, Table, latest_round


def fits_row(table: Table, case: Case, ruling: Ruling, rules: Rules) -> bool | Fact:
    """Whether the facts of a ruling hold; the fact itself where a person has to be asked."""
    for fact, value in ruling.when.items():
        known = _known(table, case, fact, rules)
        if known is None:
            return fact
        if known is not value:
            return False
    return True


def is_of_earlier_round(table: Table, case: Case) -> bool:
    """Whether the case is about a round before the last one."""
    last = latest_round(table)
    return case.about.round is not None and (last is None or case.about.round != last.number)


def _known(table: Table, case: Case, fact: Fact, rules: Rules) -> bool | None:
    round_ = latest_round(table)
    if fact not in COMPUTED:
        seen = _seen(round_, case, fact)
        return case.facts.get(fact.value) if seen is None else seen
    if fact is Fact.INITIAL_DEAL:
        return _first_affected(round_, case) <= len(position.INITIAL)
    return round_ is not None and _HOLDS[fact](round_, case, rules)


def _seen(round_: Round | None, case: Case, fact: Fact) -> bool | None:
    """The answer to a question for people, where the table can compute it; otherwise None."""
    if fact is Fact.VALUE_KNOWN and round_ is not None:
        gone = concerned_cards(round_, case)
        return True if gone and all(drawn.card is not None for drawn in gone) else None
    if fact is Fact.DEALT_FACE_UP and round_ is not None and not round_.face_down:
        return False  # there is no such mistake where all cards are dealt so
    return None


def _only_too_many(round_: Round, case: Case, rules: Rules) -> bool:
    aside = {drawn.n for drawn in round_.cards if drawn.hand is None}
    wrong = reconstruction.misplaced_cards(round_, case.about.lies or {})
    complete = position.due_card(rules.book, round_) is position.Due.NOTHING
    return complete and bool(wrong) and aside.issuperset(wrong)


_HOLDS: Final[Mapping[Fact, Callable[[Round, Case, Rules], bool]]] = {
    Fact.OUTCOME_ESTABLISHED: lambda round_, _case, rules: has_decided_wager(round_, rules),
    Fact.CARD_EXPOSED: lambda round_, _case, _rules: any(d.exposed for d in round_.cards),
    Fact.FIRST_CARD_DEALT: lambda round_, _case, _rules: (
        not round_.over and bool(position.hand_cards(round_))
    ),
    Fact.PLAYER_DRAWS: lambda round_, _case, rules: rules.method(round_.method).player_draws,
    Fact.ROUND_IN_PLAY: lambda round_, _case, _rules: not round_.over,
    Fact.AFTER_THE_CALL: lambda round_, _case, _rules: not round_.over and not round_.betting,
    Fact.HANDS_COMPLETE: lambda round_, _case, rules: (
        position.due_card(rules.book, round_) is position.Due.NOTHING
    ),
    Fact.NUMBER_WRONG: lambda round_, case, _rules: reconstruction.wrong_number(
        round_, case.about.lies or {}
    ),
    Fact.ONLY_CARDS_TOO_MANY: _only_too_many,
    Fact.BETS_CLOSED: lambda round_, _case, _rules: not round_.betting,
}


def has_decided_wager(round_: Round, rules: Rules) -> bool:
    """Whether exposed cards have decided any wager that the game offers."""
    return bool(decided(rules.book, position.exposed_cards(round_)))


def concerned_cards(round_: Round, case: Case) -> list[Drawn]:
    """The cards a report is about: those named, else those of the hand named, else all."""
    about = case.about
    if about.cards:
        return [drawn for drawn in round_.cards if drawn.n in about.cards]
    return position.hand_cards(round_) if about.hand is None else position.hand(round_, about.hand)


def _first_affected(round_: Round | None, case: Case) -> int:
    """The place in the round of the earliest card concerned; by default the last two cards
    drawn."""
    laid = sorted(drawn.n for drawn in round_.cards) if round_ else []
    cards = affected_cards(round_, case)
    return 1 + laid.index(min(cards)) if cards else 1


def affected_cards(round_: Round | None, case: Case) -> tuple[int, ...]:
    """The cards that came out together: those named, or the last two drawn. A card of an earlier
    round, or from before the call, did not come out with those drawn afterwards."""
    if case.about.cards or round_ is None:
        return case.about.cards
    laid = sorted(drawn.n for drawn in round_.cards)
    return tuple(n for n in laid[-2:] if drawn_in(round_, n) == drawn_in(round_, laid[-1]))


def drawn_in(round_: Round, n: int) -> int:
    """The part of a round in which a card was drawn: 0 before it commenced, 1 before "No more
    bets", 2 since."""
    return (n > round_.out.before) + (n > round_.out.at_call)


def doubtful_cards(round_: Round, case: Case, rules: Rules) -> tuple[int, ...]:
    """The cards that establish nothing and decide no wager.

    These are cards that came out together, until they are laid. Where cards cannot be put right,
    they are those named, those that lie elsewhere than the table shows, or those aside where the
    case is about them. They are all cards where a report names none.
    """
    if Fact.ORDER_KNOWN.value in case.facts:
        return affected_cards(round_, case)
    if case.facts.get(Fact.RECONSTRUCTABLE.value) is not False:
        return ()
    row = rules.book.irregularity_by_id.get(case.id)
    about_aside = row is not None and Precondition.CARD_ASIDE in row.needs
    aside = tuple(drawn.n for drawn in round_.cards if about_aside and drawn.hand is None)
    elsewhere = reconstruction.misplaced_cards(round_, case.about.lies or {})
    everything = tuple(drawn.n for drawn in round_.cards)
    return case.about.cards or elsewhere or aside or everything
