"""What the robot knows better: its own idea of the same cards, held against the table's."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulators.dealer.people import Wager
from simulators.dealer.table_of_play import BANKER, PLAYER, next_hand, outcome
from simulators.kit.cards import total

SIDES: Final = (PLAYER, BANKER)

CALLED: Final = {PLAYER: "say_player_wins", BANKER: "say_banker_wins", "tie": "say_tie"}
"""What the dealer calls out, by the codes of a table's lines."""

Hands = Mapping[str, list[str]]


class Disagreement(Exception):
    """Table and robot think differently of the same cards: what each of them thinks."""


def compare(own: Hands, shown: Mapping[str, Sequence[str | None]]) -> None:
    """What lies open at the table is what was drawn; sealed cards are null."""
    for side in SIDES:
        same = len(shown[side]) == len(own[side]) and all(
            face in (None, card) for face, card in zip(shown[side], own[side], strict=True)
        )
        if not same:
            raise Disagreement(f"the {side} hand is {own[side]}, the table shows {shown[side]}")


def check_outcome(hands: Hands, prompt: Mapping[str, Any]) -> None:
    """The round is complete, and the dealer is given the right winner and totals to call out."""
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
