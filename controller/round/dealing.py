"""Cards: drawn, exposed, announced, settled."""

from msgspec.structs import replace

from controller.game.hands import Round as Dealt
from controller.game.hands import Side
from controller.game.limits import settle_within
from controller.game.roles import Role
from controller.round import betting, doubt, methods, play, procedures, reconstruction, shoe
from controller.round.errors import Refused
from controller.round.rules import Message, Rules, wanted
from controller.round.state import Drawn, Paid, Round, Shoe, Table, noted
from drivers.cards import Card


def card(table: Table, message: Message, rules: Rules) -> Table:
    """A card has left the shoe. Whatever was wrong with that, it is out and is written down."""
    held = table.shoe
    if held is None:
        raise Refused("no shoe has been loaded: this card belongs to none")
    if not table.opened:
        return _while_closed(table, held)
    if table.doubt is not None:
        return doubt.keep(table, table.doubt, message)
    if held.burn_left != 0:
        return replace(table, shoe=shoe.burn(held, message.card))
    counted, drawn = _drawn(table, held, message)
    if table.case is not None or table.suspended:
        return procedures.card_while_halted(counted, drawn)
    if shoe.too_many(counted.shoe or held):
        return procedures.open_case(_aside(counted, drawn), "wrong_count", "shoe", rules)
    return _lay(counted, drawn, message, rules)


def excess(table: Table, message: Message, rules: Rules) -> Table:
    """The shoe itself calls the card one too many: it lies aside whatever we think is due."""
    held = table.shoe
    prepared = held is not None and held.burn_left == 0 and table.opened
    held_up = table.case is not None or table.suspended or table.doubt is not None
    if held is None or not prepared or held_up:
        return card(table, message, rules)
    counted, drawn = _drawn(table, held, message)
    return _too_many(counted, drawn, rules)


def _while_closed(table: Table, held: Shoe) -> Table:
    """Nobody plays from a shoe that was drawn from behind a closed table."""
    said = "a card left the shoe while the table was closed: load a new shoe"
    table = replace(table, shoe=replace(held, drawn=held.drawn + 1), change_shoe=True)
    return noted(table, said)


def _drawn(table: Table, held: Shoe, message: Message) -> tuple[Table, Drawn]:
    """The card as it left the shoe, and the shoe with one less."""
    drawn = Drawn(
        held.drawn + 1,
        message.card,
        None,
        exposed=False,
        commitment=message.given.get("commitment"),
        salt=message.given.get("salt"),
        unnamed=message.word == "excess" and message.card is None,
    )
    return replace(table, shoe=replace(held, drawn=drawn.n)), drawn


def _lay(table: Table, drawn: Drawn, message: Message, rules: Rules) -> Table:
    round_, side = table.round, play.goes_to(rules.book, table)
    if side is None or round_ is None:
        return _too_many(table, drawn, rules)
    laid = replace(drawn, hand=side)
    table = replace(table, round=replace(round_, cards=(*round_.cards, laid)))
    if drawn.card is None and round_.face_down:
        notice = f"card {drawn.n} could not be read: it is entered when it is exposed"
        table = noted(table, notice)
    if _elsewhere(message, side, len(play.hand(round_, side)) + 1):
        table = latch(table, "device_disagrees")
    if not round_.face_down:
        table = expose_cards(table, [laid.n], rules)
    return _enough_left(table, rules)


def _elsewhere(message: Message, side: Side, place: int) -> bool:
    """Whether the shoe drew the card for another place: two cards before it may be missing, or a
    whole turn of the shoe's counter. A number that no hand has says nothing."""
    if message.hand is None:
        return False
    says = message.index if message.index in (1, 2, 3) else place
    return (message.hand, says) != (side.value, place)


def _too_many(table: Table, drawn: Drawn, rules: Rules) -> Table:
    """No card was due: it lies aside until somebody says what becomes of it."""
    return procedures.open_case(_aside(table, drawn), "excess_card", "shoe", rules)


def _aside(table: Table, drawn: Drawn) -> Table:
    round_ = table.round
    if round_ is None or round_.over:
        return replace(table, carried=(*table.carried, drawn))
    return replace(table, round=replace(round_, cards=(*round_.cards, drawn)))


def _enough_left(table: Table, rules: Rules) -> Table:
    assert table.shoe is not None
    assert table.round is not None
    if not shoe.empty(table.shoe) or table.case is not None:
        return table
    waits_for = play.due(rules.book, table.round)
    if waits_for in (play.Due.CARD, play.Due.PLAYERS_THIRD, play.Due.BANKERS_THIRD):
        return procedures.open_case(table, "not_enough_cards", "shoe", rules)
    return table


def expose_cards(table: Table, numbers: list[int], rules: Rules) -> Table:
    """These cards now lie open for everybody: they enter the ledger and are checked."""
    round_, held = table.round, table.shoe
    assert round_ is not None
    assert held is not None
    cards = []
    for drawn in round_.cards:
        if drawn.n in numbers and not drawn.exposed:
            cards.append(replace(drawn, exposed=True))
            if drawn.card is not None:
                held = shoe.note(held, Card.coded(drawn.card), drawn.n)
        else:
            cards.append(drawn)
    table = replace(table, round=replace(round_, cards=tuple(cards)), shoe=held)
    return _look_at(table, numbers, rules)


def _look_at(table: Table, numbers: list[int], rules: Rules) -> Table:
    """Checks that look at a face, once it may be seen."""
    round_, held = table.round, table.shoe
    assert round_ is not None
    assert held is not None
    for drawn in round_.cards:
        if drawn.n not in numbers:
            continue
        if drawn.card is None:
            table = procedures.open_case(table, "unreadable", "shoe", rules, {"n": drawn.n})
        elif shoe.impossible(held, Card.coded(drawn.card)):
            table = procedures.open_case(table, "foreign_card", "shoe", rules, {"n": drawn.n})
    if shoe.new_deck_order(held, numbers):
        table = procedures.open_case(table, "unshuffled", "shoe", rules)
    return take_asides(table, rules)


def take_asides(table: Table, rules: Rules) -> Table:
    """A card that lay aside goes where it is due, as soon as that is known."""
    round_ = table.round
    if round_ is None or round_.betting or round_.over:
        return table
    if table.case is not None or table.doubt is not None:
        return table
    hidden = [drawn.n for drawn in play.on_hands(round_) if not drawn.exposed]
    if hidden and not round_.face_down:
        return expose_cards(table, hidden, rules)
    for drawn in round_.cards:
        if drawn.hand is None and (side := play.next_side(rules.book, round_)) is not None:
            cards = [replace(c, hand=side) if c.n == drawn.n else c for c in round_.cards]
            laid = replace(table, round=replace(round_, cards=tuple(cards)))
            return take_asides(laid, rules)
    return _compare_result(table, rules)


def close_betting(table: Table, message: Message, rules: Rules) -> Table:
    """ "No more bets": the first cards of the round are due, and those out already are laid."""
    table = take_asides(betting.close_betting(table, message, rules), rules)
    return _enough_left(table, rules) if table.shoe is not None else table


def report(table: Table, message: Message, rules: Rules) -> Table:
    """What is put right at once may leave a card to be laid or turned."""
    return take_asides(procedures.report(table, message, rules), rules)


def current(table: Table) -> Round:
    if table.round is None or table.round.over:
        raise Refused("no round is being played")
    return table.round


def expose(table: Table, message: Message, rules: Rules) -> Table:
    """A hand, or one card, is marked as lying open."""
    rules.need(message, Role.DEALER)
    round_ = current(table)
    numbers = _which(round_, message)
    if not numbers:
        raise Refused("there is no face-down card there")
    one_card = "card" in message.given
    lying = play.on_hands(round_)
    if not one_card and len(lying) < len(play.INITIAL):
        raise Refused("the initial deal is not complete")
    if not one_card and round_.first is not None and _out_of_turn(round_, message):
        clause = rules.method(round_.method).first
        raise Refused(f"the {round_.first.value} hand is revealed first", clause)
    return _enough_left(expose_cards(table, numbers, rules), rules)


def _out_of_turn(round_: Round, message: Message) -> bool:
    first = play.hand(round_, round_.first) if round_.first else []
    other = message.given.get("hand") != (round_.first.value if round_.first else None)
    return other and any(not drawn.exposed for drawn in first[:2])


def _which(round_: Round, message: Message) -> list[int]:
    side = wanted(message, "hand")
    if side not in ("player", "banker"):
        raise Refused(f"{side!r} is no hand: player or banker")
    lying = play.hand(round_, Side(side))
    if "card" in message.given:
        place = wanted(message, "card", int)
        lying = lying[place - 1 : place]
    return [drawn.n for drawn in lying if not drawn.exposed]


def latch(table: Table, why: str) -> Table:
    return table if why in table.latches else replace(table, latches=(*table.latches, why))


def announce(table: Table, message: Message, rules: Rules) -> Table:
    """The dealer announces the outcome."""
    rules.need(message, Role.DEALER)
    round_ = table.round
    assert round_ is not None
    if play.due(rules.book, round_) is not play.Due.NOTHING:
        return table  # the totals are announced while cards are still due; nothing changes
    return replace(table, round=replace(round_, announced=True))


def device_result(table: Table, message: Message, rules: Rules) -> Table:
    """The device's own result is evidence: a difference holds the table, once it may be seen."""
    round_ = current(table)
    heard = replace(table, round=replace(round_, device_says=message.winner))
    return _compare_result(heard, rules)


def _compare_result(table: Table, rules: Rules) -> Table:
    """Not before every card on a hand may be seen: a complaint would give the sealed ones away."""
    round_ = table.round
    if round_ is None or round_.device_says is None:
        return table
    if table.case is not None or table.doubt is not None:
        return table
    waits_for = play.due(rules.book, round_)
    if waits_for is not play.Due.CARD and any(not d.exposed for d in play.on_hands(round_)):
        return table
    over = waits_for is play.Due.NOTHING
    agrees = over and round_.device_says == play.dealt(rules.book, round_).outcome.value
    table = replace(table, round=replace(round_, device_says=None))
    return table if agrees else latch(table, "device_disagrees")


def settle(table: Table, message: Message, rules: Rules) -> Table:
    """Losing wagers are collected and winning ones paid: the round is over."""
    rules.need(message, Role.DEALER)
    round_ = table.round
    assert round_ is not None
    played = play.dealt(rules.book, round_)
    paid, names = settlement(table, played, rules)
    warned = _new(table.under_minimum_before, names)
    table = replace(
        table,
        round=replace(round_, over=True, paid=paid, warned=warned),
        results=(*table.results, token(played)),
        under_minimum_before=(*table.under_minimum_before, *warned),
        drawer=methods.keeps_device(round_, paid),
        carried=(*table.carried, *reconstruction.carried(round_, rules)),
    )
    return round_over(table, rules)


def settle_anew(table: Table, rules: Rules) -> Table:
    """A corrected result supersedes the published one; the road is rebuilt by its last token."""
    round_ = table.round
    assert round_ is not None
    before = tuple(who for who in table.under_minimum_before if who not in round_.warned)
    table = replace(table, under_minimum_before=before)
    played = play.dealt(rules.book, round_)
    paid, warned = settlement(table, played, rules)
    anew = replace(round_, paid=paid, superseded=round_.superseded or round_.paid)
    return replace(
        table,
        round=replace(anew, warned=_new(before, warned)),
        results=(*table.results[:-1], token(played)),
        under_minimum_before=(*before, *_new(before, warned)),
        drawer=_drawer_anew(table, round_, paid),
    )


def _new(before: tuple[str, ...], warned: list[str]) -> tuple[str, ...]:
    return tuple(who for who in dict.fromkeys(warned) if who not in before)


def _drawer_anew(table: Table, round_: Round, paid: tuple[Paid, ...]) -> str | None:
    """Who has the device by the corrected result, unless it has been handed on since."""
    left = table.drawer == methods.keeps_device(round_, round_.paid)
    return methods.keeps_device(round_, paid) if left else table.drawer


def round_over(table: Table, rules: Rules) -> Table:
    """After every round, void ones too: an empty shoe, the cutting card, a closing table."""
    table = _count_after_cut(table, rules)
    if table.shoe is not None and shoe.empty(table.shoe):
        table = replace(table, change_shoe=True)
    if table.close_after:
        table = replace(table, opened=False, close_after=False)
    return table


def _count_after_cut(table: Table, rules: Rules) -> Table:
    """Once the cutting card is out, so many rounds may follow; then the shoe is changed."""
    held = table.shoe
    if held is None or not held.cut_card_out:
        return table
    change = held.rounds_after_cut >= rules.house.rounds_after_cut
    held = replace(held, rounds_after_cut=held.rounds_after_cut + 1)
    return replace(table, shoe=held, change_shoe=table.change_shoe or change)


def settlement(table: Table, played: Dealt, rules: Rules) -> tuple[tuple[Paid, ...], list[str]]:
    """What every wager gets, and the players whose wager under the minimum was let pass."""
    round_ = table.round
    assert round_ is not None
    placed = betting.bets(round_)
    settled = settle_within(
        rules.book,
        played,
        placed,
        betting.limits(round_, rules),
        rules.rounding,
        frozenset(table.under_minimum_before),
    )
    paid = [
        Paid(str(b.id), b.player or "", s.result.value, str(s.odds), s.pays, s.returned, s.clause)
        for b, s in zip(placed, settled, strict=True)
    ]
    back = [
        Paid(w.id, w.player, "push", "0", 0, w.amount, w.returned_by or None)
        for w in round_.wagers
        if w.returned_by is not None
    ]
    assert all(each.returned <= w.amount for each, w in zip(paid, placed, strict=True))
    rule = rules.book.limits.under_minimum
    warned = [
        each.player
        for each in paid
        if rule is not None and each.clause == rule.clause and each.result != "push"
    ]
    return (*paid, *back), warned


def token(played: Dealt) -> str:
    """The round as the roads write it."""
    player, banker = played.player, played.banker
    pairs = ("b" if banker[0].rank is banker[1].rank else "") + (
        "p" if player[0].rank is player[1].rank else ""
    )
    return played.outcome.value[0].upper() + pairs


def cut_card(table: Table, message: Message, rules: Rules) -> Table:
    """The cutting card is removed; the round is finished. First of a round, the HLGA may offer."""
    held = table.shoe
    if held is None or held.burn_left != 0:
        raise Refused("no cutting card is expected while the shoe is prepared")
    by_hand = message.source == "staff"
    if by_hand:
        rules.need(message, Role.DEALER)
    if held.cut_card_out:
        if by_hand:
            raise Refused("the cutting card is out already")
        return table  # the dealer has said so before the shoe did
    table = replace(table, shoe=replace(held, cut_card_out=True))
    round_ = table.round
    rule = rules.book.cutting_card
    between = round_ is None or round_.over
    if between:
        return _count_after_cut(table, rules)
    assert round_ is not None
    first = not round_.betting and not round_.cards
    if first and rules.house.hlga and rule.withdraw is not None:
        table = replace(table, round=replace(round_, cut_card_first=True))
        by = message.name if by_hand else "shoe"
        return procedures.open_case(table, "cut_card_first", by, rules)
    return table
