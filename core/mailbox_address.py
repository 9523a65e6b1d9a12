"""The address of a mailbox that is read by IMAP, as a setting names it."""

from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

_PORTS: Final = {"imaps": 993, "imap": 143}


@dataclass(frozen=True, slots=True)
class MailboxAddress:
    """A mailbox as POSTERN_BOUNCE_MAILBOX names it."""

    host: str
    port: int
    encrypted: bool
    user: str
    password: str
    folder: str
    done: str
    idle: bool

    @property
    def name(self) -> str:
        """Returns the parts that identify it, without the password."""
        return f"{self.user}@{self.host}:{self.port}/{self.folder}"

    @classmethod
    def parse(cls, url: str) -> "MailboxAddress":
        """Reads the setting. Raises ValueError, whose text never has the password."""
        how = "it is written imaps://user:password@host/INBOX?done=Processed"
        try:
            parts = urlsplit(url)
            port = parts.port or _PORTS[parts.scheme]
        except (ValueError, KeyError):
            raise ValueError(how) from None
        options = dict(parse_qsl(parts.query))
        if not (parts.hostname and parts.username and parts.password) or options.keys() - {"done", "idle"}:
            raise ValueError(f"{how}, with the options `done` (a folder) and `idle` (0 or 1)")
        if parts.scheme == "imap" and not _is_local(parts.hostname):
            raise ValueError(f"{how}; imap:// is not encrypted, so it is for a server of this machine")
        return cls(
            parts.hostname,
            port,
            parts.scheme == "imaps",
            unquote(parts.username),
            unquote(parts.password),
            unquote(parts.path.strip("/")) or "INBOX",
            options.get("done", "Processed"),
            options.get("idle", "1") != "0",
        )


def _is_local(host: str) -> bool:
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"
