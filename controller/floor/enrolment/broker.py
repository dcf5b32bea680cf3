"""What nats-server is told: TLS for everybody, and for each identity its own subjects.

A table publishes under its own name, hears orders for itself and replies to itself, and answers
what it was asked; it has no right to JetStream. The floor hears all tables of its site. A
certificate that the authority did not sign, or that has run out, does not get through TLS; one
whose identity is not in the file is nobody.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import msgspec

from controller.protocol.names import TableName


class BrokerFiles(msgspec.Struct, frozen=True):
    """Where the broker finds what it needs, and where it listens."""

    ca: Path
    certificate: Path
    key: Path
    pid: Path
    listen: str = "0.0.0.0:4222"
    views: Path | None = None
    """For JetStream, which keeps the latest view of each table in memory; None: no JetStream."""


class Client(msgspec.Struct, frozen=True):
    """One identity and whom it speaks for; no table: the floor of the site."""

    identity: str
    site: str
    table: str | None = None


def configuration(files: BrokerFiles, clients: Iterable[Client]) -> str:
    """The whole file. Strings are quoted as JSON, which nats-server reads."""
    lines = [
        "# Written by `sabot floor enrol` and `revoke`: they write it anew.",
        f"listen: {json.dumps(files.listen)}",
        f"pid_file: {json.dumps(str(files.pid))}",
        "max_payload: 8MB",
        *security(files, clients),
    ]
    if files.views is not None:
        lines.append(
            f"jetstream {{ store_dir: {json.dumps(str(files.views))}, max_mem: 64MB, max_file: 0 }}"
        )
    return "\n".join(lines) + "\n"


def security(files: BrokerFiles, clients: Iterable[Client]) -> list[str]:
    """Certificates and permissions, as lines for a configuration of somebody's own. TLS 1.2 is the
    least by itself, and Debian's nats-server has no word for it."""
    return [
        "tls {",
        f"  cert_file: {json.dumps(str(files.certificate))}",
        f"  key_file: {json.dumps(str(files.key))}",
        f"  ca_file: {json.dumps(str(files.ca))}",
        "  verify_and_map: true",
        "  timeout: 5",
        "}",
        "authorization {",
        "  users: [",
        *(f"    {_user(client)}" for client in clients),
        "  ]",
        "}",
    ]


class SubjectRights(msgspec.Struct, frozen=True):
    allow: list[str]


class ReplyRights(msgspec.Struct, frozen=True):
    """How often, and how long after, a request is answered."""

    max: int
    expires: str


class UserRights(msgspec.Struct, frozen=True):
    publish: SubjectRights
    subscribe: SubjectRights
    allow_responses: ReplyRights | msgspec.UnsetType = msgspec.UNSET


class BrokerUser(msgspec.Struct, frozen=True):
    """One identity, as nats-server has it."""

    user: str
    permissions: UserRights


def _user(client: Client) -> str:
    rights = _of_floor(client.site) if client.table is None else _of_table(client)
    return msgspec.json.encode(BrokerUser(client.identity, rights)).decode()


def _of_floor(site: str) -> UserRights:
    inboxes = [f"_INBOX.{site}.>", "_INBOX.floor.>"]
    publish = [
        f"cmd.{site}.*.order",
        f"floor.{site}.>",
        "$JS.API.>",
        "$JS.ACK.>",
        "$JS.FC.>",
        *inboxes,
    ]
    subscribe = [f"tbl.{site}.>", f"floor.{site}.>", "_INBOX.>"]
    return UserRights(SubjectRights(publish), SubjectRights(subscribe))


def _of_table(client: Client) -> UserRights:
    assert client.table is not None
    name = TableName(client.site, client.table)
    return UserRights(
        SubjectRights([name.records, name.live, name.beat, name.documents]),
        SubjectRights([name.orders, f"{name.inbox}.>"]),
        ReplyRights(1, "2m"),
    )
