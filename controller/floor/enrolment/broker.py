"""The configuration of nats-server: TLS for all clients, and permissions for each identity.

A table publishes under its own name, subscribes to its own orders and replies, and answers
requests; it has no right to JetStream. The floor subscribes to all tables of its site. TLS rejects
a certificate that has expired or that the authority did not sign; the broker rejects an identity
that is not in the file.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import msgspec

from controller.protocol.names import TableName


class BrokerFiles(msgspec.Struct, frozen=True):
    """The broker's files and its address."""

    ca: Path
    certificate: Path
    key: Path
    pid: Path
    listen: str = "0.0.0.0:4222"
    views: Path | None = None
    """For JetStream, which keeps the latest view of each table in memory; None: no JetStream."""


class Client(msgspec.Struct, frozen=True):
    """One identity and its table; without a table it is the floor of the site."""

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
    """Certificates and permissions, as lines for a site's own configuration. TLS 1.2 is
    nats-server's default minimum, and Debian's version has no option for it."""
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
    """How often, and how late, a request may be answered."""

    max: int
    expires: str


class UserRights(msgspec.Struct, frozen=True):
    publish: SubjectRights
    subscribe: SubjectRights
    allow_responses: ReplyRights | msgspec.UnsetType = msgspec.UNSET


class BrokerUser(msgspec.Struct, frozen=True):
    """One identity in the form of nats-server."""

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
