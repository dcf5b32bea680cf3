"""Sends orders to tables, and acknowledges exceptions."""

from typing import Annotated

import msgspec
from msgspec import Meta
from starlette.requests import Request

from controller.console.context import body
from controller.console.handlers.credentials import Secret
from controller.console.problems import Problem, StepNumber
from controller.floor.web.context import FloorContext
from controller.floor.web.orders import NotCarried, OrderAuthor
from controller.journal.bodies import Given
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.protocol.orders import OrderAnswer, OrderOutcome
from controller.table.approvals import Act


class OrderBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command for a table, and the person's own PIN."""

    word: Annotated[str, Meta(min_length=1, max_length=32)]
    seen: Annotated[int, Meta(ge=0, le=2**53)]
    secret: Secret
    given: Given = msgspec.field(name="with", default_factory=dict)
    reason: Annotated[str, Meta(max_length=500)] | None = None


class NotTakenFor(msgspec.Struct, frozen=True):
    """With `refused`: what became of the order."""

    outcome: OrderOutcome


class AcknowledgeBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ids: Annotated[list[int], Meta(min_length=1, max_length=100)]


class Acknowledged(msgspec.Struct, frozen=True):
    acknowledged: int
    """How many were still open and unacknowledged."""


async def order(context: FloorContext, request: Request) -> OrderAnswer:
    """Sends an order after a check of the PIN, because a screen may have been left open."""
    signed = context.people.who_may(request, Act.SPEAK_FROM_FLOOR)
    answer = await body(request, OrderBody)
    await context.people.own_pin(request, signed, answer.secret)
    context.people.awake(request)  # the check of a PIN takes a while
    table = request.path_params["table"]
    tile = context.board.tile(table)
    if tile is None:
        raise Problem("not_found", "there is no such table")
    if tile.away:
        raise Problem("busy", sentence(Code.TABLE_IS_AWAY))
    speaker = OrderAuthor(signed.account.who, signed.account.role)
    try:
        found = await context.desk.say(
            table, answer.word, answer.given, speaker, answer.seen, answer.reason
        )
    except NotCarried as error:
        raise Problem("bad_request", str(error)) from None
    if found is None:
        raise Problem("no_answer", sentence(Code.NO_ANSWER_YET))
    if found.outcome is OrderOutcome.ACCEPTED:
        return found
    if found.outcome is OrderOutcome.MOVED_ON:
        raise Problem("moved_on", sentence(Code.TABLE_MOVED_ON), more=StepNumber(tile.seq))
    raise Problem(
        "refused",
        sentence(Code.ORDER_NOT_TAKEN),
        text=found.text or None,
        clause=found.clause,
        more=NotTakenFor(found.outcome),
    )


async def acknowledge(context: FloorContext, request: Request) -> Acknowledged:
    signed = context.people.who_may(request, Act.ACKNOWLEDGE_EXCEPTION)
    given = await body(request, AcknowledgeBody)
    found = await context.store.acknowledge(given.ids, signed.account.who)
    if found:
        listed = ", ".join(map(str, given.ids))
        context.people.note("acknowledged", signed.account.who, listed)
    return Acknowledged(found)
