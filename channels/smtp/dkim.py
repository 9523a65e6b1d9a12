"""Signs an email with DKIM (RFC 6376), header and body in the canonicalization `relaxed`.

The keys are used by `cryptography`: a pure Python signature takes twenty times as long. `sign` may run in any thread,
and most of its time it does not hold the interpreter's lock.
"""

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from channels.port import MailSigner

# The fields that are signed if they are there (RFC 6376 §5.4.1), in the order of the tag `h`.
_SIGNED: Final = (
    b"from",
    b"to",
    b"cc",
    b"subject",
    b"date",
    b"message-id",
    b"reply-to",
    b"mime-version",
    b"content-type",
    b"content-transfer-encoding",
    b"list-id",
    b"list-unsubscribe",
    b"list-unsubscribe-post",
    b"in-reply-to",
    b"references",
    b"feedback-id",
    b"x-postern-ref",
)
# Of these one more is signed than there is, so that a second one, which mail programs would show, can't be added
# (RFC 6376 §5.4.2, §8.15).
_COMPLETE: Final = frozenset(
    (
        b"from",
        b"to",
        b"subject",
        b"date",
        b"reply-to",
        b"content-type",
        b"feedback-id",
        b"list-id",
        b"list-unsubscribe",
        b"list-unsubscribe-post",
    )
)
_FOLD: Final = re.compile(rb"\r\n(?=[ \t])")
_SPACES: Final = re.compile(rb"[ \t]+")
_TRAILING: Final = re.compile(rb"[ \t]+(?=\r\n)")
_LINE: Final = 72  # characters of a value in one line


def sign(content: bytes, signers: Sequence[MailSigner], now: int) -> bytes:
    """Returns a DKIM-Signature field for each signer, with its line end; they belong before the content.

    `content` is the complete email with CRLF line ends, before dots are stuffed; `now` is in Unix seconds. Raises
    ValueError if it has no From.
    """
    head, _, body = content.partition(b"\r\n\r\n")
    fields = _fields(head + b"\r\n")
    if b"from" not in {name for name, _ in fields}:
        raise ValueError("an email without From can't be signed")
    body_hash = base64.b64encode(hashlib.sha256(relaxed_body(body)).digest())
    names, signed = _selected(fields)
    return b"".join(_signature(signer, names, signed, body_hash, now) for signer in signers)


def relaxed_field(name: bytes, value: bytes) -> bytes:
    """Returns a field in its canonical form (RFC 6376 §3.4.2); `value` is the text after the colon."""
    return name.lower().strip(b" \t") + b":" + _SPACES.sub(b" ", _FOLD.sub(b"", value)).strip(b" ") + b"\r\n"


def relaxed_body(body: bytes) -> bytes:
    """Returns a body in its canonical form (RFC 6376 §3.4.4)."""
    # Attachments are megabytes of base64, which has no white space: looking for it is much faster than replacing it.
    if b"\t" in body or b"  " in body:
        body = _SPACES.sub(b" ", body)
    if b" \r\n" in body:
        body = _TRAILING.sub(b"", body)
    body = body.rstrip(b" ") if body.endswith(b" ") else body
    end = len(body)
    while body.endswith(b"\r\n", 0, end):
        end -= 2
    return body[:end] + b"\r\n" if end else b""


def _fields(head: bytes) -> list[tuple[bytes, bytes]]:
    """Returns name and value of each field of a head whose lines end in CRLF."""
    fields = []
    for line in re.split(rb"\r\n(?![ \t])", head):
        name, colon, value = line.partition(b":")
        if colon:
            fields.append((name.strip().lower(), value))
    return fields


def _selected(fields: Sequence[tuple[bytes, bytes]]) -> tuple[bytes, bytes]:
    """Returns the tag `h`, and the canonical fields that it names: of several the last first (RFC 6376 §5.4.2)."""
    counts = Counter(name for name, _ in fields)
    names, signed = [], []
    for name in _SIGNED:
        values = [value for other, value in fields if other == name]
        signed += [relaxed_field(name, value) for value in reversed(values)]
        names += [name] * (counts[name] + (name in _COMPLETE))
    return b":".join(names), b"".join(signed)


def _signature(signer: MailSigner, names: bytes, signed: bytes, body_hash: bytes, now: int) -> bytes:
    rsa = isinstance(signer.key, RSAPrivateKey)
    value = b" v=1; a=%b; c=relaxed/relaxed; d=%b; s=%b;\r\n t=%d; h=%b;\r\n bh=%b;\r\n b=" % (
        b"rsa-sha256" if rsa else b"ed25519-sha256",
        signer.domain.encode("ascii"),
        signer.selector.encode("ascii"),
        now,
        names.replace(b":content-type:", b":\r\n content-type:", 1),
        body_hash,
    )
    # The field itself comes last, with an empty `b` and without a line end (RFC 6376 §3.7).
    data = signed + relaxed_field(b"DKIM-Signature", value).removesuffix(b"\r\n")
    if isinstance(signer.key, RSAPrivateKey):
        made = signer.key.sign(data, PKCS1v15(), hashes.SHA256())
    else:
        made = signer.key.sign(hashlib.sha256(data).digest())  # RFC 8463 §3
    text = base64.b64encode(made)
    lines = [text[start : start + _LINE] for start in range(0, len(text), _LINE)]
    return b"DKIM-Signature:" + value + b"\r\n ".join(lines) + b"\r\n"
