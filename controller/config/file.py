"""One table's TOML file as typed structs. An unknown key, or a table that cannot pay, stops the
start."""

import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from controller.config import floor, key_reference, rulebook_fit, validation
from controller.game.money.rounding import Rounding, check_chip_unit
from controller.game.roles import ladder_with
from controller.journal.records import Json
from controller.messages.catalogue import Currency, english
from controller.messages.key_description import describe
from controller.rulebooks import rulebook
from controller.table.refused import Refused
from controller.table.rules import HouseRules, Rules
from drivers import registry
from drivers.commands import Lock, Unlock
from drivers.contract import Capability, DataSheet
from drivers.errors import DeviceError
from drivers.io.identity import line_for


class ConfigError(Exception):
    """A mistake in the file, with its line. Raised only while starting."""


class Money(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    chip_unit: Annotated[
        int,
        describe(
            "the smallest chip; every wager is a multiple of it", unit="minor units", example=100
        ),
    ]
    rounding: Annotated[
        Rounding,
        describe("of a payment; exact refuses to start when 0.95 of a chip is not whole"),
    ] = Rounding.EXACT
    currency: Annotated[
        str, describe("as it stands before an amount on every page", example="SGD")
    ] = ""
    minor_units: Annotated[
        Literal[0, 1, 2, 3, 4],
        describe("digits after the point: 2 where an amount of 100 is one dollar", unit="digits"),
    ] = 2


class Site(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, describe("the table as people call it, on every page and report")] = (
        "table 1"
    )
    mode: Annotated[
        Literal["live", "training"],
        describe("training looks different everywhere and has a journal of its own"),
    ] = "live"


class JournalPaths(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: Annotated[str, describe("every step of the table, on disk before anybody sees it")] = (
        "/var/lib/sabot/journal.db"
    )
    head: Annotated[
        str,
        describe(
            "the signed second copy of its head: on another disk it shows a disk that forgets"
        ),
    ] = "/var/lib/sabot/head/journal.head"
    key: Annotated[str, describe("what sealed cards are opened with; 0600, in no backup")] = (
        "/var/lib/sabot/keys/journal.key"
    )
    signing_key: Annotated[
        str | None,
        describe(
            "what the head is signed with; 0600, in no backup; left out, it lies beside key",
            example="/var/lib/sabot/keys/journal.signing",
        ),
    ] = None

    @property
    def signing(self) -> str:
        return self.signing_key or str(Path(self.key).with_suffix(".signing"))


class Device(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    driver: Annotated[str, describe("one of `sabot device list`", example="shoe_angel_eye")]
    port: Annotated[
        str,
        describe(
            "/dev/serial/by-id/..., socket://host:4001, rfc2217://, usb://vid:pid:serial, "
            "usb://vid:pid@socket or usbip://; none for shoe_by_hand",
            example="/dev/sabot-shoe",
            written=True,
        ),
    ] = ""
    asset: Annotated[
        str | None,
        describe(
            "the number on the unit's plate, confirmed when it is enrolled; a live table has one",
            example="SHOE-0017",
        ),
    ] = None
    identity: Annotated[
        str | None,
        describe(
            "what `sabot device enrol` read of adapter or unit; another one is refused",
            example="usb 0403:6001:A10LX3VF",
        ),
    ] = None
    settings: Annotated[
        dict[str, Json], describe("the driver's own; `sabot device list` names them")
    ] = msgspec.field(default_factory=dict)


class Shuffler(Device, frozen=True, forbid_unknown_fields=True):
    driver: Annotated[str, describe("one of `sabot device list`", example="shuffler_batch")]
    port: Annotated[
        str, describe("as for the shoe", example="/dev/sabot-shuffler", written=True)
    ] = ""


class Console(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    host: Annotated[str, describe("any other address than loopback needs tls_cert and tls_key")] = (
        "127.0.0.1"
    )
    port: Annotated[int, describe("where the pages are served", unit="TCP port")] = 8470
    tls_cert: Annotated[
        str | None, describe("certificate chain, PEM", example="/etc/sabot/console.crt")
    ] = None
    tls_key: Annotated[str | None, describe("its key, PEM", example="/etc/sabot/console.key")] = (
        None
    )
    staff: Annotated[str, describe("accounts, made with `sabot staff add`")] = (
        "/var/lib/sabot/staff.json"
    )
    pin_fewest: Annotated[
        Literal[4, 6],
        describe("a new PIN has at least so many digits; 4 where the house says so", unit="digits"),
    ] = 6


class Checks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    free_disk_mb: Annotated[int, describe("less free disk stops the start", unit="MB")] = 500
    free_memory_mb: Annotated[int, describe("less free memory stops the start", unit="MB")] = 100
    clock_step_s: Annotated[
        float, describe("a jump of the clock by more is recorded and shown", unit="s")
    ] = 2.0
    manifest: Annotated[
        str | None,
        describe(
            "signed list of installed files, found by itself; a changed file stops play",
            example="/opt/sabot/current/manifest.json",
        ),
    ] = None
    maker_key: Annotated[
        str | None, describe("the maker's public key for it", example="/etc/sabot/maker.pub")
    ] = None
    site_key: Annotated[
        str | None,
        describe(
            "the site's public key: this file is then signed; site.pub beside it counts anyway",
            example="/etc/sabot/site.pub",
        ),
    ] = None
    verify_every_h: Annotated[
        float, describe("files are checked at the start and so often", unit="h")
    ] = 24.0
    errors_per_thousand: Annotated[
        float, describe("a device with more misreads is flagged", unit="misreads per 1000 cards")
    ] = 5.0


class Logs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    level: Annotated[
        Literal["traffic", "debug", "info", "warning"],
        describe("traffic shows when devices speak, and never a card at a live table"),
    ] = "info"
    file: Annotated[
        str | None, describe("besides the system's journal", example="/var/log/sabot/sabot.log")
    ] = None
    file_mb: Annotated[int, describe("a larger file is put aside", unit="MB")] = 10
    keep: Annotated[int, describe("so many files put aside are kept", unit="files")] = 10
    capture: Annotated[
        str | None,
        describe(
            "a folder for all that devices say and are told, sealed with the journal's key",
            example="/var/lib/sabot/captures",
        ),
    ] = None


class Floor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    url: Annotated[
        str,
        describe(
            "tls://host:4222 for a broker, https://host for a floor without one; nats:// and "
            "http:// only on this machine",
            example="tls://floor.example:4222",
        ),
    ]
    site: Annotated[str, describe("the site as the floor knows it: a-z, 0-9 and -", example="bay")]
    table: Annotated[str, describe("this table as the floor knows it", example="bac-07")]
    floor_key: Annotated[
        str,
        describe(
            "the floor's public key: answers and orders that it did not sign count for nothing",
            example="/etc/sabot/floor.pub",
        ),
    ]
    pit: Annotated[str, describe("where the floor's map shows it", example="north")] = ""
    certificate: Annotated[
        str | None,
        describe("this table's, PEM, from `sabot floor enrol`", example="/etc/sabot/floor.crt"),
    ] = None
    key: Annotated[str | None, describe("its key, PEM", example="/etc/sabot/floor.key")] = None
    ca: Annotated[
        str | None,
        describe("who signs the floor's certificates, PEM", example="/etc/sabot/floor-ca.crt"),
    ] = None
    token: Annotated[
        str | None,
        describe(
            "a file with what stands in a certificate's place, over https alone",
            example="/etc/sabot/floor.token",
        ),
    ] = None
    may: Annotated[
        tuple[str, ...],
        describe("words that a person may say from the floor; never cards, counts or corrections"),
    ] = floor.USUAL
    pseudonyms: Annotated[
        bool,
        describe(
            "players stand in every record and on every page under a made-up name of their own"
        ),
    ] = False


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    table: HouseRules
    money: Money
    site: Site = Site()
    journal: JournalPaths = JournalPaths()
    shoe: Device | None = None
    shuffler: Shuffler | None = None
    console: Console = Console()
    checks: Checks = Checks()
    logs: Logs = Logs()
    floor: Floor | None = None

    def places(self) -> dict[str, str | None]:
        """Every file path in the configuration, by its key."""
        return {
            "journal.path": self.journal.path,
            "journal.head": self.journal.head,
            "journal.key": self.journal.key,
            "journal.signing_key": self.journal.signing,
            "console.staff": self.console.staff,
            "console.tls_cert": self.console.tls_cert,
            "console.tls_key": self.console.tls_key,
            "checks.manifest": self.checks.manifest,
            "checks.maker_key": self.checks.maker_key,
            "checks.site_key": self.checks.site_key,
            "logs.file": self.logs.file,
            **self._places_of_floor(),
        }

    @property
    def pseudonyms(self) -> bool:
        return self.floor is not None and self.floor.pseudonyms

    def _places_of_floor(self) -> dict[str, str | None]:
        if self.floor is None:
            return {}
        names = ("floor_key", "certificate", "key", "ca", "token")
        return {f"floor.{name}": getattr(self.floor, name) for name in names}

    def rules(self) -> Rules:
        money = self.money
        return Rules(
            rulebook(self.table.rulebook),
            self.table,
            money.rounding,
            ladder_with(self.table.highest_role),
            currency=Currency(money.currency, money.minor_units),
            chip_unit=money.chip_unit,
        )


DEMO = Config(
    HouseRules("mbs-baccarat-8", burn="none", minimum=100, maximum=100_000_000),
    Money(chip_unit=100),
)
"""The configuration of a trial table, used where no file is given."""

INTRODUCTION = """A table. `sabot config check FILE` says whether it can start, and an unknown
key stops it. `sabot config explain KEY` says what the comments here say. What is commented out is
left out unless you set it; every other value is the default. Made by `sabot config example`."""


def example() -> str:
    """Return the text of `deploy/table.example.toml`."""
    return key_reference.example(Config, INTRODUCTION, left_out=("shuffler", "floor"))


def load(path: Path) -> Config:
    """Read and check a configuration; raises `ConfigError` with a sentence an installer can act on.
    Credentials from systemd replace the key files named in it."""
    return with_credentials(_read(path), os.environ.get("CREDENTIALS_DIRECTORY"))


def with_credentials(config: Config, folder: str | None) -> Config:
    """Replace key files by credentials of the same file names, which systemd unseals with the
    TPM."""
    if not folder or config.site.mode != "live":
        return config
    named = {"key": config.journal.key, "signing_key": config.journal.signing}
    given = {each: Path(folder) / Path(place).name for each, place in named.items()}
    found = {each: str(given[each]) if given[each].exists() else named[each] for each in named}
    return replace(config, journal=replace(config.journal, **found))


def _read(path: Path) -> Config:
    text = ""
    try:
        text = validation.text_of(path)
        config = msgspec.toml.decode(text, type=Config)
        validation.check_numbers(config)
        validation.check_limits(
            config.table.minimum, config.table.maximum, config.table.differential
        )
        validation.check_files(config.places(), path)
        book = rulebook(config.table.rulebook)
        book.decks.check(config.table.decks)
        check_chip_unit(book, config.money.chip_unit, config.money.rounding)
        rules = config.rules()
        rules.method(rules.default_method())
        rulebook_fit.check(book, config.table)
        _check_devices(config)
        _check_console(config.console)
        if config.floor is not None:
            floor.check(config.floor)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError, Refused, DeviceError) as error:
        # `DecodeError` and `GameError` are `ValueError`s.
        raise ConfigError(key_reference.located(Config, path, text, str(error))) from error
    return config


def load_floor(path: Path) -> Floor:
    """Read a file that contains only the keys of `[floor]`, for a demo; raises `ConfigError`."""
    try:
        found = msgspec.toml.decode(validation.text_of(path), type=Floor)
        floor.check(found)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}") from error
    return found


def complete(path: Path) -> Config:
    """Load the configuration of a new table. It raises `ConfigError` for shortcomings with which a
    table that has a journal only warns."""
    config = load(path)
    if lacks := rulebook_fit.shortcomings(config.rules()):
        raise ConfigError(f"{path}: {'; '.join(map(english, lacks))}")
    _check_excess(config, path)
    return config


def allowed(path: Path) -> Config:
    """Load the configuration of a table in a terminal. Keys such as the displayed limits may be
    missing; a value that the book forbids raises `ConfigError`."""
    config = load(path)
    _check_excess(config, path)
    text = path.read_text(encoding="utf-8")
    rounded = rulebook_fit.pro_rata_is_rounded(config.rules())
    if rounded is not None and "rounding" in msgspec.toml.decode(text)["money"]:
        raise ConfigError(
            key_reference.located(Config, path, text, f"{english(rounded)} - at `$.money.rounding`")
        )
    return config


def _check_excess(config: Config, path: Path) -> None:
    """Raises `ConfigError` where the book does not allow the configured handling of an excess
    card."""
    uses, chosen = rulebook(config.table.rulebook).excess, config.table.excess
    if chosen in uses.allowed:
        return
    may = ", ".join(each.value for each in uses.allowed)
    reply = f"clause {uses.clause} does not allow {chosen.value!r}, only: {may}"
    text = path.read_text(encoding="utf-8")
    raise ConfigError(key_reference.located(Config, path, text, f"{reply} - at `$.table.excess`"))


def _check_devices(config: Config) -> None:
    for section, device in (("shoe", config.shoe), ("shuffler", config.shuffler)):
        if device is None:
            continue
        found = registry.find(device.driver)
        if found.sheet.kind != section:
            raise ValueError(f"{device.driver} is a {found.sheet.kind} - at `$.{section}.driver`")
        registry.checked(found.sheet, device.settings)
        if (found.sheet.link == "none") != (not device.port):
            wants = "has no wire and takes no port" if device.port else "needs its port"
            raise ValueError(f"{device.driver} {wants} - at `$.{section}.port`")
        if section == "shoe":
            can = found.sheet.capabilities_with(device.settings)
            _check_method(config, can)
            _check_lock(config.table, found.sheet, can)
        line_for(found.sheet, device.settings)


def _check_method(config: Config, shoe_can: frozenset[Capability]) -> None:
    """Raises `ConfigError` where players draw from a device that cannot read cards."""
    rules = config.rules()
    method = rules.method(rules.default_method())
    if method.player_draws and Capability.READS_CARDS not in shoe_can:
        clause, driver = method.draws, config.shoe and config.shoe.driver
        raise ValueError(
            f"clause {clause}: under Method {method.id} a player draws from a device able to read "
            f"cards, and {driver} reads none - at `$.table.method`"
        )


def _check_lock(house: HouseRules, sheet: DataSheet, shoe_can: frozenset[Capability]) -> None:
    takes = {Lock, Unlock} <= set(sheet.commands) and Capability.TAKES_COMMANDS in shoe_can
    if house.lock_while_betting and not takes:
        raise ValueError(
            f"{sheet.name} takes no command to lock with these settings - at "
            "`$.table.lock_while_betting`"
        )


def _check_console(console: Console) -> None:
    if not 0 <= console.port <= 65535:
        raise ValueError("a TCP port is a number from 0 to 65535 - at `$.console.port`")
    if (console.tls_cert is None) != (console.tls_key is None):
        raise ValueError("tls_cert and tls_key go together - at `$.console`")
    if console.host not in ("127.0.0.1", "::1", "localhost") and console.tls_cert is None:
        raise ValueError("an address that others reach needs TLS - at `$.console.host`")
