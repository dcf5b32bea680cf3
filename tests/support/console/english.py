"""English that is left on a page in another language: by code, because nobody reads every state."""

import re

from support.console.screens import Screen
from support.console.table_in_hand import STAFF

_WORD = re.compile(r"[A-Za-z]{2,}")
_OWN_NAMES = {
    # Ours, the table's, the book's, a language's.
    *("Sabot", "Table", "Baccarat", "MBS", "English"),
    *("UTC", "PIN", "CSV", "JSONL", "SHA", "SGD"),
    *("FORCED", "EXIT"),  # as it stands on the shoe's button
    *(name for *_, name in STAFF),
}
"""What is called so in every language. A letter alone is a card's rank, a method or a key."""
_NO_WORDS = re.compile(r"127\.0\.0\.1:\d+\S*|TABLE7-[\d-]+")
"""Addresses and ids."""
SAID = """() => {
  const said = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (owner.closest("code, script, datalist") || !owner.checkVisibility()) continue;
    said.push(node.data);
  }
  for (const each of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    if (!each.checkVisibility()) continue;
    said.push(...["aria-label", "title", "placeholder"].map(name => each.getAttribute(name) ?? ""));
  }
  return said;
}"""
"""What is seen or read aloud; digests are nobody's words."""


def english_on(screen: Screen) -> list[str]:
    """Every text with a word in Latin letters that is no name."""
    said: list[str] = screen.page.evaluate(SAID)
    return sorted({each.strip() for each in said if _words(each)})


def _words(text: str) -> set[str]:
    return set(_WORD.findall(_NO_WORDS.sub("", text))) - _OWN_NAMES
