"""The vocabulary: every word has its struct, its speakers, and a place where it may be said."""

import msgspec

from controller.table.commands import day as day_words
from controller.table.commands import device_events as device_words
from controller.table.commands import people as words
from controller.table.commands.registry import (
    ANYBODY,
    REGISTRY,
    TYPE_NAMES,
    Command,
    DeviceEvent,
    MessageType,
    Payload,
)
from controller.table.phases import ANY_PHASE, OPEN_PHASES, Phase
from support.rows import each_row

SPEAKERS = {"staff", "player", "shoe", "shuffler", "system"}


def test_every_word_struct_of_these_modules_is_entered() -> None:
    here = {
        found
        for module in (day_words, words, device_words)
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, Payload)
    }
    bases = {Payload, Command, DeviceEvent, device_words.Telling}
    assert here - bases == {spec.struct for spec in REGISTRY.values()}


def test_a_word_is_found_by_its_struct_and_its_struct_by_the_word() -> None:
    assert {TYPE_NAMES[spec.struct]: spec for spec in REGISTRY.values()} == REGISTRY
    assert all(name == spec.name for name, spec in REGISTRY.items())


@each_row("spec", REGISTRY.values())
def test_every_word_can_be_said_by_somebody_somewhere(spec: MessageType) -> None:
    assert spec.speakers
    assert set(spec.speakers) <= SPEAKERS
    assert spec.phases or spec.while_held or spec.while_restarted
    assert spec.leads_in <= spec.phases, "the table waits for it where it may be said"
    assert spec.description


@each_row("spec", REGISTRY.values())
def test_what_a_device_says_is_heard_whatever_holds_the_table(spec: MessageType) -> None:
    if set(spec.speakers) & {"staff", "player"} or spec.name in ("result", "time_is_up"):
        return
    assert spec.while_held
    assert spec.while_restarted
    assert spec.phases in (ANY_PHASE, OPEN_PHASES)


def test_the_table_waits_for_something_in_every_phase() -> None:
    assert frozenset().union(*(spec.leads_in for spec in REGISTRY.values())) >= set(Phase) - {
        Phase.DEALING  # it waits for a card there
    }


@each_row("spec", REGISTRY.values())
def test_every_field_that_people_fill_in_says_how_it_is_asked_for(spec: MessageType) -> None:
    if not set(spec.speakers) & set(ANYBODY):
        return
    for field in msgspec.structs.fields(spec.struct):
        assert "'kind': " in repr(field.type), f"{spec.name} {field.name}"


@each_row("spec", REGISTRY.values())
def test_no_word_takes_a_field_it_does_not_have(spec: MessageType) -> None:
    assert spec.struct.__struct_config__.forbid_unknown_fields
    assert spec.struct.__struct_config__.frozen


def test_only_what_counts_cards_is_said_by_people_before_the_count() -> None:
    first = {spec.name for spec in REGISTRY.values() if spec.counts_first}
    assert first == {"open_table", "approve", "refuse", "enter_card", "count", "deal_by_hand"}
