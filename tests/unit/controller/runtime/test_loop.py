"""The loop: every step durable before anything is told to anybody, and one error stops it all."""

import dataclasses
import threading
from itertools import count
from typing import Any

import msgspec
import pytest

from controller.engine.replay import replay
from controller.game.rulebook import Excess
from controller.messages.codes import Code
from controller.runtime.client import Busy, MovedOn, Stopped
from controller.runtime.devices import MAX_HELD
from controller.runtime.inbox import Inbox
from controller.table.state import MAX_NOTICES
from controller.views.structs.encoding import plain
from drivers.events import LinkLost, LinkUp
from support.devices import line_shoe
from support.table.loop_bench import LIMIT_S, OPENING, Bench, pit, staff


def noted(view: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The view's notices by code and gaps."""
    return [(each["code"], each["gaps"]) for each in view["notes"]]


def shoe_says(what: str) -> tuple[str, dict[str, Any]]:
    """A notice in the shoe's own words."""
    return Code.DEVICE_SAYS.value, {"device": "shoe", "says": what}


def test_cards_from_the_wire_play_a_round() -> None:
    with Bench().running() as bench:
        assert bench.open()["state"] == "dealing"
        bench.hear(b"9H\n2C\nK", bench.now)
        bench.hear(b"D\n5S\n", bench.now)
        bench.shows(state="outcome", hands={"player": ["9H", "KD"], "banker": ["2C", "5S"]})
        bench.say(staff("announce"))
        assert bench.say(staff("settle"))["state"] == "ready"


def test_bytes_leave_only_after_their_cards_are_in_the_journal() -> None:
    with Bench().running() as bench:
        bench.open()
        before = bench.journal.head.seq
        bench.hear(b"9H\n2C\n", bench.now)
        bench.shows(hands={"player": ["9H"], "banker": ["2C"]})
        bench.say(staff("report", what="uncovered"))  # the loop has gone past the cards
    assert bench.sent[-1] == b"ok\nok\n"
    assert bench.known_when_sent[-1] == before + 2


def test_posts_follow_the_records_and_hold_a_view_for_everybody() -> None:
    with Bench().running() as bench:
        bench.open()
        bench.hear(b"9H\n", bench.now)
        bench.shows(hands={"player": ["9H"], "banker": []})
        posted = bench.loop.snapshots.after(0)
    assert posted is not None
    assert [each.seq for each in posted] == sorted({each.seq for each in posted})
    assert posted[-1].what == "card"
    assert not posted[-1].asked
    assert set(posted[-1].views.__struct_fields__) == {"dealer", "pit", "public", "surveillance"}
    assert posted[-1].answer.hands.player == ("9H",)
    assert posted[-1].at == 1_700_000_100.0


def test_answer_carries_the_number_of_its_record() -> None:
    with Bench().running() as bench:
        answer = bench.say(pit("open_table"))
        assert answer["seq"] == bench.journal.head.seq
        refused = bench.say(staff("settle"))
        assert (refused["accepted"], refused["seq"]) == (False, answer["seq"] + 1)


def test_the_answer_that_ends_a_round_carries_the_steps_number_and_not_its_summarys() -> None:
    with Bench().running() as bench:
        bench.open()
        bench.say(staff("open_betting"))
        bench.say(staff("close_betting"))
        bench.hear(b"9H\n2C\nKD\n6S\n", bench.now)
        bench.shows(state="outcome")
        bench.say(staff("announce"))
        answer = bench.say(staff("settle"))
        assert bench.journal.head.seq == answer["seq"] + 1
        kept = {record.seq: record.kind for record in bench.journal.records()}
        assert (kept[answer["seq"]], kept[answer["seq"] + 1]) == ("step", "summary")


def test_journal_error_stops_the_table_and_nothing_is_acknowledged() -> None:
    with Bench().running() as bench:
        bench.open()
        sent = len(bench.sent)
        bench.journal.full = True
        bench.hear(b"9H\n", bench.now)
        bench.hear(b"2C\n", bench.now)
        done = threading.Event()
        stop = bench.loop.snapshots.watch(done.set)
        if bench.loop.snapshots.stop_reason is None:
            assert done.wait(LIMIT_S)
        stop()
        assert "No space left" in (bench.loop.snapshots.stop_reason or "")
        with pytest.raises(Stopped, match="No space left"):
            bench.loop.ask(staff("report", what="uncovered"))
        assert not bench.hear(b"KD\n", bench.now)
    assert len(bench.sent) == sent
    assert bench.drawn == 0


def test_person_whose_step_meets_the_error_is_told_so() -> None:
    with Bench().running() as bench:
        bench.open()
        bench.journal.full = True
        future = bench.loop.ask(staff("report", what="uncovered"))
        with pytest.raises(Stopped, match="No space left"):
            future.result(LIMIT_S)


def test_error_of_our_own_stops_the_table_without_naming_a_card(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bench = Bench(deal_face="down")
    with bench.running():
        bench.open()
        bench.journal.broken = ValueError("9H is not what I expected")
        bench.hear(b"9H\n", bench.now)
        answers = (plain(bench.loop.ask(pit("refuse")).result(LIMIT_S)) for _ in count())
        with pytest.raises(Stopped):
            list(answers)
    printed = capsys.readouterr()
    assert "ValueError" in (bench.loop.snapshots.stop_reason or "")
    assert "9H" not in printed.out + printed.err + (bench.loop.snapshots.stop_reason or "")


def test_people_are_turned_away_before_devices_are() -> None:
    bench = Bench()  # not running: nothing is taken out
    for _ in range(64):
        bench.loop.ask(pit("open_table"))
    with pytest.raises(Busy):
        bench.loop.ask(pit("open_table"))
    assert bench.hear(b"9H\n", 0.0)
    with bench.running():
        pass


def test_reader_waits_when_the_inbox_is_full_and_is_let_go_at_the_end() -> None:
    inbox = Inbox(devices_most=2)
    bench = Bench()
    bench.loop._inbox = inbox
    results: list[bool] = []
    thread = threading.Thread(
        target=lambda: results.extend(bench.hear(b"9H\n", 0.0) for _ in range(3))
    )
    thread.start()
    inbox.close("the end")
    thread.join(LIMIT_S)
    assert results[2] is False
    assert len(inbox) <= 2


def test_what_was_taken_in_is_dealt_with_when_the_table_ends() -> None:
    bench = Bench()
    bench.hear(LinkUp(), 0.0)
    futures = [bench.loop.ask(each) for each in OPENING]
    bench.hear(b"9H\n", 0.0)
    bench.loop.stop()
    with pytest.raises(Stopped, match="ended"):
        bench.loop.ask(pit("close_table"))
    bench.loop.run()
    assert [future.result(0).state for future in futures][-1] == "dealing"
    assert bench.drawn == 1


def test_questions_behind_an_error_are_answered_with_it() -> None:
    bench = Bench()
    bench.journal.full = True
    futures = [bench.loop.ask(each) for each in OPENING]
    bench.loop.run()
    for future in futures:
        with pytest.raises(Stopped, match="No space left"):
            future.result(0)


def test_time_moves_a_driver_on() -> None:
    with Bench().running() as bench:
        bench.open()
        bench.hear(b"wait\n", bench.now)
        bench.now += 10
        bench.hear(b"9H\n", bench.now)
        view = bench.shows(hands={"player": ["9H"], "banker": []})
    gaps = {"device": "shoe", "command": "wait"}
    assert (Code.DEVICE_NO_ANSWER.value, gaps) in noted(view)


def test_port_that_takes_no_bytes_is_a_notice_and_no_error() -> None:
    with Bench().running() as bench:
        bench.open()
        bench.cable_out = True
        bench.hear(b"9H\n", bench.now)
        bench.shows(hands={"player": ["9H"], "banker": []})
        view = bench.say(staff("report", what="uncovered"))
        assert view["accepted"]
        latest = bench.loop.snapshots.latest
    assert latest is not None
    ((_, gaps),) = noted(plain(latest.views.dealer))
    assert "cable is out" in gaps["says"]


def test_lost_link_holds_the_table_and_its_return_asks_for_the_count() -> None:
    with Bench().running() as bench:
        bench.open()
        bench.hear(b"9H\n", bench.now)
        bench.hear(LinkLost("unplugged"), bench.now)
        assert noted(bench.shows(state="halted"))[-1] == shoe_says("unplugged")
        assert bench.loop.devices()[0].link == "lost: unplugged"
        bench.hear(LinkUp(first=False), bench.now)
        while not bench.say(staff("count", cards=1))["accepted"]:
            pass
        assert bench.driver.hellos == 2
        assert bench.say(pit("resume"))["state"] == "dealing"


def test_frame_is_sealed_with_its_card_and_open_beside_an_open_one() -> None:
    for face in ("down", "up"):
        with Bench(deal_face=face).running() as bench:
            bench.open()
            bench.hear(b"9H\n", bench.now)
            bench.shows(hands={"player": [None if face == "down" else "9H"], "banker": []})
        record = list(bench.journal.records())[-1]
        if face == "down":
            assert record.sealed is not None
            assert bench.sealer.open(record.sealed).frame == b"9H"
            assert b"9H" not in record.body
            assert b'"frame"' not in record.body
        else:
            assert record.sealed is None
            assert b'"frame":"OUg="' in record.body
        assert replay(bench.rules, bench.journal.records(), bench.sealer) == (
            bench.session.machine.table
        )


def test_devices_show_what_they_said() -> None:
    with Bench().running() as bench:
        bench.open()
        bench.hear(b"9H\nnoise\n", bench.now)
        bench.shows(hands={"player": ["9H"], "banker": []})
        bench.say(staff("report", what="uncovered"))
        (shoe,) = bench.loop.devices()
    assert (shoe.name, shoe.driver, shoe.link) == ("shoe", "line_shoe", "up")
    assert shoe.counts == {"LinkUp": 1, "CardRead": 1, "BadFrame": 1}


def test_shoe_is_told_of_new_cards_and_what_becomes_of_one_too_many() -> None:
    with Bench().running() as bench:
        bench.open()
        bench.hear(b"9H\n2C\nKD\n5S\nexcess\nerror 2\n", bench.now)
        bench.shows(state="halted")  # by the error: nobody is asked about the card
        bench.hear(b"cleared 2\nnamed 7D\n", bench.now)
        bench.shows(state="outcome")
        bench.say(staff("announce"))
    assert [type(each).__name__ for each in bench.driver.asked] == ["NewShoe", "KeepExcess"]
    assert b"KeepExcess\n" in bench.sent


def test_dealer_does_at_a_read_only_shoe_what_the_table_would_ask_of_it() -> None:
    with Bench(obeys=False, excess=Excess.BURN).running() as bench:
        bench.open()
        bench.hear(b"9H\n2C\nKD\n5S\nexcess\nerror 2\n", bench.now)
        bench.shows(state="halted")
        bench.hear(b"cleared 2\n", bench.now)
        view = bench.shows(state="outcome")
    assert (Code.AT_SHOE_DISCARD_EXCESS.value, {}) in noted(view)


SHOE_ENDED_IT = {
    "code": "shoe_round_ended",
    "gaps": {"round": 1},
    "text": "Round 1 is closed at the shoe too",
}


@pytest.mark.parametrize("plays_rounds", [True, False])
def test_a_shoe_that_plays_rounds_itself_has_to_end_a_void_one_too(plays_rounds: bool) -> None:
    bench = Bench()
    bench.shoe.sheet = dataclasses.replace(line_shoe.SHEET, plays_rounds=plays_rounds)
    with bench.running():
        bench.open()
        bench.hear(b"9H\n", bench.now)
        bench.say(staff("report", what="wrong_count"))
        bench.say(staff("approve", "max", "pit_manager"))
        view = bench.shows(state="ready")
        assert ((Code.AT_SHOE_END_ROUND.value, {}) in noted(view)) is plays_rounds
        opened = bench.say(staff("open_betting"))
        assert opened["accepted"] is not plays_rounds
        if plays_rounds:
            assert opened["code"] == Code.END_ROUND_AT_SHOE.value
            bench.hear(b"gave_up\n", bench.now)
            view = bench.shows(notes=[*view["notes"], SHOE_ENDED_IT])
            assert view["left_at_shoe"]["ended_by"] == "shoe"
            assert bench.say(staff("open_betting"))["accepted"]


def test_a_shoe_that_has_given_the_round_up_has_nothing_left_to_end() -> None:
    bench = Bench()
    bench.shoe.sheet = dataclasses.replace(line_shoe.SHEET, plays_rounds=True)
    with bench.running():
        bench.open()
        bench.hear(b"9H\ngave_up\n", bench.now)
        bench.shows(state="halted")
        shift = ("gus", "gaming_shift_manager")
        bench.say(staff("decide", *shift, text="the shoe gave up", outcome="void"))
        bench.say(staff("approve", "max", "pit_manager"))
        assert bench.shows(state="ready")["left_at_shoe"] is None
        bench.say(staff("open_betting"))


@pytest.mark.parametrize(
    ("finished", "pressed"),
    [(b"result player\nstand_by\n", b"error 3\ncleared 3\n"), (b"", b"gave_up\nstand_by\n")],
)
def test_whether_the_shoe_had_finished_a_void_of_unseen_cards_is_told_nobody(
    finished: bytes, pressed: bytes
) -> None:
    """It gives the round up only where a third card was due; else its button was pressed at the
    wrong time. Neither is a step, a count or an error that anybody could see."""
    bench = Bench(deal_face="down")
    bench.shoe.sheet = dataclasses.replace(line_shoe.SHEET, plays_rounds=True)
    with bench.running():
        bench.open()
        bench.hear(b"9H\n2C\nKD\n5S\n" + finished, bench.now)
        bench.say(staff("report", what="wrong_count"))
        bench.say(staff("approve", "max", "pit_manager"))
        before, counted = bench.journal.head.seq, dict(bench.shoe.counts)
        bench.hear(pressed, bench.now)
        opened = bench.say(staff("open_betting"))
        assert (opened["code"], opened["seq"]) == (Code.END_ROUND_AT_SHOE.value, before + 1)
        (shown,) = bench.loop.devices()
        assert (shown.counts, shown.errors) == (counted, [])
        bench.say(staff("shoe_ended"))
        assert bench.say(staff("open_betting"))["accepted"]
        bench.hear(b"error 3\n", bench.now)
        bench.shows(state="halted")  # of the next round it is told


def test_offer_is_closed_when_its_time_is_up_though_nobody_speaks() -> None:
    with Bench(option_timeout_s=30).running() as bench:
        bench.hear(LinkUp(), bench.now)
        for each in OPENING[:4]:
            bench.say(each)
        bench.say(staff("place", player="ann", wager="banker", amount=2000, position=1))
        bench.say(OPENING[4])
        bench.hear(b"9H\n2C\n", bench.now)
        bench.shows(hands={"player": ["9H"], "banker": ["2C"]})
        bench.say(staff("report", what="simultaneous"))
        assert bench.say(staff("answer", value=True))["offers"]
        bench.now += 31
        bench.shows(state="dealing", offers=[])
        assert bench.loop.snapshots.latest is not None
        assert bench.loop.snapshots.latest.what == "time_is_up"


def test_noise_that_may_hide_cards_is_recorded_once_until_the_next_card() -> None:
    with Bench().running() as bench:
        bench.open()
        before = bench.journal.head.seq
        bench.hear(b"torn\n" * 500, bench.now)
        bench.shows(state="halted")
        bench.hear(b"9H\n" + b"torn\n" * 500, bench.now)
        bench.hear(b"notice so\n" * 500, bench.now)
        while shoe_says("so") not in noted(bench.shows()):
            bench.say(pit("refuse"))
    said = [msgspec.json.decode(r.body)["in"] for r in bench.journal.records(after=before)]
    assert sum("a torn frame" in str(each) for each in said) == 2
    assert sum("'so'" in str(each) for each in said) == 1
    assert bench.shoe.counts["BadFrame"] == 1000


def test_notices_are_bounded() -> None:
    with Bench().running() as bench:
        bench.open()
        bench.hear(b"".join(b"notice %d\n" % n for n in range(200)), bench.now)
        while shoe_says("199") not in (notices := noted(bench.shows())):
            bench.say(pit("refuse"))
    assert len(notices) == MAX_NOTICES


def test_first_opening_with_a_shoe_in_use_asks_for_the_count() -> None:
    bench = Bench()
    for each in OPENING:
        assert bench.session.handle(each).accepted
    with bench.running():
        bench.hear(LinkUp(), bench.now)
        view = bench.shows(state="halted")
        assert view["asks"][0]["ask"] == "count"
        assert bench.say(staff("count", cards=0))["state"] == "dealing"


def test_word_for_a_table_that_moved_on_is_not_taken() -> None:
    with Bench().running() as bench:
        bench.open()
        seen = bench.loop.snapshots.latest
        assert seen is not None
        bench.hear(b"9H\n", bench.now)
        bench.shows(hands={"player": ["9H"], "banker": []})
        before = bench.journal.head.seq
        with pytest.raises(MovedOn):
            plain(bench.loop.ask(staff("report", what="uncovered"), seen.seq).result(LIMIT_S))
        assert bench.journal.head.seq == before


def test_result_of_hands_that_lie_face_down_is_heard_by_nobody_before_they_are_exposed() -> None:
    """A shoe speaks after four cards only when no third is due: that it spoke would tell."""
    seen = []
    for said in (b"", b"result player\nstand_by\n" * 20):
        with Bench(deal_face="down").running() as bench:
            bench.open()
            bench.hear(b"9H\n2C\nKD\n5S\n" + said, bench.now)
            bench.shows(state="revealing")
            bench.say(staff("report", what="uncovered"))
            posted = bench.loop.snapshots.after(0) or []
            seen.append(([(each.seq, each.what) for each in posted], bench.loop.devices()))
            bench.say(pit("refuse"))
            if said:
                bench.say(staff("decide", "max", "gaming_shift_manager", text="so"))
                for hand in ("player", "banker"):
                    bench.say(staff("expose", hand=hand))
                bench.shows(state="outcome")
    assert seen[0] == seen[1]
    assert bench.shoe.counts["DeviceResult"] == bench.shoe.counts["StandBy"] == MAX_HELD // 2
    words = [each.what for each in bench.loop.snapshots.after(0) or []]
    assert words[-MAX_HELD // 2 :] == ["result"] * (MAX_HELD // 2)


def test_a_void_of_cards_that_nobody_saw_tells_nothing_of_what_the_shoe_made_of_them() -> None:
    seen = []
    for early, late in ((b"", b""), (b"result player\n", b"stand_by\nresult player\n")):
        with Bench(deal_face="down").running() as bench:
            bench.open()
            bench.hear(b"9H\n2C\nKD\n5S\n" + early, bench.now)
            bench.shows(state="revealing")
            bench.say(staff("report", what="wrong_count"))
            bench.say(pit("approve"))
            bench.shows(state="ready")
            bench.hear(late, bench.now)
            bench.say(staff("report", what="uncovered"))
            posted = bench.loop.snapshots.after(0) or []
            seen.append(([(each.seq, each.what) for each in posted], bench.loop.devices()))
    assert seen[0] == seen[1]


def test_result_waits_too_while_the_cards_of_a_face_down_round_are_counted() -> None:
    """None of them lies on a hand yet, and it would tell of them all the same."""
    with Bench(deal_face="down").running() as bench:
        before = bench.open()["seq"]
        bench.hear(b"lost\n9H\n2C\nKD\n5S\nresult player\n", bench.now)
        assert bench.say(staff("count", cards=4))["state"] == "revealing"
        heard = [each.what for each in bench.loop.snapshots.after(before) or []]
        assert heard == ["events_lost", *["card"] * 4, "count"]
        for hand in ("player", "banker"):
            bench.say(staff("expose", hand=hand))
        assert bench.say(staff("announce"))["state"] == "settling"
        assert bench.shoe.counts["DeviceResult"] == 1
