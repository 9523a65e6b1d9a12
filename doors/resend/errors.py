"""Errors as Resend writes them: `{"statusCode": 422, "name": "validation_error", "message": "…"}`.

The names are those that its clients know. The sentence is ours, since it says what to do here.
"""

from collections.abc import Mapping
from typing import Any, Final

import orjson
from starlette.responses import Response

from core.errors import AppError

_BY_CODE: Final[Mapping[str, tuple[int, str]]] = {
    "unauthenticated": (401, "missing_api_key"),
    "invalid_token": (403, "invalid_api_key"),
    "session_ended": (403, "invalid_api_key"),
    "bad_idempotency_key": (400, "invalid_idempotency_key"),
    "idempotency_key_reused": (409, "invalid_idempotent_request"),
    "idempotency_in_flight": (409, "concurrent_idempotent_requests"),
    "sender_not_approved": (403, "validation_error"),
    "approval_required": (403, "validation_error"),
    "bad_sender": (422, "invalid_from_address"),
    "file_not_found": (422, "invalid_attachment"),
    "files_full": (422, "invalid_attachment"),
    # What a caller can't end by waiting a moment: clients repeat a request after `rate_limit_exceeded`.
    "insufficient_balance": (429, "monthly_quota_exceeded"),
    "token_spend_limit": (429, "daily_quota_exceeded"),
    "token_message_limit": (429, "daily_quota_exceeded"),
}
BY_STATUS: Final[Mapping[int, tuple[int, str]]] = {
    401: (403, "invalid_api_key"),
    403: (403, "validation_error"),
    404: (404, "not_found"),
    405: (405, "method_not_allowed"),
    410: (404, "not_found"),
    413: (413, "validation_error"),
    429: (429, "rate_limit_exceeded"),
}
_DROPPED: Final = frozenset({"www-authenticate"})


class Refused(Exception):
    """A request that this door refuses by itself."""

    def __init__(self, status: int, name: str, message: str) -> None:
        super().__init__(message)
        self.status, self.name, self.message = status, name, message


def invalid(message: str, name: str = "validation_error") -> Refused:
    """Returns the error for a request that is not valid, or that can't be served."""
    return Refused(422, name, message)


def of(error: AppError) -> Refused:
    """Returns the error of an operation in Resend's words."""
    status = int(error.status)
    if error.code == "forbidden" and "permission" in error.details:
        return Refused(401, "restricted_api_key", error.message)
    if (own := _BY_CODE.get(error.code)) is not None:
        return Refused(*own, error.message)
    if status >= 500:
        return Refused(status, "application_error", error.message)
    return Refused(*BY_STATUS.get(status, (422, "validation_error")), error.message)


def body(status: int, name: str, message: str) -> dict[str, Any]:
    """Returns the body of an error."""
    return {"statusCode": status, "message": message, "name": name}


def answer(refused: Refused, headers: Mapping[str, str] | None = None) -> Response:
    """Returns the response of an error. `headers`: those of the error that it comes from."""
    sent = {name: value for name, value in (headers or {}).items() if name.lower() not in _DROPPED}
    content = orjson.dumps(body(refused.status, refused.name, refused.message))
    return Response(content, refused.status, sent, media_type="application/json")
