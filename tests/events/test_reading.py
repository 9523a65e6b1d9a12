"""Whatever JSON an engine sends, reading it says only what it says it does."""

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.hooks import bodies
from tests.support.examples import examples

NAMES = [
    "id", "event", "type", "hook_type", "status", "messageId", "providerMessageId", "item", "from", "text", "at",
    "time",
    "content", "error", "code", "reason", "data", "channel", "source", "outgoing", "events",
]  # fmt: skip
WORDS = [
    "delivery",
    "status",
    "reply",
    "message",
    "message_status",
    "delivered",
    "failed",
    "x",
    "",
    "\x00",
    "1",
    True,
]
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20), st.sampled_from(WORDS),
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(NAMES), inner, max_size=8)
    ),
    max_leaves=20,
)


@settings(max_examples=examples(100), deadline=None)
@given(VALUES)
def test_anything_at_all(value: Any) -> None:
    try:
        events = bodies.read(orjson.dumps(value), "r1")
    except bodies.BadBody:
        assert not isinstance(value, dict | list)
        return
    for event in filter(None, events):
        assert event.key is None or (len(event.key) <= 200 and event.key.isprintable())
        for text in (event.report and event.report.provider_message_id, event.reply and event.reply.body):
            assert text is None or "\x00" not in text


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (1_790_000_000, "2026-09-21T14:13:20+00:00"),
        (1_790_000_000_000, "2026-09-21T14:13:20+00:00"),
        (1_790_000_000_000_000, "2026-09-21T14:13:20+00:00"),
        ("1790000000", "2026-09-21T14:13:20+00:00"),
        (1_790_000_000.5, "2026-09-21T14:13:20.500000+00:00"),
        ("2026-11-20T12:00:00Z", "2026-11-20T12:00:00+00:00"),
        ("2026-11-20T12:00:00+03:00", "2026-11-20T09:00:00+00:00"),
        ("2026-11-20T12:00:00", "2026-11-20T12:00:00+00:00"),
        *((nothing, None) for nothing in ("", "soon", None, True, -1, [], "0001-01-01T00:00:00+23:59", "٣")),
    ],
)
def test_moments(value: Any, read: str | None) -> None:
    moment = bodies.moment(value)
    assert (moment.isoformat() if moment else None) == read
    assert moment is None or moment.utcoffset() == timedelta(0)
    assert moment is None or moment < datetime.now(UTC) + timedelta(days=36500)
