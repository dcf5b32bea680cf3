"""Who is heard: three beats that stay away, a table that comes back, a clock that is off."""

from msgspec.structs import replace

from controller.floor.sink.presence import MAX_OFF_S, MISSED, Changes, Presence, is_sound
from controller.protocol.live import Beat, DeviceBeat
from controller.protocol.names import TableName

NAME = TableName("site", "t1")
BEAT = Beat("site", "t1", "one", "boot", "0.2.0", "book", 5, 0, 100.0, 900, every=2.0)


def looked(presence: Presence, now: float) -> Changes:
    found = presence.look(now)
    presence.mark_written(found)
    return found


def test_first_beat_ends_what_an_earlier_run_left_open() -> None:
    presence = Presence(5.0)
    presence.take_beat(BEAT, 100.0)
    assert looked(presence, 101.0) == Changes(beats=[(BEAT, 100.0)], back=[NAME])
    assert looked(presence, 101.5) == Changes()


def test_two_missed_beats_are_nothing_and_three_are_told_once() -> None:
    presence = Presence(5.0)
    presence.take_beat(BEAT, 100.0)
    looked(presence, 101.0)
    assert looked(presence, 100.0 + MISSED * BEAT.every) == Changes()
    assert looked(presence, 106.5) == Changes(away=[(NAME, 100.0)])
    assert looked(presence, 300.0) == Changes()
    later = replace(BEAT, at=301.0)
    presence.take_beat(later, 301.0)
    assert looked(presence, 301.1) == Changes(beats=[(later, 301.0)], back=[NAME])


def test_table_known_from_before_and_not_heard_again_is_away() -> None:
    presence = Presence(5.0)
    presence.restore_beat(NAME, BEAT, 100.0)
    assert looked(presence, 500.0) == Changes(away=[(NAME, 100.0)])


def test_what_was_not_written_is_told_again() -> None:
    """The database was away: nothing of it is forgotten."""
    presence = Presence(5.0)
    presence.restore_beat(NAME, BEAT, 100.0)
    first = presence.look(500.0)
    assert presence.look(501.0) == first


def test_beat_that_came_while_the_last_was_written_is_written_too() -> None:
    presence = Presence(5.0)
    presence.take_beat(BEAT, 100.0)
    changes = presence.look(100.5)
    second = replace(BEAT, at=102.0)
    presence.take_beat(second, 102.0)
    presence.mark_written(changes)
    assert looked(presence, 102.1).beats == [(second, 102.0)]


def test_clock_that_is_off_is_told_until_it_is_right() -> None:
    presence = Presence(5.0)
    presence.take_beat(replace(BEAT, at=160.0), 100.0)
    assert looked(presence, 100.5).off == [(NAME, 60.0)]
    presence.take_beat(replace(BEAT, at=161.0), 101.0)
    assert looked(presence, 101.5).off == []
    presence.take_beat(replace(BEAT, at=102.5), 102.0)
    assert looked(presence, 102.5).right == [NAME]


def test_beat_that_promises_to_be_rare_is_not_waited_for_for_ever() -> None:
    presence = Presence(5.0)
    presence.take_beat(replace(BEAT, every=1e9), 100.0)
    looked(presence, 101.0)
    assert looked(presence, 400.0).away == [(NAME, 100.0)]


def test_beat_that_no_database_takes_is_none() -> None:
    assert is_sound(BEAT)
    assert is_sound(replace(BEAT, title="\u684c 7 \\u0041"))
    device = DeviceBeat("shoe", "driver", "up")
    for change in (
        {"at": float("nan")},
        {"every": float("inf")},
        {"title": "a\0b"},
        {"pit": "x" * 40_000},
        {"devices": [replace(device, name="x" * 40_000)]},
        {"devices": [device] * 1000},
        {"documents": {"x" * 40_000: 1}},
    ):
        assert not is_sound(replace(BEAT, **change)), change.keys()


def test_clock_beyond_all_calendars_is_off_by_a_number_that_can_be_told() -> None:
    presence = Presence(5.0)
    for at, off in ((1e308, MAX_OFF_S), (-1e308, -MAX_OFF_S)):
        presence.take_beat(replace(BEAT, table=str(at), at=at), 100.0)
        assert (TableName("site", str(at)), off) in looked(presence, 100.5).off


def test_clock_that_goes_on_running_wrong_is_told_anew() -> None:
    presence = Presence(5.0)

    def told(off: float, now: float) -> list[tuple[TableName, float]]:
        presence.take_beat(replace(BEAT, at=now + off), now)
        return looked(presence, now).off

    assert told(6.0, 100.0) == [(NAME, 6.0)]
    assert told(7.0, 102.0) == []
    assert told(2_592_000.0, 104.0) == [(NAME, 2_592_000.0)]
    assert told(2_592_001.0, 106.0) == []


def test_nobody_waits_for_a_table_that_is_none_any_more() -> None:
    presence = Presence(5.0)
    presence.take_beat(BEAT, 100.0)
    looked(presence, 101.0)
    assert presence.forget_tables([NAME, TableName("site", "never heard")]) == [NAME]
    assert looked(presence, 500.0) == Changes()
