"""Every published frame that the shoe can say, caused by hands and compared byte for byte.

The frames it cannot say are named with the reason; together the lists are complete.
"""

import json
from collections.abc import Callable
from pathlib import Path

from simulators.registry import make
from simulators.wire.unit import Unit
from support.rows import each_row

VECTORS = {
    vector["n"]: bytes.fromhex(vector["hex"])
    for vector in json.loads(
        (Path(__file__).parents[4] / "drivers/shoe_angel_eye/vectors.json").read_text("utf-8")
    )
}

A_SHOE = range(29, 73)
COMMANDS = (27, *range(126, 138))
REFUSALS = {139: 0x01, 140: 0x02, 141: 0x03, 142: 0x11, 143: 0x12, 144: 0x13, 145: 0x14}
REFUSALS |= {146: 0x21, 147: 0x22, 148: 0xFF}
NEVER_SAID = {
    10: "a letter as number",
    11: "a letter as number",
    12: "a letter as number",
    13: "a letter as number",
    14: "player without an index",
    15: "no suit, bit 7 clear",
    17: "bit 7 clear",
    19: "bit 7 clear",
    21: "bit 7 clear",
    26: "bit 7 clear",
    28: "not a whole frame",
}

Hand = Callable[[Unit], object]


def shoe(**settings: object) -> Unit:
    unit = Unit(make("shoe_angel_eye", {"burn": "no", "copies": 1, **settings}))
    assert unit.step(0)
    return unit


def do(word: str, **given: object) -> Hand:
    return lambda unit: unit.do(word, **given)


def draw(cards: str) -> Hand:
    """All of them, at once."""

    def all_of_them(unit: Unit) -> None:
        for card in cards.split():
            unit.do("draw", card=card)

    return all_of_them


# What happens before, what causes the event, and how many events come before it then.
EVENTS: dict[int, tuple[Hand, Hand, int]] = {
    1: (draw(""), draw("8S"), 0),
    3: (draw(""), do("cutting_card"), 0),
    4: (draw(""), do("unreadable"), 0),
    5: (draw(""), do("key", locked=True), 0),
    6: (draw(""), draw("8S"), 0),
    7: (draw("8S"), draw("5C"), 0),
    9: (draw(""), draw("8S"), 0),
    16: (do("burn"), draw("8S"), 0),
    18: (draw(""), draw("8S"), 0),
    20: (draw("8S KH"), draw("9S"), 0),
    23: (draw(""), draw("7S"), 0),
    24: (draw("8S KH"), draw("8S"), 0),
    25: (draw(""), draw("9S"), 0),
    89: (draw(""), do("unreadable"), 0),
    90: (draw("9S 4D KH 3C"), draw("7C"), 0),
    91: (draw(""), do("press", button="result"), 0),
    92: (draw("9S"), do("push_back"), 0),
    93: (do("half_draw"), do("push_back", where="midway"), 0),
    94: (draw(""), do("foreign"), 0),
    97: (do("unreadable"), do("press", button="clear"), 0),
    98: (do("overdraw"), do("press", button="discard"), 0),
    99: (do("press", button="forced_exit"), do("press", button="clear"), 0),
    101: (do("push_back", where="midway"), do("press", button="clear"), 0),
    102: (do("foreign"), do("press", button="clear"), 0),
    104: (draw(""), do("key", locked="yes"), 0),
    105: (do("key", locked=True), do("key", locked="no"), 0),
    106: (do("overdraw", card="6H"), do("press", button="keep"), 1),
    108: (do("key"), draw("8S"), 0),
    109: (do("overdraw"), draw("4C"), 0),
    110: (do("setting_mode"), draw("KD"), 0),
    111: (do("unreadable"), do("unreadable"), 0),
    112: (draw(""), do("preset", address="01", value="0010"), 0),
    113: (draw("9S 4D"), do("press", button="forced_exit"), 0),
}
HANDS = {
    114: "9S 4D KH 3C",
    115: "4S 2D 4H 5C",
    116: "9S 3D KH 3C",
    117: "4S 3D 4H 3C",
    118: "9S 9D KH QC",
    119: "4S 8D 4H KC",
    120: "8S 4D KH 4C",
    121: "4S 4D 4H 4C",
    122: "2S 9D 5H KC",
    123: "3S 9D 3H KC",
    124: "2S 4D 5H 4C",
    125: "3S 4D 3H 4C",
    # The same results under other numbers.
    2: "4S 2D 4H 5C",
    8: "8S 4D KH 4C",
    22: "4S 2D 4H 5C",
}
for number, cards in HANDS.items():
    EVENTS[number] = (draw(cards[:8]), draw(cards[9:]), 1)


def said(number: int, unit: Unit) -> bytes:
    """What the shoe says when vector `number` is caused, numbered so that it fits."""
    before, cause, lead = EVENTS[number]
    before(unit)
    unit.step(0)
    unit.do("renumber", number=int(chr(VECTORS[number][1])) - lead)
    cause(unit)
    return unit.step(0)


@each_row("number", sorted(EVENTS))
def test_event_is_said_byte_for_byte(number: int) -> None:
    out = said(number, shoe())
    frames = [b"\x05" + part for part in out.split(b"\x05")[1:]]
    assert frames[EVENTS[number][2]] == VECTORS[number]


def test_errors_that_time_and_settings_bring() -> None:
    unit = shoe()
    unit.do("half_draw")
    unit.do("renumber", number=1)
    assert unit.step(5.0) == VECTORS[95]
    unit.do("press", button="clear")
    assert unit.step(0) == VECTORS[103]
    unit = shoe()
    draw("9S")(unit)
    unit.do("push_back")
    unit.step(0)
    unit.do("renumber", number=2)
    unit.do("press", button="clear")
    assert unit.step(0) == VECTORS[100]
    unit = shoe(error_mode="no")
    unit.do("renumber", number=1)
    unit.do("unreadable")
    assert unit.step(0) == VECTORS[96]


def test_second_kept_card_is_banker_one_of_the_next_round() -> None:
    unit = shoe()
    draw("9S 4D KH 3C")(unit)
    draw("6H")(unit)
    unit.do("press", button="keep")
    draw("TS")(unit)
    unit.step(0)
    unit.do("renumber", number=5)
    unit.do("press", button="keep")
    assert unit.step(0).endswith(VECTORS[107])


def test_whole_shoe_is_said_byte_for_byte() -> None:
    deck = (
        "3D JC 7H 2S  9S 4D KH 3C  2C 3H 3D KS 4C 6S  KD 5S 7H KC 4H"
        "  QS 8D QH 8C AD  6S JD CUT 2H 9D"
    )
    unit = Unit(make("shoe_angel_eye", {"deck": deck, "copies": 1}))
    out = unit.step(0)
    for _ in deck.split():
        unit.do("draw")
        out += unit.step(0) + unit.step(3.0)
    unit.do("load")
    out += unit.step(0)
    expected = b"".join(VECTORS[number] for number in A_SHOE)
    assert out[: len(expected)] == expected


@each_row("number", COMMANDS)
def test_command_is_taken_by_the_rule_it_was_made_for(number: int) -> None:
    rule = "without_stx" if number in range(127, 138, 2) else "with_stx"
    other = "with_stx" if rule == "without_stx" else "without_stx"
    assert answer(shoe(command_bcc=rule), number) == b"\x06"
    assert answer(shoe(command_bcc=other), number) == VECTORS[140]
    assert answer(shoe(command_bcc="lenient"), number) == b"\x06"


def answer(unit: Unit, number: int) -> bytes:
    """The answer alone, in a state where the command means something."""
    if VECTORS[number][3:5] == b"EC":
        unit.do("unreadable" if VECTORS[number][5:7] == b"00" else "overdraw")
        unit.step(1)
    unit.hear(VECTORS[number])
    out = unit.step(0.01)
    return out[:1] if out[0] == 0x06 else out[:2]


@each_row("number, code", REFUSALS.items())
def test_any_refusal_can_be_ordered(number: int, code: int) -> None:
    unit = shoe()
    unit.do("refuse", code=f"{code:02X}")
    unit.hear(VECTORS[126])
    assert unit.step(0.01) == VECTORS[number]
    unit.hear(VECTORS[126])
    assert unit.step(0.01) == VECTORS[138]


def test_no_vector_is_forgotten() -> None:
    elsewhere = {95, 96, 100, 103, 107, 138}
    lists = (A_SHOE, COMMANDS, REFUSALS, NEVER_SAID, EVENTS, elsewhere)
    numbers = [number for each in lists for number in each]
    assert sorted(numbers) == sorted(VECTORS)
