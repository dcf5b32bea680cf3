"""Who may do what, in one place: the least role, whether it takes a second person, and by what.

Rows are data. Prompts, questions, refusals, the API and the pages read them; there is no other list
of approvals. What a rulebook gives to a role of its own stands in the book's rows with its clause.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from controller.game.roles import Role


class Act(Enum):
    """An act that needs the authority of a role."""

    __hash__ = object.__hash__

    DEAL = "deal"
    OPEN_TABLE = "open_table"
    CLOSE_TABLE = "close_table"
    PAUSE = "pause"
    RESUME = "resume"
    PUT_ASIDE = "put_aside"
    GO_ON_OVER_A_DEVICE = "go_on_over_a_device"
    CHANGE_LIMITS = "change_limits"
    ALLOW_FEWER_ON_AN_AREA = "allow_fewer_on_an_area"
    CLOSE_OVER_DIFFERENTIAL = "close_over_differential"
    SAY_WHAT_A_RESTART_WAS = "say_what_a_restart_was"
    CLOSE_OFFER = "close_offer"
    CLOSE_UNTRACKED_OFFER = "close_untracked_offer"
    NAME_A_HANDLER = "name_a_handler"
    ALLOW_A_SQUEEZE = "allow_a_squeeze"
    PERMIT_A_SQUEEZE = "permit_a_squeeze"
    SAY_THE_ORDER = "say_the_order"
    PUT_WAGERS_RIGHT = "put_wagers_right"
    ASK_FOR_A_VOID = "ask_for_a_void"
    VOID = "void"
    MOVE_EXPOSED_CARD = "move_exposed_card"
    DOUBT_EXPOSED_CARDS = "doubt_exposed_cards"
    STRIKE_WAGER = "strike_wager"
    CONFIRM_DECISION = "confirm_decision"
    ENTER_CARD = "enter_card"
    ENTER_FIRST_CARD = "enter_first_card"
    CORRECT_CARD = "correct_card"
    CONFIRM_COUNT = "confirm_count"
    REPLACE_SHOE = "replace_shoe"
    VOUCH_FOR_SHOE = "vouch_for_shoe"
    KEEP_DECKS = "keep_decks"
    INSPECT_DECKS = "inspect_decks"
    DESTROY_DECKS = "destroy_decks"
    CONFIRM_DECK_COUNT = "confirm_deck_count"
    CLEAR_JOURNAL_LOSS = "clear_journal_loss"
    ASK_FOR_ANOTHER_UNIT = "ask_for_another_unit"
    SWAP_DEVICE = "swap_device"
    DEAL_BY_HAND = "deal_by_hand"
    CONFIRM_CARDS = "confirm_cards"
    START_SHUFFLE = "start_shuffle"
    # at the console and the table PC
    SEE_AS_DEALER = "see_as_dealer"
    SEE_AS_PIT = "see_as_pit"
    SEE_AS_SURVEILLANCE = "see_as_surveillance"
    EXPORT_ROUNDS = "export_rounds"
    UNLOCK_ACCOUNT = "unlock_account"
    RESTORE_JOURNAL = "restore_journal"
    RETIRE_TABLE = "retire_table"
    # at the floor
    SPEAK_FROM_FLOOR = "speak_from_floor"
    ACKNOWLEDGE_EXCEPTION = "acknowledge_exception"
    PUBLISH_PEOPLE = "publish_people"
    PUBLISH_LIMITS = "publish_limits"
    BEGIN_NEW_HISTORY = "begin_new_history"


@dataclass(frozen=True)
class Approval:
    """One row: who may do it at least."""

    act: Act
    role: Role
    second: bool = False
    """It takes a person other than the requester."""
    clause: str | None = None
    """Set where every book that covers it has the same clause; the books' own rows have the
    rest."""
    house: str = ""
    """The reason, where it is the house's rule and no document's."""
    there: bool = False
    """The approver confirms that they have looked: at cards, at a count, at the shoe's display.
    That cannot be done from the floor."""
    in_person: bool = False
    """It takes the actor's own PIN, in addition to the commands that always do."""


ROWS: Final = (
    Approval(Act.DEAL, Role.DEALER, house="the dealer runs the round"),
    Approval(Act.OPEN_TABLE, Role.PIT_SUPERVISOR, house="a pit opens its tables"),
    Approval(Act.CLOSE_TABLE, Role.PIT_SUPERVISOR, house="a pit closes its tables"),
    Approval(Act.PAUSE, Role.PIT_SUPERVISOR, house="a pit may stop a table where it is"),
    Approval(Act.RESUME, Role.PIT_SUPERVISOR, house="whoever clears a hold has looked at it"),
    Approval(
        Act.PUT_ASIDE,
        Role.PIT_SUPERVISOR,
        house="the next round opens although the shoe still plays the last one",
    ),
    Approval(
        Act.GO_ON_OVER_A_DEVICE,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="the shoe is a witness: nobody overrules it alone",
    ),
    Approval(Act.CHANGE_LIMITS, Role.PIT_SUPERVISOR, house="limits are the pit's"),
    Approval(Act.ALLOW_FEWER_ON_AN_AREA, Role.PIT_MANAGER, house="the book names the pit manager"),
    Approval(
        Act.CLOSE_OVER_DIFFERENTIAL,
        Role.PIT_SUPERVISOR,
        second=True,
        house="reading 19: nobody alone closes over an exceeded differential",
    ),
    Approval(
        Act.SAY_WHAT_A_RESTART_WAS,
        Role.PIT_SUPERVISOR,
        house="reading 12: a restart is no power failure until somebody says so",
    ),
    Approval(Act.CLOSE_OFFER, Role.PIT_SUPERVISOR, house="silence plays on, by the pit's word"),
    Approval(
        Act.CLOSE_UNTRACKED_OFFER,
        Role.DEALER,
        house="without wager tracking the dealer records the offer as made",
    ),
    Approval(Act.NAME_A_HANDLER, Role.PIT_SUPERVISOR, house="when nobody wants the hand"),
    Approval(Act.ALLOW_A_SQUEEZE, Role.PIT_MANAGER, house="the book names the pit manager"),
    Approval(Act.PERMIT_A_SQUEEZE, Role.DEALER, house="the book says a pit employee"),
    Approval(Act.SAY_THE_ORDER, Role.PIT_SUPERVISOR, house="where the book names nobody"),
    Approval(Act.PUT_WAGERS_RIGHT, Role.PIT_MANAGER, house="where the book names nobody"),
    Approval(Act.ASK_FOR_A_VOID, Role.DEALER, house="a device opened the case: somebody asks"),
    Approval(Act.VOID, Role.PIT_SUPERVISOR, second=True, house="no round is void by one person"),
    Approval(
        Act.MOVE_EXPOSED_CARD,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="reading 16: an exposed card goes to another hand",
    ),
    Approval(
        Act.DOUBT_EXPOSED_CARDS,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="reading 21: wagers that exposed cards had decided may be taken back",
    ),
    Approval(
        Act.STRIKE_WAGER,
        Role.PIT_SUPERVISOR,
        second=True,
        house="a wager that lies there is not honoured",
    ),
    Approval(
        Act.CONFIRM_DECISION,
        Role.PIT_SUPERVISOR,
        second=True,
        house="reading 30: whoever reported it does not decide it alone",
    ),
    Approval(
        Act.ENTER_CARD,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="a card typed in is seen by two",
    ),
    Approval(
        Act.ENTER_FIRST_CARD,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="a card typed in is seen by two",
    ),
    Approval(
        Act.CORRECT_CARD,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="an exposed card is changed",
    ),
    Approval(
        Act.CONFIRM_COUNT,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="a count that differs",
    ),
    Approval(
        Act.REPLACE_SHOE,
        Role.PIT_SUPERVISOR,
        second=True,
        house="cards that could still be played are taken away",
    ),
    Approval(
        Act.VOUCH_FOR_SHOE,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="reading 30: whoever vouches for cards says so themselves",
    ),
    Approval(Act.KEEP_DECKS, Role.PIT_SUPERVISOR, house="the pit receives and retires its decks"),
    Approval(
        Act.INSPECT_DECKS,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="every card is looked at with somebody there",
    ),
    Approval(
        Act.DESTROY_DECKS,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="cards that could be played again are destroyed before witnesses",
    ),
    Approval(
        Act.CONFIRM_DECK_COUNT,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="a set is whole by two people's count, or by a device's",
    ),
    Approval(
        Act.CLEAR_JOURNAL_LOSS,
        Role.PIT_SUPERVISOR,
        second=True,
        house="nobody alone plays on over records that are missing",
    ),
    Approval(Act.ASK_FOR_ANOTHER_UNIT, Role.PIT_SUPERVISOR, house="the pit looks after devices"),
    Approval(Act.SWAP_DEVICE, Role.PIT_SUPERVISOR, second=True, house="another unit is trusted"),
    Approval(
        Act.DEAL_BY_HAND,
        Role.PIT_SUPERVISOR,
        second=True,
        house="people take a device's place, or give it back",
    ),
    Approval(
        Act.CONFIRM_CARDS,
        Role.PIT_SUPERVISOR,
        second=True,
        there=True,
        house="reading 30: cards that one person entered are seen by two before they count",
    ),
    Approval(Act.START_SHUFFLE, Role.PIT_SUPERVISOR, house="the pit looks after devices"),
    Approval(Act.SEE_AS_DEALER, Role.DEALER, house="what the dealer's page shows"),
    Approval(Act.SEE_AS_PIT, Role.PIT_SUPERVISOR, house="what the pit's page shows"),
    Approval(Act.SEE_AS_SURVEILLANCE, Role.PIT_MANAGER, house="what surveillance sees"),
    Approval(Act.EXPORT_ROUNDS, Role.PIT_SUPERVISOR, house="rounds leave the house in a file"),
    Approval(
        Act.UNLOCK_ACCOUNT,
        Role.PIT_MANAGER,
        house="somebody who knows them has asked",
        in_person=True,
    ),
    Approval(
        Act.RESTORE_JOURNAL,
        Role.PIT_SUPERVISOR,
        second=True,
        house="records that were kept are given up",
    ),
    Approval(
        Act.RETIRE_TABLE,
        Role.PIT_MANAGER,
        second=True,
        house="a table's keys end, and cards that were never turned stay closed",
    ),
    Approval(
        Act.SPEAK_FROM_FLOOR,
        Role.PIT_SUPERVISOR,
        house="a pit steers its tables; the table's own row for the word is asked besides",
        in_person=True,
    ),
    Approval(
        Act.ACKNOWLEDGE_EXCEPTION,
        Role.PIT_SUPERVISOR,
        house="whoever takes note of a stopped table looks after it",
    ),
    Approval(
        Act.PUBLISH_PEOPLE,
        Role.ASSISTANT_CASINO_MANAGER,
        house="who may deal, and at what, is the casino's",
        in_person=True,
    ),
    Approval(
        Act.PUBLISH_LIMITS,
        Role.PIT_MANAGER,
        house="standing limits outlast a shift",
        in_person=True,
    ),
    Approval(
        Act.BEGIN_NEW_HISTORY,
        Role.PIT_MANAGER,
        second=True,
        house="a table's records are given up as one history and begun as another",
    ),
)

APPROVALS: dict[Act, Approval] = {row.act: row for row in ROWS}
"""By act. Read through `of`, so that a row that is changed is changed everywhere."""


def approval_row(act: Act) -> Approval:
    return APPROVALS[act]
