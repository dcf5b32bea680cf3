"""The style page: every part in every state can be drawn, fits, and can be read by everybody."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe

from support.console.screens import Screen
from support.console.table_in_hand import Console

pytestmark = pytest.mark.second_tier

Serve = Callable[..., Console]
Open = Callable[..., Screen]

WIDTHS = (1024, 1280)
PARTS = {"dealer": 60, "stopped": 20, "pit": 15, "public": 25}
"""Whose parts, and how many states of them at least."""

EMPTY = "all => all.filter(each => !each.children.length).map(each => each.parentNode.outerHTML)"
OUTSIDE = """() => {
  const wrong = [];
  for (const specimen of document.querySelectorAll(".specimen")) {
    const room = specimen.getBoundingClientRect();
    const where = `${specimen.closest(".part").id}, ${specimen.dataset.state}`;
    const walker = document.createTreeWalker(specimen, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const owner = node.parentElement;
      if (!node.data.trim() || owner.closest(".sr, option") || !owner.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      if (left < room.left || right > room.right || top < room.top || bottom > room.bottom) {
        wrong.push(`${where}: ${node.data} lies outside`);
      }
    }
    for (const each of specimen.querySelectorAll("button:not(.flagged), .call, .stake, .trace")) {
      if (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2) {
        wrong.push(`${where}: ${each.innerText} is clipped`);
      }
    }
  }
  return wrong;
}"""


CONTRAST = {"runOnly": ["color-contrast", "target-size"], "resultTypes": ["violations"]}
"""A part stands here twice and without its page: only what can be seen is judged."""
ONE_LAYOUT = {"exclude": [["#part-layout .specimen:not(:nth-of-type(2))"]]}
"""Hundreds of spots that look alike are judged once."""


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_part_is_drawn_and_fits(serve: Serve, at: Open, language: str) -> None:
    table = serve()
    seen = at(table, viewport={"width": WIDTHS[-1], "height": 800})
    for of, least in PARTS.items():
        seen.go(f"/style?of={of}&lang={language}&theme=light")
        seen.find("html[data-ready]").wait_for(state="attached")
        assert seen.find(".specimen").count() >= least
        assert seen.find(".broken").all_text_contents() == []
        assert seen.find(".specimen .drawn").evaluate_all(EMPTY) == []
        for width in WIDTHS:
            seen.page.set_viewport_size({"width": width, "height": 800})
            assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.page.evaluate(OUTSIDE) == []
        seen.page.set_viewport_size({"width": WIDTHS[-1], "height": 800})


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_part_can_be_read(serve: Serve, at: Open, theme: str) -> None:
    table = serve()
    seen = at(table, viewport={"width": WIDTHS[-1], "height": 800})
    for of in PARTS:
        seen.go(f"/style?of={of}&lang=en&theme={theme}")
        seen.find("html[data-ready]").wait_for(state="attached")
        found = Axe().run(seen.page, context=ONE_LAYOUT, options=CONTRAST)
        violations = found.response["violations"]
        assert [node["html"] for each in violations for node in each["nodes"]] == [], of


def test_one_part_can_be_looked_at_alone(serve: Serve, at: Open) -> None:
    seen = at(serve(), None, "/style?part=cards")
    seen.find("html[data-ready]").wait_for(state="attached")
    assert seen.find(".part").count() == 1
