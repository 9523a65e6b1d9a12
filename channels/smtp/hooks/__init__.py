"""Reports of mail providers that come by HTTP: the option `reports` of a DSN names the provider.

a callback ──► verify, as the vendor says ──► read its events ──► MailEvent (channels/port.py) ──► engine/mail_reports
                 │ else BadSignature

| file | provider | what is verified | what brings our token back |
|---|---|---|---|
| `ses.py`, `sns.py` | Amazon SES by SNS | certificate of SNS, topic, time | the header X-Postern-Ref |
| `sendgrid.py` | SendGrid | ECDSA over time and body | unique argument of X-SMTPAPI |
| `mailgun.py` | Mailgun | HMAC over time and a nonce, not over the body | X-Mailgun-Variables |
| `postmark.py` | Postmark | user and password | X-PM-Metadata-postern-ref |
| `resend.py` | Resend | HMAC over id, time and body (Svix) | X-Postern-Ref, or else our Message-ID |
| `brevo.py` | Brevo | a bearer token | X-Mailin-custom |

The token has a signature of ours, so that a message can't be named by guessing. A Message-ID has none: it is believed
only where the provider's signature covers it. Deliveries are not read: the recipient's server has taken an email that
is reported as delivered, and may still return it.
"""

from collections.abc import Callable
from typing import ClassVar, Protocol

from channels.dsn import Dsn
from channels.port import MailHook
from channels.smtp.hooks.brevo import Brevo
from channels.smtp.hooks.mailgun import Mailgun
from channels.smtp.hooks.postmark import Postmark
from channels.smtp.hooks.resend import Resend
from channels.smtp.hooks.sendgrid import SendGrid
from channels.smtp.hooks.ses import Ses


class ProviderHook(MailHook, Protocol):
    """The callbacks of one provider, and the headers that its reports need in an email."""

    source: ClassVar[str]

    def header_fields(self, token: str) -> str:
        """Returns the header fields whose content the provider returns with each report; each ends in CRLF."""


_PROVIDERS: dict[str, Callable[[Dsn], ProviderHook]] = {
    Ses.source: Ses.from_dsn,
    SendGrid.source: SendGrid.from_dsn,
    Postmark.source: Postmark.from_dsn,
    Mailgun.source: Mailgun.from_dsn,
    Brevo.source: Brevo.from_dsn,
    Resend.source: Resend.from_dsn,
}


def hook_of(dsn: Dsn) -> ProviderHook | None:
    """Returns the hook of the provider that `reports` names, or None without that option. Raises BadDsn."""
    name = dsn.text("reports", allowed=tuple(_PROVIDERS))
    return None if name is None else _PROVIDERS[name](dsn)


__all__ = ["ProviderHook", "hook_of"]
