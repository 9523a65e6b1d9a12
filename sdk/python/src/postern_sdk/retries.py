"""Decides which requests are sent again, and when.

the answer                              sent again
429                                     always: Postern refuses before it does anything
409 idempotency_in_flight               with a key: the first request with it is under way
502, 503, 504                           GET, PUT, DELETE, and POST and PATCH with an idempotency key
none: no connection was made            always
none: the connection was lost           GET, PUT, DELETE, and POST and PATCH with an idempotency key
"""

import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import httpx

_REPEATABLE = {"GET", "HEAD", "OPTIONS", "PUT", "DELETE"}
_PASSING = {502, 503, 504}
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a request is sent again, and how long it waits for that at most."""

    most: int = 3
    """Further tries after the first one; 0: none."""
    longest_wait: float = 60.0
    """Seconds. If Postern asks to wait longer, the error is raised at once, with `retry_after`."""
    first_wait: float = 0.5
    """Seconds before the second try if no `Retry-After` says more; it doubles with each further one."""

    def wait(self, tries: int, asked: float | None) -> float | None:
        """Returns the seconds to wait after so many tries, or None if that was the last one."""
        if tries > self.most or (asked is not None and asked > self.longest_wait):
            return None
        wait = min(self.first_wait * 2.0 ** (tries - 1), self.longest_wait)
        if asked is None:
            return wait * random.uniform(0.5, 1)
        return asked + random.uniform(0, self.first_wait / 5)  # not all clients at once


def is_sent_again(method: str, *, keyed: bool, response: httpx.Response) -> bool:
    """Returns whether a request with this answer may be sent again."""
    status = response.status_code
    if status == 429:
        return True
    if status == 409:
        return keyed and _code(response) == "idempotency_in_flight"
    return status in _PASSING and (keyed or method in _REPEATABLE)


def is_sent_again_after(error: httpx.TransportError, method: str, *, keyed: bool) -> bool:
    """Returns whether a request without an answer may be sent again."""
    if isinstance(error, httpx.UnsupportedProtocol):
        return False
    return not maybe_done(error) or keyed or method in _REPEATABLE


def maybe_done(error: httpx.TransportError) -> bool:
    """Returns whether the request may have been carried out."""
    return not isinstance(error, (*_NOT_SENT, httpx.UnsupportedProtocol))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Returns the seconds that an answer asks to wait (RFC 9110 §10.2.3): a number, or a date."""
    value = headers.get("retry-after", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _code(response: httpx.Response) -> str | None:
    try:
        body = json.loads(response.content)
    except ValueError:
        return None
    return body.get("code") if isinstance(body, dict) else None
