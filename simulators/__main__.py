"""`python -m simulators NAME`: run an emulated device, or operate a running one."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

from simulators import registry
from simulators.console_robot.player import Player
from simulators.dealer import program as dealer
from simulators.kit import cards
from simulators.kit.contract import Emulator
from simulators.kit.settings import WrongSetting
from simulators.panel import panel
from simulators.wire.ports import Port, PortError, PtyPort, SerialPort, TcpPort
from simulators.wire.serve import Server
from simulators.wire.unit import Unit

EPILOG = """examples:
  python -m simulators shoe_angel_eye --pty /tmp/shoe --panel 8100
  python -m simulators shoe_bee_tek --tcp 127.0.0.1:4001 --pace real
  python -m simulators shoe_barcode_usb --usbip 127.0.0.1:3240 --panel 0
  python -m simulators do http://127.0.0.1:8100 draw card=9S
  python -m simulators words http://127.0.0.1:8100

Once it can be reached, an emulator prints one line of JSON with its port and its back door.
SIGTERM and Ctrl-C end it."""


class Misused(Exception):
    """Invalid command-line arguments; the message contains the remedy."""


def main(argv: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if argv is None else list(argv)
    try:
        _tell_of_refused(given)
        arguments = _parser(given).parse_args(given)
        status: int = arguments.run(arguments)
    except (
        Misused,
        PortError,
        WrongSetting,
        registry.NoSuchDevice,
        registry.BrokenEmulator,
        cards.NotACard,
        panel.DoorError,
    ) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return status


def _tell_of_refused(given: Sequence[str]) -> None:
    """Report packages whose name was refused, since no list contains them. Raises `BrokenEmulator`
    where such a package was requested itself."""
    refused = registry.refused()
    for name in given[:1]:
        if name in refused and name not in registry.WORDS and name not in registry.DEVICES:
            registry.find(name)
    for why in refused.values():
        sys.stderr.write(f"{why}\n")


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m simulators",
        description="Emulated shoes and shufflers, and the back door of a running one.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="NAME")
    for name in registry.names():
        one = commands.add_parser(name, help=registry.description(name))
        if name in given[:1]:  # import a maker's package only on request
            _device_options(one, name)
    hand = commands.add_parser("do", help="let a hand do something to a running device")
    hand.add_argument("url", help="the back door, from the device's ready line")
    hand.add_argument("word")
    hand.add_argument("given", nargs="*", metavar="key=value")
    hand.set_defaults(run=_do)
    dealer.options(commands.add_parser("dealer", help=dealer.SAYS))
    for command, text in (
        ("words", "what a hand can do to a running device"),
        ("state", "all there is to see of a running device"),
        ("settings", "the disputed facts of a device that --set can change"),
    ):
        one = commands.add_parser(command, help=text)
        one.add_argument("of", metavar="NAME" if command == "settings" else "URL")
        one.set_defaults(run={"words": _words, "state": _state, "settings": _settings}[command])
    return parser


def _device_options(parser: argparse.ArgumentParser, name: str) -> None:
    about = registry.find(name).about
    parser.description = about.description
    where = parser.add_mutually_exclusive_group(required=True)
    if about.over_usbip:
        served = "a USB/IP server; port 0 takes any free one"
        where.add_argument("--usbip", "--tcp", metavar="HOST:PORT", help=served, dest="tcp")
    else:
        where.add_argument("--pty", metavar="LINK", help="a pseudo-terminal behind this link")
        where.add_argument("--tcp", metavar="HOST:PORT", help="a TCP port; 0 takes any free one")
        where.add_argument("--serial", metavar="PORT", help="a real serial port")
    parser.add_argument("--anyway", action="store_true", help="let --tcp be reached from outside")
    parser.add_argument("--tied", action="store_true", help="end when standard input closes")
    parser.add_argument("--panel", metavar="PORT", type=int, help="the back door; 0: any")
    if about.kind == "shoe":
        text = "a demo's console, where the robot may play with this shoe; needs --panel"
        parser.add_argument("--table", metavar="URL", help=text)
    parser.add_argument("--seed", type=int, default=0, help="of everything by chance (0)")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], dest="settings")
    parser.add_argument("--pace", choices=("real", "none"), default="real", help="of the line")
    parser.add_argument(
        "--deck", metavar="FILE", default="seed", help="the cards in a file, or `seed` (default)"
    )
    parser.set_defaults(run=_emulate, name=name, pty=None, serial=None, table=None)


def _emulate(arguments: argparse.Namespace) -> int:
    settings = _pairs(arguments.settings)
    if arguments.deck != "seed":
        settings["deck"] = _text_of(Path(arguments.deck))
    emulator = registry.make(arguments.name, settings, arguments.seed)
    # A real serial port limits the rate itself.
    paced = arguments.pace == "real" and arguments.serial is None
    unit = Unit(emulator, arguments.seed, paced)
    port = _port(arguments, unit)
    server = Server(unit, port, sys.stdin.fileno() if arguments.tied else None)
    door = None
    try:
        server.stop_on_signals()
        server.open()
        robot = arguments.table and Player(arguments.table.rstrip("/"), server, arguments.seed)
        door = None if arguments.panel is None else _door(server, arguments.panel, robot)
        ready = {"ready": emulator.name, "port": port.where, "panel": door and door.url}
        sys.stdout.write(json.dumps(ready) + "\n")
        sys.stdout.flush()
        server.run()
    finally:
        if door is not None:
            door.close()
        server.close()
    return 0


def _door(server: Server, port: int, robot: Player | None) -> panel.Panel:
    try:
        return panel.Panel(server, port, robot)
    except (OSError, OverflowError) as error:
        raise PortError(f"cannot open the back door at port {port}: {error}") from error


def _port(arguments: argparse.Namespace, unit: Unit) -> Port:
    if arguments.tcp is not None:
        return _tcp(unit, arguments.tcp, arguments.anyway)
    if arguments.pty is not None:
        return PtyPort(unit, Path(arguments.pty))
    return SerialPort(arguments.serial, _baud(unit.emulator))


def _baud(emulator: Emulator) -> int:
    if emulator.baud is None:
        raise Misused(f"{emulator.name} has no serial line")
    return emulator.baud


def _tcp(unit: Unit, text: str, anyway: bool) -> TcpPort:
    host, colon, number = text.rpartition(":")
    if not colon or not number.isdecimal() or int(number) > 65_535:
        raise Misused(f"--tcp {text}: write HOST:PORT, like 127.0.0.1:4001")
    try:
        outside = not ip_address(host).is_loopback
    except ValueError:
        raise Misused(f"--tcp {text}: write the host as a number, like 127.0.0.1") from None
    if outside and not anyway:
        raise Misused(f"--tcp {text} can be reached from outside; add --anyway if that is meant")
    return TcpPort(unit, host, int(number))


def _pairs(given: Sequence[str]) -> dict[str, object]:
    pairs: dict[str, object] = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not equals or not key:
            raise Misused(f"{each!r}: write key=value")
        pairs[key] = value
    return pairs


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Misused(f"cannot read the deck {path}: {error}") from None


def _do(arguments: argparse.Namespace) -> int:
    answer = panel.do(arguments.url, arguments.word, **_pairs(arguments.given))
    _print(answer)
    return 0


def _words(arguments: argparse.Namespace) -> int:
    for name, word in panel.ask(arguments.of, "/words").items():
        sys.stdout.write(f"{name:<14} {word['says']}\n")
        for field, text in word["fields"].items():
            sys.stdout.write(f"{'':<14}   {field}= {text}\n")
    return 0


def _state(arguments: argparse.Namespace) -> int:
    _print(panel.ask(arguments.of, "/state"))
    return 0


def _settings(arguments: argparse.Namespace) -> int:
    for name, choice in registry.settings_of(arguments.of).items():
        may = "" if choice.choices is None else f" ({', '.join(map(str, choice.choices))})"
        sys.stdout.write(f"{name} = {choice.default}{may}\n    {choice.description}\n")
    return 0


def _print(answer: object) -> None:
    sys.stdout.write(json.dumps(answer, indent=1) + "\n")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # The reader of the output is gone; the interpreter must not flush it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
