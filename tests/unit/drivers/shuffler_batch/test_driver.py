"""The batch shuffler's driver: what each line tells the table, and what it never does."""

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers import registry
from drivers.cards import Card
from drivers.commands import (
    Abort,
    AskReport,
    AskStatus,
    ClearFault,
    DealHands,
    DeviceCommand,
    Empty,
    Home,
    Identify,
    Lock,
    OpenOutput,
    Pause,
    Resume,
    StartShuffle,
)
from drivers.contract import Driver
from drivers.error_meaning import ErrorMeaning
from drivers.errors import UnsupportedCommand
from drivers.events import (
    BadFrame,
    CardFault,
    CommandDone,
    CommandRefused,
    CommandTimedOut,
    Event,
    EventsLost,
    FaultClass,
    Identified,
    Jam,
    JamCleared,
    LidChanged,
    Notice,
    OrderDropped,
    OutputTaken,
    Progress,
    ShufflerChanged,
    ShufflerFault,
    ShufflerState,
    ShuffleVerified,
    Started,
    Verdict,
)
from drivers.shuffler_batch.codec import MAX_LINE_BYTES
from drivers.shuffler_batch.requests import MAX_WAITING
from drivers.testing.cuts import flips, same_however_cut
from support.devices.batch_lines import sealed, texts
from support.rows import each_row

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[4] / "drivers/shuffler_batch/vectors.json").read_text()
)
IDLE = "ST IDLE_EMPTY 0 0 416 0 0 EMPTY 0 0 {last}"
NO_REPORT = "RP 0 0 NOT_VERIFIED 0 - - 0 0"
RIGHT = "7 8 OK 416 - - 0 0"
OK = ShuffleVerified(Verdict.OK, 416)
VOID = ShuffleVerified(Verdict.NOT_VERIFIED)


class Bench:
    """A driver, and a test that plays its machine line by line."""

    def __init__(self, status: str = IDLE, report: str = NO_REPORT, **given: object) -> None:
        self.driver: Driver = registry.find("shuffler_batch").with_settings(given)
        self.at = 0.0
        self.event = 0
        self.asked: list[str] = []
        """Requests that have left, not yet answered, as `Q0001 STATUS`."""
        self.taken(self.driver.hello(0.0))
        self.answer("ID 1 Acme Mixer SN-7 2.1")
        self.resync(status, report)

    def taken(self, step: Any) -> list[Event]:
        self.asked += texts(step.send)
        return list(step.events)

    def feed(self, data: bytes) -> list[Event]:
        self.at += 0.01
        return self.taken(self.driver.feed(data, self.at))

    def says(self, *events: str) -> list[Event]:
        """The machine tells events, rightly numbered."""
        told: list[Event] = []
        for text in events:
            self.event += 1
            told += self.feed(sealed(f"E{self.event:04d} {text}"))
        return told

    def answer(self, text: str) -> list[Event]:
        request = self.asked.pop(0)
        return self.feed(sealed(f"A{request[1:5]} {text}"))

    def ask(self, command: DeviceCommand) -> list[Event]:
        self.at += 0.01
        return self.taken(self.driver.ask(command, self.at))

    def wait(self) -> list[Event]:
        """Until the driver wants to do something."""
        deadline = self.driver.deadline()
        assert deadline is not None
        self.at = max(self.at, deadline)
        return self.taken(self.driver.tick(self.at))

    def resync(self, status: str = IDLE, report: str = NO_REPORT) -> list[Event]:
        """The driver's own STATUS and REPORT, answered."""
        told: list[Event] = []
        while not self.asked:
            told += self.wait()
        assert self.asked[0].endswith("STATUS")
        told += self.answer(status.format(last=self.event))
        assert self.asked[0].endswith("REPORT"), "in doubt both are asked"
        return told + self.answer(report)

    def verified(self) -> "Bench":
        assert self.says("STATE SHUFFLING", f"VERIFIED {RIGHT}", "STATE READY") == [
            ShufflerChanged(ShufflerState.SHUFFLING),
            OK,
            ShufflerChanged(ShufflerState.READY),
        ]
        return self


READY = "ST READY 416 0 416 7 1 COUNTED 0 0 {last}"


def test_hello_asks_who_it_is_and_how_it_is_and_moves_nothing() -> None:
    driver = registry.find("shuffler_batch").with_settings()
    assert driver.deadline() is None
    assert texts(driver.hello(0.0).send) == ["Q0001 IDENTIFY"]
    step = driver.feed(sealed("A0001 ID 1 Acme Mixer SN-7 2.1"), 0.1)
    assert step.events == (Identified("Acme", "Mixer", "SN-7", "2.1"),)
    assert texts(step.send) == ["Q0002 STATUS"]
    step = driver.feed(sealed("A0002 ST LOADING 0 0 416 0 0 UNKNOWN 19 0 4"), 0.2)
    assert step.events == (
        ShufflerChanged(ShufflerState.LOADING),
        ShufflerFault(
            19,
            step.events[1].says,  # type: ignore[union-attr]
            FaultClass.OPERATOR,
            ErrorMeaning.CONTENT_UNKNOWN,
        ),
    )
    assert texts(step.send) == ["Q0003 REPORT"]
    assert driver.feed(sealed(f"A0003 {NO_REPORT}"), 0.3).events == ()
    assert driver.deadline() == 0.0 + 2.0, "then every two seconds"


MEANINGS: dict[str, tuple[Event, ...]] = {
    "STATE PAUSED": (ShufflerChanged(ShufflerState.PAUSED),),
    "PROGRESS 26 0 416": (Progress(26, 0, 416),),
    "CARD_FAULT WRONG_SET": (CardFault("wrong_set"),),
    "VERIFIED 8 8 WRONG 416 9H:1 KC:1 0 0": (
        ShuffleVerified(Verdict.WRONG, 416, (Card.parse("9H"),), (Card.parse("KC"),), 0, 0),
    ),
    "VERIFIED 9 8 WRONG 415 AS:1,9H:2,KC:1 - 2 1": (
        ShuffleVerified(
            Verdict.WRONG,
            415,
            tuple(Card.parse(code) for code in ("AS", "9H", "9H", "KC")),
            (),
            2,
            1,
        ),
    ),
    "VERIFIED 10 8 COUNT_ONLY 416 - - 0 0": (ShuffleVerified(Verdict.COUNT_ONLY, 416),),
    "JAM ELEVATOR 2": (Jam("elevator", 2),),
    "JAM_CLEARED ELEVATOR": (JamCleared("elevator"),),
    "DOOR LID OPEN": (LidChanged(True, "lid"),),
    "DOOR OUTPUT CLOSED": (LidChanged(False, "output"),),
    "TAKEN": (OutputTaken(),),
    "READY 7 416": (ShufflerChanged(ShufflerState.READY),),
    "DONE 3": (),
}


@each_row("text", MEANINGS)
def test_what_an_event_tells_the_table_however_it_is_cut(text: str) -> None:
    def read(pieces: Iterable[bytes]) -> list[Event]:
        bench = Bench()
        return [event for piece in pieces for event in bench.feed(piece)]

    told = same_however_cut(sealed(f"E0001 {text}"), read)
    assert told == list(MEANINGS[text])


@each_row(
    "kind, voids", [("NOTICE", False), ("OPERATOR", True), ("SERVICE", True), ("FATAL", True)]
)
def test_a_fault_ends_what_was_verified_unless_it_is_only_a_notice(kind: str, voids: bool) -> None:
    bench = Bench().verified()
    fault, *rest = bench.says(f"FAULT 9 {kind}")
    assert isinstance(fault, ShufflerFault)
    assert (fault.code, fault.kind) == (9, FaultClass[kind])
    assert "not taken out" in fault.says
    assert rest == ([VOID] if voids else [])


def test_unknown_faults_are_told_by_number() -> None:
    (fault,) = Bench().says("FAULT 77 OPERATOR")
    assert isinstance(fault, ShufflerFault)
    assert "77" in fault.says
    assert fault.means is ErrorMeaning.OTHER


def test_a_cutting_card_in_the_shuffler_is_no_cutting_card_of_the_shoe() -> None:
    (event,) = Bench().says("CUT_CARD")
    assert isinstance(event, Notice)


# --- trust --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["DOOR LID OPEN", "DOOR OUTPUT OPEN"])
def test_opening_what_must_stay_closed_ends_the_verification(text: str) -> None:
    bench = Bench().verified()
    assert bench.says(text)[1:] == [VOID]
    (refused,) = bench.ask(OpenOutput())
    assert isinstance(refused, CommandRefused)


def test_the_output_door_of_a_pack_given_out_ends_nothing() -> None:
    bench = Bench().verified()
    bench.ask(OpenOutput())
    assert bench.answer("OK") == [CommandDone("open_output")]
    told = bench.says("STATE UNLOADING", "DOOR OUTPUT OPEN", "STATE DOOR_OPEN", "TAKEN")
    assert VOID not in told
    assert OutputTaken() in told
    (refused,) = bench.ask(OpenOutput())
    assert isinstance(refused, CommandRefused), "nothing verified is inside any more"


@each_row(
    "command, voids",
    [
        (StartShuffle(), True),
        (Empty(), True),
        (DealHands(1, 4), True),
        (Home(), False),
    ],
)
def test_a_pack_that_is_moved_again_is_not_the_verified_one(
    command: DeviceCommand, voids: bool
) -> None:
    bench = Bench().verified()
    bench.ask(command)
    assert (VOID in bench.answer("OK")) is voids


def test_a_gap_ends_the_verification_until_the_machine_has_confirmed_it() -> None:
    bench = Bench().verified()
    bench.event += 2
    told = bench.says("PROGRESS 416 0 416")
    assert told[:2] == [EventsLost("event 6 follows event 3", 2), VOID]
    (refused,) = bench.ask(OpenOutput())
    assert isinstance(refused, CommandRefused)
    assert bench.resync(READY, f"RP {RIGHT}") == [OK]
    assert bench.ask(OpenOutput()) == []


def test_a_gap_that_hid_an_open_lid_is_not_confirmed() -> None:
    bench = Bench().verified()
    bench.event += 1
    bench.says("STATE LOADING")
    told = bench.resync("ST LOADING 0 0 416 7 0 UNKNOWN 0 0 {last}")
    assert OK not in told


def test_while_in_doubt_no_event_makes_a_pack_verified() -> None:
    bench = Bench()
    bench.event += 1
    bench.says("STATE VERIFYING")
    assert bench.says(f"VERIFIED {RIGHT}") == [], "it may be old"
    bench.says("STATE READY")
    assert bench.resync(READY, f"RP {RIGHT}") == [OK]


def test_an_event_between_status_and_report_makes_the_driver_ask_again() -> None:
    bench = Bench()
    bench.event += 1
    bench.says("STATE VERIFYING")
    while not bench.asked:
        bench.wait()
    bench.answer(f"ST VERIFYING 416 0 416 7 0 UNKNOWN 0 0 {bench.event}")
    assert bench.says(f"VERIFIED {RIGHT}") == []
    assert bench.answer(f"RP {RIGHT}") == [], "STATUS was older than the verification"
    assert bench.resync(READY, f"RP {RIGHT}")[-1] == OK


def test_a_report_about_a_pack_that_is_gone_is_only_shown() -> None:
    """The table may have loaded that pack long ago: it must not take it for another one."""
    bench = Bench().verified()
    bench.says(
        "STATE UNLOADING", "DOOR OUTPUT OPEN", "STATE DOOR_OPEN", "TAKEN", "STATE IDLE_EMPTY"
    )
    bench.ask(AskReport())
    done, shown = bench.answer(f"RP {RIGHT}")
    assert done == CommandDone("report")
    assert isinstance(shown, Notice)
    bench.event += 1
    bench.says("STATE LOADING")
    assert OK not in bench.resync("ST LOADING 0 0 416 7 0 EMPTY 0 0 {last}", f"RP {RIGHT}")


def test_a_report_of_what_is_wrong_is_told_again_when_asked() -> None:
    bench = Bench()
    wrong = "8 8 WRONG 416 9H:1 KC:1 0 0"
    (first,) = bench.says(f"VERIFIED {wrong}")
    bench.ask(AskReport())
    assert bench.answer(f"RP {wrong}") == [CommandDone("report"), first]
    bench.ask(AskReport())
    assert isinstance(bench.answer(NO_REPORT)[1], Notice)


def test_a_restart_ends_the_verification_and_starts_the_numbers_again() -> None:
    bench = Bench().verified()
    bench.event = 0
    told = bench.feed(sealed("E0000 BOOT UNKNOWN"))
    assert told == [Started(), VOID, ShufflerChanged(ShufflerState.BOOTING)]
    assert bench.says("STATE SELF_TEST") == [ShufflerChanged(ShufflerState.SELF_TEST)]


def test_the_wrong_number_of_decks_is_not_verified() -> None:
    bench = Bench(decks=6)
    notice, verdict = bench.says(f"VERIFIED {RIGHT}")
    assert isinstance(notice, Notice)
    assert verdict == VOID
    bench.ask(StartShuffle(decks=8))
    bench.answer("OK")
    assert bench.says("VERIFIED 8 8 OK 416 - - 0 0") == [OK], "now eight were asked for"


def test_a_verification_that_contradicts_itself_is_damage() -> None:
    bench = Bench().verified()
    bad, void = bench.says("VERIFIED 8 8 OK 415 - - 0 0")
    assert isinstance(bad, BadFrame)
    assert void == VOID


# --- order --------------------------------------------------------------------------------------


@each_row("vector", [v for v in VECTORS if v["expect"] == "order"])
def test_an_order_is_dropped_unread_and_counted(vector: dict[str, Any]) -> None:
    bench = Bench()
    for times in (1, 2):
        told = bench.feed(bytes.fromhex(vector["hex"]))
        assert OrderDropped(times) in told
        for card in ("AS", "9H", "KC", "TD", "4S"):
            assert card not in repr(told)


def test_one_run_has_one_result() -> None:
    """Else a wrong machine could spell an order, one missing card after the other."""
    bench = Bench()
    first = bench.says("VERIFIED 8 8 WRONG 415 9H:1 - 0 0")
    assert isinstance(first[0], ShuffleVerified)
    assert bench.says("VERIFIED 8 8 WRONG 415 KC:1 - 0 0") == [OrderDropped(1)]
    assert bench.says("VERIFIED 8 8 WRONG 415 9H:1 - 0 0") == [], "the same again says nothing new"


def test_nothing_of_a_line_that_was_not_understood_is_kept() -> None:
    bench = Bench()
    for data in (b"AS 9H*KC\n", b"\xff9H\n", sealed("E0001 AS"), sealed("E0002 SHINY KC")):
        for event in bench.feed(data):
            assert "9H" not in repr(event)
            assert "KC" not in repr(event)
            assert getattr(event, "data", b"") == b""


# --- damage -------------------------------------------------------------------------------------

ROUND = (
    "STATE SHUFFLING",
    "PROGRESS 416 0 416",
    "VERIFIED 7 8 WRONG 416 9H:1 KC:1 0 0",
    "STATE FAULT_OPERATOR",
    "JAM EXIT 1",
)


@each_row("hit", range(len(ROUND) - 1))
def test_a_flipped_bit_gives_no_wrong_verdict_and_is_noticed(hit: int) -> None:
    clean = [sealed(f"E{number:04d} {text}") for number, text in enumerate(ROUND, 1)]
    right = Bench().feed(b"".join(clean))
    for damaged in flips(clean[hit]):
        bench = Bench()
        told = bench.feed(b"".join([*clean[:hit], damaged, *clean[hit + 1 :]]))
        trouble = [e for e in told if isinstance(e, BadFrame | EventsLost | OrderDropped)]
        assert trouble
        assert [e for e in told if e not in trouble and e not in right] == []
        assert bench.asked == [] or bench.asked[0].endswith("STATUS")


def test_an_event_that_comes_twice_counts_once() -> None:
    bench = Bench()
    line = sealed("E0001 JAM INFEED 1")
    assert bench.feed(line) == [Jam("infeed", 1)]
    (notice,) = bench.feed(line)
    assert isinstance(notice, Notice)
    bench.event = 1
    assert bench.says("JAM INFEED 2") == [Jam("infeed", 2)]


def test_event_numbers_go_round() -> None:
    bench = Bench("ST IDLE_EMPTY 0 0 416 0 0 EMPTY 0 0 9998")
    assert bench.feed(sealed("E9999 JAM EXIT 1")) == [Jam("exit", 1)]
    assert bench.feed(sealed("E0001 JAM EXIT 2")) == [Jam("exit", 2)]
    assert bench.feed(sealed("E0004 JAM EXIT 3"))[0] == EventsLost("event 4 follows event 1", 2)


def test_a_lost_last_event_shows_in_the_next_status() -> None:
    bench = Bench().verified()
    assert bench.wait() == []
    assert bench.asked[0].endswith("STATUS")
    told = bench.answer("ST READY 416 0 416 7 1 COUNTED 0 0 4")
    assert told == [EventsLost("the machine has said more than arrived", 1), VOID]
    bench.event = 4
    assert bench.resync(READY, f"RP {RIGHT}") == [OK]


def test_a_state_that_was_missed_comes_from_the_status() -> None:
    bench = Bench().verified()
    bench.wait()
    told = bench.answer("ST FAULT_SERVICE 416 0 416 7 0 UNKNOWN 15 0 3")
    assert told[0] == ShufflerChanged(ShufflerState.FAULT_SERVICE)
    assert isinstance(told[1], ShufflerFault)
    assert told[1].kind is FaultClass.SERVICE
    assert told[2] == VOID


@settings(max_examples=50)
@given(st.binary(max_size=400))
def test_noise_raises_nothing_and_tells_nothing_but_trouble(noise: bytes) -> None:
    for event in Bench().feed(noise + b"\n"):
        assert isinstance(event, BadFrame | OrderDropped)


def test_ten_megabytes_of_noise_keep_the_driver_small_and_able_to_hear() -> None:
    bench = Bench()
    noise = Random(3).randbytes(1 << 20)
    asked = 0
    for _ in range(10):
        for at in range(0, len(noise), 1 << 16):
            bench.feed(noise[at : at + (1 << 16)])
            asked += len(bench.asked)
            bench.asked.clear()
    assert asked <= 4, "a bad line does not make the driver talk without end"
    bench.feed(b"\n")
    assert bench.says("STATE LOADING")[-1] == ShufflerChanged(ShufflerState.LOADING)


def test_a_line_over_the_limit_is_damage() -> None:
    bench = Bench()
    (bad,) = bench.feed(b"x" * (MAX_LINE_BYTES + 1) + b"\n")
    assert isinstance(bad, BadFrame)


def test_a_request_printed_back_is_nothing() -> None:
    assert Bench().feed(sealed("Q0009 STATUS")) == []


# --- asking -------------------------------------------------------------------------------------

REQUESTS: dict[str, DeviceCommand] = {
    "IDENTIFY": Identify(),
    "STATUS": AskStatus(),
    "START SHUFFLE_VERIFY 8": StartShuffle(),
    "START SORT 1": StartShuffle("sort", 1),
    "PAUSE": Pause(),
    "RESUME": Resume(),
    "ABORT": Abort(),
    "DEAL 4 5": DealHands(4, 5),
    "EMPTY": Empty(),
    "CLEAR 18": ClearFault(18),
    "HOME": Home(),
    "REPORT": AskReport(),
}


@each_row("text", REQUESTS)
def test_every_command_leaves_once_as_published(text: str) -> None:
    bench = Bench()
    assert bench.ask(REQUESTS[text]) == []
    assert bench.asked == [f"Q0004 {text}"]
    (timed_out,) = bench.wait()
    assert isinstance(timed_out, CommandTimedOut)
    assert not any(
        text in request for request in bench.asked[1:] if text not in ("STATUS", "REPORT")
    )


@each_row("reason", ["BUSY", "STATE", "DOOR", "NO_CARDS", "UNVERIFIED", "SERVICE", "BAD"])
def test_a_refusal_is_told_in_words(reason: str) -> None:
    bench = Bench()
    bench.ask(Home())
    (refused,) = bench.answer(f"NO {reason}")
    assert isinstance(refused, CommandRefused)
    assert refused.command == "home"
    assert refused.why


def test_one_motion_at_a_time() -> None:
    bench = Bench()
    bench.ask(StartShuffle())
    for command in (Home(), Empty(), StartShuffle()):
        (refused,) = bench.ask(command)
        assert isinstance(refused, CommandRefused)
    bench.answer("OK")
    (refused,) = bench.ask(Home())
    assert isinstance(refused, CommandRefused), "the shuffle goes on"
    assert bench.ask(Pause()) == [], "what holds a motion is no second motion"
    bench.answer("OK")
    bench.says("DONE 4")
    assert bench.ask(Home()) == []


def test_requests_wait_for_the_line_and_their_number_is_limited() -> None:
    bench = Bench()
    for _ in range(MAX_WAITING + 1):
        assert bench.ask(Pause()) == []
    (refused,) = bench.ask(Pause())
    assert isinstance(refused, CommandRefused)
    assert len(bench.asked) == 1
    bench.answer("NO STATE")
    assert len(bench.asked) == 1, "the next follows the answer"


def test_an_answer_to_another_request_is_not_taken() -> None:
    bench = Bench()
    bench.ask(Home())
    (late,) = bench.feed(sealed("A0003 OK"))
    assert isinstance(late, Notice)
    (strange,) = bench.feed(sealed("A0004 ID 1 a b c d"))
    assert isinstance(strange, Notice)
    assert bench.answer("OK") == [CommandDone("home")]


@each_row(
    "command",
    [
        Lock(),
        StartShuffle("riffle"),
        StartShuffle(decks=0),
        StartShuffle(decks=11),
        DealHands(0, 1),
        ClearFault(100),
    ],
)
def test_what_cannot_be_is_refused_before_a_byte_leaves(command: DeviceCommand) -> None:
    with pytest.raises(UnsupportedCommand):
        Bench().ask(command)


def test_a_motion_that_never_ends_is_a_fault() -> None:
    bench = Bench(motion_timeout_s=30.0, poll_s=1000.0)
    bench.ask(StartShuffle())
    bench.answer("OK")
    (fault,) = bench.wait()
    assert isinstance(fault, ShufflerFault)
    assert (fault.code, fault.means) == (90, ErrorMeaning.SERVICE)


def test_a_motion_that_waits_for_people_has_time() -> None:
    bench = Bench(motion_timeout_s=30.0, poll_s=1000.0)
    bench.ask(StartShuffle())
    bench.answer("OK")
    bench.at += 29
    bench.says("STATE PAUSED")
    assert bench.driver.deadline() == pytest.approx(bench.at + 30)


def test_the_status_knows_when_the_end_of_a_motion_was_missed() -> None:
    bench = Bench()
    bench.ask(Home())
    bench.answer("OK")
    bench.wait()
    bench.answer(IDLE.format(last=0))
    assert bench.ask(Home()) == []


def test_a_machine_that_hangs_is_offline_and_comes_back() -> None:
    bench = Bench().verified()
    told: list[Event] = []
    while ShufflerChanged(ShufflerState.OFFLINE) not in told:
        assert bench.at < 60
        told += bench.wait()
    assert told == [ShufflerChanged(ShufflerState.OFFLINE), VOID]
    bench.asked = bench.asked[-1:]
    if not bench.asked:
        bench.wait()
    if bench.asked[0].endswith("REPORT"):
        bench.answer(f"RP {RIGHT}")
    assert bench.resync(READY, f"RP {RIGHT}") == [ShufflerChanged(ShufflerState.READY), OK]


def test_a_new_link_ends_what_was_asked_and_asks_how_things_are() -> None:
    bench = Bench()
    bench.ask(Home())
    bench.ask(Pause())
    bench.feed(sealed("E0001 STATE LOADING")[:10])
    bench.asked.clear()
    told = bench.taken(bench.driver.hello(bench.at))
    assert told == [CommandTimedOut("home"), CommandTimedOut("pause")]
    assert bench.asked[0].endswith("IDENTIFY")
    bench.event = 3
    told = bench.answer("ID 2 Acme Mixer SN-7 2.1")
    assert isinstance(told[1], Notice), "another version of the protocol"
    assert EventsLost("the machine has said more than arrived", 3) in bench.resync()


def test_what_still_stands_is_told_again_after_a_lost_link() -> None:
    bench = Bench().verified()
    assert bench.taken(bench.driver.hello(bench.at)) == [VOID]
    bench.answer("ID 1 Acme Mixer SN-7 2.1")
    assert bench.resync(READY, f"RP {RIGHT}") == [OK]
