"""Webhooks of Resend: `reports=resend&secret=whsec_…`.

https://docs.svix.com/receiving/verifying-payloads/how-manual: the scheme is that of Standard Webhooks with headers of
other names. Resend returns the header fields of an email with some events; where they lack, our Message-ID names the
message, which the signature covers.
"""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Self
from uuid import UUID

from channels.dsn import BadDsn, Dsn
from channels.port import BadSignature, HookRequest, HookTools, MailEvent, MailRecipient
from channels.smtp.hooks.reading import Fields, addresses, child, object_of, text
from channels.smtp.hooks.ses import provider_type, token_of
from core.clock import moment
from core.webhook_signatures import BadSecret, key_of, verify
from shapes.mail_reports import MailReportClass, MailReportType

_TYPES: Final = {
    "email.bounced": MailReportType.bounce,
    "email.failed": MailReportType.bounce,
    "email.suppressed": MailReportType.bounce,
    "email.delivery_delayed": MailReportType.delay,
    "email.complained": MailReportType.complaint,
}
_CLASSES: Final = {"email.failed": MailReportClass.policy, "email.suppressed": MailReportClass.hard}
_DETAILS: Final = {"email.bounced": "bounce", "email.failed": "failed", "email.suppressed": "suppressed"}
_MESSAGE_ID: Final = re.compile(r"<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[^@<>\s]{1,255}>?")


class Resend:
    """The webhooks of one endpoint."""

    source: ClassVar[str] = "resend"

    def __init__(self, secret: str) -> None:
        self._secret = secret

    @classmethod
    def from_dsn(cls, dsn: Dsn) -> Self:
        """Raises BadDsn."""
        secret = dsn.required("secret", "whsec_KEY")
        try:
            key_of(secret)
        except BadSecret:
            raise BadDsn(f"{dsn.scheme}: option secret must be Resend's signing secret, as whsec_…") from None
        return cls(secret)

    def header_fields(self, token: str) -> str:
        """Returns nothing: the header X-Postern-Ref is among those that Resend returns."""
        return ""

    async def receive(self, request: HookRequest, tools: HookTools) -> list[MailEvent]:
        """Raises BadSignature, BadHook."""
        headers = {f"webhook-{name}": request.headers.get(f"svix-{name}", "") for name in _SIGNED}
        id = verify([self._secret], headers, request.body, tools.tolerance, tools.now)
        if id is None:
            raise BadSignature("the signature is missing or wrong")
        return _events(object_of(request.body), id)


_SIGNED: Final = ("id", "timestamp", "signature")


def _events(event: Fields, id: str) -> list[MailEvent]:
    kind, data = text(event, "type"), child(event, "data")
    if (type := _TYPES.get(kind)) is None:
        return []
    token = token_of(data)
    message_id = None if token is not None else _message_id(data.get("message_id"))
    recipients = _recipients(data, kind, addresses(data, "to"))
    return [MailEvent(type, id, recipients, token, message_id, moment(event.get("created_at")))]


def _recipients(data: Fields, kind: str, to: Sequence[str]) -> list[MailRecipient]:
    details = child(data, _DETAILS.get(kind, ""))
    words = text(details, "diagnosticCode", "message", "reason")
    type = provider_type(text(details, "type"), text(details, "subType")) if kind == "email.bounced" else None
    return [MailRecipient(address, None, words, type, _CLASSES.get(kind)) for address in to]


def _message_id(value: Any) -> UUID | None:
    """Returns the id of the message that has this Message-ID, if it is one of ours."""
    match = _MESSAGE_ID.fullmatch(value) if isinstance(value, str) else None
    return UUID(match[1]) if match else None
