"""The messages of the feeds: a snapshot, a step, and a heartbeat."""

from typing import Final, Literal

import msgspec
from msgspec.structs import asdict

from controller.views.structs.audience_views import (
    PageView,
    PublicPageView,
    StaffPageView,
    SurveillancePageView,
)


class FeedStep(msgspec.Struct, frozen=True):
    """A step, or the present state: the fields that are equal for every audience."""

    type: Literal["snapshot", "step"]
    seq: int
    """The number of the step's record in the journal."""
    at: float
    """When the step happened, in seconds since 1970."""
    sent: float
    """When the server sent it."""
    what: str
    """The command or event."""
    demo: bool
    mode: str
    table: str | None


class PublicStep(FeedStep, frozen=True):
    """A message of the feed `public`."""

    view: PublicPageView


class StaffStep(FeedStep, frozen=True):
    """A message of the feeds `dealer` and `pit`."""

    view: StaffPageView


class SurveillanceStep(FeedStep, frozen=True):
    """A message of the feed `surveillance`."""

    view: SurveillancePageView


class FeedBeat(msgspec.Struct, frozen=True):
    """A heartbeat, which every feed sends at least once a second."""

    type: Literal["beat"]
    seq: int
    """The number of the last step; 0 before the first."""
    at: None
    sent: float
    locked: bool
    """The screen of the client is locked."""
    stopped: str | None
    """Why the table takes no more steps; null while it runs."""
    demo: bool
    mode: str
    table: str | None


FeedMessage = PublicStep | StaffStep | SurveillanceStep | FeedBeat
MESSAGES: Final = (PublicStep, StaffStep, SurveillanceStep, FeedBeat)


def step_message(step: FeedStep, view: PageView) -> FeedStep:
    match view:
        case PublicPageView():
            return PublicStep(**asdict(step), view=view)
        case SurveillancePageView():
            return SurveillanceStep(**asdict(step), view=view)
        case StaffPageView():
            return StaffStep(**asdict(step), view=view)
