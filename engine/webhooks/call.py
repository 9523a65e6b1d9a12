"""Makes one call to a receiver. Nothing that a receiver does raises."""

from dataclasses import dataclass
from typing import Self

import httpx
import structlog

from core.outbound import Guard, UrlRefused
from core.version import __version__

log = structlog.get_logger("postern.webhooks")

SECONDS = 15.0
LARGEST_ANSWER = 64 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a call."""

    status: int | None
    error: str | None = None  # None: the receiver accepted the event
    retry_after: str | None = None


class Caller:
    """Calls one endpoint, on connections of its own, so that no endpoint waits for another.

    `async with` closes them.
    """

    def __init__(self, guard: Guard, url: str) -> None:
        self.client = guard.client(
            timeout=SECONDS, max_bytes=LARGEST_ANSWER, headers={"User-Agent": f"Postern/{__version__}"}
        )
        self._url = url
        self._first: httpx.Request | None = None

    async def __aenter__(self) -> Self:
        await self.client.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.client.aclose()

    async def call(self, headers: dict[str, str], body: bytes) -> Answer:
        """Posts an event. The status alone decides; the answer's body is read only to keep the connection."""
        try:
            response = await self.client.send(self._request(headers, body), stream=True)
        except UrlRefused as error:
            return Answer(None, f"not called: {error.reason}")
        except httpx.ConnectError as error:
            return Answer(None, f"no connection: {_reason(error)}")
        except httpx.TimeoutException as error:
            return Answer(None, f"no answer in time: {_reason(error)}")
        except httpx.HTTPError as error:
            return Answer(None, f"no answer: {_reason(error)}")
        except Exception as error:  # a bug costs this endpoint one attempt, and affects no other
            log.exception("a webhook could not be called", error=type(error).__name__)
            return Answer(None, "not called: an error of ours, which is in the log")
        try:
            async for _ in response.aiter_raw():
                pass
        except Exception:  # noqa: S110  a body that is too slow, too long or broken changes nothing
            pass
        finally:
            await _close(response)
        status = response.status_code
        if 200 <= status < 300:
            return Answer(status)
        what = f"it answered {status}" + (" (redirects are not followed)" if 300 <= status < 400 else "")
        return Answer(status, what, response.headers.get("retry-after"))

    def _request(self, headers: dict[str, str], body: bytes) -> httpx.Request:
        """Builds a request from the first one: `client.build_request` would parse the URL and merge the headers each
        time."""
        if self._first is None:
            self._first = self.client.build_request("POST", self._url)
            del self._first.headers["content-length"]
        more = [(name.encode(), value.encode()) for name, value in headers.items()]
        return httpx.Request(
            "POST",
            self._first.url,
            headers=[*self._first.headers.raw, *more],
            content=body,
            extensions=dict(self._first.extensions),
        )


async def _close(response: httpx.Response) -> None:
    try:
        await response.aclose()
    except Exception as error:
        log.debug("a connection could not be closed", error=type(error).__name__)


def _reason(error: httpx.HTTPError) -> str:
    """Returns the library's text, which contains addresses but not the path."""
    return (str(error) or type(error).__name__)[:200]
