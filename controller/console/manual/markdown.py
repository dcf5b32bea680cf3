"""A Markdown page as HTML: headings with anchors, links to other pages, sections for the search."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
_PAGE_LINK: Final = re.compile(r"^([\w-]+)\.md(#.*)?$")
INDEX: Final = "README"
"""The page that lists all others; a browser gets it as `index.html`."""


@dataclass(frozen=True)
class Section:
    """The text under one heading, and the pages that it links to."""

    level: int
    anchor: str
    heading: str
    text: str
    links: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    title: str
    body: str
    sections: tuple[Section, ...]


def render_page(text: str) -> Page:
    tokens = _PARSER.parse(text)
    headings = _set_anchors(tokens)
    sections = _sections(tokens, headings)
    for token in tokens:
        if token.children:
            token.children = _adjust_links(token.children)
    body = _PARSER.renderer.render(tokens, _PARSER.options, {})
    return Page(sections[0].heading, body, sections)


def address_of(name: str) -> str:
    """The file name that a browser asks for."""
    return "index.html" if name == INDEX else f"{name}.html"


def _set_anchors(tokens: Sequence[Token]) -> dict[int, str]:
    """Gives each heading the anchor that GitHub gives it; returns the anchors by token index."""
    found: dict[int, str] = {}
    used = Counter[str]()
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            slug = re.sub(r"[^\w\- ]", "", _plain(tokens[index + 1]).lower()).replace(" ", "-")
            found[index] = f"{slug}-{used[slug]}" if used[slug] else slug
            used[slug] += 1
            token.attrSet("id", found[index])
    return found


def _adjust_links(tokens: Sequence[Token]) -> list[Token]:
    """Page links lead to HTML pages. A link out of the manual's folder becomes plain text: what it
    names is in the repository only."""
    kept, outside = [], False
    for token in tokens:
        target = str(token.attrGet("href") or "")
        if token.type == "link_open" and target.startswith("../"):
            outside = True
        elif token.type == "link_close" and outside:
            outside = False
        else:
            if page := _PAGE_LINK.match(target):
                token.attrSet("href", address_of(page[1]) + (page[2] or ""))
            kept.append(token)
    return kept


def _sections(tokens: Sequence[Token], headings: dict[int, str]) -> tuple[Section, ...]:
    """Every page begins with its title, so no text is lost before the first heading."""
    starts = [*headings, len(tokens)]
    return tuple(
        Section(
            int(tokens[start].tag[1:]),
            headings[start],
            _plain(tokens[start + 1]),
            " ".join(filter(None, map(_plain, tokens[start + 2 : end]))),
            tuple(_page_links(tokens[start + 2 : end])),
        )
        for start, end in pairwise(starts)
    )


def _page_links(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        for each in token.children or []:
            if page := _PAGE_LINK.match(str(each.attrGet("href") or "")):
                yield page[1]


def _plain(token: Token) -> str:
    """The words of a token without its marks."""
    if token.type == "fence":
        return token.content
    inner = token.children or []
    return "".join(" " if each.type == "softbreak" else each.content for each in inner)
