"""Figures that are counted from the source without running it: each is a list of places."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from metrics.source import FunctionNode, Module

AGENDA_FIELDS: Final = frozenset(
    {"request", "requests", "case", "queue", "count_check", "restarted_at", "latches"}
)
"""What a table can wait for. A function that branches on two of these puts them into an order."""
HOLDERS: Final = ("table", "before", "after", "now", "clocks")
"""What these are read from: a table, or its clocks."""
MAX_MODULES: Final = 12
"""A folder with more modules than this is hard to take in."""

DIALECT: Final = ("told", "said", "says", "whoever", "nobody", "anew", "beside", "lies")
"""Words of the old private dialect, which readers of English as a second language stumble over."""
_DIALECT: Final = re.compile(rf"\b(?:{'|'.join(DIALECT)})\b", re.IGNORECASE)
_WIRE_FIELD: Final = re.compile(rf"""["'](?:{"|".join(DIALECT)})["']""")

_LOOSE: Final = re.compile(r"\b(?:dict|Mapping|MutableMapping)\[str, (?:Any|object)\]")
_LOOSE_ALIAS: Final = re.compile(rf"^(\w+)(?:: TypeAlias)? = {_LOOSE.pattern}$", re.MULTILINE)


def lines_by_room(modules: Iterable[Module]) -> Counter[str]:
    found: Counter[str] = Counter()
    for module in modules:
        room = module.room if module.package == "controller" else module.package
        found[room] += len(module.code_lines())
    return found


def controller_lines(modules: Iterable[Module]) -> list[str]:
    """Lines of code of the controller, without imports."""
    return [
        f"{module.path}:{line}"
        for module in _of(modules, "controller")
        for line in module.code_lines() - module.import_lines()
    ]


def full_folders(modules: Iterable[Module]) -> list[str]:
    """Folders with more than `MAX_MODULES` modules; `__init__.py` is the folder itself."""
    found = Counter(module.path.parent for module in modules if module.path.name != "__init__.py")
    return [f"{folder} {count}" for folder, count in found.items() if count > MAX_MODULES]


def ambiguous_class_names(modules: Iterable[Module]) -> list[str]:
    """Public classes of controller and drivers that share a name.

    Emulators are left out: they are a second, independent implementation of the same devices. So is
    the template of a driver package, which is written into a maker's folder."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for module in _of(modules, "controller", "drivers"):
        if "template" in module.path.parts:
            continue
        for node in module.classes():
            if not node.name.startswith("_"):
                found[node.name].add(module.name)
    return [
        f"{name}: {', '.join(sorted(where))}"
        for name, where in sorted(found.items())
        if len(where) > 1
    ]


def loose_dictionaries(modules: Iterable[Module]) -> list[str]:
    """Places in the controller that name a dictionary of anything, or an alias of one."""
    aliases = _loose_aliases(modules)
    found = []
    for module in _of(modules, "controller"):
        known = aliases.get(module.name, set()) | _imported(module, aliases)
        named = "|".join((_LOOSE.pattern, *(rf"\b{name}\b" for name in sorted(known))))
        found += [
            f"{module.path}:{number}: {line.strip()}"
            for number, line in _without_imports(module)
            for _ in re.finditer(named, line)
        ]
    return found


def _loose_aliases(modules: Iterable[Module]) -> dict[str, set[str]]:
    """Names that stand for such a dictionary, by the module that defines them."""
    found = {each.name: set(_LOOSE_ALIAS.findall(each.text)) for each in modules}
    for module in modules:
        for name in _imported(module, found):
            again = rf"^(\w+)(?:: TypeAlias)? = {name}$"
            found[module.name].update(re.findall(again, module.text, re.MULTILINE))
    return found


def _imported(module: Module, names: Mapping[str, set[str]]) -> set[str]:
    return {
        alias.name
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in names.get(node.module or "", ())
    }


def _without_imports(module: Module) -> Iterator[tuple[int, str]]:
    imports = module.import_lines()
    for number, line in enumerate(module.text.splitlines(), start=1):
        if number not in imports:
            yield number, line.partition(" #")[0]


def dialect_words(modules: Iterable[Module]) -> list[str]:
    """Places with a word of the old dialect, in a name or in prose; names of wire fields are left
    out."""
    return [
        f"{module.path}:{number}: {word}"
        for module in modules
        for number, line in enumerate(module.text.splitlines(), start=1)
        for word in _DIALECT.findall(_WIRE_FIELD.sub("", line))
    ]


def older_forms(modules: Iterable[Module]) -> list[str]:
    """Places that read a record of an older format."""
    return [str(each.path) for each in modules for _ in range(each.text.count("of_older_form"))]


def agenda_orders(modules: Iterable[Module]) -> list[str]:
    """Modules with a function that branches on two or more of the things a table can wait for."""
    found = []
    for module in _of(modules, "controller"):
        names = [node.name for node in module.functions() if len(_asked_of_table(node)) > 1]
        if names:
            found.append(f"{module.path}: {', '.join(names)}")
    return found


def _asked_of_table(function: FunctionNode) -> set[str]:
    return {
        node.attr
        for condition in _conditions(function)
        for node in ast.walk(condition)
        if isinstance(node, ast.Attribute)
        and node.attr in AGENDA_FIELDS
        and ast.unparse(node.value).rpartition(".")[2] in HOLDERS
    }


def _conditions(function: FunctionNode) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            yield node.test
        elif isinstance(node, ast.Match):
            yield node.subject
        elif isinstance(node, ast.BoolOp):
            yield node
        elif isinstance(node, ast.comprehension):
            yield from node.ifs


def recursive_methods(modules: Iterable[Module]) -> list[str]:
    """Methods in `controller/runtime` that can call themselves through others of their class."""
    found = []
    for module in _of(modules, "controller/runtime"):
        for node in module.classes():
            methods = [each for each in node.body if isinstance(each, FunctionNode)]
            calls = {each.name: _own_methods(each) for each in methods}
            found += [f"{module.path}: {name}" for name in calls if _reaches(name, calls)]
    return found


def _own_methods(method: FunctionNode) -> set[str]:
    """What is named as `self.name`: called here, or handed on to be called."""
    return {
        node.attr
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self"
    }


def _reaches(name: str, calls: Mapping[str, set[str]]) -> bool:
    seen: set[str] = set()
    waiting = [*calls[name]]
    while waiting:
        other = waiting.pop()
        if other not in seen:
            seen.add(other)
            waiting.extend(calls.get(other, ()))
    return name in seen


def _of(modules: Iterable[Module], *folders: str) -> list[Module]:
    return [module for module in modules if f"{module.path}/".startswith(folders)]
