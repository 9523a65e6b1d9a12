"""Detached signatures of documents: JWS (RFC 7515) by Ed25519 (RFC 8037), with the payload as it is (RFC 7797)."""

import base64
import binascii
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from engine.reconciliations.canonical import canonical, strict

_LONGEST: Final = 2048  # characters of a signature with its header


class BadSignature(Exception):
    """The signature is not that of this payload by a known key; the message says what is wrong."""


def sign(key: Ed25519PrivateKey, kid: str, payload: bytes) -> str:
    """Returns the signature of a payload, with an empty part in the place of the payload."""
    header = _encode(canonical({"alg": "EdDSA", "b64": False, "crit": ["b64"], "kid": kid}))
    return f"{header}..{_encode(key.sign(header.encode() + b'.' + payload))}"


def verify(signature: Any, payload: bytes, keys: Mapping[str, Ed25519PublicKey]) -> str:
    """Returns the id of the key that has signed the payload, which is one of `keys`. Raises BadSignature."""
    parts = signature.split(".") if isinstance(signature, str) and len(signature) <= _LONGEST else []
    if len(parts) != 3 or parts[1]:
        raise BadSignature("it has no detached signature")
    try:
        header, signed = strict(_decode(parts[0])), _decode(parts[2])
    except ValueError as error:
        raise BadSignature("its signature can't be read") from error
    if (
        not isinstance(header, dict)
        or {**header, "kid": ""} != {"alg": "EdDSA", "b64": False, "crit": ["b64"], "kid": ""}
        or header["b64"] is not False
        or not isinstance(kid := header["kid"], str)
    ):
        raise BadSignature("its signature is of another kind than Postern's")
    if (key := keys.get(kid)) is None:
        raise BadSignature(
            f"it is signed by the key {kid[:64]}, which is none of those that are trusted here"
        )
    try:
        key.verify(signed, parts[0].encode() + b"." + payload)
    except InvalidSignature:
        raise BadSignature("its signature is not that of this document") from None
    return kid


def public_text(key: Ed25519PublicKey) -> str:
    """Returns a public key as `x` of a JWK has it."""
    return _encode(key.public_bytes_raw())


def thumbprint(x: str) -> str:
    """Returns the id of a public key: its thumbprint (RFC 7638)."""
    return _encode(sha256(canonical({"crv": "Ed25519", "kty": "OKP", "x": x})).digest())


def jwk(x: str) -> dict[str, str]:
    """Returns the JWK of a public key."""
    return {"kty": "OKP", "crv": "Ed25519", "x": x, "kid": thumbprint(x), "alg": "EdDSA", "use": "sig"}


def keys_of(jwks: Any) -> dict[str, Ed25519PublicKey]:
    """Returns the Ed25519 keys of a set (RFC 7517) by their thumbprints, whatever ids the set gives them. Raises
    ValueError if it is none.
    """
    listed = jwks.get("keys") if isinstance(jwks, dict) else None
    if not isinstance(listed, list):
        raise ValueError("it is no set of keys: it has no list `keys`")  # noqa: TRY004  of JSON, and not of Python
    keys = {}
    for key in listed:
        if isinstance(key, dict) and key.get("kty") == "OKP" and key.get("crv") == "Ed25519":
            x = key.get("x")
            if not isinstance(x, str):
                raise ValueError("a key has no `x`")
            keys[thumbprint(x)] = Ed25519PublicKey.from_public_bytes(_decode(x))
    return keys


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    """Raises ValueError, also for a second spelling of the same bytes."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
    if _encode(data) != text:
        raise ValueError("it is not base64url without padding")
    return data
