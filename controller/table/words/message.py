"""A message: who says which word, and the JSON line it comes from and is recorded as.

Outside, a line is `{"at", "from", "who", "role", "do" or "event", "with": {...}}`; what devices say
most often (`card hand index code winner`) stands on the line itself. Inside, `Message.word` is the
word's own struct. What does not fit its struct becomes `Malformed`: the table refuses it by
name and records it as it came.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import replace

import controller.table.words.devices  # noqa: F401  (enters the devices' words)
from controller.journal.bodies import NO_TIME, ON_THE_LINE, Given, JsonLine
from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence, sentence
from controller.table.words import reports
from controller.table.words.vocabulary import (
    ANYBODY,
    NAMES,
    SPEC_OF,
    SPECS,
    Spec,
    Word,
    short,
)


class Malformed(Word, frozen=True):
    """A known word with fields it does not have, or that are not as they must be."""

    name: str
    fields: Given
    why: Sentence


FLOOR: Final = "floor"
"""A person's word that the floor carried, over its signature."""

W_co = TypeVar("W_co", bound=Word, covariant=True)


class Seal(msgspec.Struct, frozen=True, gc=False):
    """What a sealed card is known by before it is exposed."""

    commitment: str | None = None
    salt: str | None = None


NO_SEAL: Final = Seal()


class Message(msgspec.Struct, Generic[W_co], frozen=True, gc=False):
    """One word, and who says it."""

    source: str
    word: W_co
    at: float = NO_TIME
    who: str | None = None
    role: str | None = None
    key: str | None = None
    """Made anew for each tap of a button, so that a request that is repeated acts once."""
    mark: str | None = None
    """What was said with the key, so that nothing else can be said with it."""
    frame: bytes = b""
    """The device's own bytes, kept beside what they were read as; sealed where the card is."""
    seal: Seal = NO_SEAL
    via: str | None = None
    """By what a word came that was not said at the table: `FLOOR`. None: it was said there."""

    @property
    def verb(self) -> str:
        """The word's name."""
        return verb_of(self.word)

    @property
    def name(self) -> str:
        """Who speaks."""
        return self.who or self.source


def verb_of(word: Word) -> str:
    return word.name if type(word) is Malformed else NAMES[type(word)]


def spec_of(word: Word) -> Spec | None:
    """The word's entry in the vocabulary; None for what is no word of it."""
    return SPECS.get(word.name) if type(word) is Malformed else SPEC_OF.get(type(word))


def known(verb: str) -> bool:
    return verb in SPECS


def from_line(line: JsonLine) -> Message[Word]:
    """The typed message; its word must be `known`."""
    return Message(
        line.source,
        typed(line.verb, line.fields()),
        at=line.at,
        who=line.who,
        role=line.role,
        key=line.key,
        mark=line.mark,
        frame=line.frame,
        seal=Seal(line.commitment) if line.commitment else NO_SEAL,
        via=line.via,
    )


def message(source: str, verb: str, **more: Any) -> Message[Word]:
    """A message by the word's name: `at who role key frame via` are the envelope, the rest is
    given with the word."""
    names = ("at", "who", "role", "key", "frame", "via")
    envelope = {name: more.pop(name) for name in names if name in more}
    return Message(source, typed(verb, more), **envelope)


def typed(verb: str, given: Given) -> Word:
    """A word from its fields; what does not fit is `Malformed` and says which field."""
    if verb == "report" and (why := reports.misplaced(given)):
        return Malformed(verb, given, why)
    try:
        return msgspec.convert(given, SPECS[verb].struct, str_keys=False)
    except msgspec.ValidationError:
        return Malformed(verb, given, _why(verb, given))


_NOT_TEXT: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Controls, and what turns, hides or parts a line: a name with one reads as another name."""


def not_text(given: object) -> bool:
    """Whether anything that somebody gave holds a character that nobody reads. Asked at the doors
    where people speak and not of records: what was once taken stays as it was taken."""
    if isinstance(given, str):
        return _NOT_TEXT.search(given) is not None
    if isinstance(given, Mapping):
        return any(not_text(key) or not_text(value) for key, value in given.items())
    return isinstance(given, list | tuple) and any(map(not_text, given))


def _why(verb: str, given: Given) -> Sentence:
    """The first field that is wrong, and how."""
    fields = msgspec.structs.fields(SPECS[verb].struct)
    unknown = sorted(set(given) - {each.encode_name for each in fields})
    if unknown:
        return sentence(Code.NO_SUCH_FIELD, word=verb, field=short(unknown[0]))
    for each in fields:
        if each.required and each.encode_name not in given:
            return sentence(Code.FIELD_NEEDED, word=verb, field=each.encode_name)
    for each in fields:
        if each.encode_name in given and not _fits(given[each.encode_name], each.type):
            return sentence(Code.FIELD_NOT_AS_IT_MUST_BE, word=verb, field=each.encode_name)
    return sentence(Code.FIELD_NOT_AS_IT_MUST_BE, word=verb, field=verb)


def _fits(value: object, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def as_line(said: Message[Word]) -> JsonLine:
    """The line a message is recorded as."""
    word, verb = said.word, said.verb
    do = event = card = hand = index = code = winner = None
    if said.source in ANYBODY:
        do, given = verb, fields_of(word)
    elif type(word) is Malformed:  # which may have fields that fit no line
        event, given = verb, fields_of(word)
    else:
        event = verb
        card, hand, index, code, winner = [getattr(word, name, None) for name in ON_THE_LINE]
        given = {
            name: msgspec.to_builtins(value)
            for name, default in _beside_the_line(type(word))
            if (value := getattr(word, name)) != default
        }
    return JsonLine(
        said.source,
        said.at,
        event,
        card,
        msgspec.to_builtins(hand),
        index,
        code,
        msgspec.to_builtins(winner),
        said.who,
        said.role,
        do,
        given,
        said.key,
        said.mark,
        said.frame,
        said.seal.commitment,
        said.via,
    )


@cache
def _beside_the_line(struct: type[Word]) -> tuple[tuple[str, object], ...]:
    """The fields that stand in `with`, and what is not written of each."""
    names, defaults = struct.__struct_fields__, struct.__struct_defaults__
    needed = len(names) - len(defaults)
    every = zip(names, (*[NODEFAULT] * needed, *defaults), strict=True)
    return tuple(each for each in every if each[0] not in ON_THE_LINE)


def fields_of(word: Word) -> Given:
    """The fields that were given with the word, as plain data."""
    found: Given = dict(word.fields) if type(word) is Malformed else msgspec.to_builtins(word)
    return found


def by_staff(verb: str, who: str, role: str, **given: Any) -> Message[Word]:
    return replace(Message("staff", typed(verb, given)), who=who, role=role)
