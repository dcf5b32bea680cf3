"""Every sentence and every name is reworded: journals that were written before open and replay to
an equal table, and the same round goes on.

A record keeps codes and gaps. Should anything decide by a text, or write one down, this fails.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from msgspec.structs import replace

from controller.engine.replay import replay
from controller.engine.session import Session
from controller.messages import catalogue as catalogues
from controller.messages.catalogue import english, text_params
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.rulebooks import rulebook
from controller.runtime.open_table import open_table, replay_table
from controller.table.case import Awaits, awaited_name
from controller.table.rules import HouseRules, Rules
from controller.table.state import Table, change_part
from controller.terminal.json_lines import JsonLines
from controller.views.structs.encoding import plain
from scenario.story import Link, Story
from support.table.stoppable import Stoppable, once, steps_only

pytestmark = pytest.mark.second_tier

STORIES: Final = Path(__file__).parents[1] / "scenario/stories"


# --- other words --------------------------------------------------------------------------------


@contextmanager
def reworded() -> Iterator[None]:
    """Every text of every language is another while this lasts."""
    read = catalogues._file

    def other(language: str) -> catalogues.LanguageFile:
        file = read(language)
        sentences = {code: _other(code, text) for code, text in file.sentences.items()}
        names = {
            kind: {each: f"~{kind}.{each}~" for each in ids} for kind, ids in file.names.items()
        }
        return replace(file, sentences=sentences, names=names)

    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(catalogues, "_file", other)
            catalogues.catalogue.cache_clear()
            yield
    finally:
        catalogues.catalogue.cache_clear()


def _other(code: str, text: catalogues.Text) -> str:
    gaps = " ".join(f"{{{gap}:{kind}*}}" for gap, kind in text_params(text).items())
    return f"<{code[::-1]}> {gaps}"


def test_every_text_is_reworded_and_put_back() -> None:
    before = english(sentence(Code.TAKES_ROLE, role="dealer"))
    with reworded():
        assert english(sentence(Code.TAKES_ROLE, role="dealer")) == "<elor_sekat> ~a_role.dealer~"
    assert english(sentence(Code.TAKES_ROLE, role="dealer")) == before


# --- all of them ---------------------------------------------------------------------------------


def test_every_journal_replays_step_by_step_to_equal_tables() -> None:
    """All stories: through every phase, case, offer, seal and doubt that they go through."""
    told: dict[Path, Stoppable] = {}
    for path, book in once().items():
        told[path] = Stoppable()
        Story(told[path].open, book).tell(steps_only(path.read_text("utf-8")))
    with reworded():
        for path, kept in told.items():
            assert replay(kept.rules, kept.journal.records(), kept.sealer) == kept.table, path


# --- the same round goes on ---------------------------------------------------------------------

STOPPED_EVERYWHERE: Final = (
    "mbs/simultaneous",
    "mbs/simultaneous_order_unknown_later_face_down",
    "mbs/cards_taken",
    "mbs/wrong_count",
    "mbs/differential",
    "mbs/unreadable_face_up",
    "mbs/device_gap_card_missing_face_down",
    "mbs/device_lid_opened",
    "mbs/correction_before_outcome",
    "mbs/method_a_order",
    "mbs/wrong_order",
)
"""Between them they wait for everything a table can wait for."""

SITUATIONS: Final = {awaited_name(kind) for kind in get_args(Awaits)} | {
    *("between rounds", "in a round", "sealed", "in doubt", "latched", "second person"),
}


def situations(table: Table) -> set[str]:
    """In the middle of what a table is."""
    round_, case = table.round, table.case
    playing = round_ is not None and not round_.over
    cards = () if round_ is None else round_.cards
    is_so = {
        "between rounds": table.shoe is not None and not playing,
        "in a round": playing,
        "sealed": playing and any(drawn.commitment and not drawn.exposed for drawn in cards),
        "in doubt": table.count_check is not None,
        "latched": bool(table.latches),
        "second person": table.request is not None,
    }
    waits = {awaited_name(case.awaits)} if case is not None and case.awaits is not None else set()
    return {name for name, holds in is_so.items() if holds} | waits


def ended(table: Table) -> object:
    """What a round has come to, for everybody who was there."""
    round_ = table.round
    cards = [(each.n, each.card, each.hand, each.salt) for each in round_.cards] if round_ else []
    paid = round_.paid if round_ else ()
    return table.phase, cards, paid, table.history.results, table.carried, table.rulings


def go_on(story: Story, kept: Stoppable, steps: list[str]) -> None:
    """What is left of the story; somebody says first that play was not interrupted."""
    for step in [*steps, ""]:
        if kept.table.clocks.restarted_at is not None and kept.table.count_check is None:
            story.say("Pia", "answer", value=False)
            assert story.last["accepted"], story.last
        story.tell(step)


@pytest.mark.parametrize("name", STOPPED_EVERYWHERE)
def test_the_same_round_goes_on_wherever_it_was_stopped(name: str) -> None:
    path = STORIES / f"{name}.txt"
    steps, book = steps_only(path.read_text("utf-8")).splitlines(), once()[path]
    through = Stoppable()
    Story(through.open, book).tell("\n".join(steps))
    for place in range(len(steps)):
        kept = Stoppable()
        story = Story(kept.open, book)
        story.tell("\n".join(steps[:place]))
        if story.link is None:
            continue
        before = kept.table
        with reworded():
            kept.begin()
            assert change_part(kept.table, "clocks", restarted_at=None) == before, steps[place]
            go_on(story, kept, steps[place:])
        assert ended(kept.table) == ended(through.table), steps[place]


def test_they_were_stopped_in_the_middle_of_everything() -> None:
    found: set[str] = set()
    for name in STOPPED_EVERYWHERE:
        path = STORIES / f"{name}.txt"
        kept = Stoppable()
        Story(kept.open, once()[path]).tell(steps_only(path.read_text("utf-8")))
        found.update(*map(situations, kept.tables))
    assert found == SITUATIONS


# --- journals on a disk -------------------------------------------------------------------------


def test_journal_on_a_disk_opens_with_an_offer_open(tmp_path: Path) -> None:
    rules = Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", burn="none"))
    text = steps_only((STORIES / "mbs/simultaneous.txt").read_text("utf-8"))
    until, _, then = text.partition("Ann withdraws banker.")
    path = tmp_path / "table.db"
    with open_table(rules, path, seed=1) as session:
        Story(lambda *_: by_lines(session), "mbs-baccarat-8").tell(until)
        before = session.machine.table
    assert situations(before) >= {"option", "in a round"}
    with reworded():
        assert replay_table(rules, path) == before
        with open_table(rules, path, seed=1) as session:
            story = Story(lambda *_: by_lines(session), "mbs-baccarat-8", at=100.0)
            story.roles.update(pia="pit_supervisor", sue="pit_supervisor")
            story.tell(f"Pia answers no.\nAnn withdraws banker.\n{then}")
            round_ = session.machine.table.round
            assert round_ is not None
            paid = {each.id: each.returned for each in round_.paid}
    assert paid == {"ann.banker": 2000, "ann.tie": 100, "bob.player": 500}


def by_lines(session: Session) -> Link:
    lines = JsonLines(session)

    def send(said: dict[str, Any]) -> dict[str, Any]:
        return plain(lines.answer(json.dumps(said).encode()))

    return Link(send, dict, dict, lambda _: {})
