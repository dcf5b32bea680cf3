"""`sabot table`: a table without hardware, or one with devices in a terminal or as JSON lines."""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from controller.config import file as config
from controller.config import rulebook_fit
from controller.hil import keyboards
from controller.journal.records import Json
from controller.runtime import open_table
from controller.runtime.build import Plug, running_table
from controller.runtime.loop import Clock
from controller.table.rules import Rules
from controller.terminal.answer_lines import answer_lines
from controller.terminal.json_frontend import JsonFrontend
from controller.terminal.json_lines import JsonLines
from controller.terminal.screen import TextFrontend
from controller.terminal.stdio import StdioLoop, Wake
from controller.views.sentence_views import english
from drivers import registry


def register(app: typer.Typer) -> None:
    app.command("table")(table)


def table(
    jsonl: Annotated[bool, typer.Option("--jsonl", help="JSON lines in and out")] = False,
    shoe: Annotated[
        str | None, typer.Option(help="the shoe's driver; see `sabot device list`")
    ] = None,
    port: Annotated[
        str | None, typer.Option(help="its port: /dev/..., socket://, usb://, usbip://")
    ] = None,
    shuffler: Annotated[str | None, typer.Option(help="the shuffler's driver")] = None,
    shuffler_port: Annotated[str | None, typer.Option(help="its port")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="shoe setting key=value, or shuffler.key=value"),
    ] = None,
    config_file: Annotated[
        Path | None, typer.Option("--config", help="a table's TOML file; see deploy/")
    ] = None,
    journal: Annotated[
        Path | None, typer.Option(help="keep the journal in this file; in memory by default")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="the same salts every time, for tests; never in play")
    ] = None,
    stepped: Annotated[
        bool, typer.Option(help='time moves only by "at" of the lines, for tests; never in play')
    ] = False,
    help_words: Annotated[
        bool, typer.Option("--help-words", help="list every command and report with its fields")
    ] = False,
) -> None:
    """Run a table in a terminal or as JSON lines, with or without devices.

    With --shoe and --port its cards come from a device and people speak in the terminal or in JSON
    lines; with --jsonl alone devices are lines too, and time moves only by "at"."""
    if help_words:
        from controller.terminal import rule_pages

        rule_pages.show([rule_pages.word_list(), rule_pages.report_list()])
        return
    chosen = _chosen(config_file, journal) if config_file else config.DEMO
    if config_file is None:
        typer.echo(_defaults(chosen.rules()), err=True)
    if config_file and str(journal) != chosen.journal.path:
        where = "nothing is kept on disk" if journal is None else f"it is kept in {journal}"
        kept = chosen.journal.path
        typer.echo(f"`sabot run` keeps its journal in {kept}; here {where}", err=True)
    plugs = _plugs(chosen, shoe, port, shuffler, shuffler_port, settings or [])
    if not plugs and not jsonl:
        raise typer.BadParameter("give --shoe NAME --port URL, or --jsonl for a table without any")
    if not plugs:
        with open_table.open_table(
            chosen.rules(), journal, seed, pseudonyms=chosen.pseudonyms
        ) as session:
            answer_lines(JsonLines(session).answer)
        return
    _run(chosen, plugs, journal, seed, jsonl=jsonl, stepped=stepped)


def _defaults(rules: Rules) -> str:
    """The defaults in use, in one line: they may differ from the house's table."""
    house, method = rules.house, rules.method(rules.default_method())
    face = house.deal_face if method.face_down is None else "down" if method.face_down else "up"
    burned = {
        "none": "no card burned from a new shoe",
        "first_card": "as many cards burned from a new shoe as its first card says",
    }
    burn = burned.get(str(house.burn), f"{house.burn} cards burned from a new shoe")
    return (
        f"No --config: plays {rules.book.id} with {house.decks} decks, method {method.id}, cards "
        f"face {face}, {burn}; `sabot config example` prints a file to change that"
    )


def _chosen(file: Path, journal: Path | None) -> config.Config:
    """The table's settings: a table with a journal continues with its file, and a new one must
    match its rulebook. Settings without which `sabot run` would not start are reported."""
    begun = journal is not None and journal.exists()
    chosen = config.load(file) if begun else config.allowed(file)
    rules = chosen.rules()
    for lacks in rulebook_fit.shortcomings(rules):
        typer.echo(f"{file}: {english(rules).text(lacks)}", err=True)
    return chosen


def _plugs(
    chosen: config.Config,
    shoe: str | None,
    port: str | None,
    shuffler: str | None,
    shuffler_port: str | None,
    settings: list[str],
) -> list[Plug]:
    """The plugs from the options, otherwise from the configuration."""
    given = {"shoe": (shoe, port), "shuffler": (shuffler, shuffler_port)}
    wanted = _settings(settings)
    found = []
    for name, (driver, where) in given.items():
        # Without a wire there is no port.
        wired = driver is not None and registry.find(driver).sheet.link != "none"
        if (driver is None and where is not None) or (wired and where is None):
            raise typer.BadParameter(f"a {name} needs both its driver and its port")
        device = getattr(chosen, name)
        if driver is not None:
            port = where or ""
            found.append(Plug(name, driver, port, wanted[name], keyboards.consented(port)))
        elif device is not None and driver is None:
            own = {**device.settings, **wanted[name]}
            found.append(Plug(name, device.driver, device.port, own, device.identity or ""))
    return found


def _settings(settings: list[str]) -> dict[str, dict[str, Json]]:
    found: dict[str, dict[str, Json]] = {"shoe": {}, "shuffler": {}}
    for each in settings:
        key, equals, value = each.partition("=")
        if not equals:
            raise typer.BadParameter(f"{each!r} is not a setting: use --set key=value")
        device, dot, name = key.partition(".")
        if dot and device not in found:
            raise typer.BadParameter(f"{device!r} is not a device: use shoe or shuffler")
        found[device if dot else "shoe"][name if dot else key] = _value(value)
    return found


def _value(text: str) -> Json:
    """Convert the text as TOML does; a string needs no quotes."""
    known = {"true": True, "false": False}
    if text in known:
        return known[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _run(
    chosen: config.Config,
    plugs: list[Plug],
    journal: Path | None,
    seed: int | None,
    *,
    jsonl: bool,
    stepped: bool,
) -> None:
    clock = Clock(time.monotonic, None if stepped else time.time)
    rules, pseudonyms = chosen.rules(), chosen.pseudonyms
    wake = Wake()
    try:
        with (
            wake.on_signals(),
            open_table.open_table(rules, journal, seed, pseudonyms=pseudonyms) as session,
            running_table(session, plugs, clock) as at_work,
        ):
            if jsonl:
                programs = JsonFrontend(frozenset(plug.name for plug in plugs), _print_line)
                well = StdioLoop(at_work.loop, programs, sys.stdin.fileno(), wake).run()
                bad = programs.bad
            else:
                people = TextFrontend(at_work.loop, typer.echo, wake.end, english(rules))
                typer.echo("Type `help` for the commands.")
                well = StdioLoop(at_work.loop, people, sys.stdin.fileno(), wake).run()
                bad = 0
    finally:
        wake.close()
    if bad or not well:
        raise typer.Exit(1)


def _print_line(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()  # the reader may wait for each line
