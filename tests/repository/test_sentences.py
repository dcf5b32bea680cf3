"""Sentences are codes with typed gaps: every language has every code and every name, whoever makes
a sentence fills exactly its gaps, and no gap is itself a sentence."""

import ast
import json
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import pytest

from controller.cases import devices
from controller.cases.manual_entry import card_count
from controller.engine.session import open_session
from controller.game.hands import Side
from controller.game.irregularities import Fact, RulingStep
from controller.game.roles import Role
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.messages import catalogue as catalogues
from controller.messages.catalogue import languages, text_params
from controller.messages.codes import BY_ID, Code, ParamKind
from controller.rulebooks import RULEBOOKS, rulebook
from controller.runtime.wire import translate
from controller.table.case import Awaits
from controller.table.commands.device_events import Telling
from controller.table.commands.message import json_line
from controller.table.commands.registry import REGISTRY
from controller.table.commands.reports import IDS
from controller.table.decks import DeckStage
from controller.table.holds import HoldReason
from controller.table.phases import Phase
from controller.table.requests import Wanted
from controller.table.rules import Rules
from controller.table.state import LimitsInForce
from controller.upkeep.results import JOBS
from controller.views.answers import answer_view
from controller.views.structs.encoding import plain
from drivers.cards import DECK
from scenario.story import Story
from scenario.test_random_tables import Gambler, house_of
from support.table.stoppable import Stoppable, once, steps_only

ROOT: Final = Path(__file__).parents[2]
BOOKS: Final = tuple(RULEBOOKS.values())

every_language = pytest.mark.parametrize("language", languages())


# --- every language says everything -------------------------------------------------------------


def catalogue(language: str) -> dict[str, Any]:
    """A language's own file, with nothing that English would fill in."""
    text = (catalogues.FOLDER / f"{language}.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text, object_pairs_hook=_no_key_twice)
    return found


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs), [key for key, _ in pairs]
    return dict(pairs)


@every_language
def test_language_has_a_sentence_for_every_code_and_for_nothing_else(language: str) -> None:
    assert set(catalogue(language)["sentences"]) == set(BY_ID)


@every_language
def test_every_sentence_has_the_gaps_of_its_code(language: str) -> None:
    sentences = _file(language)["sentences"]
    for code in Code:
        text = sentences[code.value]
        assert text_params(text) == {name: kind.value for name, kind in code.params.items()}, code
        if isinstance(text, str):
            continue
        assert set(text) == {"by", "one", "other"}, code
        assert code.params[text["by"]] is ParamKind.NUMBER, code
        assert text_params(text["other"]) == text_params(text), code
        assert set(text_params(text)) - set(text_params(text["one"])) <= {text["by"]}, code


_file = cache(catalogue)


def tags(union: object) -> set[str]:
    return {str(struct.__struct_config__.tag) for struct in get_args(union)}


def own_cases() -> set[str]:
    """What the table itself finds, beside what staff may report and the books' rows."""
    sources = "".join(path.read_text("utf-8") for path in ROOT.glob("controller/**/*.py"))
    found = set(re.findall(r"\b(?:Case|_open_once)\((?:table, )?\"(\w+)\"", sources))
    return found | {card_count.FEWER, card_count.ORDER, *devices._CASES.values()}


ROLES: Final = {role.value for role in Role}
ID_OF: Final[dict[ParamKind, set[str]]] = {
    ParamKind.ROLE: ROLES,
    ParamKind.A_ROLE: ROLES,
    ParamKind.TITLE: ROLES,
    ParamKind.A_ROLE_TITLE: ROLES,
    ParamKind.SPEAKER: {speaker for spec in REGISTRY.values() for speaker in spec.speakers},
    ParamKind.WORD: set(REGISTRY),
    ParamKind.SAID: {n for n, spec in REGISTRY.items() if issubclass(spec.struct, Telling)}
    - {"journal_loss"},  # has a sentence of its own when nothing is told with it
    ParamKind.REQUEST: tags(Wanted),
    ParamKind.IRREGULARITY: {*IDS, *own_cases(), *(r.id for b in BOOKS for r in b.irregularities)},
    ParamKind.FACT: {fact.value for fact in Fact},
    ParamKind.AWAITED: tags(Awaits),
    ParamKind.HOLD: {kind.value for kind in HoldReason},
    ParamKind.PHASE: {*(phase.value for phase in Phase), "halted", "suspended"},
    ParamKind.STAGE: {stage.value for stage in DeckStage},
    ParamKind.HAND: {side.value for side in Side},
    ParamKind.DEVICE: {"shoe", "shuffler", "system"},
    ParamKind.LIMIT: set(LimitsInForce.__struct_fields__),
    ParamKind.CHECK: {job.name for job in JOBS},  # those of the self-test: test_selftest.py
    ParamKind.PART: {"lid", "infeed", "reader", "elevator", "compartment", "exit"},
    ParamKind.WORK: {
        *(s.value for s in translate._AT_WORK),
        "unreadable",
        "wrong_set",
        "duplicate",
    },
    ParamKind.CALL: {call.words for book in BOOKS for call in (book.open_call, book.close_call)},
    ParamKind.WAGER: {wager.id for book in BOOKS for wager in book.wagers},
}
"""What may stand in a gap of each kind that is shown by name."""


def test_every_kind_that_is_shown_by_name_has_its_ids_here() -> None:
    assert set(ID_OF) == catalogues._NAMED


@every_language
@pytest.mark.parametrize("kind", ID_OF, ids=lambda kind: kind.value)
def test_every_id_has_a_name(kind: ParamKind, language: str) -> None:
    names = _file(language)["names"][kind.value]
    assert sorted(ID_OF[kind] - set(names)) == []
    assert all(name.strip() for name in names.values())


@every_language
def test_every_step_of_a_ruling_has_a_name(language: str) -> None:
    """A question says where each answer leads, by the steps of the ruling."""
    assert {step.value for step in RulingStep} == set(_file(language)["names"]["step"])


# --- whoever makes a sentence fills its gaps ----------------------------------------------------

MADE_BY: Final = {"Refused", "sentence", "notify", "_note", "_do", "_called"}
"""Functions that take a code and its gaps; `_called` takes codes without any."""
ALSO_TAKE_A_CODE: Final = {
    "_device_text": "the code to fall back to, where a device says nothing itself",
    "HoldText": "a row of what is said of a hold; test_hold_sentences.py fills them all",
}
UNUSED: Final[dict[str, str]] = {}
"""Codes that nothing says, each with the reason it is kept."""

Place = tuple[str, ast.Call]


@cache
def calls() -> list[Place]:
    """Every call in the product. Emulators and drivers import nothing of it and say no sentence."""
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno}", node)
        for path in sorted((ROOT / "controller").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)


def codes_in(node: ast.expr) -> list[Code]:
    """The codes that are written here: one, or either of two."""
    if isinstance(node, ast.IfExp):
        return [*codes_in(node.body), *codes_in(node.orelse)]
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Code":
        return [Code[node.attr]]
    return []


def test_every_sentence_is_made_with_the_gaps_of_its_code() -> None:
    wrong, seen = [], 0
    for place, call in calls():
        codes = [code for each in call.args for code in codes_in(each)]
        if not codes or name_of(call) in ALSO_TAKE_A_CODE:
            continue
        assert name_of(call) in MADE_BY, f"{place}: does {name_of(call)} take gaps?"
        given = {each.arg for each in call.keywords}
        if None not in given:  # ** is held to the code when it is made
            seen += 1
            wrong += [place for code in codes if given != set(code.params)]
    assert wrong == []
    assert seen > 150


def test_no_refusal_and_no_sentence_is_made_of_a_text() -> None:
    texts = (ast.Constant, ast.JoinedStr, ast.BinOp)
    for place, call in calls():
        first = call.args[0] if call.args else None
        if name_of(call) in {"Refused", "sentence", "because", "Sentence"}:
            assert not isinstance(first, texts), place


def test_every_code_is_said_somewhere() -> None:
    sources = [path for path in (ROOT / "controller").rglob("*.py") if path.name != "codes.py"]
    said = set(re.findall(r"\bCode\.(\w+)", "".join(p.read_text("utf-8") for p in sources)))
    assert {code.name for code in Code} - said == set(UNUSED)


DECIDES: Final = re.compile(
    r"(\.|\[\")(do|say|says|reason|text|title)(\"\])?"
    r"(\s*(===?|!==?)|\.(startsWith|startswith|endsWith|endswith|includes|match|search)\()"
)
ASKS: Final = re.compile(r"\basks?\b.*\bdo\b")
"""What an ask is answered with is a word's name, and no text."""


def test_nothing_decides_by_a_text() -> None:
    """What has a code is told apart by it; pages and robots never look at words."""
    rooms = (("controller", "*.py"), ("controller", "*.js"), ("simulators", "*.py"))
    sources = [path for room, names in rooms for path in sorted((ROOT / room).rglob(names))]
    places = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sources
        for line in path.read_text("utf-8").splitlines()
        if DECIDES.search(line) and not ASKS.search(line)
    ]
    assert places == []


# --- no gap is a sentence -----------------------------------------------------------------------


def sentences_in(view: object) -> Iterator[tuple[Code, dict[str, Any]]]:
    """Every sentence in an answer or a view, with its gaps."""
    if isinstance(view, list | tuple):
        for each in view:
            yield from sentences_in(each)
    if isinstance(view, dict):
        for code, gaps in (("code", "gaps"), ("say_code", "say_gaps")):
            if isinstance(view.get(code), str) and gaps in view:
                yield BY_ID[view[code]], view[gaps]
        for each in view.values():
            yield from sentences_in(each)


def texts_in(said: object) -> Iterator[str]:
    """Every text that somebody gave, and every name of a field."""
    if isinstance(said, str):
        yield said
    elif isinstance(said, dict):
        for name, each in said.items():
            yield from (name, *texts_in(each))
    elif isinstance(said, list | tuple):
        for each in said:
            yield from texts_in(each)


CARDS: Final = {card.code for card in DECK}
FITS: Final[dict[ParamKind, Callable[[object], bool]]] = {
    ParamKind.NUMBER: lambda value: isinstance(value, int),
    ParamKind.MONEY: lambda value: isinstance(value, int),
    ParamKind.CARD: lambda value: value in CARDS,
    ParamKind.CLAUSE: lambda value: isinstance(value, str) and bool(re.fullmatch(r"[\d.]+", value)),
    ParamKind.ID: lambda value: isinstance(value, str) and bool(re.fullmatch(r"\w+", value)),
    ParamKind.WAGER: lambda value: isinstance(value, str) and bool(re.fullmatch(r"[\w.]+", value)),
}
"""What a gap of a kind without names holds; a name must have been given."""


class Gaps:
    """Looks at every gap of every sentence that is shown."""

    def __init__(self) -> None:
        self.given = {"shoe", "shuffler", "system", "dealer", "staff", "player", "*"}
        self.seen: set[Code] = set()

    def look(self, *views: object) -> None:
        for code, gaps in sentences_in(views):
            self.seen.add(code)
            assert gaps.keys() == code.params.keys(), code
            for gap, kind in code.params.items():
                value = gaps[gap]
                for each in value if isinstance(value, list) else [value]:
                    assert self.fits(kind, each), f"{code.value}: {gap} is {each!r}"

    def fits(self, kind: ParamKind, value: object) -> bool:
        if value is None or kind is ParamKind.SAYS or value in self.given:
            return True
        if kind in FITS:
            return FITS[kind](value)
        return value in ID_OF.get(kind, ())


class Watched(Stoppable):
    """A story's table with somebody looking at every gap."""

    def __init__(self, gaps: Gaps) -> None:
        super().__init__()
        self._gaps = gaps

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        self._gaps.given |= set(texts_in(message))
        answer = super().send(message)
        self._gaps.look(answer, msgspec.to_builtins(self.table.notices))
        return answer


@pytest.mark.second_tier
def test_no_gap_of_a_story_is_a_sentence() -> None:
    looked = Gaps()
    for path, book in once().items():
        Story(Watched(looked).open, book).tell(steps_only(path.read_text("utf-8")))
    assert len(looked.seen) > 120


@pytest.mark.parametrize("book", RULEBOOKS)
def test_no_gap_of_a_random_table_is_a_sentence(book: str) -> None:
    looked = Gaps()
    for seed in range(3):
        rules = Rules(rulebook(book), house_of(book, seed))
        sealer = Sealer(bytes(32), random.Random(seed).randbytes)
        session = open_session(rules, MemoryJournal(), sealer)
        gambler = Gambler(seed, book, session)
        for _ in range(150):
            said = gambler.next()
            looked.given |= set(texts_in(msgspec.to_builtins(json_line(said))))
            answer = plain(answer_view(session.handle(said)))
            looked.look(answer, msgspec.to_builtins(session.machine.table.notices))
    assert len(looked.seen) > 20
