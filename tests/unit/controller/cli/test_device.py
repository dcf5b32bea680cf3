"""`sabot device` as a technician uses it: real processes, emulators on their wires."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest
import structlog

from controller import cli
from controller.journal.seal import create_key, load_key
from controller.upkeep.machine import hardening
from drivers.io.capture import load
from drivers.io.ports import open_port
from drivers.registry import names
from drivers.testing.bench.emulated import Emulated, emulated
from support import programs
from support.boxes import unboxed
from support.devices.emulated import LIMIT_S
from support.devices.pseudo_terminal import terminal
from support.rows import each_row

ANGEL = ("--pace", "none", "--set", "burn=no", "--set", "copies=1")


@dataclass(frozen=True)
class Done:
    returncode: int
    stdout: str
    stderr: str


Sabot = Callable[..., Done]


@pytest.fixture
def sabot(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Sabot]:
    """The command in this process: most of what is asked here needs no program of its own."""

    def run(*words: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["sabot", "device", *map(str, words)])
        # This process goes on with other tests.
        monkeypatch.setattr(hardening, "close_to_others", bool)
        status: object = 0
        try:
            cli.main()
        except SystemExit as end:
            status = end.code
        out, err = capsys.readouterr()
        if isinstance(status, str):
            return Done(1, out, f"{err}{status}")
        return Done(int(str(status or 0)), out, err)

    yield run
    structlog.reset_defaults()


class Running:
    """A command that goes on until it is stopped."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def said(self, what: str, where: str = "stdout") -> str:
        """The first line with this in it."""
        stream: IO[str] = getattr(self.process, where)
        for line in stream:
            if what in line:
                return line
        raise AssertionError(f"{what!r} was never said")

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        return self.ends()

    def ends(self) -> tuple[int, str]:
        """How, by itself, and what it says until then."""
        assert self.process.stdout is not None
        out = self.process.stdout.read()
        return self.process.wait(LIMIT_S), out


@contextmanager
def running(*words: str | Path) -> Iterator[Running]:
    started = programs.start(
        "device", *words, stdin=programs.DEVNULL, stderr=programs.PIPE, text=True
    )
    with started as process:
        try:
            yield Running(process)
        finally:
            process.kill()


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[Emulated]:
    with emulated("shoe_angel_eye", "--pty", tmp_path / "shoe", *ANGEL) as made:
        yield made


def on(shoe: Emulated, driver: str = "shoe_angel_eye") -> tuple[str, ...]:
    return ("--driver", driver, "--port", shoe.port)


# --- list, enrol --------------------------------------------------------------------------------


def test_list_names_ports_and_every_driver(sabot: Sabot) -> None:
    told = json.loads(sabot("list", "--json").stdout)
    assert [driver["name"] for driver in told["drivers"]] == names()
    assert all(driver["kind"] in ("shoe", "shuffler") for driver in told["drivers"])
    assert {"serial", "usb"} < told.keys()
    assert told["drivers"][1]["capabilities"] == ["reads_cards"]
    page = sabot("list").stdout
    assert "numbers events, reads cards, takes commands, plays rounds, reports positions\n" in page
    assert all(f"  {name} " in page for name in names())
    assert "Serial ports" in page


def test_enrol_reads_what_a_unit_is_known_by(sabot: Sabot) -> None:
    with terminal() as line:
        done = sabot("enrol", "--port", line.path)
    assert (done.returncode, done.stdout) == (0, f"serial {line.path}\n")


# --- monitor ------------------------------------------------------------------------------------


def test_monitor_shows_cards_and_hex_until_ctrl_c(shoe: Emulated) -> None:
    with running("monitor", *on(shoe)) as monitor:
        assert "never for a table in play" in monitor.said("every card", "stderr")
        monitor.said("LinkUp")
        shoe.do("draw", card="8S")
        assert "44 81 b8 03" in monitor.said("  in  ")
        assert "card=8S where=player index=1" in monitor.said("CardRead")
        assert monitor.stop(signal.SIGINT)[0] == 0


def test_monitor_tells_a_pulled_cable_goes_on_when_it_is_back_and_stops_without_it(
    shoe: Emulated,
) -> None:
    with running("monitor", *on(shoe), "--json") as monitor:
        monitor.said("LinkUp")
        shoe.do("unplug")
        monitor.said("LinkLost")
        shoe.do("plug")
        monitor.said("LinkUp")
        shoe.do("draw", card="9H")
        told = json.loads(monitor.said("CardRead"))
        assert [event.get("card") for event in told["events"]][-1] == "9H"
        shoe.do("unplug")
        monitor.said("LinkLost")
        assert monitor.stop(signal.SIGTERM)[0] == 0


@pytest.mark.parametrize("command", ["monitor", "capture", "test-deck"])
def test_port_in_use_by_a_table_is_refused(sabot: Sabot, command: str, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "c") if command == "capture" else ()
    with terminal() as line, closing(open_port(line.path)):
        done = sabot(command, "--driver", "shoe_angel_eye", "--port", line.path, *out)
    assert done.returncode == 1
    assert f"{line.path} is in use by another program: a table in play?" in done.stderr
    assert "Traceback" not in done.stderr


TEST_DECK = ("test-deck", "--port", "/dev/x", "--driver")
NO_WIRE = "port = '/dev/x': shoe_by_hand has no wire, so it has no port"


@pytest.mark.parametrize(
    ("command", "driver", "says"),
    [
        ("monitor", "shoe_by_hand", NO_WIRE),
        ("capture", "shoe_by_hand", NO_WIRE),
        ("test-deck", "shoe_by_hand", NO_WIRE),
        (
            "test-deck",
            "shuffler_batch",
            "shuffler_batch is a shuffler: a test deck is drawn through a shoe",
        ),
    ],
)
def test_a_driver_that_the_command_is_not_for_is_refused_in_a_line(
    sabot: Sabot, tmp_path: Path, command: str, driver: str, says: str
) -> None:
    out = () if command == "monitor" else ("--out", tmp_path / "out")
    done = sabot(command, "--driver", driver, "--port", "/dev/x", *out)
    assert done.returncode == 1
    assert says in done.stderr
    assert done.stderr.strip().count("\n") == 0
    assert not (tmp_path / "out").exists()


@each_row(
    "words, says",
    [
        (("monitor", "--driver", "shoe_angle_eye", "--port", "/dev/x"), "did you mean"),
        (("monitor", "--driver", "shoe_angel_eye", "--port", "loop://"), "loop:// is no port"),
        (("monitor", "--driver", "shoe_angel_eye", "--port", "/dev/x/y"), "there is no /dev/x/y"),
        (
            ("monitor", "--driver", "shoe_bee_tek", "--port", "/dev/x", "--set", "colour=1"),
            "colour",
        ),
        (("monitor", "--driver", "shoe_bee_tek", "--port", "/dev/x", "--set", "1"), "KEY=VALUE"),
        (("replay", "/dev/null", "--driver", "shoe_bee_tek"), "line 1"),
        (("replay", "/dev/null"), "either --driver or --port"),
        ((*TEST_DECK, "shoe_bee_tek", "--quiet", "-3"), "-3 seconds are none"),
        ((*TEST_DECK, "shoe_bee_tek", "--quiet", "0"), "0 seconds are none"),
        ((*TEST_DECK, "shoe_bee_tek", "--quiet", "nan"), "nan seconds are none"),
        ((*TEST_DECK, "shoe_bee_tek", "--quiet", "inf"), "inf seconds are none"),
    ],
)
def test_bad_words_get_a_sentence(sabot: Sabot, words: tuple[str, ...], says: str) -> None:
    done = sabot(*words)
    assert done.returncode != 0
    assert says in unboxed(done.stderr)
    assert "Traceback" not in done.stderr


# --- capture and replay -------------------------------------------------------------------------


def captured(shoe: Emulated, out: Path, *more: str | Path) -> None:
    with running("capture", *on(shoe), "--out", out, *more) as capture:
        capture.said("capturing", "stderr")
        for card in ("8S", "9H"):
            shoe.do("draw", card=card)
        until = time.monotonic() + LIMIT_S
        while _cards(out, more) < 2:  # both are through the driver and in the file
            assert time.monotonic() < until
        assert capture.stop()[0] == 0


def _cards(path: Path, more: tuple[str | Path, ...]) -> int:
    moments = load(path, load_key(Path(more[1])) if more else None).moments
    return sum(moment.kind == "event" and "card" in moment.says for moment in moments)


def test_capture_is_replayed_with_the_same_events(
    sabot: Sabot, shoe: Emulated, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    captured(shoe, out)
    assert out.stat().st_mode & 0o777 == 0o600
    done = sabot("replay", out, "--driver", "shoe_angel_eye")
    assert done.returncode == 0, done.stderr
    assert "card=8S" in done.stdout
    assert "card=9H" in done.stdout
    lines = sabot("replay", out, "--driver", "shoe_angel_eye", "--json").stdout.splitlines()
    assert any(json.loads(line).get("events") for line in lines)
    other = sabot("replay", out, "--driver", "shoe_bee_tek")
    assert other.returncode == 1
    assert "now" in other.stderr
    again = sabot("capture", *on(shoe), "--out", out)
    assert again.returncode != 0
    assert "exists" in again.stderr


def test_sealed_capture_shows_no_card_and_opens_with_its_key(
    sabot: Sabot, shoe: Emulated, tmp_path: Path
) -> None:
    out, key = tmp_path / "c", tmp_path / "key"
    create_key(key, lambda count: bytes(range(count)))
    captured(shoe, out, "--key", key)
    text = out.read_text()
    assert "CardRead" not in text
    assert "8S" not in text.replace(json.loads(text.splitlines()[1])["sealed"], "")
    done = sabot("replay", out, "--driver", "shoe_angel_eye", "--key", key)
    assert done.returncode == 0, done.stderr
    assert "card=8S" in done.stdout
    refused = sabot("replay", out, "--driver", "shoe_angel_eye")
    assert refused.returncode == 1
    assert "is sealed" in refused.stderr
    kept = sabot("vector", out, "--out", tmp_path / "vectors.json")
    assert kept.returncode == 1
    assert "its cards belong to that table" in kept.stderr


def by_hand(path: Path, *moments: dict[str, Any]) -> Path:
    head = {"sabot_capture": 1, "sealed": False}
    path.write_text("".join(json.dumps(each) + "\n" for each in (head, *moments)))
    return path


CONFIRM = b"\x02OPGP00\x0309".hex()


def test_hosts_side_is_played_into_an_emulator(
    sabot: Sabot, shoe: Emulated, tmp_path: Path
) -> None:
    confirmed = ({"at": 0, "link": "up"}, {"at": 0.01, "out": CONFIRM}, {"at": 0.02, "in": "06"})
    file = by_hand(tmp_path / "c", *confirmed)
    for pace in ((), ("--at-once",)):
        done = sabot("replay", file, "--port", shoe.port, *pace)
        assert done.returncode == 0, done.stderr
        assert done.stdout == "1 bytes came back, 1 did when it was captured\n"
    file = by_hand(tmp_path / "c", {"at": 0, "out": CONFIRM}, {"at": 0, "in": "15"})
    done = sabot("replay", file, "--port", shoe.port)
    assert done.returncode == 1
    assert "answered differently" in done.stderr


def test_capture_that_was_cut_off_is_played_as_far_as_it_goes(sabot: Sabot, tmp_path: Path) -> None:
    file = by_hand(tmp_path / "c", {"at": 0, "link": "up"})
    file.write_text(file.read_text() + '{"at": 1, "i')
    done = sabot("replay", file, "--driver", "shoe_bee_tek")
    assert done.returncode == 0
    assert "is incomplete" in done.stderr


# --- test deck ----------------------------------------------------------------------------------


@pytest.fixture
def scanner() -> Iterator[Emulated]:
    options = ("--set", "report_ms=0", "--set", "cut_label=CUT1")
    with emulated("shoe_barcode_usb", "--usbip", "127.0.0.1:0", *options) as made:
        yield made


def deck_pass(scanner: Emulated, *words: str | Path) -> tuple[str | Path, ...]:
    return ("test-deck", *on(scanner, "shoe_barcode_usb"), "--set", "cut_label=CUT1", *words)


def order(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_deck_that_is_read_rightly_ends_by_itself(scanner: Emulated, tmp_path: Path) -> None:
    cards = order(tmp_path / "order", "8S 9H, TD\n2C")
    with running(*deck_pass(scanner, "--order", cards)) as deck:
        deck.said("draw card 1 of 4: 8S", "stderr")
        for card in ("8S", "9H", "TD", "2C"):
            scanner.do("draw", card=card)
        status, out = deck.ends()
        assert status == 0
        assert "4 of 4 cards were read rightly" in out


def test_deck_that_is_misread_says_which_and_how(scanner: Emulated, tmp_path: Path) -> None:
    cards = order(tmp_path / "order", "8S 9H TD 2C KS")
    with running(*deck_pass(scanner, "--order", cards, "--json")) as deck:
        deck.said("draw card 1 of 5", "stderr")
        scanner.do("draw", card="8S")
        scanner.do("draw", card="6H")
        scanner.do("foreign")
        scanner.do("draw", card="KS")
        scanner.do("cutting_card")
        status, out = deck.ends()
        assert status == 1
    told = json.loads(out)
    assert told["misread"] == [["9H", "6H"]]
    assert (told["unreadable"], told["missing"]) == (["TD"], ["2C"])
    assert told["ranks"]["9"] == {"6": 1}


def test_lost_and_doubled_cards_are_named_and_the_others_stay_in_step(
    scanner: Emulated, tmp_path: Path
) -> None:
    cards = order(tmp_path / "order", "8S 9H TD 2C KS 4D 5D 6D")
    with running(*deck_pass(scanner, "--order", cards)) as deck:
        deck.said("draw card 1 of 8: 8S", "stderr")
        for card, next_is in (("8S", "2 of 8: 9H"), ("TD", "4 of 8: 2C"), ("2C", "5 of 8: KS")):
            scanner.do("draw", card=card)
            deck.said(f"draw card {next_is}", "stderr")
        for card in ("KS", "KS", "4D"):
            scanner.do("draw", card=card)
        deck.said("draw card 7 of 8: 5D", "stderr")
        scanner.do("draw", card="5D")
        deck.said("After card 5 the shoe told the king of spades (KS)", "stderr")
        scanner.do("draw", card="6D")
        status, out = deck.ends()
        assert status == 1
    assert out.splitlines()[:3] == [
        "7 of 8 cards were read rightly.",
        "Card 2 of 8, the 9 of hearts (9H), was drawn and never told: it was lost.",
        "After card 5 the shoe told the king of spades (KS) although no such card was drawn then: "
        "doubled.",
    ]


def test_two_passes_become_two_reports_and_are_compared(
    sabot: Sabot, scanner: Emulated, tmp_path: Path
) -> None:
    cards = order(tmp_path / "order", "8S 9H TD")
    for folder, drawn in (("before", "8S TD"), ("after", "8S 9H TD")):
        words = ("--order", cards, "--out", tmp_path / folder, "--asset", "SHOE-7")
        with running(*deck_pass(scanner, *words)) as deck:
            deck.said("draw card 1 of 3: 8S", "stderr")
            for card in drawn.split():
                scanner.do("draw", card=card)
            deck.ends()
    both = (tmp_path / "before", tmp_path / "after")
    done = sabot("compare", *both, "--out", tmp_path / "both.html")
    assert done.returncode == 0, done.stderr
    assert "unit SHOE-7: before and after. It is right now: 1 put right" in done.stdout
    assert "Card 2, the 9 of hearts (9H): before lost, now read rightly." in done.stdout
    assert (tmp_path / "both.html").read_text().count("<svg") == 2
    assert "<b>NOT PASSED</b>" in (tmp_path / "before" / "report.html").read_text()
    assert sabot("compare", *reversed(both)).returncode == 1
    again = sabot(*deck_pass(scanner, "--out", tmp_path / "before"))
    assert "has a report already" in unboxed(again.stderr)
    assert "is no report" in sabot("compare", cards, cards).stderr


def test_a_cable_that_was_lost_in_the_middle_is_in_the_report(
    shoe: Emulated, tmp_path: Path
) -> None:
    cards = order(tmp_path / "order", "8S 9H TD 2C")
    words = ("--order", cards, "--out", tmp_path / "out")
    with running("test-deck", *on(shoe), *words) as deck:
        deck.said("draw card 1 of 4: 8S", "stderr")
        shoe.do("draw", card="8S")
        deck.said("draw card 2 of 4: 9H", "stderr")
        shoe.do("unplug")
        deck.said("The link was gone after card 1.", "stderr")
        shoe.do("plug")
        deck.said("draw card 2 of 4: 9H", "stderr")
        for card in ("TD", "2C"):  # the other one went with the link
            shoe.do("draw", card=card)
        status, out = deck.ends()
    assert status == 1
    assert out.splitlines()[1] == "The link was gone after card 1."
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "<b>What differed first.</b> The link was gone after card 1." in page
    assert "try another cable" in page
    assert "Clean the reader" not in page


def test_a_capture_becomes_vectors_by_one_command(
    sabot: Sabot, shoe: Emulated, tmp_path: Path
) -> None:
    file, out = tmp_path / "c", tmp_path / "vectors.json"
    captured(shoe, file)
    refused = sabot("vector", file, "--out", out)
    assert refused.returncode == 1
    assert "may be those of a table" in refused.stderr
    assert not out.exists()
    cards = order(tmp_path / "order", "8S 9H")
    done = sabot("vector", file, "--out", out, "--order", cards)
    assert done.returncode == 0, done.stderr
    vectors = json.loads(out.read_text())
    assert [each["tells"][0]["card"] for each in vectors] == ["8S", "9H"]
    assert shoe.port not in out.read_text()
    assert "exists" in sabot("vector", file, "--out", out, "--order", cards).stderr


def test_matrix_of_a_pass_that_is_stopped_can_be_read(scanner: Emulated) -> None:
    with running(*deck_pass(scanner)) as deck:
        deck.said("draw card 1 of 52: AS", "stderr")
        scanner.do("draw", card="AS")
        deck.said("draw card 2 of 52: 2S", "stderr")
        status, out = deck.stop()
        assert status == 1
    assert "1 of 52 cards were read rightly" in out
    assert "No card came after card 1: the last 51 cards, from the 2 of spades (2S) on" in out
    assert out.splitlines()[-4].split() == ["S", "1", ".", ".", ".", "12"]


def test_pass_ends_when_no_card_comes(sabot: Sabot, scanner: Emulated) -> None:
    done = sabot(*deck_pass(scanner, "--quiet", "0.1"))
    assert done.returncode == 1
    assert "0 of 52" in done.stdout


def test_card_a_locked_shoe_calls_one_too_many_counts_at_the_bench(
    shoe: Emulated, tmp_path: Path
) -> None:
    cards = order(tmp_path / "order", "8S 9H")
    with running("test-deck", *on(shoe), "--order", cards) as deck:
        deck.said("draw card 1 of 2: 8S", "stderr")
        shoe.do("key", locked=True)
        shoe.do("draw", card="8S")
        shoe.do("draw", card="9H")
        status, out = deck.ends()
        assert status == 0, out


@pytest.mark.parametrize("text", ["", "8S 1X", "8S " * 1001])
def test_order_that_is_none_is_refused(sabot: Sabot, tmp_path: Path, text: str) -> None:
    cards = order(tmp_path / "order", text)
    port = ("--driver", "shoe_bee_tek", "--port", "/dev/x")
    done = sabot("test-deck", *port, "--order", cards)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
