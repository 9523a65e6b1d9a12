"""Sends one HTTP request to a provider, and decides the outcome if no response comes.

It depends on whether the last byte of the body was passed to the kernel. A provider cannot act on an incomplete
body, so before that nothing was accepted (`transient`), and after it the outcome is `unknown`. `core/outbound` knows
where that line was; the CONNECT of a proxy is not our request. Where the client can't tell, the outcome is `unknown`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.request import getproxies, proxy_bypass

import orjson
from yarl import URL

from channels.port import Outcome, Result, Target
from core.outbound import EVERYWHERE, CallFailed, Client, Guard, UrlRefused, retry_after

MAX_BYTES = 65536  # of a response; one about a single message has about a hundredth of it


@dataclass(frozen=True, slots=True)
class Answer:
    """A provider's response. The body may be incomplete, if the connection broke after the status."""

    status: int
    headers: Mapping[str, str]  # names in any case
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """Returns the JSON object in the body; empty if there is none."""
        try:
            value = orjson.loads(self.body)
        except orjson.JSONDecodeError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def retry_after(self) -> float | None:
        """Returns the seconds of the Retry-After header, or None."""
        return retry_after(self.headers.get("retry-after"), self.headers.get("date"))


def provider_client(
    url: URL, *, connections: int, headers: Mapping[str, str], guard: Guard = EVERYWHERE
) -> Client:
    """Returns a client for a provider. The proxy of the environment is used, if there is one.

    `guard`: judges its addresses; by default the operator has chosen them.

    Raises ValueError if that proxy is not an http or https URL.
    """
    proxy = environment_proxy(url)
    return Client(guard, most=MAX_BYTES, connections=connections, headers=headers, proxy=proxy)


def http_target(url: URL) -> Target:
    """Returns the server of a URL."""
    context = EVERYWHERE.tls if url.scheme == "https" else None
    return Target(url.host or "", url.port or 0, context, environment_proxy(url) is not None)


def environment_proxy(url: URL) -> str | None:
    """Returns the proxy that HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names for a URL, unless NO_PROXY excepts it.

    Raises ValueError if it is not an http or https URL.
    """
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(f"{url.host}:{url.port}"):
        return None
    if "://" not in proxy:
        proxy = f"http://{proxy}"
    if URL(proxy).scheme not in ("http", "https"):
        raise ValueError("the proxy in the environment must be an http:// or https:// URL")
    return proxy


async def exchange(
    client: Client, url: URL, *, headers: Mapping[str, str] | None = None, body: bytes, seconds: float
) -> Answer | Outcome:
    """Posts a body; returns the provider's response, or the outcome if there is none.

    `seconds` bound the whole exchange. Raises UrlRefused of the outbound guard.
    """
    try:
        response = await client.send("POST", url, headers=headers, body=body, seconds=seconds)
    except CallFailed as error:
        return _without_answer(error)
    return Answer(response.status, response.headers, response.body)


async def exchange_with_provider(
    client: Client, url: URL, *, headers: Mapping[str, str] | None = None, body: bytes, seconds: float
) -> Answer | Outcome:
    """Works as `exchange` does. A provider whose address is refused is wrongly configured."""
    try:
        return await exchange(client, url, headers=headers, body=body, seconds=seconds)
    except UrlRefused:
        reason = "the provider's address is not public, and POSTERN_OUTBOUND_ALLOW does not permit it"
        return Outcome(Result.misconfigured, code="wrong_address", reason=reason)


def _without_answer(error: CallFailed) -> Outcome:
    if error.may_have_left:
        return Outcome(Result.unknown, code=error.code, reason=error.reason)
    if error.timed_out:
        return Outcome(Result.transient, code=error.code, reason=f"{error.reason}; nothing was sent")
    reason = f"no connection ({words(error.reason)}); nothing was sent"
    return Outcome(Result.transient, code="connect_failed", reason=reason)


def by_status(answer: Answer, reason: str) -> Outcome:
    """Returns the outcome for a status, if the provider's own code decides nothing.

    500, 502 and 504 come after the provider has received the request, so it may have accepted the message; 503
    says that it has not ("currently unable to handle the request", RFC 9110 §15.6.4).
    """
    status = answer.status
    if status == 429:
        return Outcome(Result.throttled, code="throttled", reason=reason, retry_after=answer.retry_after)
    if status in (408, 425, 503):
        return Outcome(Result.transient, code="unavailable", reason=reason, retry_after=answer.retry_after)
    if status >= 500:
        return Outcome(Result.unknown, code="server_error", reason=reason)
    if status in (401, 403, 407):
        return Outcome(Result.misconfigured, code="bad_credentials", reason=reason)
    if status in (404, 405) or 300 <= status < 400:
        return Outcome(Result.misconfigured, code="wrong_address", reason=reason)
    if status == 413:
        return Outcome(Result.refused, code="too_long", reason=reason)
    if status >= 400:
        return Outcome(Result.refused, code="rejected", reason=reason)
    return Outcome(Result.unknown, code="bad_answer", reason=reason)


def words(text: object) -> str:
    """Shortens a provider's text for a reason: one line, without phone numbers and long tokens."""
    line = " ".join(str(text).split()) if isinstance(text, str) else ""
    line = re.sub(r"\+?\d{7,}|[A-Za-z0-9_\-]{40,}", "…", line)
    return line if len(line) <= 200 else f"{line[:199]}…"
