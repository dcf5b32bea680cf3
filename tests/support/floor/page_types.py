"""`python -m support.floor.page_types`: writes what the floor sends as the pages' types."""

from pathlib import Path
from typing import Final, cast

import controller.floor.web
from controller.floor.web.context import FloorContext
from controller.floor.web.endpoints import endpoints
from controller.floor.web.live.feeds import FloorMessage
from support.typescript import declarations

FILE: Final = Path(controller.floor.web.__file__).parent / "static" / "js" / "types.d.ts"
HEADER: Final = (
    "// What the floor sends, made from its structs by `make generate ONLY=page-types`.\n\n"
)


def page_types() -> str:
    listed = endpoints(cast("FloorContext", None))
    answers = [each.answer for each in listed if each.answer is not None]
    return HEADER + declarations([*answers, FloorMessage])


if __name__ == "__main__":
    FILE.write_text(page_types(), "utf-8")
