"""The robot's check of the table: its own hands and outcome against the table's."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulators.dealer.people import Wager
from simulators.dealer.table_of_play import BANKER, PLAYER, next_hand, outcome
from simulators.kit.cards import total

SIDES: Final = (PLAYER, BANKER)

CALLED: Final = {PLAYER: "say_player_wins", BANKER: "say_banker_wins", "tie": "say_tie"}
"""The dealer's announcements, by the codes of a table's lines."""

Hands = Mapping[str, list[str]]


class Disagreement(Exception):
    """Table and robot disagree about the same cards; the message contains both results."""


def compare(own: Hands, shown: Mapping[str, Sequence[str | None]]) -> None:
    """Compare the table's exposed cards with the drawn ones; sealed cards are null."""
    for side in SIDES:
        same = len(shown[side]) == len(own[side]) and all(
            face in (None, card) for face, card in zip(shown[side], own[side], strict=True)
        )
        if not same:
            raise Disagreement(f"the {side} hand is {own[side]}, the table shows {shown[side]}")


def check_outcome(hands: Hands, prompt: Mapping[str, Any]) -> None:
    """Check the winner and the totals that a complete round gives the dealer to call out."""
    player, banker = hands[PLAYER], hands[BANKER]
    due = next_hand(player, banker)
    if due is not None:
        raise Disagreement(f"a card for the {due} is due, but the table is done: {hands}")
    should = (CALLED[outcome(player, banker)], {PLAYER: total(player), BANKER: total(banker)})
    found = (prompt["say_code"], prompt["say_gaps"])
    if found != should:
        raise Disagreement(f"what is to be said is {should}, not {found}")


def check_money(placed: list[Wager], hands: Hands, settled: list[dict[str, Any]]) -> None:
    paid = {each["id"]: each for each in settled}
    for wager in placed:
        result, pays = wager.should(hands[PLAYER], hands[BANKER])
        found = paid.get(wager.id, {})
        if found.get("result") != result or pays not in (None, found["pays"]):
            raise Disagreement(f"{wager} is {result} and pays {pays}, the table says {found}")
