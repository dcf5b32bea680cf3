"""One browser window at the console, driven as a person would: by what is written on the buttons'
keys, never by a request of its own."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from controller import messages
from support.console.table_in_hand import STAFF, Console

CHROMIUM = Path("/usr/bin/chromium-headless-shell")
"""Without the windows of a browser, which take as long as our pages do."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--font-render-hinting=slight",  # as a browser with windows draws letters
    "--process-per-site",  # one renderer for all windows: to start one takes as long as a page
    "--renderer-process-limit=1",
    "--in-process-gpu",
    "--js-flags=--lite-mode",  # windows are short: to optimise their code costs more than it gains
]
PATIENCE_MS = 60_000
"""Bounds failures only: nothing here takes so long."""
UP_TO_DATE = "seq => Number(document.documentElement.dataset.seq ?? 0) >= seq"
PICTURES = Path(__file__).parents[2] / "browser" / "artefacts"
TABLE_PC: ViewportSize = {"width": 1024, "height": 768}
PHONE: ViewportSize = {"width": 390, "height": 844}
LANGUAGES = Path(messages.__file__).with_name("languages")
PINS = {who: secret for who, _, secret, _ in STAFF}

expect.set_options(timeout=PATIENCE_MS)


class Screen:
    """One window: who is signed in, and what the page says went wrong with itself."""

    def __init__(self, context: BrowserContext, url: str, language: str = "en") -> None:
        self.context = context
        self.url = url
        self.language = language
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def go(self, path: str) -> "Screen":
        self.page.goto(self.url + path)
        return self

    def sign_in(self, who: str, path: str) -> "Screen":
        """Past the sign-in page, which has tests of its own."""
        given = {"who": who, "secret": PINS[who]}
        answer = self.context.request.post(
            f"{self.url}/api/sign-in", data=given, headers={"Origin": self.url}
        )
        assert answer.ok, answer.text()
        if self.language != "en":
            csrf = {"Origin": self.url, "X-Sabot-Csrf": answer.json()["csrf"]}
            chosen = {"language": self.language}
            self.context.request.post(f"{self.url}/api/me/language", data=chosen, headers=csrf)
        return self.go(path)

    # --- looking -----------------------------------------------------------------------------

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def key(self, key: str) -> Locator:
        return self.page.locator(f'[data-key="{key}"]')

    def shows(self, selector: str, text: str) -> None:
        expect(self.find(selector)).to_contain_text(text)

    def says(self, selector: str, words: str) -> None:
        """The same in the window's language; `words` are a page's own, in English."""
        pages: dict[str, str] = json.loads(
            (LANGUAGES / f"{self.language}.json").read_text("utf-8")
        ).get("pages", {})
        self.shows(selector, pages.get(words, words))

    def waits_for(self, key: str) -> None:
        expect(self.key(key)).to_be_visible()

    def gone(self, key: str) -> None:
        expect(self.key(key)).to_have_count(0)

    def up_to_date(self, seq: int) -> None:
        """The page shows the table as it is after that record, or after one that came since: a
        note of who signed in is a record too."""
        self.page.wait_for_function(UP_TO_DATE, arg=seq)

    def prompt(self, text: str) -> None:
        self.shows("#prompt", text)

    # --- doing -------------------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        for key in keys:
            self.key(key).click()

    def enter(self) -> None:
        """Enter, once what the prompt names takes it."""
        expect(self.find("#actions .step.primary")).to_be_enabled()
        self.page.keyboard.press("Enter")

    def clear_away(self, *what: str) -> None:
        """After a void: what lies there is dealt with, a tap each, before betting opens."""
        for each in what or ("wagers", "rack"):
            self.press(f"done-{each}")

    def lay(self, position: int, wager: str, *chips: int) -> None:
        """Chips on a spot of the layout, a tap each."""
        for chip in chips:
            self.press(f"tray-{chip}", f"spot-{position}-{wager}")

    def confirm(self) -> None:
        """The second of the two steps."""
        self.press("confirm")

    def second_person(self, who: str, secret: str | None = None) -> None:
        """Somebody else picks their tile and enters their PIN on the pad."""
        tile = self.find(f'dialog [data-key="{who}"]')
        expect(tile).to_be_visible()
        tile.click()
        self._enter_pin(secret or PINS[who])

    def own_pin(self, who: str, secret: str | None = None) -> None:
        """Whoever is signed in, once more."""
        expect(self.find("dialog.second .secret")).to_be_visible()
        self._enter_pin(secret or PINS[who])

    def _enter_pin(self, secret: str) -> None:
        """By keyboard; the pad's own keys are pressed where signing in is tested."""
        self.find("dialog.second .secret").fill(secret)
        self.press("say-it")

    def pick_card(self, code: str) -> None:
        self.press(f"r{code[0]}", f"s{code[1]}")


def screen(
    browser: Browser,
    console: Console,
    *,
    url: str | None = None,
    viewport: ViewportSize | None = None,
    **more: Any,
) -> Screen:
    """A window of its own, with its own cookies."""
    context = browser.new_context(**{"viewport": viewport or TABLE_PC, "locale": "en-US", **more})
    context.set_default_timeout(PATIENCE_MS)
    language = "zh-Hans" if str(more.get("locale", "")).startswith("zh") else "en"
    return Screen(context, url or console.url, language)
