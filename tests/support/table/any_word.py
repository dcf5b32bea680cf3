"""Hypothesis strategies for words: every struct with fields of the kinds it says it has."""

import types
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from hypothesis import strategies as st

from controller.table.commands import reports
from controller.table.commands.people import Facts, ReportCommand
from controller.table.commands.registry import REGISTRY, Payload

TEXT = st.text(max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
"""Whatever somebody may send."""


@cache
def words(verb: str) -> st.SearchStrategy[Payload]:
    """A word of this name with any of the fields it may have."""
    struct = REGISTRY[verb].struct
    return _reports() if struct is ReportCommand else _struct(struct)


def _struct(struct: type[Any], only: tuple[str, ...] | None = None) -> st.SearchStrategy[Any]:
    fields = [f for f in msgspec.structs.fields(struct) if only is None or f.name in only]
    needed = {f.name: _of(f.type) for f in fields if f.required}
    others = {f.name: _of(f.type) for f in fields if not f.required}
    return st.fixed_dictionaries(needed, optional=others).map(lambda given: struct(**given))


def _reports() -> st.SearchStrategy[ReportCommand]:
    """With the fields and facts that each report has."""
    return st.sampled_from(reports.IDS).flatmap(_report)


@cache
def _report(what: str) -> st.SearchStrategy[ReportCommand]:
    fields = tuple(name for name in reports.report_fields(what) if name not in ("what", "facts"))
    given = _struct(ReportCommand, ("what", *fields))
    facts = st.none() | _struct(Facts, reports.FORMS[what].facts)
    if not reports.FORMS[what].facts:
        facts = st.none()
    return st.builds(lambda g, f: msgspec.structs.replace(g, what=what, facts=f), given, facts)


def _of(kind: Any, meta: msgspec.Meta | None = None) -> st.SearchStrategy[Any]:
    origin = get_origin(kind)
    if origin is Annotated:
        inner, *metas = get_args(kind)
        found = next((m for m in metas if _bounds(m)), meta)
        return _of(inner, found)
    if origin in (Union, types.UnionType):
        return st.one_of([_of(each, meta) for each in get_args(kind)])
    if origin is Literal:
        return st.sampled_from(get_args(kind))
    if origin in (tuple, list):
        return st.lists(_of(get_args(kind)[0]), max_size=3).map(origin)
    if origin is dict:
        key, value = map(_of, get_args(kind))
        return st.dictionaries(key, value, max_size=3)
    return _plain(kind, meta or msgspec.Meta())


def _bounds(meta: object) -> bool:
    named = ("ge", "le", "max_length", "pattern")
    return any(getattr(meta, name, None) is not None for name in named)


def _plain(kind: Any, meta: msgspec.Meta) -> st.SearchStrategy[Any]:
    plain: dict[Any, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        types.NoneType: st.none(),
        msgspec.UnsetType: st.just(msgspec.UNSET),
        int: st.integers(-9 if meta.ge is None else int(meta.ge), int(meta.le or 10**9)),
        float: st.floats(-100, 100, allow_nan=False),
    }
    if kind in plain:
        return plain[kind]
    if issubclass(kind, Enum):
        return st.sampled_from(kind)
    if issubclass(kind, msgspec.Struct):
        return _struct(kind)
    most = meta.max_length or 20
    return st.from_regex(meta.pattern or "").filter(lambda text: len(text) <= most)
