"""The OpenAPI document, made from the list of endpoints and the types of their bodies."""

from functools import cache
from importlib.metadata import version
from types import UnionType
from typing import Any, Final, get_origin

import msgspec

from controller.console.auth.accounts import MAX_SECRET
from controller.console.context import CSRF_HEADER
from controller.console.handlers import post_command
from controller.console.handlers.credentials import SignIn
from controller.console.handlers.fields import SAID, form_fields
from controller.console.http.endpoints import AnswerType, Endpoint, parts_of
from controller.console.problems import KINDS, ProblemBody
from controller.table.commands.registry import REGISTRY, takes_own_pin
from controller.views.schemas import schemas_of, sent_schemas

Document = dict[str, Any]

_NUMBERS: Final = frozenset({"shoe", "n"})


_TEMPLATE: Final = "#/components/schemas/{name}"


def document(
    endpoints: list[Endpoint],
    title: str = "Sabot console",
    cookie: str = "sabot",
    feeds: tuple[type[msgspec.Struct], ...] = (),
) -> Document:
    """The OpenAPI document. `feeds` are the WebSocket messages, which OpenAPI can only describe as
    schemas."""
    paths: dict[str, Document] = {}
    for endpoint in endpoints:
        if endpoint.body is post_command.CommandRequest:
            for word in SAID:
                paths[f"/api/commands/{word}"] = {"post": _operation(endpoint, word)}
        else:
            paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version("sabot")},
        "paths": paths,
        "components": {
            "schemas": _schemas(
                _bodies(endpoints), (*_answers(endpoints), *feeds), _has_words(endpoints)
            ),
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": cookie}},
        },
    }


def _has_words(endpoints: list[Endpoint]) -> bool:
    return any(each.body is post_command.CommandRequest for each in endpoints)


def _bodies(endpoints: list[Endpoint]) -> tuple[type, ...]:
    given = {each.body for each in endpoints if each.body is not None} - {
        post_command.CommandRequest
    }
    return tuple(sorted(given, key=lambda each: each.__name__))


def _answers(endpoints: list[Endpoint]) -> tuple[type, ...]:
    reported = {part for each in endpoints if each.answer for part in parts_of(each.answer)}
    return tuple(sorted(reported, key=lambda each: each.__name__))


@cache
def _schemas(bodies: tuple[type, ...], answers: tuple[type, ...], has_words: bool) -> Document:
    """The schemas, computed once a process: this takes longer than the rest of the console's
    start."""
    answer = SAID if has_words else {}
    _, taken = schemas_of([*bodies, *answer.values()], _TEMPLATE)
    _, sent = sent_schemas([*answers, ProblemBody], _TEMPLATE)
    found = {**taken, **sent}
    for word, struct in answer.items():
        if word != "report":  # its fields depend on the report
            _ask_for(word, found[struct.__name__])
    return found


def _ask_for(word: str, schema: Document) -> None:
    """Makes the fields that a form needs required here too, and excludes null for them."""
    schema["required"] = [each.name for each in form_fields(word, {}) if each.needed]
    for name in schema["required"]:
        wanted = schema["properties"][name]
        wanted.pop("default", None)
        kinds = [each for each in wanted.pop("anyOf", []) if each != {"type": "null"}]
        if kinds:
            wanted.update(kinds[0] if len(kinds) == 1 else {"anyOf": kinds})


def _operation(endpoint: Endpoint, word: str | None = None) -> Document:
    text = endpoint.summary if word is None else REGISTRY[word].description
    found: Document = {
        "summary": text,
        "operationId": _name(endpoint, word),
        "parameters": [*_in_path(endpoint, word), *_in_query(endpoint), *_headers(endpoint)],
        "responses": _responses(endpoint),
    }
    if endpoint.signed:
        found["security"] = [{"session": []}]
    if endpoint.body is not None:
        schema = _ref(endpoint.body) if word is None else _say(word)
        found["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}},
        }
    return found


def _name(endpoint: Endpoint, word: str | None) -> str:
    if word is not None:
        return f"say_{word}"
    plain = endpoint.path.replace("{", "").replace("}", "").replace(".", "_").replace("-", "_")
    return f"{endpoint.method.lower()}{plain.replace('/', '_')}"


def _ref(body: AnswerType) -> Document:
    if isinstance(body, UnionType):
        return {"oneOf": [_ref(each) for each in parts_of(body)]}
    if get_origin(body) is list:
        return {"type": "array", "items": _ref(*parts_of(body))}
    return {"$ref": _TEMPLATE.format(name=body.__name__)}


def _say(word: str) -> Document:
    return {
        "type": "object",
        "properties": {
            "key": {
                "type": "string",
                "minLength": 8,
                "maxLength": 64,
                "pattern": "^[A-Za-z0-9_.:-]+$",
                "description": "made anew for each tap; the same key is carried out once",
            },
            "with": _ref(SAID[word]),
            "seen": {
                "type": ["integer", "null"],
                "minimum": 0,
                "maximum": 2**53,
                "description": "the seq of what the page shows",
            },
            "second": {
                "anyOf": [_ref(SignIn), {"type": "null"}],
                "description": "somebody else speaks at this screen",
            },
            "secret": {
                "type": ["string", "null"],
                "minLength": 1,
                "maxLength": MAX_SECRET,
                "description": "the own PIN of whoever is signed in"
                + (": not without it, or `second`" if takes_own_pin(word) else ""),
            },
        },
        "required": [
            "key",
            *(["with"] if any(each.needed for each in form_fields(word, {})) else []),
        ],
        "additionalProperties": False,
    }


def _in_path(endpoint: Endpoint, word: str | None) -> list[Document]:
    if word is not None:
        return []
    parts = [part[1:-1] for part in endpoint.path.split("/") if part.startswith("{")]
    return [
        {"name": part, "in": "path", "required": True, "schema": _parameter(part)} for part in parts
    ]


def _in_query(endpoint: Endpoint) -> list[Document]:
    if isinstance(endpoint.query, tuple):
        named = {each: _parameter(each) for each in endpoint.query}
    else:
        named = _properties(endpoint.query)
    needed = () if isinstance(endpoint.query, tuple) else _needed(endpoint.query)
    return [
        {"name": each, "in": "query", "schema": schema, "required": each in needed}
        for each, schema in named.items()
    ]


def _needed(query: type[msgspec.Struct]) -> list[str]:
    return [each.encode_name for each in msgspec.structs.fields(query) if each.required]


def _properties(query: type[msgspec.Struct]) -> dict[str, Document]:
    """The fields of a typed query; a field that is null in the struct is absent from the URL."""
    _, found = schemas_of([query], _TEMPLATE)
    made = {}
    for name, schema in found[query.__name__]["properties"].items():
        kinds = [each for each in schema.pop("anyOf", [schema]) if each != {"type": "null"}]
        made[name] = {key: value for key, value in kinds[0].items() if key != "default"}
    return made


def _parameter(name: str) -> Document:
    if name in _NUMBERS:
        return {"type": "integer", "minimum": 0, "maximum": 10**9}
    return {"type": "string"}


def _headers(endpoint: Endpoint) -> list[Document]:
    if endpoint.method == "GET" or not endpoint.signed:
        return []
    return [{"name": CSRF_HEADER, "in": "header", "required": True, "schema": {"type": "string"}}]


def _responses(endpoint: Endpoint) -> Document:
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemBody"}}}
    shape = {} if endpoint.answer is None else _ref(endpoint.answer)
    good: Document = {endpoint.kind: {"schema": shape}}
    statuses = sorted({kind.status for kind in KINDS.values()})
    return {
        "200": {"description": "as asked", "content": good},
        **{str(each): {"description": "a problem", "content": problem} for each in statuses},
    }
