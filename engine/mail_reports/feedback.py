"""Complaints: the fields of a feedback report (RFC 5965)."""

import re
from typing import Final

from engine.mail_reports.mime import fields_of
from engine.mail_reports.report import RecipientReport
from shapes.mail_reports import MailReportType

# A report that a signature failed (RFC 6591) is nobody's complaint, and `not-spam` is the opposite of one.
_TYPES: Final = {
    "abuse": MailReportType.complaint,
    "complaint": MailReportType.complaint,
    "fraud": MailReportType.complaint,
    "miscategorized": MailReportType.complaint,
    "opt-out": MailReportType.complaint,
    "opt-out-list": MailReportType.complaint,
    "other": MailReportType.complaint,
    "virus": MailReportType.complaint,
    "not-spam": MailReportType.rescue,
}
_ADDRESS: Final = re.compile(r"[^\s<>;,\"]{1,256}@[^\s<>;,\"]{1,255}")


def read_feedback(text: str) -> RecipientReport | None:
    """Returns the complaint of a message/feedback-report, or None if it is about something else."""
    fields = fields_of(text.strip("\n"))
    kind = fields.get("feedback-type", "").split(";")[0].strip().lower()
    if (type := _TYPES.get(kind)) is None:
        return None
    recipient = fields.get("original-rcpt-to") or fields.get("removal-recipient") or ""
    match = _ADDRESS.search(recipient)
    return RecipientReport(type, None, match[0] if match else None, None, None, kind)


def of_microsoft(recipient: str) -> RecipientReport:
    """Returns a complaint of Outlook.com, which is no feedback report: the mail alone comes back, with a field that
    names the recipient.
    """
    match = _ADDRESS.search(recipient)
    return RecipientReport(MailReportType.complaint, None, match[0] if match else None, None, None, "abuse")
