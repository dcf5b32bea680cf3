"""Redaction of information about face-down cards, and of errors that could name one."""

import traceback

import structlog

from controller.journal.errors import JournalError
from controller.round import position
from controller.table.state import Table

log = structlog.get_logger()


def is_face_down(table: Table) -> bool:
    """Whether a card on a hand, or one that waits to be counted, has not been exposed."""
    round_ = table.round
    if round_ is None or round_.over:
        return False
    uncounted = round_.face_down and table.count_check is not None
    return uncounted or any(not drawn.exposed for drawn in position.hand_cards(round_))


def has_unseen_cards(table: Table) -> bool:
    """Whether the last round ended with cards that were never exposed. That the shoe ended it by
    itself would reveal their totals, so it is never published."""
    round_ = table.round
    if round_ is None or not round_.over:
        return False
    return any(not drawn.exposed for drawn in position.hand_cards(round_))


def error_location(error: BaseException) -> list[str]:
    """The error's location in the program, without its text."""
    return [f"{at.filename}:{at.lineno}" for at in traceback.extract_tb(error.__traceback__)]


def stop_reason(error: BaseException) -> str:
    """The reason for the table's stop, without text that could name a card."""
    if isinstance(error, JournalError | OSError):
        log.error("table_stopped", why=str(error))
        return f"the table has stopped, nothing more is taken: {error}"
    log.error("table_stopped", kind=type(error).__name__, where=error_location(error))
    return f"the table has stopped on an error of its own ({type(error).__name__}): start it again"
