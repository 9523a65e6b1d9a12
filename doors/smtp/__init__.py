"""SMTP submission (RFC 6409), the door for programs that send their mail through a mail server.

a mail program ──► server.py: listeners, certificate, the end of the process
                      │
                   connection.py: STARTTLS or TLS, AUTH, MAIL, RCPT, DATA (aiosmtpd; a bare CR or LF ends it)
                      │                 │          │       │
                   door.py: room for connections, memory   │
                      │                 ▼          ▼       ▼
                   resolvers/submissions:  log_in · check · submit ──► all messages of a mail, in one transaction
                      │
                   replies.py: an error ──► 4xx: come again · 5xx: never

The envelope sender of a client is ignored: ours is in the return path of each message.
"""

from doors.smtp.server import serve
from doors.smtp.tls import require_usable

__all__ = ["require_usable", "serve"]
