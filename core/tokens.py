"""Access tokens (JWT, RFC 7519, checked by the rules of RFC 8725) and opaque secrets.

python-jose requires no claim by default, accepts any algorithm that it knows, and raises RecursionError, TypeError or
OverflowError for some malformed tokens. So the algorithm is fixed with the key, every claim is required, form and
length are checked first, and every error means "not a valid token".
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from cachetools import LRUCache
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from jose import jwt

from core.database_options import BadSettings
from core.ids import uuid7
from core.settings import Settings

ISSUER = "postern"
AUDIENCE = "postern"
API_TOKEN_PREFIX = "pst_"
_LONGEST = 4096
_CACHED = 20_000
# Times are compared here, since the library uses only the machine's clock.
_OPTIONS = {f"require_{name}": True for name in ("iat", "sub", "aud", "iss", "jti")} | {
    "verify_exp": False,
    "verify_nbf": False,
}


class InvalidToken(Exception):
    """The token was not issued by this service, or is no longer valid."""


class TokenKind(StrEnum):
    """The purpose of a token. A token is refused for every other purpose."""

    access = "access"
    """An access token: the credential of programs, in the header `Authorization`."""
    console = "console"
    """The cookie of the console (docs/decisions/0037-the-console-has-a-cookie.md)."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a valid token."""

    user_id: UUID
    session_id: UUID
    version: int
    expires_at: float
    kind: TokenKind


class AccessTokens:
    """Issues and reads access tokens, and the console's."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns Unix time in seconds; the service passes the database's, so that all processes agree."""
        self._clock = clock
        self.lifetime = settings.access_token_seconds
        self._algorithm, self._signing, self._verifying = _keys(settings)
        # All our tokens have exactly this header. A token with any other (`none`, `kid`, `jku`, `crit`, a thousand
        # brackets) is not ours and need not be parsed (RFC 8725 §3.1, §3.10).
        self._header = jwt.encode({}, self._signing, algorithm=self._algorithm).partition(".")[0]
        self._cache: LRUCache[str, Claims] = LRUCache(_CACHED)

    def issue(
        self,
        user_id: UUID,
        session_id: UUID,
        version: int,
        seconds: int | None = None,
        kind: TokenKind = TokenKind.access,
    ) -> str:
        """Returns a new token, valid for `seconds` or for `lifetime`."""
        now = int(self._clock())
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": str(user_id),
            "sid": str(session_id),
            "jti": str(uuid7()),
            "iat": now,
            "exp": now + (self.lifetime if seconds is None else seconds),
            "typ": kind.value,
            "ver": version,
        }
        return str(jwt.encode(claims, self._signing, algorithm=self._algorithm))

    def read(self, token: str, kind: TokenKind = TokenKind.access) -> Claims:
        """Returns the claims of a token of this kind. Raises InvalidToken.

        Checks a signature once for each token, its expiry every time.
        """
        claims = self._cache.get(token)
        if claims is None:
            claims = self._cache[token] = self._decode(token)
        if claims.kind is not kind:
            raise InvalidToken
        if claims.expires_at <= self._clock():
            self._cache.pop(token, None)
            raise InvalidToken
        return claims

    def _decode(self, token: str) -> Claims:
        if len(token) > _LONGEST or not token.isascii() or token.count(".") != 2:
            raise InvalidToken
        if token.partition(".")[0] != self._header:
            raise InvalidToken
        try:
            claims = jwt.decode(
                token,
                self._verifying,
                algorithms=[self._algorithm],
                audience=AUDIENCE,
                issuer=ISSUER,
                options=_OPTIONS,
            )
            kind = TokenKind(claims["typ"])
            if type(claims["ver"]) is not int or type(claims["exp"]) is not int:
                raise InvalidToken
            if claims["iat"] > self._clock() + 10 or "nbf" in claims:  # our tokens have no `nbf`
                raise InvalidToken
            return Claims(UUID(claims["sub"]), UUID(claims["sid"]), claims["ver"], float(claims["exp"]), kind)
        except Exception as error:  # any error means that the token is not valid
            raise InvalidToken from error


def _keys(settings: Settings) -> tuple[str, str, str]:
    if settings.jwt_key_file is None:
        if settings.jwt_key is None:
            raise BadSettings("POSTERN_JWT_KEY or POSTERN_JWT_KEY_FILE must be set")
        key = settings.jwt_key.get_secret_value()
        return "HS256", key, key
    try:
        pem = settings.jwt_key_file.read_bytes()
        private = serialization.load_pem_private_key(pem, password=None)
    except (OSError, ValueError, TypeError) as error:
        raise BadSettings(
            f"POSTERN_JWT_KEY_FILE={settings.jwt_key_file} is not a readable PEM private key"
        ) from error
    if isinstance(private, RSAPrivateKey) and private.key_size >= 2048:
        algorithm = "RS256"
    elif isinstance(private, EllipticCurvePrivateKey) and private.curve.name == "secp256r1":
        algorithm = "ES256"
    else:
        raise BadSettings("POSTERN_JWT_KEY_FILE must hold an RSA key of at least 2048 bits or a P-256 key")
    public = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return algorithm, pem.decode(), public.decode()


def digest(secret: str) -> bytes:
    """Returns the hash of an opaque secret that is stored: it identifies the secret and does not reveal it."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def new_secret(prefix: str = "") -> str:
    """Returns 256 random bits as URL-safe text."""
    return prefix + secrets.token_urlsafe(32)


def successor(server_key: bytes, refresh_token: str) -> str:
    """Returns the refresh token that follows this one.

    It is derived, so that a client that lost the response gets the same successor again, although only hashes are
    stored.
    """
    mac = hmac.new(server_key, b"refresh:" + refresh_token.encode("utf-8", "surrogatepass"), hashlib.sha256)
    return secrets_urlsafe(mac.digest())


def secrets_urlsafe(raw: bytes) -> str:
    """Returns bytes as URL-safe text, as `secrets.token_urlsafe` does."""
    import base64

    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
