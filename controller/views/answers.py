"""What a step led to, as JSON: the answer to every line, click and phrase."""

from typing import Final, TypeAlias

from controller.engine.step import Answer
from controller.views import audience
from controller.views.sentence_views import View, english

AnswerView: TypeAlias = View
"""As `shapes.AnswerShape` says; the console adds `seq`."""

SHARED: Final = (
    "state", "phase", "ref", "held", "prompt", "asks", "offers", "hands", "settlements", "notes",
)  # fmt: skip
"""What the answer shares with the dealer's view."""


def answer_json(answer: Answer, view: View | None = None) -> AnswerView:
    """Sealed cards as null; every sentence with its code and gaps beside it. `view` is the
    dealer's, where it has been made already."""
    table, rules, why = answer.table, answer.rules, answer.why
    shown = audience.dealer(table, rules) if view is None else view
    return {
        "accepted": answer.accepted,
        "reason": None if why is None else english(rules).text(why),
        "code": None if why is None else why.code,
        "gaps": None if why is None else why.params,
        "clause": answer.clause,
        **{part: shown[part] for part in SHARED},
    }
