"""A site's own certificates: a root that its phones trust, an intermediate, and the console's."""

import datetime
import ipaddress
import ssl
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAY = datetime.timedelta(days=1)


@dataclass
class Authority:
    """Somebody whose name stands under a certificate; a root's stands under its own."""

    name: str
    above: "Authority | None" = None
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def __post_init__(self) -> None:
        signer = self.above or self
        limits = x509.BasicConstraints(ca=True, path_length=None if self.above is None else 0)
        signs = x509.KeyUsage(
            digital_signature=False, content_commitment=False, key_encipherment=False,
            data_encipherment=False, key_agreement=False, key_cert_sign=True, crl_sign=True,
            encipher_only=False, decipher_only=False,
        )  # fmt: skip
        built = _built(self.name, self.key.public_key(), signer)
        built = built.add_extension(limits, critical=True).add_extension(signs, critical=True)
        self.certificate = built.sign(signer.key, hashes.SHA256())

    def issue(
        self, folder: Path, *names: str, days: int = 1, with_chain: bool = True
    ) -> tuple[Path, Path]:
        """A console's chain and key, as files."""
        key = ec.generate_private_key(ec.SECP256R1())
        found = [
            x509.IPAddress(ipaddress.ip_address(each)) if each[0].isdigit() else x509.DNSName(each)
            for each in names
        ]
        built = (
            _built(names[0], key.public_key(), self, days)
            .add_extension(x509.SubjectAlternativeName(found), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        )
        chain = [built.sign(self.key, hashes.SHA256())]
        if with_chain and self.above is not None:
            chain.append(self.certificate)
        cert_file, key_file = folder / "console.crt", folder / "console.key"
        cert_file.write_bytes(b"".join(each.public_bytes(Encoding.PEM) for each in chain))
        key_file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return cert_file, key_file

    def trusted(self) -> ssl.SSLContext:
        """A phone on which this root, and nobody else, was installed."""
        phone = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        phone.load_verify_locations(cadata=self.certificate.public_bytes(Encoding.PEM).decode())
        # As current browsers check: keys and uses must be named, and properly.
        phone.verify_flags |= ssl.VERIFY_X509_STRICT
        return phone


def _built(
    name: str, key: ec.EllipticCurvePublicKey, signer: Authority, days: int = 30
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    own = x509.SubjectKeyIdentifier.from_public_key(key)
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(_named(name))
        .issuer_name(_named(signer.name))
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 40 * DAY)
        .not_valid_after(now + days * DAY)
        .add_extension(own, critical=False)
        .add_extension(above, critical=False)
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def site() -> tuple[Authority, Authority]:
    """The root that phones trust, and the intermediate that signs consoles."""
    root = Authority("Casino root")
    return root, Authority("Casino tables", root)
