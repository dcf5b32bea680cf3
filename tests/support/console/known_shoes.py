"""Shoes with known results: the cards follow from what a round shall come to."""

from support.console.table_in_hand import TableInHand

_RANKS = {
    "P": "83T4",  # 8 to 7
    "B": "29QJ",  # 2 to 9
    "T": "99KQ",  # 9 all
    "Pp": "4A46",  # 8 to 7, and the Player has a pair
    "Bb": "64T4",  # 6 to 8, and the Banker has a pair
}
"""The first four cards, Player and Banker in turn; every one of these rounds is a natural."""

KNOWN = [*"TBPPTBB", "Bb", "P", "Pp", *"PBBBBBBBTPTTBPBPPB"]
"""Ties on each kind of mark, both pairs, a dragon tail."""
IN_TURN = ["P", "B"] * 17
"""More columns than a display holds."""


def cards(token: str, number: int) -> list[str]:
    """The round's cards, with suits that go round so that no card is dealt too often."""
    return [rank + "SHDC"[(number // 2 + at) % 4] for at, rank in enumerate(_RANKS[token])]


def deal(desk: TableInHand, tokens: list[str]) -> None:
    """One round after the other, each dealt, announced and settled."""
    for number, token in enumerate(tokens, start=desk.view["round"]):
        desk.act("open_betting")
        desk.act("close_betting")
        desk.draw(*cards(token, number))
        desk.act("announce")
        desk.act("settle")
