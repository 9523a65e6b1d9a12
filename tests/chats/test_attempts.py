"""Tests each outcome of an attempt to send through an account: what is stored and what the caller gets."""

import pytest

from core.errors import (
    AppError,
    BadRequest,
    Conflict,
    RateLimited,
    Unauthenticated,
    Unavailable,
    Unprocessable,
    UpstreamTimeout,
)
from engine.messengers import attempts, call_client, sending
from tests.chats.conftest import ANNA

GONE = None  # the message was removed
UNCERTAIN = ("pending", "uncertain")
AWAY, FLOOD, REFUSED = (("errored", code) for code in ("messenger_unavailable", "flood_wait", "not_a_user"))

ERRORS: dict[str, AppError] = {
    "unknown": UpstreamTimeout("?", code="uncertain"),
    "away": Unavailable("away", code="messenger_unavailable"),
    "redis": Unavailable("away", code="store_unavailable"),
    "flood": RateLimited("slower", code="flood_wait", details={"retryAfter": 9}),
    "refused": Unprocessable("no such user", code="not_a_user"),
    "not working": Conflict("stopped", code="wrong_state"),
    "bad": BadRequest("what?", code="bad"),
    "other": Unauthenticated("who?"),
}


@pytest.mark.parametrize(
    ("error", "without_key", "with_key", "after_uncertain"),
    [
        ("unknown", UNCERTAIN, UNCERTAIN, UNCERTAIN),
        ("away", GONE, AWAY, UNCERTAIN),
        ("redis", GONE, AWAY, UNCERTAIN),
        ("flood", GONE, FLOOD, UNCERTAIN),
        ("refused", REFUSED, REFUSED, REFUSED),
        ("not working", GONE, GONE, UNCERTAIN),
        ("bad", GONE, GONE, UNCERTAIN),
        ("other", GONE, GONE, UNCERTAIN),
    ],
)
async def test_a_failed_attempt(
    services, ada, account, monkeypatch, error, without_key, with_key, after_uncertain
):
    failing: list[AppError] = []

    async def ask(*_, **__):
        raise failing[0]

    monkeypatch.setattr(call_client, "ask", ask)
    row = await services.db.fetchrow("SELECT *, true AS held FROM messenger_accounts")

    async def left_by(error, key):
        failing[:] = [ERRORS[error]]
        with pytest.raises(AppError) as raised:
            await sending.send(services, row, attempts.NewMessage(ANNA, "x"), key=key)
        found = await services.db.fetchrow(
            "SELECT status, failure_code FROM messenger_messages WHERE key IS NOT DISTINCT FROM $1",
            key and f"c:{key}",
        )
        return raised.value.code, found and tuple(found)

    assert (await left_by(error, None))[1] == without_key
    assert (await left_by(error, "k")) == (ERRORS[error].code, with_key)
    await left_by("unknown", "twice")
    assert (await left_by(error, "twice")) == (ERRORS[error].code, after_uncertain)
