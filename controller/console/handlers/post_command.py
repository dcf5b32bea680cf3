"""Lists the legal commands and sends one. The table judges; a command is forwarded once."""

import asyncio
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from controller.console.auth.accounts import SURVEILLANCE, Account
from controller.console.context import ConsoleContext, Signed, answer, body, log
from controller.console.data.idempotency import PostedAnswer
from controller.console.handlers.command_list import (
    AvailableCommand,
    available_commands,
    next_commands,
)
from controller.console.handlers.credentials import Door, Secret, SignIn
from controller.console.handlers.fields import SAID, BadCommand, checked_payload
from controller.console.problems import Problem, StepNumber
from controller.journal.bodies import Given
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.runtime.client import Busy, MovedOn, Stopped
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload, takes_own_pin
from controller.views.answers import RecordedAnswer, StepAnswer, completed
from controller.views.structs.audience_views import PageView

ANSWER_S: Final = 10.0
"""Time-out for the table's answer; a step takes milliseconds."""

_Key = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_.:-]+$")]


class CommandRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: _Key
    given: Given = msgspec.field(name="with", default_factory=dict)
    seen: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    second: SignIn | None = None
    secret: Secret | None = None
    """The signed-in person's own PIN, once more."""


class CommandList(msgspec.Struct, frozen=True):
    """The legal commands, for the table at `seq`."""

    seq: int
    state: str
    words: list[AvailableCommand]


class WhereItStands(msgspec.Struct, frozen=True):
    """The details of `moved_on`: the table as it is now."""

    seq: int
    view: PageView


async def list_commands(context: ConsoleContext, request: Request) -> Response:
    """Lists the commands that the signed-in person may send now."""
    signed = context.signed(request)
    posted = context.latest()
    view = posted.views.dealer
    found = available_commands(view, signed.account.role, context.rules)
    return answer(CommandList(posted.seq, view.state, found))


async def post_command(context: ConsoleContext, door: Door, request: Request) -> Response:
    signed = context.awake(request)
    word = request.path_params["word"]
    if word not in SAID:
        raise Problem("not_found", f"there is no word {word!r}")
    reply = await body(request, CommandRequest)
    try:
        spoken = checked_payload(word, reply.given)
    except BadCommand as error:
        raise Problem("bad_request", error.why) from None
    speaker = await _speaker(door, request, signed, reply)
    context.awake(request)  # the PIN check takes time, and the session may have ended
    message = Message(
        "staff", spoken, at=context.wall(), who=speaker.who, role=speaker.role, key=reply.key
    )
    with context.staff_first.word():
        outcome = await _post(context, speaker, context.idempotency.marked(message), reply.seen)
    return _response(context, speaker, outcome)


async def _speaker(door: Door, request: Request, signed: Signed, reply: CommandRequest) -> Account:
    """The person at the screen, or a second person who gives their own secret there. An open screen
    alone does not authorise what others rely on."""
    speaker = signed.account
    if reply.second is not None:
        if reply.second.who == speaker.who:
            raise Problem("not_allowed", sentence(Code.TAKES_SOMEBODY_ELSE))
        speaker = await door.somebody(request, reply.second)
    elif reply.secret is not None:
        speaker = await door.own_pin(request, signed, reply.secret)
    elif takes_own_pin(request.path_params["word"]):
        raise Problem("not_allowed", sentence(Code.TAKES_OWN_PIN), then=["pin"])
    if speaker.role == SURVEILLANCE:
        raise Problem("not_allowed", sentence(Code.SURVEILLANCE_WATCHES))
    return speaker


async def _post(
    context: ConsoleContext, speaker: Account, message: Message[Payload], seen: int | None
) -> StepAnswer | RecordedAnswer:
    """The table's answer; the stored one where the command was sent before."""
    try:
        asked = context.idempotency.before(message)
    except KeyError:
        raise Problem("key_used", sentence(Code.KEY_USED), then=["reload"]) from None
    if asked is None:
        asked = _ask(context, message, seen)
        context.idempotency.keep(message, asked)
    try:
        # The client may disconnect; the command has been sent all the same.
        waiting = asyncio.shield(asyncio.wrap_future(asked))
        outcome: StepAnswer | RecordedAnswer = await asyncio.wait_for(waiting, ANSWER_S)
    except TimeoutError:
        raise Problem(
            "no_answer",
            sentence(Code.NO_ANSWER_YET),
            then=["try-again"],
        ) from None
    except Stopped as stopped:
        raise Problem("stopped", str(stopped)) from None
    except MovedOn:
        context.idempotency.forget(message)
        raise _moved_on(context, speaker) from None
    return outcome


def _ask(context: ConsoleContext, message: Message[Payload], seen: int | None) -> PostedAnswer:
    try:
        asked = context.client.ask(message, seen)
    except Busy:
        raise Problem("busy", sentence(Code.TABLE_BUSY), then=["try-again"]) from None
    except Stopped as stopped:
        raise Problem("stopped", str(stopped)) from None
    log.info("said", word=message.type, who=message.who)
    return asked


def _moved_on(context: ConsoleContext, speaker: Account) -> Problem:
    posted = context.latest()
    return Problem(
        "moved_on",
        sentence(Code.TABLE_MOVED_ON),
        then=next_commands(posted.views.dealer, speaker.role, context.rules),
        more=WhereItStands(posted.seq, context.feeds.view(posted, "dealer")),
    )


def _response(
    context: ConsoleContext, speaker: Account, outcome: StepAnswer | RecordedAnswer
) -> Response:
    if outcome.accepted:
        if isinstance(outcome, RecordedAnswer):  # it was answered before a restart
            outcome = completed(outcome, context.latest().views.dealer)
        return answer(outcome)
    assert outcome.code is not None, "a refusal says why"
    view = context.latest().views.dealer
    raise Problem(
        "refused",
        Sentence(outcome.code, outcome.gaps or {}),
        text=outcome.reason,
        clause=outcome.clause,
        then=next_commands(view, speaker.role, context.rules),
        more=StepNumber(outcome.seq),
    )
