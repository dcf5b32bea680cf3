"""The pages as files: how much they weigh, that nothing comes from elsewhere, that every sentence
has its translation."""

import ast
import json
import re
from pathlib import Path

import pytest

import controller.console
from controller.game.irregularities import Fact
from controller.game.roles import Role
from controller.round import doubt, prompts
from controller.round.machine import State
from controller.rulebooks import RULEBOOKS
from controller.views import audience

STATIC = Path(controller.console.__file__).parent / "static"
FILES = sorted(each for each in STATIC.rglob("*") if each.is_file())
HTML = [each for each in FILES if each.suffix == ".html"]
SCRIPTS = [each for each in FILES if each.suffix == ".js"]
LANGUAGES = sorted((STATIC / "lang").glob("*.json"))
OTHERS = [each for each in LANGUAGES if each.stem != "en"]

MOST_BYTES = 300_000


def words(language: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(language.read_text("utf-8"))
    return found


def test_all_pages_together_are_light() -> None:
    assert sum(each.stat().st_size for each in FILES) < MOST_BYTES


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.name)
def test_nothing_comes_from_elsewhere(file: Path) -> None:
    text = file.read_text("utf-8")
    outside = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]{2,}", text))
    assert outside <= {"http://www.w3.org", "//www.w3.org"}  # the name of a namespace


@pytest.mark.parametrize("page", HTML, ids=lambda each: each.name)
def test_no_page_needs_what_the_policy_forbids(page: Path) -> None:
    text = page.read_text("utf-8")
    assert not re.findall(r"\sstyle=|\son\w+=|<style|<script(?! (?:type=\"module\" )?src=)", text)
    for link in re.findall(r'(?:src|href)="(/static/[^"]+)"', text):
        assert (STATIC / link.removeprefix("/static/")).is_file()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda each: each.name)
def test_imports_are_there_and_nothing_of_the_game_is_kept(script: Path) -> None:
    text = script.read_text("utf-8")
    for name in re.findall(r'from "\./([^"]+)"', text):
        assert (script.parent / name).is_file()
    kept = set(re.findall(r'localStorage\.setItem\("?(\w+)', text))
    assert kept <= {"theme", "language"}
    assert "sessionStorage" not in text
    assert "indexedDB" not in text
    assert "innerHTML" not in text


# --- languages --------------------------------------------------------------------------------


def said_by_pages() -> set[str]:
    scripts = "".join(each.read_text("utf-8") for each in SCRIPTS)
    pages = "".join(each.read_text("utf-8") for each in HTML)
    found = set(re.findall(r'\bt\(\s*"((?:[^"\\]|\\.)*)"', scripts))
    return found | set(re.findall(r'data-(?:t|title)="([^"]*)"', pages))


def sentences_in(module: object) -> set[str]:
    """Every sentence a module writes down, with a word in each gap."""
    tree = ast.parse(Path(str(getattr(module, "__file__", ""))).read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    said = [
        call.args[0] for call in calls if getattr(call.func, "id", "") == "Prompt" and call.args
    ]
    return {text for each in said if (text := _text(each)) and " " in text}


DRAWN = {
    f"{who} {what}"
    for who, what in (
        ("Draw", "a card for the Player, face up"),
        ("Draw", "the Banker's third card"),
        ("Draw", "the Banker's third card, face down"),
        ("Have seat 1 draw", "a card for the Player, face down"),
        ("Have seat 1 draw", "the Banker's third card, face down"),
    )
}
"""Sentences that begin with a gap, as they read."""


def _text(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values
        )
    return None


def fits(sentence: str, known: dict[str, str]) -> bool:
    """As the pages look it up: as it is, with its first letter changed, or by a pattern."""
    first = sentence[:1]
    other = (first.lower() if first.isupper() else first.upper()) + sentence[1:]
    if sentence in known or other in known:
        return True
    gaps = [re.split(r"\{\w+\}", key) for key in known if "{" in key]
    return any(re.fullmatch("(.+?)".join(map(re.escape, parts)), sentence) for parts in gaps)


@pytest.mark.parametrize("language", OTHERS, ids=lambda each: each.stem)
def test_everything_pages_say_is_translated(language: Path) -> None:
    file = words(language)
    assert isinstance(file["_name"], str)
    known = {**file["table"], **file["page"]}
    assert sorted(each for each in said_by_pages() if not fits(each, known)) == []


@pytest.mark.parametrize("language", OTHERS, ids=lambda each: each.stem)
def test_everything_the_table_prompts_is_translated(language: Path) -> None:
    file = words(language)
    known = {**file["page"], **file["table"]}
    wanted = {each for each in sentences_in(prompts) if not each.startswith("x ")}
    wanted |= {doubt.FIRST, *DRAWN}
    wanted |= {
        fact.value for fact in Fact if fact.value.startswith(("is the", "can", "was", "were"))
    }
    wanted |= {f"a card: the table waits for {each}" for each in audience.AWAITED.values()}
    wanted |= {row.name for book in RULEBOOKS.values() for row in book.irregularities}
    wanted |= {method.name for book in RULEBOOKS.values() for method in book.methods}
    wanted |= {
        call.words for book in RULEBOOKS.values() for call in (book.open_call, book.close_call)
    }
    wanted |= {each.value.replace("_", " ") for each in (*State, *Role)} - {"player"}
    assert sorted(each for each in wanted if not fits(each, known)) == []


@pytest.mark.parametrize("language", OTHERS, ids=lambda each: each.stem)
def test_gaps_are_the_same_in_both_sentences(language: Path) -> None:
    for group in ("page", "table"):
        for english, other in words(language)[group].items():
            assert set(re.findall(r"\{\w+\}", other)) == set(re.findall(r"\{\w+\}", english))
