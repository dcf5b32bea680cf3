"""What one person asks for and another has to approve."""

from typing import Literal, TypeAlias

import msgspec


class CorrectCard(msgspec.Struct, frozen=True, tag="correct"):
    """A misread card is put right."""

    n: int
    card: str
    before: str | None


class ReplaceShoe(msgspec.Struct, frozen=True, tag="load_shoe"):
    """Cards that could still be played are replaced."""

    deck_set: str
    decks: int
    verified_by: str


class EnterFirstCard(msgspec.Struct, frozen=True, tag="first_card"):
    """The card that says how many are burned was not read by the device."""

    card: str


class ConfirmCount(msgspec.Struct, frozen=True, tag="count"):
    """More or fewer cards lie there than were read."""

    cards: int
    difference: int
    """Kept: a card that comes before the second person speaks does not change it."""


class ReplaceUnit(msgspec.Struct, frozen=True, tag="swap_device"):
    """Another unit takes a device's place."""

    device: Literal["shoe", "shuffler"]
    identity: str
    asset: str


Wanted: TypeAlias = CorrectCard | ReplaceShoe | EnterFirstCard | ConfirmCount | ReplaceUnit


class ApprovalRequest(msgspec.Struct, frozen=True):
    """Something that takes two people: what was asked, by whom, and their reason in words."""

    what: Wanted
    by: str
    reason: str = ""

    @property
    def kind(self) -> str:
        """The name by which records, views and pages know it."""
        return str(self.what.__struct_config__.tag)
