"""Retry-After in both of its forms, and what is not one."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from core.outbound import retry_after
from core.outbound.retry_header import LONGEST
from tests.support.waits import PATIENCE

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
LATER = "Sat, 21 Nov 2026 12:01:30 GMT"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("7", 7),
        (" 120 ", 120),
        ("9" * 9, 999_999_999),
        ("9" * 10, LONGEST),
        ("9" * 10_000, LONGEST),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0),
    ],
)
def test_seconds_and_dates(value, seconds):
    assert retry_after(value) == seconds
    assert datetime.now(UTC) + timedelta(seconds=seconds), "it can be added to a time"


@pytest.mark.parametrize(
    "value", [None, "", "-1", "1.5", "soon", "1e9", "٧", f"Sat, 21 Nov {'9' * 20} 10:00:00 GMT"]
)
def test_what_names_no_time(value):
    assert retry_after(value) is None


def test_a_date_is_relative_to_the_server_s_own_then_to_the_given_time_then_to_our_clock():
    assert retry_after(LATER, format_datetime(NOON, usegmt=True), NOON - timedelta(days=1)) == 90
    assert retry_after(LATER, None, NOON) == 90
    assert retry_after(LATER, "yesterday", NOON) == 90
    then = datetime.now(UTC) + timedelta(seconds=90)
    assert 90 - PATIENCE < retry_after(format_datetime(then, usegmt=True)) <= 90
    assert 90 - PATIENCE < retry_after(format_datetime(then.replace(tzinfo=None))) <= 90  # "-0000"
