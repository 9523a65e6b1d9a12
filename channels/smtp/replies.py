"""The meaning of a mail server's replies (RFC 5321, 4.2; enhanced status codes: RFC 3463)."""

import re
from dataclasses import replace
from typing import Final

from aiosmtplib.response import SMTPResponse

from channels.port import Outcome, Result

_ENHANCED = re.compile(r"[245]\.\d{1,3}\.\d{1,3}\b")
_TOO_FAST = re.compile(
    r"\brate\b|rate.?limit|throttl|too (many|fast|much)|slow down|limit exceeded", re.IGNORECASE
)
_GREYLISTED = re.compile(r"gr[ea]y.?list", re.IGNORECASE)
_WAIT = re.compile(r"\b(\d{1,5})\s*(s|sec|second|m|min|minute)s?\b", re.IGNORECASE)
# Enhanced statuses (RFC 3463) that are more exact than "refused".
_REFUSALS = {
    "5.1": "invalid_recipient",
    "5.2.1": "invalid_recipient",
    "5.2.2": "mailbox_full",
    "5.2.3": "too_large",
    "5.3.4": "too_large",
    "5.7": "rejected",
}
# "Authentication required", "mechanism too weak", "credentials invalid", "encryption required": RFC 4954, 6.
_CREDENTIALS = frozenset({530, 534, 535, 538})
# Servers also say so with other codes: Postfix refuses to relay with 454 or 554 4.7.1, Exim and Sendmail with 550, and
# it depends on the server's settings whether a missing login is 530 or 550. All of it concerns our login at this server
# or its list of clients, never the message.
_ADDRESS = re.compile(r"<[^<>]*>")  # the recipient's address, which must not be taken for the server's words
_OF_RECIPIENT: Final = ("RCPT TO", "DATA", "content")  # the steps after the recipient is named
_NOT_LOGGED_IN = re.compile(
    r"relay(ing)? (access )?(is )?(denied|not (permitted|allowed))|(unable|not (permitted|allowed)) to relay"
    r"|authentication (is )?required|must (be )?authenticated?\b|not (been )?authenticated|authenticate first",
    re.IGNORECASE,
)


def read_reply(step: str, reply: SMTPResponse) -> Outcome | None:
    """Returns the outcome for a reply to `step` (MAIL FROM, RCPT TO, DATA, content, …); None if it is positive."""
    if reply.code // 100 == (3 if step == "DATA" else 2):
        return None
    return replace(_failure(step, reply), at_recipient=step in _OF_RECIPIENT)


def _failure(step: str, reply: SMTPResponse) -> Outcome:
    match = _ENHANCED.search(reply.message)
    status = match.group() if match else ""
    reason = f"{step}: {reply.code} {reply.message}".strip()
    wait = _WAIT.search(reply.message)
    retry_after = int(wait[1]) * (60.0 if wait[2][0] in "mM" else 1.0) if wait else None
    words = _ADDRESS.sub("", reply.message)
    if reply.code in _CREDENTIALS or (step != "content" and _NOT_LOGGED_IN.search(words)):
        return Outcome(Result.misconfigured, code="bad_credentials", reason=reason)
    if reply.code >= 500:
        if status == "5.4.5":  # Gmail and others report a used-up quota so: it is not the message's fault
            return Outcome(Result.throttled, code="throttled", reason=reason, retry_after=retry_after)
        code = _REFUSALS.get(status) or _REFUSALS.get(status.rpartition(".")[0])
        if code is None and reply.code == 552:
            code = "too_large"
        if step == "MAIL FROM" and code != "too_large":  # this step names only our own address
            return Outcome(Result.misconfigured, code="sender_refused", reason=reason)
        fallback = "invalid_recipient" if step == "RCPT TO" else "rejected"
        return Outcome(Result.refused, code=code or fallback, reason=reason)
    # Greylisting also uses 4.7.1 but concerns one recipient: other messages need not slow down.
    if not _GREYLISTED.search(reply.message) and (
        status.startswith("4.7.") or (reply.code in {421, 450, 451, 452} and _TOO_FAST.search(reply.message))
    ):
        return Outcome(Result.throttled, code="throttled", reason=reason, retry_after=retry_after)
    return Outcome(Result.transient, code="server_busy", reason=reason, retry_after=retry_after)
