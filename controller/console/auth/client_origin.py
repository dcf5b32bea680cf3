"""Where somebody sits: at the table, or at one other address.

The table is loopback and every enrolled kiosk together. All else is known by its address alone.
"""

import ipaddress
from typing import Final

from starlette.requests import HTTPConnection

TABLE: Final = "table"
_UNKNOWN: Final = "unknown"
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""What a proxy adds: behind one, everybody would come from loopback."""
_ONE_HOME: Final = 64
"""Bits of an IPv6 address that say whose it is; a machine has as many of the others as it likes."""


def address_of(connection: HTTPConnection) -> str:
    """As a place; `TABLE` for this machine itself."""
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
