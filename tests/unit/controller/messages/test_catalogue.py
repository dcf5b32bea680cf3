"""Catalogues: money, plurals, names, what is missing, and English for what a language lacks."""

import pytest

from controller.messages import catalogue as module
from controller.messages.catalogue import (
    ENGLISH,
    Catalogue,
    Currency,
    catalogue,
    english,
    languages,
    text_params,
)
from controller.messages.codes import Code, ParamKind
from controller.messages.sentence import Sentence, sentence
from support.rows import each_row

NOTHING = {"nothing": {"any": "none", "name": "nobody"}}


def says(text: object, names: dict[str, dict[str, str]] | None = None, **gaps: object) -> str:
    """One sentence of a catalogue that has no other."""
    own = Catalogue({"x": text}, {**NOTHING, **(names or {})}, Currency("SGD"))  # type: ignore[dict-item]
    return own.text(Sentence("x", gaps))  # type: ignore[arg-type]


# --- money --------------------------------------------------------------------------------------


@each_row(
    "amount, minor_units, written",
    [
        (0, 2, "SGD 0"),
        (5, 2, "SGD 0.05"),
        (50, 2, "SGD 0.50"),
        (100, 2, "SGD 1"),
        (123_456_700, 2, "SGD 1,234,567"),
        (123_456_789, 2, "SGD 1,234,567.89"),
        (-2550, 2, "SGD -25.50"),
        (-5, 2, "SGD -0.05"),
        (12_345, 0, "SGD 12,345"),
        (0, 0, "SGD 0"),
        (1_005, 3, "SGD 1.005"),
        (7, 3, "SGD 0.007"),
    ],
)
def test_money_is_written_as_people_write_it(amount: int, minor_units: int, written: str) -> None:
    assert Currency("SGD", minor_units).written(amount) == written


def test_a_currency_without_a_name_is_a_plain_number() -> None:
    assert Currency().written(2_500_000) == "25,000"


def test_a_gap_of_money_is_written_in_the_tables_currency() -> None:
    said = sentence(Code.MINIMUM_ABOVE_MAXIMUM, minimum=500_000, maximum=100_000)
    found = catalogue(ENGLISH, Currency("SGD")).text(said)
    assert "SGD 5,000" in found
    assert "SGD 1,000" in found
    assert "500000" not in found


# --- grammar and gaps ---------------------------------------------------------------------------

CARDS = {"by": "n", "one": "1 card", "other": "{n:number} cards"}


@each_row("n, written", [(1, "1 card"), (0, "0 cards"), (12, "12 cards")])
def test_one_is_one_and_everything_else_is_many(n: int, written: str) -> None:
    assert says(CARDS, n=n) == written


def test_several_are_written_one_after_the_other() -> None:
    assert says("{who:name*} wait", who=["ann", "bob"]) == "ann, bob wait"
    assert says("{who:name*} wait", who=[]) == " wait"


def test_what_is_not_there_has_words_of_its_own() -> None:
    assert says("{who:name}: {card:card}", who=None, card=None) == "nobody: none"
    assert says("{who:name}") == "nobody", "also where the gap itself is missing"


def test_an_id_that_has_a_name_is_written_by_it_and_else_without_underscores() -> None:
    names = {"role": {"pit_manager": "pit manager on duty"}}
    assert says("ask a {role:role}", names, role="pit_manager") == "ask a pit manager on duty"
    assert says("ask a {role:role}", names, role="night_porter") == "ask a night porter"


def test_a_name_that_begins_a_sentence_has_a_capital_and_a_persons_or_a_wagers_is_left_alone() -> (
    None
):
    assert (
        says("{device:device} ready", {"device": {"shoe": "shoe"}}, device="shoe") == "Shoe ready"
    )
    assert says("{who:name} waits", who="ann") == "ann waits"
    assert says("{wager:wager} stays", wager="w1") == "w1 stays"


@each_row("kind", ["number", "card", "name", "clause", "id", "says"])
def test_what_stands_for_itself_is_not_changed(kind: str) -> None:
    names = {kind: {"a_b": "something else"}}
    assert says(f"{{it:{kind}}}", names, it="a_b") == "a_b"


def test_a_persons_words_are_no_text_with_gaps() -> None:
    assert says("{it:says}", it="{n:number}") == "{n:number}"


# --- languages ----------------------------------------------------------------------------------


def test_what_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        ENGLISH: module.LanguageFile(
            {"a": "a in English", "b": "b in English, {role:role}"},
            {**NOTHING, "role": {"dealer": "dealer", "player": "player"}},
        ),
        "xx": module.LanguageFile({"a": "a in x"}, {"role": {"dealer": "x-dealer"}}),
    }
    monkeypatch.setattr(module, "_file", files.__getitem__)
    own = catalogue.__wrapped__("xx")
    assert own.text(Sentence("a")) == "a in x"
    assert own.text(Sentence("b", {"role": "dealer"})) == "b in English, x-dealer"
    assert own.name(ParamKind.ROLE, "player") == "player"


def test_a_code_of_another_release_is_still_shown() -> None:
    """A journal may hold one that this release has no words for."""
    assert english(Sentence("long_gone", {"n": 3, "who": "ann"})) == "long gone 3 ann"


def test_both_languages_are_there_and_call_themselves_by_name() -> None:
    assert {"en", "zh-Hans"} <= set(languages())
    assert languages()["en"] == "English"


def test_a_language_says_the_same_code_in_its_own_words() -> None:
    said = sentence(Code.AREA_IS_FULL, most=3)
    here, there = english(said), catalogue("zh-Hans").text(said)
    assert here != there
    assert "3" in here
    assert "3" in there


# --- gaps of a text -----------------------------------------------------------------------------


def test_the_gaps_of_a_text_are_those_of_all_its_forms() -> None:
    assert text_params("{n:number} of {who:name*}") == {"n": "number", "who": "name"}
    assert text_params(CARDS) == {"n": "number"}
    assert text_params("nothing to fill") == {}
