"""Events of a driver in the short words of its vectors, and drivers driven by hand."""

from drivers import registry
from drivers.contract import Driver
from drivers.events import (
    BadFrame,
    CardRead,
    CutCard,
    ErrorCleared,
    ErrorRaised,
    Event,
    EventsLost,
    ModeChanged,
    Notice,
    ReadFailed,
)


def made(name: str, settings: dict[str, object] | None = None) -> Driver:
    """A driver whose port has just opened, at time 0."""
    driver = registry.find(name).with_settings(settings)
    assert driver.hello(0.0).events == ()
    return driver


def heard(driver: Driver, *pieces: bytes, at: float = 1.0) -> list[Event]:
    """What the driver makes of these pieces, fed at one moment, and of the silence after them."""
    events = [event for piece in pieces for event in driver.feed(piece, at).events]
    due = driver.deadline()
    if due is not None:
        events += driver.tick(due).events
    assert driver.deadline() is None
    return events


def short(event: Event) -> str:
    match event:
        case CardRead():
            word = f"card {event.card.code}" + (f" {event.where.value}" if event.where else "")
        case BadFrame():
            word = "bad_frame" if event.may_be_card else "damaged"
        case ErrorRaised():
            word = f"error {event.code}"
        case ErrorCleared():
            word = f"error_cleared {event.code}"
        case ModeChanged():
            word = f"mode {event.mode}"
        case _:
            word = PLAIN[type(event)]
    return word


PLAIN = {
    ReadFailed: "read_failed",
    EventsLost: "events_lost",
    CutCard: "cut_card",
    Notice: "notice",
}


def said(events: list[Event]) -> list[str]:
    return [short(event) for event in events]


def merged(words: list[str]) -> list[str]:
    """Neighbouring bad frames are told as one."""
    pairs = zip(words, [None, *words], strict=False)
    return [word for word, before in pairs if word != "bad_frame" or before != "bad_frame"]
