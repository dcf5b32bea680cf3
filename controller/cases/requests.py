"""What one person asked for and another approves: another unit, another shoe, a card, a count."""

from msgspec.structs import replace

from controller.cases import counting, entry, people
from controller.round import doubt, shoe
from controller.round.betting import nothing_is_asked_for
from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from controller.table.approvals import Act
from controller.table.refused import Refused
from controller.table.requests import (
    ApprovalRequest,
    ConfirmCount,
    CorrectCard,
    EnterFirstCard,
    ReplaceShoe,
    ReplaceUnit,
    Wanted,
)
from controller.table.rules import Rules
from controller.table.state import Table, notice
from controller.table.words.message import Message
from controller.table.words.people import ApproveWord, SwapDeviceWord

_ACTS: dict[type[Wanted], Act] = {
    CorrectCard: Act.CORRECT_CARD,
    ReplaceShoe: Act.REPLACE_SHOE,
    EnterFirstCard: Act.ENTER_FIRST_CARD,
    ConfirmCount: Act.CONFIRM_COUNT,
    ReplaceUnit: Act.SWAP_DEVICE,
}

BEFORE_THE_COUNT = (ConfirmCount, EnterFirstCard, ReplaceUnit)
"""What may be approved while cards may be missing."""


def act_of(request: ApprovalRequest) -> Act:
    """The row of the approvals by which it is approved."""
    return _ACTS[type(request.what)]


def approved(
    table: Table, request: ApprovalRequest, message: Message[ApproveWord], rules: Rules
) -> Table:
    people.second_person(request.by, act_of(request), message, rules)
    if not isinstance(request.what, BEFORE_THE_COUNT):
        people.count_first(table)
    table = replace(table, request=None)
    match request.what:
        case ConfirmCount() as counted:
            return counting.confirmed(table, counted, request.by, rules)
        case EnterFirstCard(card):
            return shoe.burned(table, card)
        case ReplaceUnit() as unit:
            return swapped(table, unit)
        case ReplaceShoe() as new:
            round_ = table.round
            if table.case is not None or (round_ is not None and not round_.over):
                raise Refused(Code.SHOE_BETWEEN_ROUNDS)
            return shoe.put_in(table, new, rules)
        case CorrectCard() as wanted:
            return entry.corrected(table, wanted, request, message.name, rules)


def swap_device(table: Table, message: Message[SwapDeviceWord], rules: Rules) -> Table:
    """Another unit takes a device's place: asked here, approved by a second person."""
    rules.may(message, Act.ASK_FOR_ANOTHER_UNIT)
    nothing_is_asked_for(table)
    word = message.word
    unit = ReplaceUnit(word.device, word.identity, word.asset)
    return replace(table, request=ApprovalRequest(unit, message.name, word.reason))


def swapped(table: Table, unit: ReplaceUnit) -> Table:
    """From now on only this unit is taken. What the old one read last nobody can ask it any more,
    so with cards in use they are counted."""
    table = replace(table, enrolled={**table.enrolled, unit.device: unit.identity})
    table = notice(table, Code.DEVICE_IS_NOW, device=unit.device, unit=unit.asset)
    if unit.device != "shoe" or table.shoe is None:
        return table
    return doubt.raised(table, sentence(Code.ANOTHER_SHOE_IN_PLACE))
