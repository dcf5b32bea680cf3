"""Sentences for screens and JSON: the code and its gaps, and the English beside them."""

from typing import Any, TypeAlias

from controller.engine.held import holds
from controller.engine.prompts import PromptedCommand, prompt
from controller.sentences.catalogue import ENGLISH, Catalogue, catalogue
from controller.sentences.sentence import Sentence
from controller.table.holds import TableHold
from controller.table.rules import Rules
from controller.table.state import Table

View: TypeAlias = dict[str, Any]
"""What somebody is shown, or a part of it, as the JSON it becomes."""


def english(rules: Rules) -> Catalogue:
    """In the table's own money."""
    return catalogue(ENGLISH, rules.currency)


def said(says: Sentence, rules: Rules) -> View:
    return {"code": says.code, "gaps": says.gaps, "text": english(rules).says(says)}


def prompt_view(table: Table, rules: Rules) -> View:
    """What the dealer does and says next."""
    found, words = prompt(table, rules), english(rules)
    say = found.say
    return {
        "do": words.says(found.do),
        "say": None if say is None else words.says(say),
        "clause": found.clause,
        "code": found.do.code,
        "gaps": found.do.gaps,
        "say_code": None if say is None else say.code,
        "say_gaps": None if say is None else say.gaps,
        "act": None if found.act is None else _act(found.act),
        "card_to": None if found.card_to is None else found.card_to.value,
    }


def _act(act: PromptedCommand) -> View:
    hand = None if act.hand is None else act.hand.value
    return {"word": act.word, "hand": hand, "player": act.player, "face": act.face}


def held_view(table: Table, rules: Rules) -> list[View]:
    """What holds the table: all of it, what has to be ended first in front. A closed table shows
    what will hold it once it opens."""
    return [_hold(hold, rules) for hold in holds(table, rules)]


def _hold(hold: TableHold, rules: Rules) -> View:
    return {
        "kind": hold.kind.value,
        "what": hold.what,
        **said(hold.says, rules),
        "since": hold.since,
        "role": hold.role.value if hold.role else None,
        "word": hold.word,
        "clause": hold.clause,
        "second": hold.second,
        "round": hold.round,
        "remedy": said(hold.remedy, rules),
        "ends": said(hold.ends, rules),
        "detail": None if hold.detail is None else said(hold.detail, rules),
    }
