"""Every event a driver can tell has its word at the table, or is known to need none."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

from controller.round.rules import Excess
from controller.round.state import Case, Drawn, Round, Ruled, Table
from controller.round.words import WORDS
from controller.runtime import shoe_commands, translate
from controller.runtime.devices import ConnectedDevice
from drivers import events
from drivers.cards import Card
from drivers.commands import ClearError, DiscardExcess, KeepExcess, NewShoe
from drivers.events import (
    BadFrame,
    CardFault,
    CardRead,
    CommandRefused,
    CutCard,
    DeviceResult,
    ErrorCleared,
    ErrorRaised,
    Event,
    EventsLost,
    ExcessCard,
    ExcessNamed,
    FaultClass,
    Identified,
    Jam,
    LidChanged,
    LinkLost,
    LinkUp,
    LockChanged,
    ModeChanged,
    Notice,
    OrderDropped,
    OutputTaken,
    Progress,
    ReadFailed,
    ShufflerChanged,
    ShufflerFault,
    ShufflerState,
    ShuffleVerified,
    StandBy,
    Started,
    Verdict,
    Where,
    Winner,
)
from support.devices import line_shoe


def attached(name: str, *, numbered: bool = False) -> ConnectedDevice:
    driver = line_shoe.Driver()
    return ConnectedDevice(name, driver, line_shoe.SHEET, "memory", lambda _: None, numbered)


NINE = Card.parse("9H")
SAID: list[tuple[str, Event, dict[str, Any] | None]] = [
    (
        "shoe",
        CardRead(NINE, Where.BANKER, 2, b"f"),
        {"event": "card", "card": "9H", "hand": "banker", "index": 2, "frame": b"f"},
    ),
    ("shoe", CardRead(NINE, Where.BURN), {"event": "card", "card": "9H", "hand": "burn"}),
    ("shoe", ReadFailed(b"f"), {"event": "read_failed", "frame": b"f"}),
    ("shoe", ExcessCard(NINE), {"event": "excess", "card": "9H"}),
    ("shoe", ExcessCard(), {"event": "excess"}),
    ("shoe", ExcessNamed(NINE), {"event": "excess_named", "card": "9H"}),
    ("shoe", CutCard(), {"event": "cut_card"}),
    ("shoe", DeviceResult(Winner.TIE), {"event": "result", "winner": "tie"}),
    ("shoe", DeviceResult(Winner.GIVEN_UP), {"event": "gave_up"}),
    (
        "shoe",
        ErrorRaised(4, "pushed back", must_clear=True),
        {"event": "error", "code": 4, "given": {"says": "error 4: pushed back"}},
    ),
    ("shoe", ErrorCleared(4), {"event": "error_cleared"}),
    ("shoe", LockChanged(locked=True), {"event": "locked"}),
    ("shoe", LidChanged(open=True), {"event": "lid_open"}),
    ("shoe", LidChanged(open=False), {"event": "lid_closed"}),
    ("shoe", Started(), {"event": "started"}),
    ("shoe", EventsLost("a gap", 2), {"event": "events_lost", "given": {"says": "a gap"}}),
    ("shoe", BadFrame("torn", b"x", True), {"event": "events_lost", "given": {"says": "torn"}}),
    ("shoe", BadFrame("noise", b"x"), None),
    ("shoe", LinkUp(), {"event": "link_up", "given": {"count": True}}),
    ("shoe", LinkUp(first=False), {"event": "link_up", "given": {"count": True}}),
    ("shoe", LinkLost("gone"), {"event": "link_lost", "given": {"says": "gone"}}),
    ("shoe", Notice("so"), {"event": "notice", "given": {"says": "so"}}),
    ("shoe", StandBy(), None),
    ("shoe", ModeChanged("burn"), {"event": "notice", "given": {"says": "it is in mode burn"}}),
    (
        "shoe",
        CommandRefused("Lock", "busy", 0x21),
        {"event": "notice", "given": {"says": "it refused Lock: busy"}},
    ),
    (
        "shuffler",
        Identified("Acme", "M1", firmware="2"),
        {"event": "notice", "given": {"says": "it calls itself Acme M1 2"}},
    ),
    ("shuffler", ShuffleVerified(Verdict.OK, 416), {"event": "verified", "given": {"cards": 416}}),
    (
        "shuffler",
        ShuffleVerified(Verdict.WRONG, 416, (NINE,), (), 2),
        {
            "event": "not_verified",
            "given": {"says": "1 cards are missing, 0 too many, 2 unreadable"},
        },
    ),
    (
        "shuffler",
        ShuffleVerified(Verdict.COUNT_ONLY, 416),
        {
            "event": "not_verified",
            "given": {"says": "it counted 416 cards and cannot tell which they are"},
        },
    ),
    (
        "shuffler",
        ShuffleVerified(Verdict.NOT_VERIFIED),
        {"event": "not_verified", "given": {"says": "it did not verify the cards"}},
    ),
    ("shuffler", ShufflerChanged(ShufflerState.READY), None),
    (
        "shuffler",
        ShufflerChanged(ShufflerState.SHUFFLING),
        {"event": "not_verified", "given": {"says": "it is shuffling"}},
    ),
    ("shuffler", Progress(1, 0, 416), None),
    (
        "shuffler",
        LidChanged(open=True, which="lid"),
        {"event": "fault", "given": {"says": "its lid was opened"}},
    ),
    ("shuffler", LidChanged(open=True, which="output"), None),
    ("shuffler", LidChanged(open=False), None),
    (
        "shuffler",
        LinkLost("gone"),
        {"event": "fault", "given": {"says": "the link is lost: gone"}},
    ),
    ("shuffler", LinkUp(), None),
    (
        "shuffler",
        Jam("the wheel"),
        {"event": "fault", "given": {"says": "cards are jammed at the wheel"}},
    ),
    (
        "shuffler",
        CardFault("wrong_set"),
        {"event": "fault", "given": {"says": "a card is wrong set"}},
    ),
    (
        "shuffler",
        ShufflerFault(7, "motor"),
        {"event": "fault", "given": {"says": "fault 7: motor"}},
    ),
    (
        "shuffler",
        ShufflerFault(7, "dust", FaultClass.NOTICE),
        {"event": "notice", "given": {"says": "fault 7: dust"}},
    ),
    ("shuffler", OutputTaken(), {"event": "taken"}),
    (
        "shuffler",
        Started(),
        {"event": "fault", "given": {"says": "it was reset or switched on"}},
    ),
    (
        "shuffler",
        EventsLost("a gap"),
        {"event": "fault", "given": {"says": "something it said was lost: a gap"}},
    ),
    (
        "shuffler",
        OrderDropped(3),
        {"event": "notice", "given": {"says": "it told the order of cards 3 times, unread"}},
    ),
]


@pytest.mark.parametrize(
    ("name", "event", "wanted"), SAID, ids=[f"{n}-{type(e).__name__}" for n, e, _ in SAID]
)
def test_event_has_its_word(name: str, event: Event, wanted: dict[str, Any] | None) -> None:
    found = translate.to_word(event, attached(name))
    if wanted is None:
        assert found is None
        return
    assert found is not None
    assert found.source == name
    assert found.word in WORDS
    assert name in WORDS[found.word].speakers
    fields = ("event", "card", "hand", "index", "code", "winner", "given", "frame")
    said = {key: value for key in fields if (value := getattr(found, key))}
    assert said == wanted


def test_every_event_is_translated_for_one_device_or_known_to_be_quiet() -> None:
    known = {kind.__name__ for kind in (*translate._FROM_SHOE, *translate._FROM_SHUFFLER)}
    assert {kind.__name__ for kind in get_args(events.Event)} == known | translate.QUIET


def test_numbered_device_shows_a_loss_by_itself_but_not_to_a_program_that_just_started() -> None:
    shoe = attached("shoe", numbered=True)
    again = translate.to_word(LinkUp(first=False), shoe)
    first = translate.to_word(LinkUp(), shoe)
    assert again is not None
    assert first is not None
    assert (again.given, first.given) == ({}, {"count": True})


def test_device_shows_what_it_last_said_about_itself() -> None:
    shuffler = attached("shuffler")
    for event in (
        ShufflerChanged(ShufflerState.SHUFFLING),
        Progress(100, 50, 416),
        Identified("Acme", "M1", "77", "2"),
        ErrorRaised(5, "so", must_clear=True),
        ErrorRaised(3, "so"),
        LinkUp(),
    ):
        shuffler.note(event)
    shown = shuffler.shown()
    assert shown["state"] == "shuffling"
    assert shown["progress"] == {"in": 100, "out": 50, "total": 416}
    assert (shown["serial"], shown["errors"], shown["link"]) == ("77", [5], "up")
    shuffler.note(ErrorCleared(5))
    assert shuffler.shown()["errors"] == []


# --- and what the table wants of the shoe -----------------------------------------------------

ASIDE = Drawn(5, None, None, exposed=False, unnamed=True)
ROUND = Round(1, "B", face_down=False, betting=False, cards=(ASIDE,))
RULINGS = (Ruled("excess_card", "5.7", "shoe", "dan"),)
OPEN = Table(opened=True, round=ROUND, case=Case("excess_card", "shoe"))
CLOSED = Table(opened=True, round=ROUND, rulings=RULINGS)
LAID = Table(opened=True, round=replace(ROUND, cards=()), rulings=RULINGS)
VOID = Table(opened=True, round=replace(ROUND, over=True, void_by="6.1"), rulings=RULINGS)
BETWEEN = Table(opened=True, carried=(ASIDE,), rulings=RULINGS)


@pytest.mark.parametrize(
    ("house", "wanted"),
    [
        (Excess.NEXT_ROUND, KeepExcess()),
        (Excess.NO_BET_HAND, KeepExcess()),
        (Excess.BURN, DiscardExcess()),
        (Excess.VOID, DiscardExcess()),
    ],
)
def test_excess_card_is_kept_or_thrown_away_as_the_house_says(
    house: Excess, wanted: object
) -> None:
    assert shoe_commands.after(OPEN, CLOSED, house, {2}) == [wanted]
    assert shoe_commands.after(OPEN, CLOSED, house, set()) == [], "the shoe knows of no overdraw"
    assert shoe_commands.after(OPEN, OPEN, house, {2}) == [], "nothing has been ruled yet"


@pytest.mark.parametrize(
    ("after", "wanted"), [(LAID, DiscardExcess()), (VOID, DiscardExcess()), (BETWEEN, KeepExcess())]
)
def test_shoe_is_told_what_became_of_the_card_and_not_what_the_house_likes(
    after: Table, wanted: object
) -> None:
    assert shoe_commands.after(OPEN, after, Excess.NEXT_ROUND, {2}) == [wanted]


def test_other_errors_are_cleared_when_their_case_is_closed() -> None:
    before = Table(opened=True, case=Case("simultaneous", "shoe"))
    assert shoe_commands.after(before, CLOSED, Excess.NEXT_ROUND, {4}) == [ClearError()]


def test_new_shoe_is_told() -> None:
    assert shoe_commands.after(Table(), Table(shoes=1), Excess.NEXT_ROUND, set()) == [NewShoe()]


def test_a_void_round_is_ended_at_a_shoe_that_plays_rounds_itself() -> None:
    cards = (Drawn(1, "9H", None, exposed=True),)
    playing = Table(round=Round(1, "B", face_down=False, cards=cards))
    void = replace(playing, round=replace(playing.round, over=True, void_by="5.8.2.1"))
    assert shoe_commands.left_alone(playing, void)
    assert not shoe_commands.left_alone(void, void), "it was said when it became void"
    assert not shoe_commands.left_alone(playing, replace(playing, rounds=2)), "it is played"
    empty = replace(void, round=replace(void.round, cards=()))
    assert not shoe_commands.left_alone(playing, empty), "the shoe has not begun"
