"""Messages: a word and its line are the same thing, and what does not fit is refused by name."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.journal.bodies import JsonLine
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table.commands.day import ChooseMethodCommand, OpenTableCommand
from controller.table.commands.message import (
    MalformedPayload,
    Message,
    fields_of,
    is_known_type,
    json_line,
    message_from_line,
    new_message,
    staff_message,
    typed_payload,
)
from controller.table.commands.people import PlaceCommand
from controller.table.commands.registry import REGISTRY, Payload
from support.rows import each_row
from support.table.any_word import JSON, words
from support.table.bench import Bench, why


def again(said: Message[Payload]) -> Message[Payload]:
    """The message written as a line, to JSON and back."""
    line = msgspec.json.decode(msgspec.json.encode(json_line(said)), type=JsonLine)
    return message_from_line(line)


# --- there and back -----------------------------------------------------------------------------


@each_row("verb", REGISTRY)
@settings(max_examples=10)
@given(data=st.data())
def test_every_word_comes_back_from_its_line_as_it_was(verb: str, data: st.DataObject) -> None:
    spec = REGISTRY[verb]
    source = data.draw(st.sampled_from(spec.speakers))
    said = Message(source, data.draw(words(verb)), at=3.0, who="dan", role="dealer", key="k1")
    assert again(said) == said


@each_row("verb", REGISTRY)
@settings(max_examples=10)
@given(fields=st.dictionaries(st.text(max_size=8), JSON, max_size=3), data=st.data())
def test_whatever_is_sent_comes_back_from_its_line(
    verb: str, fields: dict[str, Any], data: st.DataObject
) -> None:
    """Also under the names of fields it has: a record of what was refused can be read again."""
    own = [each.encode_name for each in msgspec.structs.fields(REGISTRY[verb].struct)]
    if own:
        fields = {**fields, data.draw(st.sampled_from(own)): data.draw(JSON)}
    said = Message(REGISTRY[verb].speakers[0], typed_payload(verb, fields))
    assert again(said) == said


def test_what_a_device_says_most_stands_on_the_line_itself() -> None:
    line = json_line(new_message("shoe", "card", card="9H", hand="player", index=1))
    assert (line.event, line.card, line.hand, line.index) == ("card", "9H", "player", 1)
    assert line.given == {}
    assert json_line(new_message("shoe", "verified", cards=416)).given == {"cards": 416}


def test_what_people_say_stands_in_with() -> None:
    line = json_line(staff_message("enter_card", "dan", "dealer", card="9H"))
    assert (line.do, line.event, line.card) == ("enter_card", None, None)
    assert line.given == {"card": "9H"}
    assert (line.who, line.role) == ("dan", "dealer")


def test_a_field_may_stand_on_the_line_or_in_with() -> None:
    """As JSON lines have always taken it."""
    on_line = msgspec.json.decode(b'{"from":"shoe","event":"card","card":"9H"}', type=JsonLine)
    in_with = msgspec.json.decode(
        b'{"from":"shoe","event":"card","with":{"card":"9H"}}', type=JsonLine
    )
    assert message_from_line(on_line) == message_from_line(in_with)


def test_a_default_is_not_written_and_nothing_given_is_not_the_same_as_none() -> None:
    assert json_line(Message("staff", ChooseMethodCommand(method="C"))).given == {"method": "C"}
    given_up = Message("staff", ChooseMethodCommand(method="C", drawer=None))
    assert json_line(given_up).given == {"method": "C", "drawer": None}
    assert again(given_up) == given_up


def test_a_sealed_line_keeps_its_commitment() -> None:
    line = JsonLine("shoe", event="card", commitment="c0ffee")
    assert message_from_line(line).seal.commitment == "c0ffee"
    assert json_line(message_from_line(line)) == line


# --- what does not fit --------------------------------------------------------------------------

PLACE: dict[str, Any] = {"wager": "tie", "amount": 100, "position": 1}


UNIT = {"device": "lamp", "identity": "x", "asset": "y", "reason": "z"}
UNFIT = "field_not_as_it_must_be"


@each_row(
    "verb, fields, code, field",
    [
        ("place", {**PLACE, "colour": "red"}, "no_such_field", "colour"),
        ("open_table", {"who": "x"}, "no_such_field", "who"),
        ("place", {"wager": "tie", "position": 1}, "field_needed", "amount"),
        ("report", {}, "field_needed", "what"),
        ("place", {**PLACE, "amount": "a lot"}, UNFIT, "amount"),
        ("place", {**PLACE, "amount": 0}, UNFIT, "amount"),
        ("place", {**PLACE, "amount": True}, UNFIT, "amount"),
        ("place", {**PLACE, "player": "  "}, UNFIT, "player"),
        ("enter_card", {"card": "joker"}, UNFIT, "card"),
        ("error", {"means": "rubbish"}, UNFIT, "means"),
        ("swap_device", UNIT, UNFIT, "device"),
        ("answer", {"left": {"9H": -1}}, UNFIT, "left"),
        ("count", {"cards": -1}, UNFIT, "cards"),
    ],
)
def test_what_does_not_fit_is_named(
    verb: str, fields: dict[str, Any], code: str, field: str
) -> None:
    found = typed_payload(verb, fields)
    assert isinstance(found, MalformedPayload)
    assert found.reason == Sentence(code, {"word": verb, "field": field})
    assert found.fields == fields, "kept as it came, for the record"


def test_a_malformed_word_is_refused_with_its_reason_and_recorded_as_it_came() -> None:
    bench = Bench().bet()
    answer = bench.refused("place", **PLACE, colour="red")
    assert why(answer) == sentence(Code.NO_SUCH_FIELD, word="place", field="colour")
    body = msgspec.json.decode(bench.bodies()[-1])
    assert body["in"]["with"] == {**PLACE, "colour": "red"}


# --- the message itself -------------------------------------------------------------------------


def test_a_message_knows_its_word_by_name_malformed_or_not() -> None:
    assert new_message("staff", "open_table").type == "open_table"
    assert new_message("staff", "open_table", x=1).type == "open_table"
    assert isinstance(new_message("staff", "open_table").payload, OpenTableCommand)


def test_whoever_has_no_name_is_called_by_where_it_comes_from() -> None:
    assert new_message("shoe", "lid_open").actor == "shoe"
    assert new_message("staff", "open_table", who="pia").actor == "pia"


def test_the_envelope_is_not_given_with_the_word() -> None:
    said = new_message("player", "place", at=9.0, who="ann", key="k", frame=b"f", **PLACE)
    assert said.payload == PlaceCommand(wager="tie", amount=100, position=1)
    assert (said.at, said.who, said.key, said.frame) == (9.0, "ann", "k", b"f")


def test_fields_as_plain_data_are_those_that_were_given() -> None:
    assert fields_of(new_message("player", "place", **PLACE).payload) == PLACE
    assert fields_of(new_message("player", "place", x=1).payload) == {"x": 1}


def test_only_words_of_the_vocabulary_are_known() -> None:
    assert is_known_type("open_table")
    assert not is_known_type("dance")
    assert not is_known_type("")


def test_a_line_has_no_field_that_nobody_reads() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"from":"staff","do":"open_table","colour":1}', type=JsonLine)
