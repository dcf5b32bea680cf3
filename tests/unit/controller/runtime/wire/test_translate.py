"""Every event a driver can tell has its word at the table, or is known to need none."""

from collections.abc import Mapping
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from controller.game.rulebook import Excess
from controller.messages.catalogue import ENGLISH, SHIPPED, catalogue
from controller.messages.codes import Code
from controller.messages.sentence import ParamValue, sentence
from controller.runtime.devices import ConnectedDevice
from controller.runtime.wire import driver_steps, shoe_commands, translate
from controller.table.cards import Drawn
from controller.table.case import Case, Ruled
from controller.table.commands import device_events as words
from controller.table.commands.message import json_line
from controller.table.commands.registry import REGISTRY
from controller.table.state import (
    DayStage,
    DealingStage,
    GamingDay,
    PlayHistory,
    Round,
    Table,
    VoidedStage,
)
from controller.views.structs.encoding import plain
from drivers import events
from drivers.cards import Card
from drivers.commands import ClearError, DiscardExcess, KeepExcess, NewShoe
from drivers.error_meaning import ErrorMeaning
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
from support.rows import each_row


def attached(name: str, *, numbered: bool = False) -> ConnectedDevice:
    driver = line_shoe.Driver()
    return ConnectedDevice(name, driver, line_shoe.SHEET, "memory", lambda _: None, numbered)


def telling(
    event: str, code: Code, more: dict[str, Any] | None = None, **gaps: ParamValue
) -> dict[str, Any]:
    """A word with a sentence of ours, as it stands on a line, and what it tells beside it."""
    note = {"note": msgspec.to_builtins(sentence(code, **gaps))}
    return {"event": event, "with": {**note, **(more or {})}}


QUIET = frozenset({"StandBy", "CommandDone", "Progress", "JamCleared"})
"""Events that make no step from either device."""
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
    (
        "shoe",
        DeviceResult(Winner.BANKER, False, True, 1, 6),
        {
            "event": "result",
            "winner": "banker",
            "with": {
                "player_pair": False,
                "banker_pair": True,
                "player_total": 1,
                "banker_total": 6,
            },
        },
    ),
    (
        "shoe",
        CardRead(Card.parse("9H"), Where.PLAYER, 1, late=True),
        {"event": "card", "card": "9H", "hand": "player", "index": 1, "with": {"late": True}},
    ),
    ("shoe", DeviceResult(Winner.GIVEN_UP), {"event": "gave_up"}),
    (
        "shoe",
        ErrorRaised(4, "pushed back", must_clear=True),
        {
            "event": "error",
            "code": 4,
            "with": {
                "means": "several_at_once",
                "says": "pushed back",
                "must_clear": True,
            },
        },
    ),
    (
        "shoe",
        ErrorRaised(1, "the motor is hot", means=ErrorMeaning.SERVICE),
        {
            "event": "error",
            "code": 1,
            "with": {"means": "service", "says": "the motor is hot"},
        },
    ),
    ("shoe", ErrorCleared(4), {"event": "error_cleared", "code": 4}),
    ("shoe", LockChanged(locked=True), {"event": "locked"}),
    ("shoe", LidChanged(open=True), {"event": "lid_open"}),
    ("shoe", LidChanged(open=False), {"event": "lid_closed"}),
    ("shoe", Started(), {"event": "started"}),
    ("shoe", EventsLost("a gap", 2), {"event": "events_lost", "with": {"says": "a gap"}}),
    ("shoe", BadFrame("torn", b"x", True), {"event": "events_lost", "with": {"says": "torn"}}),
    ("shoe", BadFrame("noise", b"x"), None),
    ("shoe", LinkUp(), {"event": "link_up", "with": {"count": True}}),
    ("shoe", LinkUp(first=False), {"event": "link_up", "with": {"count": True}}),
    ("shoe", LinkLost("gone"), {"event": "link_lost", "with": {"says": "gone"}}),
    ("shoe", Notice("so"), {"event": "notice", "with": {"says": "so"}}),
    ("shoe", StandBy(), None),
    (
        "shoe",
        ModeChanged("burn"),
        telling("notice", Code.DEVICE_MODE, device="shoe", mode="burn"),
    ),
    (
        "shoe",
        CommandRefused("Lock", "busy", 0x21),
        telling("notice", Code.DEVICE_REFUSED, device="shoe", command="Lock", says="busy"),
    ),
    (
        "shuffler",
        Identified("Acme", "M1", firmware="2"),
        telling("notice", Code.DEVICE_IS, device="shuffler", unit=["Acme", "M1", "2"]),
    ),
    ("shuffler", ShuffleVerified(Verdict.OK, 416), {"event": "verified", "with": {"cards": 416}}),
    (
        "shuffler",
        ShuffleVerified(Verdict.WRONG, 416, (NINE,), (), 2),
        telling(
            "not_verified", Code.PACK_WRONG, {"missing": ("9H",)}, missing=1, extra=0, unreadable=2
        ),
    ),
    (
        "shuffler",
        ShuffleVerified(Verdict.COUNT_ONLY, 416),
        telling("not_verified", Code.PACK_ONLY_COUNTED, {"cards": 416}, cards=416),
    ),
    (
        "shuffler",
        ShuffleVerified(Verdict.NOT_VERIFIED),
        telling("not_verified", Code.PACK_NOT_VERIFIED),
    ),
    ("shuffler", ShufflerChanged(ShufflerState.READY), None),
    (
        "shuffler",
        ShufflerChanged(ShufflerState.SHUFFLING),
        telling("not_verified", Code.SHUFFLER_AT_WORK, work="shuffling"),
    ),
    ("shuffler", Progress(1, 0, 416), None),
    (
        "shuffler",
        LidChanged(open=True, which="lid"),
        telling("fault", Code.SHUFFLER_OPENED, part="lid"),
    ),
    ("shuffler", LidChanged(open=True, which="output"), None),
    ("shuffler", LidChanged(open=False), None),
    (
        "shuffler",
        LinkLost("gone"),
        telling("fault", Code.SHUFFLER_LINK_LOST, says="gone"),
    ),
    ("shuffler", LinkUp(), None),
    (
        "shuffler",
        Jam("the wheel"),
        telling("fault", Code.SHUFFLER_JAM, part="the wheel"),
    ),
    (
        "shuffler",
        CardFault("wrong_set"),
        telling("fault", Code.SHUFFLER_CARD, state="wrong_set"),
    ),
    (
        "shuffler",
        ShufflerFault(7, "motor"),
        telling("fault", Code.SHUFFLER_FAULT, number=7, says="motor"),
    ),
    (
        "shuffler",
        ShufflerFault(7, "dust", FaultClass.NOTICE),
        telling("notice", Code.SHUFFLER_FAULT, number=7, says="dust"),
    ),
    ("shuffler", OutputTaken(), {"event": "taken"}),
    (
        "shuffler",
        Started(),
        telling("fault", Code.SHUFFLER_STARTED),
    ),
    (
        "shuffler",
        EventsLost("a gap"),
        telling("fault", Code.SHUFFLER_EVENTS_LOST, says="a gap"),
    ),
    (
        "shuffler",
        OrderDropped(3),
        telling("notice", Code.ORDER_DROPPED, device="shuffler", times=3),
    ),
]


@each_row("name, event, wanted", SAID)
def test_event_has_its_word(name: str, event: Event, wanted: dict[str, Any] | None) -> None:
    found = driver_steps.device_message(attached(name), event)
    if wanted is None:
        assert found is None
        return
    assert found is not None
    assert found.source == name
    assert name in REGISTRY[found.type].speakers
    line = msgspec.to_builtins(json_line(found), builtin_types=(bytes,))
    assert line == {"from": name, **wanted}


@pytest.mark.parametrize("language", SHIPPED)
def test_parts_and_work_of_a_shuffler_have_names_in_every_language(language: str) -> None:
    names = catalogue(language).names
    assert set(names["part"]) >= {"lid", "output", "infeed", "reader", "elevator"}
    at_work = {state.value for state in translate._AT_WORK}
    assert set(names["work"]) >= at_work | {"unreadable", "wrong_set", "duplicate"}
    if language != ENGLISH:
        english = catalogue().names
        assert all(
            names[kind][each] != english[kind][each]
            for kind in ("part", "work")
            for each in english[kind]
        )


def test_every_event_is_translated_for_one_device_or_known_to_be_quiet() -> None:
    known = {kind.__name__ for kind in (*translate._FROM_SHOE, *translate._FROM_SHUFFLER)}
    assert {kind.__name__ for kind in get_args(events.Event)} == known | QUIET


@pytest.mark.parametrize(
    ("kind", "of"), [("shoe", translate._FROM_SHOE), ("shuffler", translate._FROM_SHUFFLER)]
)
def test_what_a_driver_may_tell_is_heard_at_the_table(kind: str, of: Mapping[type, object]) -> None:
    """Counted alone are quiet events, and noise on a shuffler's line, which carries no cards."""
    link = {LinkUp, LinkLost}
    told = {each for each in events.REPORTED_BY[kind] if each.__name__ not in QUIET}
    assert told - set(of) == ({events.BadFrame} if kind == "shuffler" else set())
    assert set(of) - told == link & set(of)


def test_numbered_device_shows_a_loss_by_itself_but_not_to_a_program_that_just_started() -> None:
    shoe = attached("shoe", numbered=True)
    again = translate.to_payload(LinkUp(first=False), shoe)
    first = translate.to_payload(LinkUp(), shoe)
    assert (again, first) == (words.LinkUpEvent(), words.LinkUpEvent(count=True))


def test_device_shows_what_it_last_said_about_itself() -> None:
    shuffler = attached("shuffler")
    for event in (
        ShufflerChanged(ShufflerState.SHUFFLING),
        Progress(100, 50, 416),
        Identified("Acme", "M1", "77", "2"),
        LinkUp(),
    ):
        shuffler.note(event)
    shown = plain(shuffler.shown())
    assert shown["state"] == "shuffling"
    assert shown["progress"] == {"in": 100, "out": 50, "total": 416}
    assert (shown["serial"], shown["errors"], shown["link"]) == ("77", [], "up")


def test_device_shows_its_errors_with_the_makers_number_and_words() -> None:
    shoe = attached("shoe")
    pushed = ErrorRaised(5, "pushed back", must_clear=True)
    for event in (pushed, ErrorRaised(3, "a button"), ErrorRaised(5, "pushed back")):
        shoe.note(event)
    held = {"code": 5, "means": "several_at_once", "says": "pushed back", "must_clear": True}
    button = {"code": 3, "means": "notice", "says": "a button", "must_clear": False}
    assert plain(shoe.shown())["errors"] == [button, held]
    assert shoe.in_error() == {ErrorMeaning.SEVERAL_AT_ONCE}
    shoe.note(CardRead(NINE))
    assert plain(shoe.shown())["errors"] == [held], "what nobody has to clear is over by now"
    shoe.note(ErrorCleared(5))
    assert plain(shoe.shown())["errors"] == []
    assert shoe.in_error() == set()


# --- and what the table wants of the shoe -----------------------------------------------------

EXCESS = ErrorMeaning.EXCESS
ASIDE = Drawn(5, None, None, exposed=False, unnamed=True)
ROUND = Round(1, "B", face_down=False, stage=DealingStage(), cards=(ASIDE,))
RULINGS = (Ruled("excess_card", "5.7", "shoe", "dan"),)
OPEN = Table(day=GamingDay(DayStage.OPEN), round=ROUND, case=Case("excess_card", "shoe"))
CLOSED = Table(day=GamingDay(DayStage.OPEN), round=ROUND, rulings=RULINGS)
LAID = Table(day=GamingDay(DayStage.OPEN), round=replace(ROUND, cards=()), rulings=RULINGS)
VOID = Table(
    day=GamingDay(DayStage.OPEN), round=replace(ROUND, stage=VoidedStage("6.1")), rulings=RULINGS
)
BETWEEN = Table(day=GamingDay(DayStage.OPEN), carried=(ASIDE,), rulings=RULINGS)


@each_row(
    "house, wanted",
    [
        (Excess.NEXT_ROUND, KeepExcess()),
        (Excess.NO_BET_HAND, KeepExcess()),
        (Excess.BURN, DiscardExcess()),
    ],
)
def test_excess_card_is_kept_or_thrown_away_as_the_house_says(
    house: Excess, wanted: object
) -> None:
    assert shoe_commands.commands_after(OPEN, CLOSED, house, {EXCESS}, says_excess=False) == [
        wanted
    ]
    assert shoe_commands.commands_after(OPEN, CLOSED, house, set(), says_excess=False) == [], (
        "the shoe knows of no overdraw"
    )
    assert shoe_commands.commands_after(OPEN, OPEN, house, {EXCESS}, says_excess=False) == [], (
        "nothing has been ruled yet"
    )


@each_row(
    "after, wanted", [(LAID, DiscardExcess()), (VOID, DiscardExcess()), (BETWEEN, KeepExcess())]
)
def test_shoe_is_told_what_became_of_the_card_and_not_what_the_house_likes(
    after: Table, wanted: object
) -> None:
    assert shoe_commands.commands_after(
        OPEN, after, Excess.NEXT_ROUND, {EXCESS}, says_excess=False
    ) == [wanted]


def test_other_errors_are_cleared_when_their_case_is_closed() -> None:
    before = Table(day=GamingDay(DayStage.OPEN), case=Case("simultaneous", "shoe"))
    closed = replace(CLOSED, rulings=(Ruled("simultaneous", "5.8", "shoe", "dan"),))
    doubt = ErrorMeaning.SEVERAL_AT_ONCE
    house = Excess.NEXT_ROUND
    assert shoe_commands.commands_after(before, closed, house, {doubt}, says_excess=False) == [
        ClearError()
    ]
    assert shoe_commands.commands_after(before, closed, house, {EXCESS}, says_excess=False) == []


def test_excess_card_that_asks_nobody_is_told_once_card_and_error_have_both_come() -> None:
    playing = Table(day=GamingDay(DayStage.OPEN), round=replace(ROUND, cards=()))
    house = Excess.NEXT_ROUND
    keep = [KeepExcess()]
    assert shoe_commands.commands_after(playing, CLOSED, house, set(), says_excess=False) == []
    assert shoe_commands.commands_after(CLOSED, CLOSED, house, {EXCESS}, says_excess=True) == keep
    assert shoe_commands.commands_after(CLOSED, CLOSED, house, {EXCESS}, says_excess=False) == [], (
        "it was"
    )
    assert shoe_commands.commands_after(playing, playing, house, {EXCESS}, says_excess=True) == []
    assert shoe_commands.commands_after(playing, CLOSED, house, {EXCESS}, says_excess=False) == keep


def test_new_shoe_is_told() -> None:
    assert shoe_commands.commands_after(
        Table(), Table(history=PlayHistory(shoes=1)), Excess.NEXT_ROUND, set(), says_excess=False
    ) == [NewShoe()]
