"""`python -m tiers.quick`: checks what changed since the last commit, in about half a minute.

Formats, lint and types are checked for the whole tree: the tools have caches. Tests are those that
belong to the changed files: the test module or folder that mirrors a product file, the checks of
the pages for JavaScript and, for the rules of play, the stories in memory. With nothing changed it
checks the last commit.
"""

import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import Final

from tiers.groups import ROOT, STORIES

PRODUCT: Final = ("controller", "drivers", "simulators")
RULES_OF_PLAY: Final = (
    "controller/game",
    "controller/rulebooks",
    "controller/table",
    "controller/round",
    "controller/cases",
    "controller/engine",
    "controller/views",
)
PAGE_FILES: Final = (".js", ".ts", ".css", ".html")


def changed_files() -> list[str]:
    """Paths that differ from the last commit, or those of the last commit if none do."""
    now = _git("diff", "--name-only", "HEAD") + _git("ls-files", "--others", "--exclude-standard")
    return now or _git("diff", "--name-only", "HEAD~1", "HEAD")


def _git(*arguments: str) -> list[str]:
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def find_tests(path: str, root: Path = ROOT) -> list[str]:
    """The tests that belong to a changed file: itself, or those of the folder that mirrors it."""
    changed = PurePosixPath(path)
    if path.startswith("tests/scenario/stories/"):
        return [STORIES]
    if changed.parts[0] == "tests":
        return [path] if changed.match("test_*.py") and (root / path).exists() else []
    if changed.parts[0] not in PRODUCT or changed.suffix in PAGE_FILES:
        return []
    module = root / "tests" / "unit" / changed.with_name(f"test_{changed.stem}.py")
    mirror = next(folder for folder in module.parents if folder.is_dir())
    found = [(module if module.exists() else mirror).relative_to(root).as_posix()]
    return [*found, STORIES] if path.startswith(RULES_OF_PLAY) else found


def without_nested(paths: list[str]) -> list[str]:
    """Each path once, less those inside another one."""
    kept = sorted(set(paths))
    return [path for path in kept if not any(path.startswith(f"{other}/") for other in kept)]


def main() -> int:
    changed = changed_files()
    tests = without_nested([test for path in changed for test in find_tests(path)])
    commands = [["ruff", "format", "--check", "."], ["ruff", "check", "."]]
    if any(path.endswith((".py", ".toml")) for path in changed):
        commands += [["mypy"], ["lint-imports"]]
    if any(path.endswith(PAGE_FILES) for path in changed):
        commands.append(["make", "--no-print-directory", "check-pages"])
    pytest = ["pytest", "-q", "-n", "2", "--dist", "worksteal"]
    if units := [test for test in tests if test != STORIES]:
        commands.append([*pytest, *units])
    if STORIES in tests:
        commands.append([*pytest, "-k", "memory", STORIES])
    failed = [command for command in commands if not _passes(command)]
    if not tests:
        sys.stdout.write("No tests belong to what changed; `make test` runs all.\n")
    return 1 if failed else 0


def _passes(command: list[str]) -> bool:
    sys.stdout.write(f"$ {' '.join(command)}\n")
    sys.stdout.flush()
    tool = "make" if command[0] == "make" else Path(sys.executable).with_name(command[0])
    return subprocess.run([tool, *command[1:]], cwd=ROOT, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
