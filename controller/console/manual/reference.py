"""The reference pages of the manual, written in Markdown from the code: the driver contract from
its docstrings, the messages of the feeds from their structs, the requests of the console from
OpenAPI, the JSON lines from their schema."""

import ast
import inspect
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

import msgspec

Schema = dict[str, Any]

CONTRACT: Final = ("contract", "events", "commands", "error_meaning")
_REF: Final = "$ref"
_INTRODUCTION: Final = (
    "This page is made from the code each time it is opened. A field without *required* may be "
    "left out."
)


# --- the driver contract ------------------------------------------------------------------------


def driver_contract(drivers: Path) -> str:
    """Every public class and constant of the contract's modules with its docstring. The sources
    are read, not imported: the console imports no driver."""
    parts = ["# Reference: the driver contract", _INTRODUCTION]
    for name in CONTRACT:
        module = ast.parse((drivers / f"{name}.py").read_text("utf-8"))
        parts += [f"## `drivers/{name}.py`", ast.get_docstring(module) or ""]
        parts += [
            part
            for node in module.body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
            for part in _class_parts(node)
        ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _class_parts(node: ast.ClassDef) -> Iterator[str]:
    bases = ", ".join(map(ast.unparse, node.bases))
    yield f"### {node.name}" + (f" ({bases})" if bases else "")
    yield ast.get_docstring(node) or ""
    yield "\n".join(_members(node.body))


def _members(body: Sequence[ast.stmt]) -> Iterator[str]:
    for index, node in enumerate(body):
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            arguments = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
            returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            yield _item(f"{node.name}({arguments}){returns}", ast.get_docstring(node))
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            yield _item(ast.unparse(node), _note_below(body[index + 1 : index + 2]))


def _note_below(following: Sequence[ast.stmt]) -> str | None:
    """The string literal below a field, which documents it."""
    match following:
        case [ast.Expr(value=ast.Constant(value=str(text)))]:
            return inspect.cleandoc(text)
    return None


def _item(code: str, text: str | None) -> str:
    return f"* `{code}`" + (f": {' '.join(text.split())}" if text else "")


# --- the feeds ----------------------------------------------------------------------------------


def feed_messages(structs: Iterable[type[msgspec.Struct]]) -> str:
    """Every message of a feed and every part of a view, from the structs that are sent."""
    parts = [
        "# Reference: views and messages of the feeds",
        "This page is made from the code each time it is opened. Every field is there, null where "
        "its type says so; what is in parentheses has its fields too. [The feed](feed.md) explains "
        "how to receive it; `sabot schema feed` prints the same as JSON Schema.",
    ]
    for struct in _with_bases(structs):
        (node,) = ast.parse(dedent(inspect.getsource(struct))).body
        assert isinstance(node, ast.ClassDef)
        parts += _class_parts(node)
    return "\n\n".join(filter(None, parts)) + "\n"


def _with_bases(structs: Iterable[type[msgspec.Struct]]) -> dict[type, None]:
    """The structs with their bases, each once."""
    return {
        each: None
        for struct in structs
        for each in struct.__mro__
        if issubclass(each, msgspec.Struct) and each is not msgspec.Struct
    }


# --- the console's requests ---------------------------------------------------------------------


def http_api(document: Schema) -> str:
    """Every path of an OpenAPI document with its parameters, its body and its answer."""
    schemas: Schema = document["components"]["schemas"]
    parts = [
        "# Reference: HTTP API",
        f"{_INTRODUCTION} `/openapi.json` has the same for programs; [api.md](api.md) explains it.",
        "## Requests",
    ]
    for path, operations in sorted(document["paths"].items()):
        for method, operation in operations.items():
            parts += _request_parts(method, path, operation)
    parts.append("## Bodies and answers")
    parts += [part for name in sorted(schemas) for part in _schema_parts(name, schemas[name])]
    return "\n\n".join(filter(None, parts)) + "\n"


def _request_parts(method: str, path: str, operation: Schema) -> Iterator[str]:
    yield f"### {method.upper()} {path}"
    signed = "Needs a session." if "security" in operation else "Needs no session."
    yield f"{_capitalised(operation['summary'])}. {signed}"
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    rows = [
        (each["name"], f"{_type_of(each['schema'])}, in the {each['in']}", each["required"])
        for each in operation["parameters"]
    ]
    schema = body.get("schema", {})
    rows += _rows(schema)
    if _REF in schema:
        rows.append(("(body)", _type_of(schema), True))
    yield _table(rows)
    answers = operation["responses"]["200"]["content"]
    yield (
        "Answers "
        + "; ".join(
            f"`{kind}`" + (f", {_type_of(schema['schema'])}" if schema["schema"] else "")
            for kind, schema in answers.items()
        )
        + "."
    )


# --- JSON lines ---------------------------------------------------------------------------------


def json_lines(document: Schema) -> str:
    """Every line that a table takes, from its JSON Schema."""
    types: Schema = document["$defs"]
    parts = [
        "# Reference: JSON lines",
        f"{_INTRODUCTION} `sabot schema words` prints the same as JSON Schema; "
        "[json-lines.md](json-lines.md) explains it.",
    ]
    bodies = set()
    for key, title in (("do", "What people do"), ("event", "What devices and the system send")):
        parts.append(f"## {title}")
        lines = [each for each in document["oneOf"] if key in each["properties"]]
        for line in sorted(lines, key=lambda each: str(each["title"])):
            senders = ", ".join(line["properties"]["from"]["enum"])
            body = _name(line["properties"]["with"])
            bodies.add(body)
            parts += [
                f"### {line['title']}",
                f"{_capitalised(line['description'])}. From {senders}.",
            ]
            parts.append(_table(_rows(types[body])))
    parts.append("## Types")
    others = sorted(types.keys() - bodies)
    parts += [part for name in others for part in _schema_parts(name, types[name])]
    return "\n\n".join(filter(None, parts)) + "\n"


# --- schemas ------------------------------------------------------------------------------------


def _schema_parts(name: str, schema: Schema) -> Iterator[str]:
    yield f"### {name}"
    yield str(schema.get("description", ""))
    yield _table(_rows(schema)) if "properties" in schema else _type_of(schema)


def _rows(schema: Schema) -> list[tuple[str, str, bool]]:
    required = schema.get("required", ())
    return [
        (name, _type_of(each), name in required)
        for name, each in schema.get("properties", {}).items()
    ]


def _table(rows: Sequence[tuple[str, str, bool]]) -> str:
    if not rows:
        return ""
    lines = [
        f"| `{name}` | {kind.replace('|', '&#124;')} | {'required' if required else ''} |"
        for name, kind, required in rows
    ]
    return "\n".join(["| field | type | |", "|---|---|---|", *lines])


def _type_of(schema: Schema) -> str:
    """A schema in one line."""
    match schema:
        case {"$ref": _}:
            text = f"[{_name(schema)}](#{_name(schema).lower()})"
        case {"const": value}:
            text = f"`{value}`"
        case {"enum": values}:
            text = " or ".join(f"`{each}`" for each in values)
        case {"anyOf": variants} | {"oneOf": variants}:
            text = " or ".join(map(_type_of, variants))
        case {"prefixItems": items}:
            text = f"[{', '.join(map(_type_of, items))}]"
        case {"type": "array"}:
            text = f"list of {_type_of(schema.get('items', {}))}"
        case {"type": [*kinds]}:
            text = " or ".join(map(str, kinds))
        case _:
            text = str(schema.get("type", "any value"))
    return f"{text}: {schema['description']}" if "description" in schema else text


def _name(schema: Schema) -> str:
    return str(schema[_REF]).rpartition("/")[2]


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
