"""Where somebody sits, by address and headers alone."""

from starlette.requests import HTTPConnection

from controller.console.auth.client_origin import TABLE, address_of
from support.rows import each_row


def connection(host: str | None, **headers: str) -> HTTPConnection:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    client = None if host is None else (host, 1)
    return HTTPConnection({"type": "http", "headers": raw, "client": client})


@each_row("host", ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_the_table(host: str) -> None:
    assert address_of(connection(host)) == TABLE


@each_row(
    "host, place",
    [
        ("10.0.0.5", "10.0.0.5"),
        ("::ffff:10.0.0.5", "10.0.0.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("table", "unknown"),
        ("", "unknown"),
        (None, "unknown"),
    ],
)
def test_every_other_address_is_a_place_of_its_own(host: str | None, place: str) -> None:
    assert address_of(connection(host)) == place


@each_row("header", ["x_forwarded_for", "forwarded", "x_real_ip", "via"])
def test_nobody_is_at_the_table_through_a_proxy(header: str) -> None:
    """Through one everybody would come from loopback; and nobody gets there by writing so."""
    assert address_of(connection("127.0.0.1", **{header: "10.0.0.5"})) != TABLE
    assert address_of(connection("10.0.0.5", **{header: "127.0.0.1"})) != TABLE
