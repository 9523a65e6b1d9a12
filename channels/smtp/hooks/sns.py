"""Verifies messages of Amazon SNS.

https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html: the signature is RSA over some fields,
with SHA1 (version 1) or SHA256 (version 2), by the key of a certificate whose address the message names. That
address is believed only if it is one of SNS in the topic's own region, and so is the one that confirms a subscription.
"""

import base64
import binascii
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from channels.dsn import BadDsn
from channels.port import BadHook, BadSignature, HookTools
from channels.smtp.hooks.reading import Fields, check_time, object_of
from core.clock import moment

_TOPIC: Final = re.compile(
    r"arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]{1,20}){1,3}-\d{1,2}):\d{12}:[A-Za-z0-9_-]{1,256}(?:\.fifo)?"
)
_CERTIFICATE: Final = re.compile(r"/SimpleNotificationService-[A-Za-z0-9]{1,64}\.pem")
_NOTIFICATION: Final = ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type")
_CONFIRMATION: Final = ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")
_SIGNED: Final = {
    "Notification": _NOTIFICATION,
    "SubscriptionConfirmation": _CONFIRMATION,
    "UnsubscribeConfirmation": _CONFIRMATION,
}
_HASHES: Final[dict[str, hashes.HashAlgorithm]] = {"1": hashes.SHA1(), "2": hashes.SHA256()}  # noqa: S303  SNS chose it


@dataclass(frozen=True, slots=True)
class Notification:
    """A verified message of a topic."""

    id: str
    message: str
    at: datetime


class Topic:
    """One topic, whose messages are verified."""

    def __init__(self, arn: str) -> None:
        """Raises BadDsn."""
        if not (match := _TOPIC.fullmatch(arn)):
            raise BadDsn("smtp: option topic must be the ARN of a topic: arn:aws:sns:REGION:ACCOUNT:NAME")
        self._arn = arn
        self._server = f"https://sns.{match[2]}.amazonaws.com{'.cn' if match[1] == 'aws-cn' else ''}"

    async def read(self, body: bytes, tools: HookTools) -> Notification | None:
        """Returns a notification. A subscription is confirmed, and it and its end return None.

        Raises BadHook, BadSignature, HookFailed.
        """
        envelope = object_of(body)
        kind = envelope.get("Type")
        if not isinstance(kind, str) or kind not in _SIGNED:
            raise BadSignature(
                "not a message of SNS; raw message delivery must be off, as it has no signature"
            )
        at = await self._verify(envelope, _SIGNED[kind], tools)
        if kind == "SubscriptionConfirmation":
            await self._confirm(envelope["SubscribeURL"], tools)
        if kind != "Notification":
            return None
        return Notification(envelope["MessageId"], envelope["Message"], at)

    async def _verify(self, envelope: Fields, signed: tuple[str, ...], tools: HookTools) -> datetime:
        present = [name for name in signed if name != "Subject" or envelope.get(name) is not None]
        values = [envelope.get(name) for name in present]
        signature, url = envelope.get("Signature"), envelope.get("SigningCertURL")
        algorithm = _HASHES.get(str(envelope.get("SignatureVersion")))
        if algorithm is None or not all(isinstance(value, str) for value in (*values, signature, url)):
            raise BadSignature("a field of the signature is missing")
        if envelope["TopicArn"] != self._arn:
            raise BadSignature("the message is of another topic")
        at = moment(envelope["Timestamp"])
        if at is None:
            raise BadSignature("the time can't be read")
        check_time(at.timestamp(), tools.now, tools.tolerance)
        if not str(url).startswith(f"{self._server}/") or not _CERTIFICATE.fullmatch(
            str(url)[len(self._server) :]
        ):
            raise BadSignature("the certificate is not on the server of SNS")
        content = "".join(f"{name}\n{value}\n" for name, value in zip(present, values, strict=True))
        _check(await tools.document(str(url)), str(signature), content, algorithm, tools.now)
        return at

    async def _confirm(self, url: str, tools: HookTools) -> None:
        query = parse_qs(urlsplit(url).query) if url.startswith(f"{self._server}/?") else {}
        if query.get("Action") != ["ConfirmSubscription"] or query.get("TopicArn") != [self._arn]:
            raise BadHook("the address that confirms the subscription is not on the server of SNS")
        await tools.call(url)


def _check(pem: bytes, signature: str, content: str, algorithm: hashes.HashAlgorithm, now: float) -> None:
    """Raises BadSignature unless the certificate's key made the signature."""
    try:
        certificate = x509.load_pem_x509_certificate(pem)
        key = certificate.public_key()
        made = base64.b64decode(signature, validate=True)
        valid = (
            certificate.not_valid_before_utc
            <= datetime.fromtimestamp(now, UTC)
            <= certificate.not_valid_after_utc
        )
        if not valid or not isinstance(key, RSAPublicKey):
            raise BadSignature("the certificate of SNS has expired, or has another kind of key")
        key.verify(made, content.encode("utf-8", "surrogatepass"), PKCS1v15(), algorithm)
    except (ValueError, binascii.Error, InvalidSignature, UnsupportedAlgorithm):
        raise BadSignature("the signature of SNS is wrong") from None
