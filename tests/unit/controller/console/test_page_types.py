"""The pages' types are those of what the console encodes."""

from support.console.page_types import FILE, page_types


def test_the_written_types_are_fresh() -> None:
    fresh = page_types() == FILE.read_text("utf-8")
    assert fresh, "run make generate ONLY=page-types"
