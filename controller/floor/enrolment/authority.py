"""The site's certificate authority: one key, certificates for the broker, the floor and tables.

A certificate's identity is a DNS name that is never used twice, `SERIAL.TABLE.SITE.table.sabot`: a
broker checks identities, not certificates, so enrolling a table again must not make a revoked
certificate valid again.
"""

import ipaddress
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

AUTHORITY_YEARS: Final = 20
_EARLIER: Final = timedelta(minutes=5)
"""A table's clock may be a little behind the floor's."""


class Whose(StrEnum):
    TABLE = "table"
    FLOOR = "floor"


class KeyPair(msgspec.Struct, frozen=True):
    """A certificate with its key, both PEM."""

    certificate: bytes
    key: bytes


class Issued(msgspec.Struct, frozen=True):
    """A certificate for a client of the broker."""

    pair: KeyPair
    identity: str
    fingerprint: str
    until: float


class EnrolError(Exception):
    """Why an enrolment or a revocation failed, and what to do."""


def authority(site: str, now: float) -> KeyPair:
    """Makes the authority of a site."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _named(f"Sabot floor of {site}")
    builder = _begun(name, name, key.public_key(), now, AUTHORITY_YEARS * 365)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_usage(signs=True), critical=True)
    found = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    builder = builder.add_extension(found, critical=False)
    return _pair(builder.sign(key, hashes.SHA256()), key)


def for_server(issuer: KeyPair, hosts: Sequence[str], now: float, days: int) -> KeyPair:
    """Issues the broker's certificate for the names and addresses that clients use."""
    names = [_host(host) for host in hosts]
    return _signed(issuer, hosts[0], names, ExtendedKeyUsageOID.SERVER_AUTH, now, days)


def for_client(
    issuer: KeyPair, owner: Whose, site: str, table: str, now: float, days: int
) -> Issued:
    """Issues a certificate for the floor or for one table, with a new identity."""
    serial = f"{x509.random_serial_number():x}"[:24]
    middle = f"{table}.{site}" if owner is Whose.TABLE else site
    identity = f"{serial}.{middle}.{owner.value}.sabot"
    names = [x509.DNSName(identity)]
    title = f"{site}/{table}" if owner is Whose.TABLE else f"{site} floor"
    pair = _signed(issuer, title, names, ExtendedKeyUsageOID.CLIENT_AUTH, now, days)
    certificate = x509.load_pem_x509_certificate(pair.certificate)
    fingerprint = certificate.fingerprint(hashes.SHA256()).hex()
    return Issued(pair, identity, fingerprint, certificate.not_valid_after_utc.timestamp())


def _signed(
    issuer: KeyPair,
    title: str,
    names: Sequence[x509.GeneralName],
    use: x509.ObjectIdentifier,
    now: float,
    days: int,
) -> KeyPair:
    signing = x509.load_pem_x509_certificate(issuer.certificate)
    signing_key = serialization.load_pem_private_key(issuer.key, None)
    assert isinstance(signing_key, ec.EllipticCurvePrivateKey)
    key = ec.generate_private_key(ec.SECP256R1())
    builder = _begun(_named(title), signing.subject, key.public_key(), now, days)
    found = x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key())
    for extension, critical in (
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (_usage(signs=False), True),
        (x509.ExtendedKeyUsage([use]), False),
        (x509.SubjectAlternativeName(names), False),
        (found, False),
    ):
        builder = builder.add_extension(extension, critical=critical)
    return _pair(builder.sign(signing_key, hashes.SHA256()), key)


def _begun(
    name: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: float, days: int
) -> x509.CertificateBuilder:
    begin = datetime.fromtimestamp(now, UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin - _EARLIER)
        .not_valid_after(begin + timedelta(days=days))
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _named(title: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title[:64])])


def _host(host: str) -> x509.GeneralName:
    with suppress(ValueError):
        return x509.IPAddress(ipaddress.ip_address(host))
    try:
        return x509.DNSName(host)
    except ValueError as error:
        raise EnrolError(f"{host!r} is neither a name nor an address of a broker") from error


def _pair(certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> KeyPair:
    return KeyPair(
        certificate.public_bytes(serialization.Encoding.PEM),
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
    )
