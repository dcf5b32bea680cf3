"""The contract tests of every registered driver with its unit: an emulator's program or a real one.

On a bench (`--rig rig.toml`) a person gets instructions; the order of the tests is theirs.
"""

from collections.abc import Callable

import msgspec
import pytest

from drivers.cards import DECK
from drivers.commands import DeviceCommand, Home, OpenOutput, StartShuffle
from drivers.errors import UnsupportedCommand
from drivers.events import (
    CardRead,
    CommandDone,
    CommandRefused,
    CommandTimedOut,
    Event,
    Identified,
    LinkLost,
    LinkUp,
    ReadFailed,
    ShufflerChanged,
    ShufflerState,
    ShuffleVerified,
    Verdict,
)
from drivers.hil.deck import DeckPass, cards_of
from drivers.testing.bench.hands import SEE_TO_THE_CABLE, AtTheEmulator
from drivers.testing.bench.rigged import RigRun
from drivers.testing.bench.units import Unit, kinds
from drivers.testing.lives import is_doubt
from drivers.testing.plugin import speaking

MAX_ASKED = 5
MAX_MISSED = 3
"""A pass ends after this number of unreported cards in a row: the rest would be drawn for
nothing."""


def is_card(event: Event) -> bool:
    return isinstance(event, CardRead | ReadFailed)


def test_hello(unit: Unit, telling: Callable[..., None], rig_run: RigRun | None) -> None:
    """The port opens, the unit is identified, and nothing is taken for a card."""
    assert unit.hello[-1] == LinkUp(first=True)
    assert unit.identity.enrolment
    telling(identity=unit.identity.enrolment)
    if unit.sheet.serial_number and not unit.identity.serial:
        asked = "It did not identify itself: no answer came"
        reported = unit.until(lambda event: isinstance(event, Identified), asked)[-1]
        assert isinstance(reported, Identified)
        assert reported.serial
        telling(serial=reported.serial, firmware=reported.firmware)
        if rig_run is not None:
            rig_run.must_be(reported)
    assert not any(map(is_card, unit.events))


def test_silence(unit: Unit) -> None:
    """The untouched unit reports nothing that could be a card or a verdict."""
    answer = unit.hands_off()
    assert not any(isinstance(event, CardRead | ReadFailed | ShuffleVerified) for event in answer)
    assert unit.sheet.kind == "shuffler" or not any(map(is_doubt, answer)), kinds(answer)


def test_every_card_of_the_deck_once(shoe: Unit, telling: Callable[..., None]) -> None:
    """The test deck in order: every card is reported once and correctly."""
    drawing, asked, missed = DeckPass(DECK), 0, 0
    while not drawing.over and missed < MAX_MISSED:
        if drawing.due != asked:  # a card reported twice is not drawn twice
            asked = drawing.due
            shoe.hands.draw(drawing.card, asked, len(DECK))
        reported = shoe.comes(lambda event: bool(cards_of(event)) or isinstance(event, LinkLost))
        if reported is None:
            drawing.nothing_came()
            missed += 1
        elif heard(shoe, drawing, reported[-1]):
            missed = 0
    for event in shoe.hands_off():
        heard(shoe, drawing, event)
    findings = drawing.findings()
    telling(deck=msgspec.to_builtins(findings), gone=list(drawing.gone))
    assert findings.good, f"{findings.right} of {findings.drawn} cards were read rightly"
    assert not drawing.gone, "the link was gone"


def heard(shoe: Unit, drawing: DeckPass, event: Event) -> bool:
    """Return whether it was a card. A lost link ends the wait at once: its card is lost."""
    for card in cards_of(event):
        drawing.tell(card)
    if isinstance(event, LinkLost):
        shoe.hands.hear(f"{drawing.link_gone()} {SEE_TO_THE_CABLE}")
    return bool(cards_of(event))


def test_cable_out_and_in(pulled: Unit) -> None:
    """The link's loss and return are reported once each, and the next card is read."""
    pulled.hands.pull()
    lost = pulled.until(lambda event: isinstance(event, LinkLost))
    assert not any(map(is_card, lost))
    pulled.hands.put_back()
    back = pulled.until(lambda event: isinstance(event, LinkUp))
    assert back[-1] == LinkUp(first=False)
    assert not any(map(is_card, back))
    if pulled.sheet.kind == "shoe":
        pulled.hands.draw(DECK[0], 1, 1)
        reported = pulled.until(is_card)
        assert isinstance(reported[-1], CardRead)
        assert reported[-1].card is DECK[0]


def test_a_struck_byte_costs_a_question_at_most(struck_shoe: Unit) -> None:
    """Damage on the line gives the card itself or doubt about the count, and no other card."""
    hands = struck_shoe.hands
    assert isinstance(hands, AtTheEmulator)
    for number, card in enumerate(DECK[:2]):
        hands.strike()
        hands.draw(card, number, 2)
        reported = struck_shoe.until(lambda event: is_card(event) or is_doubt(event))[-1]
        assert not isinstance(reported, CardRead) or reported.card is card
    for number, card in enumerate(DECK[2:4]):
        hands.draw(card, number, 2)
        read = struck_shoe.until(is_card)[-1]
        assert isinstance(read, CardRead)
        assert read.card is card


def test_a_deck_is_shuffled(shuffler: Unit, telling: Callable[..., None]) -> None:
    """One deck goes through the shuffler, which confirms it only if it can verify."""
    wait_until_it_is_on(shuffler)
    shuffler.hands.load_pack()
    verifies = started(shuffler)
    done = shuffler.until(lambda event: isinstance(event, ShuffleVerified) and final(event))[-1]
    assert isinstance(done, ShuffleVerified)
    telling(verdict=done.verdict.value, cards=done.cards)
    if verifies:
        assert (done.verdict, done.cards) == (Verdict.OK, len(DECK))
        shuffler.ask(OpenOutput())
        shuffler.until(lambda event: event == ShufflerChanged(ShufflerState.DOOR_OPEN))
    else:
        assert done.verdict is Verdict.NOT_VERIFIED
    shuffler.hands.take_pack()


def wait_until_it_is_on(shuffler: Unit) -> None:
    if any(isinstance(event, ShufflerChanged) for event in shuffler.events):
        return
    if shuffler.sheet.numbered:
        shuffler.until(lambda event: event == ShufflerChanged(ShufflerState.IDLE_EMPTY))


def started(shuffler: Unit) -> bool:
    """Return whether it verifies what it shuffles."""
    if shuffler.sheet.numbered:  # it reports when the deck is in; a person takes a moment for that
        shuffler.until(lambda event: event == ShufflerChanged(ShufflerState.LOADING))
    try:
        shuffler.ask(StartShuffle("shuffle_verify", decks=1))
    except UnsupportedCommand:
        taken(shuffler, Home())
        taken(shuffler, StartShuffle("shuffle", decks=1))
        return False
    return True


def taken(shuffler: Unit, command: DeviceCommand) -> None:
    """Retry: a board that answers before its motors stand still refuses requests for a while."""
    for _ in range(MAX_ASKED):
        shuffler.ask(command)
        answer = shuffler.until(is_answer)[-1]
        if isinstance(answer, CommandDone):
            return
        shuffler.hands_off()
    raise AssertionError(f"{type(command).__name__} was refused: {answer}")


def is_answer(event: Event) -> bool:
    return isinstance(event, CommandDone | CommandRefused | CommandTimedOut)


def final(event: ShuffleVerified) -> bool:
    """Return whether it is the final result: a verifying machine first revokes its last one."""
    return event.verdict is not Verdict.NOT_VERIFIED or event.cards == 0


@pytest.fixture
def shoe(unit: Unit) -> Unit:
    assert unit.sheet.kind == "shoe"
    return speaking(unit)


@pytest.fixture
def struck_shoe(shoe: Unit) -> Unit:
    return shoe


@pytest.fixture
def shuffler(unit: Unit) -> Unit:
    assert unit.sheet.kind == "shuffler"
    return speaking(unit)
