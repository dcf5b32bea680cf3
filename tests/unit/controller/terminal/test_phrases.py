"""What people type at a table in a terminal, and the message each line stands for."""

from typing import Any

import msgspec
import pytest

from controller.messages.catalogue import catalogue
from controller.table.commands.registry import REGISTRY
from controller.terminal.phrases import PHRASES, NotUnderstood, Speech, help_lines
from controller.terminal.screen import TextFrontend
from controller.views.sentence_views import SentenceView
from support.rows import each_row
from support.table.bench import Bench

SAID: list[tuple[str, str, dict[str, Any]]] = [
    ("open table", "open_table", {}),
    ("close table", "close_table", {}),
    ("stay open", "stay_open", {}),
    (
        "load shoe blue by pia 6 decks",
        "load_shoe",
        {"deck_set": "blue", "verified_by": "pia", "cut": True, "decks": 6},
    ),
    ("method c drawer ann", "method", {"method": "C", "drawer": "ann"}),
    ("open betting", "open_betting", {}),
    (
        "bet ann 2000 banker 1",
        "place",
        {"player": "ann", "amount": 2000, "wager": "banker", "position": 1},
    ),
    ("decrease w1 500", "decrease", {"id": "w1", "amount": 500}),
    ("raise w1 500", "raise", {"id": "w1", "amount": 500}),
    ("withdraw w1", "withdraw", {"id": "w1"}),
    ("close betting", "close_betting", {}),
    ("close betting anyway", "close_betting", {"anyway": True}),
    ("give banker ann", "accept_cards", {"hand": "banker", "player": "ann"}),
    ("no banker ann", "refuse_cards", {"hand": "banker", "player": "ann"}),
    ("first banker", "reveal_first", {"hand": "banker"}),
    ("expose banker", "expose", {"hand": "banker"}),
    ("expose player 2", "expose", {"hand": "player", "card": 2}),
    ("announce", "announce", {}),
    ("settle", "settle", {}),
    ("answer no", "answer", {"value": False}),
    ("answer order 3 2", "answer", {"order": [3, 2]}),
    ("option ann withdraw w1 w2", "option", {"player": "ann", "choice": "withdraw"}
     | {"wagers": ["w1", "w2"]}),
    ("close offer", "close_offer", {}),
    ("approve", "approve", {}),
    ("refuse", "refuse", {}),
    ("resume", "resume", {}),
    ("count 3", "count", {"cards": 3}),
    ("enter 9H", "enter_card", {"card": "9H", "reason": "read from the table"}),
    ("enter 9H as 5", "enter_card", {"card": "9H", "reason": "read from the table", "n": 5}),
    ("correct 3 to 9H: a smudge", "correct", {"n": 3, "card": "9H", "reason": "a smudge"}),
    ("decide go on: it lies there", "decide", {"outcome": "go_on", "text": "it lies there"}),
    (
        "decide remove w1 w2: late",
        "decide",
        {"outcome": "remove", "text": "late", "remove": ["w1", "w2"]},
    ),
    ("report simultaneous", "report", {"what": "simultaneous"}),
    (
        "report cards_taken cards=3,4 hand=banker round=7",
        "report",
        {"what": "cards_taken", "cards": [3, 4], "hand": "banker", "round": 7},
    ),
    (
        "place player=ann wager=tie amount=100 position=1 seated=no",
        "place",
        {"player": "ann", "wager": "tie", "amount": 100, "position": 1, "seated": False},
    ),
]  # fmt: skip


@each_row("line, word, given", SAID)
def test_line_is_understood(line: str, word: str, given: dict[str, Any]) -> None:
    told = Speech().understand(line)
    assert (told.source, told.who, told.role) == ("staff", "dealer", "dealer")
    assert (told.type, told.payload) == (word, msgspec.convert(given, REGISTRY[word].struct))


def test_every_phrase_says_a_word_and_is_tried_above() -> None:
    assert {phrase.word for phrase in PHRASES} <= set(REGISTRY)
    tried = {word for _, word, _ in SAID}
    assert {phrase.word for phrase in PHRASES} <= tried
    assert all(any(phrase.how in line for line in help_lines()) for phrase in PHRASES)


def test_who_speaks_is_set_named_or_put_before_a_colon() -> None:
    speech = Speech()
    assert speech.introduce("pia is a pit supervisor") == "pia is pit supervisor"
    assert speech.understand("approve pia").who == "pia"
    assert speech.understand("pia: resume").role == "pit_supervisor"
    assert speech.understand("approve").who == "dealer"
    assert speech.introduce("i am sue gaming_shift_manager") == "sue is gaming shift manager"
    assert speech.understand("settle").role == "gaming_shift_manager"
    speech.introduce("ann is player")
    placed = speech.understand("ann: option ann play")
    assert (placed.source, placed.who, placed.role) == ("player", "ann", None)


@each_row(
    "line, why",
    [
        ("dance", "unknown command 'dance'"),
        ("card", "unknown command"),
        ("report simultaneous cards", "use key=value"),
        ("approve bob", "who is bob?"),
    ],
)
def test_line_nobody_understands_is_said_so(line: str, why: str) -> None:
    with pytest.raises(NotUnderstood, match=why):
        Speech().understand(line)


@each_row("name", ["shoe", "Shuffler", "system"])
def test_nobody_is_introduced_under_a_devices_name(name: str) -> None:
    speech = Speech()
    for line in (f"i am {name} pit_supervisor", f"{name} is pit_supervisor"):
        with pytest.raises(NotUnderstood, match="is reserved"):
            speech.introduce(line)
    with pytest.raises(NotUnderstood, match="who is"):
        speech.understand(f"approve {name}")


def test_one_name_typed_in_two_ways_is_not_two_people() -> None:
    speech = Speech()
    speech.introduce("i am pia pit_supervisor")
    for line in (
        "Pia is pit_manager",
        "i am PIA pit_manager",
        "Dealer is pit_supervisor",
        "pi\u0430 is pit_manager",
    ):
        with pytest.raises(NotUnderstood, match="looks like"):
            speech.introduce(line)
    speech.introduce("pia is pit_manager")
    assert speech.understand("approve pia").role == "pit_manager", "the same name in another role"


# --- the second person --------------------------------------------------------------------------


def said(bench: Bench, speech: Speech, line: str) -> str | None:
    """The table's refusal of what somebody types, or None."""
    if speech.introduce(line) is not None:
        return None
    answer = bench.hear(speech.understand(line))
    return answer.why.code if answer.why else None


def asked_by(speaker: str) -> tuple[Bench, Speech]:
    """A void that somebody at the terminal has asked for."""
    bench, speech = Bench().deal("9H", "2C", "KD"), Speech()
    assert said(bench, speech, speaker) is None
    assert said(bench, speech, "report wrong_count") is None
    return bench, speech


def test_name_nobody_has_introduced_approves_nothing() -> None:
    bench, speech = asked_by("i am dan dealer")
    for line in ("approve pia", "approve ghost"):
        with pytest.raises(NotUnderstood, match="who is"):
            speech.understand(line)
    with pytest.raises(NotUnderstood, match="unknown command"):
        speech.understand("pia: approve")
    assert bench.table.case is not None


@each_row("line", ["approve", "approve pia", "pia: approve"])
def test_whoever_asked_is_not_the_second_person(line: str) -> None:
    bench, speech = asked_by("i am pia pit_supervisor")
    assert said(bench, speech, line) == "takes_two"
    said(bench, speech, "i am pia gaming_shift_manager")
    assert said(bench, speech, line) == "takes_two", "in whatever role"
    assert bench.table.case is not None


def test_second_person_is_introduced_with_a_role_that_reaches() -> None:
    bench, speech = asked_by("i am pia pit_supervisor")
    said(bench, speech, "ann is player")
    assert said(bench, speech, "approve ann") == "not_your_word"
    said(bench, speech, "dan is dealer")
    assert said(bench, speech, "approve dan") == "takes_role"
    said(bench, speech, "max is pit_manager")
    assert said(bench, speech, "approve max") is None
    assert bench.table.case is None


def test_role_that_is_none_is_said_with_those_there_are() -> None:
    with pytest.raises(NotUnderstood, match="pit_supervisor"):
        Speech().introduce("pia is queen")


def test_notices_are_shown_once() -> None:
    frontend = TextFrontend(None, print, lambda: None, catalogue())  # type: ignore[arg-type]
    a, b, c, d = (SentenceView(code, {}, code) for code in "abcd")
    assert frontend._new([a, b]) == [a, b]
    assert frontend._new([a, b, c]) == [c]
    assert frontend._new([b, c, d]) == [d], "the oldest was pushed out"
    assert frontend._new([]) == []
    assert frontend._new([a]) == [a]
