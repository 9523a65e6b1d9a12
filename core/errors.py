"""Every error that a caller can receive, in one tree.

    AppError
    ├── ValidationFailed      400  one sentence for each broken rule
    ├── BadRequest            400
    ├── Unauthenticated       401
    ├── PaymentRequired       402
    ├── Forbidden             403
    ├── NotFound              404
    ├── Conflict              409
    ├── Gone                  410
    ├── TooLarge              413
    ├── Unprocessable         422  an idempotency key that was used for another request
    ├── RateLimited           429  with Retry-After
    ├── UpstreamFailed        502
    ├── Unavailable           503
    └── UpstreamTimeout       504

Two renderers use this tree: `rest/frame/errors.py` makes the specification's envelope of it (§7), and
`schema/frame/errors.py` makes `errors[].extensions`. Both show the same `code` and the same sentence. Codes are
stable and listed in `docs/errors.md`; `tests/docs` compares the list with this file.
"""

import errno
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, ClassVar


class AppError(Exception):
    """An expected failure. The message tells the caller what to do next.

    `commit=True` commits the operation's writes although it fails, for the rare effect that must
    stay (the revocation of a stolen refresh token).
    """

    status: ClassVar[HTTPStatus]
    code: str

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        details: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        commit: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.details = details or {}
        self.headers = headers or {}
        self.commit = commit


class ValidationFailed(AppError):
    status = HTTPStatus.BAD_REQUEST
    code = "validation_failed"

    def __init__(self, rules: Sequence[str]) -> None:
        super().__init__("; ".join(rules), details={"rules": list(rules)})
        self.rules = list(rules)


class BadRequest(AppError):
    status = HTTPStatus.BAD_REQUEST
    code = "bad_request"


class Unauthenticated(AppError):
    status = HTTPStatus.UNAUTHORIZED
    code = "unauthenticated"

    def __init__(self, message: str, *, code: str | None = None, commit: bool = False) -> None:
        super().__init__(message, code=code, headers={"WWW-Authenticate": "Bearer"}, commit=commit)


class PaymentRequired(AppError):
    status = HTTPStatus.PAYMENT_REQUIRED
    code = "insufficient_balance"


class Forbidden(AppError):
    status = HTTPStatus.FORBIDDEN
    code = "forbidden"


class NotFound(AppError):
    status = HTTPStatus.NOT_FOUND
    code = "not_found"


class Conflict(AppError):
    status = HTTPStatus.CONFLICT
    code = "conflict"


class Gone(AppError):
    status = HTTPStatus.GONE
    code = "gone"


class TooLarge(AppError):
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    code = "too_large"


class Unprocessable(AppError):
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    code = "idempotency_key_reused"


class RateLimited(AppError):
    status = HTTPStatus.TOO_MANY_REQUESTS
    code = "rate_limited"


class UpstreamFailed(AppError):
    status = HTTPStatus.BAD_GATEWAY
    code = "upstream_failed"


class Unavailable(AppError):
    status = HTTPStatus.SERVICE_UNAVAILABLE
    code = "unavailable"


def disk_full(error: BaseException) -> bool:
    """Returns whether the operating system has refused a write because a disk, or our share of it, is full."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


class DiskFull(Unavailable):
    """Named apart from an unreachable server, since only the operator can end it."""

    code = "disk_full"

    def __init__(self, disk: str) -> None:
        """`disk` says whose it is, at the beginning of a sentence."""
        super().__init__(
            f"{disk} is full, so nothing was stored. Ask the operator to free space, then try again."
        )


class RedisFull(Unavailable):
    """Named apart from an unreachable Redis, since only the operator can end it."""

    code = "redis_full"

    def __init__(self) -> None:
        super().__init__(
            "Redis is full, so nothing was stored. Ask the operator to free its memory or disk, then try again."
        )


class UpstreamTimeout(AppError):
    status = HTTPStatus.GATEWAY_TIMEOUT
    code = "upstream_timeout"
