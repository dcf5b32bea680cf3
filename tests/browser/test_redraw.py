"""A view that differs in one field: whatever draws the field changes, and nothing else is touched.

The feed of the page is scripted. A page that shows one view gets another one, which differs from it
in one field. What it shows then is compared with what it shows after all of it was taken away and
drawn from nothing.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from playwright.sync_api import expect

from controller.views.structs.encoding import plain
from support.console.screens import Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]
View = dict[str, Any]
Path = tuple[str | int, ...]

STANDS = 2_000_000_000
"""The time on the page's clock, which stands still."""
SCRIPTED = """(() => {
  window.WebSocket = class extends EventTarget {
    constructor() { super(); window.feed = this; }
    close() {}
  };
})()"""
SHOW = """(first) => {
  let seq = 0;
  const send = (view) => {
    seq += 1;
    const data = JSON.stringify({ type: "view", seq, at: 2e9, sent: 2e9, what: "card", view });
    window.feed.dispatchEvent(new MessageEvent("message", { data }));
  };
  // How much room there is, and was, is no part of the view.
  const shown = () => ["work", "about", "stopped", "phases"].map((id) => {
    const copy = (document.getElementById(id) ?? document.createElement("p")).cloneNode(true);
    for (const each of [copy, ...copy.querySelectorAll("[style], [data-strip], .band.short")]) {
      each.removeAttribute("style");
      each.removeAttribute("data-strip");
      if (each.matches(".band.short")) each.setAttribute("class", "band");
    }
    return copy;
  });
  const isSame = (some, others) => some.every((each, at) => each.isEqualNode(others[at]));
  const written = (some) =>
    some.map((each) => each.outerHTML).join("\\n").replaceAll("><", ">\\n<");
  // What the page shows after a view; drawn on from the one before it, and drawn from nothing.
  window.compare = (before, after, places) => {
    send(before);
    const old = shown();
    send(after);
    const on = shown();
    for (const each of document.querySelectorAll(places.join(","))) each.replaceChildren();
    send(after);
    const whole = shown();
    const wrong = isSame(on, whole) ? null : [written(on), written(whole)];
    return { changed: !isSame(old, on), wrong };
  };
  send(first);
}"""
DRAWN = (
    *("#refusal", "#prompt", "#figures", "#hands", "#rail", "#side", "#actions", "#waits"),
    *("#status", "#table", "#controls", "#wagers", "#rulings", "#decks", "#devices", "#about"),
    *("#stopped", "#phases", "#seats:has(> .band, > .totals)", "#seats .spot", "#seats .hint"),
    *("#seats .missed", "#seats .tray"),
)
"""What a page draws of a view."""


OFTEN, TRIES, DEEP = 1, 6, 4
"""A field that was drawn so often is tried no more; how often it is tried at most; how deep."""


class Script:
    """The feed of one page, as a test has it; the page's clock stands still."""

    def __init__(self, screen: Screen, audience: str, who: str, first: View) -> None:
        self._page = screen.page
        self._page.clock.install(time=STANDS - 1)
        self._page.clock.pause_at(STANDS)
        self._page.add_init_script(SCRIPTED)
        screen.sign_in(who, f"/{audience}")
        self._page.wait_for_function("() => window.feed")
        self._page.evaluate(SHOW, first)

    def changes(self, before: View, after: View) -> bool:
        """Whether the page shows the second view in another way; always as drawn from nothing."""
        found = self._page.evaluate(
            "([before, after, places]) => window.compare(before, after, places)",
            [before, after, list(DRAWN)],
        )
        if found["wrong"] is not None:
            on, whole = found["wrong"]
            assert on == whole
        return bool(found["changed"])


def views_of_an_evening(table: Console, audience: str) -> list[View]:
    """A table from its opening to a void round, with wagers, a report and a correction."""
    desk, found = table.desk, list[View]()

    def keep() -> None:
        latest = desk.loop.snapshots.latest
        assert latest is not None
        found.append(json.loads(json.dumps(plain(latest.views.of(audience)))))

    keep()
    desk.open_shoe("B")
    keep()
    desk.act("open_betting")
    for seat, wager in ((1, "banker"), (2, "player"), (4, "tie")):
        desk.act("place", player=f"seat {seat}", wager=wager, amount=50000, position=seat)
    keep()
    desk.act("close_betting")
    desk.draw("2H", "KC")
    keep()
    desk.draw("3D", "6S")
    keep()
    desk.act("report", "dana", "dealer", what="uncovered", text="something happened")
    keep()
    desk.act("decide", text="By the rulebook", outcome="go_on")
    desk.draw("4D")
    keep()
    desk.act("announce")
    keep()
    desk.act("settle")
    keep()
    desk.act("correct", "dana", "dealer", n=1, card="9H", reason="Surveillance saw another card")
    keep()
    desk.act("approve", "pia", "pit_supervisor")
    keep()
    desk.act("open_betting")
    desk.act("place", player="seat 1", wager="banker", amount=25000, position=1)
    desk.act("close_betting")
    desk.draw("9H", "2C")
    desk.act("report", "dana", "dealer", what="simultaneous")
    keep()
    desk.act("answer", "dana", "dealer", value=False)
    keep()
    desk.act("approve", "pia", "pit_supervisor")
    keep()
    return found


def generic(path: Path) -> Path:
    return tuple("*" if isinstance(each, int) else each for each in path)


def fields(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every field, and every field of what it holds; of a list its first item stands for all."""
    if path:
        yield path, value
    if isinstance(value, dict):
        for name, each in value.items():
            yield from fields(each, (*path, name))
    elif isinstance(value, list) and value:
        yield from fields(value[0], (*path, 0))


def fields_of(views: list[View]) -> Iterator[tuple[View, Path, Any]]:
    for view in views:
        for path, value in fields(view):
            if len(path) <= DEEP:
                yield view, path, value


def with_another(view: View, path: Path, value: Any) -> View:
    changed = deepcopy(view)
    place: Any = changed
    for each in path[:-1]:
        place = place[each]
    place[path[-1]] = value
    return changed


def another(value: Any, path: Path, seen: list[Any]) -> Any:
    """A value that differs: one that the field had at another time, or one that it may have."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    for each in seen:
        if each != value:
            return each
    if isinstance(value, list) and value:
        return []
    if isinstance(value, str) and path[-1] in ("text", "do", "say", "says", "reason", "player"):
        return f"{value} again"
    return value


MONEY = {
    "dealer": {"wagers", "settlements", "payouts", "totals", "cards", "prompt", "round", "rulings"},
    "pit": {
        "wagers",
        "settlements",
        "payouts",
        "totals",
        "limits",
        "round",
        "rulings",
        "shoe_in_use",
    },
}
"""What the screen has to show, at one time or another."""


@pytest.mark.parametrize(("audience", "who"), [("dealer", "dana"), ("pit", "max")])
def test_every_field_that_changes_is_drawn_wherever_it_is_shown(
    serve: Serve, at: Open, audience: str, who: str
) -> None:
    table = serve()
    views = views_of_an_evening(table, audience)
    seen: dict[Path, list[Any]] = {}
    for _, path, value in fields_of(views):
        seen.setdefault(generic(path), []).append(value)
    script = Script(at(table), audience, who, views[0])
    drawn, tried = Counter[Path](), Counter[Path]()
    for view, path, value in fields_of(views):
        other = another(value, path, seen[generic(path)])
        if other == value or drawn[generic(path)] == OFTEN or tried[generic(path)] == TRIES:
            continue
        tried[generic(path)] += 1
        drawn[generic(path)] += script.changes(view, with_another(view, path, other))
    assert MONEY[audience] <= {str(path[0]) for path in +drawn}
    assert len(+drawn) > 40, f"{len(tried)} fields were tried"


def test_a_text_field_keeps_focus_and_selection_while_the_table_goes_on(
    serve: Serve, at: Open
) -> None:
    table = serve()
    table.desk.open_shoe()
    pit = at(table, "max", "/pit")
    pit.press("limits")
    field = pit.key("minimum")
    field.fill("1234")
    field.evaluate("field => field.setSelectionRange(1, 3)")
    field.evaluate("field => { window.field = field; }")
    table.desk.act("open_betting")
    table.desk.act("place", player="seat 1", wager="banker", amount=50000, position=1)
    pit.up_to_date(table.desk.seq)
    pit.shows("#waits .feels", "Who is affected")
    held = "() => [document.activeElement === window.field, window.field.isConnected, "
    held += "window.field.value, window.field.selectionStart, window.field.selectionEnd]"
    assert pit.page.evaluate(held) == [True, True, "1234", 1, 3]
    pit.page.keyboard.type("9")
    expect(field).to_have_value("194")


def test_a_tap_that_a_step_of_the_table_comes_into_is_not_lost(serve: Serve, at: Open) -> None:
    """Between the finger's down and up the page is drawn: the button is the same one."""
    table = serve()
    table.desk.open_shoe()
    table.desk.act("open_betting")
    dealer = at(table, "dana", "/dealer")
    solid = dealer.find("#actions .step.primary")
    expect(solid).to_be_enabled()
    box = solid.bounding_box()
    assert box is not None
    dealer.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    dealer.page.mouse.down()
    table.desk.act("close_table")
    dealer.shows("#prompt", "The table closes after this round")
    dealer.page.mouse.up()
    table.desk.until("dealing")


def test_a_tap_on_a_button_that_became_another_one_does_nothing(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    table.desk.act("open_betting")
    dealer = at(table, "dana", "/dealer")
    solid = dealer.find("#actions .step.primary")
    expect(solid).to_be_enabled()
    box = solid.bounding_box()
    assert box is not None
    dealer.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    dealer.page.mouse.down()
    table.desk.act("close_betting")
    dealer.up_to_date(table.desk.seq)
    words = table.desk.words()
    dealer.page.mouse.up()
    table.desk.draw("9H")
    dealer.up_to_date(table.desk.seq)
    assert table.desk.words() == [*words, "card"]
