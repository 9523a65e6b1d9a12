"""Bounces without the fields of RFC 3464: some servers explain the failure in a text alone."""

import re
from dataclasses import replace
from typing import Final

from engine.mail_reports.classes import Failure, classify
from engine.mail_reports.report import MOST_RECIPIENTS, RecipientReport, visible
from shapes.mail_reports import MailReportClass, MailReportType

_DAEMON: Final = re.compile(r"mailer-?daemon|mail delivery (sub)?system|post_?master")
_SENDERS: Final = re.compile(
    r"mail ?delivery|mail administrator|delivery sub-?system|mdaemon|mail-?admin|bounce|<>"
)
_SUBJECTS: Final = re.compile(
    r"undeliver|non-?deliver|not delivered|returned (mail|to sender)|fail(ed|ure)|delivery (status|report|"
    r"problem|error|"
    r"notification)|delay|could not|couldn.t|can.?not|unable|returning|bounce|mail (system )?error|"
    r"message status|warning|"
    r"unknown (user|address|recipient)|mail delivery|delivery has|user unknown|no se puede|unzustellbar|"
    r"delivery ha|nao|echec"
)
# The mail that came back begins below such a line; its text says nothing about the failure.
_RETURNED: Final = re.compile(
    r"^(?:-{2,}.{0,60}(?:copy|original|returned|begin|unsent|undelivered|below this line|message header|your message)"
    r".{0,60}|[ \t]{0,8}(?:received|return-path|message-id): .*|.{0,60}(?:original|returned|your|"
    r"undelivered) (?:message|mail|email)"
    r"\s*(?:headers?|text)?\s*(?:follows|is below|:|was).{0,40}|.{0,40}(?:copy|headers) of (?:the|"
    r"your) (?:original )?message.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_ADDRESS: Final = re.compile(r"[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9.-]{1,255}[a-zA-Z0-9]")
_DELAY: Final = re.compile(
    r"will (be |keep |continue |retry|try)|still being|has been delayed|delayed [0-9]|not yet been|"
    r"no action is required"
    r"|warning message only|temporarily|will not be returned|delivery attempts? will"
)
_FAILED: Final = re.compile(
    r"(could|can) ?(not|n.t) be delivered|undeliver|delivery (has )?failed|returned to sender"
)
_MOST: Final = 8_000  # characters of an explanation
# The part of it that a server answered, or that explains one recipient's failure: Postfix and qmail begin so.
_REPLY: Final = re.compile(
    r"^[ \t]*<[^<>\s]{1,320}>:[ \t]*\n?[ \t]*\S.{0,300}(?:\n[ \t]*\S.{0,300}){0,7}|"
    r"(?:said|replied|respon[ds]\w*|response|reply|error|returned|rcpt to|failure)\b[^\n]{0,80}[:>][ \n]{1,8}"
    r"(?:[45][0-5]\d[ -].{1,300}(?:\n[ \t]*\S.{0,300}){0,6})",
    re.IGNORECASE | re.MULTILINE,
)


def is_bounce(fields: dict[str, str], text: str, *, returned: bool) -> bool:
    """Returns whether a mail without the fields of a report is a bounce; `returned`: it has the head of another."""
    if "x-failed-recipients" in fields:
        return True
    sender = f"{fields.get('from', '')} {fields.get('return-path', '')} {fields.get('sender', '')}".lower()
    subject = fields.get("subject", "").lower()
    if _DAEMON.search(fields.get("from", "").lower()):
        return True
    if (returned or fields.get("return-path", "").strip() == "<>") and _FAILED.search(text[:_MOST].lower()):
        return True
    return bool(_SENDERS.search(sender) and (_SUBJECTS.search(subject) or not subject)) or bool(
        _SUBJECTS.match(subject)
    )


def explanation(text: str) -> str:
    """Returns the part of a text that is above the returned mail."""
    cuts = [match.start() for match in _RETURNED.finditer(text[: 4 * _MOST])]
    usable = [end for end in cuts if text[:end].strip().count("\n") >= 2 or len(text[:end].strip()) > 200]
    return text[: min(usable[0] if usable else _MOST, _MOST)]


def read_bounce(fields: dict[str, str], text: str) -> list[RecipientReport]:
    """Returns the meaning of a bounce's text: one failure, and the addresses that it names. `[]` if it names none."""
    words, subject = explanation(text), fields.get("subject", "").lower()
    reply = _REPLY.search(words)
    failure = classify(Failure(diagnostic=reply[0] if reply else "", explanation=words))
    if reply and failure.klass is MailReportClass.unknown:
        failure = classify(Failure(explanation=words))
    addresses: list[str | None] = [*_addresses(fields, words)]
    delayed = bool(_DELAY.search(words.lower())) and ("delay" in subject or "warning" in subject)
    if not addresses and failure.klass is MailReportClass.unknown and not _SUBJECTS.search(subject):
        return []
    if delayed and failure.klass not in (MailReportClass.full, MailReportClass.policy):
        failure = replace(failure, klass=MailReportClass.transient)  # it is tried again, for any reason
    kind = MailReportType.delay if delayed else MailReportType.bounce
    return [
        RecipientReport(kind, failure.klass, address, failure.status, failure.code, visible(words))
        for address in addresses or [None]
    ]


def _addresses(fields: dict[str, str], text: str) -> list[str]:
    failed_recipients = _ADDRESS.findall(fields.get("x-failed-recipients", ""))
    if failed_recipients:
        return failed_recipients[:MOST_RECIPIENTS]
    ours = {address.lower() for name in ("to", "from") for address in _ADDRESS.findall(fields.get(name, ""))}
    addresses = (address.lstrip("'").removeprefix("SMTP=") for address in _ADDRESS.findall(text))
    return [
        address
        for address in dict.fromkeys(addresses)
        if address.lower() not in ours and not re.match(r"mailer-daemon|postmaster", address, re.IGNORECASE)
    ][:1]
