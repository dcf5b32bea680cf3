"""The views that answer a step, for every line, click and phrase."""

from typing import Final

import msgspec
from msgspec import convert
from msgspec.structs import asdict, replace

from controller.engine.step import Answer
from controller.table.phases import Phase
from controller.table.state import Paid
from controller.views import audience
from controller.views.questions import AskView, OfferView
from controller.views.sentence_views import Gaps, PromptView, SentenceView, ShownHold, english
from controller.views.structs.audience_views import StaffView, State
from controller.views.structs.cards import HandsView


class StepResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a step was taken; if not, why."""

    accepted: bool
    reason: str | None
    code: str | None
    gaps: Gaps | None
    clause: str | None


class AnswerView(StepResult, frozen=True, kw_only=True):
    """The result of a step for the client that sent it. A sealed card is null."""

    state: State
    phase: Phase
    ref: str | None
    """The round's external reference, if it has one."""
    held: list[ShownHold]
    prompt: PromptView
    asks: list[AskView]
    offers: list[OfferView]
    hands: HandsView
    settlements: tuple[Paid, ...]
    notes: list[SentenceView]
    """Notices since the round commenced, for example which card went where."""


class StepAnswer(AnswerView, frozen=True, kw_only=True):
    """The answer of a running table, which has the step in its journal."""

    seq: int
    """The sequence number of the step's record."""


class RecordedAnswer(StepResult, frozen=True, kw_only=True):
    """The part of an answer that the journal contains."""

    state: str | None
    seq: int


def answer_view(answer: Answer, view: StaffView | None = None) -> AnswerView:
    """Build the answer; `view` is the dealer's view, if it has been rendered already."""
    why = answer.why
    result = StepResult(
        accepted=answer.accepted,
        reason=None if why is None else english(answer.rules).text(why),
        code=None if why is None else why.code,
        gaps=None if why is None else why.params,
        clause=answer.clause,
    )
    return _shown(result, audience.dealer(answer.table, answer.rules) if view is None else view)


def step_answer(answer: Answer, view: StaffView, seq: int) -> StepAnswer:
    return StepAnswer(**asdict(answer_view(answer, view)), seq=seq)


def completed(recorded: RecordedAnswer, view: StaffView) -> StepAnswer:
    """Complete a recorded answer with the table's present state."""
    result = convert(recorded, StepResult, from_attributes=True)
    state = view.state if recorded.state is None else recorded.state
    shown = replace(_shown(result, view), state=state)
    return StepAnswer(**asdict(shown), seq=recorded.seq)


_SHARED: Final = (
    "state", "phase", "ref", "held", "prompt", "asks", "offers", "hands", "settlements", "notes",
)  # fmt: skip
"""The fields that an answer shares with the dealer's view."""


def _shown(result: StepResult, view: StaffView) -> AnswerView:
    return AnswerView(**asdict(result), **{part: getattr(view, part) for part in _SHARED})
