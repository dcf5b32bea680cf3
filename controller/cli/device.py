"""`sabot device`: lists, monitors, captures and tests devices.

These are tools for the bench. Their screens and unsealed captures show every card.
"""

import json
import os
import time
import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from controller.hil import deck_pass, enrolment, keyboards, papers
from controller.journal.records import Json
from controller.journal.seal import load_key
from drivers import registry
from drivers.contract import Capability
from drivers.errors import DeviceError, LinkError
from drivers.events import Event, LinkUp
from drivers.io import capture, deck_check, ports
from drivers.io.bench import Bench, BenchMoment, until_stopped, wired
from drivers.io.identity import LineSettings, line_for

device_app = typer.Typer(help="Find, monitor, capture, replay and test shoes and shufflers.")


def register(app: typer.Typer) -> None:
    app.add_typer(device_app, name="device")


DriverName = Annotated[
    str, typer.Option("--driver", metavar="NAME", help="see `sabot device list`")
]
PortUrl = Annotated[
    str,
    typer.Option("--port", metavar="URL", help="a path, socket://, rfc2217://, usb://, usbip://"),
]
Given = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="a setting of the driver; again for more"),
]
KeyFile = Annotated[
    Path | None, typer.Option("--key", help="seal the capture, or open it, with this key file")
]
AsJson = Annotated[bool, typer.Option("--json", help="as JSON")]

WARNING = "This shows every card. It is for a bench, never for a table in play."


@device_app.command("list")
def device_list(as_json: AsJson = False) -> None:
    """List connected devices and available drivers."""
    found = {"serial": ports.serial_ports(), "usb": _usb_devices()}
    drivers = [_driver_facts(name) for name in registry.names()]
    if as_json:
        plugged = {kind: [_identity(each) for each in many] for kind, many in found.items()}
        shown = {**plugged, "drivers": msgspec.to_builtins(drivers)}
        typer.echo(json.dumps(shown, indent=2, ensure_ascii=False))
        return
    for kind, title in (("serial", "Serial ports"), ("usb", "USB devices")):
        typer.echo(title)
        for each in found[kind]:
            typer.echo(f"  {each}")
            typer.echo(f"      enrolled by: {each.enrolment}")
        if not found[kind]:
            typer.echo("  none")
    typer.echo("Drivers")
    for facts in drivers:
        if isinstance(facts, DriverNotLoaded):
            typer.echo(f"  {facts.name:<22} {facts.error}")
            continue
        typer.echo(f"  {facts.name:<22} {facts.says}")
        if facts.capabilities:
            can = ", ".join(each.value for each in facts.capabilities)
            typer.echo(f"      {can.replace('_', ' ')}")


@device_app.command("enrol")
def device_enrol(
    device: Annotated[
        str | None, typer.Argument(help="shoe or shuffler: enrol it at this table")
    ] = None,
    config_file: Annotated[Path, typer.Option("--config", help="the table's TOML file")] = Path(
        "/etc/sabot/table.toml"
    ),
    port: Annotated[
        str | None, typer.Option("--port", metavar="URL", help="only show what this port reads")
    ] = None,
) -> None:
    """Read a unit's identity, confirm its plate, and write both into the configuration.

    The table must be stopped: a port has one user. With --port nothing is written."""
    if (device is None) == (port is None) or device not in (None, *enrolment.DEVICES):
        raise typer.BadParameter("give shoe or shuffler, or else --port")
    if device is not None:
        enrolment.enrol(config_file, device)
        return
    typer.echo(ports.look(str(port)).enrolment)


@device_app.command("monitor")
def device_monitor(
    driver: DriverName, port: PortUrl, given: Given = None, as_json: AsJson = False
) -> None:
    """Show a device's messages live, decoded and in hex. Press Ctrl-C to stop."""
    wired(registry.find(driver).sheet, port)
    typer.echo(WARNING, err=True)
    bench = _bench(driver, port, given)
    with until_stopped() as stop:
        for moment in bench.moments(stop):
            for line in _lines(moment, as_json):
                typer.echo(line)


@device_app.command("capture")
def device_capture(
    driver: DriverName,
    port: PortUrl,
    out: Annotated[Path, typer.Option(help="the file to write; must not exist")],
    given: Given = None,
    key: KeyFile = None,
) -> None:
    """Write every byte both ways to a file, with its time and what the driver made of it.

    With a key the file shows no card; without, it shows all. Ctrl-C ends it."""
    found, settings = registry.find(driver), _settings(given)
    wired(found.sheet, port)
    enrolled = keyboards.consented(port)
    about = {"driver": driver, "port": port, "settings": settings, "began": _utc()}
    sealing = None if key is None else load_key(key)
    file = capture.Capture(_new_file(out), about, time.monotonic, sealing, os.urandom)
    if sealing is None:
        typer.echo(WARNING, err=True)
    seen = 0
    try:
        bench = Bench(found, port, settings, file, enrolled=enrolled)
        with until_stopped() as stop:
            for moment in bench.moments(stop):
                if any(isinstance(event, LinkUp) for event in moment.events):
                    typer.echo(f"capturing {port} to {out}", err=True)
                seen += len(moment.data)
                if file.failed:
                    raise LinkError(f"{out}: {file.failed}")
    finally:
        file.close()
    typer.echo(f"{out}: {seen} bytes captured")


@device_app.command("replay")
def device_replay(
    file: Annotated[Path, typer.Argument(help="a capture")],
    driver: Annotated[
        str | None, typer.Option("--driver", metavar="NAME", help="play it into this driver")
    ] = None,
    port: Annotated[
        str | None,
        typer.Option("--port", metavar="URL", help="play the host's side into this port"),
    ] = None,
    given: Given = None,
    key: KeyFile = None,
    at_once: Annotated[bool, typer.Option("--at-once", help="without the captured pauses")] = False,
    as_json: AsJson = False,
) -> None:
    """Play a capture into a driver, which must say what it said then; or into an emulator's port.

    The exit status is 1 when driver or emulator answer differently."""
    if (driver is None) == (port is None):
        raise typer.BadParameter("give either --driver or --port")
    recording = capture.load(file, None if key is None else load_key(key))
    if recording.cut:
        typer.echo(f"{file}: the last line is incomplete and was left out", err=True)
    if driver is not None:
        differs = _into_driver(recording, driver, given, as_json)
    else:
        differs = _into_port(recording, str(port), at_once)
    if differs:
        typer.echo(f"{file}: {differs}", err=True)
        raise typer.Exit(1)


@device_app.command("test-deck")
def device_test_deck(
    driver: DriverName,
    port: PortUrl,
    order: Annotated[
        Path | None, typer.Option(help="the cards in order; new-deck order (S H D C) without it")
    ] = None,
    decks: Annotated[int, typer.Option(min=1, max=10, help="decks in new-deck order")] = 1,
    quiet_s: Annotated[
        float,
        typer.Option(
            "--quiet", callback=deck_pass.quiet, help="seconds without a card that end the pass"
        ),
    ] = 60.0,
    given: Given = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None, typer.Option(help="a folder for the pass as a report, to file or compare")
    ] = None,
    asset: Annotated[str, typer.Option(help="the number on the plate, for the report")] = "unknown",
) -> None:
    """Draw a deck of known order through a shoe and compare what it reads.

    A card that is lost or told twice does not put the others out of step: it says which one it
    was, and which is due. It ends by itself after the last card, at the cutting card, when no card
    came for a while, and at Ctrl-C. The exit status is 1 when a card was misread, lost or
    doubled, or the link was gone."""
    deck_pass.must_be_a_shoe(registry.find(driver).sheet, port)
    drawn = deck_check.new_deck_order(decks) if order is None else deck_pass.order(order)
    paper = None if out is None else papers.DeckPaper(out, asset)
    typer.echo(WARNING, err=True)
    bench = _bench(driver, port, given)
    passed = deck_pass.drawn_through(bench, drawn, quiet_s)
    if paper is not None and bench.identity is not None:
        paper.write(registry.find(driver).sheet, _settings(given), bench.identity, passed)
    if as_json:
        typer.echo(json.dumps(passed.plain(), indent=2))
    else:
        for line in deck_pass.report(passed):
            typer.echo(line)
    if not passed.good:
        raise typer.Exit(1)


device_app.command("compare")(papers.compare)
device_app.command("vector")(papers.make_vectors)


# --- what the commands are made of --------------------------------------------------------------


def _bench(driver: str, port: str, given: list[str] | None) -> Bench:
    """Create the bench. A device that acts as a keyboard is taken only after consent."""
    found, settings = registry.find(driver), _settings(given)
    return Bench(found, port, settings, enrolled=keyboards.consented(port))


def _usb_devices() -> list[Any]:
    try:
        return list(ports.usb_devices())
    except LinkError as error:
        typer.echo(f"USB cannot be read: {error}", err=True)
        return []


def _identity(identity: Any) -> dict[str, str]:
    names = ("address", "usb_id", "serial", "usb_port", "product", "enrolment")
    return {name: getattr(identity, name) for name in names}


class DriverFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One driver of the list."""

    name: str
    kind: str
    link: str
    says: str
    contract: int
    capabilities: list[Capability]
    settings: dict[str, str]


class DriverNotLoaded(msgspec.Struct, frozen=True):
    """A maker's driver that cannot be loaded, with the reason."""

    name: str
    error: str


def _driver_facts(name: str) -> DriverFacts | DriverNotLoaded:
    try:
        sheet = registry.find(name).sheet
    except DeviceError as error:
        return DriverNotLoaded(name, str(error))
    line = f", {sheet.baud} baud" if sheet.baud else ""
    return DriverFacts(
        name=name,
        kind=sheet.kind,
        link=sheet.link,
        says=f"{sheet.kind}: {sheet.maker} {sheet.model} ({sheet.link}{line})",
        contract=sheet.contract,
        capabilities=[each for each in Capability if each in sheet.capabilities],
        settings={key: setting.says for key, setting in sheet.settings.items()},
    )


def _settings(given: list[str] | None) -> dict[str, Json]:
    settings: dict[str, Json] = {}
    for each in given or ():
        key, equals, text = each.partition("=")
        if not equals or not key:
            raise typer.BadParameter(f"{each!r}: write KEY=VALUE")
        try:
            settings[key] = tomllib.loads(f"value = {text}")["value"]
        except (ValueError, RecursionError):
            settings[key] = text
    return settings


def _lines(moment: BenchMoment, as_json: bool) -> list[str]:
    if not (moment.data or moment.events or moment.sent):
        return []
    if as_json:
        reported = [capture.plain(event) for event in moment.events]
        what = {"in": moment.data.hex(), "events": reported, "out": moment.sent.hex()}
        return [json.dumps({"at": round(moment.at, 6), **{k: v for k, v in what.items() if v}})]
    at = f"{moment.at:12.3f}"
    lines = [f"{at}  in   {moment.data.hex(' ')}"] if moment.data else []
    lines += [f"{at}       {_sentence(event)}" for event in moment.events]
    return lines + ([f"{at}  out  {moment.sent.hex(' ')}"] if moment.sent else [])


def _sentence(event: Event) -> str:
    reported = capture.plain(event)
    name = reported.pop("event")
    shown = {key: value for key, value in reported.items() if value not in (None, "", [], ())}
    shown.pop("frame", None)
    return " ".join([name, *(f"{key}={value}" for key, value in shown.items())])


def _new_file(path: Path) -> Any:
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    except FileExistsError as error:
        raise typer.BadParameter(f"{path} exists: name another file") from error
    except OSError as error:
        raise typer.BadParameter(f"{path} cannot be written: {error.strerror}") from error


def _utc() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _into_driver(
    recording: capture.Recording, name: str, given: list[str] | None, as_json: bool
) -> str:
    settings = {**recording.about.get("settings", {}), **_settings(given)}
    reported: list[Event] = []
    for moment, step in capture.played(recording, registry.find(name).with_settings(settings)):
        reported += step.events
        for line in _lines(BenchMoment(moment.at, moment.data, step.events, step.send), as_json):
            typer.echo(line)
    if not any(moment.kind == "event" for moment in recording.moments):
        return ""
    return capture.difference(recording, reported)


def _line(recording: capture.Recording) -> LineSettings | None:
    """The serial settings of the captured device, if its driver is known here."""
    about = recording.about
    if about.get("driver") not in registry.names():
        return None
    return line_for(registry.find(str(about["driver"])).sheet, about.get("settings"))


def _into_port(recording: capture.Recording, url: str, at_once: bool) -> str:
    """Send the host's bytes at their times and compare the replies with the captured ones."""
    arrived, wanted = b"", b"".join(m.data for m in recording.moments if m.kind == "in")
    port = ports.open_port(url, _line(recording))
    began = time.monotonic()
    try:
        with until_stopped() as stop:
            for moment in recording.moments:
                while not stop.is_set() and not at_once and time.monotonic() - began < moment.at:
                    arrived += port.read(min(0.1, max(0.0, moment.at - (time.monotonic() - began))))
                if moment.kind == "out" and not stop.is_set():
                    port.write(moment.data)
            quiet = False
            while not stop.is_set() and len(arrived) < len(wanted) and not quiet:
                more = port.read(1.0)
                arrived, quiet = arrived + more, not more
    finally:
        port.close()
    typer.echo(f"{len(arrived)} bytes came back, {len(wanted)} did when it was captured")
    return "" if arrived == wanted else "the other side answered differently"
