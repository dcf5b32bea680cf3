"""The manual as a website: every page by name, and the index that a browser searches."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from html import escape
from pathlib import Path
from string import Template
from typing import Final, NamedTuple

import msgspec

from controller.console.manual.markdown import INDEX, Page, address_of, render_page

_HERE: Final = Path(__file__).parent
IN_THE_CHECKOUT: Final = _HERE.parents[2] / "deploy" / "manual"
IN_THE_WHEEL: Final = _HERE / "pages"
FOLDER: Final = IN_THE_CHECKOUT if IN_THE_CHECKOUT.is_dir() else IN_THE_WHEEL
"""Where the Markdown pages and their pictures are."""

_NAME: Final = re.compile(r"[\w-]+")
REFERENCE: Final = "Reference"
_SHELL: Final = Template((_HERE / "page.html").read_text("utf-8"))


class Entry(NamedTuple):
    """One section in the search index; a browser reads it as a list."""

    address: str
    title: str
    heading: str
    text: str


@lru_cache(maxsize=128)
def _rendered(path: Path, changed_ns: int) -> Page:  # noqa: ARG001  # a changed file is read again
    return render_page(path.read_text("utf-8"))


class Manual:
    """All pages: Markdown files of a folder, and `generated` pages by name."""

    def __init__(self, folder: Path, generated: Mapping[str, Callable[[], str]]) -> None:
        self._folder = folder
        self._generated = generated

    def names(self) -> list[str]:
        return [*sorted(each.stem for each in self._folder.glob("*.md")), *self._generated]

    def html(self, name: str) -> str:
        """The HTML of a page; raises `KeyError` for an unknown name."""
        page = self._page(name)
        return _SHELL.substitute(
            title=escape(page.title), navigation=self._navigation(name), body=page.body
        )

    def search_index(self) -> bytes:
        return msgspec.json.encode(
            [
                Entry(
                    f"{address_of(name)}#{section.anchor}",
                    page.title,
                    section.heading,
                    section.text,
                )
                for name in self.names()
                for page in [self._page(name)]
                for section in page.sections
            ]
        )

    def _page(self, name: str) -> Page:
        if name in self._generated:
            return self._made[name]
        path = self._folder / f"{name}.md"
        if not _NAME.fullmatch(name) or not path.is_file():
            raise KeyError(name)
        return _rendered(path, path.stat().st_mtime_ns)

    @cached_property
    def _made(self) -> dict[str, Page]:
        return {name: render_page(make()) for name, make in self._generated.items()}

    def _navigation(self, shown: str) -> str:
        """The index's groups; a page that several groups have is listed in the first one."""
        index = self._page(INDEX)
        listed = {INDEX}
        parts = [f"<ul>{self._entry(INDEX, shown)}</ul>"]
        groups = [(each.heading, each.links) for each in index.sections if each.links]
        for heading, links in [*groups, (REFERENCE, tuple(self._generated))]:
            entries = [
                self._entry(name, shown) for name in dict.fromkeys(links) if name not in listed
            ]
            listed.update(links)
            if entries:
                parts.append(f"<h2>{escape(heading)}</h2><ul>{''.join(entries)}</ul>")
        return "".join(parts)

    def _entry(self, name: str, shown: str) -> str:
        page = self._page(name)
        link = f'<a href="{address_of(name)}"'
        if name != shown:
            return f"<li>{link}>{escape(page.title)}</a></li>"
        below = "".join(
            f'<li><a href="#{escape(each.anchor)}">{escape(each.heading)}</a></li>'
            for each in page.sections
            if each.level == 2
        )
        inner = f"<ul>{below}</ul>" if below else ""
        return f'<li>{link} aria-current="page">{escape(page.title)}</a>{inner}</li>'
