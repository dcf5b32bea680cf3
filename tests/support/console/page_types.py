"""`python -m support.console.page_types`: writes what the console sends as the pages' types."""

from pathlib import Path
from typing import Final, cast

import controller.console
from controller.console.context import ConsoleContext
from controller.console.http.endpoints import endpoints, parts_of
from controller.console.problems import ProblemBody
from controller.views.structs.messages import MESSAGES
from support.typescript import declarations

FILE: Final = Path(controller.console.__file__).parent / "static" / "js" / "sent.d.ts"
HEADER: Final = (
    "// What the console sends, made from its structs by `make generate ONLY=page-types`.\n\n"
    "/** A card as people write it in records: 9H, TD. */\n"
    "export type CardCode = string;\n\n"
)


def page_types() -> str:
    listed = endpoints(cast("ConsoleContext", _NoContext()))
    answers = [part for each in listed if each.answer for part in parts_of(each.answer)]
    return HEADER + declarations([*answers, *MESSAGES, ProblemBody])


class _NoContext:
    """Endpoints are listed without a table."""

    def __getattr__(self, name: str) -> None:
        return None


if __name__ == "__main__":
    FILE.write_text(page_types(), "utf-8")
