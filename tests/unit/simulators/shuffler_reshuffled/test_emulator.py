"""The emulated ReShuffled board, judged by the vectors and by what the published board does."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from drivers.testing.cuts import same_however_cut
from simulators.kit.contract import Refused
from simulators.kit.settings import WrongSetting
from simulators.registry import make
from simulators.shuffler_reshuffled.interface import ReShuffled
from support.rows import each_row

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[4] / "drivers/shuffler_reshuffled/vectors.json").read_text()
)
INIT = bytes.fromhex("3A494E2346313036384132340A")
SHUFFLE = bytes.fromhex("3A53482341383438443543410A")
DEAL = bytes.fromhex("3A44352338333746354344440A")
AUTO = bytes.fromhex("3A41352346453038413839380A")
OFF = bytes.fromhex("3A58582335363042314336350A")
OK = bytes.fromhex("3A4F4B2344373336443932440A")
E1 = bytes.fromhex("3A45312339443039413938350A")
E2_SHORT = bytes.fromhex("3A453223343030463833460A")
E2 = bytes.fromhex("3A45322330343030463833460A")
E3 = bytes.fromhex("3A45332337333037433841390A")


def board(**settings: object) -> ReShuffled:
    made = make("shuffler_reshuffled", settings, seed=3)
    assert isinstance(made, ReShuffled)
    return made


def ready(**settings: object) -> ReShuffled:
    """Initialised, with one deck in the tray."""
    made = board(**settings)
    made.hear(INIT)
    made.step(2.0)
    made.machine.load()
    return made


@each_row("settings", [{}, {"end": "semicolon"}, {"crc_covers": "data_and_hash"}])
def test_it_takes_and_gives_the_published_bytes(settings: dict[str, object]) -> None:
    shuffle, done = (
        bytes.fromhex(vector["hex"])
        for text in ("SH", "OK")
        for vector in VECTORS
        if vector["text"] == text and vector["settings"] == settings
    )

    def read(pieces: Iterable[bytes]) -> bytes:
        made = board(**settings, check_crc=True)
        made.machine.initialised = True
        made.machine.load()
        for piece in pieces:
            made.hear(piece)
        return made.step(0.001)

    assert same_however_cut(b"noise" + shuffle, read) == done + b"Error"


def test_errors_as_the_board_prints_them() -> None:
    made = board()
    made.hear(SHUFFLE)
    assert made.step(0.001) == E3, "not initialised"
    made.hear(INIT)
    assert made.step(2.0) == OK
    made.hear(SHUFFLE)
    assert made.step(0.001) == E1, "no cards"
    made.machine.jam()
    made.hear(INIT)
    assert made.step(0.001) == E2_SHORT, "one character short"
    padded = board(padding=True)
    padded.machine.jam()
    padded.hear(INIT)
    assert padded.step(0.001) == E2


def test_a_shuffle_takes_its_time_and_keeps_every_card() -> None:
    made = ready(card_s=0.5)
    before = list(made.machine.tray)
    made.hear(SHUFFLE)
    assert made.step(0.0) == OK, "at once, as the board does"
    made.step(25.9)
    assert made.machine.doing == "shuffle"
    made.hear(DEAL)
    assert made.step(0.0) == E3, "busy"
    made.step(0.2)
    assert made.machine.doing == ""
    assert sorted(made.machine.stack) == sorted(before)
    assert made.machine.stack != before


def test_the_answer_can_come_when_the_cards_have_moved() -> None:
    made = ready(answer="when_done", card_s=0.5)
    made.hear(SHUFFLE)
    assert made.step(25.0) == b""
    assert made.step(1.1) == OK
    made.hear(SHUFFLE)
    made.step(1.0)
    made.machine.jam()
    assert made.step(0.1) == E2_SHORT


def test_dealing_takes_cards_from_the_stack() -> None:
    made = ready()
    made.hear(DEAL)
    assert made.step(0.1) == E1, "nothing is shuffled yet"
    made.hear(SHUFFLE)
    made.step(60.0)
    made.hear(DEAL)
    made.step(60.0)
    assert len(made.machine.stack) == 47
    made.hear(AUTO)
    made.step(60.0)
    assert len(made.machine.stack) == 27
    assert len(made.words["take_dealt"].do()) == 25  # type: ignore[arg-type]


def test_seeds_decide_the_order() -> None:
    def order(seed: int) -> object:
        made = make("shuffler_reshuffled", {}, seed)
        made.words["load"].do(decks=1)
        made.hear(INIT)
        made.step(2.0)
        made.hear(SHUFFLE)
        made.step(60.0)
        return made.words["take"].do()

    assert order(1) == order(1)
    assert order(1) != order(2)


def test_faults_are_text_outside_any_frame_and_the_lamp_word_follows() -> None:
    made = ready()
    made.hear(b":SH\n")
    assert made.step(0.001) == b"Fehler: 1\r\nError"
    made.hear(INIT)
    assert made.step(2.0) == OK
    quiet = ready(chatter=False)
    quiet.hear(b":SH\n")
    assert quiet.step(0.001) == b""
    assert quiet.shown()["errors"] == 1


def test_a_frame_too_long_for_the_buffer_is_lost_up_to_the_next_colon() -> None:
    made = ready(chatter=False)
    made.hear(b":" + b"A" * 40 + b"\n" + SHUFFLE[1:])
    assert made.step(0.001) == b""
    made.hear(SHUFFLE)
    assert made.step(0.001) == OK


def test_what_the_board_does_not_check_it_takes() -> None:
    wrong_crc = b":SH#00000000\n"
    for settings, said in (({}, OK), ({"check_crc": True}, b"")):
        made = ready(chatter=False, **settings)
        made.hear(wrong_crc)
        assert made.step(0.001) == said
    odd = b":s!#00000000\n"
    assert _answer_to(odd) == OK
    assert _answer_to(odd, check_characters=True) == b"Fehler: 4\r\nError"


def _answer_to(frame: bytes, **settings: object) -> bytes:
    made = ready(**settings)
    made.hear(frame)
    return made.step(0.001)


def test_an_early_firmware_prints_requests_back() -> None:
    assert _answer_to(SHUFFLE, echo=True) == b"Received a request: " + SHUFFLE + OK


def test_shut_down_and_power_cuts_end_in_silence() -> None:
    made = ready()
    made.hear(OFF)
    assert made.step(0.001) == OK
    made.hear(INIT)
    assert made.step(1.0) == b""
    made.words["power_on"].do()
    made.hear(INIT)
    assert made.step(2.0) == OK
    made.hear(SHUFFLE)
    made.step(1.0)
    made.words["restart"].do()
    assert made.step(100.0) == b""
    assert made.shown()["doing"] == ""
    assert len(made.shown()["tray"]) == 52, "the cards lie where they lay"


def test_hands_are_refused_what_cannot_be() -> None:
    made = ready()
    with pytest.raises(Refused):
        made.words["clear_jam"].do()
    with pytest.raises(Refused):
        made.words["load"].do(decks=2)
    with pytest.raises(Refused):
        made.words["power_on"].do()
    made.hear(SHUFFLE)
    made.step(0.1)
    with pytest.raises(Refused):
        made.words["take"].do()
    with pytest.raises(Refused):
        made.words["load"].do()
    made.words["jam"].do()
    made.words["clear_jam"].do()
    with pytest.raises(WrongSetting):
        board(end="cr")
