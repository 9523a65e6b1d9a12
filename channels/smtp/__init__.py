"""Email by SMTP: `smtp://user:password@host:587?from=news@example.com`, `smtps://` for TLS from the first byte.

Options: `from` (required, a display name is allowed), `pool` (connections, 8), `timeout` (seconds a step, 60),
`pipelining` (1), `starttls` (auto, required, off), `ca` (file of further trusted certificates), `helo` (the name that
we send), `bounce` (a domain for bounces), `reports` with `topic` or `secret` (a provider's callbacks), `insecure`
(credentials in clear and any certificate). docs/channels.md explains them to users.
"""

from channels.smtp.channel import SmtpChannel

__all__ = ["SmtpChannel"]
