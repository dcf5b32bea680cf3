"""The language files: every code, every name and all that pages say, in every language, with the
same gaps."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import controller.console
import controller.messages
from controller.console.http.pages import PAGES as CONSOLE_PAGES
from controller.floor.web.app import PAGES as FLOOR_PAGES
from controller.game.irregularities import Fact
from controller.game.roles import Role
from controller.rulebooks import RULEBOOKS
from controller.table.commands.registry import REGISTRY
from controller.table.commands.reports import IDS
from controller.table.phases import Phase

PRODUCT = Path(controller.console.__file__).parents[1]
STATIC = (PRODUCT / "console" / "static", PRODUCT / "floor" / "web" / "static")
HTML = sorted(page for each in STATIC for page in each.glob("*.html"))
SCRIPTS = sorted(script for each in STATIC for script in each.glob("js/*.js"))
TITLES = {each.title for each in (*CONSOLE_PAGES.values(), *FLOOR_PAGES.values())}
NOT_TRANSLATED = {each.title for each in CONSOLE_PAGES.values() if not each.is_translated}
LANGUAGES = sorted((Path(controller.messages.__file__).parent / "languages").glob("*.json"))
OTHERS = [each for each in LANGUAGES if each.stem != "en"]
GAP = re.compile(r"\{\w+(?::\w+\*?)?\}")

every = pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.stem)
every_other = pytest.mark.parametrize("language", OTHERS, ids=lambda each: each.stem)


def catalogue(language: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(language.read_text("utf-8"))
    return found


ENGLISH = catalogue(next(each for each in LANGUAGES if each.stem == "en"))


def forms(entry: str | dict[str, str]) -> list[str]:
    """The texts of a sentence: one, or one for one thing and one for several."""
    return [entry] if isinstance(entry, str) else [entry["one"], entry["other"]]


# --- sentences and names ------------------------------------------------------------------------


@every
def test_a_language_has_every_code_with_the_same_gaps(language: Path) -> None:
    sentences = catalogue(language)["sentences"]
    assert set(sentences) == set(ENGLISH["sentences"])
    for code, entry in sentences.items():
        english = forms(ENGLISH["sentences"][code])[-1]
        assert set(GAP.findall(forms(entry)[-1])) == set(GAP.findall(english)), code
        assert all(set(GAP.findall(text)) <= set(GAP.findall(english)) for text in forms(entry))


@every
def test_a_language_has_every_name(language: Path) -> None:
    names = catalogue(language)["names"]
    assert {kind: set(ids) for kind, ids in names.items()} == {
        kind: set(ids) for kind, ids in ENGLISH["names"].items()
    }
    assert all(text.strip() for ids in names.values() for text in ids.values())


def test_whatever_a_table_can_show_has_a_name() -> None:
    books = RULEBOOKS.values()
    wanted = {
        "wager": {wager.id for book in books for wager in book.wagers},
        "method": {method.id for book in books for method in book.methods},
        "irregularity": {*IDS},
        "role": {role.value for role in Role},
        "phase": {phase.value for phase in Phase} | {"halted", "suspended"},
        "fact": {fact.name.lower() for fact in Fact},
        "word": {*REGISTRY},
    }
    for kind, ids in wanted.items():
        assert ids <= set(ENGLISH["names"][kind]), kind


# --- what pages say themselves ------------------------------------------------------------------


def script_text(script: Path) -> str:
    """With sentences in one piece that are longer than a line."""
    return re.sub(r'"\s*\+ "', "", script.read_text("utf-8"))


def said_by_pages() -> set[str]:
    scripts = "".join(map(script_text, SCRIPTS))
    pages = "".join(each.read_text("utf-8") for each in HTML)
    found = set(re.findall(r'\b(?:t|both)\(\s*"((?:[^"\\]|\\.)*)"', scripts))
    return (found | set(re.findall(r'data-t="([^"$]*)"', pages)) | TITLES) - NOT_TRANSLATED


def fits(sentence: str, known: dict[str, str]) -> bool:
    """As the pages look it up: as it is, or with its first letter changed."""
    first = sentence[:1]
    other = (first.lower() if first.isupper() else first.upper()) + sentence[1:]
    return sentence in known or other in known


@every_other
def test_everything_pages_say_is_translated(language: Path) -> None:
    file = catalogue(language)
    assert isinstance(file["name"], str)
    assert sorted(each for each in said_by_pages() if not fits(each, file["pages"])) == []


@every_other
def test_nothing_is_translated_that_no_page_says(language: Path) -> None:
    said = "".join((*map(script_text, SCRIPTS), *(each.read_text("utf-8") for each in HTML)))
    said += "".join(f'"{each}"' for each in TITLES)
    forms = {key: {key, key[:1].lower() + key[1:]} for key in catalogue(language)["pages"]}
    assert [key for key, ways in forms.items() if not any(f'"{way}"' in said for way in ways)] == []


@every_other
def test_gaps_are_the_same_in_both_texts(language: Path) -> None:
    file = catalogue(language)
    for english, other in file["pages"].items():
        assert set(GAP.findall(other)) == set(GAP.findall(english))
