"""Words: which may be said now, and saying one. The table judges; this hands it on, once."""

import asyncio
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from controller.console.auth.accounts import SURVEILLANCE, Account
from controller.console.context import ConsoleContext, Signed, answer, body, log
from controller.console.data.idempotency import Said
from controller.console.handlers.fields import SAID, checked
from controller.console.handlers.signing import Door, SignIn
from controller.console.handlers.words import next_words, sayable
from controller.console.problems import Problem
from controller.round.rules import Message
from controller.runtime.client import Busy, MovedOn, Stopped

ANSWER_S: Final = 10.0
"""How long the table may take; a step takes milliseconds."""

_Key = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_.:-]+$")]


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: _Key
    given: dict[str, Any] = msgspec.field(name="with", default_factory=dict)
    seen: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    second: SignIn | None = None


async def words(context: ConsoleContext, request: Request) -> Response:
    """What the person who asks may say now."""
    signed = context.signed(request)
    posted = context.latest()
    view = posted.views["dealer"]
    found = sayable(view, signed.account.role, context.rules)
    return answer({"seq": posted.seq, "state": view["state"], "words": found})


async def say(context: ConsoleContext, door: Door, request: Request) -> Response:
    signed = context.awake(request)
    word = request.path_params["word"]
    if word not in SAID:
        raise Problem("not_found", f"there is no word {word!r}")
    said = await body(request, Say)
    try:
        given = checked(word, said.given)
    except msgspec.ValidationError as error:
        raise Problem("bad_request", f"with: {error}") from None
    speaker = await _speaker(door, signed, said)
    told = await _told(context, speaker, word, given, said)
    return _answered(context, speaker, told)


async def _speaker(door: Door, signed: Signed, said: Say) -> Account:
    """The person at the screen, or a second one who speaks there with their own secret."""
    speaker = signed.account
    if said.second is not None:
        if said.second.who == speaker.who:
            raise Problem("not_allowed", "this takes somebody else than who is signed in")
        speaker = await door.attempt(said.second.who, said.second.secret)
    if speaker.role == SURVEILLANCE:
        raise Problem("not_allowed", "surveillance watches and says nothing")
    return speaker


async def _told(
    context: ConsoleContext, speaker: Account, word: str, given: dict[str, Any], said: Say
) -> dict[str, Any]:
    """The table's answer: the one given before, where this was said before."""
    try:
        asked = context.idempotency.before(speaker.who, said.key, word, given)
    except KeyError:
        raise Problem("key_used", "make a new key for each tap", then=["reload"]) from None
    if asked is None:
        asked = _ask(context, speaker, word, given, said)
    try:
        # Whoever asked may go away; the word has been said all the same.
        return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(asked)), ANSWER_S)
    except TimeoutError:
        raise Problem(
            "no_answer",
            "the table has not answered yet: send the same key again",
            then=["try-again"],
        ) from None
    except Stopped as stopped:
        raise Problem("stopped", str(stopped)) from None
    except MovedOn:
        context.idempotency.forget(speaker.who, said.key)
        raise _moved_on(context, speaker) from None


def _ask(
    context: ConsoleContext, speaker: Account, word: str, given: dict[str, Any], said: Say
) -> Said:
    message = Message(
        "staff",
        at=context.wall(),
        who=speaker.who,
        role=speaker.role,
        do=word,
        given=given,
        key=said.key,
    )
    try:
        asked = context.client.ask(message, said.seen)
    except Busy:
        raise Problem(
            "busy", "the table has more to do than it can: nothing was taken", then=["try-again"]
        ) from None
    except Stopped as stopped:
        raise Problem("stopped", str(stopped)) from None
    context.idempotency.keep(speaker.who, said.key, word, given, asked)
    log.info("said", word=word, who=speaker.who)
    return asked


def _moved_on(context: ConsoleContext, speaker: Account) -> Problem:
    posted = context.latest()
    return Problem(
        "moved_on",
        "the table is no longer as this page showed it: nothing was said",
        then=next_words(posted.views["dealer"], speaker.role, context.rules),
        more={"seq": posted.seq, "view": context.feeds.view(posted, "dealer")},
    )


def _answered(context: ConsoleContext, speaker: Account, told: dict[str, Any]) -> Response:
    if told["accepted"]:
        return answer(_whole(context, told))
    view = context.latest().views["dealer"]
    raise Problem(
        "refused",
        str(told["reason"]),
        clause=told["clause"],
        then=next_words(view, speaker.role, context.rules),
        more={"seq": told["seq"]},
    )


def _whole(context: ConsoleContext, told: dict[str, Any]) -> dict[str, Any]:
    """What was answered before a restart is known from the journal; the rest is as it is now."""
    if "prompt" in told:
        return told
    view = context.latest().views["dealer"]
    now = {part: view[part] for part in ("prompt", "asks", "offers", "hands", "settlements")}
    return {**told, **now}
