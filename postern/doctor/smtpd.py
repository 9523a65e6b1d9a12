"""Checks of the door for mail programs: its certificate, and whether a process takes mails."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from cryptography import x509

from core.database_options import BadSettings
from core.settings import Settings
from doors import smtp
from postern.doctor.findings import Findings
from runtime.workers import Heartbeat

ROLE = "smtpd"
"""The name of its processes in Redis, beside those of workers."""

_SOON = timedelta(days=14)


def certificate(findings: Findings, settings: Settings) -> None:
    """Checks the addresses and the certificate; nothing if the door is off."""
    if not settings.smtp_listen:
        return
    try:
        smtp.require_usable(settings)
    except BadSettings as error:
        findings.bad(
            "smtp", str(error), "`postern serve` does not start until then; docs/smtp.md has an example."
        )
        return
    where = ", ".join(settings.smtp_listen)
    file = settings.smtp_certificate
    if file is None:
        findings.note(
            "smtp",
            f"{where}: logins in clear, from this machine alone",
            "Set POSTERN_SMTP_CERTIFICATE for others.",
        )
        return
    ends = x509.load_pem_x509_certificate(file.read_bytes()).not_valid_after_utc
    left = ends - datetime.now(UTC)
    if left < timedelta(0):
        findings.bad(
            "smtp",
            f"the certificate {file} has ended on {ends:%Y-%m-%d}: mail programs refuse it",
            "Renew it.",
        )
    elif left < _SOON:
        findings.note(
            "smtp", f"the certificate {file} ends on {ends:%Y-%m-%d}", "Renew it; it is read again by itself."
        )
    else:
        findings.good("smtp", f"{where}; the certificate is valid until {ends:%Y-%m-%d}")


def processes(findings: Findings, settings: Settings, alive: Sequence[Heartbeat]) -> None:
    """Says which processes take mails; nothing if the door is off."""
    if not settings.smtp_listen:
        return
    for each in alive:
        since = datetime.fromtimestamp(each.started, UTC).strftime("%Y-%m-%d %H:%M")
        findings.good("smtp", f"{each.name} takes mails, since {since} UTC")
    if not alive:
        findings.bad(
            "smtp",
            "no process takes mails, though POSTERN_SMTP_LISTEN is set",
            "Start `postern serve`, or `postern smtpd`; the log of either says why it does not listen.",
        )
