"""`python -m simulators` for real: on a terminal, on TCP, on a serial port, by its back door."""

import json
import os
import signal
import socket
import subprocess
import sys
import tty
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
import serial

from drivers.testing.bench.emulated import Emulated, emulated
from simulators.__main__ import main
from simulators.bench import panel
from support.devices.emulated import LIMIT_S, read
from support.rows import each_row

FAST = ("--pace", "none", "--set", "burn=no", "--set", "copies=1")
EIGHT_OF_SPADES = b"D\x81\xb8"


@contextmanager
def opened(path: str) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@pytest.fixture
def on_a_terminal(tmp_path: Path) -> Iterator[Emulated]:
    with emulated("shoe_angel_eye", "--pty", tmp_path / "shoe", *FAST) as shoe:
        yield shoe


@pytest.fixture
def on_tcp() -> Iterator[Emulated]:
    with emulated("shoe_angel_eye", "--tcp", "127.0.0.1:0", *FAST) as shoe:
        yield shoe


def hosted(descriptor: int) -> None:
    """The shoe has heard this host: a command that means nothing to it was answered."""
    os.write(descriptor, b"\x02OPGP00\x0309")
    assert read(descriptor, 1) == b"\x06"


def test_ready_line_names_port_and_back_door(on_a_terminal: Emulated, tmp_path: Path) -> None:
    assert on_a_terminal.ready["ready"] == "shoe_angel_eye"
    assert on_a_terminal.port == str(tmp_path / "shoe")
    assert on_a_terminal.ready["panel"].startswith("http://127.0.0.1:")


def test_card_drawn_at_the_back_door_comes_out_of_the_terminal(on_a_terminal: Emulated) -> None:
    with serial.Serial(on_a_terminal.port, 4800, exclusive=True, timeout=LIMIT_S) as port:
        assert on_a_terminal.do("draw", card="8S") == "8S"
        assert port.read(8)[2:5] == EIGHT_OF_SPADES
        port.write(b"\x02OPLK02\x031B")
        assert port.read(1) == b"\x06"
    assert on_a_terminal.state()["device"]["locked"] is True


def test_host_that_comes_back_is_served_again_and_hears_nothing_old(
    on_a_terminal: Emulated,
) -> None:
    for _ in range(3):
        with opened(on_a_terminal.port) as host:
            on_a_terminal.do("key", locked=True)
            assert read(host, 7)[2:4] == b"L\x81"
        on_a_terminal.do("key", locked=False)


def test_pulled_terminal_is_an_error_and_comes_back_at_the_same_place(
    on_a_terminal: Emulated,
) -> None:
    with opened(on_a_terminal.port) as host:
        hosted(host)
        on_a_terminal.do("unplug")
        assert read(host, 1) == b""
    assert not os.path.lexists(on_a_terminal.port)
    on_a_terminal.do("draw", card="9S")
    on_a_terminal.do("plug")
    with opened(on_a_terminal.port) as host:
        on_a_terminal.do("draw", card="8S")
        assert read(host, 8)[2:5] == b"D\x91\xb8", "as banker's: the first one went unheard"


def test_cut_terminal_delivers_every_byte_before_the_cut(on_a_terminal: Emulated) -> None:
    with opened(on_a_terminal.port) as host:
        on_a_terminal.do("cut", after=5)
        on_a_terminal.do("draw", card="8S")
        assert read(host, 8) == b"\x053" + EIGHT_OF_SPADES
    assert on_a_terminal.state()["connected"] is False


def test_cut_is_seen_even_when_the_new_cable_is_there_first(on_a_terminal: Emulated) -> None:
    with opened(on_a_terminal.port) as host:
        on_a_terminal.do("cut", after=5)
        on_a_terminal.do("draw", card="8S")
        on_a_terminal.do("plug")  # before the host has read anything
        assert len(read(host, 8)) <= 5
    with opened(on_a_terminal.port) as host:
        hosted(host)


def test_hung_device_keeps_its_port_open(on_a_terminal: Emulated) -> None:
    with opened(on_a_terminal.port) as host:
        on_a_terminal.do("hang")
        on_a_terminal.do("draw", card="8S")
        os.write(host, b"\x02OPGP00\x0309")
        assert on_a_terminal.state()["hung"] is True
        on_a_terminal.do("resume")
        assert read(host, 8)[2:5] == EIGHT_OF_SPADES
        hosted(host)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_it_cleanly(on_a_terminal: Emulated, number: signal.Signals) -> None:
    process = on_a_terminal.process
    process.send_signal(number)
    assert process.wait(LIMIT_S) == 0
    assert not os.path.lexists(on_a_terminal.port)


def test_it_does_not_outlive_whoever_started_it(on_a_terminal: Emulated) -> None:
    """Killed or not, the other end of its standard input is closed by the kernel."""
    process = on_a_terminal.process
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(LIMIT_S) == 0


def test_all_listeners_hear_the_same_and_the_fifth_is_turned_away(on_tcp: Emulated) -> None:
    with ExitStack() as stack:
        hosts = [
            stack.enter_context(socket.create_connection(on_tcp.address, LIMIT_S)).fileno()
            for _ in range(4)
        ]
        os.write(hosts[3], b"\x02OPGP00\x0309")
        assert [read(host, 1) for host in hosts] == [b"\x06"] * 4
        fifth = stack.enter_context(socket.create_connection(on_tcp.address, LIMIT_S))
        assert read(fifth.fileno(), 1) == b""
        on_tcp.do("draw", card="8S")
        assert [read(host, 8)[2:5] for host in hosts] == [EIGHT_OF_SPADES] * 4


def test_pulled_tcp_cable_refuses_until_it_is_back(on_tcp: Emulated) -> None:
    with socket.create_connection(on_tcp.address, LIMIT_S) as host:
        hosted(host.fileno())
        on_tcp.do("unplug")
        with suppress(ConnectionResetError):
            assert host.recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(on_tcp.address, LIMIT_S).close()
    on_tcp.do("plug")
    with socket.create_connection(on_tcp.address, LIMIT_S) as host:
        hosted(host.fileno())
        on_tcp.do("draw", card="8S")
        assert read(host.fileno(), 8)[2:5] == EIGHT_OF_SPADES


def test_silent_cable_behind_the_device_server_keeps_the_link(on_tcp: Emulated) -> None:
    with socket.create_connection(on_tcp.address, LIMIT_S) as host:
        hosted(host.fileno())
        on_tcp.do("silence")
        on_tcp.do("draw", card="8S")
        on_tcp.do("silence", on=False)
        on_tcp.do("draw", card="9S")
        assert read(host.fileno(), 8)[2:5] == b"D\x91\xb9"


def test_real_serial_port_carries_the_same_bytes() -> None:
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    try:
        with emulated("shoe_bee_tek", "--serial", os.ttyname(theirs)) as shoe:
            shoe.do("draw", card="4S")
            assert read(ours, 19) == b" [Game]<Card:4S> \r\n"
            shoe.do("unplug")
            shoe.do("plug")
            shoe.do("draw", card="5H")
            assert read(ours, 19) == b" [Game]<Card:5H> \r\n"
            assert shoe.stop() == 0
    finally:
        os.close(ours)
        os.close(theirs)


def test_real_pace_loses_and_changes_nothing(tmp_path: Path) -> None:
    deck = tmp_path / "deck"
    deck.write_text("4S 5H KD", encoding="utf-8")
    options = ("--pty", tmp_path / "shoe", "--deck", deck, "--pace", "real")
    with emulated("shoe_bee_tek", *options) as shoe, opened(shoe.port) as host:
        for card in ("4S", "5H", "KD"):
            assert shoe.do("draw") == card
        expected = b"".join(b" [Game]<Card:%s> \r\n" % card for card in (b"4S", b"5H", b"KD"))
        assert read(host, len(expected)) == expected


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "simulators", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )


def test_small_command_is_a_hand(on_tcp: Emulated) -> None:
    url = on_tcp.ready["panel"]
    with socket.create_connection(on_tcp.address, LIMIT_S) as host:
        hosted(host.fileno())
        drawn = run("do", url, "draw", "card=8S")
        assert (drawn.returncode, json.loads(drawn.stdout)) == (0, "8S")
        assert read(host.fileno(), 8)[2:5] == EIGHT_OF_SPADES
    refused = run("do", url, "resume")
    assert refused.returncode == 2
    assert refused.stderr == "the device does not hang\n"


def test_small_command_shows_words_and_state(
    on_tcp: Emulated, capsys: pytest.CaptureFixture[str]
) -> None:
    url = on_tcp.ready["panel"]
    assert main(["words", url]) == 0
    out = capsys.readouterr().out
    assert "draw_two" in out
    assert "card= like 9S" in out
    assert main(["state", url]) == 0
    assert json.loads(capsys.readouterr().out)["device"]["cards_left"] == 416
    assert main(["settings", "shoe_angel_eye"]) == 0
    assert "command_bcc = with_stx (with_stx, without_stx" in capsys.readouterr().out


def test_help_names_every_device() -> None:
    shown = run("--help")
    assert shown.returncode == 0
    assert "shoe_bee_tek" in shown.stdout
    assert "shuffler_batch" in shown.stdout
    assert "--pty" in run("shoe_bee_tek", "--help").stdout


@each_row(
    "words, says",
    [
        (("--tcp", "0.0.0.0:0"), "add --anyway"),
        (("--tcp", "table:4001"), "as a number"),
        (("--tcp", "127.0.0.1"), "HOST:PORT"),
        (("--tcp", "127.0.0.1:99999"), "HOST:PORT"),
        (("--tcp", "127.0.0.1:0", "--set", "copies"), "key=value"),
        (("--tcp", "127.0.0.1:0", "--set", "copies=0"), "may be 1, 2"),
        (("--tcp", "127.0.0.1:0", "--deck", "no/such/file"), "cannot read the deck"),
        (("--tcp", "127.0.0.1:0", "--panel", "70000"), "back door"),
        (("--serial", "/no/such/port"), "cannot open /no/such/port"),
        (("--pty", "/no/such/folder/shoe"), "cannot make the link"),
    ],
)
def test_misuse_says_what_to_do(
    words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shoe_angel_eye", *words]) == 2
    assert says in capsys.readouterr().err


def test_file_in_the_place_of_the_link_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "shoe"
    place.write_text("precious", encoding="utf-8")
    assert main(["shoe_angel_eye", "--pty", str(place)]) == 2
    assert "no symbolic link" in capsys.readouterr().err
    assert place.read_text("utf-8") == "precious"


def test_port_that_is_taken_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        assert main(["shoe_angel_eye", "--tcp", f"127.0.0.1:{number}"]) == 2
        assert "cannot listen" in capsys.readouterr().err


def test_nobody_at_the_back_door(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        assert main(["state", f"http://127.0.0.1:{bound.getsockname()[1]}"]) == 2
    assert "nobody answers" in capsys.readouterr().err
    with pytest.raises(panel.DoorError, match="nobody answers"):
        panel.ask("nonsense", "/state")
