"""The pages' TypeScript types, made from the structs that the servers encode.

A page gets what `msgspec` encodes, so a field is optional only where it can be unset or left out.
Docstrings of structs and fields become comments.
"""

import ast
import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from textwrap import dedent, wrap
from typing import Final, NamedTuple

import msgspec.inspect as kinds
from msgspec import NODEFAULT, Struct

EXTRA: Final = "typescript"
"""`Meta(extra={EXTRA: "…"})` is the type of a part that the server passes on unread."""

Declared = kinds.StructType | kinds.EnumType
_PLAIN: Final = {
    kinds.AnyType: "unknown",
    kinds.RawType: "unknown",
    kinds.BoolType: "boolean",
    kinds.BytesType: "string",
    kinds.DateTimeType: "string",
    kinds.FloatType: "number",
    kinds.IntType: "number",
    kinds.NoneType: "null",
    kinds.StrType: "string",
}


class AmbiguousName(Exception):
    """Two structs or enumerations have one name: a page could not tell them apart."""


class Docstrings(NamedTuple):
    text: str
    fields: Mapping[str, str]


def declarations(roots: Iterable[object]) -> str:
    """An exported declaration for each struct and enumeration that the roots lead to, by name."""
    found: dict[str, Declared] = {}
    for root in kinds.multi_type_info(roots):
        _collect(root, found)
    return "\n".join(_declaration(found[name]) for name in sorted(found))


def expression(kind: kinds.Type) -> str:
    """How TypeScript writes a type; a struct or an enumeration is written by its name."""
    match kind:
        case kinds.StructType(cls=cls) | kinds.EnumType(cls=cls):
            return cls.__name__
        case kinds.Metadata(type=inner, extra=extra):
            return expression(inner) if extra is None else str(extra[EXTRA])
        case kinds.UnionType(types=types):
            return " | ".join(dict.fromkeys(expression(each) for each in types))
        case kinds.LiteralType(values=values):
            return " | ".join(json.dumps(each) for each in values)
    return _PLAIN.get(type(kind)) or _container(kind)


def _container(kind: kinds.Type) -> str:
    match kind:
        case kinds.TupleType(item_types=types):
            return f"[{', '.join(expression(each) for each in types)}]"
        case kinds.NamedTupleType(fields=fields):
            named = (f"{each.name}: {expression(each.type)}" for each in fields)
            return f"[{', '.join(named)}]"
        case kinds.DictType(key_type=key, value_type=value):
            return _record(key, expression(value))
        case kinds.CollectionType(item_type=item):
            inner = expression(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
    raise TypeError(f"a page cannot be sent {kind!r}")


def _record(key: kinds.Type, value: str) -> str:
    """JSON has text as the only key; a page looks up few of the ids that could be one."""
    if isinstance(key, kinds.EnumType | kinds.LiteralType):
        return f"Partial<Record<{expression(key)}, {value}>>"
    return f"Record<string, {value}>"


def _collect(kind: kinds.Type, found: dict[str, Declared]) -> None:
    if isinstance(kind, Declared):
        known = found.get(kind.cls.__name__)
        if known is not None:
            if known.cls is not kind.cls:
                raise AmbiguousName(f"{known.cls!r} and {kind.cls!r}")
            return
        found[kind.cls.__name__] = kind
    for part in _parts(kind):
        _collect(part, found)


def _parts(kind: kinds.Type) -> Iterator[kinds.Type]:
    match kind:
        case kinds.StructType(fields=fields) | kinds.NamedTupleType(fields=fields):
            yield from (each.type for each in fields)
        case kinds.UnionType(types=types) | kinds.TupleType(item_types=types):
            yield from types
        case kinds.DictType(key_type=key, value_type=value):
            yield from (key, value)
        case kinds.CollectionType(item_type=inner) | kinds.Metadata(type=inner):
            yield inner


# --- one declaration ----------------------------------------------------------------------------


def _declaration(kind: Declared) -> str:
    name = kind.cls.__name__
    if isinstance(kind, kinds.EnumType):
        values = " | ".join(json.dumps(each.value) for each in kind.cls)
        lines = wrap(values, 110, break_long_words=False, break_on_hyphens=False)
        return "\n".join([f"export type {name} =", *(f"  {line}" for line in lines)]) + ";\n"
    docs = _docstrings(kind.cls)
    lines = [*_comment(docs.text, ""), f"export interface {name} {{"]
    if kind.tag_field is not None:
        lines.append(f"  {kind.tag_field}: {json.dumps(kind.tag)};")
    for field in kind.fields:
        lines += _comment(docs.fields.get(field.name, ""), "  ")
        mark = "?" if _can_be_left_out(kind.cls, field) else ""
        lines.append(f"  {field.encode_name}{mark}: {expression(field.type)};")
    return "\n".join([*lines, "}"]) + "\n"


def _can_be_left_out(cls: type[Struct], field: kinds.Field) -> bool:
    """A field that is not required and has no default is unset until somebody sets it."""
    is_unset = field.default is NODEFAULT and field.default_factory is NODEFAULT
    return not field.required and (is_unset or cls.__struct_config__.omit_defaults)


def _comment(text: str, indent: str) -> list[str]:
    if not text:
        return []
    lines = wrap(f"/** {' '.join(text.split())} */", 118 - len(indent))
    return [f"{indent}{'' if number == 0 else ' * '}{line}" for number, line in enumerate(lines)]


def _docstrings(cls: type[Struct]) -> Docstrings:
    """Those of a struct and of its fields, inherited ones too."""
    fields: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if issubclass(base, Struct) and base is not Struct:
            fields.update(_field_docstrings(base))
    return Docstrings(cls.__doc__ or "", fields)


def _field_docstrings(cls: type[Struct]) -> Iterator[tuple[str, str]]:
    (tree,) = ast.parse(dedent(inspect.getsource(cls))).body
    assert isinstance(tree, ast.ClassDef)
    for line, after in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            match after:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield line.target.id, text
