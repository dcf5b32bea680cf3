"""Sentences for screens and JSON: the code and its gaps, and the English beside them."""

import msgspec

from controller.engine.hold_list import hold_views
from controller.engine.prompts import PromptedCommand, prompt
from controller.game.hands import Side
from controller.game.roles import Role
from controller.messages.catalogue import ENGLISH, Catalogue, catalogue
from controller.messages.sentence import Param, Sentence
from controller.table.holds import HoldKind, HoldView
from controller.table.rules import Rules
from controller.table.state import Table

Gaps = dict[str, Param]


class SentenceView(msgspec.Struct, frozen=True):
    """A sentence, by its code and in English."""

    code: str
    gaps: Gaps
    text: str


class NextActView(msgspec.Struct, frozen=True):
    """The command of a person that does what the prompt says."""

    word: str
    hand: Side | None
    player: str | None
    face: bool
    """The command names the card, which lies open."""


class PromptView(msgspec.Struct, frozen=True):
    """What the dealer does and says next."""

    do: str
    say: str | None
    clause: str | None
    code: str
    gaps: Gaps
    say_code: str | None
    """Null when nothing is said."""
    say_gaps: Gaps | None
    act: NextActView | None
    """Null where the next act is at a device, or a question."""
    card_to: Side | None
    """The hand that the next card of the shoe goes to, where the prompt asks for one."""


class ShownHold(msgspec.Struct, frozen=True):
    """One thing that holds the table: what happened, since when, who can end it, what to do."""

    kind: HoldKind
    what: str
    """The irregularity, or the hold of a device: an id."""
    code: str
    gaps: Gaps
    text: str
    since: float
    role: Role | None
    """Null: nobody, the device or the machine has to end it."""
    word: str | None
    """The command that ends it."""
    clause: str | None
    second: bool
    """It takes somebody else than whoever asks."""
    round: int | None
    """The round it concerns; null: it came between rounds."""
    remedy: SentenceView
    """What to do now."""
    ends: SentenceView
    """Who can end it."""
    detail: SentenceView | None
    """The maker's own words and number."""


def english(rules: Rules) -> Catalogue:
    """In the table's own money."""
    return catalogue(ENGLISH, rules.currency)


def sentence_view(sentence_: Sentence, rules: Rules) -> SentenceView:
    return SentenceView(sentence_.code, sentence_.params, english(rules).text(sentence_))


def prompt_view(table: Table, rules: Rules) -> PromptView:
    """What the dealer does and says next."""
    found, words = prompt(table, rules), english(rules)
    say = found.say
    return PromptView(
        do=words.text(found.do),
        say=None if say is None else words.text(say),
        clause=found.clause,
        code=found.do.code,
        gaps=found.do.params,
        say_code=None if say is None else say.code,
        say_gaps=None if say is None else say.params,
        act=None if found.act is None else _act(found.act),
        card_to=found.card_to,
    )


def _act(act: PromptedCommand) -> NextActView:
    return NextActView(act.word, act.hand, act.player, act.face)


def held_view(table: Table, rules: Rules) -> list[ShownHold]:
    """What holds the table: all of it, what has to be ended first in front. A closed table shows
    what will hold it once it opens."""
    return [_hold(hold, rules) for hold in hold_views(table, rules)]


def _hold(hold: HoldView, rules: Rules) -> ShownHold:
    return ShownHold(
        kind=hold.kind,
        what=hold.cause,
        code=hold.text.code,
        gaps=hold.text.params,
        text=english(rules).text(hold.text),
        since=hold.since,
        role=hold.role,
        word=hold.command,
        clause=hold.clause,
        second=hold.second,
        round=hold.round,
        remedy=sentence_view(hold.remedy, rules),
        ends=sentence_view(hold.ends, rules),
        detail=None if hold.detail is None else sentence_view(hold.detail, rules),
    )
