"""The floor section of a table's file, and its validity checks."""

from typing import Final, Protocol
from urllib.parse import urlsplit

from controller.protocol.names import BadName, checked

USUAL: Final = ("limits", "close_table", "stay_open", "method", "approve", "refuse")
"""Commands that a floor may send by default. A command and its reversal are both in the list, so
that a mistake can be corrected from the floor."""
COULD: Final = frozenset({*USUAL, "open_table", "suspend"})
"""Every command that a file may allow a floor. All others need a person at the table who sees the
cards, counts, corrections, exposures and holds."""

_OPEN: Final = ("nats", "http")
_SAFE: Final = ("tls", "https")
_HERE: Final = ("127.0.0.1", "::1", "localhost")


class FloorSection(Protocol):
    """The fields of section `[floor]` that are checked."""

    @property
    def url(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def table(self) -> str: ...
    @property
    def certificate(self) -> str | None: ...
    @property
    def key(self) -> str | None: ...
    @property
    def token(self) -> str | None: ...
    @property
    def may(self) -> tuple[str, ...]: ...


def check(floor: FloorSection) -> None:
    """Raises `ValueError` with the name of the wrong key."""
    _check_name(floor)
    _check_address(floor)
    _check_identity(floor)
    for word in floor.may:
        if word not in COULD:
            raise ValueError(
                f"{word!r} never comes from the floor, only: {', '.join(sorted(COULD))} "
                "- at `$.floor.may`"
            )


def _check_name(floor: FloorSection) -> None:
    for key, site, table in (("site", floor.site, "t"), ("table", "s", floor.table)):
        try:
            checked(site, table)
        except BadName as error:
            raise ValueError(f"{error} - at `$.floor.{key}`") from None


def _check_address(floor: FloorSection) -> None:
    place = urlsplit(floor.url)
    if place.scheme not in (*_OPEN, *_SAFE) or not place.hostname:
        raise ValueError("it is tls://host:port or https://host - at `$.floor.url`")
    if place.scheme in _OPEN and place.hostname not in _HERE:
        raise ValueError("an address that others reach needs TLS - at `$.floor.url`")


def _check_identity(floor: FloorSection) -> None:
    if (floor.certificate is None) != (floor.key is None):
        raise ValueError("certificate and key go together - at `$.floor`")
    scheme = urlsplit(floor.url).scheme
    if floor.token is not None and scheme not in ("http", "https"):
        raise ValueError("a broker takes certificates and no token - at `$.floor.token`")
    if scheme in _SAFE and floor.certificate is None and floor.token is None:
        raise ValueError(
            "the floor must know who speaks: name certificate and key - at `$.floor.certificate`"
        )
