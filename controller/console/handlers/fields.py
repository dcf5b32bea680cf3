"""The commands of staff and their fields, as pages and the API show them.

All of it is read from the structs of `controller.table.commands.people`: validation, forms and the
OpenAPI document cannot differ.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from controller.journal.bodies import Given
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table.commands.message import MalformedPayload, has_unprintable_text, typed_payload
from controller.table.commands.registry import REGISTRY, Payload
from controller.table.commands.reports import FORMS, report_fields

SAID: Final[Mapping[str, type[Payload]]] = {
    name: spec.struct for name, spec in REGISTRY.items() if "staff" in spec.speakers
}
"""Every command of staff, with its optional fields."""


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request without fields."""


class BadCommand(Exception):
    """The error for unknown or invalid fields of a command."""

    def __init__(self, why: Sentence) -> None:
        super().__init__(why.code)
        self.why = why


def checked_payload(type_name: str, given: Given) -> Payload:
    """The command with its fields; raises `BadCommand` for the first invalid one."""
    payload = typed_payload(type_name, given)
    if isinstance(payload, MalformedPayload):
        raise BadCommand(payload.reason)
    for name, value in given.items():
        if has_unprintable_text(value):
            raise BadCommand(sentence(Code.FIELD_NOT_AS_IT_MUST_BE, word=type_name, field=name))
    for field in _fields(type_name):
        if field.needed and given.get(field.name) is None:
            raise BadCommand(sentence(Code.FIELD_NEEDED, word=type_name, field=field.name))
    return payload


class FormField(msgspec.Struct, frozen=True):
    """One field as a page shows it."""

    name: str
    kind: str
    needed: bool
    title: str
    choices: list[str] | None = None


def form_fields(type_name: str, choices: Mapping[str, list[str]]) -> list[FormField]:
    """The fields of a command; `choices` contains the configured values by field name."""
    return [
        replace(each, choices=choices[each.name]) if each.name in choices else each
        for each in _fields(type_name)
    ]


def report_forms() -> dict[str, list[FormField]]:
    """The fields of each report."""
    known = {each.name: each for each in _fields("report")}
    return {
        what: [
            replace(known[name], choices=list(form.facts)) if name == "facts" else known[name]
            for name in report_fields(what)
        ]
        for what, form in FORMS.items()
    }


_CHOSEN: Final = ("choice", "hand")
"""Kinds for which a page lists every value."""


@cache
def _fields(type_name: str) -> list[FormField]:
    found = msgspec.inspect.type_info(SAID[type_name])
    assert isinstance(found, msgspec.inspect.StructType)
    return [_field(each) for each in found.fields]


def _field(field: msgspec.inspect.Field) -> FormField:
    """The form field that a field's annotations describe."""
    extra: dict[str, Any] = {}
    title, choices, kinds = "", None, [field.type]
    while kinds:
        kind = kinds.pop()
        if isinstance(kind, msgspec.inspect.UnionType):
            kinds += kind.types
        elif isinstance(kind, msgspec.inspect.Metadata):
            extra = {**(kind.extra or {}), **extra}
            title = title or str((kind.extra_json_schema or {}).get("title", ""))
            kinds.append(kind.type)
        elif isinstance(kind, msgspec.inspect.LiteralType):
            choices = [str(value) for value in kind.values]
        elif isinstance(kind, msgspec.inspect.EnumType):
            choices = [str(each.value) for each in kind.cls]
    kind = extra.get("kind", "text")
    needed = field.required or bool(extra.get("needed", False))
    offered = choices if kind in _CHOSEN else None
    return FormField(field.encode_name, kind, needed, title, offered)
