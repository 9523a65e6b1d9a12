"""Prints the findings of `postern doctor`, without secrets."""

import os
import re
import ssl
from collections.abc import Callable
from urllib.parse import unquote

from pydantic import SecretStr

from core import logs
from core.settings import Settings
from shapes.system import Finding, FindingSeverity

Say = Callable[[str], None]

CONNECT_SECONDS = 3.0
HOW_TO_MAKE_A_KEY = "python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"


_SYMBOLS = {FindingSeverity.ok: "✓", FindingSeverity.warning: "!", FindingSeverity.error: "✗"}


class Findings:
    """Collects and prints findings, counts the problems, and masks secrets."""

    def __init__(self, say: Say = lambda _: None) -> None:
        self._say = say
        self._hidden: set[str] = set()
        self.entries: list[Finding] = []
        self.problems = 0

    def good(self, what: str, finding: str) -> None:
        """Reports what is well."""
        self._add(FindingSeverity.ok, what, finding)

    def note(self, what: str, finding: str, advice: str) -> None:
        """Reports what is worth knowing, and what to do."""
        self._add(FindingSeverity.warning, what, finding, advice)

    def bad(self, what: str, finding: str, advice: str) -> None:
        """Reports a problem, and what to do about it."""
        self.problems += 1
        self._add(FindingSeverity.error, what, finding, advice)

    def hide(self, *texts: str | None) -> None:
        """Masks these texts in every line. Texts of up to 3 characters are not masked: they are part of many words."""
        self._hidden.update(text for text in texts if text and len(text) > 3)

    def _add(self, severity: FindingSeverity, what: str, finding: str, advice: str = "") -> None:
        finding, advice = self._masked(finding), self._masked(advice)
        self.entries.append(Finding(severity=severity, topic=what, text=finding, advice=advice or None))
        self._say(
            f"{_SYMBOLS[severity]} {what:<11} {finding}" + (f"\n              → {advice}" if advice else "")
        )

    def _masked(self, text: str) -> str:
        for secret in sorted(self._hidden, key=len, reverse=True):
            text = text.replace(secret, "***")
        return logs.redact(text)


def hide_secrets(findings: Findings, settings: Settings) -> None:
    """Masks all secrets of these settings, and the passwords in their URLs."""
    for name in Settings.model_fields:
        value = getattr(settings, name)
        for secret in value if isinstance(value, list) else [value]:
            if isinstance(secret, SecretStr):
                findings.hide(secret.get_secret_value())
    servers = (settings.db_string, settings.db_direct_string, settings.redis_url)
    urls = [secret.get_secret_value() for secret in servers if secret]
    for url in (*urls, settings.channel_email, settings.channel_sms, settings.channel_push):
        for raw in re.findall(r"://[^\s/?#@]*?:([^\s@]*)@", url):
            findings.hide(raw, unquote(raw))


def why(error: BaseException) -> str:
    """Returns the cause of an error in a few words."""
    if isinstance(error, TimeoutError):
        return f"no answer within {CONNECT_SECONDS:g} s"
    if isinstance(error, ssl.SSLError):
        return error.reason or "TLS failed"
    if isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    numbers = set(re.findall(r"\[Errno (\d+)\]", str(error)))
    if isinstance(error, OSError) and len(numbers) == 1:  # one for each address of the host, all alike
        return os.strerror(int(numbers.pop()))
    return str(error) or type(error).__name__
