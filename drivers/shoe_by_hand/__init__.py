"""No electronic shoe: the dealer enters each card on the page. Data sheet.

For a table without a reading shoe, or whose shoe is away. There is no wire: nothing is sent or
received. The table is then in *manual mode*, which every screen shows (GLI-19 4.18.4d):

* **Only a person who has seen a card enters it.** An open card is entered as it is drawn. A
  face-down card is only marked as drawn, and entered when it is exposed: before that no person,
  screen, record or log has its face.
* **A second person confirms** the cards as they lie before an outcome is announced, unless the
  house does not want that (`confirm_by_hand = false` in `[table]`).
* **Method C is not played** (MBS 3.11.1, DT 3.12.1): a player draws only from a device able to read
  cards.
* The ledger, new-deck order, one copy too many and every ruling work as with any shoe. A witness is
  missing: only people can notice that a card was mistaken.

A table whose shoe fails, also in mid-round, changes to the same mode by `deal_by_hand`: two people,
a reason, and the count (deploy/manual/swap-a-shoe.md).
"""

from typing import Final

from drivers.contract import DataSheet
from drivers.shoe_by_hand.driver import ByHandDriver as Driver

__all__ = ["SHEET", "Driver"]

SHEET: Final = DataSheet(
    name="shoe_by_hand",
    kind="shoe",
    maker="none",
    model="a shoe that reads nothing: people enter the cards",
    link="none",
    numbered=False,
    checked="Nothing is sent that could be damaged. A card that is entered wrongly is found by the "
    "second person, or by nobody.",
    serial_number=False,
    reads_cards=False,
    unknown=("How often people mistake a card: a house that wants to know keeps its corrections.",),
)
