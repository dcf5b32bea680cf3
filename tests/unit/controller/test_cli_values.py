"""Options read without pydantic mean what Typer would read, and are refused in Typer's words."""

from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer import core
from typer._coercion import build_runtime_param
from typer.testing import CliRunner

from controller import cli
from support.rows import each_row


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


app = typer.Typer()


@app.command()
def paint(
    name: str,
    paths: Annotated[list[Path] | None, typer.Argument()] = None,
    count: int = 3,
    share: float = 0.5,
    few: Annotated[int, typer.Option(min=1, max=9)] = 2,
    colour: Colour = Colour.RED,
    word: Annotated[list[str] | None, typer.Option()] = None,
    there: Annotated[Path | None, typer.Option(exists=True, dir_okay=False)] = None,
    loud: bool = False,
) -> None:
    typer.echo(repr((name, paths, count, share, few, colour, word, there, loud)))


LINES = (
    "",
    "ann",
    "ann a b/c ../d",
    "ann --count 12 --word x --word 7",
    "ann --count -4",
    "ann --count ' 5 '",
    "ann --count 1_000",
    "ann --count ٣",
    "ann --count x",
    "ann --count 1.5",
    "ann --share 2 --loud",
    "ann --share much",
    "ann --few 9",
    "ann --few 10",
    "ann --few x",
    "ann --colour blue",
    "ann --colour green",
    f"ann --there {__file__}",
    f"ann --there {Path(__file__).parent}",
    "ann --there /no/such/file",
    "--help",
)


def said(line: str, reader: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    monkeypatch.setattr(core, "build_runtime_param", reader)
    words = [word.strip("'") for word in line.replace("' 5 '", "'_5_'").split()]
    run = CliRunner().invoke(app, [word.replace("_5_", " 5 ") for word in words])
    return run.exit_code, run.output


@each_row("line", LINES)
def test_a_line_means_what_typer_makes_of_it(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = said(line, cli.quick, monkeypatch)
    assert quick == said(line, build_runtime_param, monkeypatch)


def test_the_command_reads_its_options_so() -> None:
    assert core.build_runtime_param is cli.quick  # type: ignore[attr-defined]
