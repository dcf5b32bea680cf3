"""JSON Schemas of the input and of the stored records, generated from the structs that read and
write them."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeAlias

import msgspec

from controller.engine.release import StateOfTable
from controller.engine.summaries import RoundSummary
from controller.journal.bodies import ON_THE_LINE, AcceptedStep, JsonLine, RefusedStep
from controller.journal.keys.record import KeysBody
from controller.journal.records import CHECKPOINT, KEYS, RECORD_FORMAT, RELEASE, STEP, SUMMARY
from controller.table.commands import people as words
from controller.table.commands.registry import CARD_PATTERN, REGISTRY, MessageType
from controller.table.commands.reports import IDS, report_struct
from controller.table.state import Table
from controller.views.structs.cards import Face
from controller.views.structs.messages import MESSAGES
from drivers.cards import Card

Schema: TypeAlias = dict[str, Any]
Refs: TypeAlias = dict[type[msgspec.Struct], Schema]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
PEOPLE: Final = ("staff", "player")
REF: Final = "#/$defs/{name}"

_ENVELOPE: Final = ("at", "who", "role", "key", "frame")
"""The fields that a line may have next to its command."""


def document(title: str, schema: Schema, defs: Schema) -> Schema:
    return {"$schema": DIALECT, "title": title, **schema, "$defs": defs}


def line_schema() -> Schema:
    """The schema of a line of `sabot table --jsonl`: one schema per command, and one per report."""
    refs, defs = schemas_of(_every_word(), REF)
    return document("A line that a table takes", {"oneOf": _lines(refs, defs)}, defs)


def record_schema() -> Schema:
    """The schema of a record in today's format, as `sabot journal export --jsonl` writes it."""
    bodies: list[type[msgspec.Struct]] = [
        AcceptedStep,
        RefusedStep,
        RoundSummary,
        StateOfTable,
        KeysBody,
        Table,
    ]
    refs, defs = schemas_of([*_every_word(), *bodies], REF)
    defs["RecordedLine"] = {"oneOf": _lines(refs, defs, recorded=True)}
    # A refused command is recorded as it arrived, with any fields.
    defs["AcceptedStep"]["properties"]["in"] = {"$ref": REF.format(name="RecordedLine")}
    for name, accepted in (("AcceptedStep", True), ("RefusedStep", False)):
        defs[name]["properties"]["accepted"] = {"const": accepted}
        defs[name]["required"].append("accepted")
    steps = {"oneOf": [refs[AcceptedStep], refs[RefusedStep]]}
    # A state keeps the format of the release that wrote it; this schema is today's.
    defs["StateOfTable"]["properties"]["table"] = refs[Table]
    kinds = [
        _record(STEP, steps),
        _record(SUMMARY, refs[RoundSummary]),
        _record(CHECKPOINT, refs[StateOfTable]),
        _record(RELEASE, refs[StateOfTable]),
        _record(KEYS, refs[KeysBody]),
    ]
    return document("A record of a journal", {"oneOf": kinds}, defs)


def schemas_of(structs: Iterable[type[msgspec.Struct]], template: str) -> tuple[Refs, Schema]:
    """A reference for each struct, and all schemas they refer to. A report is the union of the
    reports, each with its own fields."""
    reports = [report_struct(what) for what in IDS]
    wanted = list(structs)
    kinds = [each for each in wanted if each is not words.ReportCommand]
    kinds += reports if words.ReportCommand in wanted else []
    schemas, defs = msgspec.json.schema_components(
        kinds, ref_template=template, schema_hook=_custom
    )
    if Card.__name__ in defs:
        defs[Card.__name__] = {"type": "string", "pattern": CARD_PATTERN}
    refs: Refs = dict(zip(kinds, schemas, strict=True))
    if words.ReportCommand in wanted:
        defs["ReportCommand"] = {"oneOf": [refs[report] for report in reports]}
        refs[words.ReportCommand] = {"$ref": template.format(name="ReportCommand")}
    return refs, defs


def _custom(kind: type) -> Schema:
    if kind is Face:
        return {"type": "string", "pattern": CARD_PATTERN}
    raise NotImplementedError(f"no schema of {kind.__name__}")


def sent_schemas(roots: Iterable[type], template: str) -> tuple[Refs, Schema]:
    """Schemas of sent structs: every field is required, because defaults are sent too."""
    sent = sent_structs(roots)
    refs, defs = schemas_of(sent, template)
    for struct in sent:
        defs[struct.__name__]["required"] = [
            field.encode_name
            for field in msgspec.structs.fields(struct)
            if field.default is not msgspec.UNSET
        ]
    return refs, defs


def sent_structs(roots: Iterable[type]) -> list[type[msgspec.Struct]]:
    """The roots and all structs they contain, each once and after the struct that contains it."""
    found: dict[type[msgspec.Struct], None] = {}
    waiting = list(msgspec.inspect.multi_type_info(roots))[::-1]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, msgspec.inspect.StructType):
            if kind.cls in found:
                continue
            found[kind.cls] = None
        waiting += list(_parts_of(kind))[::-1]
    return list(found)


def _parts_of(kind: msgspec.inspect.Type) -> Iterator[msgspec.inspect.Type]:
    match kind:
        case msgspec.inspect.StructType(fields=fields):
            yield from (each.type for each in fields)
        case msgspec.inspect.UnionType(types=types) | msgspec.inspect.TupleType(item_types=types):
            yield from types
        case msgspec.inspect.DictType(value_type=value):
            yield value
        case msgspec.inspect.CollectionType(item_type=inner) | msgspec.inspect.Metadata(type=inner):
            yield inner


def feed_schema() -> Schema:
    """The schema of a feed message, with its view."""
    refs, defs = sent_schemas(MESSAGES, REF)
    kinds = [refs[each] for each in MESSAGES]
    return document("A message of a feed", {"oneOf": kinds}, defs)


def _every_word() -> list[type[msgspec.Struct]]:
    return [message_type.struct for message_type in REGISTRY.values()]


# --- lines --------------------------------------------------------------------------------------


def _lines(refs: Refs, defs: Schema, *, recorded: bool = False) -> list[Schema]:
    found = []
    for message_type in REGISTRY.values():
        people = [each for each in message_type.speakers if each in PEOPLE]
        others = [each for each in message_type.speakers if each not in PEOPLE]
        fields = _properties(refs[message_type.struct], defs)
        if people:
            found.append(
                _line(message_type, "do", people, refs[message_type.struct], {}, recorded=recorded)
            )
        if others:
            found.append(
                _line(
                    message_type,
                    "event",
                    others,
                    refs[message_type.struct],
                    fields,
                    recorded=recorded,
                )
            )
    return found


def _line(
    message_type: MessageType,
    key: str,
    speakers: list[str],
    given: Schema,
    fields: Schema,
    *,
    recorded: bool,
) -> Schema:
    """The schemas of lines. A person's line has a command in `do` and its fields in `with`; a
    device's line has an `event`, and some of its fields may be on the line itself."""
    refs, defs = schemas_of([JsonLine], REF)
    own = _properties(refs[JsonLine], defs)
    envelope = {name: own[name] for name in (*_ENVELOPE, *(("commitment",) if recorded else ()))}
    needed = any(each.required for each in msgspec.structs.fields(message_type.struct))
    return {
        "title": message_type.name,
        "description": message_type.description,
        "type": "object",
        "properties": {
            "from": {"enum": speakers},
            key: {"const": message_type.name},
            "with": given,
            **{name: fields[name] for name in ON_THE_LINE if name in fields},
            **envelope,
        },
        "required": ["from", key, *(["with"] if needed else [])],
        "additionalProperties": False,
    }


def _properties(ref: Schema, defs: Schema) -> Schema:
    found: Schema = defs[ref["$ref"].rpartition("/")[2]].get("properties", {})
    return found


# --- records ------------------------------------------------------------------------------------


_SHA256: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def _record(kind: str, body: Schema) -> Schema:
    whole = {"type": "integer", "minimum": 0}
    properties: Schema = {
        "seq": {"type": "integer", "minimum": 1},
        "kind": {"const": kind},
        "version": {"const": RECORD_FORMAT},
        "at": {"type": "number"},
        "shoe": whole,
        "round": whole,
        "body": body,
        "sealed": {"anyOf": [_SHA256, {"type": "null"}]},
        "digest": _SHA256,
    }
    return {
        "title": kind,
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
