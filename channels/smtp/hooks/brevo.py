"""Webhooks of Brevo: `reports=brevo&secret=` and the token that the webhook was given.

https://developers.brevo.com/docs/secured-webhooks: Brevo signs nothing, and sends a bearer token. The header
X-Mailin-custom comes back with each event. Events may come alone or several at once.
"""

import re
from typing import ClassVar, Final, Self

from channels.dsn import Dsn
from channels.port import HookRequest, HookTools, MailEvent, MailRecipient
from channels.smtp.hooks.postmark import check_authorization
from channels.smtp.hooks.reading import REFERENCE, Fields, events_of, report_id, text
from core.clock import moment
from shapes.mail_reports import MailReportClass, MailReportType

_TYPES: Final[dict[str, tuple[MailReportType, str | None, MailReportClass | None]]] = {
    "hard_bounce": (MailReportType.bounce, "permanent", None),
    "soft_bounce": (MailReportType.bounce, None, None),
    "invalid_email": (MailReportType.bounce, "invalid", None),
    "blocked": (MailReportType.bounce, None, MailReportClass.policy),
    "error": (MailReportType.bounce, None, MailReportClass.policy),
    "deferred": (MailReportType.delay, None, None),
    "spam": (MailReportType.complaint, None, None),
    "complaint": (MailReportType.complaint, None, None),
}
_REFERENCE: Final = re.compile(rf"{REFERENCE}:([^|\s]{{1,100}})")
_NAMES: Final = ("message-id", "event", "email", "ts_epoch", "ts_event", "reason")


class Brevo:
    """The webhooks of one account."""

    source: ClassVar[str] = "brevo"

    def __init__(self, token: str) -> None:
        self._authorization = f"Bearer {token}".encode()

    @classmethod
    def from_dsn(cls, dsn: Dsn) -> Self:
        """Raises BadDsn."""
        return cls(dsn.required("secret", "TOKEN"))

    def header_fields(self, token: str) -> str:
        """Returns the field that comes back with each event."""
        return f"X-Mailin-custom: {REFERENCE}:{token}\r\n"

    async def receive(self, request: HookRequest, tools: HookTools) -> list[MailEvent]:
        """Raises BadSignature, BadHook."""
        check_authorization(request, self._authorization)
        return [event for item in events_of(request.body) if (event := _event(item)) is not None]


def _event(event: Fields) -> MailEvent | None:
    if (name := text(event, "event")) not in _TYPES:
        return None
    type, provider_type, klass = _TYPES[name]
    match = _REFERENCE.search(text(event, "X-Mailin-custom"))
    recipient = MailRecipient(text(event, "email") or None, None, text(event, "reason"), provider_type, klass)
    # An event has no name of its own.
    id = report_id(*(text(event, field) for field in _NAMES))
    at = moment(event.get("ts_epoch"))  # the other times are of the account's own time zone
    return MailEvent(type, id, [recipient], match[1] if match else None, at=at)
