"""Reference texts for configuration keys: meanings, the example file, the location of a mistake.

Each struct field has its own description (`describe`). The example file in `deploy/` and `sabot
config explain` come from the structs that read the file, so they cannot differ from it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec


@dataclass(frozen=True)
class ConfigKey:
    """One key of the file, with its description."""

    name: str
    """The key with its section, such as `table.decks`."""
    description: str
    unit: str
    needed: bool
    written: bool
    """Whether the example file sets it."""
    default: object
    example: object
    choices: tuple[str, ...]

    @property
    def shown(self) -> object:
        """The value in the example file."""
        shows_example = self.default is None or self.needed or (self.written and self.example)
        return self.example if shows_example else self.default


def sections(config: type[msgspec.Struct]) -> dict[str, list[ConfigKey]]:
    """Return all sections of the file with their keys, in order."""
    return {
        field.encode_name: list(_keys(field.encode_name, _struct_in(field.type)))
        for field in msgspec.structs.fields(config)
    }


def _struct_in(annotation: Any) -> type[msgspec.Struct]:
    """Return the struct type of an optional section."""
    options = [each for each in (annotation, *get_args(annotation)) if isinstance(each, type)]
    return next(each for each in options if issubclass(each, msgspec.Struct))


def _keys(section: str, struct: type[msgspec.Struct]) -> Iterator[ConfigKey]:
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        annotation = hints[field.name]
        assert get_origin(annotation) is Annotated, f"{section}.{field.name} says nothing"
        kind, meta = get_args(annotation)[:2]
        needed = field.required
        default = None if needed else field.default
        if default is msgspec.NODEFAULT:
            default = field.default_factory()
        yield ConfigKey(
            f"{section}.{field.encode_name}",
            meta.description,
            meta.extra["unit"],
            needed,
            needed or meta.extra["written"],
            default,
            meta.extra["example"],
            tuple(_choices(kind)),
        )


def _choices(kind: Any) -> Iterator[str]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        yield from (member.value for member in kind)
    elif get_origin(kind) is Literal:
        yield from map(str, get_args(kind))
    else:
        for each in get_args(kind):
            if each is not NoneType:
                yield from _choices(each)


# --- the example file -------------------------------------------------------------------------


def example(config: type[msgspec.Struct], introduction: str, left_out: tuple[str, ...]) -> str:
    """Return the whole file with every key. Keys without a default have a value; the others are
    comments with their default.

    Sections in `left_out` are commented out.
    """
    lines = [f"# {line}" for line in introduction.splitlines()]
    for section, keys in sections(config).items():
        out = section in left_out
        written = [(_written(key, out), _comment(key)) for key in keys]
        width = max(len(text) for text, _ in written)
        lines += ["", f"# [{section}]" if out else f"[{section}]"]
        lines += [f"{text.ljust(width)}  # {reply}" for text, reply in written]
    return "\n".join(lines) + "\n"


def _written(key: ConfigKey, left_out: bool) -> str:
    text = f"{key.name.partition('.')[2]} = {toml(key.shown)}"
    return f"# {text}" if left_out or (key.default is None and not key.written) else text


def _comment(key: ConfigKey) -> str:
    unit = f"[{key.unit}] " if key.unit else ""
    choices = f": {' | '.join(key.choices)}" if key.choices else ""
    return f"{unit}{key.description}{choices}"


def toml(value: object) -> str:
    """Format one value as TOML. JSON's form is valid TOML for text, numbers, booleans and an empty
    table."""
    return json.dumps(value.value if isinstance(value, Enum) else value)


def explain(config: type[msgspec.Struct], name: str) -> str | None:
    """Describe one key in a few lines; None for an unknown key. The section may be left out
    (`decks`)."""
    for key in _all(config):
        if name in (key.name, key.name.partition(".")[2]):
            lines = [f"{key.name}: {key.description}"]
            if key.unit:
                lines.append(f"unit: {key.unit}")
            if key.choices:
                lines.append(f"one of: {', '.join(key.choices)}")
            lines.append("must be given" if key.needed else f"default: {_default(key)}")
            return "\n".join(lines)
    return None


def _default(key: ConfigKey) -> str:
    return "left out" if key.default is None else toml(key.default)


def nearest(config: type[msgspec.Struct], name: str) -> str | None:
    """Return the valid name most similar to `name`, with its section."""
    known = [key.name for key in _all(config)]
    if "." not in name and (found := get_close_matches(name, sections(config), 1)):
        return found[0]
    short = {key.partition(".")[2]: key for key in known}
    if found := get_close_matches(name, known, 1):
        return found[0]
    found = get_close_matches(name.rpartition(".")[2], [*short, *sections(config)], 1)
    return short.get(found[0], found[0]) if found else None


def _all(config: type[msgspec.Struct]) -> list[ConfigKey]:
    return [key for keys in sections(config).values() for key in keys]


# --- where a mistake stands -------------------------------------------------------------------

_HEADER = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]?\]")
_ENTRY = re.compile(r"\s*\"?([A-Za-z0-9_.-]+)\"?\s*=")


def line_of(text: str, name: str) -> int | None:
    """Return the line number, from 1, of `section.key`, or else of `section`."""
    section, at_section = "", None
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            section = header.group(1)
            if section == name or name.startswith(f"{section}."):
                at_section = number
        elif (entry := _ENTRY.match(line)) and f"{section}.{entry.group(1)}".strip(".") == name:
            return number
    return at_section


_UNKNOWN = re.compile(r"Object contains unknown field `([^`]+)`(?: - at `\$\.?([^`]*)`)?")
_AT = re.compile(r" - at `\$\.?([^`]*)`$")


def located(config: type[msgspec.Struct], path: Path, text: str, content: str) -> str:
    """Return the message with file and line, and the nearest valid name for an unknown key."""
    if unknown := _UNKNOWN.search(content):
        name = ".".join(filter(None, (unknown.group(2), unknown.group(1))))
        near = nearest(config, name)
        content = f"there is no key {name!r}" + (f"; did you mean {near!r}?" if near else "")
    elif at := _AT.search(content):
        name = at.group(1)
        content = f"{name or 'the file'}: {_AT.sub('', content)}"
    else:
        return f"{path}: {content}"
    line = line_of(text, name)
    return f"{path}:{line}: {content}" if line else f"{path}: {content}"
