"""Events of SendGrid's Event Webhook: `reports=sendgrid&secret=` and the public key of its signatures.

https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features:
ECDSA (P-256, SHA256) over the timestamp and the body as it was sent. Unique arguments of the header X-SMTPAPI are
fields of each event (https://www.twilio.com/docs/sendgrid/for-developers/sending-email/unique-arguments).
"""

import base64
import binascii
from typing import ClassVar, Final, Self

import orjson
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_der_public_key

from channels.dsn import BadDsn, Dsn
from channels.port import BadSignature, HookRequest, HookTools, MailEvent, MailRecipient
from channels.smtp.hooks.reading import REFERENCE, Fields, check_time, events_of, report_id, text
from core.clock import moment
from shapes.mail_reports import MailReportClass, MailReportType

_SIGNATURE: Final = "x-twilio-email-event-webhook-signature"
_TIMESTAMP: Final = "x-twilio-email-event-webhook-timestamp"
_TYPES: Final = {
    "bounce": MailReportType.bounce,
    "dropped": MailReportType.bounce,
    "deferred": MailReportType.delay,
    "spamreport": MailReportType.complaint,
}
# Why SendGrid dropped an email (reason, in lower case). A reason that is not here is about the sender, or is an old
# complaint.
_DROPPED: Final = {
    "bounced address": MailReportClass.hard,
    "invalid": MailReportClass.hard,
    "spam content": MailReportClass.content,
}


class SendGrid:
    """The events of one account."""

    source: ClassVar[str] = "sendgrid"

    def __init__(self, key: ec.EllipticCurvePublicKey) -> None:
        self._key = key

    @classmethod
    def from_dsn(cls, dsn: Dsn) -> Self:
        """Raises BadDsn."""
        try:
            key = load_der_public_key(base64.b64decode(dsn.required("secret", "MFkw…"), validate=True))
        except (ValueError, binascii.Error, UnsupportedAlgorithm):
            key = None
        if not isinstance(key, ec.EllipticCurvePublicKey) or not isinstance(key.curve, ec.SECP256R1):
            raise BadDsn(
                f"{dsn.scheme}: option secret must be SendGrid's verification key, which begins with MFkw"
            )
        return cls(key)

    def header_fields(self, token: str) -> str:
        """Returns the field of SendGrid's SMTP API, which it removes from the email."""
        return f"X-SMTPAPI: {orjson.dumps({'unique_args': {REFERENCE: token}}).decode()}\r\n"

    async def receive(self, request: HookRequest, tools: HookTools) -> list[MailEvent]:
        """Raises BadSignature, BadHook."""
        stamp = request.headers.get(_TIMESTAMP, "")
        if not stamp.isascii() or not stamp.isdigit() or len(stamp) > 12:
            raise BadSignature("the time of the signature is missing")
        check_time(int(stamp), tools.now, tools.tolerance)
        try:
            signature = base64.b64decode(request.headers.get(_SIGNATURE, ""), validate=True)
            self._key.verify(signature, stamp.encode() + request.body, ec.ECDSA(hashes.SHA256()))
        except (ValueError, binascii.Error, InvalidSignature):
            raise BadSignature("the signature is missing or wrong") from None
        return [event for item in events_of(request.body) if (event := _event(item)) is not None]


def _event(event: Fields) -> MailEvent | None:
    kind = text(event, "event")
    if (type := _TYPES.get(kind)) is None:
        return None
    reason = text(event, "reason", "response")
    klass = None
    if kind == "dropped":
        klass = _DROPPED.get(reason.lower(), MailReportClass.policy)
    elif kind == "bounce" and text(event, "type") == "blocked":
        klass = MailReportClass.policy  # SendGrid keeps no such address on its list: the mail was refused
    recipient = MailRecipient(
        text(event, "email") or None, text(event, "status") or None, reason, klass=klass
    )
    id = text(event, "sg_event_id") or report_id(
        *(text(event, name) for name in ("sg_message_id", "event", "email", "timestamp", "reason"))
    )
    return MailEvent(type, id, [recipient], text(event, REFERENCE) or None, at=moment(event.get("timestamp")))
