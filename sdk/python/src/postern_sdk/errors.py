"""What a call can raise.

PosternError
├── ConnectionFailed     no answer: `maybe_done` says whether Postern may have carried out the request
├── WebhookRefused       a request to a webhook that is not signed by Postern, or too old
└── ApiError             an answer of Postern: `code` for programs, `advice` for people
    ├── BadRequest       400, 413, 422
    ├── NotAuthenticated 401
    ├── PaymentRequired  402
    ├── Forbidden        403
    ├── NotFound         404, 410
    ├── Conflict         409
    ├── RateLimited      429
    └── Unavailable      500 and above
"""

import json
from collections.abc import Mapping
from typing import Any

import httpx

from .retries import retry_after

try:
    from .error_advice import ADVICE
except ImportError:  # a checkout, in which nothing is generated
    ADVICE: dict[str, str] = {}  # type: ignore[no-redef]


class PosternError(Exception):
    """The base class of all errors of this package."""


class ConnectionFailed(PosternError):
    """Postern has not answered. With `maybe_done` the request may have been carried out: repeat it with the same
    idempotency key.
    """

    def __init__(self, message: str, *, maybe_done: bool) -> None:
        super().__init__(message)
        self.maybe_done = maybe_done


class WebhookRefused(PosternError):
    """The request is not one that Postern has just sent to this webhook. Answer 401."""


class ApiError(PosternError):
    """Postern has refused a request."""

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        message = body.get("message") or "Postern has answered without a reason."
        self.reasons: list[str] = (
            [str(each) for each in message] if isinstance(message, list) else [str(message)]
        )
        """The sentences that say what is wrong: one, or after a failed validation one for each rule."""
        self.status = status
        self.code = str(body.get("code") or f"http_{status}")
        """The stable code, such as `insufficient_balance`: compare this one."""
        self.details: Mapping[str, Any] = body.get("details") or {}
        self.advice = ADVICE.get(self.code)
        """The sentence of docs/errors.md that says what the caller does next; None: this version does not know the code."""
        self.request_id = headers.get("x-request-id")
        """Send it to the operator when you report a problem."""
        self.retry_after = retry_after(headers)
        """Seconds to wait before the next try, if Postern says so."""
        super().__init__(f"{self.code}: {' '.join(self.reasons)}")

    def explain(self) -> str:
        """Returns what is wrong and what to do about it, in one or two sentences for a log."""
        text = str(self) if self.advice is None else f"{self} What to do: {self.advice}."
        return text if self.request_id is None else f"{text} (request {self.request_id})"


class BadRequest(ApiError):
    """Something is wrong with the request."""


class NotAuthenticated(ApiError):
    """The token is wrong, expired or revoked."""


class PaymentRequired(ApiError):
    """The balance is too low."""


class Forbidden(ApiError):
    """The token may not do this."""


class NotFound(ApiError):
    """There is no such object, or it is another owner's; or its module is off."""


class Conflict(ApiError):
    """The object is not in the state for this."""


class RateLimited(ApiError):
    """There were too many requests: `retry_after` says how long to wait."""


class Unavailable(ApiError):
    """Postern, or what it depends on, can't do it at the moment."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequest,
    401: NotAuthenticated,
    402: PaymentRequired,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: NotFound,
    413: BadRequest,
    422: BadRequest,
    429: RateLimited,
}


def error_of(response: httpx.Response) -> ApiError:
    """Returns the error that an answer is."""
    try:
        body = json.loads(response.content)
    except ValueError:
        body = None
    if not isinstance(body, dict):  # a proxy's own answer
        body = {"message": f"The answer has the status {response.status_code}, and is none of Postern's."}
    status = response.status_code
    kind = _BY_STATUS.get(status, Unavailable if status >= 500 else ApiError)
    return kind(status, body, response.headers)
