"""No electronic shoe: the dealer enters each card on the page. Data sheet.

A table that has no shoe that reads, or whose shoe is away, is set up with this one. There is no
wire: nothing is sent and nothing is heard. What the table then does is *manual mode*, and everybody
who watches sees that it is on (GLI-19 4.18.4d):

* **Who enters a card has seen it.** A card that lies open is entered as it is drawn. One that lies
  face down is only marked as drawn, and entered when it is exposed: before that nobody says, and no
  screen, record or log knows, what it is.
* **A second person confirms** the cards as they lie before an outcome is announced, unless the
  house wants none (`confirm_by_hand = false` in `[table]`).
* **Method C is not played** (MBS 3.11.1, DT 3.12.1): a player draws only from a device able to read
  cards.
* The ledger, new-deck order, one copy too many and every ruling work as with any shoe. What is not
  there is a witness: nothing but people can tell that a card was mistaken.

A table with a shoe that fails, also in mid-round, comes to the same by `deal_by_hand`: two people,
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
