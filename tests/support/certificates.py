"""Self-signed certificates for tests of TLS."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Certificate(NamedTuple):
    """The files of a self-signed certificate and its key."""

    cert: Path
    key: Path

    def client_context(self) -> ssl.SSLContext:
        """Create a client context that trusts only this certificate."""
        return ssl.create_default_context(cafile=str(self.cert))

    def server_context(self) -> ssl.SSLContext:
        """Create a server context that presents this certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.cert, self.key)
        return context


def make_certificate(folder: Path, host: str) -> Certificate:
    """Create a certificate for a host name."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = Certificate(folder / f"{host}.crt", folder / f"{host}.key")
    files.cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pkcs8 = serialization.PrivateFormat.PKCS8
    files.key.write_bytes(key.private_bytes(serialization.Encoding.PEM, pkcs8, plain))
    return files
