"""Sentences for screens and JSON: the code and its gaps, and the English beside them."""

from typing import Any, TypeAlias

from controller.engine.hold_list import hold_views
from controller.engine.prompts import PromptedCommand, prompt
from controller.messages.catalogue import ENGLISH, Catalogue, catalogue
from controller.messages.sentence import Sentence
from controller.table.holds import HoldView
from controller.table.rules import Rules
from controller.table.state import Table

View: TypeAlias = dict[str, Any]
"""What somebody is shown, or a part of it, as the JSON it becomes."""


def english(rules: Rules) -> Catalogue:
    """In the table's own money."""
    return catalogue(ENGLISH, rules.currency)


def sentence_view(sentence_: Sentence, rules: Rules) -> View:
    return {
        "code": sentence_.code,
        "gaps": sentence_.params,
        "text": english(rules).text(sentence_),
    }


def prompt_view(table: Table, rules: Rules) -> View:
    """What the dealer does and says next."""
    found, words = prompt(table, rules), english(rules)
    say = found.say
    return {
        "do": words.text(found.do),
        "say": None if say is None else words.text(say),
        "clause": found.clause,
        "code": found.do.code,
        "gaps": found.do.params,
        "say_code": None if say is None else say.code,
        "say_gaps": None if say is None else say.params,
        "act": None if found.act is None else _act(found.act),
        "card_to": None if found.card_to is None else found.card_to.value,
    }


def _act(act: PromptedCommand) -> View:
    hand = None if act.hand is None else act.hand.value
    return {"word": act.word, "hand": hand, "player": act.player, "face": act.face}


def held_view(table: Table, rules: Rules) -> list[View]:
    """What holds the table: all of it, what has to be ended first in front. A closed table shows
    what will hold it once it opens."""
    return [_hold(hold, rules) for hold in hold_views(table, rules)]


def _hold(hold: HoldView, rules: Rules) -> View:
    return {
        "kind": hold.kind.value,
        "what": hold.cause,
        **sentence_view(hold.text, rules),
        "since": hold.since,
        "role": hold.role.value if hold.role else None,
        "word": hold.command,
        "clause": hold.clause,
        "second": hold.second,
        "round": hold.round,
        "remedy": sentence_view(hold.remedy, rules),
        "ends": sentence_view(hold.ends, rules),
        "detail": None if hold.detail is None else sentence_view(hold.detail, rules),
    }
