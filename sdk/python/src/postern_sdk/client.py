"""Sends the requests of the generated operations: credentials, idempotency keys, retries, errors."""

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, Self, TypeVar
from uuid import uuid4

import httpx

from .errors import ConnectionFailed, PosternError, error_of
from .retries import Retries, is_sent_again, is_sent_again_after, maybe_done, retry_after
from .version import __version__

T = TypeVar("T")
_KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request of an operation, and the reader of its answer."""

    request: dict[str, Any]  # arguments of httpx.Client.request
    parse: Callable[[httpx.Response], T]
    keyed: bool = False  # whether the operation honours an idempotency key


class _Calls:
    """Holds the address, the credentials and the retries of a connection, whether its calls block or are awaited."""

    def __init__(
        self, url: str | None, token: str | None, owner: str | None, retries: Retries | None
    ) -> None:
        address = url or os.environ.get("POSTERN_URL")
        if not address:
            raise PosternError("Say where Postern is: Postern(url=…), or POSTERN_URL in the environment.")
        self._address = address.rstrip("/")
        self._retries = retries or Retries()
        self._headers = {"accept": "application/json", "user-agent": f"postern-sdk-python/{__version__}"}
        if token := token or os.environ.get("POSTERN_TOKEN"):
            self._headers["authorization"] = f"Bearer {token}"
        if owner:
            self._headers["x-postern-owner"] = owner

    def _arguments(self, call: Call[T]) -> dict[str, Any]:
        """Returns the arguments for httpx. All tries of a call have the same idempotency key."""
        headers = {**self._headers, **call.request.get("headers", {})}
        if call.keyed:
            headers.setdefault(_KEY, str(uuid4()))
        return {**call.request, "url": self._address + call.request["url"], "headers": headers}

    def _wait_after(self, answer: httpx.Response, tries: int, sent: dict[str, Any]) -> float | None:
        """Returns the seconds before the next try, or None if the answer is the last one."""
        if not is_sent_again(sent["method"].upper(), keyed=_KEY in sent["headers"], response=answer):
            return None
        return self._retries.wait(tries, retry_after(answer.headers))

    def _wait_after_failure(self, error: httpx.TransportError, tries: int, sent: dict[str, Any]) -> float:
        """Returns the seconds before the next try. Raises ConnectionFailed if there is none."""
        wait = None
        if is_sent_again_after(error, sent["method"].upper(), keyed=_KEY in sent["headers"]):
            wait = self._retries.wait(tries, None)
        if wait is None:
            reason = str(error) or type(error).__name__
            raise ConnectionFailed(
                f"Postern does not answer: {reason}", maybe_done=maybe_done(error)
            ) from error
        return wait


class Connection(_Calls):
    """A connection to one Postern. Close it, or use it in a `with` statement."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        owner: str | None = None,
        retries: Retries | None = None,
        timeout: float = 30.0,
        http: httpx.Client | None = None,
    ) -> None:
        """`url` and `token`: those of POSTERN_URL and POSTERN_TOKEN if they are left out. `owner`: the uuid of the
        owner for whom a member acts. `timeout`: seconds for each step of a request. `http`: a client of your own,
        with its proxies and certificates.
        """
        super().__init__(url, token, owner, retries)
        self._http = http or httpx.Client(timeout=timeout)

    def call(self, call: Call[T]) -> T:
        """Sends a request until it has an answer that stays. Raises ApiError and ConnectionFailed."""
        arguments, tries = self._arguments(call), 0
        while True:
            tries += 1
            try:
                answer = self._http.request(**arguments)
            except httpx.TransportError as error:
                wait: float | None = self._wait_after_failure(error, tries, arguments)
            else:
                wait = self._wait_after(answer, tries, arguments)
            if wait is None:
                return _parsed(call, answer)
            time.sleep(wait)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncConnection(_Calls):
    """The same for asyncio. Close it, or use it in an `async with` statement."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        owner: str | None = None,
        retries: Retries | None = None,
        timeout: float = 30.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """The arguments are those of Connection."""
        super().__init__(url, token, owner, retries)
        self._http = http or httpx.AsyncClient(timeout=timeout)

    async def call(self, call: Call[T]) -> T:
        """Sends a request until it has an answer that stays. Raises ApiError and ConnectionFailed."""
        arguments, tries = self._arguments(call), 0
        while True:
            tries += 1
            try:
                answer = await self._http.request(**arguments)
            except httpx.TransportError as error:
                wait: float | None = self._wait_after_failure(error, tries, arguments)
            else:
                wait = self._wait_after(answer, tries, arguments)
            if wait is None:
                return _parsed(call, answer)
            await asyncio.sleep(wait)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _parsed(call: Call[T], answer: httpx.Response) -> T:
    if not answer.is_success:
        raise error_of(answer)
    return call.parse(answer)
