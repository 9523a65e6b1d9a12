"""Reports of Amazon SES, as notifications of a topic of SNS: `reports=ses&topic=arn:aws:sns:…`.

Both formats are read, of an identity's notifications (`notificationType`) and of event publishing (`eventType`):
https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html and event-publishing-retrieving-sns-contents.html.
SES returns the header fields of the email, of notifications only if they are configured to include them.
"""

from collections.abc import Sequence
from typing import ClassVar, Final, Self

from channels.dsn import Dsn
from channels.port import BadHook, HookRequest, HookTools, MailEvent, MailRecipient
from channels.smtp.hooks.reading import Fields, addresses, child, children, object_of, text
from channels.smtp.hooks.sns import Notification, Topic
from core.clock import moment
from shapes.mail_reports import MailReportClass, MailReportType

_TOPIC_EXAMPLE: Final = "arn:aws:sns:eu-west-1:123456789012:mail"
_PERMANENT: Final = {"General": "permanent", "": "permanent", "OnAccountSuppressionList": "suppressed"}


class Ses:
    """The notifications of one topic."""

    source: ClassVar[str] = "ses"

    def __init__(self, topic: Topic) -> None:
        self._topic = topic

    @classmethod
    def from_dsn(cls, dsn: Dsn) -> Self:
        """Raises BadDsn."""
        return cls(Topic(dsn.required("topic", _TOPIC_EXAMPLE)))

    def header_fields(self, token: str) -> str:
        """Returns nothing: SES returns the header X-Postern-Ref, which each email has."""
        return ""

    async def receive(self, request: HookRequest, tools: HookTools) -> list[MailEvent]:
        """Raises BadSignature, BadHook, HookFailed."""
        notification = await self._topic.read(request.body, tools)
        return [] if notification is None else read(notification)


def read(notification: Notification) -> list[MailEvent]:
    """Returns the report of a notification. There is none in a text, by which SES tries a topic that it was given."""
    try:
        event = object_of(notification.message.encode("utf-8", "surrogatepass"))
    except BadHook:
        return []
    mail, kind = child(event, "mail"), text(event, "notificationType", "eventType")
    type, recipients = _READERS[kind](event, mail) if kind in _READERS else (None, [])
    if type is None or not recipients:
        return []
    details = child(event, _DETAILS[kind])
    at = moment(details.get("timestamp")) or notification.at
    return [MailEvent(type, notification.id, recipients, token_of(mail), at=at)]


def provider_type(type: str, subtype: str) -> str | None:
    """Returns the type of a bounce in the words of engine/mail_reports/classes.py. Resend has the same types."""
    if type == "Permanent":
        return _PERMANENT.get(subtype, subtype.lower())
    return subtype.lower() or None


_Read = tuple[MailReportType, Sequence[MailRecipient]]


def _bounce(event: Fields, mail: Fields) -> _Read:
    bounce = child(event, "bounce")
    type = provider_type(text(bounce, "bounceType"), text(bounce, "bounceSubType"))
    return MailReportType.bounce, _failed(bounce, "bouncedRecipients", type)


def _delay(event: Fields, mail: Fields) -> _Read:
    delay = child(event, "deliveryDelay")
    return MailReportType.delay, _failed(delay, "delayedRecipients", text(delay, "delayType").lower() or None)


def _complaint(event: Fields, mail: Fields) -> _Read:
    complaint = child(event, "complaint")
    rescued = text(complaint, "complaintFeedbackType").lower() == "not-spam"
    recipients = [
        MailRecipient(text(item, "emailAddress") or None)
        for item in children(complaint, "complainedRecipients")
    ]
    return MailReportType.rescue if rescued else MailReportType.complaint, recipients


def _reject(event: Fields, mail: Fields) -> _Read:
    """Reads that SES refused an email in which it found a virus."""
    reason = text(child(event, "reject"), "reason")
    content = MailReportClass.content
    return MailReportType.bounce, [
        MailRecipient(address, diagnostic=reason, klass=content) for address in addresses(mail, "destination")
    ]


_READERS: Final = {"Bounce": _bounce, "DeliveryDelay": _delay, "Complaint": _complaint, "Reject": _reject}
_DETAILS: Final = {
    "Bounce": "bounce",
    "DeliveryDelay": "deliveryDelay",
    "Complaint": "complaint",
    "Reject": "reject",
}


def _failed(details: Fields, name: str, type: str | None) -> list[MailRecipient]:
    return [
        MailRecipient(
            text(item, "emailAddress") or None,
            text(item, "status") or None,
            text(item, "diagnosticCode"),
            type,
        )
        for item in children(details, name)
    ]


def token_of(mail: Fields) -> str | None:
    """Returns the value of X-Postern-Ref among the header fields of an email. Resend has the same format."""
    headers = mail.get("headers")
    for header in headers if isinstance(headers, list) else []:
        if isinstance(header, dict) and text(header, "name").lower() == "x-postern-ref":
            return text(header, "value")
    return None
