"""Questions to the DNS: bounded in time and size, by the machine's servers or those of POSTERN_DNS_SERVERS."""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any, Final

import dns.asyncresolver
import dns.exception
import dns.name
import dns.resolver

SECONDS: Final = 5.0
"""The time that one question may take, with all servers and repetitions."""

_SERVER: Final = re.compile(
    r"(?:\[(?P<bracketed>[^\[\]]+)\]|(?P<host>[^:\[\]]+))(?::(?P<port>\d{1,6}))?", re.ASCII
)
_MOST_ANSWERS: Final = 50
_LONGEST: Final = 4_096  # characters of an answer


class DnsFailed(Exception):
    """The DNS gave no answer, so it is not known whether there is one. The text says why."""


class DnsLookup:
    """Asks the DNS. No answer is kept: people look at a record that they have just changed."""

    def __init__(self, servers: Sequence[str] = ()) -> None:
        """`servers`: `address` or `address:port`; none: those of the machine."""
        self._servers = [server_of(text) for text in servers]

    async def txt(self, name: str) -> list[str]:
        """Returns the TXT records of a name, each in one piece. Raises DnsFailed."""
        answers = await self.ask(name, "TXT")
        return [
            b"".join(record.strings).decode("utf-8", "replace")[:_LONGEST]
            for record in answers[:_MOST_ANSWERS]
        ]

    async def ask(self, name: str, kind: str) -> list[Any]:
        """Returns the records of a name, `[]` if there are none. Raises DnsFailed."""
        try:
            answer = await self._resolver().resolve(name, kind, lifetime=SECONDS, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except dns.resolver.NoNameservers:
            raise DnsFailed(f"the servers of {name} answer with an error") from None
        except dns.exception.Timeout:
            raise DnsFailed(f"no answer about {name} within {SECONDS:g} s") from None
        except (dns.exception.DNSException, OSError, ValueError) as error:
            raise DnsFailed(f"{name} can't be asked for: {type(error).__name__}") from None
        return [*answer][:_MOST_ANSWERS]

    def _resolver(self) -> dns.asyncresolver.Resolver:
        """Returns a resolver. Reading the machine's configuration each time follows its changes."""
        resolver = dns.asyncresolver.Resolver(configure=not self._servers)
        if self._servers:
            resolver.nameservers = [host for host, _ in self._servers]
            resolver.nameserver_ports = dict(self._servers)
        return resolver


def server_of(text: str) -> tuple[str, int]:
    """Returns address and port of a DNS server. Raises ValueError."""
    match = _SERVER.fullmatch(text)
    host, port = (match["bracketed"] or match["host"], match["port"] or "53") if match else (text, "53")
    if not 0 < int(port) < 65_536:
        raise ValueError(f"a DNS server is written address or address:port; got {text!r}")
    return str(ip_address(host)), int(port)
