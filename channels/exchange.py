"""One HTTP request to a provider, and what can honestly be said when no answer comes.

The line is drawn where the last byte of the body is given to the kernel: a provider cannot act on a request
whose body it does not have whole, so before that nothing was taken (`transient`), and after it nobody knows
(`unknown`). httpx's exceptions do not show that line (its HTTP/1.1 swallows write errors and reads on, and a
deadline of ours may fall anywhere), so httpcore's trace is followed. It also runs for the CONNECT of a proxy,
which is not our request.
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

MAX_BYTES = 65536  # of an answer; what a provider says about one message fits in a hundredth of it


@dataclass(frozen=True, slots=True)
class Answer:
    """A provider's answer. The body is what came of it, when the connection broke after the status."""

    status: int
    headers: httpx.Headers
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        """The body's JSON object; empty where there is none."""
        try:
            value = orjson.loads(self.body)
        except orjson.JSONDecodeError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def retry_after(self) -> float | None:
        return retry_after(self.headers.get("retry-after"), self.headers.get("date"))


async def exchange(client: httpx.AsyncClient, request: httpx.Request, *, seconds: float) -> Answer | Outcome:
    """The provider's answer, or the outcome when there is none. `seconds` bound the whole exchange.

    Raises what a transport raises that is no failure of the network (the outbound guard's UrlRefused).
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
    """The body, or what came of it: with the status known, a broken body is no reason to know nothing."""
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
    """httpx's iterator is a generator; left half-read it would be closed by the collector, some time."""
    return aclosing(cast("AsyncGenerator[bytes]", pieces))


class _Progress:
    """Listens to httpcore's trace; see the module's text."""

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
                # The peer had closed before the body was handed over. A time-out here is different: the
                # kernel may yet send what is in its buffer.
                self.may_have_left = False
            case "http11.receive_response_headers.failed":
                # h11 is the cause where bytes came that are not HTTP; nothing is, where nothing came.
                self.garbled = info["exception"].__cause__ is not None


def by_status(answer: Answer, reason: str) -> Outcome:
    """What a status says where the provider's own code says nothing.

    500, 502 and 504 come after the request was taken in, and the message may have been; 503 says that it
    was not ("currently unable to handle the request", RFC 9110 §15.6.4).
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
    """Seconds from a Retry-After header, a number or a date (RFC 9110 §10.2.3); None when unreadable.

    `date` is the same answer's Date header: a date counts from there, whatever our own clock says.
    """
    if value is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", value.strip()):
        return float(value)
    when = _moment(value)
    if when is None:
        return None
    said = _moment(date) if date is not None else None
    return max(0.0, (when - (said or datetime.now(UTC))).total_seconds())


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # a year or an hour of twenty digits
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def words(text: object) -> str:
    """A provider's words made fit for a reason: one short line, without phone numbers and long tokens."""
    line = " ".join(str(text).split()) if isinstance(text, str) else ""
    line = re.sub(r"\+?\d{7,}|[A-Za-z0-9_\-]{40,}", "…", line)
    return line if len(line) <= 200 else f"{line[:199]}…"
