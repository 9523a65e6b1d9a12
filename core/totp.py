"""One-time passwords by time: TOTP (RFC 6238), with the parameters that every app supports: SHA-1, 6 digits, 30
seconds.
"""

import base64
import hashlib
import hmac
import secrets
from urllib.parse import quote

STEP_SECONDS = 30
DIGITS = 6
_SECRET_BYTES = 20  # as long as the hash (RFC 4226 §4, R6)
_AROUND = (-1, 0, 1)
"""The steps around the present one whose codes count: clocks of phones differ, and people type slowly."""


def new_secret() -> str:
    """Returns a random secret in base32, as authenticator apps take it."""
    return base64.b32encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def code_of(secret: str, step: int) -> str:
    """Returns the code of a step, which is the number of 30 seconds since 1970 (RFC 4226 §5.3)."""
    mac = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), hashlib.sha1)
    offset = mac[-1] & 0xF
    number = int.from_bytes(mac[offset : offset + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}d}"


def matching_step(secret: str, code: str, now: float) -> int | None:
    """Returns the newest step around `now` (seconds since 1970) that has this code, or None.

    All codes are compared, whichever fits.
    """
    present = int(now // STEP_SECONDS)
    steps = [present + offset for offset in _AROUND]
    fitting = [step for step in steps if hmac.compare_digest(code_of(secret, step), code)]
    return max(fitting, default=None)


def uri(secret: str, email: str, issuer: str) -> str:
    """Returns the text of the QR code that authenticator apps read (the `otpauth` key URI format)."""
    label = f"{quote(issuer, safe='')}:{quote(email, safe='@')}"
    return f"otpauth://totp/{label}?secret={secret}&issuer={quote(issuer, safe='')}"
