"""The origin of a request: the table, or one other address.

Loopback and all enrolled kiosks together count as the table. All other origins are addresses.
"""

import ipaddress
from typing import Final

from starlette.requests import HTTPConnection

TABLE: Final = "table"
_UNKNOWN: Final = "unknown"
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers that a proxy adds: behind a proxy every request would come from loopback."""
_ONE_HOME: Final = 64
"""Bits of an IPv6 address that identify a network; one machine can choose all the other bits."""


def address_of(connection: HTTPConnection) -> str:
    """The address of a connection; `TABLE` for this machine."""
    if any(name in connection.headers for name in _FORWARDED):
        return _UNKNOWN
    return place_of_address(connection.client.host if connection.client else "")


def place_of_address(host: str) -> str:
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return _UNKNOWN
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            home = ipaddress.ip_network((found, _ONE_HOME), strict=False)
            return TABLE if found.is_loopback else str(home)
        found = found.ipv4_mapped
    return TABLE if found.is_loopback else str(found)
