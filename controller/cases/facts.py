"""Facts that rulings turn on: computed from what lies exposed, or asked of a person."""

from controller.game.decided import decided
from controller.game.irregularities import COMPUTED, Fact, Ruling
from controller.round import position
from controller.table.case import Case
from controller.table.rules import Rules
from controller.table.state import Round, Table


def fits(table: Table, case: Case, ruling: Ruling, rules: Rules) -> bool | Fact:
    """Whether the facts of a ruling hold; the fact itself where somebody has to be asked."""
    for fact, value in ruling.when.items():
        known = _known(table, case, fact, rules)
        if known is None:
            return fact
        if known is not value:
            return False
    return True


def _known(table: Table, case: Case, fact: Fact, rules: Rules) -> bool | None:
    if fact not in COMPUTED:
        return case.facts.get(fact.value)
    round_ = table.round
    if fact is Fact.NEXT_ROUND_COMMENCED:
        return case.about.round not in (None, round_.number if round_ else None)
    if fact is Fact.INITIAL_DEAL:
        return _first_affected(round_, case) <= len(position.INITIAL)
    return round_ is not None and _holds(round_, fact, rules)


def _holds(round_: Round, fact: Fact, rules: Rules) -> bool:
    match fact:
        case Fact.OUTCOME_ESTABLISHED:
            return bool(decided(rules.book, position.exposed(round_)))
        case Fact.CARD_EXPOSED:
            return any(drawn.exposed for drawn in round_.cards)
        case Fact.FIRST_CARD_DEALT:
            return not round_.over and bool(position.on_hands(round_))
        case Fact.PLAYER_DRAWS:
            return rules.method(round_.method).player_draws
        case _:
            return not round_.betting


def _first_affected(round_: Round | None, case: Case) -> int:
    """The place in the round of the earliest card concerned; the last two drawn unless said."""
    lying = sorted(drawn.n for drawn in round_.cards) if round_ else []
    cards = affected(round_, case)
    return 1 + lying.index(min(cards)) if cards else 1


def affected(round_: Round | None, case: Case) -> tuple[int, ...]:
    """The cards that came out together: those named, or the last two drawn."""
    lying = sorted(drawn.n for drawn in round_.cards) if round_ else []
    return case.about.cards or tuple(lying[-2:])
