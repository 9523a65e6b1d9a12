"""Clients of OAuth: who they are, and where their codes may go.

A client is known by a document that it publishes under its own id (Client ID Metadata Documents), or is registered
here by the operator or, if that is switched on, by itself (RFC 7591). None of them has a secret: they are programs on
people's machines, and prove themselves by PKCE (RFC 7636).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import orjson
from cachetools import TTLCache

from core.errors import BadRequest, UpstreamFailed
from core.outbound import CallFailed, Client, UrlRefused
from db import models
from db.query import of, p
from runtime.operation import Op
from runtime.origins import is_loopback

_SECONDS: Final = 5.0
_BYTES: Final = 16 * 1024
_REMEMBERED_SECONDS: Final = 600
_LONGEST_NAME: Final = 100
_MOST_REDIRECTS: Final = 50
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]{2,60}")
_NO_PROGRAMS: Final = frozenset(
    {
        "about",
        "blob",
        "data",
        "file",
        "filesystem",
        "ftp",
        "http",
        "javascript",
        "vbscript",
        "view-source",
        "ws",
        "wss",
    }
)
_REGISTERED = of(models.AgentClient, models.AgentClient.client_id == p("client_id"))


@dataclass(frozen=True, slots=True)
class AgentClient:
    """A client: its name, the site that vouches for it, and where its codes may go."""

    id: str
    name: str
    host: str | None
    redirect_uris: tuple[str, ...]

    def allows(self, redirect_uri: str) -> bool:
        """Returns whether a code may go there: the same text, or the same loopback address with any port, since a
        program on a person's machine listens on a free one (RFC 8252 §7.3).
        """
        if redirect_uri in self.redirect_uris:
            return True
        asked = _without_port(redirect_uri)
        return asked is not None and any(asked == _without_port(each) for each in self.redirect_uris)


class _Documents:
    """Fetches the documents of clients, and remembers them for ten minutes."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._read: TTLCache[str, AgentClient] = TTLCache(1_000, _REMEMBERED_SECONDS)

    async def get(self, url: str) -> AgentClient:
        """Returns the client of a document. Raises BadRequest, UpstreamFailed."""
        client = self._read.get(url)
        if client is None:
            client = self._read[url] = _of_document(url, await self._fetched(url))
        return client

    async def _fetched(self, url: str) -> bytes:
        try:
            answer = await self._client.send("GET", url, headers={"Accept": "application/json"})
        except UrlRefused as refused:
            raise _unknown(f"Its address is refused: {refused.reason}") from refused
        except CallFailed as failed:
            raise UpstreamFailed(
                f"The client's document at {url} can't be read: {failed.reason}", code="client_unreachable"
            ) from failed
        if answer.status != 200 or answer.truncated:
            raise _unknown(f"Its document at {url} answers {answer.status}, or has more than {_BYTES} bytes.")
        return answer.body

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()


async def client_of(op: Op, client_id: str) -> AgentClient:
    """Returns a client by its id. Raises BadRequest (`unknown_client`), UpstreamFailed (`client_unreachable`)."""
    if not client_id.startswith("https://"):
        row = await _REGISTERED.first(op.db, client_id=client_id)
        if row is None:
            raise _unknown("It is no address of a document, and is not registered here.")
        return AgentClient(row.client_id, row.name, None, tuple(row.redirect_uris))
    if not _is_plain(client_id):
        raise _unknown("The address of its document has characters that are not plain ASCII.")
    try:
        parts = urlsplit(client_id)
    except ValueError as error:
        raise _unknown("Its id is no address.") from error
    if (
        parts.path in ("", "/")
        or parts.fragment
        or parts.username is not None
        or ".." in parts.path.split("/")
    ):
        raise _unknown("The address of its document needs a path, and no fragment and no user.")
    guard = op.services.guard
    documents = op.services.single(
        _Documents, lambda: _Documents(Client(guard, seconds=_SECONDS, most=_BYTES)), _Documents.close
    )
    return await documents.get(client_id)


def _of_document(url: str, body: bytes) -> AgentClient:
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise _unknown(f"Its document at {url} is no JSON.") from error
    if not isinstance(document, Mapping) or document.get("client_id") != url:
        raise _unknown(f"Its document at {url} has another client_id.")
    uris = document.get("redirect_uris")
    if not isinstance(uris, list) or not 1 <= len(uris) <= _MOST_REDIRECTS:
        raise _unknown(f"Its document at {url} has no redirect_uris.")
    if document.get("token_endpoint_auth_method", "none") != "none":
        raise _unknown(
            "It wants to prove itself by a secret; only clients with PKCE and no secret are served."
        )
    allowed = tuple(each for each in uris if isinstance(each, str) and is_redirect(each))
    name = document.get("client_name")
    host = urlsplit(url).hostname or url
    return AgentClient(url, _plain(name) if isinstance(name, str) else host, host, allowed)


def is_redirect(uri: Any) -> bool:
    """Returns whether a code may be sent there at all: https, a loopback address, or a scheme of a program."""
    try:
        parts = urlsplit(uri)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    if parts.fragment or parts.username is not None or not _is_plain(uri):
        return False
    if parts.scheme == "https":
        return bool(host)
    if parts.scheme == "http":
        return is_loopback(host or "")
    return _SCHEME.fullmatch(parts.scheme) is not None and parts.scheme not in _NO_PROGRAMS


def _is_plain(uri: str) -> bool:
    """Returns whether browsers and Python read the address alike, and people see it as it is."""
    return all(32 < ord(each) < 127 and each not in '\\{}<>^`|"' for each in uri)


def host_of(redirect_uri: str) -> str:
    """Returns where a code goes, for people: a host, or the scheme of a program."""
    parts = urlsplit(redirect_uri)
    return parts.hostname if parts.scheme in ("http", "https") and parts.hostname else f"{parts.scheme}:"


def is_local(redirect_uri: str) -> bool:
    """Returns whether a code goes to a loopback address of the person's own machine."""
    parts = urlsplit(redirect_uri)
    return parts.scheme == "http" and is_loopback(parts.hostname or "")


def _without_port(uri: str) -> tuple[str, str, str, str] | None:
    """Returns a loopback address without its port; None for all others."""
    parts = urlsplit(uri)
    if parts.scheme != "http" or not is_loopback(parts.hostname or "") or parts.fragment:
        return None
    return parts.scheme, parts.hostname or "", parts.path, parts.query


def _plain(name: str) -> str:
    """Returns a name as text on one line."""
    return "".join(each for each in name if each.isprintable())[:_LONGEST_NAME].strip() or "?"


def _unknown(why: str) -> BadRequest:
    return BadRequest(f"This client can't be connected. {why}", code="unknown_client")
