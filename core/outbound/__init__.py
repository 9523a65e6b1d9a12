"""Calls to other servers: the guard, and the HTTP client whose every connection it judges.

The rule (SSRF, OWASP API7:2023): a URL of a user's (webhooks, media, Web Push endpoints, proxies) may lead to public
addresses only. `Guard.check` reads the URL without the network; `Guard.probe` also resolves the name, for the moment
when a URL is saved; `Client` is for the moment when it is used. Only the client protects: a name may resolve to another
address a second later, so the client judges the very address to which it connects, for each new connection. TLS is
verified for the name.

    URL ──► Guard.check ──► Client.send ──► aiohttp's pool ──► Connector: resolve, judge, connect, TLS
                                │
                                └──► Response (bounded, decompressed), or CallFailed: may the request have left?

| file | what it has |
|---|---|
| `guard.py` | the judgement of URLs and addresses |
| `client.py` | one request and its response, or why there is none |
| `connector.py` | how a connection is made, judged, and taken from the pool |
| `body.py` | the bounds of a response's body |
| `errors.py` | UrlRefused, CallFailed |
| `retry_header.py` | when a server wants to be asked again |
"""

from core.outbound.client import Client, Response
from core.outbound.errors import CallFailed, UrlRefused
from core.outbound.guard import EVERYWHERE, Guard, configure, shared
from core.outbound.retry_header import retry_after

__all__ = [
    "EVERYWHERE",
    "CallFailed",
    "Client",
    "Guard",
    "Response",
    "UrlRefused",
    "configure",
    "retry_after",
    "shared",
]
