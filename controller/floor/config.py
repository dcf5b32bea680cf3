"""One TOML file for a floor, typed. An unknown key stops the start."""

import ipaddress
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from controller.config import key_reference, validation
from controller.config.file import ConfigError
from controller.floor.shifts import BadShifts, Shifts
from controller.messages.key_description import describe
from controller.protocol.names import BadName, checked


class SiteSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[
        str,
        describe("the site in subjects, certificates and rows: a-z, 0-9 and -", example="marina"),
    ]
    title: Annotated[str, describe("the floor as people call it, on every page")] = "The floor"
    mode: Annotated[
        Literal["live", "demo"], describe("demo shows its PINs: for trying things out")
    ] = "live"
    zone: Annotated[str, describe("the clock that shifts go by, as the tz database names it")] = (
        "UTC"
    )
    shifts: Annotated[list[str], describe("when each shift begins, by that clock, on the hour")] = (
        msgspec.field(default_factory=lambda: ["06:00", "14:00", "22:00"])
    )


class DatabaseRoles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How each role reaches PostgreSQL, as libpq writes it."""

    sink: Annotated[str, describe("inserts records and moves heads; no other may")] = (
        "host=/run/postgresql dbname=sabot_floor user=floor_sink"
    )
    derive: Annotated[str, describe("writes what is derived from records")] = (
        "host=/run/postgresql dbname=sabot_floor user=floor_derive"
    )
    web: Annotated[str, describe("reads for the pages, writes orders and acknowledgements")] = (
        "host=/run/postgresql dbname=sabot_floor user=floor_web"
    )
    proof: Annotated[
        str, describe("makes the hourly roots, reads archive files and says that they are good")
    ] = "host=/run/postgresql dbname=sabot_floor user=floor_proof"
    retention: Annotated[str, describe("puts old months into files, and lets proven ones go")] = (
        "host=/run/postgresql dbname=sabot_floor user=floor_retention"
    )
    hooks: Annotated[str, describe("tells subscribers what the records say")] = (
        "host=/run/postgresql dbname=sabot_floor user=floor_hooks"
    )
    owner: Annotated[
        str, describe("makes and changes tables: `sabot floor migrate`, months ahead, resets")
    ] = "host=/run/postgresql dbname=sabot_floor user=floor_owner"


class NatsSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    servers: Annotated[
        list[str], describe("the site's brokers; none: tables send by HTTPS alone")
    ] = msgspec.field(default_factory=lambda: ["tls://127.0.0.1:4222"])
    ca: Annotated[
        str | None,
        describe("who signed the brokers' certificates", example="/etc/sabot-floor/ca.crt"),
    ] = None
    cert: Annotated[
        str | None, describe("the floor's own certificate", example="/etc/sabot-floor/floor.crt")
    ] = None
    key: Annotated[str | None, describe("its key; 0600", example="/etc/sabot-floor/floor.key")] = (
        None
    )


class Keys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    signing: Annotated[
        str,
        describe(
            "signs every answer and order; made at the first start, 0600, its public half beside"
        ),
    ] = "/var/lib/sabot-floor/floor.signing"


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    enrol: Annotated[
        Literal["by_name", "themselves"],
        describe("by_name: only what `sabot floor enrol` made; themselves: for trying things out"),
    ] = "by_name"
    folder: Annotated[
        str,
        describe("the site's authority and the broker's file: `sabot floor init` makes it, 0700"),
    ] = "/var/lib/sabot-floor/site"
    clock_s: Annotated[
        float, describe("a table's clock that is further off is an exception", unit="s")
    ] = 5.0


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    archive: Annotated[
        str, describe("where months go that are older than months_kept; best on locked storage")
    ] = "/var/lib/sabot-floor/archive"
    months_kept: Annotated[
        int, describe("so many whole months stay in the database", unit="months")
    ] = 13
    stamp: Annotated[
        list[str],
        describe(
            "a program that gets the 32 bytes of an hour and answers with a time stamp; none: []"
        ),
    ] = msgspec.field(default_factory=list)


class Webhooks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    allow: Annotated[
        list[str],
        describe("networks of the house that may be sent to; the public network always may"),
    ] = msgspec.field(default_factory=list)
    ca: Annotated[
        str | None,
        describe(
            "who else signs subscribers' certificates", example="/etc/sabot-floor/house-ca.crt"
        ),
    ] = None


class LobbySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dealers: Annotated[bool, describe("guests see by name who deals")] = True


class Web(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    host: Annotated[str, describe("any other address than loopback needs tls_cert and tls_key")] = (
        "127.0.0.1"
    )
    port: Annotated[int, describe("where the pages and /floor/records are", unit="TCP port")] = 8480
    tls_cert: Annotated[
        str | None, describe("certificate chain, PEM", example="/etc/sabot-floor/web.crt")
    ] = None
    tls_key: Annotated[str | None, describe("its key, PEM", example="/etc/sabot-floor/web.key")] = (
        None
    )
    names: Annotated[list[str], describe("names a browser may use for it, beside loopback's")] = (
        msgspec.field(default_factory=list)
    )
    staff: Annotated[str, describe("the floor's accounts, made with `sabot staff add --file`")] = (
        "/var/lib/sabot-floor/staff.json"
    )


class FloorLogs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    level: Annotated[Literal["debug", "info", "warning"], describe("what is written to stderr")] = (
        "info"
    )


class FloorConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    site: SiteSettings
    database: DatabaseRoles = DatabaseRoles()
    nats: NatsSettings = NatsSettings()
    keys: Keys = Keys()
    tables: Tables = Tables()
    proof: Proof = Proof()
    webhooks: Webhooks = Webhooks()
    web: Web = Web()
    lobby: LobbySettings = LobbySettings()
    logs: FloorLogs = FloorLogs()


INTRODUCTION: Final = """A floor. `sabot floor config check FILE` says whether it can start, and an
unknown key stops it. What is commented out is left out unless you set it; every other value is the
default. Made by `sabot floor config example`."""

CONFIG_FILE: Final = Path("/etc/sabot-floor/floor.toml")


def example() -> str:
    """The file `deploy/floor/floor.example.toml`."""
    return key_reference.example(FloorConfig, INTRODUCTION, left_out=())


def load(path: Path) -> FloorConfig:
    """Read and check; raises `ConfigError` with a sentence an installer can act on."""
    text = ""
    try:
        text = validation.text_of(path)
        config = msgspec.toml.decode(text, type=FloorConfig)
        _check(config)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(key_reference.located(FloorConfig, path, text, str(error))) from error
    return config


def _check(config: FloorConfig) -> None:
    try:
        checked(config.site.name, "a")
    except BadName as bad:
        raise ValueError(f"{bad} - at `$.site.name`") from bad
    if (config.web.tls_cert is None) != (config.web.tls_key is None):
        raise ValueError("TLS takes both, tls_cert and tls_key - at `$.web.tls_cert`")
    if (config.nats.cert is None) != (config.nats.key is None):
        raise ValueError("a certificate takes its key - at `$.nats.cert`")
    if not 0 < config.tables.clock_s < float("inf"):
        raise ValueError("it must be more than nothing - at `$.tables.clock_s`")
    if not 1 <= config.proof.months_kept <= 1200:
        raise ValueError("it must be one month at least - at `$.proof.months_kept`")
    try:
        Shifts.of(config.site.zone, config.site.shifts)
    except BadShifts as bad:
        raise ValueError(f"{bad} - at `$.site.{bad.key}`") from bad
    _check_networks(config.webhooks.allow)
    if not 0 <= config.web.port < 65536:
        raise ValueError("it is no TCP port - at `$.web.port`")


def _check_networks(networks: list[str]) -> None:
    for each in networks:
        try:
            ipaddress.ip_network(each)
        except ValueError as bad:
            raise ValueError(f"{bad} - at `$.webhooks.allow`") from bad
