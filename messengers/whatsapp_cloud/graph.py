"""Meta's Graph API over HTTP: pooled, bounded, and exact about whether a request may have been executed.

A request may have been executed once all of its body may have left (`core/outbound` knows): then the error is
Uncertain, before that Unreachable.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp
import orjson
from yarl import URL

from core import outbound
from core.outbound import EVERYWHERE, CallFailed, Client, Response, UrlRefused
from messengers.port import Refused, Uncertain, Unreachable
from messengers.proxy import BadProxy, parse
from messengers.whatsapp_cloud import errors
from messengers.whatsapp_cloud.socks import dial_through

SECONDS: Final = 25.0  # for a call; callers wait 30 seconds
UPLOAD_SECONDS: Final = 60.0
MOST_BYTES: Final = 1024 * 1024  # bytes of an answer
_CONNECTIONS: Final = 50  # connections of one pool
_HEADERS: Final = {"accept": "application/json"}
# The hosts of Meta's file URLs. The access token is sent nowhere else.
_MEDIA_HOSTS: Final = (".fbsbx.com", ".facebook.com", ".fbcdn.net", ".whatsapp.net")


@dataclass(frozen=True, slots=True)
class Token:
    """An access token that no log line shows."""

    value: str = field(repr=False)


class Graph:
    """The HTTP clients of one process: one for all accounts without a proxy, and one for each proxy in use."""

    def __init__(self, base: str) -> None:
        self.base = base.rstrip("/")
        self._pools: dict[str | None, tuple[Client, int]] = {}  # client and number of users

    def join(self, proxy: str | None) -> Client:
        """Returns the client of a proxy; release it with `leave`. Raises Unreachable if the proxy can't be used."""
        client, users = self._pools.get(proxy) or (self._open(proxy), 0)
        self._pools[proxy] = (client, users + 1)
        return client

    async def leave(self, proxy: str | None) -> None:
        """Releases the client of a proxy."""
        client, users = self._pools.pop(proxy, (None, 0))
        if client is None:  # already closed
            return
        if users > 1 or proxy is None:  # the client without a proxy stays open
            self._pools[proxy] = (client, users - 1)
        else:
            await client.close()

    async def close(self) -> None:
        while self._pools:
            await self._pools.popitem()[1][0].close()

    async def call(
        self,
        client: Client,
        token: Token,
        method: str,
        path: str,
        *,
        effect: bool = False,
        params: Mapping[str, str] | None = None,
        json: Any = None,
        form: aiohttp.FormData | None = None,
    ) -> dict[str, Any]:
        """Returns the JSON object that Meta answers. Raises MessengerError."""
        url = URL(f"{self.base}/{path}")
        if params is not None:
            url = url.with_query(params)
        headers = {"authorization": f"Bearer {token.value}"}
        body: bytes | aiohttp.FormData | None = form
        if json is not None:
            headers["content-type"] = "application/json"
            body = orjson.dumps(json)
        seconds = SECONDS if form is None else UPLOAD_SECONDS
        answer = await exchange(
            client, method, url, headers=headers, body=body, seconds=seconds, most=MOST_BYTES, effect=effect
        )
        try:
            value = orjson.loads(answer.body) if answer.status == 200 else None
        except orjson.JSONDecodeError:
            value = None
        if not isinstance(value, dict) or "error" in value:
            raise errors.of(answer.status, answer.body, answer.headers, effect=effect)
        return value

    async def download(self, client: Client, token: Token, url: str, most: int) -> bytes:
        """Returns the file at a URL that Meta gave. Raises MessengerError."""
        where = self._trusted(url)
        if where is None:
            raise Refused(
                "Meta returned a file address that does not belong to Meta. The file was not downloaded; try"
                " again later.",
                code="media_unavailable",
            )
        headers = {"authorization": f"Bearer {token.value}"}
        answer = await exchange(client, "GET", where, headers=headers, seconds=UPLOAD_SECONDS, most=most)
        if answer.status in (404, 410):
            raise Refused(
                "Meta no longer stores this file. It can't be downloaded.", code="media_unavailable"
            )
        if answer.status != 200:
            raise errors.of(answer.status, answer.body, answer.headers, effect=False)
        if answer.truncated:
            raise Refused(
                f"The file is larger than {most >> 20} MiB. Open it in the messenger itself.",
                code="media_too_large",
            )
        return answer.body

    def _trusted(self, url: str) -> URL | None:
        """Returns a file's address as it will be called, or None if it does not belong to Meta."""
        try:
            # A signed address stays as it was given: to decode and encode it again could break the signature.
            there = URL(url, encoded=url.isascii() and url.isprintable() and " " not in url)
            ours = URL(self.base)
            if (there.scheme, there.raw_authority) == (ours.scheme, ours.raw_authority):
                return there
            host = f".{there.raw_host or ''}"
            if there.scheme == "https" and there.port == 443 and host.endswith(_MEDIA_HOSTS):
                return there
        except ValueError:
            pass
        return None

    def _open(self, proxy: str | None) -> Client:
        if proxy is None:
            return Client(EVERYWHERE, connections=_CONNECTIONS, headers=_HEADERS)
        try:
            way = parse(proxy)
        except BadProxy as error:
            raise Unreachable(f"The account's proxy can't be used: {error}.", code="bad_proxy") from None
        guard = outbound.shared()
        if way.scheme in ("socks5", "socks5h"):
            dial = dial_through(way, guard)
            return Client(guard, connections=_CONNECTIONS, headers=_HEADERS, dial=dial)
        return Client(guard, connections=_CONNECTIONS, headers=_HEADERS, proxy=way.url)


async def exchange(
    client: Client,
    method: str,
    url: URL,
    *,
    headers: Mapping[str, str],
    body: bytes | aiohttp.FormData | None = None,
    seconds: float,
    most: int,
    effect: bool = False,
) -> Response:
    """Sends a request. Raises Unreachable, and Uncertain if it has an effect and may have been sent."""
    try:
        return await client.send(method, url, headers=headers, body=body, seconds=seconds, most=most)
    except UrlRefused:  # nothing but a proxy is judged
        raise Unreachable(
            "The account's proxy has an address that is not allowed.", code="proxy_failed"
        ) from None
    except CallFailed as error:
        if error.code == "proxy_failed":
            raise Unreachable(
                "The account's proxy refuses the connection or does not answer as a proxy.",
                code="proxy_failed",
            ) from None
        if error.timed_out:
            why = "Meta did not answer in time"
        else:
            why = "The connection broke" if error.may_have_left else "Meta can't be reached"
        if error.may_have_left and effect:
            raise Uncertain(f"{why}; the message may have been sent. A report will tell.") from None
        raise Unreachable(f"{why}; nothing was done.") from None
