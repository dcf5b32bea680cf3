"""Sealing: what nobody may know yet is in no record body, no answer and no view."""

from typing import Any

import msgspec
import pytest

from controller.engine import card_sealing
from controller.game.hands import Outcome
from controller.journal.seal import check
from controller.table.commands.device_events import CardDrawnEvent
from controller.table.commands.message import MalformedPayload, Message, new_message
from controller.views import audience
from controller.views.answers import answer_view
from drivers.cards import Card
from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench, sealer_of

HIDDEN = "7D"
"""A card that nothing else in these tests names."""


def shown(bench: Bench) -> str:
    """Everything anybody can read: record bodies, every view."""
    views = audience.render_views(bench.table, bench.rules)
    return repr((bench.bodies(), views))


def face_down(*cards: str) -> Bench:
    return Bench(deal_face="down").deal(*cards)


def test_a_face_down_card_shows_only_its_commitment_until_it_is_exposed() -> None:
    bench = face_down("2H", "KC", HIDDEN)
    answer = bench.card("5S")
    assert HIDDEN not in shown(bench)
    assert HIDDEN not in repr(answer_view(answer))
    commitment = bench.round.cards[2].commitment
    assert commitment is not None
    assert commitment in shown(bench)
    bench.say("expose", hand="player")
    body = msgspec.json.decode(bench.bodies()[-1])
    (opened,) = [each for each in body["opened"] if each["card"] == HIDDEN]
    assert check(commitment, opened["salt"], HIDDEN), "anybody can check it now"


def test_a_card_that_lies_face_up_is_recorded_as_it_is() -> None:
    bench = Bench().deal(HIDDEN)
    assert HIDDEN in bench.bodies()[-1].decode()
    assert bench.round.cards[0].commitment is None


def test_a_third_card_is_sealed_too_where_cards_lie_face_down() -> None:
    bench = face_down(*BOTH_DRAW)
    bench.say("expose", hand="player")
    bench.say("expose", hand="banker")
    bench.card(HIDDEN)
    assert HIDDEN not in shown(bench)


def test_burned_cards_are_sealed_and_the_one_that_says_how_many_is_not() -> None:
    bench = Bench(burn="first_card").open()
    bench.card("2H")
    bench.card(HIDDEN)
    assert "2H" in shown(bench)
    assert HIDDEN not in shown(bench)


def test_a_card_that_nobody_has_turned_is_sealed_even_in_a_round_dealt_face_up() -> None:
    bench = Bench().deal(*BOTH_DRAW, "4H", "9D")
    assert bench.phase == "outcome"
    bench.device("excess", card=HIDDEN)
    assert HIDDEN not in shown(bench)


def test_a_card_beyond_complete_hands_is_sealed() -> None:
    bench = Bench().deal(*NATURAL)
    bench.card(HIDDEN)
    assert HIDDEN not in shown(bench)


def test_a_card_that_comes_while_the_count_is_in_doubt_is_sealed() -> None:
    bench = Bench().deal("2H")
    bench.device("events_lost")
    bench.card(HIDDEN)
    assert HIDDEN not in shown(bench)


@pytest.mark.parametrize("burn", ["none", "first_card"])
def test_a_card_for_a_closed_table_is_sealed(burn: str) -> None:
    bench = Bench(burn=burn).open()
    bench.say("close_table", "pia")
    bench.card(HIDDEN)
    assert HIDDEN not in shown(bench)


def test_the_first_card_is_sealed_where_it_may_not_be_the_first() -> None:
    bench = Bench(burn="first_card").open()
    bench.device("events_lost")
    bench.card(HIDDEN)
    assert HIDDEN not in shown(bench)


def test_the_frame_of_a_sealed_card_is_sealed_with_it() -> None:
    bench = face_down()
    bench.hear(new_message("shoe", "card", card=HIDDEN, frame=b"the bytes of 7D"))
    body = msgspec.json.decode(bench.bodies()[-1])
    assert "frame" not in body["in"]
    *_, record = bench.journal.records()
    assert record.sealed is not None
    assert bench.sealer.open(record.sealed).frame == b"the bytes of 7D"


@each_row("winner", ["player", "banker", "tie"])
def test_the_devices_own_result_is_sealed_while_it_would_give_cards_away(winner: str) -> None:
    bench = face_down(*BOTH_DRAW)
    bench.device("result", winner=winner)
    body = msgspec.json.decode(bench.bodies()[-1])
    assert "winner" not in body["in"]
    assert body["effect"]["in"]["round"]["in"]["device"]["set"]["result"]["winner"] is None
    kept = bench.round.device.result
    assert kept is not None
    assert kept.winner is Outcome(winner), "the table itself keeps it for later"
    opened = Bench().deal("9H", "2C", "KD", "6S")
    opened.device("result", winner="player")
    assert msgspec.json.decode(opened.bodies()[-1])["in"]["winner"] == "player"


def test_a_refused_card_is_sealed_all_the_same() -> None:
    bench = Bench()
    answer = bench.not_taken(new_message("shoe", "card", card=HIDDEN))
    assert HIDDEN not in shown(bench) + repr(answer_view(answer))


MALFORMED: list[tuple[str, dict[str, Any], str]] = [
    ("card", {"card": HIDDEN, "colour": "red"}, "no_such_field"),
    ("card", {"card": "7d", "index": "second"}, "field_not_as_it_must_be"),
    ("excess", {"card": HIDDEN, "hand": "player"}, "no_such_field"),
    ("excess_named", {"card": f" {HIDDEN}", "n": 3}, "no_such_field"),
]


@each_row("verb, fields, why", MALFORMED)
def test_a_malformed_word_gives_no_card_away(verb: str, fields: dict[str, Any], why: str) -> None:
    bench = face_down("2H")
    said = new_message("shoe", verb, frame=b"7D", **fields)
    answer = bench.not_taken(said)
    assert answer.why is not None
    assert answer.why.code == why
    assert HIDDEN not in shown(bench).upper() + repr(answer_view(answer)).upper()
    *_, record = bench.journal.records()
    assert record.sealed is not None
    assert bench.sealer.open(record.sealed).card_code == HIDDEN


def test_a_malformed_result_gives_no_winner_away() -> None:
    bench = face_down(*BOTH_DRAW)
    bench.not_taken(new_message("shoe", "result", winner="tie", total=5))
    assert "tie" not in bench.bodies()[-1].decode()


def test_a_malformed_result_is_recorded_as_it_came_where_all_cards_lie_open() -> None:
    bench = Bench().deal(*BOTH_DRAW)
    bench.not_taken(new_message("shoe", "result", winner="tie", total=5))
    assert "tie" in bench.bodies()[-1].decode()


@each_row("fields", [{"card": 5}, {"card": "joker", "x": 1}, {"x": 1}])
def test_the_names_of_a_malformed_words_fields_stay_in_the_record(fields: Any) -> None:
    bench = face_down("2H")
    bench.not_taken(new_message("shoe", "card", **fields))
    body = msgspec.json.decode(bench.bodies()[-1])
    assert set(body["in"]["with"]) == set(fields)


def test_a_kept_card_that_is_entered_stays_sealed_and_so_does_a_malformed_one() -> None:
    bench = Bench(deal_face="down").deal(*BOTH_DRAW[:3], "??")
    bench.say("report", what="cards_taken")
    bench.say("answer", value=False)
    bench.card("??", "??")
    for fields in ({"card": HIDDEN, "why": "x"}, {"card": f"{HIDDEN}?"}, {"card": HIDDEN, "n": ""}):
        bench.refused("enter_card", "gus", **fields)
    bench.say("enter_card", "gus", card=HIDDEN)
    assert HIDDEN not in shown(bench)


def test_an_entered_card_of_the_round_lies_open() -> None:
    bench = Bench().deal("??")
    bench.say("enter_card", card=HIDDEN)
    assert HIDDEN in bench.bodies()[-1].decode()


def test_what_was_sealed_is_put_back_for_replay() -> None:
    said = Message("shoe", CardDrawnEvent())
    back = card_sealing.unseal_message(said, "9H")
    assert back.payload == CardDrawnEvent(card=Card("9H"))
    malformed = new_message("shoe", "result", winner="tie", total=5)
    assert isinstance(malformed.payload, MalformedPayload)
    emptied = card_sealing.mask_message(malformed)
    assert card_sealing.unseal_message(emptied, "T") == emptied, (
        "it is refused without its values too"
    )


def test_masking_leaves_no_salt_to_open_a_commitment_with() -> None:
    bench = face_down()
    said = new_message("shoe", "card", card=HIDDEN)
    covered = card_sealing.seal_message(bench.table, said, bench.rules, sealer_of())
    assert covered.message.seal.salt is not None
    assert covered.shown.seal.salt is None
    assert covered.shown.seal.commitment == covered.message.seal.commitment


@each_row(
    "verb, fields",
    [
        ("card", {"card": HIDDEN, "bogus": HIDDEN}),
        ("card", {"card": [HIDDEN]}),
        ("card", {"card": f"{HIDDEN}{HIDDEN}"}),
        ("card", {"index": HIDDEN}),
        ("excess_named", {"card": {"x": HIDDEN}}),
        ("result", {"winner": [HIDDEN]}),
    ],
)
def test_no_value_of_a_refused_line_stands_in_its_record(verb: str, fields: dict[str, Any]) -> None:
    bench = face_down("2H", "KC", "3D")
    assert not bench.hear(new_message("shoe", verb, **fields)).accepted
    assert HIDDEN not in shown(bench)
    assert bench.bodies()[-1].count(b'"commitment"') == 1
