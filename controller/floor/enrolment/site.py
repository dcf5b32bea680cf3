"""A site's folder: its authority, its register of identities, and the broker's file made from them.

    ca.key ca.crt            the authority; its key can impersonate any table
    broker.key broker.crt    the broker's own
    floor.key floor.crt      the floor's, as a client of the broker
    enrolled.json            every identity ever issued, and which are valid
    nats.conf                for nats-server, rewritten with every change

Keys and the register are for their owner alone. A table's key is made here, goes to the table in a
folder of its own, and is not stored.
"""

import hashlib
import os
import secrets
import signal
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from controller.console.auth.private_file import PrivateFile, write_private
from controller.floor.enrolment import authority, broker
from controller.floor.enrolment.authority import EnrolError, Issued, KeyPair, Whose
from controller.floor.enrolment.broker import BrokerFiles, Client
from controller.journal.keys.signing import text_of
from controller.protocol.names import checked

DAYS: Final = 730
_TOKEN_BYTES: Final = 32


class Enrolled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One certificate of a table."""

    table: str
    identity: str
    fingerprint: str
    made: float
    until: float
    bearer: str
    """The SHA-256 of its token for HTTPS, hexadecimal."""
    revoked: float | None = None

    @property
    def bearer_digest(self) -> bytes:
        return bytes.fromhex(self.bearer)


class Register(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All identities of a site."""

    site: str = ""
    listen: str = ""
    floor: str = ""
    """The floor's own identity."""
    tables: tuple[Enrolled, ...] = ()

    def good(self, now: float) -> list[Enrolled]:
        """Valid certificates, neither revoked nor expired, by table."""
        found = [each for each in self.tables if each.revoked is None and each.until > now]
        return sorted(found, key=lambda each: each.table)


class Given(msgspec.Struct, frozen=True):
    """The files for a table, by name; only the certificates are also stored here."""

    enrolled: Enrolled
    files: dict[str, bytes]


class SiteFolder:
    """The folder of a site's authority and register."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._register = PrivateFile(folder / "enrolled.json", Register, "enrolled tables")

    @property
    def register(self) -> Register:
        return self._register.current()

    @property
    def broker(self) -> BrokerFiles:
        at = self.folder
        return BrokerFiles(
            at / "ca.crt",
            at / "broker.crt",
            at / "broker.key",
            at / "nats.pid",
            self.register.listen,
            at / "views",
        )

    @property
    def broker_file(self) -> Path:
        return self.folder / "nats.conf"

    def init(self, site: str, hosts: Sequence[str], listen: str, now: float) -> Register:
        """Makes a site's authority; refuses if there is one."""
        checked(site, "a")
        if not hosts:
            raise EnrolError("say by which names or addresses tables call the broker")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if (self.folder / "ca.key").exists() or self.register.site:
            raise EnrolError(
                f"{self.folder} has an authority already: every table's certificate is signed by "
                "it; move the folder away to begin anew, and enrol every table again"
            )
        ca = authority.authority(site, now)
        floor = authority.for_client(
            ca, Whose.FLOOR, site, "", now, authority.AUTHORITY_YEARS * 365
        )
        server = authority.for_server(ca, hosts, now, authority.AUTHORITY_YEARS * 365)
        self._keep("broker", server)
        self._keep("floor", floor.pair)
        made = Register(site, listen, floor.identity)
        self._register.change(lambda _: made)
        self._keep("ca", ca)  # last: a folder with this key is complete
        self.write_broker_file(now)
        return made

    def enrol(
        self, table: str, signing: bytes, now: float, days: int = DAYS, *, again: bool = False
    ) -> Given:
        """Issues a certificate and a token for a table. A table that has them gets new ones only
        with `again`, which revokes the old ones."""
        register = self._initialised()
        checked(register.site, table)
        if not again and any(each.table == table for each in register.good(now)):
            raise EnrolError(
                f"{table} is enrolled: `--again` gives it another certificate, and the first is "
                "good no longer"
            )
        issued = authority.for_client(self._ca(), Whose.TABLE, register.site, table, now, days)
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        bearer = hashlib.sha256(token.encode()).hexdigest()
        enrolled = Enrolled(table, issued.identity, issued.fingerprint, now, issued.until, bearer)
        self._register.change(lambda then: _added(_without(then, table, now), enrolled))
        self.write_broker_file(now)
        return Given(enrolled, self._bundle(issued, token, signing))

    def revoke(self, table: str, now: float) -> list[Enrolled]:
        """Revokes all certificates of a table; returns those that were valid."""
        self._initialised()
        were = [each for each in self.register.tables if each.table == table and not each.revoked]
        if not were:
            raise EnrolError(f"{table} is not enrolled: `sabot floor tables` lists who is")
        self._register.change(lambda then: _without(then, table, now))
        self.write_broker_file(now)
        return were

    def write_broker_file(self, now: float) -> None:
        register = self.register
        clients = [Client(register.floor, register.site)]
        clients += [Client(each.identity, register.site, each.table) for each in register.good(now)]
        text = broker.configuration(self.broker, clients)
        write_private(self.broker_file, text.encode())

    def _initialised(self) -> Register:
        register = self.register
        if not register.site or not (self.folder / "ca.key").exists():
            raise EnrolError(f"{self.folder} has no authority yet: `sabot floor init` makes one")
        return register

    def _ca(self) -> KeyPair:
        return KeyPair((self.folder / "ca.crt").read_bytes(), _private(self.folder / "ca.key"))

    def _keep(self, name: str, pair: KeyPair) -> None:
        write_private(self.folder / f"{name}.crt", pair.certificate)
        write_private(self.folder / f"{name}.key", pair.key)

    def _bundle(self, issued: Issued, token: str, signing: bytes) -> dict[str, bytes]:
        """The files under the names in the table's configuration section."""
        return {
            "floor-ca.crt": (self.folder / "ca.crt").read_bytes(),
            "floor.crt": issued.pair.certificate,
            "floor.key": issued.pair.key,
            "floor.pub": text_of(signing).encode() + b"\n",
            "floor.token": token.encode() + b"\n",
        }


def section(site: str, table: str, broker: str | None, web: str | None) -> str:
    """The lines for the table's configuration; by the broker where there is one."""
    lines = [
        "[floor]",
        f'site = "{site}"',
        f'table = "{table}"',
        'floor_key = "/etc/sabot/floor.pub"',
    ]
    if broker is not None:
        lines += [
            f'url = "{broker}"',
            'ca = "/etc/sabot/floor-ca.crt"',
            'certificate = "/etc/sabot/floor.crt"',
            'key = "/etc/sabot/floor.key"',
        ]
    else:
        lines += [f'url = "{web or "https://floor.example"}"', 'token = "/etc/sabot/floor.token"']
    return "\n".join(lines) + "\n"


def write_bundle(out: Path, given: Given) -> None:
    """Writes the files into a new folder that only its owner can read."""
    try:
        out.mkdir(mode=0o700, parents=True)
    except OSError as error:
        raise EnrolError(f"{out} cannot be made: {error.strerror}") from error
    for name, data in given.files.items():
        write_private(out / name, data)


def reload(pid_file: Path, kill: Callable[[int, int], None] = os.kill) -> bool:
    """Makes the broker read its file again; False if none runs. A process id that now belongs to
    another program gets no signal."""
    try:
        pid = int(pid_file.read_text("ascii"))
        name = Path(f"/proc/{pid}/comm").read_text("utf-8").strip()
    except (OSError, ValueError):
        return False
    if name != "nats-server":
        return False
    with suppress(ProcessLookupError):
        kill(pid, signal.SIGHUP)
        return True
    return False


def _without(register: Register, table: str, now: float) -> Register:
    tables = tuple(
        msgspec.structs.replace(each, revoked=now)
        if each.table == table and each.revoked is None
        else each
        for each in register.tables
    )
    return msgspec.structs.replace(register, tables=tables)


def _added(register: Register, enrolled: Enrolled) -> Register:
    return msgspec.structs.replace(register, tables=(*register.tables, enrolled))


def _private(path: Path) -> bytes:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise EnrolError(
            f"{path} is open to others (mode {mode:04o}): whoever read it can be any table; "
            f"`chmod 600 {path}`, and begin anew if somebody may have"
        )
    return path.read_bytes()
