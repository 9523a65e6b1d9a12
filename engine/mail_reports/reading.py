"""Reads a mail that came back: its kind of report, its message, and its failure."""

import re
from dataclasses import replace
from html import unescape
from typing import Final

from engine.mail_reports import bounce_text, mime, reference
from engine.mail_reports.feedback import of_microsoft, read_feedback
from engine.mail_reports.mime import ParsedMail, Part, fields_of
from engine.mail_reports.recipients import read_recipients
from engine.mail_reports.report import MOST_RECIPIENTS, MailReport, RecipientReport

_STATUS_TYPES: Final = ("message/delivery-status", "message/global-delivery-status")
_HEAD_TYPES: Final = (
    "message/rfc822",
    "text/rfc822",
    "text/rfc822-headers",
    "message/rfc822-headers",
    "message/global",
    "message/global-headers",
)
_STATUS_FIELDS: Final = re.compile(r"^(final|original)-recipient:", re.IGNORECASE | re.MULTILINE)
_TAG: Final = re.compile(r"<(?:style|script)[^<>]{0,200}>[^<]{0,20000}</|<[a-zA-Z/!][^<>]{0,2000}>")
_MOST_TOKENS: Final = 10


def read_report(raw: bytes) -> MailReport:
    """Returns the report of a mail. Never raises: a mail that can't be read is one that says nothing."""
    try:
        mail = mime.parse(raw)
    except mime.TooManyParts:
        return MailReport(ignored="too_many_parts")
    return replace(_read(mail), id=mail.fields.get("message-id", "").strip() or None)


def _read(mail: ParsedMail) -> MailReport:
    heads = [_returned_head(part) for part in mail.parts if part.type in _HEAD_TYPES]
    tokens = _tokens(mail, heads)
    ids = tuple(dict.fromkeys(head["message-id"] for head in heads if head.get("message-id")))[:_MOST_TOKENS]
    feedback = [part for part in mail.parts if part.type == "message/feedback-report"]
    if feedback or mail.report_type == "feedback-report":
        complaints = [complaint for part in feedback if (complaint := read_feedback(part.text)) is not None]
        ignored = None if complaints else "other_feedback"
        return MailReport(tuple(complaints[:MOST_RECIPIENTS]), tokens, ids, ignored)
    reported = [head["x-hmxmroriginalrecipient"] for head in heads if "x-hmxmroriginalrecipient" in head]
    if reported:
        return MailReport((of_microsoft(reported[0]),), tokens, ids)
    if any(_is_report(head) for head in heads):
        return MailReport(tokens=tokens, message_ids=ids, ignored="report_of_a_report")
    recipients, is_status = _recipients(mail)
    if recipients:
        return MailReport(tuple(recipients), tokens, ids)
    if is_status:
        return MailReport(tokens=tokens, message_ids=ids, ignored="no_failure")
    return MailReport(tokens=tokens, message_ids=ids, ignored=_why_none(mail))


def _recipients(mail: ParsedMail) -> tuple[list[RecipientReport], bool]:
    """Returns the failures, and whether the mail has the fields of a delivery status."""
    statuses = [part.text for part in mail.parts if part.type in _STATUS_TYPES]
    text = _text(mail)
    if not any(map(str.strip, statuses)) and _STATUS_FIELDS.search(text):
        statuses = [text]
    explanation = bounce_text.explanation(text)
    recipients: list[RecipientReport] = []
    for status in statuses:
        for recipient in read_recipients(status, explanation):
            if len(recipients) >= MOST_RECIPIENTS:
                break
            recipients.append(recipient)
    if recipients or any(_STATUS_FIELDS.search(status) for status in statuses):
        return recipients, True
    returned = any(part.type in _HEAD_TYPES for part in mail.parts)
    if not bounce_text.is_bounce(mail.fields, text, returned=returned):
        return [], False
    return bounce_text.read_bounce(mail.fields, text), False


def _text(mail: ParsedMail) -> str:
    """Returns the text of the mail for people."""
    texts = [part.text for part in mail.parts if part.type == "text/plain" and part.text.strip()]
    if not texts:
        texts = [unescape(_TAG.sub(" ", part.text)) for part in mail.parts if part.type == "text/html"]
    if not texts:
        texts = [
            part.text for part in mail.parts if part.type.startswith("text/") and part.type not in _HEAD_TYPES
        ]
    return "\n".join(texts)


def _returned_head(part: Part) -> dict[str, str]:
    return fields_of(part.text.lstrip("\n"))


def _tokens(mail: ParsedMail, heads: list[dict[str, str]]) -> tuple[str, ...]:
    """Returns the tokens: of the address to which the mail came, then of the mail that came back."""
    tokens: list[str] = []
    for name in ("delivered-to", "x-original-to", "envelope-to", "to"):
        tokens += reference.in_text(mail.fields.get(name, ""))
    for head in heads:
        if token := reference.alone(head.get("x-postern-ref", "")):
            tokens.append(token)
        tokens += reference.in_text(head.get("return-path", ""))
    for part in mail.parts:
        if part.type.startswith("text/") or part.type == "message/feedback-report":
            tokens += re.findall(r"(?im)^x-postern-ref: *([a-z2-7]{38})[ \t]*$", part.text)
            tokens += reference.in_text(part.text)
    return tuple(dict.fromkeys(token.lower() for token in tokens))[:_MOST_TOKENS]


def _is_report(head: dict[str, str]) -> bool:
    """Returns whether the mail that came back was itself a report, which no message of ours is."""
    return "multipart/report" in head.get("content-type", "").lower() and "x-postern-ref" not in head


def _is_auto_reply(fields: dict[str, str]) -> bool:
    """Returns whether a person's program answers. Servers write `auto-replied` into bounces too (RFC 3464 §2), so this
    is asked only of a mail without the fields of a report.
    """
    return (
        fields.get("auto-submitted", "").lower().startswith("auto-replied")
        and "x-failed-recipients" not in fields
    )


def _why_none(mail: ParsedMail) -> str:
    return "auto_reply" if _is_auto_reply(mail.fields) else "no_report"
