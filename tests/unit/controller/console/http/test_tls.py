"""The pit's phones: a console that others reach, under a real chain of certificates, and what a
phone does about every chain that is not right."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.config.file import ConfigError, load
from controller.console.http import connections
from controller.console.http.server import ConsoleError, ConsoleServer, ListenAddress, bound
from support.console.certificates import Authority, site
from support.console.consoles import Console
from support.console.plain_screens import LIMIT_S, Screen, first_message_over_tls
from support.limits import MAX_WAIT_S
from support.rows import each_row

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"


@contextmanager
def for_the_pit(folder: Path, chain: tuple[Path, Path]) -> Iterator[str]:
    """A console that the whole network reaches; gives its address."""
    console, address = Console(folder), ListenAddress(EVERYWHERE, 0, *chain)
    console.context.secure = True
    server = ConsoleServer(console.context, address, bound(address))
    server.start()
    try:
        yield server.url.replace(EVERYWHERE, HERE)
    finally:
        server.stop()
        console.table.close()


def test_phone_that_trusts_the_root_alone_signs_in_and_reads_the_feed(tmp_path: Path) -> None:
    root, tables = site()
    with for_the_pit(tmp_path, tables.issue(tmp_path, HERE)) as url:
        phone = Screen(url, root.trusted())
        phone.sign_in("anna", "1111")
        assert phone.ask("/api/me")["who"] == "anna"
        cookie = phone.headers.get("set-cookie") or phone.cookie
        assert cookie.startswith("__Host-sabot=")
        first = first_message_over_tls(url, root.trusted(), phone.cookie)
        assert first["type"] == "snapshot"


def refused_by(phone: ssl.SSLContext, url: str, name: str = HERE) -> str:
    """Why a phone does not go on with what the console shows it."""
    port = int(url.rpartition(":")[2])
    with socket.create_connection((HERE, port), LIMIT_S) as line:
        try:
            phone.wrap_socket(line, server_hostname=name).close()
        except ssl.SSLCertVerificationError as error:
            return error.verify_message
    return ""


def test_phone_refuses_every_chain_that_is_not_right(tmp_path: Path) -> None:
    root, tables = site()
    of_others = Authority("Casino root")
    with for_the_pit(tmp_path, tables.issue(tmp_path, HERE)) as url:
        assert refused_by(root.trusted(), url) == ""
        assert "unable to get local issuer" in refused_by(of_others.trusted(), url)
        assert "not valid for 'pit.example'" in refused_by(root.trusted(), url, "pit.example")
    wrong = {
        "unable to get local issuer": {"with_chain": False},
        "expired": {"days": -1},
    }
    for place, (said, how) in enumerate(wrong.items()):
        folder = tmp_path / str(place)
        folder.mkdir()
        with for_the_pit(folder, tables.issue(folder, HERE, **how)) as url:  # type: ignore[arg-type]
            assert said in refused_by(root.trusted(), url), said


def test_what_is_not_tls_gets_no_page(tmp_path: Path) -> None:
    _, tables = site()
    with for_the_pit(tmp_path, tables.issue(tmp_path, HERE)) as url:
        port = int(url.rpartition(":")[2])
        with socket.create_connection((HERE, port), LIMIT_S) as line:
            line.sendall(b"GET /api/public HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            line.settimeout(LIMIT_S)
            assert b"HTTP" not in line.recv(4096)


def test_a_handshake_that_does_not_end_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEADER_S", 0.05)
    monkeypatch.setattr("asyncio.constants.SSL_HANDSHAKE_TIMEOUT", 10 * MAX_WAIT_S)
    _, tables = site()
    with for_the_pit(tmp_path, tables.issue(tmp_path, HERE)) as url:
        port = int(url.rpartition(":")[2])
        with socket.create_connection((HERE, port), MAX_WAIT_S) as line:
            assert line.recv(1) == b""


def test_an_old_tls_is_not_spoken(tmp_path: Path) -> None:
    root, tables = site()
    phone = root.trusted()
    phone.minimum_version = ssl.TLSVersion.TLSv1_2
    with for_the_pit(tmp_path, tables.issue(tmp_path, HERE)) as url:
        port = int(url.rpartition(":")[2])
        with socket.create_connection((HERE, port), LIMIT_S) as line:
            # A client hello of TLS 1.0 that knows one old suite and no extension.
            hello = b"\x03\x01" + bytes(32) + b"\x00\x00\x02\x00\x2f\x01\x00"
            message = b"\x01" + len(hello).to_bytes(3) + hello
            line.sendall(b"\x16\x03\x01" + len(message).to_bytes(2) + message)
            line.settimeout(LIMIT_S)
            answer = line.recv(4096)
        assert answer[:1] != b"\x16", "an alert or a closed door, and no hello"
        assert refused_by(phone, url) == ""


@each_row(
    "host",
    [EVERYWHERE, "::", "192.168.7.5", "127.0.0.1.evil.example", "localhost.evil", "", " ", "pit"],
)
def test_plain_http_off_loopback_is_refused_by_file_and_program(host: str, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    book = '[table]\nrulebook = "mbs-baccarat-8"\n[money]\nchip_unit = 100\n'
    file.write_text(f'{book}[console]\nhost = "{host}"\n')
    with pytest.raises(ConfigError, match=r"console\.host: an address that others reach needs TLS"):
        load(file)
    with pytest.raises(ConsoleError, match="needs TLS"):
        bound(ListenAddress(host, 0))
