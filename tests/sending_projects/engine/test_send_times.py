"""Tests when the last message of a project leaves, by rate, day and window."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.projects.plan import SendLimits, send_times, span, span_of_zones
from engine.windows import Window

MONDAY = datetime(2026, 6, 1, 12, tzinfo=UTC)
WORK = {"timezone": "Europe/Berlin", "days": [1, 2, 3, 4, 5], "from": "09:00", "to": "18:00"}
FREE = SendLimits(None, 10_000_000, 10_000_000, MONDAY.date())
FREE_OF_RATE = SendLimits(None, 100, 100, MONDAY.date())


def window(**changes: object) -> Window:
    made = Window.of({**WORK, **changes})
    assert made is not None
    return made


def test_without_a_limit_all_leave_at_once():
    assert span(5_000, FREE, MONDAY, None, None) == (MONDAY, MONDAY)


def test_a_rate_goes_on_in_the_next_windows():
    # Berlin is two hours ahead: 14:00 there, four hours are left, then nine hours each day.
    begins, ends = span(60 * 14, SendLimits(1, 10_000, 10_000, MONDAY.date()), MONDAY, window(), None) or (
        None,
        None,
    )
    assert begins == MONDAY
    assert ends == datetime(2026, 6, 3, 8, tzinfo=UTC)


def test_a_weekend_is_waited_for():
    begins, _ = span(1, FREE, datetime(2026, 6, 6, 12, tzinfo=UTC), window(), None) or (None, None)
    assert begins == datetime(2026, 6, 8, 7, tzinfo=UTC)


def test_a_night_window_closes_in_the_morning():
    night = window(**{"days": [1], "from": "22:00", "to": "06:00"})
    begins, ends = span(60 * 10, SendLimits(1, 10_000, 10_000, MONDAY.date()), MONDAY, night, None) or (
        None,
        None,
    )
    assert begins == datetime(2026, 6, 1, 20, tzinfo=UTC)
    assert ends == datetime(2026, 6, 8, 22, tzinfo=UTC)


def test_a_day_of_the_tariff_ends_at_midnight_utc():
    begins, ends = span(250, SendLimits(None, 100, 0, MONDAY.date()), MONDAY, None, None) or (None, None)
    assert begins == datetime(2026, 6, 2, tzinfo=UTC)
    assert ends == datetime(2026, 6, 4, tzinfo=UTC)


def test_what_takes_more_than_a_year_has_no_end():
    assert span(10_000, SendLimits(None, 10, 10, MONDAY.date()), MONDAY, None, None) is None
    assert span(1, SendLimits(None, 0, 0, MONDAY.date()), MONDAY, None, None) is None


def test_recipients_of_other_zones_have_other_windows():
    follows = window(recipientTimezone=True)
    zones = {"Europe/Berlin": 10, "America/New_York": 10}
    begins, ends = span_of_zones(20, SendLimits(10, 1000, 1000, MONDAY.date()), MONDAY, follows, zones) or (
        None,
        None,
    )
    assert begins == MONDAY
    assert ends == datetime(2026, 6, 1, 13, tzinfo=UTC) + timedelta(minutes=1)
    own = span_of_zones(20, SendLimits(10, 1000, 1000, MONDAY.date()), MONDAY, window(), zones)
    assert own == (MONDAY, MONDAY + timedelta(minutes=2))


@pytest.mark.parametrize(
    ("at", "planned_window", "days"),
    [
        (MONDAY, None, 2),  # 10 today, 100, and 40
        (MONDAY + timedelta(days=1), None, 1),  # 100 on the first day, although little is left today
        (MONDAY - timedelta(hours=6), window(), 2),  # the window opens later on the same day
        (
            MONDAY + timedelta(hours=5),
            window(),
            2,
        ),  # the window is closed for today: 100 and 50 from tomorrow on
    ],
)
def test_what_is_left_today_counts_only_today(at: datetime, planned_window: Window | None, days: int):
    limits = SendLimits(None, 100, 10, MONDAY.date())
    begins, ends = span(150, limits, at, planned_window, None) or (at, at)
    assert (ends.date() - at.date()).days == days
    assert begins >= at


def test_recipients_of_other_zones_who_begin_tomorrow_have_the_whole_day():
    follows, tomorrow = window(recipientTimezone=True), MONDAY + timedelta(days=1)
    limits = SendLimits(None, 100, 1, MONDAY.date())
    begins, ends = span_of_zones(60, limits, tomorrow, follows, {"Europe/Berlin": 1}) or (MONDAY, MONDAY)
    assert (begins, ends) == (tomorrow, tomorrow)


@pytest.mark.parametrize("zones", [{}, {"Europe/Berlin": 10, "America/New_York": 10}])
def test_what_can_not_leave_within_a_year_is_refused_without_work(
    zones: dict[str, int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(Window, "opens_at", None)  # a call would fail
    follows = window(recipientTimezone=True)
    assert span_of_zones(1_000_000, FREE_OF_RATE, MONDAY, follows, zones) is None


def test_the_calculation_ends_with_its_time():
    arguments: dict[str, Any] = {
        "count": 20,
        "limits": {"per_minute": 10.0, "per_day": 1000, "left_today": 1000, "today": "2026-06-01"},
        "begin": "2026-06-01T14:00:00+02:00",
        "window": {**WORK, "recipientTimezone": True},
        "zones": {"Europe/Berlin": 10},
    }
    assert send_times(**arguments, seconds=10) == ["2026-06-01T12:00:00+00:00", "2026-06-01T12:02:00+00:00"]
    assert send_times(**arguments, seconds=-1) is None
