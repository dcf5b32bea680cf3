"""Sentences for screens and JSON: the code, its parameters and the English text."""

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
    """A sentence: its code, and its English text."""

    code: str
    gaps: Gaps
    text: str


class NextActView(msgspec.Struct, frozen=True):
    """The command that carries out the prompt."""

    word: str
    hand: Side | None
    player: str | None
    face: bool
    """The command names the card, because the card is exposed."""


class PromptView(msgspec.Struct, frozen=True):
    """The next action and announcement of the dealer."""

    do: str
    say: str | None
    clause: str | None
    code: str
    gaps: Gaps
    say_code: str | None
    """Null without an announcement."""
    say_gaps: Gaps | None
    act: NextActView | None
    """Null if the next act is at a device, or a question."""
    card_to: Side | None
    """The hand that receives the next card of the shoe, if the prompt asks for a card."""


class ShownHold(msgspec.Struct, frozen=True):
    """A cause that holds the table: what happened, since when, who can end it, what to do."""

    kind: HoldKind
    what: str
    """The id of the irregularity, or of the device's hold."""
    code: str
    gaps: Gaps
    text: str
    since: float
    role: Role | None
    """Null if no person can end it, only the device or the machine."""
    word: str | None
    """The command that ends it."""
    clause: str | None
    second: bool
    """A person other than the requester must approve."""
    round: int | None
    """The round it concerns; null if it happened between rounds."""
    remedy: SentenceView
    """The action to take now."""
    ends: SentenceView
    """The persons who can end it."""
    detail: SentenceView | None
    """The maker's text and number."""


def english(rules: Rules) -> Catalogue:
    """The English catalogue with the table's currency."""
    return catalogue(ENGLISH, rules.currency)


def sentence_view(sentence_: Sentence, rules: Rules) -> SentenceView:
    return SentenceView(sentence_.code, sentence_.params, english(rules).text(sentence_))


def prompt_view(table: Table, rules: Rules) -> PromptView:
    """The next action and announcement of the dealer."""
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
    """Everything that holds the table; the hold to end first comes first. For a closed table: what
    will hold it once it opens."""
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
