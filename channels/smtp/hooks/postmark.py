"""Webhooks of Postmark: `reports=postmark&secret=` and the user and password that its address has.

https://postmarkapp.com/developer/webhooks/webhooks-overview: Postmark signs nothing, and logs in by basic
authentication. Metadata of the header X-PM-Metadata-… comes back with each event.
"""

import base64
import hmac
from typing import ClassVar, Final, Self

from channels.dsn import BadDsn, Dsn
from channels.port import BadSignature, HookRequest, HookTools, MailEvent, MailRecipient
from channels.smtp.hooks.reading import REFERENCE, Fields, child, events_of, report_id, text
from core.clock import moment
from shapes.mail_reports import MailReportClass, MailReportType

# https://postmarkapp.com/developer/api/bounce-api#bounce-types. A type that is not here is no failure of a delivery.
_TYPES: Final[dict[str, tuple[MailReportType, str | None, MailReportClass | None]]] = {
    "HardBounce": (MailReportType.bounce, "permanent", None),
    "BadEmailAddress": (MailReportType.bounce, "invalid", None),
    "SoftBounce": (MailReportType.bounce, None, None),
    "Unknown": (MailReportType.bounce, None, None),
    "DnsError": (MailReportType.bounce, None, MailReportClass.transient),
    "Transient": (MailReportType.delay, None, None),
    "Blocked": (MailReportType.bounce, None, MailReportClass.policy),
    "SpamNotification": (MailReportType.bounce, None, MailReportClass.policy),
    "DMARCPolicy": (MailReportType.bounce, None, MailReportClass.policy),
    "SMTPApiError": (MailReportType.bounce, None, MailReportClass.policy),
    "ManuallyDeactivated": (MailReportType.bounce, None, MailReportClass.policy),
    "VirusNotification": (MailReportType.bounce, None, MailReportClass.content),
    "SpamComplaint": (MailReportType.complaint, None, None),
}


class Postmark:
    """The webhooks of one server of Postmark."""

    source: ClassVar[str] = "postmark"

    def __init__(self, login: str) -> None:
        self._authorization = b"Basic " + base64.b64encode(login.encode())

    @classmethod
    def from_dsn(cls, dsn: Dsn) -> Self:
        """Raises BadDsn."""
        user, colon, password = (login := dsn.required("secret", "USER:PASSWORD")).partition(":")
        if not (user and colon and password):
            raise BadDsn(f"{dsn.scheme}: option secret must be a user and a password, as user:password")
        return cls(login)

    def header_fields(self, token: str) -> str:
        """Returns the field of metadata that comes back with each event."""
        return f"X-PM-Metadata-{REFERENCE}: {token}\r\n"

    async def receive(self, request: HookRequest, tools: HookTools) -> list[MailEvent]:
        """Raises BadSignature, BadHook."""
        check_authorization(request, self._authorization)
        return [event for item in events_of(request.body) if (event := _event(item)) is not None]


def check_authorization(request: HookRequest, expected: bytes) -> None:
    """Compares the header Authorization. The name of its scheme may have any letter case (RFC 9110 §11.1).

    Raises BadSignature.
    """
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    received = f"{scheme.capitalize()} {credentials.strip()}".encode(errors="replace")
    if not hmac.compare_digest(received, expected):
        raise BadSignature("the credentials are missing or wrong")


def _event(event: Fields) -> MailEvent | None:
    record = text(event, "RecordType")
    name = text(event, "Type") if record == "Bounce" else record
    if record not in ("Bounce", "SpamComplaint") or name not in _TYPES:
        return None
    type, provider_type, klass = _TYPES[name]
    words = text(event, "Details", "Description")
    recipient = MailRecipient(text(event, "Email") or None, None, words, provider_type, klass)
    id = report_id(record, text(event, "ServerID"), text(event, "ID"))
    metadata = {str(key).lower(): value for key, value in child(event, "Metadata").items()}
    return MailEvent(
        type, id, [recipient], text(metadata, REFERENCE) or None, at=moment(event.get("BouncedAt"))
    )
