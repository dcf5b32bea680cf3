"""The faults that the adversary searches for: each undoes one check of who may do what, and when.

`adversary/plants.py` applies the same edits to the modules in memory.
"""

from typing import Final

from planted.edits import Edit, Fault

APPROVALS: Final = "controller/table/approvals.py"
BETTING: Final = "controller/round/wagers/betting.py"
BY_HAND: Final = "controller/cases/manual_entry/manual_mode.py"
DECISIONS: Final = "controller/cases/decisions.py"
FACTS: Final = "controller/cases/facts.py"
METHODS: Final = "controller/round/methods.py"
PRECONDITIONS: Final = "controller/cases/reports/preconditions.py"
SETTLING: Final = "controller/round/round_end.py"
SHOE: Final = "controller/round/shoe.py"
STEPS: Final = "controller/cases/steps.py"


def one_person(act: str) -> Edit:
    """The row of the approvals no longer asks for a second person."""
    row = f"        Act.{act},\n        Role.PIT_SUPERVISOR,\n"
    return Edit(APPROVALS, f"{row}        second=True,\n", row)


REMOVED_CHECKS: Final = (
    Fault(
        "a ruling moves exposed cards at once",
        (
            Edit(
                STEPS,
                "return case.asker is not None and of not in case.approved",
                "return False",
            ),
        ),
    ),
    Fault(
        "another card is the third at once",
        (
            Edit(
                "controller/round/reconstruction.py",
                "drawn.n: (side, at >= INITIAL_OF_A_HAND)",
                "drawn.n: (side, False)",
            ),
        ),
    ),
    Fault("who approves a move is who reported", (one_person("MOVE_EXPOSED_CARD"),)),
    Fault(
        "who reported says the order",
        (Edit(DECISIONS, "        _not_the_reporter(case, message, rules)\n", ""),),
    ),
    Fault(
        "cards come together from anywhere",
        (Edit(PRECONDITIONS, "_of_round(_together)", "lambda *_: None"),),
    ),
    Fault(
        "an order is of any cards",
        (
            Edit(DECISIONS, "    named_cards(table, order)\n    together", "    together"),
            Edit(
                DECISIONS,
                "if sorted(order) != sorted(together):",
                "if False:",
            ),
        ),
    ),
    Fault(
        "one shift manager reconstructs in any order",
        (
            Edit(DECISIONS, "if case.id != TOGETHER:", 'if case.id != "uncovered":'),
            one_person("CONFIRM_DECISION"),
        ),
    ),
    Fault("a correction is approved by whoever asked", (one_person("CORRECT_CARD"),)),
    Fault("a card is entered by one person", (one_person("ENTER_CARD"),)),
    Fault(
        "cards that one person named count",
        (
            Edit(
                SETTLING,
                "        wanted = ConfirmCards(numbered_cards(round_))\n"
                "        return pending.ask(table, ApprovalRequest(wanted, message.actor))\n",
                "",
            ),
        ),
    ),
    Fault(
        "who named the cards confirms them",
        (
            Edit(
                BY_HAND,
                "if any(rules.is_same_person(approver, each) "
                "for each in round_.interventions.entered_by):",
                "if False:",
            ),
        ),
    ),
    Fault(
        "a card by hand takes another's place",
        (
            Edit(
                BY_HAND,
                "    _may_be_drawn(table, rules)\n    card = message.payload.card\n",
                "    round_, card = table.round, message.payload.card\n"
                "    if round_ is not None and round_.cards and card is not None:\n"
                "        cards = (*round_.cards[:-1], replace(round_.cards[-1], card=card))\n"
                "        return replace(table, round=replace(round_, cards=cards))\n"
                "    _may_be_drawn(table, rules)\n",
            ),
        ),
    ),
    Fault(
        "wagers are opened over a shown card",
        (
            Edit(
                STEPS,
                "if any(drawn.exposed for drawn in table.round.cards):\n        # Shown",
                "if False:\n        # Shown",
            ),
        ),
    ),
    Fault(
        "every report is of this round",
        (
            Edit(
                "controller/cases/reports/report.py",
                "number = _round_meant(table, command)",
                "number = word.round",
            ),
            Edit(
                FACTS,
                "return case.about.round is not None and "
                "(last is None or case.about.round != last.number)",
                "return False",
            ),
        ),
    ),
    Fault(
        "a decision of an earlier round changes this one",
        (
            Edit(
                DECISIONS,
                "    if facts.is_of_earlier_round(table, case):\n"
                "        raise Refused(Code.EARLIER_ROUND_STANDS, case.clause)\n"
                "    if table.round is None or table.round.over:\n"
                "        raise Refused(Code.NO_ROUND, case.clause)\n",
                "",
            ),
        ),
    ),
    Fault(
        "an earlier round is void, and so this one",
        (Edit(DECISIONS, "    _voidable(table, case)\n    case", "    case"),),
    ),
    Fault(
        "a void is approved by whoever asked",
        (
            Edit(
                APPROVALS,
                "Approval(Act.VOID, Role.PIT_SUPERVISOR, second=True, ",
                "Approval(Act.VOID, Role.PIT_SUPERVISOR, ",
            ),
        ),
    ),
    Fault(
        "a decision voids at once",
        (
            Edit(
                DECISIONS,
                "if not (_decided_alone(case, rules) and approvals.approval_row(Act.VOID).second):",
                "if True:",
            ),
        ),
    ),
    Fault(
        "anybody is the second person",
        (
            Edit(
                "controller/cases/people.py",
                "if row.second and rules.is_same_person(message.actor, first):",
                "if False:",
            ),
        ),
    ),
    Fault(
        "who approved is not written down",
        (Edit("controller/cases/engine.py", "approved_by=case.second,", 'approved_by="",'),),
    ),
    Fault(
        "no wager is late",
        (
            Edit(
                BETTING,
                "    case = table.case\n    if round_.betting and case is not None",
                "    return\n    case = table.case\n    if round_.betting and case is not None",
            ),
        ),
    ),
    Fault(
        "cards are exposed while players choose",
        (
            Edit(
                "controller/round/dealing.py",
                "    _nothing_is_asked(table)\n    numbers",
                "    numbers",
            ),
        ),
    ),
    Fault(
        "decided wagers go back in an offer",
        (
            Edit(
                "controller/cases/offers.py",
                "return [wager for wager in wagers if wager.wager not in known]",
                "return wagers",
            ),
        ),
    ),
    Fault("who doubts exposed cards approves it", (one_person("DOUBT_EXPOSED_CARDS"),)),
    Fault("who reports a late wager has it struck", (one_person("STRIKE_WAGER"),)),
    Fault("a decision removes wagers by one person", (one_person("CONFIRM_DECISION"),)),
    Fault(
        "a differential that is not exceeded takes wagers off",
        (
            Edit(PRECONDITIONS, "_of_round(_differential)", "lambda *_: None"),
            Edit(
                FACTS,
                "Fact.BETS_CLOSED: lambda round_, _case, _rules: not round_.betting",
                "Fact.BETS_CLOSED: lambda round_, _case, _rules: False",
            ),
            Edit(
                "controller/cases/engine.py",
                "if not isinstance(case.awaits, AwaitsWagers) or round_ is None "
                "or not round_.betting:",
                "if True:",
            ),
            Edit(
                "controller/round/wagers/wager_corrections.py",
                "    if round_ is None:\n        return remove_wagers(",
                "    if True:\n        return remove_wagers(",
            ),
        ),
    ),
    Fault(
        "`anyway` covers the differential",
        (
            Edit(
                BETTING,
                "over = [each for each in findings if each.of_differential]",
                "over = []",
            ),
        ),
    ),
    Fault("one person closes over the differential", (one_person("CLOSE_OVER_DIFFERENTIAL"),)),
    Fault(
        "a wager is taken that cannot be paid",
        (
            Edit(
                BETTING,
                "    if rules.pays_exactly:\n        _paid",
                "    return\n    if rules.pays_exactly:\n        _paid",
            ),
        ),
    ),
    Fault(
        "winners are paid twice",
        (
            Edit(
                SETTLING,
                "return tuple(paid), warned",
                "return (*paid, *(each for each in paid if each.pays)), warned",
            ),
        ),
    ),
    Fault(
        "who has seen a card stakes on it",
        (Edit(BETTING, "        _nothing_shown(round_, rules)\n", ""),),
    ),
    Fault(
        "a lost wager outside the limits goes back",
        (
            Edit(
                SETTLING,
                "s.pays, s.returned, s.clause)",
                "s.pays, bet.amount if s.clause else s.returned, s.clause)",
            ),
        ),
    ),
    Fault(
        "a squeeze needs nobody's leave",
        (
            Edit(
                METHODS,
                "return rules.method(round_.method).squeeze is not None",
                "return False",
            ),
        ),
    ),
    Fault(
        "the highest stake is one stake",
        (
            Edit(
                METHODS,
                "    found: dict[str, Stake] = {}\n",
                "    return [Stake(w.player, w.amount, w.since, w.position) for w in wagers "
                "if w.wager == side.value]\n    found: dict[str, Stake] = {}\n",
            ),
        ),
    ),
    Fault(
        "a hand is passed while wagers are open",
        (
            Edit(
                METHODS,
                "if round_.betting and not squeezed:",
                "if False:",
            ),
        ),
    ),
    Fault(
        "a hand outlives a reset",
        (Edit(BETTING, "cards=(), handling=HandHandling(), out=out)", "cards=(), out=out)"),),
    ),
    Fault("who loads a shoe vouches for it", (one_person("VOUCH_FOR_SHOE"),)),
    Fault(
        "a shoe is loaded on a typed name",
        (
            Edit(
                SHOE,
                "    row = approvals.approval_row(Act.VOUCH_FOR_SHOE)\n"
                "    if row.second and is_same_name(command.verified_by, message.actor):\n"
                "        raise Refused(Code.TAKES_TWO, row.clause)\n"
                "    return VouchForShoe(",
                "    return ReplaceShoe(",
            ),
            one_person("REPLACE_SHOE"),
        ),
    ),
    Fault(
        "sealed faces are shown",
        (
            Edit(
                "controller/views/structs/cards.py",
                "if not drawn.exposed or drawn.card is None:",
                "if drawn.card is None:",
            ),
            Edit(
                "controller/views/structs/cards.py",
                "return Face(drawn) if drawn.exposed and drawn.card is not None else None",
                "return Face(drawn) if drawn.card is not None else None",
            ),
        ),
    ),
    Fault(
        "what is decided is told by face-down cards",
        (
            Edit(
                "controller/round/position.py",
                "if drawn and drawn.exposed and drawn.card and drawn.n not in in_doubt",
                "if drawn and drawn.card and drawn.n not in in_doubt",
            ),
        ),
    ),
)
"""By the adversary's names: `PLANTS` has a row for each."""
