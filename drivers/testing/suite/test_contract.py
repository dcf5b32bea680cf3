"""The contract tests of every registered driver, in memory. A new driver needs no code here."""

from contextlib import suppress
from typing import get_args

import pytest

from drivers import registry
from drivers.commands import ClearFault, DealHands, DeviceCommand
from drivers.contract import Capability, Step
from drivers.errors import BadSetting, UnsupportedCommand
from drivers.events import (
    REPORTED_BY,
    BadFrame,
    CardRead,
    DeviceResult,
    Event,
    Notice,
    ReadFailed,
    ShuffleVerified,
    Verdict,
    Where,
)
from drivers.testing.cuts import cuts
from drivers.testing.lives import (
    CARDS,
    FACES,
    Life,
    WithDevice,
    born,
    cards,
    is_doubt,
    is_part_of,
    listen,
    noise,
    torn,
    weight,
)
from drivers.testing.vectors import WITNESSES, comes_out, errors_of, told, vectors_of
from simulators import registry as emulators

HOUR_S = 3600.0
LONGEST_MOTION_S = 1000.0
NOISE = 64 * 1024
MAX_GROWTH = 64 * 1024


def made(command: type[DeviceCommand]) -> DeviceCommand:
    if command is ClearFault:
        return ClearFault(1)
    if command is DealHands:
        return DealHands(1, 5)
    return command()  # type: ignore[call-arg]


def lived(name: str) -> Life:
    """Return the life of a driver that met its emulated device, or noise if it has none."""
    life = born(name)
    if name in emulators.names():
        WithDevice(life).busy()
    else:
        noise(life, 4096)
    return life


def no_card(events: list[Event]) -> None:
    """Assert that no event claims that a card left a shoe or that a pack is right."""
    for event in events:
        assert not isinstance(event, (*FACES, ReadFailed))
        assert not (isinstance(event, ShuffleVerified) and event.verdict is Verdict.OK)


def test_it_can_be_used(registered_name: str) -> None:
    """The driver's package can be imported and was written for a supported contract version."""
    registry.find(registered_name)


def test_its_vectors_come_out(driver_name: str) -> None:
    """Every vector that names events produces them. At least one produces the main event of its
    kind of device, so that a driver that reports nothing does not pass."""
    if registry.find(driver_name).sheet.link == "none":
        return  # a device without a wire sends no bytes
    vectors = [each for each in vectors_of(driver_name) if "tells" in each]
    for vector in vectors:
        assert comes_out(told(driver_name, vector), vector["tells"]), vector
    named = {event["event"] for vector in vectors for event in vector["tells"]}
    kind = registry.find(driver_name).sheet.kind
    assert named & WITNESSES[kind], f"no vector beside it tells {' or '.join(WITNESSES[kind])}"


def test_the_data_sheet_fits_the_driver(driver_name: str) -> None:
    sheet = registry.find(driver_name).sheet
    assert sheet.name == driver_name
    assert sheet.kind in ("shoe", "shuffler")
    assert sheet.maker
    assert sheet.model
    assert sheet.checked, "say what a damaged byte does"
    assert (sheet.baud is not None) == (sheet.link == "serial")
    assert not sheet.packets or sheet.link == "usb"
    assert set(sheet.commands) <= set(get_args(DeviceCommand))


def test_the_device_does_what_its_sheet_says_it_can(shoe_driver: str) -> None:
    events = lived(shoe_driver).events
    read = [event for event in events if isinstance(event, CardRead)]
    does = {
        Capability.READS_CARDS: bool(read),
        Capability.REPORTS_POSITIONS: any(
            event.where in (Where.PLAYER, Where.BANKER) for event in read
        ),
        Capability.PLAYS_ROUNDS: any(isinstance(event, DeviceResult) for event in events),
    }
    can = registry.find(shoe_driver).sheet.capabilities
    assert does == {each: each in can for each in does}


def test_commands_leave_where_the_sheet_says_that_it_takes_them(driver_name: str) -> None:
    sheet = registry.find(driver_name).sheet
    permissive = {"read_only": False} if "read_only" in sheet.settings else {}

    def sent(command: type[DeviceCommand] | None) -> list[bytes]:
        life = born(driver_name, permissive)
        with suppress(UnsupportedCommand):
            if command is not None:
                life.ask(made(command))
        life.wait(60.0)
        return life.sent

    unasked = sent(None)
    sends = any(sent(command) != unasked for command in sheet.commands)
    can = Capability.TAKES_COMMANDS in sheet.capabilities
    assert can or not sends
    assert sends or not can or driver_name not in registry.OURS, "nobody could ever use it"


def test_settings_are_what_the_sheet_says_and_no_others(driver_name: str) -> None:
    found = registry.find(driver_name)
    with pytest.raises(BadSetting, match="no_such_setting"):
        found.with_settings({"no_such_setting": 1})
    for key, setting in found.sheet.settings.items():
        assert setting.says, f"{key}: why would one change it"
        found.with_settings({key: setting.default})
        with pytest.raises(BadSetting, match=key):
            found.with_settings({key: object()})
        for choice in setting.choices or ():
            with suppress(BadSetting):  # some are valid only together with another setting
                found.with_settings({key: choice})


def test_hello_claims_nothing(driver_name: str) -> None:
    life = born(driver_name)
    no_card(life.events)
    first = list(life.events)
    life.hello()
    no_card(life.events[len(first) :])


def test_silence_says_nothing_and_is_slept_through(driver_name: str) -> None:
    life = born(driver_name)
    life.wait(HOUR_S)
    no_card(life.events)
    if registry.find(driver_name).sheet.kind == "shoe":
        assert life.events == []
        assert life.sent == []
    ticks = sum(each.what == "tick" for each in life.happened)
    assert ticks <= HOUR_S / 0.1, "it wakes the loop more than ten times a second for nothing"


def test_a_tick_too_early_does_nothing(driver_name: str) -> None:
    driver = registry.find(driver_name).with_settings()
    driver.hello(10.0)
    due = driver.deadline()
    for at in (10.0, due - 0.001 if due is not None else 10_000.0):
        assert driver.tick(at) == Step()
        assert driver.feed(b"", at) == Step()
    assert driver.deadline() == due


def test_the_same_bytes_however_cut_are_the_same_life(driver_name: str) -> None:
    life = lived(driver_name)
    found = registry.find(driver_name)
    heard = [each.data for each in life.happened if each.what == "in"]
    assert heard
    if found.sheet.packets:
        other = life.again(found.with_settings(), lambda data: (b"", data, b""))
        assert (other.events, other.sent) == (life.events, life.sent)
        return
    longest = max(map(len, heard))
    for number, _ in enumerate(cuts(bytes(min(longest, 40)))):

        def cut(data: bytes, n: int = number) -> tuple[bytes, ...]:
            return list(cuts(data))[n % (len(data) + 1)]

        other = life.again(found.with_settings(), cut)
        assert (other.events, other.sent) == (life.events, life.sent)


def test_what_it_tells_is_its_devices_to_tell(driver_name: str) -> None:
    """A shuffler reports no card and a shoe no pack; the port reports the link."""
    may = REPORTED_BY[registry.find(driver_name).sheet.kind]
    told_of = [event for vector in vectors_of(driver_name) for event in told(driver_name, vector)]
    assert {type(event) for event in (*told_of, *lived(driver_name).events)} <= may


def test_no_repr_shows_a_card(driver_name: str) -> None:
    life = lived(driver_name)
    for event in life.events:
        shown = repr(event) + repr(Step((event,)))
        if isinstance(event, FACES) and event.card is not None:
            assert event.card.code not in shown.replace("CardRead", "").replace("Excess", "")
            assert "frame" not in shown
        data = getattr(event, "data", b"") or getattr(event, "frame", b"")
        assert not data or repr(data) not in shown


def test_an_error_means_what_its_vector_says(driver_name: str) -> None:
    """The number is the maker's; the vector of an error states its meaning."""
    for vector in vectors_of(driver_name):
        assert errors_of(told(driver_name, vector)) == vector.get("means", []), vector


def test_an_end_of_line_after_every_frame_is_no_card_and_no_doubt(driver_name: str) -> None:
    """Device servers and terminal programs add one; it must not stop the table."""
    if registry.find(driver_name).sheet.packets:
        return
    for vector in vectors_of(driver_name):
        if "tells" not in vector or any(map(is_doubt, told(driver_name, vector))):
            continue
        ended = {**vector, "hex": vector["hex"] + b"\r\n".hex()}
        heard = told(driver_name, ended)
        answer = [each for each in heard if not isinstance(each, BadFrame | Notice)]
        assert comes_out(answer, vector["tells"]), vector
        assert not any(map(is_doubt, heard)), vector


def test_noise_is_no_card_and_afterwards_cards_are_read(driver_name: str) -> None:
    life = born(driver_name)
    noise(life, NOISE)
    no_card(life.events)
    if driver_name not in emulators.names():
        return
    device, before = WithDevice(life), len(life.events)
    device.busy()
    if registry.find(driver_name).sheet.kind == "shoe":
        read = [card for card in cards(life.events[before:]) if card is not None]
        assert read == list(CARDS)
    else:
        assert any(isinstance(event, ShuffleVerified) for event in life.events[before:])


def test_memory_is_bounded_whatever_comes(driver_name: str) -> None:
    life = born(driver_name)
    noise(life, 4096)
    before = weight(life.driver)
    events, life.events = life.events, []
    noise(life, NOISE, seed=2)
    life.driver.feed(bytes(8 * 1024), life.at)
    assert weight(life.driver) - before <= MAX_GROWTH
    assert len(events) <= 4096, "more is said than was heard"


def test_unplugged_after_every_byte_no_card_is_doubled_or_lost_in_silence(
    shoe_driver: str,
) -> None:
    """The link is lost for a moment, or while more is reported. The last event arrives, because a
    number reveals a loss only with the next one. A shoe without numbers may lose a card unnoticed:
    the table asks for the count whenever its link returns."""
    whole = lived(shoe_driver)
    truth = cards(whole.events)
    pieces = list(torn(whole))
    last = [piece for piece in pieces if piece[0] == pieces[-1][0]]
    before = pieces[: -len(last)]
    for place in range(len(before)):
        for lost in (0, 3, 30):
            life = born(shoe_driver)
            listen(life, before[:place])
            life.hello()
            listen(life, before[place + lost :] + last)
            life.wait(60.0)
            arrived = cards(life.events)
            assert is_part_of(arrived, truth)
            numbered = registry.find(shoe_driver).sheet.numbered
            assert not numbered or arrived == truth or any(map(is_doubt, life.events))


def test_commands_it_does_not_have_raise_and_send_nothing(driver_name: str) -> None:
    found = registry.find(driver_name)
    for command in get_args(DeviceCommand):
        driver = found.with_settings()
        driver.hello(0.0)
        if command not in found.sheet.commands:
            with pytest.raises(UnsupportedCommand):
                driver.ask(made(command), 1.0)
            continue
        with suppress(UnsupportedCommand):  # read-only, or another mode of the driver
            no_card(list(driver.ask(made(command), 1.0).events))


def test_an_answer_that_never_comes_is_given_up(driver_name: str) -> None:
    for command in registry.find(driver_name).sheet.commands:
        life = born(driver_name)
        life.wait(10.0)
        with suppress(UnsupportedCommand):
            life.ask(made(command))
        life.wait(LONGEST_MOTION_S)
        no_card(life.events)
        assert len(life.sent) <= LONGEST_MOTION_S / 0.1
