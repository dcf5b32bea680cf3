"""Words: which may be said now, and saying one. The table judges; this hands it on, once."""

import asyncio
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from controller.console.auth.accounts import SURVEILLANCE, Account
from controller.console.context import ConsoleContext, Signed, answer, body, log
from controller.console.data.idempotency import Said
from controller.console.handlers.door import Door, Secret, SignIn
from controller.console.handlers.fields import SAID, NotAWord, checked
from controller.console.handlers.words import Sayable, next_words, sayable
from controller.console.problems import Problem, StepNumber
from controller.journal.bodies import Given
from controller.runtime.client import Busy, MovedOn, Stopped
from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence, sentence
from controller.table.words.message import Message
from controller.table.words.vocabulary import Word, takes_own_pin
from controller.views.answers import RecordedAnswer, StepAnswer, completed
from controller.views.structs.audience_views import PageView

ANSWER_S: Final = 10.0
"""How long the table may take; a step takes milliseconds."""

_Key = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_.:-]+$")]


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: _Key
    given: Given = msgspec.field(name="with", default_factory=dict)
    seen: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    second: SignIn | None = None
    secret: Secret | None = None
    """The own one of whoever is signed in, once more."""


class Words(msgspec.Struct, frozen=True):
    """What may be said now, as the table stood at `seq`."""

    seq: int
    state: str
    words: list[Sayable]


class WhereItStands(msgspec.Struct, frozen=True):
    """With `moved_on`: the table as it is now."""

    seq: int
    view: PageView


async def words(context: ConsoleContext, request: Request) -> Response:
    """What the person who asks may say now."""
    signed = context.signed(request)
    posted = context.latest()
    view = posted.views.dealer
    found = sayable(view, signed.account.role, context.rules)
    return answer(Words(posted.seq, view.state, found))


async def say(context: ConsoleContext, door: Door, request: Request) -> Response:
    signed = context.awake(request)
    word = request.path_params["word"]
    if word not in SAID:
        raise Problem("not_found", f"there is no word {word!r}")
    said = await body(request, Say)
    try:
        spoken = checked(word, said.given)
    except NotAWord as error:
        raise Problem("bad_request", error.why) from None
    speaker = await _speaker(door, request, signed, said)
    context.awake(request)  # a PIN takes its time, and the session may have ended meanwhile
    message = Message(
        "staff", spoken, at=context.wall(), who=speaker.who, role=speaker.role, key=said.key
    )
    with context.staff_first.word():
        told = await _told(context, speaker, context.idempotency.marked(message), said.seen)
    return _answered(context, speaker, told)


async def _speaker(door: Door, request: Request, signed: Signed, said: Say) -> Account:
    """The person at the screen, or a second one who speaks there with their own secret. A screen
    that somebody left open is nobody's word for what others rely on."""
    speaker = signed.account
    if said.second is not None:
        if said.second.who == speaker.who:
            raise Problem("not_allowed", sentence(Code.TAKES_SOMEBODY_ELSE))
        speaker = await door.somebody(request, said.second)
    elif said.secret is not None:
        speaker = await door.own_pin(request, signed, said.secret)
    elif takes_own_pin(request.path_params["word"]):
        raise Problem("not_allowed", sentence(Code.TAKES_OWN_PIN), then=["pin"])
    if speaker.role == SURVEILLANCE:
        raise Problem("not_allowed", sentence(Code.SURVEILLANCE_WATCHES))
    return speaker


async def _told(
    context: ConsoleContext, speaker: Account, message: Message[Word], seen: int | None
) -> StepAnswer | RecordedAnswer:
    """The table's answer: the one given before, where this was said before."""
    try:
        asked = context.idempotency.before(message)
    except KeyError:
        raise Problem("key_used", sentence(Code.KEY_USED), then=["reload"]) from None
    if asked is None:
        asked = _ask(context, message, seen)
        context.idempotency.keep(message, asked)
    try:
        # Whoever asked may go away; the word has been said all the same.
        waiting = asyncio.shield(asyncio.wrap_future(asked))
        told: StepAnswer | RecordedAnswer = await asyncio.wait_for(waiting, ANSWER_S)
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
    return told


def _ask(context: ConsoleContext, message: Message[Word], seen: int | None) -> Said:
    try:
        asked = context.client.ask(message, seen)
    except Busy:
        raise Problem("busy", sentence(Code.TABLE_BUSY), then=["try-again"]) from None
    except Stopped as stopped:
        raise Problem("stopped", str(stopped)) from None
    log.info("said", word=message.verb, who=message.who)
    return asked


def _moved_on(context: ConsoleContext, speaker: Account) -> Problem:
    posted = context.latest()
    return Problem(
        "moved_on",
        sentence(Code.TABLE_MOVED_ON),
        then=next_words(posted.views.dealer, speaker.role, context.rules),
        more=WhereItStands(posted.seq, context.feeds.view(posted, "dealer")),
    )


def _answered(
    context: ConsoleContext, speaker: Account, told: StepAnswer | RecordedAnswer
) -> Response:
    if told.accepted:
        if isinstance(told, RecordedAnswer):  # it was answered before a restart
            told = completed(told, context.latest().views.dealer)
        return answer(told)
    assert told.code is not None, "a refusal says why"
    view = context.latest().views.dealer
    raise Problem(
        "refused",
        Sentence(told.code, told.gaps or {}),
        text=told.reason,
        clause=told.clause,
        then=next_words(view, speaker.role, context.rules),
        more=StepNumber(told.seq),
    )
