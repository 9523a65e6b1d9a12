"""Webhooks of Mailgun: `reports=mailgun&secret=` and the HTTP webhook signing key.

https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks: HMAC-SHA256 over a timestamp and
a token that is used once. It covers no event, so a token that was used before is refused, and a message is named by our
own token alone, which Mailgun returns among the variables of the header X-Mailgun-Variables.
"""

import hashlib
import hmac
import re
from typing import ClassVar, Final, Self

import orjson

from channels.dsn import Dsn
from channels.port import BadSignature, HookRequest, HookTools, MailEvent, MailRecipient
from channels.smtp.hooks.reading import REFERENCE, Fields, check_time, child, object_of, report_id, text
from core.clock import moment
from shapes.mail_reports import MailReportClass, MailReportType

_NONCE: Final = re.compile(r"[A-Za-z0-9_-]{16,128}")
_SECONDS: Final = re.compile(r"[0-9]{1,12}")
# Why Mailgun gave an email up (`reason`); its words about the server's reply are no class of their own.
_REASONS: Final = {
    "suppress-bounce": MailReportClass.hard,
    "suppress-complaint": MailReportClass.policy,
    "suppress-unsubscribe": MailReportClass.policy,
    "espblock": MailReportClass.policy,
    "old": MailReportClass.transient,
}


class Mailgun:
    """The webhooks of one account."""

    source: ClassVar[str] = "mailgun"

    def __init__(self, key: bytes) -> None:
        self._key = key

    @classmethod
    def from_dsn(cls, dsn: Dsn) -> Self:
        """Raises BadDsn."""
        return cls(dsn.required("secret", "KEY").encode())

    def header_fields(self, token: str) -> str:
        """Returns the field of variables that come back with each event."""
        return f"X-Mailgun-Variables: {orjson.dumps({REFERENCE: token}).decode()}\r\n"

    async def receive(self, request: HookRequest, tools: HookTools) -> list[MailEvent]:
        """Raises BadSignature, BadHook."""
        body = object_of(request.body)
        signed = child(body, "signature")
        stamp, nonce, signature = (text(signed, name) for name in ("timestamp", "token", "signature"))
        mac = hmac.new(self._key, f"{stamp}{nonce}".encode(errors="replace"), hashlib.sha256).hexdigest()
        if not hmac.compare_digest(mac.encode(), signature.encode(errors="replace")):
            raise BadSignature("the signature is missing or wrong")
        if not _SECONDS.fullmatch(stamp) or not _NONCE.fullmatch(nonce):
            raise BadSignature("the time or the token of the signature can't be read")
        check_time(int(stamp), tools.now, tools.tolerance)
        if not await tools.first_use(f"{self.source}:{nonce}"):
            raise BadSignature("this token was used before")
        event = _event(child(body, "event-data"))
        return [] if event is None else [event]


def _event(event: Fields) -> MailEvent | None:
    kind, address = text(event, "event"), text(event, "recipient") or None
    id = report_id(text(event, "id"), text(event, "timestamp"), kind)
    token = text(child(event, "user-variables"), REFERENCE) or None
    at = moment(event.get("timestamp"))
    if kind == "complained":
        return MailEvent(MailReportType.complaint, id, [MailRecipient(address)], token, at=at)
    if kind == "rejected":  # by Mailgun itself, because of the sender or the content
        words = text(child(event, "reject"), "reason", "description")
        recipient = MailRecipient(address, diagnostic=words, klass=MailReportClass.policy)
        return MailEvent(MailReportType.bounce, id, [recipient], token, at=at)
    if kind != "failed":
        return None
    type = MailReportType.delay if text(event, "severity") == "temporary" else MailReportType.bounce
    return MailEvent(type, id, [_failed(event, address)], token, at=at)


def _failed(event: Fields, address: str | None) -> MailRecipient:
    status = child(event, "delivery-status")
    words, code = text(status, "message", "description"), text(status, "code")
    if len(code) == 3 and code[0] in "45" and code not in words:
        words = f"{code} {words}"
    klass = _REASONS.get(text(event, "reason").lower())
    return MailRecipient(address, text(status, "enhanced-code") or None, words, klass=klass)
