"""The API for machines, made from the list of endpoints and the types of their bodies."""

from importlib.metadata import version
from typing import Any, Final

import msgspec

from controller.console.context import CSRF_HEADER
from controller.console.handlers import saying
from controller.console.handlers.fields import SAID
from controller.console.handlers.signing import SignIn
from controller.console.http.endpoints import Endpoint
from controller.console.problems import KINDS
from controller.round.words import WORDS

Document = dict[str, Any]

_NUMBERS: Final = frozenset({"shoe", "round", "n", "limit"})
_TIMES: Final = frozenset({"since", "until"})


class ProblemBody(msgspec.Struct, frozen=True):
    """Every error; some have more fields."""

    type: str
    title: str
    status: int
    detail: str
    clause: str | None
    next: list[str]


def document(endpoints: list[Endpoint]) -> Document:
    paths: dict[str, Document] = {}
    for endpoint in endpoints:
        if endpoint.body is saying.Say:
            for word in SAID:
                paths[f"/api/words/{word}"] = {"post": _operation(endpoint, word)}
        else:
            paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sabot console", "version": version("sabot")},
        "paths": paths,
        "components": {
            "schemas": _schemas(endpoints),
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "sabot"}},
        },
    }


def _schemas(endpoints: list[Endpoint]) -> Document:
    bodies = {each.body for each in endpoints if each.body is not None} - {saying.Say}
    types = [*sorted(bodies, key=lambda each: each.__name__), *dict.fromkeys(SAID.values())]
    _, found = msgspec.json.schema_components(
        [*types, ProblemBody], ref_template="#/components/schemas/{name}"
    )
    return found


def _operation(endpoint: Endpoint, word: str | None = None) -> Document:
    says = endpoint.says if word is None else WORDS[word].says
    found: Document = {
        "summary": says,
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


def _ref(body: type[msgspec.Struct]) -> Document:
    return {"$ref": f"#/components/schemas/{body.__name__}"}


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
        },
        "required": ["key"],
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
    return [{"name": each, "in": "query", "schema": _parameter(each)} for each in endpoint.query]


def _parameter(name: str) -> Document:
    if name in _NUMBERS:
        return {"type": "integer", "minimum": 0, "maximum": 10**9 if name != "limit" else 200}
    return {"type": "number"} if name in _TIMES else {"type": "string"}


def _headers(endpoint: Endpoint) -> list[Document]:
    if endpoint.method == "GET" or not endpoint.signed:
        return []
    return [{"name": CSRF_HEADER, "in": "header", "required": True, "schema": {"type": "string"}}]


def _responses(endpoint: Endpoint) -> Document:
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemBody"}}}
    good: Document = {endpoint.kind: {"schema": {}}}
    statuses = sorted({kind.status for kind in KINDS.values()})
    return {
        "200": {"description": "as asked", "content": good},
        **{str(each): {"description": "a problem", "content": problem} for each in statuses},
    }
