"""A software authenticator: creates passkeys and signs challenges, as a browser does."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class Authenticator:
    """A device with one passkey for one site."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = os.urandom(16)
        self.user = b""
        self.count = 0
        self.flags = PRESENT | VERIFIED

    def create(self, options: dict[str, Any], *, origin: str | None = None) -> dict[str, Any]:
        """Answer `navigator.credentials.create`: a new key, with the attestation "none"."""
        assert any(each["alg"] == -7 for each in options["pubKeyCredParams"])
        self.user = base64url_to_bytes(options["user"]["id"])
        numbers = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        about = bytes(16) + struct.pack(">H", len(self.id)) + self.id + public
        data = self._data(options["rp"]["id"], ATTESTED) + about
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options, origin)
        return self._wrap({"attestationObject": attestation, "clientDataJSON": client})

    def get(self, options: dict[str, Any], *, origin: str | None = None) -> dict[str, Any]:
        """Answer `navigator.credentials.get`: a signature, and whose key it is."""
        self.count += 1
        data = self._data(options["rpId"], 0)
        client = self._client("webauthn.get", options, origin)
        signed = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        parts = {"authenticatorData": data, "clientDataJSON": client, "signature": signed}
        return self._wrap({**parts, "userHandle": self.user})

    def _data(self, domain: str, more: int) -> bytes:
        flags = bytes([self.flags | more])
        return hashlib.sha256(domain.encode()).digest() + flags + struct.pack(">I", self.count)

    def _client(self, kind: str, options: dict[str, Any], origin: str | None) -> bytes:
        client_data = {
            "type": kind,
            "challenge": options["challenge"],
            "origin": origin or self.origin,
            "crossOrigin": False,
        }
        return json.dumps(client_data).encode()

    def _wrap(self, parts: dict[str, bytes]) -> dict[str, Any]:
        name = bytes_to_base64url(self.id)
        response = {key: bytes_to_base64url(value) for key, value in parts.items()}
        return {"id": name, "rawId": name, "type": "public-key", "response": response}
