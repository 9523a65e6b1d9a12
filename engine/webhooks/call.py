"""Makes one call to a receiver. Nothing that a receiver does raises."""

import time
from dataclasses import dataclass, replace
from typing import Self

import structlog
from yarl import URL

from core.outbound import CallFailed, Client, Guard, UrlRefused
from core.version import __version__

log = structlog.get_logger("postern.webhooks")

SECONDS = 15.0
LARGEST_ANSWER = 64 * 1024
LARGEST_EXCERPT = 1024  # bytes of an answer that are kept
CONNECTIONS = 200  # to one endpoint; the deliveries to it are bounded by themselves
_NO_ANSWER = ("connection_lost", "bad_answer")


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a call."""

    status: int | None
    error: str | None = None  # None: the receiver accepted the event
    retry_after: str | None = None  # the header, as it came; so is `date`
    date: str | None = None
    body: str | None = None  # its beginning, for who looks at the delivery
    seconds: float | None = None


class Caller:
    """Calls one endpoint, on connections of its own, so that no endpoint waits for another.

    `async with` closes them.
    """

    def __init__(self, guard: Guard, url: str) -> None:
        self.client = Client(
            guard,
            seconds=SECONDS,
            most=LARGEST_ANSWER,
            connections=CONNECTIONS,
            headers={"User-Agent": f"Postern/{__version__}"},
        )
        self._guard = guard
        self._url = url
        self._checked: URL | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.client.close()

    async def call(self, headers: dict[str, str], body: bytes, url: str | None = None) -> Answer:
        """Posts an event, to the endpoint or to another URL of its host. The status alone decides."""
        begun = time.perf_counter()
        answer = await self._call(headers, body, url)
        return replace(answer, seconds=time.perf_counter() - begun)

    async def _call(self, headers: dict[str, str], body: bytes, url: str | None) -> Answer:
        try:
            if self._checked is None:
                self._checked = self._guard.check(self._url)
            target = self._checked if url is None else self._guard.check(url)
            response = await self.client.send("POST", target, headers=headers, body=body)
        except UrlRefused as error:
            return Answer(None, f"not called: {error.reason}")
        except CallFailed as error:
            what = "no answer" if error.code in _NO_ANSWER else "no connection"
            what = "no answer in time" if error.timed_out else what
            return Answer(None, f"{what}: {error.reason}"[:200])
        except Exception as error:  # a bug costs this endpoint one attempt, and affects no other
            log.exception("a webhook could not be called", error=type(error).__name__)
            return Answer(None, "not called: an error of ours, which is in the log")
        status = response.status
        text = (
            response.body[:LARGEST_EXCERPT]
            .decode(errors="replace")
            .replace("\0", "\N{REPLACEMENT CHARACTER}")
            or None
        )
        if 200 <= status < 300:
            return Answer(status, body=text)
        what = f"it answered {status}" + (" (redirects are not followed)" if 300 <= status < 400 else "")
        return Answer(status, what, response.headers.get("retry-after"), response.headers.get("date"), text)
