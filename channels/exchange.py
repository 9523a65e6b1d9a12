"""Sends one HTTP request to a provider, and decides the outcome if no response comes.

It depends on whether the last byte of the body was passed to the kernel. A provider cannot act on an incomplete
body, so before that nothing was accepted (`transient`), and after it the outcome is `unknown`. httpx's exceptions do
not tell the two apart (its HTTP/1.1 ignores write errors and goes on reading, and our deadline may fall anywhere), so
httpcore's trace is used. The trace also covers the CONNECT of a proxy, which is not our request.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, cast

import httpcore
import httpx
import orjson

from channels.port import Outcome, Result

MAX_BYTES = 65536  # of a response; one about a single message has about a hundredth of it


@dataclass(frozen=True, slots=True)
class Answer:
    """A provider's response. The body may be incomplete, if the connection broke after the status."""

    status: int
    headers: httpx.Headers
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The JSON object in the body; empty if there is none."""
        try:
            value = orjson.loads(self.body)
        except orjson.JSONDecodeError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def retry_after(self) -> float | None:
        """The seconds of the Retry-After header, or None."""
        return retry_after(self.headers.get("retry-after"), self.headers.get("date"))


async def exchange(client: httpx.AsyncClient, request: httpx.Request, *, seconds: float) -> Answer | Outcome:
    """Returns the provider's response, or the outcome if there is none. `seconds` bound the whole exchange.

    Raises errors of the transport that are not network failures (UrlRefused of the outbound guard).
    """
    progress = _Progress()
    request.extensions = {**request.extensions, "trace": progress}
    deadline = asyncio.get_running_loop().time() + seconds
    try:
        async with asyncio.timeout_at(deadline):
            response = await client.send(request, stream=True)
        return Answer(response.status_code, response.headers, await _read(response, deadline))
    except (TimeoutError, httpx.TimeoutException) as error:
        if progress.may_have_left:
            return Outcome(Result.unknown, code="timeout", reason=f"no answer within {seconds:g} s")
        busy = isinstance(error, httpx.PoolTimeout)
        return Outcome(
            Result.transient,
            code="busy" if busy else "connect_timeout",
            reason=f"no {'free connection' if busy else 'connection'} within {seconds:g} s; nothing was sent",
        )
    except httpx.RequestError as error:
        if not progress.may_have_left:
            what = words(str(error)) or type(error).__name__
            return Outcome(
                Result.transient, code="connect_failed", reason=f"no connection ({what}); nothing was sent"
            )
        if isinstance(error, httpx.RemoteProtocolError) and progress.garbled:
            return Outcome(Result.unknown, code="bad_answer", reason="the answer is not HTTP")
        return Outcome(
            Result.unknown, code="connection_lost", reason="the connection broke before an answer came"
        )


async def _read(response: httpx.Response, deadline: float) -> bytes:
    """Returns the body, as far as it was received: the status alone is enough for an outcome."""
    body = bytearray()
    try:
        async with (
            asyncio.timeout_at(deadline),
            aclosing(response),
            _closing(response.aiter_bytes()) as pieces,
        ):
            async for piece in pieces:
                body += piece
                if len(body) > MAX_BYTES:
                    break
    except (TimeoutError, httpx.RequestError):
        pass
    return bytes(body[:MAX_BYTES])


def _closing(pieces: AsyncIterator[bytes]) -> aclosing[AsyncGenerator[bytes]]:
    """Closes httpx's iterator, a generator, which would otherwise stay open until garbage collection."""
    return aclosing(cast("AsyncGenerator[bytes]", pieces))


class _Progress:
    """Follows httpcore's trace; see the module's docstring."""

    def __init__(self) -> None:
        self.may_have_left = False
        self.garbled = False
        self._tunnel = False

    async def __call__(self, name: str, info: dict[str, Any]) -> None:
        match name:
            case "http11.send_request_headers.started":
                self._tunnel = info["request"].method == b"CONNECT"
            case "http11.send_request_body.started" if not self._tunnel:
                self.may_have_left = True
            case "http11.send_request_body.failed" if isinstance(info["exception"], httpcore.WriteError):
                # The peer had closed before the whole body was passed on. A timeout here is different: the
                # kernel may still send what is in its buffer.
                self.may_have_left = False
            case "http11.receive_response_headers.failed":
                # h11's error is the cause if bytes came that are not HTTP; without any bytes there is no cause.
                self.garbled = info["exception"].__cause__ is not None


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


def retry_after(value: str | None, date: str | None = None) -> float | None:
    """Returns the seconds of a Retry-After header, a number or a date (RFC 9110 §10.2.3); None if invalid.

    `date` is the Date header of the same response: a date is relative to it, not to our own clock.
    """
    if value is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", value.strip()):
        return float(value)
    when = _moment(value)
    if when is None:
        return None
    sent_at = _moment(date) if date is not None else None
    return max(0.0, (when - (sent_at or datetime.now(UTC))).total_seconds())


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # for example a year or an hour of twenty digits
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def words(text: object) -> str:
    """Shortens a provider's text for a reason: one line, without phone numbers and long tokens."""
    line = " ".join(str(text).split()) if isinstance(text, str) else ""
    line = re.sub(r"\+?\d{7,}|[A-Za-z0-9_\-]{40,}", "…", line)
    return line if len(line) <= 200 else f"{line[:199]}…"
